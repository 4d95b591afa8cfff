/** The first request of a user: notifications for the whole tenant that are older by then do not begin unread. */
import { lruCache } from '../base/lru-cache.js';
import { PostgresError } from '../postgres/postgres-error.js';
import { sql } from '../postgres/sql.js';
import { prepare } from '../postgres/batch.js';
import { TENANT, USER } from './record-sql.js';
import { asMarker, asReader } from './role-sql.js';
import { identity, runRead, runWrite, type Runner } from './store.js';
import type { Reader } from './types.js';

/** One row for a reader who is known; or none. */
const IS_KNOWN = prepare(sql`
select 'true' from dbr_notifications.readers k where k.tenant_id = ${TENANT} and k.user_id = ${USER}`);

/** `$3`: the age in days from which notifications for the tenant are read. */
const APPEAR = prepare(sql`
with appeared as (
  insert into dbr_notifications.readers (tenant_id, user_id) values (${TENANT}, ${USER})
  on conflict do nothing
  returning since
)
insert into dbr_notifications.tenant_receipts (tenant_id, user_id, notification_id, seen_at, read_at)
select ${TENANT}, ${USER}, n.notification_id, appeared.since, appeared.since
from appeared
join dbr_notifications.tenant_notifications n
  on n.tenant_id = ${TENANT} and n.topic is null and n.created_at < appeared.since - pg_catalog.make_interval(days => $3::integer)
on conflict do nothing`);

/** Readers that this process has seen. The others are looked up. */
const MAX_KNOWN = 100_000;
const MAX_KNOWN_BYTES = 16_777_216;

/** Records a reader before the first request of theirs is answered. */
export type Appear = (reader: Reader) => Promise<void>;

/** @param unreadDays age in days below which notifications for the tenant are unread for a new user */
export function createFirstRequests(pool: Runner, unreadDays: number): Appear {
  const known = lruCache<true>({ maxEntries: MAX_KNOWN, maxBytes: MAX_KNOWN_BYTES, bytesOf: () => 1 });
  return async (reader) => {
    const key = JSON.stringify(identity(reader));
    if (known.get(key) !== undefined) return;
    const rows = await runRead(pool, asReader(reader), IS_KNOWN, identity(reader));
    if (rows.length === 0 && !(await appear(pool, reader, unreadDays))) return;
    known.set(key, true);
  };
}

/** Returns false if the database is read-only: reads are answered in any case. */
async function appear(pool: Runner, reader: Reader, unreadDays: number): Promise<boolean> {
  const parameters = [...identity(reader), String(unreadDays)];
  try {
    await runWrite(pool, [asMarker(reader)], APPEAR, parameters);
    return true;
  } catch (error) {
    if (error instanceof PostgresError && error.fields.code === READ_ONLY_TRANSACTION) return false;
    throw error;
  }
}

const READ_ONLY_TRANSACTION = '25006';
