/** Plans PATCH of one object with related objects, and the related rows of a PUT (docs/graphs.md). */
import { dbrError } from '../../errors/dbr-error.js';
import type { ColumnTree } from '../grammar/ast.js';
import type { ApiRequest } from '../request/api-request.js';
import { privilegesOf } from '../schema-cache/lookups.js';
import type { QualifiedName, Table } from '../schema-cache/types.js';
import type { Condition } from './expression.js';
import { findTable, unknownTable } from './find-table.js';
import { freeColumn } from './free-name.js';
import type {
  Assignments,
  DeleteStep,
  Graph,
  GraphRows,
  GraphStep,
  ReferringColumn,
  UnlinkStep,
  WriteStep,
} from './graph.js';
import { buildNode, type GraphContext, type GraphNode, link, requireKnownPaths } from './graph-nodes.js';
import { isKeyedUpdate } from './keyed-update.js';
import type { GraphUpdateChange } from './mutation.js';
import { type NodeSteps, orderedSteps, type PlacedNode } from './graph-order.js';
import {
  graphTreeOf,
  isAssignable,
  junctionStep,
  listOf,
  ownSteps,
  rowsOf,
  suppliedBy,
  unknownKey,
} from './plan-graph.js';
import { planRange } from './read-tree.js';
import type { PlanContext, TreeContext } from './plan-context.js';
import type { WrittenColumn } from './written-column.js';

/** What all steps of a PATCH or PUT need. */
export interface Update extends GraphContext {
  readonly context: PlanContext;
  /** Returns the statements of the row of the root. */
  readonly rootSteps: (root: GraphNode) => readonly GraphStep[];
}

/** Whether a PATCH or PUT has related resources. */
export const isGraphUpdate = (request: ApiRequest): boolean => graphTreeOf(request) !== null;

/**
 * Plans the statements of a PATCH: the row of the root is found and locked, its to-one relatives are written, then the
 * row, then its to-many relatives.
 * @param where the conditions on the row of the root
 * @param represented whether the response shows the row
 * @throws DBR108, 170, 171, 172, 200, 201, 204 and 205
 */
export function planGraphUpdate(
  request: ApiRequest,
  target: QualifiedName,
  where: readonly Condition[],
  represented: boolean,
  context: PlanContext,
  tree: TreeContext,
): GraphUpdateChange {
  if (isKeyedUpdate(request)) throw notPossible(target, 'rowKeys');
  const range = planRange(request.range, null);
  if (range.limit !== null || range.offset !== null) throw notPossible(target, 'limited');
  const rootSteps = (root: GraphNode): readonly GraphStep[] => {
    const rows = objectsOf(root, { request, context });
    const assignments = assignmentsOf(root, rows, [], true);
    return [{ ...rows, kind: 'root', list: root.list, assignments, where }];
  };
  const update: Update = { request, tree, nodes: [], context, rootSteps };
  const graph = updatedGraph(target, represented, update);
  return { kind: 'graph-update', graph: withFound(graph, target, where, context) };
}

/** Returns the statements for one row and the rows that belong to it. @throws those of `planGraphUpdate` */
export function updatedGraph(target: QualifiedName, represented: boolean, update: Update): Graph {
  const { request, context } = update;
  const tree: ColumnTree = graphTreeOf(request) ?? { columns: [], relations: [] };
  const table = findTable(context.cache, target);
  if (table === null) throw unknownTable(context, target.schema, target.name);
  if (request.payload?.kind !== 'json' || request.payload.many) throw notPossible(target, 'single');
  if (represented && table.primaryKey.length === 0) throw notPossible(target, 'noKey');
  requireKnownPaths(request.query.conflicts, tree);
  const levels = [{ key: null, many: false }];
  const root = buildNode({ tree, target, table, path: [], levels, begin: null }, update);
  const identified = represented ? table.primaryKey : [];
  for (const column of identified) root.needed.add(column);
  for (const node of update.nodes) for (const child of node.children) link(node, child);
  const steps = orderedSteps(root, update, ({ node, parent }) =>
    parent === null
      ? { deletes: [], rows: update.rootSteps(node), junction: [] }
      : { ...rowSteps(node, parent, update), junction: junctionSteps(node, parent, update) },
  );
  return { steps, lists: update.nodes.map(listOf), root: root.list, identified };
}

/** Returns the graph with a first statement that finds the row of the root. @param where conditions on this row */
export function withFound(
  graph: Graph,
  target: QualifiedName,
  where: readonly Condition[],
  { cache }: PlanContext,
): Graph {
  const kind = findTable(cache, target)?.kind;
  // Rows of views cannot be locked in every case.
  const locks = kind === 'table' || kind === 'partitioned table';
  return { ...graph, steps: [{ kind: 'find', target, where, locks }, ...graph.steps] };
}

const notPossible = (
  { name }: QualifiedName,
  details: 'single' | 'rowKeys' | 'limited' | 'noKey' | 'partKey' | 'unkeyed',
  path: readonly string[] = [],
): Error => dbrError('GraphNotPossible', { relation: name, details, path: path.join('.') });

/** The objects keep the JSON, which shows the columns that an object lacks. */
const objectsOf = (
  node: GraphNode,
  { request, context }: Pick<Update, 'request' | 'context'>,
): GraphRows => ({
  ...rowsOf(node, false, context),
  object: freeColumn('object', node.table),
  nulls: request.preferences.resolution === null,
});

/**
 * Returns the columns that an update sets.
 * @param fixed columns that it does not set
 * @param keeps whether a row keeps the columns that its object lacks
 */
export function assignmentsOf(
  node: GraphNode,
  { columns, links, generated }: GraphRows,
  fixed: readonly string[],
  keeps: boolean,
): Assignments {
  const children = links.filter(({ to }) => to === 'child');
  const referring = children.flatMap(({ pairs }) =>
    pairs.map(({ column }) => referringColumn(column, node, columns)),
  );
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

function rowSteps(node: GraphNode, parent: Parent, update: Update): Pick<NodeSteps, 'deletes' | 'rows'> {
  const { request, context } = update;
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
    return { deletes, rows: ownSteps(node, rowsOf(node, useDefaults, context), context) };
  }
  return { deletes, rows: [writeStep(node, rows, key, own, owner, update)] };
}

/** The columns by which a row is found: those of its `on_conflict`, otherwise the primary key. */
const keyOf = ({ path, table }: GraphNode, { query }: ApiRequest): readonly string[] =>
  query.conflicts.find((one) => one.path.join('\0') === path.join('\0'))?.item ?? table.primaryKey;

const ownerOf = ({ links }: GraphRows): readonly string[] =>
  links.flatMap(({ to, pairs }) => (to === 'parent' ? pairs.map(({ column }) => column) : []));

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
  { request, context }: Update,
): WriteStep {
  const useDefaults = request.preferences.missing !== 'null';
  const linked = rows.links.flatMap(({ pairs }) => pairs.map(({ column }) => column));
  const others = new Set([...own, ...linked, ...rows.generated.map(({ name }) => name)]);
  const inserted = rowsOf(node, useDefaults, context).columns.filter(({ name }) => !others.has(name));
  // A row with the key of its parent in its own key cannot be that of another parent.
  const isWeak = owner.length > 0 && owner.every((column) => key.includes(column));
  const isKeyGiven =
    (isWeak || request.action.kind === 'upsert') &&
    own.every((column) => isAssignable(node.table.columns.get(column)));
  // PostgreSQL requires the privilege to insert, whether the statement inserts a row or not.
  const inserts =
    refersOnly(rows, [...own, ...owner]) && !mayInsert(node.table, context) ? 'none' : 'unkeyed';
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
  { request, context }: Update,
): readonly DeleteStep[] {
  const { relationship } = parent;
  if (request.preferences.missingRows !== 'delete' || node.levels.at(-1)?.many !== true) return [];
  if (relationship.kind !== 'foreign key') return [];
  if (key.length === 0) throw notPossible(node.target, 'unkeyed', node.path);
  const pairs = relationship.columns.map(({ left, right }) => ({ column: right, key: left }));
  return [{ ...rows, kind: 'delete', owner: { list: parent.node.list, pairs }, by, most: context.maxRows }];
}

/** Returns the statements of the junction between a resource and that of its parent, whose rows exist by then. */
function junctionSteps(
  child: GraphNode,
  { node, relationship }: Parent,
  update: Update,
): readonly GraphStep[] {
  if (relationship.kind !== 'junction') return [];
  const insert = { ...junctionStep(node, child, relationship, update), unlessExists: true };
  if (update.request.preferences.missingRows !== 'delete') return [insert];
  const { target, path, levels, child: far, parent } = insert;
  const { begin } = child;
  const most = update.context.maxRows;
  const unlink: UnlinkStep = { kind: 'unlink', target, path, child: far, parent, levels, begin, most };
  return [unlink, insert];
}
