export interface Target {
  /** Address of the service; the data API is at `/rest/v1` below it. */
  readonly url: string;
  /** Of every request. */
  readonly token: string;
}

export interface Client {
  readonly name: string;
  readonly version: string;
  /** Each runs one request and returns what the client gives: data, data with a count, or an error. */
  readonly operations: Readonly<Record<string, (target: Target) => Promise<unknown>>>;
}

export const CLIENTS: readonly Client[];
