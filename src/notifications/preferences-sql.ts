/** The statements on preferences: the categories that a reader receives. */
import { prepare } from '../postgres/statement.js';
import { TENANT, USER } from './record-sql.js';
import { type Sql, sql } from '../postgres/sql.js';

const shown = (chosen: Sql): Sql => sql`pg_catalog.json_build_object('categories', coalesce((
    select pg_catalog.json_object_agg(chosen.category, pg_catalog.json_build_object('inApp', chosen.in_app) order by chosen.category)
    from ${chosen} as chosen
  ), '{}'))`;

/** The JSON of the reader's preferences. */
export const SHOWN_PREFERENCES = shown(sql`(
      select p.category, p.in_app
      from dbr_notifications.preferences p
      where p.tenant_id = ${TENANT} and p.user_id = ${USER}
    )`);

/** One row: the preferences. */
export const GET_PREFERENCES = prepare(sql`
select ${SHOWN_PREFERENCES}::text`);

/**
 * `$3`: the member `categories` of the body, which replaces all preferences. One row: the critical category that it would
 * switch off (then nothing changes), the preferences. Unchanged categories keep their order. Where notifications for the tenant
 * came while a category was off, the time is kept, so that they stay hidden when it is on again.
 */
export const REPLACE_PREFERENCES = prepare(sql`
with chosen as materialized (
  select choice.key as category, (choice.value ->> 'inApp')::boolean as in_app
  from pg_catalog.json_each($3::json) as choice
), refused as materialized (
  select chosen.category
  from chosen
  join dbr_notifications.categories c on c.category = chosen.category and c.critical
  where not chosen.in_app
  order by chosen.category
  limit 1
), ended as (
  insert into dbr_notifications.muted_spans (tenant_id, user_id, category, since_seq)
  select ${TENANT}, ${USER}, p.category, p.since_seq
  from dbr_notifications.preferences p
  left join chosen on chosen.category = p.category
  where p.tenant_id = ${TENANT} and p.user_id = ${USER} and not p.in_app
    and coalesce(chosen.in_app, true) and not exists (select from refused)
    and exists (
      select from dbr_notifications.tenant_notifications n
      where n.tenant_id = ${TENANT} and n.category = p.category and n.seq > p.since_seq
    )
  on conflict do nothing
), event as (
  insert into dbr_notifications.stream_events (tenant_id, user_id, kind)
  select ${TENANT}, ${USER}, 'preferences'
  where not exists (select from refused)
), removed as (
  delete from dbr_notifications.preferences p
  where p.tenant_id = ${TENANT} and p.user_id = ${USER}
    and p.category not in (select chosen.category from chosen) and not exists (select from refused)
), written as (
  insert into dbr_notifications.preferences as p (tenant_id, user_id, category, in_app)
  select ${TENANT}, ${USER}, chosen.category, chosen.in_app
  from chosen
  where not exists (select from refused)
  on conflict (tenant_id, user_id, category) do update
    set in_app = excluded.in_app, since_seq = excluded.since_seq
    where p.in_app <> excluded.in_app
)
select (select refused.category from refused), ${shown(sql`chosen`)}::text`);
