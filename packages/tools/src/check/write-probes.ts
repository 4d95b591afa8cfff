/** Questions that write. No statement takes a number from a sequence. */
import { joinSql, quoteIdentifier, sql } from '../../../../src/face.js';
import { strangeValue } from './callers.js';
import { grantOf, type Grant, type Table } from './catalogue.js';
import { appliesTo, ownersDecide } from './owners.js';
import { MANY_ROWS, columnNamed, equalities, isOfAnother, isTable, lookUp } from './probe.js';
import { nameOf, requestOf, step, tableSql, typed } from './probe.js';
import type { ProbeOutcome, OwnValue, Probe, RowTexts, Setting, ShownRequest, Step } from './probe.js';
import type { CheckRuleName } from './rules.js';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const EXCLUSION_VIOLATION = '23P01';

/** PostgreSQL checks policies before keys and exclusions: a write that fails on these has passed the policies. */
const AFTER_POLICIES = [UNIQUE_VIOLATION, FOREIGN_KEY_VIOLATION, EXCLUSION_VIOLATION];
const hasPassed = ({ rows, error } = NOT_RUN): boolean =>
  rows.length > 0 || (error !== null && AFTER_POLICIES.includes(error.code));

const NOT_RUN: ProbeOutcome = { rows: [], error: null };

interface Write {
  readonly step: Step;
  readonly request: ShownRequest;
}

/** @param steps the write, and what is read around it */
const probeOf = (
  rule: CheckRuleName,
  object: string,
  { request }: Write,
  steps: readonly Step[],
  shows: Probe['shows'],
): Probe => ({ rule, object, request, steps, shows });

const when = (is: boolean, probes: () => readonly Probe[]): readonly Probe[] => (is ? probes() : []);

const grantIn = ({ table, caller }: Setting): Grant => grantOf(table, caller.role);

export const writeProbes = (setting: Setting): readonly Probe[] =>
  when(isTable(setting.table), () => [
    ...when(canInsert(setting), () => inserts(setting)),
    ...when(setting.ownerValues.length <= MANY_ROWS, () => [
      ...updates(setting),
      ...changesOfOthers(setting),
    ]),
  ]);

/** Whether no column that the caller may not set takes a number from a sequence. */
export function canInsert(setting: Setting): boolean {
  const { insert } = grantIn(setting);
  const isSet = setting.table.columns.every(({ name, hasSequence }) => !hasSequence || insert.includes(name));
  return insert.length > 0 && isSet;
}

/** The body of an insert. All columns that the caller may set are given, so that no default is used. */
export function bodyOfInsert(setting: Setting, texts: RowTexts): RowTexts {
  const { insert } = grantIn(setting);
  const given = setting.table.columns.filter(
    ({ name, isGenerated }) => !isGenerated && insert.includes(name),
  );
  return Object.fromEntries(given.map(({ name }) => [name, texts[name] ?? null]));
}

/** Inserts a row. */
export function insertOf(setting: Setting, texts: RowTexts): Write {
  const { table } = setting;
  const body = bodyOfInsert(setting, texts);
  const columns = joinSql(Object.keys(body).map(quoteIdentifier), ', ');
  const values = joinSql(
    Object.keys(body).map((name, index) => typed(table, name, index + 1)),
    ', ',
  );
  const text = sql`insert into ${tableSql(table)} (${columns}) overriding system value values (${values}) returning 1 as one`;
  return { step: step(text, Object.values(body)), request: requestOf('POST', table, { body }) };
}

/** Updates all rows: without a condition, the policies for select do not limit it. */
function updateOf({ table }: Setting, body: RowTexts): Write {
  const changes = joinSql(equalities(table, Object.keys(body)), ', ');
  const text = sql`update ${tableSql(table)} set ${changes} returning 1 as one`;
  return { step: step(text, Object.values(body)), request: requestOf('PATCH', table, { body }) };
}

/** Values of unique columns that no row has; those of owner columns and foreign keys stay. */
function freshValues(setting: Setting, kept: readonly string[] = []): RowTexts {
  const { table, own, seed } = setting;
  const owners = own.map(({ column }) => column);
  const fixed = [...kept, ...owners, ...table.foreignKeys.flatMap(({ columns }) => columns)];
  const { insert } = grantIn(setting);
  const changes = table.uniques.map((unique) => {
    const name = unique.findLast((each) => !fixed.includes(each) && insert.includes(each)) ?? '';
    const column = columnNamed(table, name);
    return [
      name,
      column === undefined ? null : strangeValue(column, seed, `${nameOf(table)}.${name}`),
    ] as const;
  });
  return Object.fromEntries(changes.filter(([, value]) => value !== null));
}

export const valuesOf = (own: readonly OwnValue[]): RowTexts =>
  Object.fromEntries(own.map(({ column, value }) => [column, value]));

/** Owner columns with values of another: of a row where there is one, invented otherwise. */
function valuesOfAnother({ own, table, rows, seed }: Setting): RowTexts {
  const row = rows.find((each) => isOfAnother(own, each)) ?? {};
  const entries = own.map(({ column, value }) => {
    const of = columnNamed(table, column) ?? { type: 'text', category: 'S' };
    const like = value ?? rows[0]?.[column] ?? undefined;
    return [column, row[column] ?? strangeValue(of, seed, `other ${column}`, like)] as const;
  });
  return Object.fromEntries(entries);
}

/** A row like one of the caller's own, or any, with new values in its keys. */
export const baseRow = (setting: Setting): RowTexts => ({
  ...(setting.rows.find((row) => setting.own.some(({ column, value }) => row[column] === value)) ??
    setting.rows[0]),
  ...freshValues(setting),
});

const isGenerated = (table: Table, column: string): boolean =>
  columnNamed(table, column)?.isGenerated ?? true;

/** A row like the caller's own with the owner columns of another; null if the caller may not set them. */
export function rowOfAnother(setting: Setting): RowTexts | null {
  const { own, table } = setting;
  const { insert } = grantIn(setting);
  const canSet =
    own.length > 0 && own.every(({ column }) => insert.includes(column) && !isGenerated(table, column));
  return canSet ? { ...baseRow(setting), ...valuesOfAnother(setting) } : null;
}

function inserts(setting: Setting): readonly Probe[] {
  const { own, caller, table } = setting;
  const { select } = grantIn(setting);
  const base = baseRow(setting);
  const mine = valuesOf(own);
  const others = valuesOfAnother(setting);
  const ofAnother = rowOfAnother(setting);
  const canSetOwners = ofAnother !== null;
  const isOwned = canSetOwners && own.every(({ value }) => value !== null);
  const isBlind = !table.policies.some(
    (policy) => policy.isPermissive && appliesTo(policy, caller.role, 'r'),
  );
  const canLookUp = table.key.length > 0 && table.key.every((column) => select.includes(column));
  const unreadable = (rule: CheckRuleName, changes: RowTexts, shown: boolean | string): Probe => {
    const row = { ...base, ...changes };
    const write = insertOf(setting, row);
    const shows: Probe['shows'] = ([written, seen]) => written === 1 && seen === 0 && shown;
    return probeOf(rule, nameOf(table), write, [write.step, lookUp(table, table.key, row)], shows);
  };
  const canReadBack = canLookUp && table.hasRowSecurity;
  const given = insertOf(setting, ofAnother ?? {});
  const passes: Probe['shows'] = (_, [written]) => hasPassed(written) && 'An insert.';
  return [
    ...when(canReadBack && (isOwned || isBlind), () => [
      unreadable('written-not-readable', isOwned ? mine : {}, true),
    ]),
    ...when(canSetOwners, () => [probeOf('write-leaves-tenant', nameOf(table), given, [given.step], passes)]),
    ...when(canReadBack && isOwned && own.length > 1, () =>
      own.map(({ column }) => {
        const changes = { ...mine, [column]: others[column] ?? null };
        return unreadable('write-leaves-tenant', changes, `An insert; only the ${column} is of another.`);
      }),
    ),
    ...when(isOwned && canLookUp, () => [
      ...conflicts(setting),
      ...references(setting, { ...base, ...mine }),
    ]),
  ];
}

/** Unique columns whose values in a row of another say something: single numbers and UUIDs are left out. */
export function revealingUniques(setting: Setting, hidden: RowTexts): readonly (readonly string[])[] {
  const { own, table } = setting;
  const { insert } = grantIn(setting);
  const isRevealing = (name: string, _: number, { length }: readonly string[]): boolean => {
    const { hasSequence = true, type = '', category = '' } = columnNamed(table, name) ?? {};
    const isUsable = insert.includes(name) && !hasSequence && typeof hidden[name] === 'string';
    const isOwner = own.some(({ column }) => column === name);
    return isUsable && !isOwner && type !== 'uuid' && (length > 1 || category !== 'N');
  };
  const isWritable = canInsert(setting) && isOfAnother(own, hidden);
  return isWritable ? table.uniques.filter((unique) => unique.every(isRevealing)) : [];
}

/** Values of the caller's own, and of unique columns that no row has. @param kept columns whose values stay */
export const rowOfOwn = (setting: Setting, kept: readonly string[]): RowTexts => ({
  ...freshValues(setting, kept),
  ...valuesOf(setting.own),
});

/** Inserts the unique values of a hidden row. */
function conflicts(setting: Setting): readonly Probe[] {
  const { own, table, rows } = setting;
  const hidden = rows.find((row) => isOfAnother(own, row));
  if (hidden === undefined || !table.hasRowSecurity) return [];
  return revealingUniques(setting, hidden).map((unique) => {
    const write = insertOf(setting, { ...hidden, ...rowOfOwn(setting, unique) });
    const shows: Probe['shows'] = ([seen], [, written]) =>
      seen === 0 && written?.error?.code === UNIQUE_VIOLATION;
    const steps = [lookUp(table, table.key, hidden), write.step];
    return probeOf('hidden-by-conflict', `${nameOf(table)} (${unique.join(', ')})`, write, steps, shows);
  });
}

/** Inserts references to hidden rows of other tables. Those by UUID are left out. */
function references(setting: Setting, row: RowTexts): readonly Probe[] {
  const { own, table, subjects, caller } = setting;
  const { insert } = grantIn(setting);
  const isFixed = (name: string): boolean =>
    !insert.includes(name) ||
    columnNamed(table, name)?.type === 'uuid' ||
    own.some(({ column }) => column === name);
  return table.foreignKeys.flatMap(({ columns, keys, table: oid }): readonly Probe[] => {
    const target = subjects.get(oid);
    if (target?.table.hasRowSecurity !== true || target.planted !== null || columns.some(isFixed)) return [];
    const { select } = grantOf(target.table, caller.role);
    return (keys.every((key) => select.includes(key)) ? target.rows.slice(0, 5) : []).map((referred) => {
      const changes = columns.map((column, index) => [column, referred[keys[index] ?? ''] ?? null] as const);
      const write = insertOf(setting, { ...row, ...Object.fromEntries(changes) });
      const steps = [lookUp(target.table, keys, referred), write.step];
      const detail = `It is one of ${nameOf(target.table)}; without it, the answer is 409 (23503).`;
      const shows: Probe['shows'] = ([seen, written]) => seen === 0 && written === 1 && detail;
      return probeOf(
        'hidden-by-foreign-key',
        `${nameOf(table)} (${columns.join(', ')})`,
        write,
        steps,
        shows,
      );
    });
  });
}

const canUpdate = (setting: Setting, column: string): boolean =>
  grantIn(setting).update.includes(column) && !isGenerated(setting.table, column);

/** Updates that give rows away: in all owner columns, and where there are several, in one. */
function updates(setting: Setting): readonly Probe[] {
  const { own, table } = setting;
  const { select } = grantIn(setting);
  const others = valuesOfAnother(setting);
  const settable = own.filter(({ column, value }) => value !== null && canUpdate(setting, column));
  const seen = step(sql`select from ${tableSql(table)}`);
  const all = updateOf(setting, others);
  const passes: Probe['shows'] = (_, [written]) => hasPassed(written) && 'An update.';
  const single = ({ column }: OwnValue): Probe => {
    const write = updateOf(setting, { [column]: others[column] ?? null });
    return probeOf('write-leaves-tenant', nameOf(table), write, [seen, write.step, seen], (counts) => {
      const [before, written, after] = counts.map((count) => count ?? 0);
      const isLess = (written ?? 0) > 0 && (after ?? 0) < (before ?? 0);
      return isLess && `An update of ${column} takes rows out of its sight.`;
    });
  };
  return [
    ...when(own.length > 0 && settable.length === own.length, () => [
      probeOf('write-leaves-tenant', nameOf(table), all, [all.step], passes),
    ]),
    ...when(own.length > 1 && select.length > 0, () => settable.map(single)),
  ];
}

/** Whether the owner columns alone decide which rows a caller may change. */
export const isSure = ({ own, table, caller }: Setting, command: 'w' | 'd'): boolean =>
  own.length > 0 && (own.some(({ isRule }) => isRule) || ownersDecide(table, caller.role, command));

/** Updates and deletes of all rows. A row is the caller's own in one owner column at least, or belongs to no caller. */
function changesOfOthers(setting: Setting): readonly Probe[] {
  const { own, table, rows, ownerValues } = setting;
  const grant = grantIn(setting);
  const fixed = [...own.map(({ column }) => column), ...table.uniques.flat()];
  const column = grant.update.find((name) => {
    const { category = 'A' } = columnNamed(table, name) ?? {};
    const isFree = !fixed.includes(name) && !isGenerated(table, name);
    return isFree && category !== 'A' && typeof rows[0]?.[name] === 'string';
  });
  const isMine = (row: RowTexts): boolean =>
    own.some((each) => [null, each.value].includes(row[each.column] ?? null));
  const mine = ownerValues.filter(isMine).length;
  const remove = step(sql`delete from ${tableSql(table)} returning 1 as one`);
  const shows: Probe['shows'] = ([written]) =>
    (written ?? 0) > mine && `Of ${String(written)} rows, ${String(mine)} are its own.`;
  const probe = (write: Write): Probe =>
    probeOf('write-of-another', nameOf(table), write, [write.step], shows);
  const changes = { [column ?? '']: rows[0]?.[column ?? ''] ?? null };
  const canTake = own.every((each) => each.value !== null && canUpdate(setting, each.column));
  return [
    ...when(canTake && isSure(setting, 'w'), () => [probe(updateOf(setting, valuesOf(own)))]),
    ...when(column !== undefined && isSure(setting, 'w'), () => [probe(updateOf(setting, changes))]),
    ...when(grant.delete && isSure(setting, 'd'), () => [
      probe({ step: remove, request: requestOf('DELETE', table) }),
    ]),
  ];
}
