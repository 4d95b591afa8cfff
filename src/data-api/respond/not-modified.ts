import { giveBackBlock } from '../../blocks.js';
import type { Reply } from './reply.js';

/** Returns 304 in place of a reply, without the body and its headers. */
export function notModified({ headers, body }: Reply): Reply {
  if (Array.isArray(body)) body.forEach(giveBackBlock);
  else if (body !== null && 'destroy' in body) body.destroy();
  return { status: 304, headers: headers.filter(([name]) => !OF_BODY.has(name.toLowerCase())), body: null };
}

/** Headers of the body, which a cache keeps from the response that has it (RFC 9111 §3.2). */
const OF_BODY: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'content-range',
  'range-unit',
]);
