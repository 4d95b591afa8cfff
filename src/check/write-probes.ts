/** Questions that write. No statement takes a number from a sequence. */
import { joinSql, quoteIdentifier, sql, type Sql } from '../postgres/sql.js';
import { strangeValue } from './callers.js';
import { grantOf, type Grant, type Table } from './catalogue.js';
import { appliesTo, ownersDecide } from './owners.js';
import {
  MANY_ROWS,
  columnNamed,
  errorOf,
  isOfAnother,
  isTable,
  lookUp,
  nameOf,
  requestOf,
  rowsOf,
  tableSql,
  typed,
  type Outcome,
  type Probe,
  type RowTexts,
  type Setting,
  type Step,
} from './probe.js';

const UNIQUE_VIOLATION = '23505';

/** PostgreSQL checks policies before unique and foreign keys: a write that fails on these has passed the policies. */
const hasPassed = (written: Outcome | undefined): boolean =>
  (rowsOf(written) ?? 0) > 0 || [UNIQUE_VIOLATION, '23503'].includes(errorOf(written) ?? '');

const grantTo = ({ subject: { table }, caller }: Setting): Grant => grantOf(table, caller.role);

export function writeProbes(setting: Setting): readonly Probe[] {
  const { table, ownerValues } = setting.subject;
  if (!isTable(table)) return [];
  return [
    ...(canInsert(setting) ? inserts(setting) : []),
    ...(ownerValues.length <= MANY_ROWS ? [...updates(setting), ...changesOfOthers(setting)] : []),
  ];
}

/** Whether no column that the caller may not set takes a number from a sequence. */
export function canInsert(setting: Setting): boolean {
  const { insert } = grantTo(setting);
  const { columns } = setting.subject.table;
  return insert.length > 0 && columns.every(({ name, hasSequence }) => !hasSequence || insert.includes(name));
}

/** Inserts a row. All columns that the caller may set are given, so that no default is used. */
export function insertOf(
  setting: Setting,
  texts: RowTexts,
): Pick<Probe, 'request'> & { readonly step: Step } {
  const { table } = setting.subject;
  const { insert } = grantTo(setting);
  const given = table.columns.flatMap(({ name, isGenerated }) =>
    !isGenerated && insert.includes(name) ? [name] : [],
  );
  const values = given.map((name, index) => typed(table, name, index + 1));
  return {
    step: {
      text: sql`insert into ${tableSql(table)} (${joinSql(given.map(quoteIdentifier), ', ')}) overriding system value values (${joinSql(values, ', ')}) returning 1 as one`,
      values: given.map((name) => texts[name] ?? null),
    },
    request: requestOf('POST', table, {
      body: Object.fromEntries(given.map((name) => [name, texts[name] ?? null])),
    }),
  };
}

/** Values of unique columns that no row has; those of owner columns and foreign keys stay. */
function freshValues(
  { subject: { table }, own, seed }: Setting,
  grant: Grant,
  kept: readonly string[] = [],
): RowTexts {
  const fixed = [
    ...kept,
    ...own.map(({ column }) => column),
    ...table.foreignKeys.flatMap(({ columns }) => columns),
  ];
  return Object.fromEntries(
    table.uniques.flatMap((unique) => {
      const name = unique.findLast((each) => !fixed.includes(each) && grant.insert.includes(each));
      const column = name === undefined ? undefined : columnNamed(table, name);
      const value =
        column === undefined ? null : strangeValue(column, seed, `${nameOf(table)}.${column.name}`);
      return column === undefined || value === null ? [] : [[column.name, value]];
    }),
  );
}

export const ownValues = ({ own }: Setting): RowTexts =>
  Object.fromEntries(own.map(({ column, value }) => [column, value]));

/** Owner columns with values of another: of a row where there is one, invented otherwise. */
function valuesOfAnother({ own, subject: { table, rows }, seed }: Setting): RowTexts {
  const row = rows.find((each) => isOfAnother(own, each));
  return Object.fromEntries(
    own.map(({ column, value }) => {
      const like = value ?? rows[0]?.[column] ?? undefined;
      const of = columnNamed(table, column) ?? { type: 'text', category: 'S' };
      return [column, row?.[column] ?? strangeValue(of, seed, `other ${column}`, like)];
    }),
  );
}

function inserts(setting: Setting): readonly Probe[] {
  const { subject, own, caller } = setting;
  const { table, rows } = subject;
  const grant = grantTo(setting);
  const base = rows.find((row) => own.some(({ column, value }) => row[column] === value)) ?? rows[0] ?? {};
  const fresh = freshValues(setting, grant);
  const mine = ownValues(setting);
  const others = valuesOfAnother(setting);
  const canSetOwners = own.length > 0 && own.every(({ column }) => grant.insert.includes(column));
  const isOwned = canSetOwners && own.every(({ value }) => value !== null);
  const readsNothing = !table.policies.some(
    (policy) => policy.isPermissive && appliesTo(policy, caller.role, 'r'),
  );
  const canLookUp = table.key.length > 0 && table.key.every((column) => grant.select.includes(column));
  const readBack = (rule: Probe['rule'], changes: RowTexts, shown: boolean | string): readonly Probe[] => {
    if (!canLookUp || !table.hasRowSecurity) return [];
    const row = { ...base, ...fresh, ...changes };
    const { step, request } = insertOf(setting, row);
    const steps = [step, lookUp(table, table.key, row)];
    const shows: Probe['shows'] = ([written, seen]) => rowsOf(written) === 1 && rowsOf(seen) === 0 && shown;
    return [{ rule, object: nameOf(table), request, steps, shows }];
  };
  const given = insertOf(setting, { ...base, ...fresh, ...others });
  return [
    ...(isOwned || readsNothing ? readBack('written-not-readable', isOwned ? mine : {}, true) : []),
    ...(canSetOwners
      ? [
          leavesTenant(
            setting,
            [given.step],
            given.request,
            ([written]) => hasPassed(written) && 'An insert is accepted.',
          ),
        ]
      : []),
    ...(isOwned && own.length > 1
      ? own.flatMap(({ column }) =>
          readBack(
            'write-leaves-tenant',
            { ...mine, [column]: others[column] ?? null },
            `An insert with the ${column} of another is accepted, and the caller does not see the row.`,
          ),
        )
      : []),
    ...(isOwned && canLookUp
      ? [...conflicts(setting), ...references(setting, { ...base, ...fresh, ...mine })]
      : []),
  ];
}

const leavesTenant = (
  { subject: { table } }: Setting,
  steps: readonly Step[],
  request: Probe['request'],
  shows: Probe['shows'],
): Probe => ({ rule: 'write-leaves-tenant', object: nameOf(table), request, steps, shows });

/** Inserts the unique values of a hidden row. Single numbers and UUIDs say little, and are left out. */
function conflicts(setting: Setting): readonly Probe[] {
  const { own, subject } = setting;
  const { table, rows } = subject;
  const grant = grantTo(setting);
  const hidden = rows.find((row) => isOfAnother(own, row));
  if (hidden === undefined || !table.hasRowSecurity) return [];
  const tells = (name: string): boolean => {
    const { hasSequence = true, type = '' } = columnNamed(table, name) ?? {};
    const isOwner = own.some(({ column }) => column === name);
    return (
      grant.insert.includes(name) &&
      !hasSequence &&
      type !== 'uuid' &&
      typeof hidden[name] === 'string' &&
      !isOwner
    );
  };
  return table.uniques
    .filter((unique) => unique.length > 1 || columnNamed(table, unique[0] ?? '')?.category !== 'N')
    .filter((unique) => unique.every(tells))
    .map((unique): Probe => {
      const row = { ...hidden, ...freshValues(setting, grant, unique), ...ownValues(setting) };
      const { step, request } = insertOf(setting, row);
      return {
        rule: 'hidden-by-conflict',
        object: `${nameOf(table)} (${unique.join(', ')})`,
        request,
        steps: [lookUp(table, table.key, hidden), step],
        shows: ([seen, written]) => rowsOf(seen) === 0 && errorOf(written) === UNIQUE_VIOLATION,
      };
    });
}

/** Inserts references to hidden rows of other tables. */
function references(setting: Setting, row: RowTexts): readonly Probe[] {
  const { own, subject, subjects, caller } = setting;
  const { table } = subject;
  const { insert } = grantTo(setting);
  const fixed = (column: string): boolean =>
    !insert.includes(column) ||
    columnNamed(table, column)?.type === 'uuid' ||
    own.some((owner) => owner.column === column);
  return table.foreignKeys.flatMap(({ columns, keys, table: oid }): readonly Probe[] => {
    const target = subjects.get(oid);
    if (target?.table.hasRowSecurity !== true || target.planted !== null || columns.some(fixed)) return [];
    const { select } = grantOf(target.table, caller.role);
    if (keys.some((column) => !select.includes(column))) return [];
    return target.rows.slice(0, 5).map((referred): Probe => {
      const changes = columns.map((column, index) => [column, referred[keys[index] ?? ''] ?? null] as const);
      const { step, request } = insertOf(setting, { ...row, ...Object.fromEntries(changes) });
      return {
        rule: 'hidden-by-foreign-key',
        object: `${nameOf(table)} (${columns.join(', ')})`,
        request,
        steps: [lookUp(target.table, keys, referred), step],
        shows: ([seen, written]) =>
          rowsOf(seen) === 0 && rowsOf(written) === 1 && `The row is one of ${nameOf(target.table)}.`,
      };
    });
  });
}

/** An update of all rows: without a condition, the policies for select do not limit it. */
function updateOf(table: Table, changes: RowTexts): Step {
  const assignments = Object.keys(changes).map(
    (column, index): Sql => sql`${quoteIdentifier(column)} = ${typed(table, column, index + 1)}`,
  );
  return {
    text: sql`update ${tableSql(table)} set ${joinSql(assignments, ', ')} returning 1 as one`,
    values: Object.values(changes),
  };
}

/** Updates that give rows away: in all owner columns, and where there are several, in one. */
function updates(setting: Setting): readonly Probe[] {
  const { own, subject } = setting;
  const { table } = subject;
  const { update, select } = grantTo(setting);
  const others = valuesOfAnother(setting);
  const settable = own.filter(({ column, value }) => value !== null && update.includes(column));
  const seen: Step = { text: sql`select from ${tableSql(table)}`, values: [] };
  const probe = (changes: RowTexts, around: readonly Step[], shows: Probe['shows']): Probe =>
    leavesTenant(
      setting,
      [...around, updateOf(table, changes), ...around],
      requestOf('PATCH', table, { body: changes }),
      shows,
    );
  return [
    ...(own.length > 0 && settable.length === own.length
      ? [probe(others, [], ([written]) => hasPassed(written) && 'An update gives rows to another.')]
      : []),
    ...(own.length > 1 && select.length > 0 ? settable : []).map(({ column }) =>
      probe({ [column]: others[column] ?? null }, [seen], ([before, written, after]) => {
        const isLess = (rowsOf(written) ?? 0) > 0 && (rowsOf(after) ?? 0) < (rowsOf(before) ?? 0);
        return isLess && `An update of ${column} takes rows out of the caller's sight.`;
      }),
    ),
  ];
}

/** Updates and deletes of all rows, of which those are counted that are the caller's own in one owner column at least, or no caller's. */
function changesOfOthers(setting: Setting): readonly Probe[] {
  const { own, subject, caller } = setting;
  const { table, rows, ownerValues } = subject;
  const grant = grantTo(setting);
  const fixed = [...own.map(({ column }) => column), ...table.uniques.flat()];
  const column = grant.update.find((name) => {
    const { isGenerated = true, category = 'A' } = columnNamed(table, name) ?? {};
    return !fixed.includes(name) && !isGenerated && category !== 'A' && typeof rows[0]?.[name] === 'string';
  });
  const isMine = (row: RowTexts): boolean =>
    own.some(({ column: owner, value }) => row[owner] === null || row[owner] === value);
  const mine = ownerValues.filter(isMine).length;
  const probe = (command: 'w' | 'd', step: Step, request: Probe['request']): readonly Probe[] => {
    const isSure = own.some(({ isRule }) => isRule) || ownersDecide(table, caller.role, command);
    if (own.length === 0 || !isSure) return [];
    const shows: Probe['shows'] = ([written]) =>
      (rowsOf(written) ?? 0) > mine && `Of ${String(rowsOf(written))} rows, ${String(mine)} are its own.`;
    return [{ rule: 'write-of-another', object: nameOf(table), request, steps: [step], shows }];
  };
  const changes = column === undefined ? null : { [column]: rows[0]?.[column] ?? null };
  const remove: Step = { text: sql`delete from ${tableSql(table)} returning 1 as one`, values: [] };
  return [
    ...(changes === null
      ? []
      : probe('w', updateOf(table, changes), requestOf('PATCH', table, { body: changes }))),
    ...(grant.delete ? probe('d', remove, requestOf('DELETE', table)) : []),
  ];
}
