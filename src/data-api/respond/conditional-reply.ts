import type { MainResult } from '../execute/main-result.js';
import type { RunnablePlan } from '../plan/plan.js';
import type { Action } from '../request/api-request.js';
import { headerOf, type RequestHeaders } from '../request/headers.js';
import type { ShapedRequest } from '../request/shaped-request.js';
import { withEntityTag } from './entity-tag.js';
import { withModifiedSince } from './last-modified.js';
import type { Reply } from './reply.js';
import { respond } from './respond.js';

/**
 * Returns the reply for the result of a plan; that of a read with its entity tag, or 304 if the client has its body.
 * @param tagged whether reads have entity tags
 * @throws DBR103, DBR111 and DBR112
 */
export function respondConditionally(
  plan: RunnablePlan,
  result: MainResult,
  shaped: ShapedRequest,
  headers: RequestHeaders,
  tagged: boolean,
): Reply {
  const reply = respond(plan, result, shaped);
  if (!isRead(shaped.request.action)) return reply;
  const current = tagged ? withEntityTag(reply, headerOf(headers, 'if-none-match')) : reply;
  return comparesTime(plan, headers)
    ? withModifiedSince(current, headerOf(headers, 'if-modified-since'))
    : current;
}

const isRead = (action: Action): boolean =>
  action.kind === 'read' || (action.kind === 'call' && action.reading);

/** Whether a read is compared with If-Modified-Since, which If-None-Match replaces (RFC 9110 §13.1.3). */
const comparesTime = (plan: RunnablePlan, headers: RequestHeaders): boolean =>
  plan.kind === 'read' && plan.dated?.isOneRow === true && headers['if-none-match'] === undefined;
