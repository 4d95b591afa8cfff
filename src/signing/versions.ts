/** Versions as entity tags, for changes that say what they are based on (RFC 9110 §13.1.1). */
import { dbrError } from '../errors/dbr-error.js';
import { sha256 } from '../sha256.js';

export const versionTag = (version: number | string): string => `"${String(version)}"`;

/**
 * The tag of what shows more than its version tells: things that pass, such as who is online. Two that differ in them have
 * tags that differ (RFC 9110 §8.8.3), while changes compare the version alone.
 * @param passing what is shown besides, as JSON values; null where nothing is out of the ordinary
 */
export function passingTag(version: number, passing: readonly unknown[] | null): string {
  if (passing === null) return versionTag(version);
  const difference = sha256(Buffer.from(JSON.stringify(passing))).toString('hex', 0, 8);
  return versionTag(`${String(version)}-${difference}`);
}

/** The version of a tag is what stands before a hyphen; what follows tells apart what may be shown of one version. */
const VERSION = /^"(\d+)(?:-[0-9a-f]+)?"$/;

/**
 * @param ifMatch the header; absent lets everything through
 * @throws DbrError VersionMismatch
 */
export function demandVersion(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined) return;
  const matches = ifMatch.split(',').some((candidate) => {
    const tag = candidate.trim();
    return tag === '*' || VERSION.exec(tag)?.[1] === String(version);
  });
  if (!matches) throw dbrError('VersionMismatch');
}
