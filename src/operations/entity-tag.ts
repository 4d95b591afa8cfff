/** Entity tags and conditional requests (RFC 9110 §8.8.3, §13.1). */
import { uncodedTag } from '../base/content-coding.js';
import { sha256Text } from '../base/hash.js';

/** Characters of a tag: 162 bits of the digest. */
const TAG_LENGTH = 27;

/** The strong entity tag of a content. */
export const entityTag = (content: string | Uint8Array): string =>
  `"${sha256Text(content, 'base64url').slice(0, TAG_LENGTH)}"`;

/**
 * Whether `If-None-Match` names the tag, or its form for a coding. `*` names every tag; a weak tag equals the strong one.
 */
export function matchesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = etag.replace(/^W\//, '');
  return header.split(',').some((candidate) => {
    const tag = candidate.trim().replace(/^W\//, '');
    return tag === '*' || tag === opaque || uncodedTag(tag) === opaque;
  });
}
