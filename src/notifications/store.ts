/** Notifications in PostgreSQL. Each call is one batch of two statements, the identity and the query: one round trip, one transaction. */
import type { Gone } from '../base/gone.js';
import type { JsonText } from '../../generated/operations.js';
import type { TenantId } from '../base/identifiers.js';
import {
  command,
  type Parameter,
  type Row,
  type BatchQuery,
  bodyText,
  prepare,
  type Statement,
} from '../postgres/batch.js';
import { isConflict, READ_COMMITTED, repeatTransaction } from '../postgres/own-transactions.js';
import type { Pool } from '../postgres/pool.js';
import { ConnectionLost, PostgresError } from '../postgres/postgres-error.js';
import {
  GET_PREFERENCES,
  LIST_QUIET_HOURS,
  RELEASE_LANES,
  REMOVE_QUIET_HOURS,
  REPLACE_PREFERENCES,
  SET_QUIET_HOURS,
  SUBSCRIBE,
  TIME_ZONES,
  TOPICS,
  UNSUBSCRIBE,
} from './choices-sql.js';
import { listStatement, ONE_STATEMENT, unreadStatement } from './list-sql.js';
import { MARK_ALL, MARK_SOME } from './mark-sql.js';
import {
  CANCEL_SCHEDULED,
  COLLECT,
  collectParameters,
  PRODUCE_TEXT,
  produceParameters,
  RECALL,
  RECEIPTS,
  RETENTION,
  SCHEDULE,
  scheduleParameters,
  SET_RETENTION,
  UPDATE_MESSAGE,
  updateParameters,
} from './produce-sql.js';
import { asMarker, asProducer, asReader, asSystem } from './role-sql.js';
import type {
  Collected,
  DigestWindow,
  Early,
  Filters,
  ListQuery,
  MarkChange,
  MarkOfAll,
  MessageChange,
  MessageName,
  NotificationDraft,
  Produced,
  QuietHours,
  Reader,
  Schedule,
} from './types.js';

/** JSON text with its entity tag. */
export interface TaggedJson extends JsonText {
  readonly etag: string;
}

/** Every function may throw PostgresError, PoolTimeout, ConnectFailed, ConnectionLost and, with a signal, BatchAborted. */
export type NotificationStore = ReturnType<typeof createNotificationStore>;

/** The part of the pool that the stores use. */
export type Runner = Pick<Pool, 'run'>;

const PRODUCE = prepare(PRODUCE_TEXT);

const PROGRAM_LIMIT_EXCEEDED = '54000';
const INVALID_PARAMETER_VALUE = '22023';
/** foreign_key_violation and unique_violation. */
const OVERTAKEN: ReadonlySet<string> = new Set(['23503', '23505']);

/** An update of PostgreSQL may add time zones. */
const ZONES_KEPT_MS = 3_600_000;

interface KnownZones {
  readonly names: Promise<ReadonlySet<string>>;
  /** By `performance.now()`. */
  readonly until: number;
}

export function createNotificationStore(pool: Runner) {
  const read = (reader: Reader, statement: Statement, parameters: readonly Parameter[], signal?: Gone) =>
    runRead(pool, asReader(reader), statement, parameters, signal);
  const write = (who: BatchQuery, statement: Statement, parameters: readonly Parameter[]) =>
    runWrite(pool, [who], statement, parameters);
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
    const marker = asMarker(reader);
    // The release waits for other changes of the user: until they end, claims defer lanes by the earlier hours.
    const release = rest[0] === 'webhook' ? [asSystem, command(RELEASE_LANES, parameters), marker] : [];
    return runWrite(pool, [marker, ...release], statement, [...parameters, ...rest]);
  }

  return {
    async list(reader: Reader, query: ListQuery, signal: Gone): Promise<TaggedJson> {
      const { statement, parameters } = listStatement(reader, query);
      return tagged(await read(reader, statement, parameters, signal));
    },
    async unreadCount(reader: Reader, filters: Filters, signal: Gone): Promise<TaggedJson> {
      const { statement, parameters } = unreadStatement(reader, filters);
      return tagged(await read(reader, statement, parameters, signal));
    },
    /** Returns null if the reader has no such notification. */
    async one(reader: Reader, notificationId: string, signal: Gone): Promise<JsonText | null> {
      const [row] = await read(reader, ONE_STATEMENT, [...identity(reader), notificationId], signal);
      return row === undefined ? null : jsonText(row);
    },
    /** Returns the identifiers, of those given, of the notifications that the reader has; null for a time that is past or too far ahead. */
    async markSome(
      reader: Reader,
      change: MarkChange,
      notificationIds: readonly string[],
    ): Promise<ReadonlySet<string> | null> {
      const parameters = [...identity(reader), `{${notificationIds.join(',')}}`];
      if (change.mark === 'snoozed') parameters.push(change.until);
      const [row] = await write(asMarker(reader), MARK_SOME[change.mark], parameters);
      if (row?.body === null) return null;
      return new Set(bodyText(row).match(/[\da-f-]{36}/g));
    },
    async markAll(reader: Reader, name: MarkOfAll, { before }: Early): Promise<void> {
      await write(asMarker(reader), MARK_ALL[name], [...identity(reader), before]);
    },
    async preferences(reader: Reader): Promise<JsonText> {
      return jsonText(first(await read(reader, GET_PREFERENCES, identity(reader))));
    },
    /**
     * @param categories member `categories` of the body, as JSON text
     * @returns the category that cannot be switched off, or the preferences
     */
    async replacePreferences(
      reader: Reader,
      categories: string,
    ): Promise<{ readonly refused: string } | { readonly refused: null; readonly preferences: JsonText }> {
      const parameters = [...identity(reader), categories];
      const row = first(await write(asMarker(reader), REPLACE_PREFERENCES, parameters));
      const [refused = null] = row.columns;
      return refused === null ? { refused, preferences: jsonText(row) } : { refused };
    },
    async produce(draft: NotificationDraft): Promise<Produced> {
      const row = first(await write(asProducer, PRODUCE, produceParameters(draft)));
      const [created = null, duplicates = null, suppressed = null] = row.columns;
      return {
        created: Number(created),
        duplicates: Number(duplicates),
        suppressed: Number(suppressed),
        messageId: row.body === null ? null : bodyText(row),
      };
    },
    async quietHours(reader: Reader): Promise<JsonText> {
      return jsonText(first(await read(reader, LIST_QUIET_HOURS, identity(reader))));
    },
    /** Returns null for a time zone that the database does not know. */
    async setQuietHours(
      reader: Reader,
      { channel, timeZone, starts, ends }: QuietHours,
    ): Promise<JsonText | null> {
      if (!(await timeZones(reader)).has(timeZone)) return null;
      return jsonText(
        first(await changeQuietHours(reader, SET_QUIET_HOURS, [channel, timeZone, starts, ends])),
      );
    },
    async removeQuietHours(reader: Reader, channel: QuietHours['channel']): Promise<void> {
      await changeQuietHours(reader, REMOVE_QUIET_HOURS, [channel]);
    },
    /** Adds a draft for users to their digests. Returns null if that would open more digests than may be. */
    async collect(draft: NotificationDraft, digest: DigestWindow): Promise<Collected | null> {
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
    /** Keeps a draft until its time. Returns the number of readers, or what refuses it: too many, or a time that is past or too far ahead. */
    async schedule(draft: NotificationDraft, schedule: Schedule): Promise<number | 'full' | 'time'> {
      try {
        return Number(
          bodyText(first(await write(asProducer, SCHEDULE, scheduleParameters(draft, schedule)))),
        );
      } catch (error) {
        const code = error instanceof PostgresError ? error.fields.code : null;
        if (code === PROGRAM_LIMIT_EXCEEDED) return 'full';
        if (code === INVALID_PARAMETER_VALUE) return 'time';
        throw error;
      }
    },
    /** Returns the number of readers who would have got something; 0 for an unknown key. */
    async cancelScheduled(tenantId: TenantId, cancelKey: string): Promise<number> {
      return Number(bodyText(first(await write(asProducer, CANCEL_SCHEDULED, [tenantId, cancelKey]))));
    },
    async topics(reader: Reader): Promise<JsonText> {
      return jsonText(first(await read(reader, TOPICS, identity(reader))));
    },
    /** Returns false if the reader follows as many topics as one may. */
    async subscribe(reader: Reader, topic: string): Promise<boolean> {
      const rows = await write(asMarker(reader), SUBSCRIBE, [...identity(reader), topic]);
      return bodyText(first(rows)) === 'true';
    },
    async unsubscribe(reader: Reader, topic: string): Promise<void> {
      await write(asMarker(reader), UNSUBSCRIBE, [...identity(reader), topic]);
    },
    /** Removes what a producer sent from all readers. Returns the number of notifications; 0 for an unknown message. */
    async recall({ tenantId, messageId }: MessageName): Promise<number> {
      return Number(bodyText(first(await write(asProducer, RECALL, [tenantId, messageId]))));
    },
    /** Returns the number of notifications that have changed; 0 for an unknown message. */
    async update({ tenantId, messageId }: MessageName, change: MessageChange): Promise<number> {
      const parameters = [tenantId, messageId, ...updateParameters(change)];
      return Number(bodyText(first(await write(asProducer, UPDATE_MESSAGE, parameters))));
    },
    /** Returns a page of readers as JSON text; null for an unknown message. */
    async receipts(
      { tenantId, messageId }: MessageName,
      { after, limit }: { readonly after: string | null; readonly limit: number },
    ): Promise<string | null> {
      const row = first(await write(asProducer, RECEIPTS, [tenantId, messageId, after, String(limit)]));
      return row.body === null ? null : bodyText(row);
    },
    /** The days that notifications of a tenant are kept; null for those of the service. */
    async retention(tenantId: TenantId): Promise<number | null> {
      const row = first(await write(asProducer, RETENTION, [tenantId]));
      return row.body === null ? null : Number(bodyText(row));
    },
    async setRetention(tenantId: TenantId, days: number | null): Promise<void> {
      await write(asProducer, SET_RETENTION, [tenantId, days === null ? null : String(days)]);
    },
  };
}

/** `$1` and `$2` of every statement that acts for a reader. */
export const identity = ({ tenantId, userId }: Reader): readonly string[] => [tenantId, userId];

/** Returns the rows of the statement. A read whose connection broke is repeated once, because it changed nothing. */
export async function runRead(
  pool: Runner,
  who: BatchQuery,
  statement: Statement,
  parameters: readonly Parameter[] = [],
  signal: Gone | null = null,
): Promise<readonly Row[]> {
  const queries = [READ_COMMITTED, who, { statement, parameters, returnsRows: true }];
  const batch = { queries, access: 'read', use: 'shared' } as const;
  const caller = { client: '', signal };
  try {
    return rowsOf(await pool.run(batch, caller));
  } catch (error) {
    if (error instanceof ConnectionLost) return rowsOf(await pool.run(batch, caller));
    throw error;
  }
}

/**
 * Returns the rows of the statement. The transaction runs again after a conflict, and where PostgreSQL refuses a mark of a
 * notification that is removed meanwhile, or settings that another has written meanwhile.
 * @param before what the transaction begins with, which returns no rows
 */
export async function runWrite(
  pool: Runner,
  before: readonly BatchQuery[],
  statement: Statement,
  parameters: readonly Parameter[] = [],
): Promise<readonly Row[]> {
  const queries = [READ_COMMITTED, ...before, { statement, parameters, returnsRows: true }];
  return await repeatTransaction(
    async () => rowsOf(await pool.run({ queries, access: 'write', use: 'brief' })),
    (error) =>
      error instanceof PostgresError && (isConflict(error.fields) || OVERTAKEN.has(error.fields.code)),
  );
}

/**
 * Runs a statement that changes a batch of rows and returns their number, until it changes fewer.
 * @param signal stops after the present batch when it is aborted
 * @returns the number of all rows
 */
export async function runBatches(
  pool: Runner,
  statement: Statement,
  parameters: readonly Parameter[],
  { batch, signal }: { readonly batch: number; readonly signal: Gone },
): Promise<number> {
  let total = 0;
  for (let changed = batch; changed >= batch && !signal.aborted; total += changed)
    changed = Number(bodyText(first(await runWrite(pool, [asSystem], statement, parameters))));
  return total;
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
