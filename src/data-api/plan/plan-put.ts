/** Plans PUT (data API §1.9): one row, or one row with the rows that belong to it (docs/graphs.md). */
import { dbrError } from '../../errors/dbr-error.js';
import type { Filter } from '../grammar/ast.js';
import type { ApiRequest } from '../request/api-request.js';
import type { QualifiedName } from '../schema-cache/types.js';
import { PAYLOAD_ALIAS } from './aliases.js';
import type { Draft } from './draft.js';
import { findTable } from './find-table.js';
import { freeColumn } from './free-name.js';
import type { Condition } from './expression.js';
import type { Graph, GraphRows, GraphStep } from './graph.js';
import type { GraphNode } from './graph-nodes.js';
import type { GraphUpdateChange, InsertChange, UpdateChange } from './mutation.js';
import { planPayload } from './payload.js';
import type { PlanContext, TreeContext } from './plan-context.js';
import { isAssignable, rowsOf } from './plan-graph.js';
import { assignmentsOf, isGraphUpdate, updatedGraph, withFound } from './plan-graph-update.js';
import { planConditions } from './read-tree.js';
import type { Scope } from './scope.js';
import type { Conflict, WrittenColumn } from './written-column.js';

/**
 * Plans PUT: the row that the URL names by `eq` on exactly the primary key columns (DBR105) gets the values of the
 * body, which must contain the same key (DBR115).
 * @param represented whether the response shows the row
 */
export function planPut(
  request: ApiRequest,
  draft: Draft,
  scope: Scope,
  target: QualifiedName,
  represented: boolean,
  context: PlanContext,
  tree: TreeContext,
): InsertChange | UpdateChange | GraphUpdateChange {
  const key = scope.table?.primaryKey ?? [];
  if (key.length === 0 || draft.logic.length > 0 || !namesKey(draft.filters, key))
    throw dbrError('InvalidPut');
  const where = planConditions(draft, { ...scope, alias: PAYLOAD_ALIAS }, noEmbed);
  const found = planConditions(draft, scope, noEmbed);
  if (isGraphUpdate(request))
    return planGraphPut({ request, key, where, found, target, represented, context, tree });
  const payload = planPayload(request, target.name, scope.table, context);
  requireKey(payload.columns, key);
  const conflict = conflictOf(request, key);
  return conflict === null
    ? { kind: 'update', payload, where: [...found, ...where], limited: null }
    : { kind: 'insert', payload, conflict, where, graph: null };
}

/** The rows to change do not depend on the embedded resources of the representation. */
const noEmbed = (): undefined => undefined;

/** @throws DBR115 */
function requireKey(columns: readonly WrittenColumn[], key: readonly string[]): void {
  const written = new Set(columns.map(({ name }) => name));
  if (!key.every((column) => written.has(column))) throw dbrError('PutKeyMismatch');
}

/** Returns what happens if the row exists; null if a condition of the request requires it, so that none is inserted. */
function conflictOf({ condition }: ApiRequest, key: readonly string[]): Conflict | null {
  switch (condition) {
    case 'tags':
    case 'exists':
    case 'unmodified':
      return null;
    case 'absent':
      return { columns: key, resolution: 'ignore' };
    case null:
      return { columns: key, resolution: 'merge' };
  }
}

/** What the plan of a PUT with related rows depends on. */
interface GraphPut {
  readonly request: ApiRequest;
  readonly key: readonly string[];
  /** The conditions of the URL on the object. */
  readonly where: readonly Condition[];
  /** The same on the row. */
  readonly found: readonly Condition[];
  readonly target: QualifiedName;
  readonly represented: boolean;
  readonly context: PlanContext;
  readonly tree: TreeContext;
}

/** The row of the root is inserted or replaced; the statements of its related rows are those of a PATCH. */
function planGraphPut(put: GraphPut): InsertChange | GraphUpdateChange {
  const { request, key, where, found, target, represented, context, tree } = put;
  const columns = findTable(context.cache, target)?.columns;
  const isGiven = key.every((column) => isAssignable(columns?.get(column)));
  // A row whose key the database always generates is not inserted with a key.
  const conflict = isGiven || request.condition === 'absent' ? conflictOf(request, key) : null;
  const rootSteps = (root: GraphNode): readonly GraphStep[] => {
    const rows = replacedRow(root, request, context);
    requireKey(rows.columns, key);
    const { list } = root;
    const assignments = assignmentsOf(root, rows, [], false);
    return conflict === null
      ? [{ ...rows, kind: 'root', list, assignments, where: [...found, ...where] }]
      : [
          {
            ...rows,
            generated: rows.generated.filter(({ name }) => !key.includes(name)),
            kind: 'put',
            list,
            conflict,
            where,
          },
        ];
  };
  const graph = updatedGraph(target, represented, { request, tree, nodes: [], context, rootSteps });
  return conflict === null
    ? { kind: 'graph-update', graph: withFound(graph, target, found, context) }
    : { kind: 'insert', payload: { many: false, columns: columnsOf(graph) }, conflict, where, graph };
}

/** The values of the row: null where the object has no related object and no value, whatever the row had. */
function replacedRow(root: GraphNode, { preferences }: ApiRequest, context: PlanContext): GraphRows {
  const rows = rowsOf(root, preferences.missing === 'default', context);
  const links = rows.links.map((link) => ({
    ...link,
    pairs: link.pairs.map((pair) => ({ ...pair, otherwise: null })),
  }));
  return { ...rows, links, object: freeColumn('object', root.table), nulls: true };
}

function columnsOf({ steps }: Graph): readonly WrittenColumn[] {
  const root = steps.find((step) => step.kind === 'put');
  return root?.kind === 'put' ? root.columns : [];
}

function namesKey(filters: readonly Filter[], key: readonly string[]): boolean {
  const names = filters.map(({ field }) => field.name);
  return (
    filters.every(({ field, operation }) => field.path.length === 0 && isPlainEq(operation)) &&
    names.length === key.length &&
    key.every((column) => names.includes(column))
  );
}

const isPlainEq = (operation: Filter['operation']): boolean =>
  operation.kind === 'comparison' &&
  operation.operator === 'eq' &&
  operation.quantifier === null &&
  !operation.negated;
