/** The order of the statements of a graph. */
import { find } from '../schema-cache/lookups.js';
import type { QualifiedName, SchemaCache } from '../schema-cache/types.js';
import type { GraphStep } from './graph.js';
import { type GraphContext, type GraphNode, isBefore, type RelatedNode } from './graph-nodes.js';

/** A resource and its relationship to the resource of its parent. */
export interface PlacedNode {
  readonly node: GraphNode;
  readonly parent: { readonly node: GraphNode; readonly relationship: RelatedNode['relationship'] } | null;
}

/** The statements of one resource. */
export interface NodeSteps {
  /** Deletes rows of the resource before others are written. */
  readonly deletes: readonly GraphStep[];
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
 * it, and its missing rows are deleted before those of the other one, unless the resources contain one another.
 */
export function orderedSteps(
  root: GraphNode,
  { tree: { cache } }: GraphContext,
  stepsOf: (place: PlacedNode) => NodeSteps,
): readonly GraphStep[] {
  const units: Unit[] = [];
  addUnits({ node: root, parent: null }, null, stepsOf, units);
  const follows = (unit: Unit, other: Unit): boolean => {
    if (unit.kind !== other.kind || unit.kind === 'junction') return false;
    const [from, to] = unit.kind === 'rows' ? [unit, other] : [other, unit];
    return refersTo(from.node.target, to.node.target, cache);
  };
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
  const { deletes, rows, junction } = stepsOf(place);
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
  const deleted = add('deletes', deletes, [...opened, ...related]);
  const own = add('rows', rows, [deleted]);
  for (const child of node.children) if (!before.includes(child)) within(child, own);
  if (parent?.relationship.kind === 'junction') add('junction', junction, [...opened, own]);
  return own;
}

/** Whether the rows of a relation have a foreign key to the rows of another one. */
const refersTo = (from: QualifiedName, to: QualifiedName, cache: SchemaCache): boolean =>
  (from.name !== to.name || from.schema !== to.schema) &&
  (find(cache.relationships, from.schema, from.name) ?? []).some(
    (one) =>
      one.kind === 'foreign key' &&
      one.sourceRefers &&
      one.target.name === to.name &&
      one.target.schema === to.schema,
  );
