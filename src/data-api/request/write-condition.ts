/** Conditions of writes (RFC 9110 §13.1). */
import type { Action, WriteCondition } from './api-request.js';
import { headerOf, type RequestHeaders } from './headers.js';

/** Returns the condition of an action; null for none, and for every read. If-Match takes precedence (RFC 9110 §13.2.2). */
export function writeConditionOf({ kind }: Action, headers: RequestHeaders): WriteCondition | null {
  if (kind !== 'update' && kind !== 'upsert' && kind !== 'delete') return null;
  const match = headerOf(headers, 'if-match')?.trim();
  if (match !== undefined) return match === '*' ? 'exists' : 'tags';
  return kind === 'upsert' && headerOf(headers, 'if-none-match')?.trim() === '*' ? 'absent' : null;
}

const TAG = /^(?:W\/)?"([0-9a-f]+)\.[0-9a-f]+"$/;

/** The digests of the entity tags of If-Match, of which other tags are left out: no representation has them. */
export function matchedDigests(headers: RequestHeaders): readonly string[] {
  const tags = (headerOf(headers, 'if-match') ?? '').split(',');
  return tags.map((tag) => TAG.exec(tag.trim())?.[1]).filter((digest) => digest !== undefined);
}
