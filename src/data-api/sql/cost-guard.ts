/** The guard of a statement: it fails if the planner estimates a higher cost than the ceiling. */
import { joinSql, quoteLiteral, type Sql, sql } from '../../postgres/sql.js';
import { refusalSql } from './refusal.js';

/**
 * An anonymous block, because EXPLAIN is no expression. It runs as the role of the request, after its settings are set.
 * The statement is prepared for the block alone; if EXPLAIN fails, the next block on the connection removes it.
 * @param text with `$1` … for its parameters @param parameters their number
 */
export function costGuardSql(text: Sql, parameters: number, ceiling: number): Sql {
  const nulls = joinSql(
    Array.from({ length: parameters }, () => sql`null`),
    ', ',
  );
  const values = parameters === 0 ? sql`` : sql`(${nulls})`;
  const block = sql`declare
  mode pg_catalog.text := pg_catalog.current_setting('plan_cache_mode');
  plan pg_catalog.json;
  cost pg_catalog.numeric;
begin
  if exists (select from pg_catalog.pg_prepared_statements where name = 'dbr_cost') then
    deallocate dbr_cost;
  end if;
  execute ${quoteLiteral(sql`prepare dbr_cost as ${text}`)};
  perform pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true);
  execute ${quoteLiteral(sql`explain (format json) execute dbr_cost${values}`)} into plan;
  perform pg_catalog.set_config('plan_cache_mode', mode, true);
  deallocate dbr_cost;
  cost := pg_catalog.ceil((plan -> 0 -> 'Plan' ->> 'Total Cost')::pg_catalog.numeric);
  if cost > ${ceiling} then
    perform ${refusalSql('cost', sql`cost`)};
  end if;
end`;
  return sql`do ${quoteLiteral(block)}`;
}
