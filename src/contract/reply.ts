/** A header: its name, and its value with one character for each byte. */
export type Header = readonly [name: string, value: string];

/** The reply to a request. */
export interface Reply {
  readonly status: number;
  /** Reason phrase, if it is not the default of the status. */
  readonly reason?: string | undefined;
  readonly headers: readonly Header[];
  /** Complete bytes, chunks that arrive, or no body. */
  readonly body: readonly Buffer[] | AsyncIterable<string | Buffer> | null;
  /** Called with each piece of the body once it is written and nothing refers to it: its memory is used again. */
  readonly release?: ((piece: Buffer) => void) | undefined;
  /** For a status of 500 and above: code and message of the error, for the log. */
  readonly failure?: string | undefined;
  /** The code of the error that the body reports, for log and metrics. */
  readonly code?: string | undefined;
}
