/** The rules of `dbr check`. */
import type { Level } from '../lint/rule.js';

interface CheckRule {
  readonly level: Level;
  /** One sentence for findings, and for SARIF. */
  readonly meaning: string;
  readonly cure: string;
}

const rule = (level: Level, meaning: string, cure: string): CheckRule => ({ level, meaning, cure });

export const CHECK_RULES = {
  'row-of-another': rule(
    'error',
    'A caller sees rows that the rule file denies, or that belong to another caller by the policies.',
    'narrow the policies for select, enable row security, or set security_invoker on the view',
  ),
  'written-not-readable': rule(
    'warning',
    'A caller writes a row that it cannot read back.',
    'let the policies for select show what `with check` accepts',
  ),
  'open-by-grant': rule(
    'error',
    'A table without row security that anonymous callers or all users may write, or that has columns of persons.',
    'enable row level security on the table, with policies',
  ),
  'secret-readable': rule(
    'error',
    'A caller reads values of a column whose name is that of a secret.',
    'grant select on the other columns alone',
  ),
  'hidden-by-estimate': rule(
    'info',
    'An estimate of the planner counts rows that are hidden from the caller.',
    'set db-estimates-under-policies to false',
  ),
  'hidden-by-conflict': rule(
    'warning',
    'A unique key conflicts with a row that is hidden from the caller (409, 23505), which shows that the row exists.',
    'put the owner column into the unique key',
  ),
  'hidden-by-foreign-key': rule(
    'warning',
    'A caller refers to a row that is hidden from it, and learns that the row exists: without it, the answer is 409 (23503).',
    'put the owner column into the foreign key, or look for the row in `with check`',
  ),
  'policy-raises': rule(
    'error',
    'A read fails in the policies.',
    'let the policy return false instead; `current_setting(…, true)` and `nullif` help',
  ),
  'policy-recurses': rule(
    'error',
    'The policies of a table read the table itself without end (42P17).',
    'read the other table in a function with the rights of its owner',
  ),
  'policy-never-true': rule(
    'warning',
    'A policy is true for no row of the table and none of the callers.',
    'correct the claim or the comparison that the policy makes',
  ),
  'policy-slow': rule(
    'warning',
    'A query that uses an index without policies reads the whole table under them.',
    'index what the policy compares, and put its calls of functions into sub-selects',
  ),
  'definer-passes-policy': rule(
    'error',
    'A function with the rights of its owner returns rows that its caller cannot select.',
    'use security invoker, or filter by the caller in the function',
  ),
  'write-leaves-tenant': rule(
    'error',
    'A caller writes a row that belongs to another, or gives one of its rows away.',
    'compare each owner column with the caller in `with check`',
  ),
  'write-of-another': rule(
    'error',
    'A caller changes or deletes rows of others.',
    'compare each owner column with the caller in `using` of the policies for update and delete',
  ),
} as const satisfies Readonly<Record<string, CheckRule>>;

export type CheckRuleName = keyof typeof CHECK_RULES;
