import { dbrError } from '../../errors/dbr-error.js';
import type { ApiRequest } from '../request/api-request.js';
import type { PlanContext } from './plan-context.js';
import { planCall } from './plan-call.js';
import type { CallPlan, DocumentPlan, OpenApiVersion } from './plan.js';

/**
 * Media types without a version, for which the setting selects the version. The media type of
 * https://spec.openapis.org contains its version.
 */
const UNVERSIONED: ReadonlySet<string> = new Set(['application/openapi+json', 'application/json']);
const VERSIONED = 'application/vnd.oai.openapi+json';

/** Plans GET and HEAD of the root (data API §1.14). */
export function planRoot(
  request: ApiRequest,
  headersOnly: boolean,
  context: PlanContext,
): CallPlan | DocumentPlan {
  switch (context.root.kind) {
    case 'disabled':
      throw dbrError('InvalidPath');
    case 'function':
      return planCall(request, context.root.name, { reading: true, headersOnly }, context);
    case 'document':
      return planDocument(request, context.root.version);
  }
}

function planDocument({ accept, schema }: ApiRequest, version: OpenApiVersion): DocumentPlan {
  for (const range of accept) {
    if (range.kind === 'type' && range.name === VERSIONED)
      return { kind: 'document', schema, version: '3.1', contentType: `${VERSIONED}; version=3.1` };
    if (range.kind === 'any' || (range.kind === 'type' && UNVERSIONED.has(range.name)))
      return { kind: 'document', schema, version, contentType: 'application/openapi+json; charset=utf-8' };
  }
  const mediaTypes = accept.map((range) => range.text).join(', ');
  throw dbrError('UnacceptableMediaType', { message: 'accept', mediaTypes });
}
