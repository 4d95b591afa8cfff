/** Where clients of `/mcp` get their tokens: metadata of a protected resource (RFC 9728), for the issuers of the settings. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from '../contract/reply.js';

interface ResourceRequest {
  readonly method: string;
  readonly path: string;
  readonly scheme: string;
  readonly below: string | null;
}

export interface ProtectedResource {
  /** The path of the resource, below the prefix of the data API. */
  readonly path: string;
  /** The metadata; null at any other path. */
  readonly metadata: (request: ResourceRequest, headers: IncomingHttpHeaders) => Reply | null;
  /** Adds the address of the metadata to a reply that asks for a token. */
  readonly challenging: (reply: Reply, request: ResourceRequest, headers: IncomingHttpHeaders) => Reply;
}

interface ResourceFacts {
  /** Null: the address by which the client has reached the service. */
  readonly publicUri: string | null;
  readonly issuers: readonly string[];
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const HOST = /^[\w.:[\]-]{1,255}$/;

/** @param prefix of the paths of the data API */
export function protectedResource(
  path: string,
  prefix: string,
  facts: () => ResourceFacts,
): ProtectedResource {
  const wellKnown = new Set([WELL_KNOWN, `${WELL_KNOWN}${prefix}${path}`]);
  /** Without the prefix. Null if the client names no host. */
  function origin({ scheme }: ResourceRequest, { host }: IncomingHttpHeaders): string | null {
    const { publicUri } = facts();
    if (publicUri !== null) return new URL(publicUri).origin;
    return host === undefined || !HOST.test(host) ? null : `${scheme}://${host}`;
  }
  return {
    path,
    metadata(request, headers) {
      if (!wellKnown.has(request.path) || (request.method !== 'GET' && request.method !== 'HEAD'))
        return null;
      const base = origin(request, headers);
      const { issuers } = facts();
      if (base === null || issuers.length === 0) return null;
      const metadata = {
        resource: `${base}${prefix}${path}`,
        authorization_servers: issuers,
        bearer_methods_supported: ['header'],
        resource_name: 'dbr',
      };
      return {
        status: 200,
        headers: [
          ['Content-Type', 'application/json; charset=utf-8'],
          ['Cache-Control', 'no-store'],
        ],
        body: [Buffer.from(JSON.stringify(metadata))],
      };
    },
    challenging(reply, request, headers) {
      if (reply.status !== 401 || request.below !== path || facts().issuers.length === 0) return reply;
      const base = origin(request, headers);
      if (base === null) return reply;
      const parameter = `resource_metadata="${base}${WELL_KNOWN}${prefix}${path}"`;
      return {
        ...reply,
        headers: reply.headers.map(([name, value]) =>
          name.toLowerCase() === 'www-authenticate'
            ? [name, `${value}${/\s/.test(value) ? ',' : ''} ${parameter}`]
            : [name, value],
        ),
      };
    },
  };
}
