/** Media types that the database renders, by domains of the same name (data API §1.13). */
import { findOrPut, type MutableByName } from './by-name.js';
import type { MediaHandlerRow } from './queries/types.js';
import type { Relation } from './relations.js';
import type { Media, MediaHandler, MediaHandlers } from './types.js';

const MEDIA_TYPE = /^[a-z0-9.-]+\/[a-z0-9.+-]+$/i;
const ANY = '*/*';

/** Returns the media type of a domain; null if its name is not a media type. */
export function readMedia(domain: string, baseType: string): Media | null {
  if (domain !== ANY && !MEDIA_TYPE.test(domain)) return null;
  return {
    mediaType: domain.toLowerCase(),
    contentType: domain === ANY ? 'application/octet-stream' : domain,
    binary: baseType === 'bytea',
  };
}

export function buildMediaHandlers(
  rows: readonly MediaHandlerRow[],
  relations: ReadonlyMap<number, Relation>,
): MediaHandlers {
  const any = new Map<string, MediaHandler>();
  const relation: MutableByName<Map<string, MediaHandler>> = new Map();
  for (const row of rows) {
    const media = readMedia(row.domain, row.baseType);
    if (media === null) continue;
    const handler: MediaHandler = { ...media, aggregate: { schema: row.schema, name: row.name } };
    if (row.relation === null) any.set(media.mediaType, handler);
    else {
      const taken = relations.get(row.relation);
      if (taken !== undefined) findOrPut(relation, taken.name, () => new Map()).set(media.mediaType, handler);
    }
  }
  return { any, relation };
}
