/** The statements on the places in which the processes of a database keep the mailboxes. */
import { sql } from '../postgres/sql.js';

/** A process has ended if it has not recorded its place for this time, in seconds. */
const GONE_SECONDS = 30;

/** `$1` process, `$2` place. Records the place, and deletes the rows of processes that have ended. */
export const NOTE_PLACE = sql`
with gone as (
  delete from dbr_signing.router_processes
  where seen_at < pg_catalog.clock_timestamp() - pg_catalog.make_interval(secs => ${GONE_SECONDS})
    and process_id <> $1::uuid
)
insert into dbr_signing.router_processes (process_id, mailboxes)
values ($1::uuid, $2)
on conflict (process_id) do update set mailboxes = excluded.mailboxes, seen_at = excluded.seen_at`;

/** `$1` place. Another place that a process has recorded. */
export const OTHER_PLACE = sql`
select mailboxes
from dbr_signing.router_processes
where mailboxes <> $1
  and seen_at >= pg_catalog.clock_timestamp() - pg_catalog.make_interval(secs => ${GONE_SECONDS})
limit 1`;

/** `$1` process. */
export const FORGET_PLACE = sql`
delete from dbr_signing.router_processes
where process_id = $1::uuid`;
