/** Which requests have a body that is written while it arrives. */
import { headerOf, type RequestHeaders } from './headers.js';
import { type CsvDialect, mediaTypeOf, readContentType, RFC4180_CSV } from './media-types.js';
import { STREAM } from './preferences.js';
import { queryCarrierOf } from './query-in-body.js';

export type UploadFormat = 'ndjson' | CsvDialect;

/** Returns the format of the rows that a POST to a relation streams; null for any other request. */
export function uploadFormatOf(request: {
  readonly method: string;
  readonly path: string;
  readonly headers: RequestHeaders;
}): UploadFormat | null {
  const { method, path, headers } = request;
  if (method !== 'POST' || path === '/' || path.startsWith('/rpc/') || queryCarrierOf(request) !== null)
    return null;
  const written = headerOf(headers, 'content-type') ?? '';
  if (!STREAMED.has(mediaTypeOf(written))) return null;
  switch (readContentType(written).name) {
    case 'application/x-ndjson':
      return 'ndjson';
    case 'text/csv':
      return prefersStream(headers) ? 'csv' : null;
    case RFC4180_CSV:
      return prefersStream(headers) ? 'rfc4180' : null;
    default:
      return null;
  }
}

/** Only for these, the parameters of the media type are read. */
const STREAMED: ReadonlySet<string> = new Set(['application/x-ndjson', 'text/csv']);

const prefersStream = (headers: RequestHeaders): boolean =>
  (headerOf(headers, 'prefer') ?? '').split(',').some((token) => token.trim() === STREAM);
