/** The resources of a graph with the links between their rows. */
import type { Conflict } from '../plan/expression.js';
import { dbrError } from '../../errors/dbr-error.js';
import type { ColumnRelation, ColumnTree } from '../grammar/ast.js';
import type {
  Column,
  ColumnPair,
  ForeignKeyRelationship,
  JunctionRelationship,
  QualifiedName,
  SchemaCache,
  Table,
} from '../schema-cache/types.js';
import { findTable, type GraphWrite } from '../plan/plan-context.js';
import type { GraphLink, GraphRows, GraphStep } from '../plan/graph.js';
import { conflictOn } from '../plan/plan-mutation.js';
import { isToOne, resolveRelationship } from '../plan/read-tree.js';
import { find, sameName } from '../schema-cache/lookups.js';

/** A resource of the graph while its links are collected. */
export interface GraphNode extends Pick<GraphRows, 'target' | 'path' | 'levels' | 'begin'> {
  readonly table: Table;
  readonly tree: ColumnTree;
  /** Number of its list of keys. */
  readonly list: number;
  /** The columns by which other rows refer to its rows or the response finds them. */
  readonly needed: Set<string>;
  readonly links: GraphLink[];
  readonly conflict: Conflict | null;
  readonly children: readonly RelatedNode[];
}

export interface RelatedNode {
  readonly relationship: ForeignKeyRelationship | JunctionRelationship;
  readonly node: GraphNode;
}

/** A write with the resources of its body. */
export interface GraphContext extends GraphWrite {
  readonly nodes: GraphNode[];
}

/** The place of a resource in the graph. */
type GraphPlace = Pick<GraphNode, 'tree' | 'target' | 'table' | 'path' | 'levels' | 'begin'>;

/** Returns the resource with all resources within it, in `graph.nodes` too. @throws DBR171, 172, 200 and 201 */
export function buildNode(place: GraphPlace, graph: GraphContext): GraphNode {
  const children: RelatedNode[] = [];
  const node: GraphNode = {
    ...place,
    list: graph.nodes.length,
    needed: new Set(),
    links: [],
    conflict: conflictAt(place.path, place.table, graph),
    children,
  };
  graph.nodes.push(node);
  const keys = new Set(place.tree.columns);
  for (const relation of place.tree.relations) {
    const path = [...place.path, relation.key].join('.');
    if (keys.has(relation.key)) throw dbrError('InvalidGraphBody', { message: 'twice', path });
    keys.add(relation.key);
    if (Buffer.byteLength(relation.key) > LONGEST_NAME)
      throw dbrError('InvalidGraphBody', { message: 'long', path });
    const child = relatedNode(relation, node, graph);
    if (children.some((other) => isSame(other.relationship, child.relationship)))
      throw dbrError('InvalidGraphBody', { message: 'again', path });
    children.push(child);
  }
  return node;
}

/** Two arrays of the same rows would contradict each other. */
function isSame(one: RelatedNode['relationship'], other: RelatedNode['relationship']): boolean {
  if (!sameName(one.target, other.target)) return false;
  if (one.kind === 'foreign key')
    return (
      other.kind === 'foreign key' &&
      one.constraint === other.constraint &&
      one.sourceRefers === other.sourceRefers
    );
  return (
    other.kind === 'junction' &&
    one.sourceConstraint === other.sourceConstraint &&
    one.targetConstraint === other.targetConstraint
  );
}

function relatedNode(relation: ColumnRelation, parent: GraphNode, graph: GraphContext): RelatedNode {
  const { key, name, hint, tree } = relation;
  const item = { kind: 'relation', alias: null, name, hint, join: null, select: [] } as const;
  const relationship = resolveRelationship(item, parent.target, graph.tree);
  const path = [...parent.path, key];
  const { target } = relationship;
  const table = findTable(graph.tree.cache, target);
  if (relationship.kind === 'computed' || table === null)
    throw dbrError('GraphNotPossible', { relation: name, details: 'computed', path: path.join('.') });
  const levels = [...parent.levels, { key, many: !isToOne(relationship) }];
  // The statement of the parent lists the values, unless it follows.
  const begin = isBefore(relationship)
    ? parent.begin
    : { list: graph.nodes.length, level: levels.length - 1 };
  return { relationship, node: buildNode({ tree, target, table, path, levels, begin }, graph) };
}

/** Whether the rows of the related resource come before the rows of the resource, which refer to them. */
export const isBefore = (relationship: RelatedNode['relationship']): boolean =>
  relationship.kind === 'foreign key' && relationship.sourceRefers;

/** Longest name of a column of PostgreSQL in bytes, by which it reads the value of a key. */
const LONGEST_NAME = 63;

/** The conflict of the root is that of rows of one relation; others have the same resolution. */
function conflictAt(path: readonly string[], table: Table, { request }: GraphContext): Conflict | null {
  const { query, preferences } = request;
  const named =
    path.length === 0 ? query.onConflict : query.conflicts.find((one) => isPath(one.path, path))?.item;
  return conflictOn(named ?? table.primaryKey, preferences);
}

const isPath = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((step, index) => step === other[index]);

/** Notes which columns of the one row get the key of the other. */
export function link(parent: GraphNode, { relationship, node }: RelatedNode): void {
  if (relationship.kind === 'junction') {
    for (const { left } of relationship.sourceColumns) parent.needed.add(left);
    for (const { right } of relationship.targetColumns) node.needed.add(right);
    return;
  }
  const { columns, sourceRefers } = relationship;
  if (sourceRefers) {
    for (const { right } of columns) node.needed.add(right);
    const pairs = columns.map((pair) => childPair(pair, parent));
    addLink(parent, { list: node.list, to: 'child', pairs, shared: [] });
  } else {
    for (const { left } of columns) parent.needed.add(left);
    const pairs = columns.map(({ left, right }) => ({
      ...{ column: right, key: left, otherwise: null },
      given: givenType(right, node),
    }));
    addLink(node, { list: parent.list, to: 'parent', pairs, shared: [] });
  }
}

function childPair({ left, right }: ColumnPair, node: GraphNode): GraphLink['pairs'][number] {
  const given = givenType(left, node);
  const otherwise = given === null ? defaultOf(node.table.columns.get(left)) : null;
  return { column: left, key: right, otherwise, given };
}

const givenType = (column: string, { table, tree }: GraphNode): string | null =>
  tree.columns.includes(column) ? (table.columns.get(column)?.type.name ?? null) : null;

/** Returns the default of a column that the service may evaluate; null for none. */
export const defaultOf = (column: Column | undefined): string | null =>
  column === undefined || column.identity !== null ? null : column.default;

/**
 * A column that several foreign keys share is set by one link: that of the parent, otherwise that of the first related
 * row. The rows of the other links must have the same key.
 */
function addLink(node: GraphNode, added: GraphLink): void {
  if (added.to === 'child') {
    const isSet = ({ column }: { readonly column: string }): boolean =>
      node.links.some(({ pairs }) => pairs.some((pair) => pair.column === column));
    node.links.push(dividedLink(added, isSet));
    return;
  }
  const taken = new Set(added.pairs.map(({ column }) => column));
  const others = node.links.map((one) => dividedLink(one, ({ column }) => taken.has(column)));
  node.links.splice(0, node.links.length, added, ...others);
}

/** @param isShared whether another link sets the column */
function dividedLink(link: GraphLink, isShared: (pair: { readonly column: string }) => boolean): GraphLink {
  const shared = link.pairs.filter(isShared).map(({ column, key }) => ({ column, key }));
  return {
    ...link,
    pairs: link.pairs.filter((pair) => !isShared(pair)),
    shared: [...link.shared, ...shared],
  };
}

/** A resource and its relationship to the resource of its parent. */
interface PlacedNode {
  readonly node: GraphNode;
  readonly parent: { readonly node: GraphNode; readonly relationship: RelatedNode['relationship'] } | null;
}

/** The statements of one resource. */
interface NodeSteps {
  readonly rows: readonly GraphStep[];
  /** Writes the junction rows between the resource and its parent. */
  readonly junction: readonly GraphStep[];
}

/** Statements that follow one another. */
interface Unit {
  readonly kind: keyof NodeSteps;
  readonly node: GraphNode;
  readonly steps: readonly GraphStep[];
  /** The units whose rows or lists the statements use. */
  readonly needs: readonly Unit[];
}

/**
 * Returns the statements of a resource and of all resources within it: to-one resources, the row, then its to-many
 * resources, each in the order of the body. A resource whose rows may refer to those of another one is written after
 * it, unless the resources contain one another.
 */
export function orderedSteps(
  root: GraphNode,
  { tree: { cache } }: GraphContext,
  stepsOf: (place: PlacedNode) => NodeSteps,
): readonly GraphStep[] {
  const units: Unit[] = [];
  addUnits({ node: root, parent: null }, null, stepsOf, units);
  const follows = (unit: Unit, other: Unit): boolean =>
    unit.kind === 'rows' && other.kind === 'rows' && refersTo(unit.node.target, other.node.target, cache);
  const ordered: GraphStep[] = [];
  while (units.length > 0) {
    const possible = units.filter(({ needs }) => !needs.some((need) => units.includes(need)));
    // Resources that refer to each other keep the order of the body.
    const next = possible.find((unit) => !units.some((other) => follows(unit, other))) ?? possible[0];
    if (next === undefined) throw new Error('statements of a graph that need one another');
    units.splice(units.indexOf(next), 1);
    ordered.push(...next.steps);
  }
  return ordered;
}

/** Returns the unit with the rows of the resource. @param opener the unit that lists the values with the objects */
function addUnits(
  place: PlacedNode,
  opener: Unit | null,
  stepsOf: (place: PlacedNode) => NodeSteps,
  units: Unit[],
): Unit {
  const { node, parent } = place;
  const { rows, junction } = stepsOf(place);
  const within = (child: RelatedNode, from: Unit | null): Unit =>
    addUnits({ node: child.node, parent: { node, relationship: child.relationship } }, from, stepsOf, units);
  const add = (kind: Unit['kind'], steps: readonly GraphStep[], needs: readonly Unit[]): Unit => {
    const unit = { kind, node, steps, needs };
    units.push(unit);
    return unit;
  };
  const opened = opener === null ? [] : [opener];
  const before = node.children.filter(({ relationship }) => isBefore(relationship));
  const related = before.map((child) => within(child, opener));
  const own = add('rows', rows, [...opened, ...related]);
  for (const child of node.children) if (!before.includes(child)) within(child, own);
  if (parent?.relationship.kind === 'junction') add('junction', junction, [...opened, own]);
  return own;
}

/** Whether the rows of a relation have a foreign key to the rows of another one. */
const refersTo = (from: QualifiedName, to: QualifiedName, cache: SchemaCache): boolean =>
  !sameName(from, to) &&
  (find(cache.relationships, from.schema, from.name) ?? []).some(
    (one) => one.kind === 'foreign key' && one.sourceRefers && sameName(one.target, to),
  );
