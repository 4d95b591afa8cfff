import { block, clauses, hung, listed, print, quoteLiteral, type Sql, sql } from '../../postgres/sql.js';
import { commas } from './sql-text.js';
import { OF_REQUESTS } from '../../postgres/own-settings.js';
import { refusalSql } from './refusal.js';

/**
 * The statement that sets the context of a transaction: settings that are local to it (data API §1.15). Its text
 * depends on the number of settings only.
 */
interface ContextShape {
  /**
   * Number of settings of the role, as pairs of name and value. They are set before the role, which may not be
   * allowed to set them.
   */
  readonly roleSettings: number;
  /** Number of settings after the fixed ones, as pairs. */
  readonly moreSettings: number;
  readonly readOnly: boolean;
}

/** Names with fixed places. The search path comes first, the others follow the settings of the role. */
const FIXED = [
  sql`role`,
  sql`request.jwt.claims`,
  sql`request.method`,
  sql`request.path`,
  sql`request.headers`,
  sql`request.cookies`,
];

/** Settings of the response are reset to empty, because an earlier request of the session may have left values. */
const EMPTY = [sql`response.headers`, sql`response.status`];

/** Most settings in one call, because PostgreSQL allows 100 arguments. */
const AT_ONCE = 50;

/**
 * `$1` is the search path; then the pairs of the role's settings, the values of the fixed names, the remaining pairs.
 * `num_nulls` makes the result a number, so that the settings are not returned.
 */
export function contextSql(shape: ContextShape): Sql {
  let last = 0;
  const next = (): Sql => sql`$${++last}`;
  const named = (name: Sql): Sql => sql`pg_catalog.set_config('${name}', ${next()}, true)`;
  const pair = (): Sql => sql`pg_catalog.set_config(${next()}, ${next()}, true)`;
  const calls = [
    named(sql`search_path`),
    ...Array.from({ length: shape.roleSettings }, pair),
    ...FIXED.map(named),
    ...EMPTY.map((name) => sql`pg_catalog.set_config('${name}', '', true)`),
    ...Array.from({ length: shape.moreSettings }, pair),
    ...OF_REQUESTS,
    ...(shape.readOnly ? [sql`pg_catalog.set_config('transaction_read_only', 'on', true)`] : []),
  ];
  const groups: Sql[] = [];
  for (let at = 0; at < calls.length; at += AT_ONCE) {
    const nulls = sql`pg_catalog.num_nulls${block(listed(sql``, calls.slice(at, at + AT_ONCE)))}`;
    groups.push(sql`${at === 0 ? 'select ' : '     + '}${hung(nulls)}`);
  }
  return print(clauses(...groups)).text;
}

/** Returns nulls as the values of a prepared statement with so many parameters. */
export const nullsSql = (parameters: number): Sql =>
  parameters === 0 ? sql`` : sql`(${commas(Array.from({ length: parameters }, () => sql`null`))})`;

/**
 * An anonymous block, because EXPLAIN is not an expression. It runs as the role of the request, after its settings are set.
 * The statement is prepared for the block alone; if EXPLAIN fails, the next block on the connection removes it.
 * @param text with `$1` … for its parameters @param parameters their number
 */
export function costGuardSql(text: Sql, parameters: number, ceiling: number): Sql {
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
  execute ${quoteLiteral(sql`explain (format json) execute dbr_cost${nullsSql(parameters)}`)} into plan;
  perform pg_catalog.set_config('plan_cache_mode', mode, true);
  deallocate dbr_cost;
  cost := pg_catalog.ceil((plan -> 0 -> 'Plan' ->> 'Total Cost')::pg_catalog.numeric);
  if cost > ${ceiling} then
    perform ${refusalSql('cost', sql`cost`)};
  end if;
end`;
  return sql`do ${quoteLiteral(block)}`;
}
