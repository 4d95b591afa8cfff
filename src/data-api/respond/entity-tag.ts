/** Entity tags of reads, and 304 (RFC 9110 §8.8.3, §13.1.2). */
import { matchesEntityTag } from '../../operations/entity-tag.js';
import { sha256Text } from '../../sha256.js';
import { TAG_DIGITS } from '../sql/entity-tag.js';
import { notModified } from './not-modified.js';
import type { Reply } from './reply.js';

/** Longest body with a tag, in bytes: hashing it takes 40 µs, where 1 kB takes 1 µs. */
const LONGEST_TAGGED = 65_536;

/**
 * Returns the reply to a read with the tag of its body, or 304 if the client has that body. A streamed or long body,
 * an error and a reply with a tag of its own are unchanged.
 * @param ifNoneMatch the header of the request
 */
export function withEntityTag(reply: Reply, ifNoneMatch: string | undefined): Reply {
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
