/** Checks of transactions that stay open on the server, in any of its databases. */
import type { Session } from '../../../../src/face.js';
import { ok, warning, type Check } from './check.js';

/** Age from which a transaction is reported, in seconds; and in later transactions, where the age is not visible. */
const LONG_SECONDS = 300;
const LONG_TRANSACTIONS = 100_000;

/** The start of other roles' transactions is visible to members of pg_read_all_stats, their identifiers to every role. */
const LONG = `
select held.holder, held.seconds, held.remedy
from (
  select
    pg_catalog.format('process %s of role %s in database %s', a.pid, a.usename, a.datname) as holder,
    extract(epoch from pg_catalog.now() - a.xact_start)::integer as seconds,
    pg_catalog.format('end it: select pg_terminate_backend(%s)', a.pid) as remedy
  from pg_catalog.pg_stat_activity a
  where a.pid <> pg_catalog.pg_backend_pid() and a.backend_type = 'client backend'
    and (
      (a.xact_start < pg_catalog.now() - pg_catalog.make_interval(secs => $1)
        and (a.backend_xid is not null or a.backend_xmin is not null))
      or (a.xact_start is null and pg_catalog.age(a.backend_xid) > ${String(LONG_TRANSACTIONS)})
    )
  union all
  select
    pg_catalog.format('prepared transaction %L of role %s in database %s', p.gid, p.owner, p.database),
    extract(epoch from pg_catalog.now() - p.prepared)::integer,
    pg_catalog.format('end it in its database: rollback prepared %L, or commit prepared', p.gid)
  from pg_catalog.pg_prepared_xacts p
  where p.prepared < pg_catalog.now() - pg_catalog.make_interval(secs => $1)
) as held
order by held.seconds desc nulls last
limit 10`;

/**
 * Reports transactions that hold the horizon of the server: VACUUM removes nothing that is newer, and the positions of streams
 * name them.
 * @param longSeconds age from which a transaction is reported, in seconds
 */
export async function checkTransactions(
  session: Session,
  setting: string,
  longSeconds = LONG_SECONDS,
): Promise<readonly Check[]> {
  const rows = await session.query(LONG, [longSeconds]);
  if (rows.length === 0) return [ok(setting, 'no transaction is known to be open for long')];
  return rows.map(({ holder, seconds, remedy }) => {
    const age =
      seconds === null
        ? `more than ${String(LONG_TRANSACTIONS)} transactions`
        : `${String(Number(seconds))} s`;
    return warning(setting, `${String(holder)} has been open for ${age}`, String(remedy));
  });
}
