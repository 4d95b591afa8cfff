/** Logs of mailboxes in PostgreSQL, and the positions of their readers. */
import type { Row } from '../postgres/batch.js';
import type { PartyChange, PartyIdentity } from '../signing/router-port.js';
import { entryFromJson } from './entry-json.js';
import type { MailboxGroup } from './mailbox-group.js';
import type { Append, Appended, NewEntry } from './postgres-append.js';
import { hexOf, lastText, plainArray } from './postgres-values.js';
import {
  ACK,
  DELIVER,
  PREPARE_READERS,
  READ_ENTRY,
  READ_LOG,
  READ_LOGS,
  READ_PAYLOAD,
  READ_POSITIONS,
} from './postgres-mailbox-sql.js';
import type { LogEntry } from './log-entry.js';

/** A session, with the position of the last entry that is known of it. */
export interface LogPosition {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly position: number;
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
  /** The next entries after a position, oldest first, and whether there are no more. */
  read(known: LogPosition): Promise<{ readonly entries: readonly ReadEntry[]; readonly isLast: boolean }>;
  /** The entry at a position, without its payloads; null when the session has ended. */
  entry(known: LogPosition): Promise<LogEntry | null>;
  /** Entries after the positions of many sessions, of each the oldest first, and the positions of their readers. */
  readMany(
    known: readonly LogPosition[],
  ): Promise<{ readonly entries: readonly ReadEntry[]; readonly positions: readonly ReaderPosition[] }>;
  /** Makes the rows of the readers; without them nothing is delivered or acknowledged. */
  prepareReaders(session: Pick<LogPosition, 'tenantId' | 'sessionId'>): Promise<void>;
  positions(session: Pick<LogPosition, 'tenantId' | 'sessionId'>): Promise<readonly ReaderPosition[]>;
  /** Null when the session has ended. @param place of the message in its entry, from 0 */
  payload(known: LogPosition, place: number): Promise<Buffer | null>;
  /** Records that a party receives its mailbox up to a position. */
  deliver(party: PartyIdentity, sessionId: string, upTo: number): Promise<Delivered>;
  /** The position acknowledged; null when the session has ended. */
  ack(party: PartyIdentity, sessionId: string, upTo: number): Promise<number | null>;
}

/** Rows of one read, see the statements. */
const PAGE = 1000;

export function createPostgresMailboxLog(group: MailboxGroup): PostgresMailboxLog {
  return {
    append: (known, entry) => group.append(appendAfter(known, entry)),
    appendWaiting: (known, entry) => group.appendWaiting(appendAfter(known, entry)),
    async read({ tenantId, sessionId, position }) {
      const parameters = [sessionId, String(position)];
      const [rows = []] = await group.read([{ tenantId, sessionId, statement: READ_LOG, parameters }]);
      const entries = rows.map(({ columns, ...row }) =>
        entryOf({ ...row, columns: [sessionId, ...columns] }),
      );
      return { entries, isLast: entries.length < PAGE };
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
    async prepareReaders({ tenantId, sessionId }) {
      await group.runAlone({ tenantId, sessionId, statement: PREPARE_READERS, parameters: [sessionId] });
    },
    async positions({ tenantId, sessionId }) {
      const parameters = [plainArray([sessionId])];
      const [rows = []] = await group.read([{ tenantId, sessionId, statement: READ_POSITIONS, parameters }]);
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
      const [row] = await group.run({ tenantId, sessionId, statement: DELIVER, parameters });
      return row === undefined ? { kind: 'party-changed', change: 'unknown' } : deliveredOf(row);
    },
    async ack({ tenantId, partyId }, sessionId, upTo) {
      const parameters = [sessionId, partyId, String(upTo)];
      const [row] = await group.run({ tenantId, sessionId, statement: ACK, parameters });
      return row === undefined ? null : Number(lastText(row));
    },
  };
}

const appendAfter = (
  { tenantId, sessionId, position }: LogPosition,
  { entry, payloads, receivers }: NewEntry,
): Append => ({ entry, payloads, receivers, tenantId, sessionId, position: position + 1 });

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
