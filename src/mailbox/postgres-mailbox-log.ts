/**
 * Logs of mailboxes in PostgreSQL, the default, with the positions of readers beside them: what is written is as durable as
 * the session, whose end erases it.
 */
import type { Row } from '../postgres/batch.js';
import type { ChangeFeed } from '../postgres/change-feed.js';
import type { WatchSet } from '../postgres/watch-sets.js';
import {
  createMailboxGroup,
  hexOf,
  lastText,
  plainArray,
  type GroupedStatement,
  type Runner,
} from './mailbox-group.js';
import {
  entryFromJson,
  withReferences,
  type Delivered,
  type LogPage,
  type LogPosition,
  type OpenMailboxLog,
  type ReaderPosition,
  type ReadEntry,
} from './mailbox-log.js';
import {
  ACK,
  DELIVER,
  PREPARE_READERS,
  PREPARE_READERS_WAITING,
  READ_ENTRY,
  READ_LOGS,
  READ_PAYLOAD,
  READ_POSITIONS,
} from './postgres-mailbox-sql.js';

const TOPIC = 'mailbox';
/** Longest delay of a message whose report was lost, in milliseconds. */
const POLL_MS = 250;
/** Most sessions that begin in one transaction: each has up to 64 readers, whose rows take most of its time. */
const MAX_BEGINNINGS = 32;

interface PageLimits {
  readonly entries: number;
  /** Payloads above this length, in base64, are read one by one, when they are delivered. */
  readonly payloadBytes: number;
}

const PAGE: PageLimits = { entries: 1000, payloadBytes: 65_536 };
/** Other beginnings of the group wait for it. */
const FIRST_PAGE: PageLimits = { entries: 16, payloadBytes: 8192 };

/** @param pool the caller closes it, after the log */
export function postgresMailboxLog(
  pool: Runner,
  feed: Pick<ChangeFeed, 'open' | 'publishElsewhere'>,
): OpenMailboxLog {
  const group = createMailboxGroup(pool);
  // Of their own: sends do not wait for the rows of the readers of other sessions.
  const beginnings = createMailboxGroup(pool, MAX_BEGINNINGS);
  return (changed) => {
    const watches: WatchSet<null, never> = feed.open<null, never>({
      topic: TOPIC,
      pollMs: POLL_MS,
      onReport: 'query',
      work: 'messages between parties',
      async query(watchers) {
        await changed(watchers.map(({ key }) => key));
        return [];
      },
    });
    return {
      readers: {
        async deliver(party, sessionId, upTo) {
          const { tenantId, partyId, identityPublicKey, certificateSha256 } = party;
          const parameters = [
            ...[sessionId, partyId, String(upTo), hexOf(identityPublicKey)],
            certificateSha256 && hexOf(certificateSha256),
          ];
          const [[row] = []] = await group.run([
            { tenantId, sessionId, partyId, statement: DELIVER, parameters },
          ]);
          return row === undefined ? { kind: 'party-changed', change: 'unknown' } : deliveredOf(row);
        },
        async ack({ tenantId, partyId }, sessionId, upTo) {
          const parameters = [sessionId, partyId, String(upTo)];
          const statement = { tenantId, sessionId, partyId, statement: ACK, parameters };
          const [[row] = []] = await group.run([statement]);
          return row === undefined ? null : Number(lastText(row));
        },
      },
      follow: (sessionId) => watches.add({ key: sessionId, seen: null, notify: () => undefined }),
      publish: (sessionId) => feed.publishElsewhere(TOPIC, [sessionId]),
      async begin(session) {
        const { tenantId, sessionId } = session;
        const prepare = { tenantId, sessionId, statement: PREPARE_READERS, parameters: [sessionId] };
        // In the transaction of others: sessions that begin together do not need a connection each.
        const statements = [prepare, ...readStatements([session], FIRST_PAGE)];
        const [prepared = [], ...rows] = await beginnings.run(statements);
        // Without the rows of the readers nothing is delivered or acknowledged.
        if (prepared.length === 0)
          await beginnings.runAlone({ ...prepare, statement: PREPARE_READERS_WAITING });
        return pageOf(session, rows, FIRST_PAGE);
      },
      async read(sessions) {
        const tenants = [...new Set(sessions.map(({ tenantId }) => tenantId))];
        const read = await group.read(
          tenants.flatMap((tenantId) =>
            readStatements(
              sessions.filter((session) => session.tenantId === tenantId),
              PAGE,
            ),
          ),
        );
        const rows = new Map(tenants.map((tenantId, at) => [tenantId, read.slice(2 * at, 2 * at + 2)]));
        return sessions.map((session) => pageOf(session, rows.get(session.tenantId) ?? [], PAGE));
      },
      async entry({ tenantId, sessionId, position }) {
        const parameters = [sessionId, String(position)];
        const [[row] = []] = await group.read([{ tenantId, sessionId, statement: READ_ENTRY, parameters }]);
        return row === undefined ? null : entryFromJson(lastText(row) ?? '');
      },
      async payloads({ tenantId, sessionId }, references) {
        const read = await group.read(
          references.map(([position = 0, place = 0]) => ({
            ...{ tenantId, sessionId, statement: READ_PAYLOAD },
            parameters: [sessionId, String(position), String(place + 1)],
          })),
        );
        return read.map(([row]) => {
          const text = row === undefined ? null : lastText(row);
          return text === null ? null : Buffer.from(text, 'base64');
        });
      },
      async append({ tenantId, sessionId, position: after }, added, waits) {
        const position = after + 1;
        const entry = withReferences(added.entry, (place) => [position, place]);
        const append = { ...added, entry, tenantId, sessionId, position };
        const changed = await (waits ? group.appendWaiting(append) : group.append(append));
        return changed === null ? { kind: 'not-written' } : { kind: 'written', position, entry, changed };
      },
      purge: () => Promise.resolve(),
      sessions: () => Promise.resolve([]),
      place: () => Promise.resolve('the database'),
      close: () => watches.close(),
    };
  };
}

/** Positions are read first: what they acknowledge is among the entries that are read after them. */
function readStatements(
  sessions: readonly LogPosition[],
  { entries, payloadBytes }: PageLimits,
): readonly GroupedStatement[] {
  const [tenantId, sessionId] = [sessions[0]?.tenantId ?? '', sessions[0]?.sessionId ?? ''];
  const sessionIds = plainArray(sessions.map((session) => session.sessionId));
  const positions = plainArray(sessions.map(({ position }) => String(position)));
  const limits = [String(entries), String(payloadBytes)];
  return [
    { tenantId, sessionId, statement: READ_POSITIONS, parameters: [sessionIds] },
    { tenantId, sessionId, statement: READ_LOGS, parameters: [sessionIds, positions, ...limits] },
  ];
}

/** @param rows of `readStatements`, also of other sessions */
function pageOf(
  { sessionId }: LogPosition,
  [positions = [], entries = []]: readonly (readonly Row[])[],
  limits: PageLimits,
): LogPage {
  const isOwn = ({ columns: [session] }: Row): boolean => session === sessionId;
  return {
    positions: positions.filter(isOwn).map(positionOf),
    entries: entries.filter(isOwn).map(entryOf),
    isLast: entries.length < limits.entries,
  };
}

function entryOf(row: Row): ReadEntry {
  const [, position = null, payloads = null] = row.columns;
  const entry = entryFromJson(lastText(row) ?? '');
  const isKnown = payloads !== null && entry.kind === 'messages';
  return {
    position: Number(position),
    entry,
    payloads: isKnown ? payloads.split(',').map((text) => Buffer.from(text, 'base64')) : null,
  };
}

const positionOf = (row: Row): ReaderPosition => {
  const [, partyId = null, acked = null] = row.columns;
  return { partyId: partyId ?? '', acked: Number(acked), delivered: Number(lastText(row)) };
};

function deliveredOf(row: Row): Delivered {
  const [change = null] = row.columns;
  if (change !== null) return { kind: 'party-changed', change: change === 'not-active' ? change : 'unknown' };
  return { kind: lastText(row) === 't' ? 'delivered' : 'session-ended' };
}
