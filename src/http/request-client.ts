/**
 * The client of one request, and the signal of its disconnection. It has the methods of an `AbortSignal`, which would
 * cost as much as the rest of a quick request; a real one is created on demand. It is a class, because methods and
 * getters of a prototype cost nothing until they are used.
 */
export class RequestClient {
  /** The client's address; empty on a Unix socket. */
  readonly client: string;
  /** Called when a batch of the request is sent; null if the steps are not timed. */
  onSent: (() => void) | null = null;
  private isGone = false;
  private listeners: (() => void)[] | null = null;
  private controller: AbortController | null = null;

  constructor(address: string) {
    this.client = address;
  }

  /** This client, as a signal that is aborted when it closes the connection before the end of the response, and after a response to HEAD. */
  get signal(): this {
    return this;
  }

  get aborted(): boolean {
    return this.isGone;
  }

  get abortSignal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.isGone) this.controller.abort();
    return this.controller.signal;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.listeners ??= [];
    this.listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.listeners?.indexOf(listener) ?? -1;
    if (at >= 0) this.listeners?.splice(at, 1);
  }

  /** Calls the listeners, once. */
  abort(): void {
    if (this.isGone) return;
    this.isGone = true;
    const listeners = this.listeners ?? [];
    this.listeners = null;
    for (const listener of listeners) listener();
    this.controller?.abort();
  }
}
