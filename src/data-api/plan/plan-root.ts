import { dbrError } from '../../errors/dbr-error.js';
import type { ApiRequest } from '../request/api-request.js';
import type { PlanContext } from './plan-context.js';
import { planCall } from './plan-call.js';
import type { CallPlan, DocumentPlan } from './plan.js';

/** Media types that the description is sent for, whatever its own. */
const ACCEPTABLE: ReadonlySet<string> = new Set(['application/openapi+json', 'application/json']);

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
    case 'document': {
      const { accept, schema } = request;
      if (
        !accept.some((range) => range.kind === 'any' || (range.kind === 'type' && ACCEPTABLE.has(range.name)))
      ) {
        const mediaTypes = accept.map((range) => range.text).join(', ');
        throw dbrError('UnacceptableMediaType', { message: 'accept', mediaTypes });
      }
      return { kind: 'document', schema, contentType: 'application/openapi+json; charset=utf-8' };
    }
  }
}
