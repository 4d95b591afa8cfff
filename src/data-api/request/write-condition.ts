/** Conditions of requests (RFC 9110 §13.1). */
import type { Action, WriteCondition } from './api-request.js';
import type { RequestHeaders } from '../../contract/request.js';

/**
 * Returns the condition of an action; null for none, and for every read. If-Match takes precedence (RFC 9110 §13.2.2).
 * @param comparesTags whether If-Match and If-None-Match are conditions
 */
export function writeConditionOf(
  { kind }: Action,
  headers: RequestHeaders,
  comparesTags: boolean,
): WriteCondition | null {
  if (kind !== 'update' && kind !== 'upsert' && kind !== 'delete') return null;
  const match = headers.ifMatch?.trim();
  if (match !== undefined) return !comparesTags ? null : match === '*' ? 'exists' : 'tags';
  if (comparesTags && kind === 'upsert' && headers.ifNoneMatch?.trim() === '*') return 'absent';
  return unmodifiedBefore(headers) === null ? null : 'unmodified';
}

/**
 * Returns the first moment after the second of If-Unmodified-Since, in ISO 8601; null without a date: Last-Modified has
 * no fractions of a second.
 */
export function unmodifiedBefore(headers: RequestHeaders): string | null {
  const time = httpDate(headers.ifUnmodifiedSince);
  return time === null ? null : new Date(time + 1000).toISOString();
}

const TAG = /^"([0-9a-f]+)\.[0-9a-f]+"$/;

/**
 * The digests of the entity tags of If-Match. Other tags are left out: no representation has them, and a weak one does not
 * match (RFC 9110 §13.1.1).
 */
export function matchedDigests(headers: RequestHeaders): readonly string[] {
  const tags = (headers.ifMatch ?? '').split(',');
  return tags.map((tag) => TAG.exec(tag.trim())?.[1]).filter((digest) => digest !== undefined);
}

/** A date of HTTP in the form that senders must use (RFC 9110 §5.6.7). */
const FORM = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Returns milliseconds since 1970; null for no date, and for a text that is none. */
export function httpDate(text: string | undefined): number | null {
  const trimmed = text?.trim();
  if (trimmed === undefined || !FORM.test(trimmed)) return null;
  const time = Date.parse(trimmed);
  return Number.isNaN(time) ? null : time;
}
