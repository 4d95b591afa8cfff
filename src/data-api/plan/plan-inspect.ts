import type { ApiRequest } from '../request/api-request.js';
import type { Table } from '../schema-cache/types.js';
import { findFunction } from './find-function.js';
import { findTable, unknownTable } from './find-table.js';
import type { PlanContext } from './plan-context.js';
import type { InspectPlan } from './plan.js';

/** Plans OPTIONS (data API §1.14): the methods of the resource, whatever the privileges of the role. */
export function planInspect(request: ApiRequest, context: PlanContext): InspectPlan {
  const allow = allowed(request, context);
  const acceptsQuery = request.resource.kind !== 'root' && allow.includes('GET');
  return { kind: 'inspect', allow, acceptsQuery };
}

function allowed(request: ApiRequest, context: PlanContext): readonly string[] {
  const { resource, schema } = request;
  switch (resource.kind) {
    case 'root':
      return ['OPTIONS', 'GET', 'HEAD'];
    case 'relation': {
      const table = findTable(context.cache, { schema, name: resource.name });
      if (table === null) throw unknownTable(context, schema, resource.name);
      return tableMethods(table);
    }
    case 'function': {
      const routine = findFunction(request, resource.name, context);
      return routine.volatility === 'volatile' ? ['OPTIONS', 'POST'] : ['OPTIONS', 'GET', 'HEAD', 'POST'];
    }
  }
}

function tableMethods(table: Table): readonly string[] {
  return [
    'OPTIONS',
    'GET',
    'HEAD',
    ...(table.insertable ? ['POST'] : []),
    ...(table.insertable && table.updatable && table.primaryKey.length > 0 ? ['PUT'] : []),
    ...(table.updatable ? ['PATCH'] : []),
    ...(table.deletable ? ['DELETE'] : []),
  ];
}
