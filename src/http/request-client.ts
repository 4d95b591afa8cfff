/**
 * The client of one request. Its abort signal is made on its first use: few requests need one, and it costs as much as the
 * rest of a quick request. A class, since a getter of the prototype costs nothing until it is read.
 */
export class RequestClient {
  /** The client's address; empty on a Unix socket. */
  readonly client: string;
  private controller: AbortController | null = null;
  private isGone = false;

  constructor(address: string) {
    this.client = address;
  }

  /** Aborted when the client closes the connection before the end of the response. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.isGone) this.controller.abort();
    return this.controller.signal;
  }

  /** Aborts the signal. */
  abort(): void {
    this.isGone = true;
    this.controller?.abort();
  }
}
