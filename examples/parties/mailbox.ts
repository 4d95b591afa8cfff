/** A party's mailbox in one session: each message once, acknowledged when it was dealt with. */
import { SessionState, type Envelope } from '../../generated/proto/router/v1/router_pb.js';
import { isPassing, pause, persevere } from './persevere.js';
import type { RouterClient } from './router-client.js';

/**
 * Ends when the session has ended or the signal is aborted. A page is acknowledged when the next one is asked for; what
 * was not acknowledged comes again after a lost connection, and is left out here.
 * @throws the error of a call that is refused for good, such as ABORTED where another instance reads the mailbox
 */
export async function* readMailbox(
  router: RouterClient,
  sessionId: string,
  instanceId: string,
  signal: AbortSignal,
): AsyncGenerator<Envelope> {
  const seen = new Set<string>();
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      for await (const page of router.subscribeMessages({ sessionId, instanceId }, { signal })) {
        attempt = 0;
        for (const { envelope } of page.deliveries) {
          if (envelope === undefined || seen.has(envelope.messageId)) continue;
          seen.add(envelope.messageId);
          yield envelope;
        }
        const upToSequence = page.deliveries.at(-1)?.sequence;
        if (upToSequence !== undefined)
          await persevere(() => router.ackMessages({ sessionId, upToSequence }), signal);
        if (page.closedWith !== SessionState.UNSPECIFIED) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
    }
    await pause(attempt, signal);
  }
}
