import { dbrError } from '../../errors/dbr-error.js';
import type { ApiRequest } from '../request/api-request.js';
import type { PlanContext } from './plan-context.js';
import { planCall } from './plan-call.js';
import { planInspect } from './plan-inspect.js';
import { planMutation } from './plan-mutation.js';
import { planRead } from './plan-read.js';
import { planRoot } from './plan-root.js';
import type { Plan } from './plan.js';

/** Plans a request. Pure: throws all faults that can be found without the database. */
export function planRequest(request: ApiRequest, context: PlanContext): Plan {
  const { action, resource } = request;
  if (action.kind === 'inspect') return planInspect(request, context);
  if (action.kind === 'document') return planRoot(request, action.headersOnly, context);
  switch (resource.kind) {
    case 'relation':
      if (action.kind === 'read') requireNoGraph(request, resource.name);
      return planRelation(request, resource.name, context);
    case 'function':
      requireNoGraph(request, resource.name);
      if (action.kind !== 'call') throw dbrError('UnsupportedFunctionMethod', { method: request.method });
      return planCall(request, resource.name, action, context);
    case 'root':
      throw dbrError('InvalidPath');
  }
}

/** Refuses `columns` with related resources, which only POST, PUT and PATCH of a relation use. @throws DBR172 */
function requireNoGraph({ query }: ApiRequest, relation: string): void {
  if (query.columnTree !== null) throw dbrError('GraphNotPossible', { relation, details: 'method' });
}

function planRelation(request: ApiRequest, name: string, context: PlanContext): Plan {
  const { action } = request;
  switch (action.kind) {
    case 'read':
      return planRead(request, name, action.headersOnly ? 'none' : 'sent', context);
    case 'insert':
    case 'update':
    case 'upsert':
    case 'delete':
      return planMutation(request, name, action.kind, context);
    case 'document':
    case 'call':
    case 'inspect':
      throw dbrError('UnsupportedMethod', { method: request.method });
  }
}
