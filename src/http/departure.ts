/** A client's going away, as an abort signal that is made when somebody first asks for it: few requests need one. */
export interface Departure {
  readonly signal: AbortSignal;
  /** To be told when the client has gone. */
  happened(): void;
}

export function departure(): Departure {
  let controller: AbortController | null = null;
  let gone = false;
  return {
    get signal() {
      controller ??= new AbortController();
      if (gone) controller.abort();
      return controller.signal;
    },
    happened() {
      gone = true;
      controller?.abort();
    },
  };
}
