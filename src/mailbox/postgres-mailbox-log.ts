/** Logs of mailboxes in PostgreSQL, and the positions of their readers. */
import type { Row } from '../postgres/batch.js';
import type { PartyChange, PartyIdentity } from '../signing/router-port.js';
import { entryFromJson } from './entry-json.js';
import type { GroupedStatement, MailboxGroup } from './mailbox-group.js';
import type { Append, Appended, NewEntry } from './postgres-append.js';
import { hexOf, lastText, plainArray } from './postgres-values.js';
import {
  ACK,
  DELIVER,
  PREPARE_READERS,
  PREPARE_READERS_WAITING,
  READ_ENTRY,
  READ_LOG,
  READ_LOGS,
  READ_PAYLOAD,
  READ_POSITIONS,
  SMALL_PAYLOADS,
} from './postgres-mailbox-sql.js';
import type { LogEntry } from './log-entry.js';

/** A session, with the position of the last entry that is known of it. */
export interface LogPosition {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly position: number;
}

export type LogSession = Pick<LogPosition, 'tenantId' | 'sessionId'>;

/** Entries of a session, oldest first, and whether there are no more. */
export interface LogPage {
  readonly entries: readonly ReadEntry[];
  readonly isLast: boolean;
}

export interface ReadEntry {
  readonly sessionId: string;
  readonly position: number;
  readonly entry: LogEntry;
  /** Of the messages of the entry, in order; null where they are read one by one. */
  readonly payloads: readonly Buffer[] | null;
}

export interface ReaderPosition {
  readonly sessionId: string;
  readonly partyId: string;
  readonly acked: number;
  readonly delivered: number;
}

export type Delivered =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'session-ended' }
  | { readonly kind: 'party-changed'; readonly change: PartyChange };

export interface PostgresMailboxLog {
  /** Writes an entry after a position. */
  append(known: LogPosition, entry: NewEntry): Promise<Appended>;
  /** As `append`, and waits for a row that is locked. */
  appendWaiting(known: LogPosition, entry: NewEntry): Promise<Appended>;
  /** Returns the next entries after a position. */
  read(known: LogPosition): Promise<LogPage>;
  /** The entry at a position, without its payloads; null when the session has ended. */
  entry(known: LogPosition): Promise<LogEntry | null>;
  /** Entries after the positions of many sessions, of each the oldest first, and the positions of their readers. */
  readMany(
    known: readonly LogPosition[],
  ): Promise<{ readonly entries: readonly ReadEntry[]; readonly positions: readonly ReaderPosition[] }>;
  /**
   * Makes the rows of the readers, without which nothing is delivered or acknowledged, and returns their positions and the
   * next entries.
   */
  begin(known: LogPosition): Promise<LogPage & { readonly positions: readonly ReaderPosition[] }>;
  positions(session: LogSession): Promise<readonly ReaderPosition[]>;
  /** Null when the session has ended. @param place of the message in its entry, from 0 */
  payload(known: LogPosition, place: number): Promise<Buffer | null>;
  /** Records that a party receives its mailbox up to a position. */
  deliver(party: PartyIdentity, sessionId: string, upTo: number): Promise<Delivered>;
  /** The position acknowledged; null when the session has ended. */
  ack(party: PartyIdentity, sessionId: string, upTo: number): Promise<number | null>;
}

interface PageLimits {
  readonly entries: number;
  /** Longer payloads, in base64, are not read. */
  readonly payloadBytes: number;
}

const PAGE: PageLimits = { entries: 1000, payloadBytes: SMALL_PAYLOADS };
/** Other beginnings of the group wait for it. */
const FIRST_PAGE: PageLimits = { entries: 16, payloadBytes: 8192 };

/**
 * @param group of the calls of sessions that have begun
 * @param beginnings group of their own: sends do not wait for the rows of the readers of other sessions
 */
export function createPostgresMailboxLog(group: MailboxGroup, beginnings: MailboxGroup): PostgresMailboxLog {
  return {
    append: (known, entry) => group.append(appendAfter(known, entry)),
    appendWaiting: (known, entry) => group.appendWaiting(appendAfter(known, entry)),
    async read(known) {
      const [rows = []] = await group.read([readAfter(known, PAGE)]);
      return pageOf(known, rows, PAGE);
    },
    async entry({ tenantId, sessionId, position }) {
      const parameters = [sessionId, String(position)];
      const [rows = []] = await group.read([{ tenantId, sessionId, statement: READ_ENTRY, parameters }]);
      const [row] = rows;
      return row === undefined ? null : entryFromJson(lastText(row) ?? '');
    },
    async readMany(known) {
      const tenants = [...new Set(known.map(({ tenantId }) => tenantId))];
      const results = await group.read(
        tenants.flatMap((tenantId) => {
          const own = known.filter((one) => one.tenantId === tenantId);
          const sessionIds = plainArray(own.map(({ sessionId }) => sessionId));
          const positions = plainArray(own.map(({ position }) => String(position)));
          const of = { tenantId, sessionId: '' };
          return [
            { ...of, statement: READ_LOGS, parameters: [sessionIds, positions] },
            { ...of, statement: READ_POSITIONS, parameters: [sessionIds] },
          ];
        }),
      );
      return {
        entries: results.flatMap((rows, index) => (index % 2 === 0 ? rows.map(entryOf) : [])),
        positions: results.flatMap((rows, index) => (index % 2 === 1 ? rows.map(positionOf) : [])),
      };
    },
    async begin(known) {
      const { tenantId, sessionId } = known;
      const prepare = { tenantId, sessionId, statement: PREPARE_READERS, parameters: [sessionId] };
      // In the transaction of others: sessions that begin together do not need a connection each.
      const statements = [prepare, positionsOf(known), readAfter(known, FIRST_PAGE)];
      const [prepared = [], positions = [], rows = []] = await beginnings.run(statements);
      if (prepared.length === 0)
        await beginnings.runAlone({ ...prepare, statement: PREPARE_READERS_WAITING });
      return { positions: positions.map(positionOf), ...pageOf(known, rows, FIRST_PAGE) };
    },
    async positions(session) {
      const [rows = []] = await group.read([positionsOf(session)]);
      return rows.map(positionOf);
    },
    async payload({ tenantId, sessionId, position }, place) {
      const parameters = [sessionId, String(position), String(place + 1)];
      const [rows = []] = await group.read([{ tenantId, sessionId, statement: READ_PAYLOAD, parameters }]);
      const text = rows[0] === undefined ? null : lastText(rows[0]);
      return text === null ? null : Buffer.from(text, 'base64');
    },
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
      const [[row] = []] = await group.run([{ tenantId, sessionId, partyId, statement: ACK, parameters }]);
      return row === undefined ? null : Number(lastText(row));
    },
  };
}

const appendAfter = (
  { tenantId, sessionId, position }: LogPosition,
  { entry, payloads, receivers }: NewEntry,
): Append => ({ entry, payloads, receivers, tenantId, sessionId, position: position + 1 });

const readAfter = (
  { tenantId, sessionId, position }: LogPosition,
  { entries, payloadBytes }: PageLimits,
): GroupedStatement => ({
  ...{ tenantId, sessionId, statement: READ_LOG },
  parameters: [sessionId, String(position), String(entries), String(payloadBytes)],
});

const positionsOf = ({ tenantId, sessionId }: LogSession): GroupedStatement => ({
  ...{ tenantId, sessionId, statement: READ_POSITIONS },
  parameters: [plainArray([sessionId])],
});

/** @param rows of `READ_LOG`, which do not name the session */
function pageOf({ sessionId }: LogSession, rows: readonly Row[], limits: PageLimits): LogPage {
  const entries = rows.map(({ columns, ...row }) => entryOf({ ...row, columns: [sessionId, ...columns] }));
  return { entries, isLast: entries.length < limits.entries };
}

function entryOf(row: Row): ReadEntry {
  const [sessionId = null, position = null, payloads = null] = row.columns;
  const entry = entryFromJson(lastText(row) ?? '');
  return {
    sessionId: sessionId ?? '',
    position: Number(position),
    entry,
    payloads:
      payloads === null || entry.kind !== 'messages'
        ? null
        : payloads.split(',').map((text) => Buffer.from(text, 'base64')),
  };
}

const positionOf = (row: Row): ReaderPosition => {
  const [sessionId = null, partyId = null, acked = null] = row.columns;
  return {
    sessionId: sessionId ?? '',
    partyId: partyId ?? '',
    acked: Number(acked),
    delivered: Number(lastText(row)),
  };
};

function deliveredOf(row: Row): Delivered {
  const [change = null] = row.columns;
  if (change !== null) return { kind: 'party-changed', change: change === 'not-active' ? change : 'unknown' };
  return { kind: lastText(row) === 't' ? 'delivered' : 'session-ended' };
}
