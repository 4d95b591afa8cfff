import { dbrError } from '../../errors/dbr-error.js';
import type { ApiRequest, DescribedVersion } from '../request/api-request.js';
import { type PlanContext, findTable, unknownTable } from './plan-context.js';
import { findFunction, planCall } from './plan-call.js';
import { planMutation, requireNoGraph } from './plan-mutation.js';
import { planRead } from './plan-read.js';
import type { CallPlan, DocumentPlan, InspectPlan, OpenApiVersion, Plan } from './plan.js';
import type { Table } from '../schema-cache/types.js';

/** Plans a request. Pure: throws all faults that can be found without the database. */
export function planRequest(request: ApiRequest, context: PlanContext): Plan {
  const { action, resource } = request;
  if (action.kind === 'inspect') return planInspect(request, context);
  if (action.kind === 'document')
    return resource.kind === 'description'
      ? planDescription(request, resource.version, context)
      : planRoot(request, action.headersOnly, context);
  switch (resource.kind) {
    case 'relation':
      if (action.kind === 'read') requireNoGraph(request, resource.name);
      return planRelation(request, resource.name, context);
    case 'function':
      requireNoGraph(request, resource.name);
      if (action.kind !== 'call') throw dbrError('UnsupportedFunctionMethod', { method: request.method });
      return planCall(request, resource.name, action, context);
    case 'root':
    case 'description':
      throw dbrError('InvalidPath');
  }
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

/** Plans OPTIONS (data API §1.14): the methods of the resource, whatever the privileges of the role. */
function planInspect(request: ApiRequest, context: PlanContext): InspectPlan {
  const allow = allowed(request, context);
  const acceptsQuery = request.resource.kind !== 'root' && allow.includes('GET');
  return { kind: 'inspect', allow, acceptsQuery };
}

function allowed(request: ApiRequest, context: PlanContext): readonly string[] {
  const { resource, schema } = request;
  switch (resource.kind) {
    case 'root':
    case 'description':
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

/**
 * Media types without a version, for which the setting selects the version. The media type of
 * https://spec.openapis.org contains its version.
 */
const UNVERSIONED: ReadonlySet<string> = new Set(['application/openapi+json', 'application/json']);
const VERSIONED = 'application/vnd.oai.openapi+json';

/** Plans GET and HEAD of the root (data API §1.14). */
function planRoot(request: ApiRequest, headersOnly: boolean, context: PlanContext): CallPlan | DocumentPlan {
  switch (context.root.kind) {
    case 'disabled':
      throw dbrError('InvalidPath');
    case 'function':
      return planCall(request, context.root.name, { reading: true, headersOnly }, context);
    case 'document':
      return planDocument(request, context.root.version);
  }
}

/** Plans GET and HEAD of `/openapi.json`: the version is in the URL, and any media type of JSON gives it. */
function planDescription(
  { accept, schema }: ApiRequest,
  version: DescribedVersion,
  { root }: PlanContext,
): DocumentPlan {
  if (root.kind === 'disabled') throw dbrError('InvalidPath');
  const isAccepted = accept.some(
    (range) =>
      range.kind === 'any' ||
      (range.kind === 'type' && (range.name === VERSIONED || UNVERSIONED.has(range.name))),
  );
  if (!isAccepted) throw unacceptable(accept);
  return { kind: 'document', schema, version, contentType: 'application/json; charset=utf-8' };
}

function planDocument({ accept, schema }: ApiRequest, version: OpenApiVersion): DocumentPlan {
  for (const range of accept) {
    if (range.kind === 'type' && range.name === VERSIONED)
      return { kind: 'document', schema, version: '3.1', contentType: `${VERSIONED}; version=3.1` };
    if (range.kind === 'any' || (range.kind === 'type' && UNVERSIONED.has(range.name)))
      return { kind: 'document', schema, version, contentType: 'application/openapi+json; charset=utf-8' };
  }
  throw unacceptable(accept);
}

const unacceptable = (accept: ApiRequest['accept']): Error =>
  dbrError('UnacceptableMediaType', {
    message: 'accept',
    mediaTypes: accept.map((range) => range.text).join(', '),
  });
