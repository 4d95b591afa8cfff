import { sql } from '../../postgres/sql.js';

/** Sessions that one transaction deletes at most, so that every transaction is short. */
export const RETENTION_BATCH = 500;

/**
 * Deletes one batch of the sessions that ended more than `$1` days ago. One row: the number of deleted sessions.
 * The advisory lock lets one process delete at a time; its number is arbitrary.
 */
export const DELETE_ENDED = sql`
with turn as materialized (
  select pg_catalog.pg_try_advisory_xact_lock(5347118) as ours
), removed as (
  delete from dbr_signing.signing_sessions as session
  where (select turn.ours from turn) and session.session_id in (
    select old.session_id
    from dbr_signing.signing_sessions as old
    where old.ended_at < pg_catalog.now() - pg_catalog.make_interval(days => $1::integer)
    order by old.ended_at
    limit ${RETENTION_BATCH}
  )
  returning session.session_id
)
select pg_catalog.count(*) as count from removed`;
