import { dbrError } from '../../errors/dbr-error.js';
import type { ApiRequest } from '../request/api-request.js';
import type { QualifiedName, Table } from '../schema-cache/types.js';
import { requireKnownPaths } from './graph-nodes.js';
import type { InsertChange } from './mutation.js';
import type { Conflict } from './written-column.js';
import { planPayload } from './payload.js';
import type { PlanContext, TreeContext } from './plan-context.js';
import { graphTreeOf, planGraph } from './plan-graph.js';
import type { MutationPlan } from './plan.js';

/**
 * Plans POST: rows of one relation, or a graph.
 * @param represent which rows the response shows, so that it must find them again
 */
export function planInsert(
  request: ApiRequest,
  table: Table | null,
  target: QualifiedName,
  represent: MutationPlan['represent'],
  context: PlanContext,
  tree: TreeContext,
): InsertChange {
  const keys = graphTreeOf(request);
  const conflict = planConflict(request, table);
  if (keys === null) {
    requireKnownPaths(request.query.conflicts, null);
    const payload = planPayload(request, target.name, table, context);
    return { kind: 'insert', payload, conflict, where: [], graph: null };
  }
  const key = table?.primaryKey ?? [];
  if (represent === 'full' && key.length === 0)
    throw dbrError('GraphNotPossible', { relation: target.name, details: 'noKey' });
  const graph = planGraph(keys, request, target, represent === 'none' ? [] : key, context, tree);
  const root = graph.steps.find((step) => step.kind === 'insert' && step.path.length === 0);
  const columns = root?.kind === 'insert' ? root.columns : [];
  const many = request.payload?.kind === 'json' && request.payload.many;
  return { kind: 'insert', payload: { many, columns }, conflict, where: [], graph };
}

function planConflict(request: ApiRequest, table: Table | null): Conflict | null {
  const { resolution } = request.preferences;
  const columns = request.query.onConflict ?? table?.primaryKey ?? [];
  if (resolution === null || columns.length === 0) return null;
  return { columns, resolution: resolution === 'merge-duplicates' ? 'merge' : 'ignore' };
}
