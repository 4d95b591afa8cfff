/** The rules of `dbr check`. */
import type { Level } from '../lint/rule.js';

/** The level of each rule, what it finds, and what ends it. */
export const CHECK_RULES = {
  'row-of-another': ['error', 'Rows of another are visible.', 'narrow the policies, or set security_invoker'],
  'written-not-readable': ['warning', 'A written row is not readable.', 'let a policy for select show it'],
  'open-by-grant': [
    'error',
    'A table is open without row security.',
    'enable row security with policies, or revoke',
  ],
  'secret-readable': ['error', 'A column with a secret is readable.', 'grant select on the others'],
  'hidden-by-estimate': ['info', 'An estimate counts hidden rows.', 'db-estimates-under-policies = false'],
  'hidden-by-conflict': ['warning', 'A key conflicts with a hidden row.', 'add the owner to the unique key'],
  'hidden-by-foreign-key': ['warning', 'A caller refers to a hidden row.', 'add the owner to both keys'],
  'hidden-by-etag': ['warning', 'If-None-Match reveals a hidden key.', 'add the owner to the primary key'],
  'hidden-by-error': ['error', 'An error reveals hidden rows.', 'set security_invoker or security_barrier'],
  'hidden-by-reply': ['error', 'A reply reveals rows that it hides.', 'set no headers in policies'],
  'hidden-by-call': ['error', 'A function answers from hidden rows.', 'filter by the caller in its query'],
  'policy-raises': ['error', 'A read fails in the policies.', 'let the policy return false; nullif helps'],
  'policy-recurses': ['error', 'Policies read their own table without end.', 'read it in a definer function'],
  'policy-never-true': ['warning', 'A policy is true for no row and no caller.', 'correct its comparison'],
  'policy-slow': ['warning', 'Policies turn an index into a scan.', 'index the columns that they compare'],
  'definer-passes-policy': ['error', 'A function returns hidden rows.', 'filter by the caller in its query'],
  'write-leaves-tenant': ['error', 'A caller gives a row to another.', 'compare owners in `with check`'],
  'write-opens-rows': [
    'warning',
    'A row that a caller inserts shows it rows of others.',
    'check in `with check` whether the caller may',
  ],
  'write-of-another': ['error', 'A caller changes rows of another.', 'compare owners in `using`'],
} as const satisfies Readonly<Record<string, readonly [level: Level, meaning: string, cure: string]>>;

export type CheckRuleName = keyof typeof CHECK_RULES;
