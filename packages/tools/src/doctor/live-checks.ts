/** Checks of what live reads need: the log of changes, slots, and a role that may read it and publish the tables. */
import type { Session, Settings } from '../../../../src/face.js';
import { fault, ok, warning, type Check } from './check.js';

const SUBJECT = 'db-live';

interface LogFacts {
  readonly level: string;
  readonly slots: number;
  readonly senders: number;
  readonly replicates: boolean;
  readonly published: boolean;
  readonly publishes: boolean;
  /** The database, quoted. */
  readonly database: string;
  /** The role, quoted. */
  readonly role: string;
}

/** Slots of services that run do not count: they are the ones that are asked for. */
const LOG = `
select pg_catalog.current_setting('wal_level') as level,
  pg_catalog.current_setting('max_replication_slots')::integer
    - (select pg_catalog.count(*) from pg_catalog.pg_replication_slots
         where slot_name not like 'dbr\\_live\\_%')::integer as slots,
  pg_catalog.current_setting('max_wal_senders')::integer
    - (select pg_catalog.count(*) from pg_catalog.pg_stat_replication
         where pid not in (select active_pid from pg_catalog.pg_replication_slots
           where slot_name like 'dbr\\_live\\_%' and active_pid is not null))::integer as senders,
  r.rolreplication or r.rolsuper as replicates,
  exists(select from pg_catalog.pg_publication where pubname = 'dbr_live') as published,
  coalesce(
    (select pg_catalog.pg_has_role(session_user, p.pubowner, 'usage')
       from pg_catalog.pg_publication as p where p.pubname = 'dbr_live'),
    pg_catalog.has_database_privilege(session_user, pg_catalog.current_database(), 'create')
  ) as publishes,
  pg_catalog.quote_ident(pg_catalog.current_database()) as database,
  pg_catalog.quote_ident(session_user) as role
from pg_catalog.pg_roles as r where r.rolname = session_user`;

/** Tables of exposed schemas whose owner the role is not, and tables by whose rows PostgreSQL names no key in its log. */
const TABLES = `
select pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname) as name,
  pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(c.relowner)) as owner,
  pg_catalog.pg_has_role(session_user, c.relowner, 'usage') as owned,
  case c.relreplident
    when 'n' then false
    when 'd' then exists(select from pg_catalog.pg_index as i where i.indrelid = c.oid and i.indisprimary)
    else true
  end as identified
from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where n.nspname = any ($1::text[]) and c.relkind in ('r', 'p') and c.relpersistence = 'p'
order by 1`;

/** Names that one message has. */
const SHOWN = 5;

/** @param session of the role that reads the log. @param processes each of which has a slot of its own */
export async function checkLive(
  session: Session,
  { 'db-schemas': schemas }: Pick<Settings, 'db-schemas'>,
  processes: number,
): Promise<readonly Check[]> {
  const [row = {}] = await session.query(LOG);
  const facts: LogFacts = {
    level: String(row['level']),
    slots: Number(row['slots']),
    senders: Number(row['senders']),
    replicates: row['replicates'] === true,
    published: row['published'] === true,
    publishes: row['publishes'] === true,
    database: String(row['database']),
    role: String(row['role']),
  };
  const checks = logChecks(facts, processes);
  const tables = await session.query(TABLES, [[...schemas]]);
  const foreign = tables.filter(({ owned }) => owned !== true);
  const keyless = tables.filter(({ identified }) => identified !== true);
  const owners = [...new Set(foreign.map(({ owner }) => String(owner)))];
  if (owners.length > 0)
    checks.push(
      fault(
        SUBJECT,
        `the role may not publish ${named(foreign)}`,
        owners.map((owner) => `grant ${owner} to ${facts.role}`).join('; '),
      ),
    );
  if (keyless.length > 0)
    checks.push(
      warning(
        SUBJECT,
        `no key is in the log of ${named(keyless)}: their live reads are asked at db-live-interval`,
        'alter table … add primary key (…)',
      ),
    );
  return checks.length > 0 ? checks : [ok(SUBJECT, 'PostgreSQL can send its changes')];
}

function logChecks(facts: LogFacts, processes: number): Check[] {
  const { level, slots, senders, replicates, published, publishes, database, role } = facts;
  const checks: Check[] = [];
  if (level !== 'logical')
    checks.push(
      fault(
        SUBJECT,
        `wal_level is ${level}`,
        'alter system set wal_level = logical, then restart PostgreSQL',
      ),
    );
  if (!replicates) checks.push(fault(SUBJECT, `${role} may not replicate`, `alter role ${role} replication`));
  if (!publishes)
    checks.push(
      published
        ? fault(
            SUBJECT,
            `${role} may not change the publication dbr_live`,
            `alter publication dbr_live owner to ${role}`,
          )
        : fault(
            SUBJECT,
            `${role} may not make the publication dbr_live`,
            `grant create on database ${database} to ${role}`,
          ),
    );
  for (const [setting, free] of [
    ['max_replication_slots', slots],
    ['max_wal_senders', senders],
  ] as const)
    if (free < processes)
      checks.push(
        warning(
          SUBJECT,
          `${String(free)} of ${setting} are free, and each of ${String(processes)} processes takes one from its first live read on`,
          `alter system set ${setting} = …, then restart PostgreSQL`,
        ),
      );
  return checks;
}

function named(tables: readonly Readonly<Record<string, unknown>>[]): string {
  const more = tables.length - SHOWN;
  const names = tables.slice(0, SHOWN).map(({ name }) => String(name));
  return names.join(', ') + (more > 0 ? ` and ${String(more)} more` : '');
}
