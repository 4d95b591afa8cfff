/** Calls of functions with the rights of their owner. */
import { isObject } from '../base/json.js';
import { catalogueSql, joinSql, quoteQualified, sql } from '../postgres/sql.js';
import type { Definer } from './catalogue.js';
import {
  nameOf,
  type Outcome,
  type OwnValue,
  type Probe,
  type RowTexts,
  type Step,
  type Subject,
} from './probe.js';

const MOST_CALLS = 8;

/** Calls with values of rows as arguments: the n-th call has the n-th value of each type. */
export function callsOf(
  definer: Definer,
  subjects: readonly Subject[],
): readonly (Step & Pick<Probe, 'request'>)[] {
  const { schema, name, arguments: types, argumentNames } = definer;
  const candidates = types.map((type) => valuesOfType(type, subjects));
  const count = types.length === 0 ? 1 : Math.max(...candidates.map(({ length }) => length));
  const parameters = types.map((type, index) => sql`$${index + 1}::text::${catalogueSql(type)}`);
  return Array.from({ length: count }, (_, index) => {
    const values = candidates.map((each) => each[index % Math.max(each.length, 1)] ?? null);
    const given = values.map((value, place) => [argumentNames[place] ?? '', value] as const);
    const body = JSON.stringify(Object.fromEntries(given));
    return {
      text: sql`select pg_catalog.to_json(called)::text as row from ${quoteQualified(schema, name)}(${joinSql(parameters, ', ')}) as called limit 50`,
      values,
      request: { method: 'POST', path: `rpc/${encodeURIComponent(name)}`, schema, body },
    };
  });
}

function valuesOfType(type: string, subjects: readonly Subject[]): readonly string[] {
  const values = subjects.flatMap(({ table, rows, owners, planted }) => {
    const wanted = [...owners.map(({ column }) => column), ...table.key];
    const columns = table.columns.filter((column) => wanted.includes(column.name) && column.type === type);
    return planted === null ? columns.flatMap(({ name }) => rows.map((row) => row[name])) : [];
  });
  return [...new Set(values.filter((value) => typeof value === 'string'))].slice(0, MOST_CALLS);
}

/** The rows of a call as texts; a row of one unnamed column has none. */
export const calledRows = (outcome: Outcome | undefined): readonly RowTexts[] =>
  (outcome?.kind === 'rows' ? outcome.rows : []).flatMap(({ row }) => {
    const value: unknown = typeof row === 'string' ? JSON.parse(row) : null;
    if (!isObject(value)) return [];
    const texts = Object.entries(value).map(([name, member]): readonly [string, string | null] => [
      name,
      typeof member === 'string' || member === null ? member : JSON.stringify(member),
    ]);
    return [Object.fromEntries(texts)];
  });

/** Whether a row has an owner column with the value of another. */
export const hasOtherOwner = (row: RowTexts, own: readonly OwnValue[]): boolean => {
  const known = own.filter(({ column }) => typeof row[column] === 'string');
  return known.length > 0 && known.every(({ column, value }) => row[column] !== value);
};

/** The finding for a call whose rows the caller cannot select. */
export const passesPolicy = (definer: Definer, role: string, request: Probe['request']): Probe => ({
  rule: 'definer-passes-policy',
  object: nameOf(definer),
  request,
  steps: [],
  shows: () => `The role of the caller is ${role}.`,
});
