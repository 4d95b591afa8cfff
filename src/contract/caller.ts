import type { Gone } from '../base/gone.js';

/** The client that waits for work to end. */
export interface Caller {
  /** Key of the client, its address: clients take turns where requests wait. Work of the service itself has the empty key. */
  readonly client: string;
  /** Fires when the client disconnects; null if it cannot. Read only if the work waits or may take long. */
  readonly signal: Gone | null;
  /** Called each time a connection begins a batch of the client. */
  readonly onSent?: (() => void) | null;
}
