/**
 * Memory of the mailboxes under a hostile party: one session whose messages are all acknowledged, up to the limit of a
 * session, and then many sessions.  tsx --expose-gc bench/mailbox-memory.ts [messages] [sessions] [seconds]
 */
import { randomUUID } from 'node:crypto';
import { createMailboxStore } from '../src/mailbox/log-mailbox-store.js';
import { postgresMailboxLog } from '../src/mailbox/postgres-mailbox-log.js';
import type { MailboxStore, OutgoingMessage } from '../src/mailbox/mailbox-store.js';
import type { PartyIdentity } from '../src/signing/router-port.js';
import { sha256 } from '../src/base/hash.js';
import { createRouterFixture, type RunningSession } from '../test/support/router/router-fixture.js';
import { removeSharedServers } from '../test/support/postgres/shared-server.js';

const [MESSAGES = 1_000_000, SESSIONS = 200, SECONDS = 120] = process.argv.slice(2).map(Number);
const PER_CALL = 64;
const SIGNATURE = Buffer.alloc(64);

const messagesFrom = (first: number): readonly OutgoingMessage[] =>
  Array.from({ length: PER_CALL }, (_, index) => {
    const messageId = randomUUID();
    return {
      messageId,
      toPartyIds: [],
      round: 1,
      senderSequence: first + index,
      payload: Buffer.alloc(100),
      signature: SIGNATURE,
      contentSha256: sha256(Buffer.from(messageId)),
    };
  });

function report(what: string): void {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  console.log(`${what}: RSS ${megabytes(rss)}, heap ${megabytes(heapUsed)}, buffers ${megabytes(external)}`);
}

async function subscribe(
  store: MailboxStore,
  { sessionId, parties: [, ...readers] }: RunningSession,
): Promise<() => void> {
  const stops: (() => void)[] = [];
  for (const { identity } of readers) {
    const opened = await store.open(identity, sessionId, 0);
    if (opened.kind !== 'opened') throw new Error(opened.kind);
    stops.push(store.watch(identity, sessionId, opened.reader, () => undefined));
  }
  return () => {
    for (const stop of stops) stop();
  };
}

async function acknowledge(
  store: MailboxStore,
  sessionId: string,
  readers: readonly { readonly identity: PartyIdentity }[],
  upTo: number,
): Promise<void> {
  await Promise.all(readers.map(({ identity }) => store.ack(identity, sessionId, upTo)));
}

const fixture = await createRouterFixture();
const observe = (): void => undefined;
const store = createMailboxStore({
  open: postgresMailboxLog(fixture.pool, fixture.feed),
  ...fixture.signing,
  observe,
});
try {
  const session = await fixture.startSession();
  const { sessionId, parties } = session;
  const [a, ...readers] = parties;
  const stop = await subscribe(store, session);
  const end = performance.now() + SECONDS * 1000;
  report('at the start');
  let sent = 0;
  let outcome = 'accepted';
  while (outcome === 'accepted' && sent < MESSAGES && performance.now() < end) {
    outcome = (await store.append(a.identity, sessionId, messagesFrom(sent + 1))).kind;
    if (outcome !== 'accepted') break;
    sent += PER_CALL;
    await acknowledge(store, sessionId, readers, sent);
    if (sent % (PER_CALL * 500) === 0) report(`${String(sent)} messages acknowledged`);
  }
  report(`${String(sent)} messages acknowledged, then ${outcome}`);
  stop();
  for (let count = 1; count <= SESSIONS && performance.now() < end; count += 1) {
    const other = await fixture.startSession();
    await store.append(other.parties[0].identity, other.sessionId, messagesFrom(1));
    if (count % 100 === 0) report(`${String(count)} sessions of ${String(PER_CALL)} waiting messages`);
  }
} finally {
  await store.close();
  await fixture.drop();
  await removeSharedServers();
}
