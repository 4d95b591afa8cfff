/** Reads messages from the log that a send needs and that are no longer in memory. */
import type { FollowedSession } from './followed-session.js';
import type { FollowedSessions } from './followed-sessions.js';
import type { OutgoingMessage } from './mailbox-store.js';
import type { Recalled } from './sent-messages.js';
import { messagesToRecall } from './judgements.js';

export const NOTHING_RECALLED: Recalled = new Map();

/** For `judgeSend`. Null when the session has ended. */
export async function recallMissing(
  followed: Pick<FollowedSessions, 'recall'>,
  session: FollowedSession,
  senderId: string,
  messages: readonly OutgoingMessage[],
): Promise<Recalled | null> {
  let recalled = NOTHING_RECALLED;
  for (;;) {
    const missing = messagesToRecall(session.mailboxes, senderId, messages, recalled);
    if (missing.length === 0) return recalled;
    // Further messages may have been acknowledged by all recipients meanwhile, so the loop checks again.
    const read = await followed.recall(session, senderId, missing);
    if (read === null) return null;
    recalled = new Map([...recalled, ...read]);
  }
}
