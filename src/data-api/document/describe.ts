/** Descriptions of schemas as JSON text, cached until the schema cache or a setting changes. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Readable, type Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { createEncoder, type ContentCoding } from '../../base/content-coding.js';
import { lruCache } from '../../base/lru-cache.js';
import type { ReloadableSettings } from '../../settings/settings.js';
import type { DocumentPlan } from '../plan/plan.js';
import type { SchemaCache } from '../schema-cache/types.js';
import { describeAsOpenApi } from './openapi-document.js';
import { describeAsSwagger } from './swagger.js';

/** A description in UTF-8. Of a long one only the compressed text is kept. */
export interface Description {
  /** Strong entity tag of the text. */
  readonly etag: string;
  readonly compressed: Readonly<Record<ContentCoding, Buffer>>;
  /** Null for a text longer than `LONGEST_TEXT`. */
  readonly text: Buffer | null;
}

export interface Descriptions {
  /** The description of a schema for a role. */
  of(plan: DocumentPlan, role: string): Promise<Description>;
}

const MAX_ENTRIES = 64;
/** Limit of all cached descriptions, in bytes. */
const MAX_BYTES = 8_388_608;
/** Longest text that is cached uncompressed, in bytes. */
const LONGEST_TEXT = 262_144;

/** @param pathPrefix `server-path-prefix`; empty for none */
export function createDescriptions(
  cache: SchemaCache,
  settings: ReloadableSettings,
  pathPrefix: string,
): Descriptions {
  const descriptions = lruCache<Description>({
    maxEntries: MAX_ENTRIES,
    maxBytes: MAX_BYTES,
    bytesOf: ({ compressed, text }) => compressed.br.length + compressed.gzip.length + (text?.length ?? 0),
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
    });
  }

  /** Makes descriptions one after the other, which bounds their memory. */
  function make(key: string, plan: DocumentPlan, role: string): Promise<Description> {
    const made = last
      .then(() => compress(piecesOf(plan, role)))
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

/** Compresses the text in the thread pool of Node.js, so that other requests are served meanwhile. */
async function compress(pieces: Iterable<string>): Promise<Description> {
  const [br, gzip] = [createEncoder('br'), createEncoder('gzip')];
  try {
    const [ofBr, ofGzip, read] = await Promise.all([buffer(br), buffer(gzip), feed(pieces, [br, gzip])]);
    return { ...read, compressed: { br: ofBr, gzip: ofGzip } };
  } finally {
    for (const encoder of [br, gzip]) encoder.destroy();
  }
}

/** Writes the text to all encoders, at the pace of the slowest. */
async function feed(
  pieces: Iterable<string>,
  encoders: readonly Transform[],
): Promise<Pick<Description, 'etag' | 'text'>> {
  const digest = createHash('sha256');
  const text: Buffer[] = [];
  let length = 0;
  for (const chunk of chunksOf(pieces)) {
    digest.update(chunk);
    length += chunk.length;
    if (length <= LONGEST_TEXT) text.push(chunk);
    else text.length = 0;
    const full = encoders.filter((encoder) => !encoder.write(chunk));
    await Promise.all(full.map((encoder) => once(encoder, 'drain')));
  }
  for (const encoder of encoders) encoder.end();
  return {
    etag: `"${digest.digest('base64url')}"`,
    text: length <= LONGEST_TEXT ? Buffer.concat(text, length) : null,
  };
}

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

/**
 * Returns the body of a response: its bytes, or a stream that decompresses the text at the reader's pace.
 * @param coding null for the text itself
 */
export function descriptionBody(
  { text, compressed }: Description,
  coding: ContentCoding | null,
): readonly Buffer[] | Readable {
  if (coding !== null) return [compressed[coding]];
  return text === null ? Readable.from([compressed.gzip]).pipe(createGunzip()) : [text];
}
