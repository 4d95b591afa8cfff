/** Cross-origin rules (Fetch standard, "CORS protocol"), with the reference data-access layer's choice of headers. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Header } from '../contract/reply.js';

export interface CorsPolicy {
  /** Headers of an ordinary response. An OPTIONS request that is not a preflight of an allowed origin gets none. */
  responseHeaders(method: string, headers: IncomingHttpHeaders): readonly Header[];
  /** Headers of the response to a preflight, or null for any other request. */
  preflightHeaders(method: string, headers: IncomingHttpHeaders): readonly Header[] | null;
  /** Whether the request comes from an origin that is not allowed. */
  refuses(headers: IncomingHttpHeaders): boolean;
}

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'];
/** For a preflight of QUERY; others have the list of the reference. */
const METHODS_WITH_QUERY = [...METHODS, 'QUERY'];
/** Request headers that a script may set without a preflight (Fetch standard, CORS-safelisted request-header). */
const SAFELISTED = ['Accept', 'Accept-Language', 'Content-Language'];
/** The list of the reference, and further headers that clients need. */
const EXPOSED =
  'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit, ' +
  'ETag, Accept-Query, Dbr-Truncated, Link, Preference-Applied, Retry-After, WWW-Authenticate, X-Request-Id';
const NONE: readonly Header[] = [];

/**
 * Whether a request is a preflight: it asks whether another request may be sent (Fetch standard, "CORS-preflight
 * request").
 */
export const isPreflight = (method: string, headers: IncomingHttpHeaders): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/**
 * @param alsoExposed response headers that scripts may read beside those of every service
 * @param allowedOrigins null allows every origin, without credentials; a list allows only its origins, with
 * credentials
 */
export function corsPolicy(
  allowedOrigins: readonly string[] | null,
  alsoExposed: readonly string[] = [],
): CorsPolicy {
  const exposed = [EXPOSED, ...alsoExposed].join(', ');
  const exposedToAll: readonly Header[] = [
    ['Access-Control-Allow-Origin', '*'],
    ['Access-Control-Expose-Headers', exposed],
  ];
  const allowed = allowedOrigins === null ? null : new Set(allowedOrigins);

  function originHeaders(origin: string): readonly Header[] | null {
    if (allowed === null) return [['Access-Control-Allow-Origin', '*']];
    if (!allowed.has(origin)) return null;
    return [
      ['Access-Control-Allow-Origin', origin],
      ['Access-Control-Allow-Credentials', 'true'],
    ];
  }

  return {
    responseHeaders(method, { origin }) {
      if (origin === undefined || method === 'OPTIONS') return NONE;
      if (allowed === null) return exposedToAll;
      const granted = originHeaders(origin);
      return granted === null ? NONE : [...granted, ['Access-Control-Expose-Headers', exposed]];
    },
    refuses: ({ origin }) => allowed !== null && origin !== undefined && !allowed.has(origin),
    preflightHeaders(method, headers) {
      const { origin, 'access-control-request-method': wantedMethod } = headers;
      if (method !== 'OPTIONS' || origin === undefined || wantedMethod === undefined) return null;
      const methods = wantedMethod === 'QUERY' ? METHODS_WITH_QUERY : METHODS;
      if (!methods.includes(wantedMethod)) return null;
      const granted = originHeaders(origin);
      if (granted === null) return null;
      return [
        ...granted,
        ['Access-Control-Allow-Methods', methods.join(', ')],
        ['Access-Control-Allow-Headers', allowedHeaders(headers['access-control-request-headers'])],
        ['Access-Control-Max-Age', '86400'],
      ];
    },
  };
}

/** The headers that the script requests, and those that it may always set. */
function allowedHeaders(wanted: string | undefined): string {
  const names = (wanted ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const asked = new Set(names.map((name) => name.toLowerCase()));
  const others = SAFELISTED.filter((name) => !asked.has(name.toLowerCase()));
  return ['Authorization', ...names, ...others].join(', ');
}
