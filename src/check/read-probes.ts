/** Questions that read: rows of others, secrets, errors of policies, estimates and plans, tables that are open by grant. */
import { objectOf } from '../base/json.js';
import { SECRET_NAME } from '../lint/relation-rules.js';
import { catalogueSql, joinSql, quoteIdentifier, sql, type Sql } from '../postgres/sql.js';
import { grantOf, type Policy, type Table } from './catalogue.js';
import { appliesTo, asksFunction, ownersDecide } from './owners.js';
import {
  MANY_ROWS,
  errorOf,
  isTable,
  nameOf,
  requestOf,
  rowsOf,
  tableSql,
  typed,
  type Outcome,
  type OwnValue,
  type Probe,
  type Setting,
  type Step,
} from './probe.js';

const SECRET = new RegExp(SECRET_NAME, 'i');

/** Columns whose names say that rows belong to persons. */
const PERSONAL =
  /^(user|owner|tenant|account|customer|org|organi[sz]ation|author|member|profile)_?u?u?id$|^(owner|created_by|e_?mail|phone|birth_?(day|date)|iban)$/i;

/** Errors that say nothing of a policy: a statement that took too long, a lock, a write in a transaction that only reads. */
const INCONCLUSIVE = new Set(['57014', '55P03', '40001', '25006']);
const RECURSES = '42P17';

/** @param estimates whether callers may ask for estimates of the planner */
export function readProbes(setting: Setting, estimates: boolean): readonly Probe[] {
  const { subject, caller } = setting;
  const { table } = subject;
  const { select } = grantOf(table, caller.role);
  const open = openByGrant(setting);
  if (select.length === 0) return open;
  const policies = table.policies.filter((policy) => isJudged(setting, policy));
  return [
    ...open,
    ...(table.policies.length > 0 || table.kind === 'v' ? failures(setting) : []),
    ...(estimates && table.hasRowSecurity ? [estimate(setting)] : []),
    ...ofAnother(setting, select),
    ...select.filter((column) => SECRET.test(column)).map((column) => secret(setting, column)),
    ...subject.indexCosts
      .filter(({ column }) => select.includes(column))
      .flatMap((cost) => slow(setting, cost)),
    ...policies.map((policy) => neverTrue(setting, policy)),
  ];
}

/** The table of a setting with what probes of it have in common. */
const reading = ({ subject: { table } }: Setting, query?: string) => ({
  object: nameOf(table),
  request: requestOf('GET', table, query === undefined ? {} : { query }),
});

const isOpen = (table: Table, role: string): boolean => {
  const grant = grantOf(table, role);
  const canWrite = grant.insert.length > 0 || grant.update.length > 0 || grant.delete;
  return canWrite || grant.select.some((column) => PERSONAL.test(column));
};

/** A table without row security that the anonymous role may use, or the roles of all users. */
function openByGrant(setting: Setting): readonly Probe[] {
  const { subject, caller, roles, anonymousRole } = setting;
  const { table } = subject;
  if (!isTable(table) || table.hasRowSecurity || !isOpen(table, caller.role)) return [];
  const open = roles.filter((role) => isOpen(table, role));
  if (caller.role !== anonymousRole && roles.some((role) => role !== anonymousRole && !open.includes(role)))
    return [];
  const shows = (): string => `${open.join(', ')} may use all of its rows.`;
  return [{ rule: 'open-by-grant', ...reading(setting), steps: [], shows }];
}

const countSeen = (table: Table): Step => ({
  text: sql`select count(*)::text as count from (select from ${tableSql(table)} limit ${MANY_ROWS + 1}) as rows`,
  values: [],
});

function failures(setting: Setting): readonly Probe[] {
  const probe = (rule: Probe['rule'], isOf: (code: string) => boolean): Probe => ({
    rule,
    ...reading(setting),
    steps: [countSeen(setting.subject.table)],
    shows: ([read]) =>
      read?.kind === 'error' && isOf(read.code) && `${read.message} (SQLSTATE ${read.code}).`,
  });
  return [
    probe('policy-recurses', (code) => code === RECURSES),
    probe('policy-raises', (code) => code !== RECURSES && !INCONCLUSIVE.has(code)),
  ];
}

function estimate(setting: Setting): Probe {
  const { table, ownerValues } = setting.subject;
  const request = { ...requestOf('GET', table, { query: 'limit=0' }), headers: ['Prefer: count=planned'] };
  return {
    rule: 'hidden-by-estimate',
    object: nameOf(table),
    request,
    steps: [
      countSeen(table),
      { text: sql`explain (format json) select from ${tableSql(table)}`, values: [] },
    ],
    shows([read, plan]) {
      const seen = Number(read?.kind === 'rows' ? read.rows[0]?.['count'] : MANY_ROWS);
      const rows = planOf(plan)?.rows ?? 0;
      if (seen >= ownerValues.length || rows < 2 * seen + 10) return false;
      return `It sees ${String(seen)} rows, and the estimate is ${String(rows)}.`;
    },
  };
}

/** Whether the owner columns alone decide what the caller sees of a table, or of the tables behind a view. */
const isSure = ({ subject: { table }, caller, subjects }: Setting): boolean =>
  isTable(table)
    ? ownersDecide(table, caller.role, 'r')
    : table.reads.every((oid) => {
        const base = subjects.get(oid)?.table;
        return base === undefined || ownersDecide(base, caller.role, 'r');
      });

function ofAnother(setting: Setting, readable: readonly string[]): readonly Probe[] {
  const own = setting.own.filter(({ column }) => readable.includes(column));
  const derived = own.filter(({ isRule }) => !isRule);
  const rules = own.filter(({ isRule }) => isRule).map((each) => [each]);
  return [...rules, ...(derived.length > 0 && isSure(setting) ? [derived] : [])].map((group) =>
    othersProbe(setting, group),
  );
}

function othersProbe(setting: Setting, own: readonly OwnValue[]): Probe {
  // A row without an owner is for all, unless a rule says otherwise.
  const conditions = own.map(({ column, isRule }, index): Sql => {
    const differs = sql`${quoteIdentifier(column)}::text is distinct from $${index + 1}::text`;
    return isRule ? differs : sql`${quoteIdentifier(column)} is not null and ${differs}`;
  });
  const [{ column, value } = { column: '', value: null }] = own;
  const filter = value === null ? `${column}=not.is.null` : `${column}=neq.${encodeURIComponent(value)}`;
  return {
    rule: 'row-of-another',
    ...reading(setting, `${filter}&limit=1`),
    steps: [
      {
        text: sql`select from ${tableSql(setting.subject.table)} where ${joinSql(conditions, ' and ')} limit 1`,
        values: own.map((each) => each.value),
      },
    ],
    shows: ([read]) =>
      rowsOf(read) === 1 && `Their ${own.map((each) => each.column).join(', ')} is not the caller's.`,
  };
}

function secret(setting: Setting, column: string): Probe {
  const { table } = setting.subject;
  const text = sql`select from ${tableSql(table)} where ${quoteIdentifier(column)} is not null limit 1`;
  return {
    rule: 'secret-readable',
    ...reading(setting, `select=${encodeURIComponent(column)}&${column}=not.is.null&limit=1`),
    object: `${nameOf(table)}.${column}`,
    steps: [{ text, values: [] }],
    shows: ([read]) => rowsOf(read) === 1,
  };
}

export interface Plan {
  readonly rows: number;
  readonly cost: number;
  readonly text: string;
}

/** The plan of EXPLAIN (FORMAT JSON); null for an error. */
export function planOf(outcome: Outcome | undefined): Plan | null {
  const answer: unknown = outcome?.kind === 'rows' ? outcome.rows[0]?.['QUERY PLAN'] : null;
  if (!Array.isArray(answer)) return null;
  const plan = objectOf(objectOf(answer[0])['Plan']);
  return { rows: Number(plan['Plan Rows']), cost: Number(plan['Total Cost']), text: JSON.stringify(plan) };
}

/** The plan of `column = value`. */
export const explainEqual = (table: Table, column: string, value: string): Step => ({
  text: sql`explain (format json) select from ${catalogueSql(table.kind === 'r' ? 'only ' : '')}${tableSql(table)} where ${quoteIdentifier(column)} = ${typed(table, column, 1)}`,
  values: [value],
});

/** A plan under policies beside that of the owner. Policies choose the rows of an owner column, without a condition of the query. */
function slow(
  setting: Setting,
  { column, value, cost }: Setting['subject']['indexCosts'][number],
): readonly Probe[] {
  const { table } = setting.subject;
  const isOwner = setting.own.some((each) => each.column === column);
  if (isOwner && !ownersDecide(table, setting.caller.role, 'r')) return [];
  const scan = new RegExp(`"Node Type":"Seq Scan"[^{}]*"Relation Name":${JSON.stringify(table.name)}`);
  return [
    {
      rule: 'policy-slow',
      ...reading(setting, isOwner ? undefined : `${column}=eq.${encodeURIComponent(value)}`),
      object: `${nameOf(table)}.${column}`,
      steps: [
        isOwner
          ? { text: sql`explain (format json) select from ${tableSql(table)}`, values: [] }
          : explainEqual(table, column, value),
      ],
      shows([read]) {
        const under = planOf(read);
        if (under === null || !scan.test(under.text) || under.cost < 4 * cost) return false;
        return `Its plan costs ${String(under.cost)}, and ${String(cost)} with the index alone.`;
      },
    },
  ];
}

/** Whether a caller must make some row visible by the policy: no other policy may hide it, and it may not ask others. */
const isJudged = ({ subject: { table, rows, planted }, caller }: Setting, policy: Policy): boolean =>
  rows.length > 0 &&
  planted === null &&
  appliesTo(policy, caller.role, 'r') &&
  table.policies.every(({ isPermissive }) => isPermissive) &&
  policy.using !== null &&
  policy.using !== 'false' &&
  !policy.readsOtherTables &&
  !asksFunction(policy);

/** Asks as the caller: rows for which a permissive policy is true are visible. An error leaves it open. */
const neverTrue = (setting: Setting, policy: Policy): Probe => ({
  rule: 'policy-never-true',
  ...reading(setting),
  object: `${policy.name} on ${nameOf(setting.subject.table)}`,
  steps: [
    {
      text: sql`select from ${tableSql(setting.subject.table)} where ${catalogueSql(policy.using ?? 'true')} limit 1`,
      values: [],
    },
  ],
  shows: ([read]) => rowsOf(read) === 0 && errorOf(read) === null,
  isForAll: true,
});
