/** What a handler of areas A and B is given beside its typed request. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../auth/caller.js';
import type { Logger } from '../observability/log.js';

export interface RequestContext {
  readonly requestId: string;
  readonly caller: Caller;
  readonly log: Logger;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** Lower-case names, as Node gives them. */
  readonly headers: IncomingHttpHeaders;
  /** The address the request came from. */
  readonly remoteAddress: string;
}
