/** Areas A and B: the user that a token names, and what a handler receives beside its typed parameters and body. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Gone } from '../base/gone.js';
import type { TenantId, UserId } from '../base/identifiers.js';

/** A user of a tenant. */
export interface Principal {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  /** The scopes of claim `scope` (RFC 9068 §2.2.3); null when the token has no such claim. */
  readonly scopes: ReadonlySet<string> | null;
  /** The only tenants that the scopes reach, for an issuer that is bound to tenants; null for all. */
  readonly tenants: ReadonlySet<string> | null;
  /** The end of the token, in milliseconds since the epoch; null without `exp`. */
  readonly expiresAt: number | null;
  /** The last authentication of the user (claim `auth_time`), in milliseconds since the epoch; null if unknown. */
  readonly authenticatedAt: number | null;
}

export interface RequestContext {
  readonly principal: Principal;
  /** Aborted when the client closes the connection. */
  readonly signal: Gone;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Address of the client. */
  readonly remoteAddress: string;
}
