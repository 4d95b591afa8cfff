/** What a plan reads, and which rows can be in its answer. */
import type { Condition, Embed, FieldExpression, ReadNode, SelectItem } from '../data-api/plan/expression.js';
import type { CallPlan, ReadPlan } from '../data-api/plan/plan.js';
import { find } from '../data-api/schema-cache/lookups.js';
import type { Column, QualifiedName, SchemaCache, Table } from '../data-api/schema-cache/types.js';
import type { NamedObjects } from './dependencies.js';

export interface PlanFacts extends NamedObjects {
  /** The table whose rows are the rows of the body; null for a view, a function, groups and distinct rows. */
  readonly rows: RowFacts | null;
  /** Whether the request names a moment by a word, such as `now`. */
  readonly readsClock: boolean;
}

export interface RowFacts {
  readonly table: QualifiedName;
  /** The members of a row with the primary key, in its order; null if the body lacks one. */
  readonly keyNames: readonly string[] | null;
  /** The primary key, if a row that is not in the body cannot change it by going; otherwise null. */
  readonly key: readonly string[] | null;
  /** A column, and the only value that rows of the body have in it. */
  readonly demand: { readonly column: string; readonly value: string } | null;
}

type LivePlan = ReadPlan | CallPlan;

/** @param values the values of the query string, by their indexes in the plan */
export function planFacts(plan: LivePlan, values: readonly string[], cache: SchemaCache): PlanFacts {
  const relations = relationsOf(plan.root);
  return {
    relations,
    functions: [...functionsOf(plan, relations, cache)],
    rows: plan.kind === 'read' ? rowFacts(plan, values, cache) : null,
    readsClock: values.some((value) => CLOCK_WORD.test(value)),
  };
}

/** Words that PostgreSQL reads as moments (manual, 8.5.1.4), also within lists. */
const CLOCK_WORD = /\b(?:now|today|tomorrow|yesterday|allballs)\b/i;

function relationsOf({ source, embeds }: ReadNode): readonly QualifiedName[] {
  const own = source.kind === 'relation' ? [source.name] : [];
  return [...own, ...embeds.flatMap(relationsOfEmbed)];
}

const relationsOfEmbed = ({ link, node }: Embed): readonly QualifiedName[] => [
  ...(link.kind === 'junction' ? [link.junction] : []),
  ...relationsOf(node),
];

/** The functions that a plan calls: computed columns and relationships, conversions, the function of a call. */
function functionsOf(
  plan: LivePlan,
  relations: readonly QualifiedName[],
  cache: SchemaCache,
): Set<QualifiedName> {
  const functions = new Set<QualifiedName>();
  const columns = new Set<string>();
  // A walk through all objects of the plan: its nodes name functions in many places.
  JSON.stringify(plan, (name, value: unknown) => {
    if (typeof value === 'bigint') return null;
    if (typeof value !== 'object' || value === null) return value;
    if ((name === 'function' || name === 'representation') && isName(value)) functions.add(value);
    if ('column' in value && typeof value.column === 'string') columns.add(value.column);
    return value;
  });
  for (const { schema, name } of relations)
    for (const [column, fields] of find(cache.computedFields, schema, name) ?? [])
      if (columns.has(column)) for (const field of fields) functions.add(field.function);
  return functions;
}

const isName = (value: object): value is QualifiedName =>
  'schema' in value && typeof value.schema === 'string' && 'name' in value && typeof value.name === 'string';

function rowFacts({ root, count }: ReadPlan, values: readonly string[], cache: SchemaCache): RowFacts | null {
  const { source, grouped, distinct, range } = root;
  const table =
    source.kind === 'relation' ? find(cache.tables, source.name.schema, source.name.name) : undefined;
  if (table === undefined || !isPlain(table)) return null;
  const isWhole = grouped || distinct !== null;
  const keyNames = isWhole || table.primaryKey.length === 0 ? null : shownNames(root, table.primaryKey);
  const mayShift = range.offset !== null || root.seek !== undefined || count !== null;
  const isFound = keyNames !== null && !mayShift && table.primaryKey.every((name) => isExact(table, name));
  return {
    table: { schema: table.schema, name: table.name },
    keyNames,
    key: isFound ? table.primaryKey : null,
    demand: demandOf(root, values, table),
  };
}

/** Whether the rows of the table are in no other one. */
const isPlain = ({ kind, isInherited }: Table): boolean =>
  kind === 'partitioned table' || (kind === 'table' && isInherited !== true);

/** The names of columns in the body; null unless it has each of them, unchanged and once. */
function shownNames({ alias, select }: ReadNode, columns: readonly string[]): readonly string[] | null {
  const names = columns.map((column) => shownName(select, alias, column));
  const known = names.filter((name) => name !== null);
  return known.length === columns.length ? known : null;
}

function shownName(select: readonly SelectItem[], alias: string, column: string): string | null {
  for (const item of select) {
    const name =
      item.kind === 'all' && item.relation === alias
        ? column
        : isColumn(item, alias, column)
          ? item.name
          : null;
    if (name !== null && select.filter((other) => mayHaveName(other, name)).length === 1) return name;
  }
  return null;
}

const isColumn = (
  item: SelectItem,
  alias: string,
  column: string,
): item is Extract<SelectItem, { kind: 'field' }> =>
  item.kind === 'field' &&
  item.representation === null &&
  item.cast === null &&
  item.aggregate === null &&
  isColumnField(item.expression, alias, column);

const isColumnField = (field: FieldExpression, alias: string, column: string): boolean =>
  field.relation === alias && field.column === column && field.path.length === 0 && !field.viaJson;

/** A spread resource may have a column of any name. */
const mayHaveName = (item: SelectItem, name: string): boolean => item.kind === 'all' || item.name === name;

/** The texts of types that are equal exactly if the values are, as the log and the URL have them. */
const EXACT: ReadonlyMap<string, RegExp> = new Map([
  ...['smallint', 'integer', 'bigint'].map((type) => [type, /^(?:0|-?[1-9]\d*)$/] as const),
  ...['text', 'character varying'].map((type) => [type, /^/] as const),
  ['uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
]);

function isExact({ columns }: Table, name: string): boolean {
  const column = columns.get(name);
  return column !== undefined && exactText(column) !== undefined;
}

const exactText = ({ type }: Column): RegExp | undefined =>
  type.isDomain ? undefined : EXACT.get(type.plainName);

function demandOf({ alias, where }: ReadNode, values: readonly string[], table: Table): RowFacts['demand'] {
  for (const condition of where) {
    const equal = equalityOf(condition, alias);
    if (equal === null) continue;
    const column = table.columns.get(equal.column);
    const value = values[equal.index];
    if (column !== undefined && value !== undefined && exactText(column)?.test(value) === true)
      return { column: equal.column, value };
  }
  return null;
}

function equalityOf(
  condition: Condition,
  alias: string,
): { readonly column: string; readonly index: number } | null {
  if (condition.kind !== 'comparison' || condition.negated || condition.operator !== 'eq') return null;
  const { field, quantifier, operand, representation } = condition;
  if (quantifier !== null || representation !== null || 'selected' in field) return null;
  if (operand.kind !== 'value' || operand.encoding !== 'verbatim') return null;
  return isColumnField(field, alias, field.column) ? { column: field.column, index: operand.index } : null;
}
