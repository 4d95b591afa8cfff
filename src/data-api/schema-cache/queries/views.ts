/** The rewrite rules of views, which contain the origins of their columns. */

export interface ViewRow {
  readonly oid: number;
  /** The rule's action as a `pg_node_tree`. */
  readonly tree: string;
}

/** Number of views in a batch. Trees are long (often tens of kilobytes), and only one batch is in memory. */
export const VIEW_BATCH = 200;

/**
 * $1: schemas of the views. $2: the last oid of the previous batch. $3: size of a batch. The rule for `select` of a
 * view has the event type 1.
 */
export const VIEWS = `
select
  pg_catalog.json_build_object(
    'oid', c.oid::int8,
    'tree', r.ev_action
  )::text as entry
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_rewrite r on r.ev_class = c.oid and r.ev_type = '1'
where n.nspname = any ($1)
  and c.relkind in ('v', 'm')
  and c.oid > $2
order by c.oid
limit $3
`;
