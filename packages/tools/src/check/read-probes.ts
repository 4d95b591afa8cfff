/** Questions that read: rows of others, secrets, errors of policies, estimates and plans, and calls of functions. */
import {
  catalogueSql,
  joinSql,
  objectOf,
  quoteIdentifier,
  quoteQualified,
  sql,
  type Sql,
} from '../../../../src/face.js';
import { SECRET_NAME } from '../lint/relation-rules.js';
import { grantOf, type Definer, type Policy, type Table } from './catalogue.js';
import { appliesTo, asksFunction, ownersDecide } from './owners.js';
import {
  MANY_ROWS,
  basesOf,
  isTable,
  lookUp,
  nameOf,
  patternOf,
  requestOf,
  step,
  tableSql,
} from './probe.js';
import type { ProbeOutcome, OwnValue, Probe, Setting, Step, Subject } from './probe.js';
import type { CheckRuleName } from './rules.js';

const SECRET = new RegExp(SECRET_NAME, 'i');

/** Columns whose names say that rows belong to persons. */
const PERSONAL =
  /^(user|owner|tenant|account|customer|org|organi[sz]ation|author|member|profile)_?u?u?id$|^(owner|created_by|e_?mail|phone|birth_?(day|date)|iban)$/i;

/** Errors that say nothing of a policy: a statement that took too long, a lock, a write in a transaction that only reads. */
const INCONCLUSIVE = ['57014', '55P03', '40001', '25006'];
export const isInconclusive = (code: string): boolean => INCONCLUSIVE.includes(code);
const RECURSES = '42P17';

/** @param estimates whether callers may ask for estimates of the planner */
export function readProbes(setting: Setting, estimates: boolean): readonly Probe[] {
  const { table, caller, ownerValues, indexCosts } = setting;
  const { select } = grantOf(table, caller.role);
  const probe = (
    rule: CheckRuleName,
    query: string,
    steps: readonly Step[],
    shows: Probe['shows'],
    object = nameOf(table),
  ): Probe => ({
    ...{ rule, object, steps, shows },
    request: requestOf('GET', table, { query }),
  });
  const open = rolesIfOpen(setting);
  const openProbes = open === null ? [] : [probe('open-by-grant', '', [], () => `${open} may use all rows.`)];
  if (select.length === 0) return openProbes;
  const all = sql`select from ${tableSql(table)}`;
  const seen = step(sql`select count(*)::int4 as count from (${all} limit ${MANY_ROWS + 1}) as rows`);
  const explainAll = step(sql`explain (format json) ${all}`);
  const whole = [seen, explainAll];
  const fails = (rule: CheckRuleName, isOf: (code: string) => boolean): Probe =>
    probe(rule, '', whole, (_, [read]) => {
      const error = read?.error ?? null;
      return error !== null && isOf(error.code) && `${error.message} (SQLSTATE ${error.code}).`;
    });
  const counted = probe('hidden-by-estimate', 'limit=0', whole, (_, [read, plan]) => {
    const count = Number(read?.rows[0]?.['count']);
    const rows = planOf(plan)?.rows ?? 0;
    const isHigher = count < ownerValues.length && rows >= 2 * count + 10;
    return isHigher && `It sees ${String(count)} rows, and the estimate is ${String(rows)}.`;
  });
  const estimate = { ...counted, request: { ...counted.request, headers: { Prefer: 'count=planned' } } };
  const others = groupsOfOwners(setting, select).map((group) => {
    const values = group.map((each) => each.value);
    const steps = [step(sql`${all} where ${ofOthers(group)} limit 1`, values)];
    const columns = group.map((each) => each.column).join(', ');
    const shows: Probe['shows'] = ([count]) => count === 1 && `Their ${columns} is not the caller's.`;
    return probe('row-of-another', `${rowsOfOthers(group)}&limit=1`, steps, shows);
  });
  const known = knownOfOthers(setting, select).map(([column, value]) => {
    const query = `select=${encodeURIComponent(column)}&${encodeURIComponent(column)}=eq.${encodeURIComponent(value)}`;
    const shows: Probe['shows'] = ([count]) =>
      (count ?? 0) > 0 && `Their owner, whom it does not show, is not the caller.`;
    return probe('row-of-another', query, [lookUp(table, [column], { [column]: value })], shows);
  });
  const secret = (column: string): Probe => {
    const steps = [step(sql`${all} where ${quoteIdentifier(column)} is not null limit 1`)];
    const name = encodeURIComponent(column);
    const query = `select=${name}&${name}=not.is.null&limit=1`;
    return probe('secret-readable', query, steps, ([count]) => count === 1, `${nameOf(table)}.${column}`);
  };
  const scan = new RegExp(
    `"Node Type":"Seq Scan"[^{}]*"Relation Name":${patternOf(JSON.stringify(table.name))}`,
  );
  // Policies choose the rows of an owner column, without a condition of the query.
  const isOwner = (column: string): boolean => setting.own.some((own) => own.column === column);
  const slow = indexCosts
    .filter(
      ({ column }) => select.includes(column) && (!isOwner(column) || ownersDecide(table, caller.role, 'r')),
    )
    .map(({ column, value, cost }) => {
      const query = isOwner(column) ? '' : `${encodeURIComponent(column)}=eq.${encodeURIComponent(value)}`;
      const plan = isOwner(column) ? explainAll : explainEqual(table, column, value);
      const shows: Probe['shows'] = (_, [read]) => {
        const under = planOf(read);
        const isSlow = under !== null && scan.test(under.text) && under.cost >= 4 * cost;
        return isSlow && `Its plan costs ${String(under.cost)}, and ${String(cost)} with the index alone.`;
      };
      return probe('policy-slow', query, [plan], shows, `${nameOf(table)}.${column}`);
    });
  // Rows for which a permissive policy is true are visible. An error leaves it open.
  const never = table.policies
    .filter((policy) => isJudged(setting, policy))
    .map((policy): Probe => {
      const steps = [step(sql`${all} where ${catalogueSql(policy.using ?? 'true')} limit 1`)];
      const object = `${policy.name} on ${nameOf(table)}`;
      const shown = probe('policy-never-true', '', steps, ([count]) => count === 0, object);
      return { ...shown, isForAll: true };
    });
  const failing = [
    fails('policy-recurses', (code) => code === RECURSES),
    fails('policy-raises', (code) => code !== RECURSES && !isInconclusive(code)),
  ];
  return [
    ...[...openProbes, ...others, ...known, ...slow, ...never],
    ...(table.policies.length > 0 || table.kind === 'v' ? failing : []),
    ...select.filter((column) => SECRET.test(column)).map(secret),
    ...(estimates && table.hasRowSecurity ? [estimate] : []),
  ];
}

const isOpen = (table: Table, role: string): boolean => {
  const { select, insert, update, delete: remove } = grantOf(table, role);
  return insert.length > 0 || update.length > 0 || remove || select.some((column) => PERSONAL.test(column));
};

/** Roles that may use a table without row security, where the anonymous one or all others are among them; null otherwise. */
function rolesIfOpen({ table, caller, roles, anonymousRole }: Setting): string | null {
  const canBeOpen = isTable(table) || table.kind === 'f';
  if (!canBeOpen || table.hasRowSecurity || !isOpen(table, caller.role)) return null;
  const open = roles.filter((role) => isOpen(table, role));
  const isForAll = roles.every((role) => role === anonymousRole || open.includes(role));
  return caller.role === anonymousRole || isForAll ? open.join(', ') : null;
}

/** Groups of owner columns: one for each column that a rule names; one for the columns that policies compare, if nothing else decides. */
export function groupsOfOwners(
  setting: Setting,
  readable: readonly string[],
): readonly (readonly OwnValue[])[] {
  const { caller, own, subjects } = setting;
  const known = own.filter(({ column }) => readable.includes(column));
  const isSure = basesOf(setting, subjects).every((base) => ownersDecide(base.table, caller.role, 'r'));
  const derived = known.filter(({ isRule }) => !isRule && isSure);
  return [
    ...known.filter(({ isRule }) => isRule).map((each) => [each]),
    ...(derived.length > 0 ? [derived] : []),
  ];
}

/** Rows of others that are looked for by their keys. */
const MOST_KNOWN = 5;

/** Keys of rows of others, where the caller may read them but no owner column. */
function knownOfOthers(
  setting: Setting,
  readable: readonly string[],
): readonly (readonly [column: string, value: string])[] {
  const { caller, own, ofOthers, subjects } = setting;
  const [base] = basesOf(setting, subjects);
  const [column = '', ...more] = base?.table.key ?? [];
  const isShown = own.some((each) => readable.includes(each.column));
  if (base === undefined || isShown || more.length > 0 || !readable.includes(column)) return [];
  if (!ownersDecide(base.table, caller.role, 'r')) return [];
  const values = ofOthers.map((row) => row[column]).filter((value) => typeof value === 'string');
  return values.slice(0, MOST_KNOWN).map((value) => [column, value] as const);
}

/** The filter of a request for rows of others. */
export function rowsOfOthers([first]: readonly OwnValue[]): string {
  const { column, value } = first ?? { column: '', value: null };
  return `${encodeURIComponent(column)}=${value === null ? 'not.is.null' : `neq.${encodeURIComponent(value)}`}`;
}

/** A row without an owner is for all, unless a rule says otherwise. */
const ofOthers = (own: readonly OwnValue[]): Sql =>
  joinSql(
    own.map(({ column, isRule }, index): Sql => {
      const differs = sql`${quoteIdentifier(column)}::text is distinct from $${index + 1}::text`;
      return isRule ? differs : sql`${quoteIdentifier(column)} is not null and ${differs}`;
    }),
    ' and ',
  );

/** Whether a caller must make some row visible by the policy: no other policy may hide it, and it may not ask others. */
const isJudged = ({ table, rows, planted, caller }: Setting, policy: Policy): boolean =>
  rows.length > 0 &&
  planted === null &&
  appliesTo(policy, caller.role, 'r') &&
  table.policies.every(({ isPermissive }) => isPermissive) &&
  policy.using !== null &&
  policy.using !== 'false' &&
  !policy.readsOtherTables &&
  !asksFunction(policy);

interface Plan {
  readonly rows: number;
  readonly cost: number;
  readonly text: string;
}

/** The plan of EXPLAIN (FORMAT JSON); null for an error. */
export function planOf(outcome: ProbeOutcome | undefined): Plan | null {
  const answer: unknown = outcome?.rows[0]?.['QUERY PLAN'];
  if (!Array.isArray(answer)) return null;
  const plan = objectOf(objectOf(answer[0])['Plan']);
  return { rows: Number(plan['Plan Rows']), cost: Number(plan['Total Cost']), text: JSON.stringify(plan) };
}

/** The plan of `column = value`. */
export function explainEqual(table: Table, column: string, value: string): Step {
  const { text, values } = lookUp(table, [column], { [column]: value });
  return step(sql`explain (format json) ${text}`, values);
}

const MOST_CALLS = 8;

/**
 * Calls of a function with the rights of its owner, with values of rows as arguments: the n-th call has the n-th value of each
 * type. They look for rows of a table that the caller cannot select, or for rows with the owner of another.
 */
export function definerProbes(definer: Definer, settings: readonly Setting[]): readonly Probe[] {
  const { schema, name, arguments: types, argumentNames, returns } = definer;
  const [{ caller, subjects } = { caller: null, subjects: new Map<number, Subject>() }] = settings;
  const table = returns === null ? undefined : subjects.get(returns)?.table;
  if (caller === null || (returns !== null && (table?.hasRowSecurity !== true || table.key.length === 0)))
    return [];
  const candidates = types.map((type) => valuesOfType(type, [...subjects.values()]));
  const parameters = types.map((type, index) => sql`$${index + 1}::text::${catalogueSql(type)}`);
  const called = sql`select to_jsonb(called) as row from ${quoteQualified(schema, name)}(${joinSql(parameters, ', ')}) as called limit 50`;
  const keep = sql`select set_config('dbr_check.called', (select coalesce(jsonb_agg(row), '[]')::text from (${called}) as calls), true)`;
  const own = settings.flatMap((setting) => setting.own);
  const judged = table === undefined ? ofOther(own) : isHidden(table, caller.role);
  return Array.from({ length: Math.max(1, ...candidates.map(({ length }) => length)) }, (_, index): Probe => {
    const values = candidates.map((each) => each[index % Math.max(each.length, 1)] ?? null);
    const body = Object.fromEntries(values.map((value, place) => [argumentNames[place] ?? '', value]));
    return {
      ...{ rule: 'definer-passes-policy', object: nameOf(definer) },
      request: { ...requestOf('POST', definer, { body }), path: `rpc/${encodeURIComponent(name)}` },
      steps: [step(keep, values), judged],
      shows: ([, count]) => count === 1 && `The role of the caller is ${caller.role}.`,
    };
  });
}

const CALLED = sql`current_setting('dbr_check.called')::jsonb`;

/** Rows of a call that are not visible in their table. */
function isHidden(table: Table, role: string): Step {
  const { select } = grantOf(table, role);
  const keys = table.key.map(quoteIdentifier);
  const isGiven = joinSql(
    keys.map((key) => sql`called.${key} is not null`),
    ' and ',
  );
  const isSame = joinSql(
    keys.map((key) => sql`seen.${key} = called.${key}`),
    ' and ',
  );
  const isSeen = table.key.every((key) => select.includes(key))
    ? sql`exists (select from ${tableSql(table)} as seen where ${isSame})`
    : sql`false`;
  const rows = sql`jsonb_populate_recordset(null::${tableSql(table)}, ${CALLED})`;
  return step(sql`select from ${rows} as called where ${isGiven} and not ${isSeen} limit 1`);
}

/** Rows of a call that have owner columns, and none with the caller's own value. */
function ofOther(own: readonly OwnValue[]): Step {
  const members = own.map((_, index) => sql`called.row ->> $${2 * index + 1}::text`);
  const differ = members.map((member, index) => sql`coalesce(${member} <> $${2 * index + 2}::text, true)`);
  const conditions = [...differ, sql`coalesce(${joinSql([...members, sql`null`], ', ')}) is not null`];
  const values = own.flatMap(({ column, value }) => [column, value]);
  const rows = sql`jsonb_array_elements(${CALLED})`;
  return step(sql`select from ${rows} as called(row) where ${joinSql(conditions, ' and ')} limit 1`, values);
}

function valuesOfType(type: string, subjects: readonly Subject[]): readonly string[] {
  const values = subjects.flatMap(({ table, rows, owners, planted }) => {
    const wanted = [...owners.map(({ column }) => column), ...table.key];
    const columns = table.columns.filter((column) => wanted.includes(column.name) && column.type === type);
    return planted === null ? columns.flatMap(({ name }) => rows.map((row) => row[name])) : [];
  });
  return [...new Set(values.filter((value) => typeof value === 'string'))].slice(0, MOST_CALLS);
}
