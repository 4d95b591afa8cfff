import { expect } from 'chai';
import { Readable } from 'node:stream';
import { partyIdOf, tenantIdOf } from '../../../src/identifiers.js';
import type { MailboxStore } from '../../../src/mailbox/mailbox-store.js';
import { mailboxStream } from '../../../src/router/mailbox-stream.js';
import type { PartyIdentity, SessionEnds } from '../../../src/signing/router-port.js';

const SESSIONS = ['a', 'b', 'c'];
const PARTY: PartyIdentity = {
  tenantId: tenantIdOf('t'),
  partyId: partyIdOf('p'),
  role: 'delegate',
  status: 'active',
  identityPublicKey: Buffer.alloc(32),
  certificateSha256: null,
};

const unused = (): never => {
  throw new Error('is not called');
};

/** Mailboxes without messages. */
const MAILBOXES: MailboxStore = {
  append: unused,
  ack: unused,
  place: unused,
  open: () => Promise.resolve({ kind: 'opened', position: 0, acked: 0, reader: 0 }),
  read: () => Promise.resolve({ marks: { head: 0, acked: 0, reader: 0 }, deliveries: [] }),
  watch: () => () => undefined,
  close: () => Promise.resolve(),
};

describe('the stream of all mailboxes of a party', () => {
  it('reports the end of a session once if it ends while the session is opened', async () => {
    const gone = new AbortController();
    const ends: SessionEnds = {
      ended: unused,
      watch(_sessionId, onEnd) {
        onEnd('completed');
        return () => undefined;
      },
    };
    const stream = mailboxStream({
      mailboxes: MAILBOXES,
      ends,
      sessions: { inProgress: () => Readable.from([]) },
      party: PARTY,
      after: new Map(SESSIONS.map((sessionId) => [sessionId, 0])),
      signal: gone.signal,
    });
    const ended: string[] = [];
    for await (const { sessionId = '' } of stream) {
      ended.push(sessionId);
      // The stream has no other item to send.
      if (ended.length === SESSIONS.length) setImmediate(() => gone.abort());
    }
    expect(ended).to.deep.equal(SESSIONS);
  });
});
