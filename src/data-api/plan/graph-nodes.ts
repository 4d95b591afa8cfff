/** The resources of a graph with the links between their rows. */
import { dbrError } from '../../errors/dbr-error.js';
import type { At, ColumnTree } from '../grammar/ast.js';
import type { ApiRequest } from '../request/api-request.js';
import type {
  Column,
  ColumnPair,
  ForeignKeyRelationship,
  JunctionRelationship,
  QualifiedName,
  Table,
} from '../schema-cache/types.js';
import { findTable } from './find-table.js';
import type { GraphLevelStep, GraphLink } from './graph.js';
import type { Conflict } from './written-column.js';
import type { TreeContext } from './plan-context.js';
import { isToOne, resolveRelationship } from './relationship.js';

/** A resource of the graph while its links are collected. */
export interface GraphNode {
  readonly target: QualifiedName;
  readonly table: Table;
  readonly tree: ColumnTree;
  /** The keys of the body from the root. */
  readonly path: readonly string[];
  readonly levels: readonly GraphLevelStep[];
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

export interface GraphContext {
  readonly request: ApiRequest;
  readonly tree: TreeContext;
  readonly nodes: GraphNode[];
}

/** Throws DBR108 for an `on_conflict` of a resource that the graph does not have. */
export function requireKnownPaths(conflicts: readonly At<unknown>[], tree: ColumnTree | null): void {
  for (const { path } of conflicts) {
    let level = tree;
    for (const step of path) {
      const found = level?.relations.find(({ key, name }) => key === step || name === step);
      if (found === undefined) throw dbrError('NotEmbedded', { relation: step });
      level = found.tree;
    }
  }
}

/** Returns the resource with all resources within it, in `graph.nodes` too. @throws DBR171, 172, 200 and 201 */
export function buildNode(
  tree: ColumnTree,
  target: QualifiedName,
  table: Table,
  path: readonly string[],
  levels: readonly GraphLevelStep[],
  graph: GraphContext,
): GraphNode {
  const list = graph.nodes.length;
  const nodes = graph.nodes;
  const placeholder: GraphNode = {
    target,
    table,
    tree,
    path,
    levels,
    list,
    needed: new Set(),
    links: [],
    conflict: conflictOf(path, table, graph),
    children: [],
  };
  nodes.push(placeholder);
  const node: GraphNode = {
    ...placeholder,
    children: tree.relations.map((relation) => {
      const at = [...path, relation.key];
      if (Buffer.byteLength(relation.key) > LONGEST_NAME)
        throw dbrError('InvalidGraphBody', { message: 'long', path: at.join('.') });
      const { name, hint } = relation;
      const relationship = resolveRelationship(
        { kind: 'relation', alias: null, name, hint, join: null, select: [] },
        target,
        graph.tree,
      );
      const related = findTable(graph.tree.cache, relationship.target);
      if (relationship.kind === 'computed' || related === null)
        throw dbrError('GraphNotPossible', { relation: name, details: 'computed', path: at.join('.') });
      const below = [...levels, { key: relation.key, many: !isToOne(relationship) }];
      return {
        relationship,
        node: buildNode(relation.tree, relationship.target, related, at, below, graph),
      };
    }),
  };
  nodes[list] = node;
  return node;
}

/** Longest name of a column of PostgreSQL in bytes, by which it reads the value of a key. */
const LONGEST_NAME = 63;

/** The conflict of the root is that of rows of one relation; others have the same resolution. */
function conflictOf(path: readonly string[], table: Table, { request }: GraphContext): Conflict | null {
  const { resolution } = request.preferences;
  const named =
    path.length === 0
      ? request.query.onConflict
      : request.query.conflicts.find((one) => isPath(one.path, path))?.item;
  const columns = named ?? table.primaryKey;
  if (resolution === null || columns.length === 0) return null;
  return { columns, resolution: resolution === 'merge-duplicates' ? 'merge' : 'ignore' };
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
    addLink(parent, { list: node.list, to: 'child', pairs: columns.map((pair) => childPair(pair, parent)) });
  } else {
    for (const { left } of columns) parent.needed.add(left);
    const pairs = columns.map(({ left, right }) => ({ column: right, key: left, otherwise: null }));
    addLink(node, { list: parent.list, to: 'parent', pairs });
  }
}

const childPair = ({ left, right }: ColumnPair, { table, tree }: GraphNode): GraphLink['pairs'][number] => ({
  column: left,
  key: right,
  otherwise: tree.columns.includes(left) ? null : defaultOf(table.columns.get(left)),
});

/** Returns the default of a column that the service may evaluate; null for none. */
export const defaultOf = (column: Column | undefined): string | null =>
  column === undefined || column.identity !== null ? null : column.default;

/** A column that two foreign keys share gets the value of the parent, otherwise that of the first related row. */
function addLink(node: GraphNode, added: GraphLink): void {
  const fresh = ({ column }: { readonly column: string }): boolean =>
    !node.links.some(({ pairs }) => pairs.some((pair) => pair.column === column));
  if (added.to === 'parent') {
    const taken = new Set(added.pairs.map(({ column }) => column));
    const others = node.links.map((one) => ({
      ...one,
      pairs: one.pairs.filter(({ column }) => !taken.has(column)),
    }));
    node.links.splice(0, node.links.length, added, ...others);
  } else node.links.push({ ...added, pairs: added.pairs.filter(fresh) });
}
