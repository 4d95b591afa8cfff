/** Sessions in progress, with the parties that take part in them, and messages that they could send. */
import { randomUUID, sign } from 'node:crypto';
import { envelopeStatement } from '../../../src/mailbox/mailbox-store.js';
import { sha256 } from '../../../src/base/hash.js';
import type { OutgoingMessage } from '../../../src/mailbox/mailbox-store.js';
import {
  createSigningFixture,
  type FixtureOptions,
  type SigningFixture,
  type TestParty,
} from '../signing/signing-fixture.js';

export interface RunningSession {
  readonly sessionId: string;
  readonly parties: readonly [TestParty, TestParty, TestParty];
}

export interface RouterFixture extends SigningFixture {
  readonly parties: readonly [TestParty, TestParty, TestParty];
  /** A session of three parties that have all joined. */
  startSession(): Promise<RunningSession>;
  /** A session of three parties that have not joined. */
  createOpenSession(): Promise<RunningSession>;
}

export async function createRouterFixture(options?: FixtureOptions): Promise<RouterFixture> {
  const fixture = await createSigningFixture(options);
  const parties = [
    await fixture.createParty('node-a', 'server'),
    await fixture.createParty('node-b', 'server'),
    await fixture.createParty('node-c', 'server'),
  ] as const;
  const { accountId } = await fixture.createAccount(parties);
  const createOpenSession = async (): Promise<RunningSession> => {
    const { sessionId } = await fixture.createSession(accountId);
    return { sessionId, parties };
  };
  return {
    ...fixture,
    parties,
    createOpenSession,
    async startSession() {
      const session = await createOpenSession();
      for (const { identity } of parties)
        await fixture.signing.sessions.join(identity, session.sessionId, 'i');
      return session;
    },
  };
}

export interface Draft {
  readonly senderSequence: number;
  readonly messageId?: string;
  readonly to?: readonly string[];
  readonly payload?: Buffer;
  readonly round?: number;
}

/** Builds an envelope with the signature of its sender. */
export function signedMessage(
  sender: TestParty,
  sessionId: string,
  { senderSequence, messageId = randomUUID(), to = [], payload = Buffer.from('m'), round = 1 }: Draft,
): OutgoingMessage {
  const { partyId: fromPartyId } = sender.identity;
  const content = { sessionId, messageId, fromPartyId, toPartyIds: to, round, senderSequence, payload };
  const statement = envelopeStatement(content);
  const signature = sign(null, statement, sender.privateKey);
  return {
    messageId,
    toPartyIds: to,
    round,
    senderSequence,
    payload,
    signature,
    contentSha256: sha256(statement),
  };
}
