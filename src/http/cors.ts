/** Cross-origin rules (Fetch standard, "CORS protocol"), with the reference data-access layer's choice of headers. */
import type { IncomingHttpHeaders } from 'node:http';
import type { HeaderList } from './reply.js';

export interface CorsPolicy {
  /** Headers of an ordinary response. */
  responseHeaders(headers: IncomingHttpHeaders): HeaderList;
  /** Headers of the answer to a preflight, or null when the request is none. */
  preflightHeaders(method: string, headers: IncomingHttpHeaders): HeaderList | null;
}

const METHODS = 'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD';
const EXPOSED =
  'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit';
const EXPOSED_TO_ALL: HeaderList = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', EXPOSED],
];
const NONE: HeaderList = [];

/** @param allowedOrigins null allows every origin, without credentials; a list allows those alone, with them */
export function corsPolicy(allowedOrigins: readonly string[] | null): CorsPolicy {
  const allowed = allowedOrigins === null ? null : new Set(allowedOrigins);

  function originHeaders(origin: string): HeaderList | null {
    if (allowed === null) return [['Access-Control-Allow-Origin', '*']];
    if (!allowed.has(origin)) return null;
    return [
      ['Access-Control-Allow-Origin', origin],
      ['Access-Control-Allow-Credentials', 'true'],
    ];
  }

  return {
    responseHeaders({ origin }) {
      if (origin === undefined) return NONE;
      if (allowed === null) return EXPOSED_TO_ALL;
      const granted = originHeaders(origin);
      return granted === null ? NONE : [...granted, ['Access-Control-Expose-Headers', EXPOSED]];
    },
    preflightHeaders(method, headers) {
      const { origin, 'access-control-request-method': wantedMethod } = headers;
      if (method !== 'OPTIONS' || origin === undefined || wantedMethod === undefined) return null;
      const granted = originHeaders(origin);
      if (granted === null) return null;
      const wanted = headers['access-control-request-headers'];
      const names = [
        'Authorization',
        ...(wanted === undefined ? [] : [wanted]),
        'Accept',
        'Accept-Language',
        'Content-Language',
      ];
      return [
        ...granted,
        ['Access-Control-Allow-Methods', METHODS],
        ['Access-Control-Allow-Headers', names.join(', ')],
        ['Access-Control-Max-Age', '86400'],
      ];
    },
  };
}
