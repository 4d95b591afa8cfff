/** Notifications in PostgreSQL. Each call is one batch of two statements, the identity and the query: one round trip, one transaction. */
import type { JsonText } from '../../generated/operations.js';
import type { TenantId } from '../base/identifiers.js';
import type { Parameter, Row, BatchQuery } from '../postgres/batch.js';
import type { Pool } from '../postgres/pool.js';
import { ConnectionLost, PostgresError } from '../postgres/postgres-error.js';
import { prepare, type Statement } from '../postgres/statement.js';
import { listStatement, ONE_STATEMENT, UNREAD_STATEMENT } from './list-sql.js';
import { MARK_ALL, MARK_SOME } from './mark-sql.js';
import { GET_PREFERENCES, REPLACE_PREFERENCES } from './preferences-sql.js';
import {
  COLLECT,
  collectParameters,
  PRODUCE_TEXT,
  produceParameters,
  RECALL,
  RECEIPTS,
  RETENTION,
  SET_RETENTION,
  UPDATE_MESSAGE,
  updateParameters,
} from './produce-sql.js';
import {
  LIST_QUIET_HOURS,
  RELEASE_LANES,
  REMOVE_QUIET_HOURS,
  SET_QUIET_HOURS,
  TIME_ZONES,
} from './quiet-hours-sql.js';
import { SUBSCRIBE, TOPICS, UNSUBSCRIBE } from './topics-sql.js';
import { asMarker, asProducer, asReader, asSystem } from './role-sql.js';
import type {
  Collected,
  DigestWindow,
  Early,
  ListQuery,
  MarkChange,
  MarkOfAll,
  MessageChange,
  MessageName,
  NotificationDraft,
  Produced,
  QuietHours,
  Reader,
} from './types.js';

/** JSON text with its entity tag. */
export interface TaggedJson extends JsonText {
  readonly etag: string;
}

/** Every function may throw PostgresError, PoolTimeout, ConnectFailed, ConnectionLost and, with a signal, BatchAborted. */
export interface NotificationStore {
  list(reader: Reader, query: ListQuery, signal: AbortSignal): Promise<TaggedJson>;
  unreadCount(reader: Reader, signal: AbortSignal): Promise<TaggedJson>;
  /** Returns null if the reader has no such notification. */
  one(reader: Reader, notificationId: string, signal: AbortSignal): Promise<JsonText | null>;
  /** Returns the identifiers, of those given, of the notifications that the reader has. */
  markSome(
    reader: Reader,
    change: MarkChange,
    notificationIds: readonly string[],
  ): Promise<ReadonlySet<string>>;
  markAll(reader: Reader, mark: MarkOfAll, early: Early): Promise<void>;
  preferences(reader: Reader): Promise<JsonText>;
  /** @param categories member `categories` of the body, as JSON text */
  replacePreferences(
    reader: Reader,
    categories: string,
  ): Promise<{ readonly refused: string } | { readonly refused: null; readonly preferences: JsonText }>;
  quietHours(reader: Reader): Promise<JsonText>;
  /** Returns null for a time zone that the database does not know. */
  setQuietHours(reader: Reader, hours: QuietHours): Promise<JsonText | null>;
  removeQuietHours(reader: Reader, channel: QuietHours['channel']): Promise<void>;
  topics(reader: Reader): Promise<JsonText>;
  /** Returns false if the reader follows as many topics as one may. */
  subscribe(reader: Reader, topic: string): Promise<boolean>;
  unsubscribe(reader: Reader, topic: string): Promise<void>;
  produce(draft: NotificationDraft): Promise<Produced>;
  /** Adds a draft for users to their digests. Returns null if that would open more digests than may be. */
  collect(draft: NotificationDraft, digest: DigestWindow): Promise<Collected | null>;
  /** Removes what a producer sent from all readers. Returns the number of notifications; 0 for an unknown message. */
  recall(message: MessageName): Promise<number>;
  /** Returns the number of notifications that have changed; 0 for an unknown message. */
  update(message: MessageName, change: MessageChange): Promise<number>;
  /** Returns a page of readers as JSON text; null for an unknown message. */
  receipts(
    message: MessageName,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<string | null>;
  /** The days that notifications of a tenant are kept; null for those of the service. */
  retention(tenantId: TenantId): Promise<number | null>;
  setRetention(tenantId: TenantId, days: number | null): Promise<void>;
}

/** The part of the pool that the stores use. */
export type Runner = Pick<Pool, 'run'>;

const PRODUCE = prepare(PRODUCE_TEXT);

const PROGRAM_LIMIT_EXCEEDED = '54000';
const MARK_ATTEMPTS = 3;
/** foreign_key_violation and deadlock_detected. */
const GONE: ReadonlySet<string> = new Set(['23503', '40P01']);

/** An update of PostgreSQL may add time zones. */
const ZONES_KEPT_MS = 3_600_000;

interface KnownZones {
  readonly names: Promise<ReadonlySet<string>>;
  /** By `performance.now()`. */
  readonly until: number;
}

export function createNotificationStore(pool: Runner): NotificationStore {
  const read = (
    reader: Reader,
    statement: Statement,
    parameters: readonly Parameter[],
    signal?: AbortSignal,
  ) => runRead(pool, [asReader(reader), { statement, parameters, returnsRows: true }], signal);
  const write = (who: BatchQuery, statement: Statement, parameters: readonly Parameter[]) =>
    runWrite(pool, [who, { statement, parameters, returnsRows: true }]);
  let zones: KnownZones | null = null;
  /** The names are kept: PostgreSQL looks at a file for each of them, which takes 20 to 50 ms in all. */
  function timeZones(reader: Reader): Promise<ReadonlySet<string>> {
    if (zones !== null && performance.now() < zones.until) return zones.names;
    const names = read(reader, TIME_ZONES, []).then((rows) => new Set(bodyText(first(rows)).split('\n')));
    const known = { names, until: performance.now() + ZONES_KEPT_MS };
    zones = known;
    names.catch(() => {
      if (zones === known) zones = null;
    });
    return names;
  }
  /** @param rest the parameters behind those of the reader; the first is the channel */
  function changeQuietHours(reader: Reader, statement: Statement, rest: readonly string[]) {
    const parameters = identity(reader);
    const release: readonly BatchQuery[] =
      rest[0] === 'webhook' ? [asSystem, { statement: RELEASE_LANES, parameters, returnsRows: false }] : [];
    const change = { statement, parameters: [...parameters, ...rest], returnsRows: true };
    return runWrite(pool, [...release, asMarker(reader), change]);
  }
  /** A notification may be recalled while it is marked: the second attempt does not find it. */
  async function mark(reader: Reader, statement: Statement, parameters: readonly Parameter[]) {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await write(asMarker(reader), statement, parameters);
      } catch (error) {
        if (attempt === MARK_ATTEMPTS || !(error instanceof PostgresError && GONE.has(error.fields.code)))
          throw error;
      }
  }

  return {
    async list(reader, query, signal) {
      const { statement, parameters } = listStatement(reader, query);
      return tagged(await read(reader, statement, parameters, signal));
    },
    async unreadCount(reader, signal) {
      return tagged(await read(reader, UNREAD_STATEMENT, identity(reader), signal));
    },
    async one(reader, notificationId, signal) {
      const [row] = await read(reader, ONE_STATEMENT, [...identity(reader), notificationId], signal);
      return row === undefined ? null : jsonText(row);
    },
    async markSome(reader, change, notificationIds) {
      const parameters = [...identity(reader), `{${notificationIds.join(',')}}`];
      if (change.mark === 'snoozed') parameters.push(change.until);
      const [row] = await mark(reader, MARK_SOME[change.mark], parameters);
      return new Set(bodyText(row).match(/[\da-f-]{36}/g));
    },
    async markAll(reader, name, { before }) {
      await mark(reader, MARK_ALL[name], [...identity(reader), before]);
    },
    async preferences(reader) {
      return jsonText(first(await read(reader, GET_PREFERENCES, identity(reader))));
    },
    async replacePreferences(reader, categories) {
      const parameters = [...identity(reader), categories];
      const row = first(await write(asMarker(reader), REPLACE_PREFERENCES, parameters));
      const [refused = null] = row.columns;
      return refused === null ? { refused, preferences: jsonText(row) } : { refused };
    },
    async produce(draft) {
      const row = first(await write(asProducer, PRODUCE, produceParameters(draft)));
      const [created = null, duplicates = null, suppressed = null] = row.columns;
      return {
        created: Number(created),
        duplicates: Number(duplicates),
        suppressed: Number(suppressed),
        messageId: row.body === null ? null : bodyText(row),
      };
    },
    async quietHours(reader) {
      return jsonText(first(await read(reader, LIST_QUIET_HOURS, identity(reader))));
    },
    async setQuietHours(reader, { channel, timeZone, starts, ends }) {
      if (!(await timeZones(reader)).has(timeZone)) return null;
      return jsonText(
        first(await changeQuietHours(reader, SET_QUIET_HOURS, [channel, timeZone, starts, ends])),
      );
    },
    async removeQuietHours(reader, channel) {
      await changeQuietHours(reader, REMOVE_QUIET_HOURS, [channel]);
    },
    async collect(draft, digest) {
      try {
        const row = first(await write(asProducer, COLLECT, collectParameters(draft, digest)));
        const [collected = null, duplicates = null] = row.columns;
        return {
          collected: Number(collected),
          duplicates: Number(duplicates),
          suppressed: Number(bodyText(row)),
        };
      } catch (error) {
        if (error instanceof PostgresError && error.fields.code === PROGRAM_LIMIT_EXCEEDED) return null;
        throw error;
      }
    },
    async topics(reader) {
      return jsonText(first(await read(reader, TOPICS, identity(reader))));
    },
    async subscribe(reader, topic) {
      return (
        bodyText(first(await write(asMarker(reader), SUBSCRIBE, [...identity(reader), topic]))) === 'true'
      );
    },
    async unsubscribe(reader, topic) {
      await write(asMarker(reader), UNSUBSCRIBE, [...identity(reader), topic]);
    },
    async recall({ tenantId, messageId }) {
      return Number(bodyText(first(await write(asProducer, RECALL, [tenantId, messageId]))));
    },
    async update({ tenantId, messageId }, change) {
      const parameters = [tenantId, messageId, ...updateParameters(change)];
      return Number(bodyText(first(await write(asProducer, UPDATE_MESSAGE, parameters))));
    },
    async receipts({ tenantId, messageId }, { after, limit }) {
      const parameters = [tenantId, messageId, after, String(limit)];
      const row = first(await write(asProducer, RECEIPTS, parameters));
      return row.body === null ? null : bodyText(row);
    },
    async retention(tenantId) {
      const row = first(await write(asProducer, RETENTION, [tenantId]));
      return row.body === null ? null : Number(bodyText(row));
    },
    async setRetention(tenantId, days) {
      await write(asProducer, SET_RETENTION, [tenantId, days === null ? null : String(days)]);
    },
  };
}

/** `$1` and `$2` of every statement that acts for a reader. */
export const identity = ({ tenantId, userId }: Reader): readonly string[] => [tenantId, userId];

/** Returns the rows of the one query that returns rows. A read whose connection broke is repeated once, because it changed nothing. */
export async function runRead(
  pool: Runner,
  queries: readonly BatchQuery[],
  signal: AbortSignal | null = null,
): Promise<readonly Row[]> {
  const batch = { queries, access: 'read', use: 'shared' } as const;
  const caller = { client: '', signal };
  try {
    return rowsOf(await pool.run(batch, caller));
  } catch (error) {
    if (error instanceof ConnectionLost) return rowsOf(await pool.run(batch, caller));
    throw error;
  }
}

export async function runWrite(pool: Runner, queries: readonly BatchQuery[]): Promise<readonly Row[]> {
  return rowsOf(await pool.run({ queries, access: 'write', use: 'brief' }));
}

const rowsOf = ([result]: Awaited<ReturnType<Pool['run']>>): readonly Row[] => result?.rows ?? [];

/** The row of a statement that always returns one. */
export function first([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a statement that always returns one row returned none');
  return row;
}

const jsonText = (row: Row): JsonText => ({ jsonText: row.body ?? [] });

function tagged(rows: readonly Row[]): TaggedJson {
  const row = first(rows);
  return { etag: row.columns[0] ?? '', jsonText: row.body ?? [] };
}

/** The last column as text; empty for null. */
export const bodyText = (row: Row | undefined): string => Buffer.concat(row?.body ?? []).toString('utf8');
