import type { Readable } from 'node:stream';
import type { Header } from './header-text.js';

/** A response as a value. */
export interface Reply {
  readonly status: number;
  /** The reason phrase, if it is not the standard one. */
  readonly reason?: string;
  readonly headers: readonly Header[];
  /** The body: complete pieces, or a stream; null for none. */
  readonly body: readonly Buffer[] | Readable | null;
  /** Called with each piece of the body once it is written; its memory is used again. */
  readonly release?: (piece: Buffer) => void;
  /** For a status of 500 and above: code and message of the error, for the log. */
  readonly failure?: string;
  /** The code of the error that the body reports, for log and metrics. */
  readonly code?: string;
}
