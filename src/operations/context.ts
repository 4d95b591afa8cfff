/** The context of a handler of areas A and B: the properties of a request beside its typed parameters and body. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../auth/caller.js';

export interface RequestContext {
  readonly caller: Caller;
  /** Aborted when the client closes the connection. */
  readonly signal: AbortSignal;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Address of the client. */
  readonly remoteAddress: string;
}
