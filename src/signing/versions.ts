/** Versions as entity tags, for changes with `If-Match` (RFC 9110 §13.1.1). */
import { dbrError } from '../errors/dbr-error.js';
import { sha256 } from '../base/hash.js';

export const versionTag = (version: number | string): string => `"${String(version)}"`;

/**
 * The tag of a representation with volatile members, such as which party is online: representations that differ have
 * different tags (RFC 9110 §8.8.3), while `If-Match` compares the version alone.
 * @param volatile the volatile members as JSON values; null in the usual case, where the version alone makes the tag
 */
export function volatileTag(version: number, volatile: readonly unknown[] | null): string {
  if (volatile === null) return versionTag(version);
  const difference = sha256(Buffer.from(JSON.stringify(volatile))).toString('hex', 0, 8);
  return versionTag(`${String(version)}-${difference}`);
}

/**
 * A tag: the version, then a hyphen and a hash of the volatile members. A weak tag is none, because If-Match compares
 * strongly (RFC 9110 §13.1.1).
 */
const VERSION = /^"(\d+)(?:-[0-9a-f]+)?"$/;

/**
 * Compares the version with the header `If-Match`, if there is one.
 * @throws DbrError VersionMismatch
 */
export function requireVersion(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined) return;
  const matches = ifMatch.split(',').some((candidate) => {
    const tag = candidate.trim();
    return tag === '*' || VERSION.exec(tag)?.[1] === String(version);
  });
  if (!matches) throw dbrError('VersionMismatch');
}
