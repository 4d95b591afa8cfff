/** Plans POST of rows with the rows that belong to them: one statement for each resource (docs/data-api/graphs.md). */
import { dbrError } from '../../errors/dbr-error.js';
import { mayHoldNull, privilegesOf } from '../schema-cache/lookups.js';
import type { Column, JunctionRelationship, Table } from '../schema-cache/types.js';
import type { WrittenColumn } from '../plan/expression.js';
import {
  assignedColumns,
  type GeneratedColumn,
  type GraphRows,
  type GraphStep,
  type JunctionStep,
  type KeptValue,
  type KeyColumn,
  linkedColumns,
  type WrittenKeys,
} from '../plan/graph.js';
import {
  type GraphWrite,
  type PlanContext,
  findTable,
  freeColumn,
  unknownTable,
} from '../plan/plan-context.js';
import { requireKnownPaths, wideType, writtenColumn } from '../plan/plan-mutation.js';
import type { InsertChange } from '../plan/plan.js';
import {
  buildNode,
  defaultOf,
  type GraphContext,
  type GraphNode,
  isBefore,
  link,
  orderedSteps,
  type RelatedNode,
} from './nodes.js';

/**
 * Plans the statements of an insert with related rows. Rows to which others refer come first.
 * @throws DBR108, 170, 171, 172, 200, 201, 204 and 205
 */
export function planGraph(write: GraphWrite): InsertChange {
  const { request, target, keys, represent, conflict, tree } = write;
  const table = findTable(tree.cache, target);
  const key = table?.primaryKey ?? [];
  if (represent === 'full' && key.length === 0)
    throw dbrError('GraphNotPossible', { relation: target.name, details: 'noKey' });
  if (table === null) throw unknownTable(tree, target.schema, target.name);
  requireKnownPaths(request.query.conflicts, keys);
  const many = request.payload?.kind === 'json' && request.payload.many;
  const graph: GraphContext = { ...write, nodes: [] };
  const place = { tree: keys, target, table, path: [], levels: [{ key: null, many }], begin: null };
  const root = buildNode(place, graph);
  const identified = represent === 'none' ? [] : key;
  for (const column of identified) root.needed.add(column);
  for (const node of graph.nodes) for (const child of node.children) link(node, child);
  const useDefaults = request.preferences.missing === 'default';
  const steps = orderedSteps(root, graph, ({ node, parent }) => ({
    rows: ownSteps(node, rowsOf(node, useDefaults, tree), tree),
    junction:
      parent?.relationship.kind === 'junction'
        ? [junctionStep(parent.node, node, parent.relationship, write)]
        : [],
  }));
  return {
    kind: 'insert',
    payload: { many, columns: rootColumns(steps) },
    conflict,
    where: [],
    graph: { steps, lists: graph.nodes.map(listOf), root: root.list, identified },
  };
}

/** Returns the columns of the statement that inserts the row of the root. */
function rootColumns(steps: readonly GraphStep[]): readonly WrittenColumn[] {
  for (const step of steps) if (step.kind === 'insert' && step.path.length === 0) return step.columns;
  return [];
}

/** Returns the statements of the rows of one resource. @param rows their objects */
function ownSteps(node: GraphNode, given: GraphRows, context: PlanContext): readonly GraphStep[] {
  const { conflict, list, needed, table } = node;
  // Rows that are skipped are not compared: PostgreSQL refuses the values.
  const rows = conflict?.resolution === 'ignore' ? { ...given, generated: [] } : given;
  const counts = node.path.length === 0 && conflict?.resolution === 'merge' && hasColumns(rows);
  const insert = { ...rows, kind: 'insert', conflict, counts } as const;
  const isListed = needed.size > 0 || node.path.length === 0 || rows.generated.length > 0;
  if (!isListed) return [{ ...insert, made: [], keys: null }];
  const isSupplied = suppliedBy(rows);
  const missing = [...needed].filter((column) => !isSupplied(column));
  if (conflict !== null && conflict.columns.every(isSupplied)) {
    const identifies = [...needed].every((column) => conflict.columns.includes(column));
    if (conflict.resolution === 'ignore' && !(identifies && table.keepsInserts))
      return [
        { ...insert, made: [], keys: null },
        { ...rows, kind: 'look up', by: conflict.columns, list },
      ];
    if (!identifies) return [{ ...insert, made: [], keys: { list, from: 'returned', compared: false } }];
  }
  const made = missing.flatMap((column) => madeColumn(column, table, context));
  // A default that an existing row has already would otherwise skip the row, and link its related rows to that row.
  const maySkip = conflict?.resolution === 'ignore' && made.length > 0;
  const keys: WrittenKeys =
    made.length === missing.length
      ? { list, from: 'given', compared: maySkip || !table.keepsInserts }
      : { list, from: 'returned', compared: false };
  return [{ ...insert, made: keys.from === 'given' ? made : [], keys }];
}

const hasColumns = ({ columns, links, generated }: GraphRows): boolean =>
  columns.length > generated.length || links.length > 0;

/** Returns whether the objects, or the rows to which they refer, have a value for a column that can be written. */
function suppliedBy(rows: GraphRows): (column: string) => boolean {
  const names = new Set(assignedColumns(rows));
  return (column) => names.has(column);
}

/**
 * Returns the default of a column that is evaluated before the insert. PostgreSQL then requires the privilege to insert
 * the column; a role without it, and the identity, whose sequence only the insert may use, need RETURNING.
 */
function madeColumn(
  name: string,
  { columns, kind, tableAccess }: Table,
  { cache, role }: PlanContext,
): readonly { readonly name: string; readonly sql: string }[] {
  const value = defaultOf(columns.get(name));
  const mayInsert =
    (kind === 'table' || kind === 'partitioned table') &&
    privilegesOf(cache.roles, role)(tableAccess, 'INSERT');
  return value !== null && mayInsert ? [{ name, sql: value }] : [];
}

/**
 * Returns the objects of a resource.
 * @param useDefaults whether an object that lacks a column gets its default
 */
function rowsOf(node: GraphNode, useDefaults: boolean, { cache }: PlanContext): GraphRows {
  const { target, table, tree, path, levels, begin, links, children } = node;
  const columns = [...new Set(tree.columns)].map((key): WrittenColumn => {
    const column = table.columns.get(key);
    if (column === undefined) throw unknownKey(node, key);
    return writtenColumn(column, useDefaults, cache);
  });
  const linked = new Set(linkedColumns(links));
  // A default is not a value of the object, which would have to be the key of the other row.
  const needsObject = columns.some((column) => column.default !== null && linked.has(column.name));
  return {
    target,
    path,
    levels,
    begin,
    columns,
    links,
    generated: columns.flatMap(({ name }) => generatedColumn(table.columns.get(name))),
    object: needsObject ? freeColumn('object', table) : null,
    kept: children
      .filter(({ relationship }) => !isBefore(relationship))
      .map((child) => keptValue(child, table)),
    number: freeColumn('number', table) ?? 'number',
    parent: freeColumn('parent', table) ?? 'parent',
  };
}

/** Whether a statement may assign a value to the column. */
const isAssignable = (column: Column | undefined): boolean =>
  column?.identity !== 'always' && column?.generated !== true;

const generatedColumn = (column: Column | undefined): readonly GeneratedColumn[] =>
  column === undefined || isAssignable(column) ? [] : [{ name: column.name, storedType: column.type.name }];

function keptValue({ relationship, node: { list, path } }: RelatedNode, table: Table): KeptValue {
  const pairs = relationship.kind === 'junction' ? relationship.sourceColumns : relationship.columns;
  return {
    key: path.at(-1) ?? '',
    list,
    name: freeColumn(`objects_${String(list)}`, table) ?? '',
    keys: pairs.map(({ left }) => left).filter((column) => isNullable(column, table)),
  };
}

/** Whether a column outside of the primary key may be null. */
function isNullable(name: string, { columns, primaryKey }: Table): boolean {
  const column = columns.get(name);
  return !primaryKey.includes(name) && column !== undefined && mayHoldNull(column);
}

/** Returns the error for a key of the objects that is not a column of their relation. */
const unknownKey = ({ path, target }: GraphNode, key: string): Error =>
  path.length === 0
    ? dbrError('ColumnNotFound', { column: key, relation: target.name })
    : dbrError('GraphKeyNotFound', { key, relation: target.name, path: [...path, key].join('.') });

function junctionStep(
  parent: GraphNode,
  child: GraphNode,
  { junction, sourceColumns, targetColumns }: JunctionRelationship,
  { request, tree }: GraphWrite,
): JunctionStep {
  const columns = findTable(tree.cache, junction)?.primaryKey ?? [];
  return {
    kind: 'junction',
    target: junction,
    path: child.path,
    levels: child.levels,
    child: {
      list: child.list,
      pairs: targetColumns.map(({ left, right }) => ({ column: left, key: right })),
    },
    parent: {
      list: parent.list,
      pairs: sourceColumns.map(({ left, right }) => ({ column: right, key: left })),
    },
    // A row of a junction has no other columns that could be merged.
    conflict:
      request.preferences.resolution === null || columns.length === 0
        ? null
        : { columns, resolution: 'ignore' },
  };
}

const listOf = ({ needed, table }: GraphNode): readonly KeyColumn[] =>
  [...needed].flatMap((name): KeyColumn[] => {
    const type = table.columns.get(name)?.type;
    return type === undefined ? [] : [{ name, type: wideType(type), storedType: type.name }];
  });
