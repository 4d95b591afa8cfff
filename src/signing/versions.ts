/** Versions as entity tags, for changes that say what they are based on (RFC 9110 §13.1.1). */
import { dbrError } from '../errors/dbr-error.js';

export const versionTag = (version: number | string): string => `"${String(version)}"`;

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
