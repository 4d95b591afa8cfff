/**
 * Which reads may share a statement with others of their role: those whose rows depend on nothing of a request but the
 * values of its filters. Functions, views and policies see the claims and the headers of a request; what is read here are
 * columns of tables, with the functions and operators of PostgreSQL alone. Whether policies apply to the tables is known
 * when the statement has run, since they may have been added after the schema was loaded.
 */
import type { Column, ColumnPair, SchemaCache, Table } from '../schema-cache/types.js';
import type { Condition, FieldExpression, OrderTerm, SelectItem, Tested } from './expression.js';
import { findTable } from './find-table.js';
import { planLookup } from './plan-lookup.js';
import type { ReadPlan } from './plan.js';
import type { Embed, ReadNode } from './read-node.js';
import type { Sharing } from './sharing.js';

/** The tables of the nodes, by alias. */
type Tables = Map<string, Table>;

/** Returns null for a read that runs alone. */
export function planSharing(plan: Omit<ReadPlan, 'sharing'>, cache: SchemaCache): Sharing | null {
  const { root, assumed, count, output } = plan;
  if (assumed.length > 0 || output.explain !== null || (count !== null && count.mode !== 'exact'))
    return null;
  if (!FORMS.has(output.form.kind)) return null;
  const tables: Tables = new Map();
  const junctions: Table[] = [];
  if (!findTables(root, cache, tables, junctions) || !isPlainNode(root, tables)) return null;
  const relations = [...tables.values(), ...junctions].map(({ schema, name }) => ({ schema, name }));
  return { relations, lookup: planLookup(plan, tables.get(root.alias) ?? null) };
}

/** The other forms call functions of the schema, or send rows one by one. */
const FORMS: ReadonlySet<ReadPlan['output']['form']['kind']> = new Set([
  'none',
  'array',
  'object',
  'csv',
  'lines',
]);

/** Finds the tables of a node and of the embeds below it. @returns false if there is anything but tables */
function findTables(node: ReadNode, cache: SchemaCache, tables: Tables, junctions: Table[]): boolean {
  const table = node.source.kind === 'relation' ? findTable(cache, node.source.name) : null;
  if (!isTable(table)) return false;
  tables.set(node.alias, table);
  return node.embeds.every((embed) => {
    if (!findTables(embed.node, cache, tables, junctions)) return false;
    const related = tables.get(embed.node.alias);
    return related !== undefined && findLink(embed, table, related, cache, junctions);
  });
}

const isTable = (table: Table | null): table is Table =>
  table !== null && (table.kind === 'table' || table.kind === 'partitioned table');

/** Whether an embed is linked by columns that the operators of PostgreSQL compare. */
function findLink(
  { link, spread }: Embed,
  parent: Table,
  related: Table,
  cache: SchemaCache,
  junctions: Table[],
): boolean {
  if (spread || link.kind === 'computed') return false;
  if (link.kind === 'columns') return arePlain(link.pairs, parent, related);
  const junction = findTable(cache, link.junction);
  if (!isTable(junction)) return false;
  junctions.push(junction);
  return arePlain(link.parentPairs, parent, junction) && arePlain(link.childPairs, junction, related);
}

const arePlain = (pairs: readonly ColumnPair[], { columns }: Table, other: Table): boolean =>
  pairs.every(({ left, right }) => isCompared(columns.get(left)) && isCompared(other.columns.get(right)));

/** Whether no operator of the schema compares the column: PostgreSQL prefers one for a domain to that of its base type. */
const isCompared = (column: Column | undefined): boolean =>
  column !== undefined && isBuiltIn(column) && !column.type.isDomain;

function isPlainNode(node: ReadNode, tables: Tables): boolean {
  const { select, where, having, distinct, order, seek, embeds, mayFail } = node;
  const fields = distinct?.kind === 'fields' ? distinct.fields : [];
  const terms = [...order, ...(seek?.terms.map(({ term }) => term) ?? [])];
  return (
    !mayFail &&
    select.every((item) => isPlainItem(item, tables)) &&
    [...where, ...(having === null ? [] : [having])].every((condition) =>
      isPlainCondition(condition, tables),
    ) &&
    fields.every((field) => isColumn(field, tables)) &&
    terms.every((term) => isPlainTerm(term, tables)) &&
    embeds.every((embed) => isPlainNode(embed.node, tables))
  );
}

function isPlainItem(item: SelectItem, tables: Tables): boolean {
  switch (item.kind) {
    case 'all': {
      const table = tables.get(item.relation);
      return table !== undefined && [...table.columns.values()].every(isBuiltIn);
    }
    case 'embed':
      return true;
    case 'count':
      return item.cast === null && (item.filter === null || isPlainCondition(item.filter, tables));
    case 'field': {
      const { cast, representation, aggregate, expression } = item;
      // The names of aggregates are not qualified: the schema may have one for a type of PostgreSQL.
      return cast === null && representation === null && aggregate === null && isColumn(expression, tables);
    }
  }
}

function isPlainCondition(condition: Condition, tables: Tables): boolean {
  switch (condition.kind) {
    case 'logic':
      return condition.terms.every((term) => isPlainCondition(term, tables));
    case 'related':
      return true;
    case 'comparison':
    case 'in':
      return condition.representation === null && isPlainValue(condition.field, tables);
    case 'is':
    case 'search':
      return isPlainValue(condition.field, tables);
  }
}

const isPlainValue = (tested: Tested, tables: Tables): boolean =>
  'selected' in tested
    ? isPlainItem(tested.selected, tables)
    : isCompared(tables.get(tested.relation)?.columns.get(tested.column));

/** The value of a term that is sorted by a selected value is one of the select list. */
const isPlainTerm = ({ field, value }: OrderTerm, tables: Tables): boolean =>
  value?.kind === 'selected' ? isPlainItem(value.item, tables) : isColumn(field, tables);

/** Whether a field is a column of its table. Any other name is that of a function. */
function isColumn({ relation, column }: FieldExpression, tables: Tables): boolean {
  const found = tables.get(relation)?.columns.get(column);
  return found !== undefined && isBuiltIn(found);
}

/**
 * Whether the type belongs to PostgreSQL: only names of other types have a schema. An enum does not: `row_to_json` calls
 * the function of its cast to json, if it has one, and operators of the schema may compare its values.
 */
const isBuiltIn = ({ type }: Column): boolean => !type.baseName.includes('.');
