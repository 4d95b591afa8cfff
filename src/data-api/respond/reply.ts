import type { Readable } from 'node:stream';
import type { Header } from './header-text.js';

/** A response as a value. */
export interface Reply {
  readonly status: number;
  /** The reason phrase, where it is not the standard one. */
  readonly reason?: string;
  readonly headers: readonly Header[];
  /** The body in pieces as PostgreSQL sent them, or as it sends them; null for none. */
  readonly body: readonly Buffer[] | Readable | null;
  /** Why the status is 500 or above: code and message of the error, for the log. */
  readonly failure?: string;
}
