import { Readable } from 'node:stream';
import type { MainResult } from '../execute/main-result.js';
import type { RunnablePlan } from '../plan/plan.js';
import type { Action } from '../request/api-request.js';
import { headerOf, type RequestHeaders } from '../request/headers.js';
import type { ShapedRequest } from '../request/shaped-request.js';
import { httpDate } from '../request/http-date.js';
import type { Reply } from '../../contract/reply.js';
import { respond } from './respond.js';
import { matchesEntityTag } from '../../operations/entity-tag.js';
import { sha256Text } from '../../base/hash.js';
import { TAG_DIGITS } from '../sql/entity-tag.js';
import { giveBackBlock } from '../../base/blocks.js';

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

/** Longest body with a tag, in bytes: hashing it takes 40 µs, where 1 kB takes 1 µs. */
const LONGEST_TAGGED = 65_536;

/**
 * Returns the reply to a read with the tag of its body, or 304 if the client has that body. A streamed or long body,
 * an error and a reply with a tag of its own are unchanged.
 * @param ifNoneMatch the header of the request
 */
function withEntityTag(reply: Reply, ifNoneMatch: string | undefined): Reply {
  const { status, headers, body } = reply;
  if ((status !== 200 && status !== 206) || body === null || !isComplete(body)) return reply;
  if (lengthOf(body) > LONGEST_TAGGED) return reply;
  let form = status;
  for (const [name, value] of headers) {
    const field = name.toLowerCase();
    if (field === 'etag') return reply;
    if (field === 'content-type' || field === 'content-range') form = mix(form, value);
  }
  const etag = `"${digestOf(body)}.${form.toString(16)}"`;
  if (!matchesEntityTag(ifNoneMatch, etag)) return { ...reply, headers: [...headers, ['ETag', etag]] };
  return notModified({ ...reply, headers: [...headers, ['ETag', etag]] });
}

const isComplete = (body: NonNullable<Reply['body']>): body is readonly Buffer[] => Array.isArray(body);

function lengthOf(pieces: readonly Buffer[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}

/** The beginning of SHA-256 in hexadecimal digits, as the statement of a conditional write computes it. */
function digestOf(pieces: readonly Buffer[]): string {
  const [first] = pieces;
  const bytes = pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
  return sha256Text(bytes, 'hex').slice(0, TAG_DIGITS);
}

/**
 * Mixes a header into a number of 32 bits (FNV-1a): equal bytes of another media type, or of a page with another total,
 * are another representation.
 */
function mix(form: number, text: string): number {
  let mixed = form ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  return mixed >>> 0;
}

/** Returns 304 in place of a reply, without the body and its headers. */
export function notModified({ headers, body }: Reply): Reply {
  if (Array.isArray(body)) body.forEach(giveBackBlock);
  else if (body instanceof Readable) body.destroy();
  return { status: 304, headers: headers.filter(([name]) => !OF_BODY.has(name.toLowerCase())), body: null };
}

/** Headers of the body, which a cache keeps from the response that has it (RFC 9111 §3.2). */
const OF_BODY: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'content-range',
  'range-unit',
]);

/** Returns 304 in place of a reply whose row has not changed since the time in the header of the request. */
function withModifiedSince(reply: Reply, ifModifiedSince: string | undefined): Reply {
  const { status, headers } = reply;
  if (status !== 200 && status !== 206) return reply;
  const since = httpDate(ifModifiedSince);
  const modified = httpDate(headers.find(([name]) => name.toLowerCase() === 'last-modified')?.[1]);
  return since === null || modified === null || modified > since ? reply : notModified(reply);
}
