/** The rule about policies that call functions for each row. */
import { PRELUDE } from './prelude.js';
import type { FindingRow, Rule } from './rule.js';

/**
 * The functions without arguments that a policy calls, beside those of PostgreSQL. A volatile one has to run for each row.
 */
export const POLICY_CALLS_PER_ROW: Rule = {
  name: 'policy-calls-per-row',
  level: 'warning',
  meaning: 'A policy calls a function for each row whose result is the same for all of them.',
  sql: `${PRELUDE}
select c.object as table, pg_catalog.quote_ident(p.polname) as policy,
  pg_catalog.pg_get_expr(p.polqual, p.polrelid) as "using",
  pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid) as "check",
  coalesce((
    select pg_catalog.array_agg(distinct pg_catalog.format('%I.%I()', n.nspname, f.proname))
    from pg_catalog.pg_depend as d
    join pg_catalog.pg_proc as f on f.oid = d.refobjid
    join pg_catalog.pg_namespace as n on n.oid = f.pronamespace
    where d.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass and d.objid = p.oid
      and d.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass and f.pronargs = 0 and f.provolatile <> 'v'
  ), '{}') as functions
from pg_catalog.pg_policy as p
join relation as c on c.oid = p.polrelid
order by 1, 2`,
  finding: (row) => findingOf(row),
};

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function findingOf(row: Readonly<Record<string, unknown>>): FindingRow | null {
  const { table, policy, functions } = row;
  const names = Array.isArray(functions) ? functions.filter((name) => typeof name === 'string') : [];
  const using = wrapCalls(textOf(row['using']), names);
  const check = wrapCalls(textOf(row['check']), names);
  const calls = [...new Set([...using.calls, ...check.calls])];
  if (calls.length === 0) return null;
  const on = `${String(policy)} on ${String(table)}`;
  const clauses = [
    ...(using.text === null ? [] : [` using (${using.text})`]),
    ...(check.text === null ? [] : [` with check (${check.text})`]),
  ];
  return {
    object: on,
    message: `It calls ${calls.join(', ')} for each row. In a sub-select, PostgreSQL calls it once for a statement.`,
    cure: `alter policy ${on}${clauses.join('')}`,
  };
}

interface Wrapped {
  readonly text: string | null;
  /** The calls that were outside of a sub-select. */
  readonly calls: readonly string[];
}

/** Current_setting with a constant name, as pg_get_expr prints it. */
const CURRENT_SETTING = /^current_setting\('(?:[^']|'')*'::text(?:, (?:true|false))?\)/;

/**
 * Writes the calls that are not in a sub-select into one each.
 * @param expression text of pg_get_expr
 * @param functions calls without arguments, as pg_get_expr prints them
 */
export function wrapCalls(expression: string | null, functions: readonly string[]): Wrapped {
  if (expression === null) return { text: null, calls: [] };
  const calls: string[] = [];
  /** For each open parenthesis, whether it begins a sub-select or is inside one. */
  const open: boolean[] = [];
  let text = '';
  let at = 0;
  while (at < expression.length) {
    const rest = expression.slice(at);
    const quoted = /^(?:'(?:[^']|'')*'|"(?:[^"]|"")*"(?!\.|\())/.exec(rest)?.[0];
    const call = open.at(-1) === true || isInName(expression, at) ? undefined : callAt(rest, functions);
    if (call !== undefined) {
      calls.push(call);
      text += `(select ${call})`;
      at += call.length;
      continue;
    }
    if (quoted !== undefined) {
      text += quoted;
      at += quoted.length;
      continue;
    }
    const character = rest.charAt(0);
    if (character === '(') open.push(open.at(-1) === true || /^\(\s*SELECT\b/i.test(rest));
    if (character === ')') open.pop();
    text += character;
    at += 1;
  }
  return { text, calls: [...new Set(calls)] };
}

const callAt = (rest: string, functions: readonly string[]): string | undefined =>
  CURRENT_SETTING.exec(rest)?.[0] ?? functions.find((name) => rest.startsWith(name));

/** Whether the place is inside of a name, so that no call begins there. */
const isInName = (text: string, at: number): boolean => at > 0 && /[\w$."]/.test(text.charAt(at - 1));
