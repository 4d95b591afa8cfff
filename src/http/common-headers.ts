/** Headers of every response. */
import type { IncomingHttpHeaders } from 'node:http';
import { isPreflight, type CorsPolicy } from './cors.js';
import type { HeaderList } from './reply.js';

export interface HeaderSources {
  readonly serverHeader: string;
  readonly cors: CorsPolicy;
  readonly traceHeader: string | null;
  readonly method: string;
  /** Headers of the request. */
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  readonly isDataApi: boolean;
  /** Whether responses are compressed for clients that accept it. */
  readonly isCompressed: boolean;
}

/** Request headers on which a response of the data API depends. Caches store one response for each combination. */
const DATA_API_VARY = {
  plain: 'Accept, Accept-Profile, Authorization, Origin, Prefer, Range',
  compressed: 'Accept, Accept-Encoding, Accept-Profile, Authorization, Origin, Prefer, Range',
};
const SERVICE_VARY = {
  plain: 'Accept, Authorization, Origin',
  compressed: 'Accept, Accept-Encoding, Authorization, Origin',
};
const PREFLIGHT_VARY = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers';

/** Returns the common headers. A response may replace them by its own headers. */
export function commonHeaders(sources: HeaderSources): HeaderList {
  const { serverHeader, cors, traceHeader, method, headers, requestId, isDataApi, isCompressed } = sources;
  const preflight = isPreflight(method, headers);
  const vary = isDataApi ? DATA_API_VARY : SERVICE_VARY;
  const list: (readonly [string, string])[] = [
    ['Server', serverHeader],
    ['X-Content-Type-Options', 'nosniff'],
    ['Vary', preflight ? PREFLIGHT_VARY : isCompressed ? vary.compressed : vary.plain],
  ];
  if (headers.origin !== undefined) list.push(...cors.responseHeaders(method, headers));
  if (headers.authorization !== undefined) list.push(['Cache-Control', 'private']);
  if (traceHeader?.toLowerCase() !== 'x-request-id') list.push(['X-Request-Id', requestId]);
  if (traceHeader !== null) list.push([traceHeader, printable(headers[traceHeader.toLowerCase()])]);
  return list;
}

/** Removes bytes that Node.js accepts in a request header and refuses to send (obs-text). */
const printable = (value: string | string[] | undefined): string =>
  String(value ?? '').replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '');
