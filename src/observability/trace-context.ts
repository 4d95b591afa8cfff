/** The position of a request in a distributed trace, from the headers of its client (W3C Trace Context). */
import { randomFillSync } from 'node:crypto';
import type { RequestTrace } from '../contract/timings.js';

/** The span of the client that sent a request. */
export type RemoteSpan = Omit<RequestTrace, 'parentId'>;

/** `version-traceid-parentid-flags`; a version above 00 may have more members (§3.2). */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/**
 * Reads the headers of a request. A malformed `traceparent` is ignored with its `tracestate`, and a malformed
 * `tracestate` is ignored alone (W3C Trace Context §4.3).
 */
export function readTraceContext(
  traceparent: string | readonly string[] | undefined,
  tracestate: string | readonly string[] | undefined,
): RemoteSpan | null {
  if (typeof traceparent !== 'string') return null;
  const [, version = '', traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(traceparent) ?? [];
  if (version === '' || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  const isSampled = (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED;
  return { traceId, spanId, isSampled, traceState: readTraceState(tracestate) };
}

const MOST_MEMBERS = 32;
const LONGEST_STATE = 512;
/** `key=value` (§3.3.1.3); the key of a multi-tenant system has the form `tenant@system`. */
const MEMBER =
  /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

function readTraceState(header: string | readonly string[] | undefined): string | null {
  if (header === undefined) return null;
  const text = typeof header === 'string' ? header : header.join(',');
  if (text.length > LONGEST_STATE) return null;
  const members = text
    .split(',')
    .map((member) => member.replaceAll(/^[ \t]+|[ \t]+$/g, ''))
    .filter((member) => member !== '');
  if (members.length === 0 || members.length > MOST_MEMBERS) return null;
  const keys = new Set(members.map((member) => member.slice(0, member.indexOf('='))));
  if (keys.size < members.length || !members.every((member) => MEMBER.test(member))) return null;
  return members.join(',');
}

/** The value of `traceparent` that names a span as the parent of what follows. */
export const traceparentOf = (
  { traceId, isSampled }: { readonly traceId: string; readonly isSampled: boolean },
  spanId: string,
): string => `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** Random bytes for many ids, because one call of the generator costs as much as making a span. */
const random = Buffer.alloc(4096);
let used = random.length;

function randomHex(bytes: number): string {
  if (used + bytes > random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += bytes;
  return random.toString('hex', used - bytes, used);
}

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

export const newTraceId = (): string => randomHex(TRACE_ID_BYTES);
export const newSpanId = (): string => randomHex(SPAN_ID_BYTES);

/** Bytes of the trace id that the decision reads: the last ones, which are random (W3C Trace Context Level 2 §2.2). */
const DECISIVE_DIGITS = 12;

/** Whether a trace belongs to the sampled share. Every service with the same ratio decides alike. @param ratio from 0 to 1 */
export const isInShare = (traceId: string, ratio: number): boolean =>
  Number.parseInt(traceId.slice(-DECISIVE_DIGITS), 16) < ratio * 16 ** DECISIVE_DIGITS;
