/** The rows of the benchmark of notifications: set-based, with the indexes and checks put back afterwards. */
import type { Database } from '../src/postgres/database.js';

export interface Size {
  /** Notifications for one user, spread over all users. */
  readonly rows: number;
  readonly tenants: number;
  readonly usersPerTenant: number;
  /** Notifications for all users of a tenant, for each tenant; one in five is read by every user. */
  readonly broadcastsPerTenant: number;
}

/** Users of the first tenant with so many notifications beside, all unread. */
export const INBOXES = [10, 1000, 10_000, 100_000] as const;
/** Tenants with so many notifications for all of their users. */
export const BROADCASTS = [1, 20, 1000, 100_000] as const;

export const inboxUser = (size: number): string => `with-${String(size)}`;
export const broadcastTenant = (count: number): string => `broadcasts-${String(count)}`;

const PIECES = 100;
const COLUMNS =
  '(notification_id, tenant_id, user_id, type, category, severity, title, body, data, created_at, read_at, archived_at)';
const TABLE = 'dbr_notifications.user_notifications';

/**
 * The rows from `from` to `to`, as if they had come in turn: those of a user are far apart in the table. Two in three are
 * read, one in twenty is archived.
 */
const pieceText = ({ rows, tenants, usersPerTenant }: Size, from: number, to: number): string => `
  insert into ${TABLE} ${COLUMNS}
  select uuidv7(), 't' || i % ${String(tenants)}, 'u' || i / ${String(tenants)} % ${String(usersPerTenant)},
    'report.ready', case i % 3 when 0 then 'general' when 1 then 'reports' else 'signing' end, 'info', 'Report ' || i,
    'Your report is ready and waits for you.', '{"reportId":"r-1"}', moment,
    case when (i * 7919) % 3 > 0 then moment end, case when (i * 104729) % 20 = 0 then moment end
  from generate_series(${String(from)}::bigint, ${String(to)}) as i,
    lateral (select date_trunc('milliseconds', now() - (${String(rows)} - i) * interval '0.5 seconds') as moment) as at`;

/** The part of the large inboxes that comes with one piece, so that their rows are far apart too. */
const inboxText = (size: number, piece: number): string => `
  insert into ${TABLE} ${COLUMNS}
  select uuidv7(), 't0', '${inboxUser(size)}', 'report.ready', 'general', 'info', 'Report ' || i, null, '{}',
    dbr_notifications.clock(), null, null
  from generate_series(1, ${String(size)}) as i
  where i % ${String(PIECES)} = ${String(piece)}`;

const broadcastText = (tenant: string, tenants: number, count: number): string => `
  insert into dbr_notifications.tenant_notifications (tenant_id, type, category, severity, title, data)
  select ${tenant}, 'maintenance.planned', 'general', 'info', 'Maintenance', '{}'
  from generate_series(1, ${String(tenants * count)}) as i`;

const receiptText = ({ usersPerTenant, broadcastsPerTenant }: Size): string => `
  insert into dbr_notifications.tenant_receipts (tenant_id, user_id, notification_id, seen_at, read_at)
  select n.tenant_id, 'u' || u, n.notification_id, now(), now()
  from (
    select tenant_id, notification_id, row_number() over (partition by tenant_id order by seq) as position
    from dbr_notifications.tenant_notifications
    where tenant_id ~ '^t\\d'
  ) as n, generate_series(0, ${String(usersPerTenant - 1)}) as u
  where n.position <= ${String(Math.floor(broadcastsPerTenant / 5))}
  order by n.tenant_id, u`;

interface Definition {
  readonly drop: string;
  readonly restore: string;
}

/** Indexes and checks that are made again when all rows are there, which is several times faster. */
async function definitions(database: Database): Promise<readonly Definition[]> {
  return database.any<Definition>(`
    select format('alter table ${TABLE} drop constraint %I', conname) as drop,
      format('alter table ${TABLE} add constraint %I %s', conname,
        replace(pg_get_constraintdef(oid), ' NOT VALID', '') || case contype when 'c' then ' not valid' else '' end) as restore
    from pg_constraint
    where conrelid = '${TABLE}'::regclass and contype in ('c', 'p')
    union all
    select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
    from pg_index
    where indrelid = '${TABLE}'::regclass and not indisprimary`);
}

/** Fills the tables of a migrated database that has no notifications. @param say is given each step that is done */
export async function fill(database: Database, size: Size, say: (step: string) => void): Promise<void> {
  const kept = await definitions(database);
  for (const { drop } of kept) await database.none(drop);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < PIECES) {
      const piece = next++;
      const [from, to] = [piece, piece + 1].map((at) => Math.floor((size.rows * at) / PIECES));
      await database.none(pieceText(size, (from ?? 0) + 1, to ?? 0));
      for (const inbox of INBOXES) await database.none(inboxText(inbox, piece));
      if (piece % 10 === 9) say(`piece ${String(piece + 1)} of ${String(PIECES)}`);
    }
  };
  await Promise.all([work(), work()]);
  const { tenants, usersPerTenant, broadcastsPerTenant } = size;
  await database.none(broadcastText(`'t' || i % ${String(tenants)}`, tenants, broadcastsPerTenant));
  for (const count of BROADCASTS) await database.none(broadcastText(`'${broadcastTenant(count)}'`, 1, count));
  await database.none(receiptText(size));
  // The users have made requests before.
  await database.none(`
    insert into dbr_notifications.readers (tenant_id, user_id, since)
    select 't' || t, 'u' || u, now() - interval '1 year'
    from generate_series(0, ${String(tenants - 1)}) as t, generate_series(0, ${String(usersPerTenant - 1)}) as u`);
  say('shared notifications, receipts and readers');
  for (const { restore } of kept) {
    await database.tx(async (task) => {
      await task.none(`set local maintenance_work_mem = '1GB'`);
      await task.none(restore);
    });
    say(restore.slice(0, 90));
  }
  for (const table of ['user_notifications', 'tenant_notifications', 'tenant_receipts', 'readers'])
    await database.none(`vacuum (analyze) dbr_notifications.${table}`);
  say('vacuum');
}
