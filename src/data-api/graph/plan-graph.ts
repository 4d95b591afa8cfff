/** Plans POST, PUT and PATCH of rows with the rows that belong to them: one statement for each resource (docs/data-api/graphs.md). */
import { dbrError } from '../../errors/dbr-error.js';
import type { ApiRequest } from '../request/api-request.js';
import { mayHoldNull, privilegesOf } from '../schema-cache/lookups.js';
import type { Column, JunctionRelationship, QualifiedName, Table } from '../schema-cache/types.js';
import type { Condition, WrittenColumn } from '../plan/expression.js';
import {
  assignedColumns,
  type Assignments,
  type DeleteStep,
  type GeneratedColumn,
  type Graph,
  type GraphRows,
  type GraphStep,
  type JunctionStep,
  type KeptValue,
  type KeyColumn,
  linkedColumns,
  type ReferringColumn,
  type UnlinkStep,
  type WriteStep,
  type WrittenKeys,
} from '../plan/graph.js';
import {
  type GraphWrite,
  type PlanContext,
  findTable,
  freeColumn,
  unknownTable,
} from '../plan/plan-context.js';
import {
  isKeyedUpdate,
  requireKey,
  requireKnownPaths,
  wideType,
  writtenColumn,
} from '../plan/plan-mutation.js';
import type { GraphUpdateChange, InsertChange } from '../plan/plan.js';
import { planRange } from '../plan/read-tree.js';
import {
  buildNode,
  defaultOf,
  type GraphContext,
  type GraphNode,
  isBefore,
  isPath,
  link,
  type NodeSteps,
  orderedSteps,
  type PlacedNode,
  type RelatedNode,
} from './nodes.js';

/** Plans the statements of a write with related rows. @throws DBR108, 170, 171, 172, 200, 201, 204 and 205 */
export function planGraph(write: GraphWrite): InsertChange | GraphUpdateChange {
  const { kind } = write.request.action;
  if (kind === 'upsert') return planPut(write);
  return kind === 'update' ? planUpdate(write) : planInsert(write);
}

/** Plans POST. Rows to which others refer come first. */
function planInsert(write: GraphWrite): InsertChange {
  const { request, target, represent, conflict, tree } = write;
  const key = findTable(tree.cache, target)?.primaryKey ?? [];
  if (represent === 'full' && key.length === 0) throw notPossible(target, 'noKey');
  const many = request.payload?.kind === 'json' && request.payload.many;
  const useDefaults = request.preferences.missing === 'default';
  const graph = graphOf(write, many, represent === 'none' ? [] : key, ({ node, parent }) => ({
    deletes: [],
    rows: ownSteps(node, rowsOf(node, useDefaults, tree), tree),
    junction:
      parent?.relationship.kind === 'junction'
        ? [junctionStep(parent.node, node, parent.relationship, write)]
        : [],
  }));
  return { kind: 'insert', payload: { many, columns: rootColumns(graph) }, conflict, where: [], graph };
}

/** Returns the columns of the statement that inserts the row of the root. */
function rootColumns({ steps }: Graph): readonly WrittenColumn[] {
  for (const step of steps)
    if (step.kind === 'put' || (step.kind === 'insert' && step.path.length === 0)) return step.columns;
  return [];
}

/**
 * Returns the statements of a graph.
 * @param identified the columns by which the response finds the rows of the root; empty if it shows none
 */
function graphOf(
  write: GraphWrite,
  many: boolean,
  identified: readonly string[],
  stepsOf: (place: PlacedNode, graph: GraphContext) => NodeSteps,
): Graph {
  const { request, target, keys, tree } = write;
  const table = findTable(tree.cache, target);
  if (table === null) throw unknownTable(tree, target.schema, target.name);
  requireKnownPaths(request.query.conflicts, keys);
  const graph: GraphContext = { ...write, nodes: [] };
  const place = { tree: keys, target, table, path: [], levels: [{ key: null, many }], begin: null };
  const root = buildNode(place, graph);
  for (const column of identified) root.needed.add(column);
  for (const node of graph.nodes) for (const child of node.children) link(node, child);
  const steps = orderedSteps(root, graph, (placed) => stepsOf(placed, graph));
  return { steps, lists: graph.nodes.map(listOf), root: root.list, identified };
}

/** Returns the statements of the rows of one resource. @param rows their objects */
function ownSteps(node: GraphNode, given: GraphRows, context: PlanContext): readonly GraphStep[] {
  const { conflict, list, needed, table } = node;
  // Rows that are skipped are not compared: PostgreSQL refuses the values.
  const rows = conflict?.resolution === 'ignore' ? { ...given, generated: [] } : given;
  const counts = node.path.length === 0 && conflict?.resolution === 'merge' && hasColumns(rows);
  const insert = { ...rows, kind: 'insert', conflict, counts } as const;
  const isListed = needed.size > 0 || node.path.length === 0 || rows.generated.length > 0;
  if (!isListed) {
    // The statement that lists keys also compares the values of an object with those of its related rows.
    const keys: WrittenKeys | null = rows.nulls ? { list, from: 'given', compared: false } : null;
    return [{ ...insert, made: [], keys }];
  }
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
  // A default is no value of the object, which would have to be the key of the other row.
  const needsObject = columns.some((column) => column.default !== null && linked.has(column.name));
  return {
    target,
    path,
    levels,
    begin,
    columns,
    links,
    generated: columns.flatMap(({ name }) => generatedColumn(table.columns.get(name))),
    nulls: false,
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

/** Returns the error for a key of the objects that is no column of their relation. */
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
    unlessExists: false,
  };
}

const listOf = ({ needed, table }: GraphNode): readonly KeyColumn[] => keyColumns([...needed], table);

const keyColumns = (names: readonly string[], table: Table): readonly KeyColumn[] =>
  names.flatMap((name): KeyColumn[] => {
    const type = table.columns.get(name)?.type;
    return type === undefined ? [] : [{ name, type: wideType(type), storedType: type.name }];
  });

/**
 * Plans PATCH: the row of the root is found and locked, its to-one relatives are written, then the row, then its to-many
 * relatives.
 */
function planUpdate(write: GraphWrite): GraphUpdateChange {
  const { request, target, where } = write;
  if (isKeyedUpdate(request)) throw notPossible(target, 'rowKeys');
  const range = planRange(request.range, null);
  if (range.limit !== null || range.offset !== null) throw notPossible(target, 'limited');
  const graph = updatedGraph(write, (root) => {
    const rows = objectsOf(root, write);
    const assignments = assignmentsOf(root, rows, [], true);
    return { ...rows, kind: 'root', list: root.list, assignments, where, found: [] };
  });
  return { kind: 'graph-update', graph: withFound(graph, write, where) };
}

/** Plans PUT: the row of the root is inserted or replaced; the statements of its related rows are those of a PATCH. */
function planPut(write: GraphWrite): InsertChange | GraphUpdateChange {
  const { request, target, where, given, tree } = write;
  const table = findTable(tree.cache, target);
  const key = table?.primaryKey ?? [];
  // A row whose key the database always generates is not inserted with a key.
  const isGiven = key.every((column) => isAssignable(table?.columns.get(column)));
  const conflict = isGiven || request.condition === 'absent' ? write.conflict : null;
  const graph = updatedGraph(write, (root) => {
    const rows = replacedRow(root, write);
    requireKey(rows.columns, key);
    const { list } = root;
    const assignments = assignmentsOf(root, rows, [], false);
    if (conflict === null)
      return { ...rows, kind: 'root', list, assignments, where: [...where, ...given], found: [] };
    const generated = rows.generated.filter(({ name }) => !key.includes(name));
    return { ...rows, generated, kind: 'put', list, conflict, where: given };
  });
  return conflict === null
    ? { kind: 'graph-update', graph: withFound(graph, write, where) }
    : {
        kind: 'insert',
        payload: { many: false, columns: rootColumns(graph) },
        conflict,
        where: given,
        graph,
      };
}

/** The values of the row: null where the object has no related object and no value, whatever the row had. */
function replacedRow(root: GraphNode, { request, tree }: GraphWrite): GraphRows {
  const rows = rowsOf(root, request.preferences.missing === 'default', tree);
  const links = rows.links.map((one) => ({
    ...one,
    pairs: one.pairs.map((pair) => ({ ...pair, otherwise: null })),
  }));
  return { ...rows, links, object: freeColumn('object', root.table), nulls: true };
}

/** Returns the statements for one row and the rows that belong to it. @param rootStep the statement of the row */
function updatedGraph(write: GraphWrite, rootStep: (root: GraphNode) => GraphStep): Graph {
  const { request, target, represent, tree } = write;
  const table = findTable(tree.cache, target);
  const identified = represent === 'full' ? (table?.primaryKey ?? []) : [];
  if (table !== null && (request.payload?.kind !== 'json' || request.payload.many))
    throw notPossible(target, 'single');
  if (table !== null && represent === 'full' && identified.length === 0) throw notPossible(target, 'noKey');
  return graphOf(write, false, identified, ({ node, parent }, graph) =>
    parent === null
      ? { deletes: [], rows: [rootStep(node)], junction: [] }
      : { ...rowSteps(node, parent, graph), junction: junctionSteps(node, parent, graph) },
  );
}

/** Returns the graph with a first statement that finds the row of the root. @param where conditions on this row */
function withFound(graph: Graph, { target, tree }: GraphWrite, where: readonly Condition[]): Graph {
  const table = findTable(tree.cache, target);
  // Rows of views cannot be locked in every case.
  const locks = table?.kind === 'table' || table?.kind === 'partitioned table';
  const found = table === null ? [] : foundKey(graph, table, where);
  const steps = graph.steps.map((step): GraphStep => {
    if (step.kind !== 'root' || found.length === 0) return step;
    return { ...step, found, where: locks ? [] : step.where };
  });
  return { ...graph, steps: [{ kind: 'find', target, where, locks, found }, ...steps] };
}

/**
 * Returns the primary key by which the row of the root is found again; empty if its filters find no other row. Where rows are
 * written before it, they or their triggers may change what other filters find.
 */
function foundKey(
  { steps: [first] }: Graph,
  table: Table,
  where: readonly Condition[],
): readonly KeyColumn[] {
  const key = table.primaryKey;
  if (first?.kind === 'root' || isKeyGiven(where, key)) return [];
  return keyColumns(key, table);
}

/** Whether the conditions are the values of the key and no others. */
const isKeyGiven = (where: readonly Condition[], key: readonly string[]): boolean =>
  where.length === key.length &&
  key.every((column) =>
    where.some(
      (one) =>
        one.kind === 'comparison' &&
        one.operator === 'eq' &&
        one.quantifier === null &&
        !one.negated &&
        !('selected' in one.field) &&
        one.field.column === column &&
        one.field.path.length === 0,
    ),
  );

const notPossible = (
  { name }: QualifiedName,
  details: 'single' | 'rowKeys' | 'limited' | 'noKey' | 'partKey' | 'unkeyed',
  path: readonly string[] = [],
): Error => dbrError('GraphNotPossible', { relation: name, details, path: path.join('.') });

/** The objects keep the JSON, which shows the columns that an object lacks. */
const objectsOf = (node: GraphNode, { request, tree }: GraphWrite): GraphRows => ({
  ...rowsOf(node, false, tree),
  object: freeColumn('object', node.table),
  nulls: request.preferences.resolution === null,
});

/**
 * Returns the columns that an update sets.
 * @param fixed columns that it does not set
 * @param keeps whether a row keeps the columns that its object lacks
 */
function assignmentsOf(
  node: GraphNode,
  { columns, links, generated }: GraphRows,
  fixed: readonly string[],
  keeps: boolean,
): Assignments {
  const children = links.filter(({ to }) => to === 'child');
  const referring = linkedColumns(children).map((column) => referringColumn(column, node, columns));
  const unset = new Set([...fixed, ...generated.map(({ name }) => name)]);
  const isOther = ({ name }: { readonly name: string }): boolean =>
    !unset.has(name) && !referring.some((one) => one.name === name);
  return {
    keeps,
    columns: columns.filter(isOther),
    referring: referring.filter(({ name }) => !unset.has(name)),
  };
}

function referringColumn(name: string, node: GraphNode, written: readonly WrittenColumn[]): ReferringColumn {
  const foreignKeys = node.children.flatMap(({ relationship, node: child }) => {
    if (relationship.kind !== 'foreign key' || !relationship.sourceRefers) return [];
    const columns = relationship.columns.map(({ left }) => left);
    return columns.includes(name) ? [{ columns, key: child.path.at(-1) ?? '' }] : [];
  });
  const isNullable = (column: string): boolean => node.table.columns.get(column)?.nullable === true;
  return {
    name,
    keys: foreignKeys.map(({ key }) => key),
    isWritten: written.some((column) => column.name === name),
    // A tenant's column in several foreign keys stays, if another column can be null instead.
    isCleared: isNullable(name) || foreignKeys.every(({ columns }) => !columns.some(isNullable)),
  };
}

type Parent = NonNullable<PlacedNode['parent']>;

function rowSteps(
  node: GraphNode,
  parent: Parent,
  update: GraphContext,
): Pick<NodeSteps, 'deletes' | 'rows'> {
  const { request, tree } = update;
  const key = keyOf(node, request);
  for (const column of key) if (!node.table.columns.has(column)) throw unknownKey(node, column);
  const given = objectsOf(node, update);
  const owner = ownerOf(given);
  const identifying = key.filter((column) => !owner.includes(column));
  // A key that the database always generates is no value of the row, but finds it.
  const generated = given.generated.filter(({ name }) => !identifying.includes(name));
  const rows = { ...given, generated };
  const own = identifying.filter(suppliedBy(rows));
  if (own.length > 0 && own.length < identifying.length) throw notPossible(node.target, 'partKey', node.path);
  // If the key of the parent identifies a row, it finds the row of an object.
  const by = own.length === identifying.length ? key : [];
  const deletes = deleteSteps(node, rows, key, by, parent, update);
  // A resolution finds existing rows as that of POST does, and objects without a key are inserted as by POST.
  const inserts =
    request.preferences.resolution !== null || own.length < identifying.length || key.length === 0;
  if (inserts) {
    const { missing, resolution } = request.preferences;
    const useDefaults = resolution === null ? missing !== 'null' : missing === 'default';
    const fresh = rowsOf(node, useDefaults, tree);
    const isCompared = fresh.links.some(
      ({ to, pairs }) => to === 'child' || pairs.some((pair) => pair.given !== null),
    );
    const { object, nulls } = given;
    return { deletes, rows: ownSteps(node, isCompared && nulls ? { ...fresh, object, nulls } : fresh, tree) };
  }
  return { deletes, rows: [writeStep(node, rows, key, own, owner, update)] };
}

/** The columns by which a row is found: those of its `on_conflict`, otherwise the primary key. */
const keyOf = ({ path, table }: GraphNode, { query }: ApiRequest): readonly string[] =>
  query.conflicts.find((one) => isPath(one.path, path))?.item ?? table.primaryKey;

const ownerOf = ({ links }: GraphRows): readonly string[] =>
  linkedColumns(links.filter(({ to }) => to === 'parent'));

/** Whether the objects have nothing but their keys, by which rows are linked. */
const refersOnly = ({ columns, links, kept }: GraphRows, key: readonly string[]): boolean =>
  columns.length > 0 &&
  columns.every(({ name }) => key.includes(name)) &&
  links.every(({ to }) => to === 'parent') &&
  kept.length === 0;

const mayInsert = ({ insertable, access }: Table, { cache, role }: PlanContext): boolean =>
  insertable && privilegesOf(cache.roles, role)(access, 'INSERT');

function writeStep(
  node: GraphNode,
  rows: GraphRows,
  key: readonly string[],
  own: readonly string[],
  owner: readonly string[],
  { request, tree }: GraphWrite,
): WriteStep {
  const useDefaults = request.preferences.missing !== 'null';
  const others = new Set([...own, ...linkedColumns(rows.links), ...rows.generated.map(({ name }) => name)]);
  const inserted = rowsOf(node, useDefaults, tree).columns.filter(({ name }) => !others.has(name));
  // A row with the key of its parent in its own key cannot be that of another parent.
  const isWeak = owner.length > 0 && owner.every((column) => key.includes(column));
  const isKeyGiven =
    (isWeak || request.action.kind === 'upsert') &&
    own.every((column) => isAssignable(node.table.columns.get(column)));
  // PostgreSQL requires the privilege to insert, whether the statement inserts a row or not.
  const inserts = refersOnly(rows, [...own, ...owner]) && !mayInsert(node.table, tree) ? 'none' : 'unkeyed';
  return {
    ...rows,
    kind: 'write',
    list: node.needed.size > 0 || rows.generated.length > 0 ? node.list : null,
    key,
    isPrimary: key === node.table.primaryKey,
    own,
    inserts: isKeyGiven && inserts === 'unkeyed' ? 'keyed' : inserts,
    owner,
    assignments: assignmentsOf(node, rows, [...key, ...owner], true),
    inserted,
  };
}

/** Returns the statement that deletes the rows of a parent that its array does not contain; none for to-one resources. */
function deleteSteps(
  node: GraphNode,
  rows: GraphRows,
  key: readonly string[],
  by: readonly string[],
  parent: Parent,
  { request, tree }: GraphWrite,
): readonly DeleteStep[] {
  const { relationship } = parent;
  if (request.preferences.missingRows !== 'delete' || node.levels.at(-1)?.many !== true) return [];
  if (relationship.kind !== 'foreign key') return [];
  if (key.length === 0) throw notPossible(node.target, 'unkeyed', node.path);
  const pairs = relationship.columns.map(({ left, right }) => ({ column: right, key: left }));
  const owner = { list: parent.node.list, pairs };
  const nullable = by.filter((column) => isNullable(column, node.table));
  return [{ ...rows, kind: 'delete', owner, by, nullable, most: tree.maxRows }];
}

/** Returns the statements of the junction between a resource and that of its parent, whose rows exist by then. */
function junctionSteps(
  child: GraphNode,
  { node, relationship }: Parent,
  update: GraphContext,
): readonly GraphStep[] {
  if (relationship.kind !== 'junction') return [];
  const insert = { ...junctionStep(node, child, relationship, update), unlessExists: true };
  if (update.request.preferences.missingRows !== 'delete') return [insert];
  const { target, path, levels, child: far, parent } = insert;
  const { begin } = child;
  const most = update.tree.maxRows;
  const unlink: UnlinkStep = { kind: 'unlink', target, path, child: far, parent, levels, begin, most };
  return [unlink, insert];
}
