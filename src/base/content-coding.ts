/** Content codings of responses (RFC 9110 §8.4): which one the client accepts, and compression in the thread pool of Node. */
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { BrotliCompress, BrotliOptions, Gzip, ZlibOptions } from 'node:zlib';

/** Codings that dbr writes, the preferred one first. */
export const CODINGS = ['br', 'gzip'] as const;
export type ContentCoding = (typeof CODINGS)[number];

/**
 * Returns the coding of `offered` with the greatest weight in the header; of equal weights, the one offered first
 * (RFC 9110 §12.5.3).
 * @param header `Accept-Encoding`; undefined selects the identity coding
 * @returns null for the identity coding, also if the client accepts no coding: dbr does not refuse such a request
 */
export function acceptedCoding(
  header: string | undefined,
  offered: readonly ContentCoding[],
): ContentCoding | null {
  if (header === undefined || header === '') return null;
  const weights = weightsOf(header);
  let best: { readonly coding: ContentCoding; readonly weight: number } | null = null;
  for (const coding of offered) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0;
    if (weight > (best?.weight ?? 0)) best = { coding, weight };
  }
  // A client may prefer the identity coding.
  return best === null || (weights.get('identity') ?? 0) > best.weight ? null : best.coding;
}

function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const given = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = given === undefined ? 1 : Number(given.slice(2));
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, weight >= 0 && weight <= 1 ? weight : 0);
  }
  return weights;
}

/** Levels that are several times as fast as the defaults, and compress a few percent less. */
const GZIP: ZlibOptions = { level: 5 };
/** The window of 512 KiB bounds the memory of a stream to about 2 MiB. */
const BROTLI: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 19 },
};

const gzipAll = promisify<Buffer, ZlibOptions, Buffer>(gzip);
const brotliAll = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);

/** Compresses complete bytes. */
export const compress = (bytes: Buffer, coding: ContentCoding): Promise<Buffer> =>
  coding === 'br' ? brotliAll(bytes, BROTLI) : gzipAll(bytes, GZIP);

/** Compresses a stream. */
export const createEncoder = (coding: ContentCoding): BrotliCompress | Gzip =>
  coding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP);

/**
 * Returns the strong entity tag of a content in a coding: each coding is another representation (RFC 9110 §8.8.3.3).
 */
export const codedTag = (etag: string, coding: ContentCoding | null): string =>
  coding === null ? etag : `${etag.slice(0, -1)}-${coding}"`;

/** Returns the tag that `codedTag` was given; a tag that names no coding is unchanged. */
export const uncodedTag = (etag: string): string => etag.replace(/-(?:br|gzip)"$/, '"');
