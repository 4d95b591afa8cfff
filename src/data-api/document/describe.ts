/** Descriptions of schemas as JSON text, cached until the schema cache or a setting changes. */
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { lruCache } from '../../base/lru-cache.js';
import type { ReloadableSettings } from '../../settings/settings.js';
import type { Description, Descriptions } from '../description.js';
import type { DocumentPlan } from '../plan/plan.js';
import type { SchemaCache } from '../schema-cache/types.js';
import { describeAsOpenApi } from './openapi-document.js';
import { describeAsSwagger } from './swagger.js';

const MAX_ENTRIES = 64;
/** Limit of all cached descriptions, in bytes. */
const MAX_BYTES = 8_388_608;
/** Longest text that is cached as it is, in bytes. */
const LONGEST_TEXT = 262_144;

/** @param pathPrefix `server-path-prefix`; empty for none @param hasLive `db-live` */
export function createDescriptions(
  cache: SchemaCache,
  settings: ReloadableSettings,
  pathPrefix: string,
  hasLive = false,
): Descriptions {
  const descriptions = lruCache<Description>({
    maxEntries: MAX_ENTRIES,
    maxBytes: MAX_BYTES,
    bytesOf: ({ bytes }) => bytes.length,
  });
  const underWay = new Map<string, Promise<Description>>();
  let last: Promise<unknown> = Promise.resolve();
  const showsAll = settings['openapi-mode'] === 'ignore-privileges';

  function piecesOf({ schema, version }: DocumentPlan, role: string): Iterable<string> {
    const describeSchema = version === '2.0' ? describeAsSwagger : describeAsOpenApi;
    return describeSchema(cache, {
      version,
      schema,
      role: showsAll ? null : role,
      searchPath: showsAll ? [] : [schema, ...settings['db-extra-search-path']],
      omitsVolatileGet: settings['compatibility-level'] === '16',
      withSecurity: settings['openapi-security-active'],
      publicUri: settings['openapi-server-proxy-uri'],
      pathPrefix,
      maxBatch: settings['db-max-batch'],
      hasLive,
    });
  }

  /** Makes descriptions one after the other, which bounds their memory. */
  function make(key: string, plan: DocumentPlan, role: string): Promise<Description> {
    const made = last
      .then(() => pack(piecesOf(plan, role)))
      .then((description) => {
        descriptions.set(key, description);
        return description;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, made);
    last = made.catch(() => undefined);
    return made;
  }

  return {
    of(plan, role) {
      const key = `${plan.version}\0${plan.schema}${showsAll ? '' : `\0${role}`}`;
      const known = descriptions.get(key);
      if (known !== undefined) return Promise.resolve(known);
      return underWay.get(key) ?? make(key, plan, role);
    },
  };
}

/** Compresses the text in the thread pool of Node.js, at whose pace it is made: other requests are served meanwhile. */
async function pack(pieces: Iterable<string>): Promise<Description> {
  const digest = createHash('sha256');
  const text: Buffer[] = [];
  let length = 0;
  function* noted(): Generator<Buffer> {
    for (const chunk of chunksOf(pieces)) {
      digest.update(chunk);
      length += chunk.length;
      if (length <= LONGEST_TEXT) text.push(chunk);
      yield chunk;
    }
  }
  const packed = await pipeline(noted(), createGzip({ level: GZIP_LEVEL }), buffer);
  const isPacked = length > LONGEST_TEXT;
  const bytes = isPacked ? packed : Buffer.concat(text, length);
  return { etag: `"${digest.digest('base64url')}"`, length, bytes, isPacked };
}

/** Several times as fast as the default, and a few percent longer. */
const GZIP_LEVEL = 5;

/** Characters of a chunk. */
const CHUNK = 32_768;

/** Pieces joined to chunks of some length. */
function* chunksOf(pieces: Iterable<string>): Generator<Buffer> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK) continue;
    yield Buffer.from(chunk, 'utf8');
    chunk = '';
  }
  if (chunk !== '') yield Buffer.from(chunk, 'utf8');
}
