/** The ends of a stream of rows. */
import type { StreamEnd } from '../../observability/stream-counts.js';
import { ReaderTooSlow } from '../../postgres/body-stream.js';
import { endStream } from '../../postgres/end-stream.js';
import { BatchAborted } from '../../postgres/postgres-error.js';
import type { RowStreamState } from './row-stream-state.js';

/** Ends the stream. Its slot is returned when its backend has ended, or after a bounded time. */
export function endRowStream(state: RowStreamState, as: StreamEnd): void {
  state.isEnded = true;
  state.countEnd(as);
  const idle = state.isBusy ? new Promise<void>((resolve) => (state.onIdle = resolve)) : null;
  void endStream(state.connection, idle).then(state.release);
}

/** Ends a stream that PostgreSQL cannot complete. */
export function failStream(state: RowStreamState, error: Error): void {
  if (state.isEnded) return;
  endRowStream(state, 'error');
  if (state.target === null) state.reject(error);
  else state.target.destroy(error);
}

/** Frees the backend of a stream whose rows are no longer needed. */
export function abandonStream(state: RowStreamState, error: Error = new BatchAborted()): void {
  if (state.isEnded) return;
  endRowStream(state, endOf(error));
  if (state.target === null) state.reject(error);
  else state.target.destroy(error);
}

function endOf(error: Error): StreamEnd {
  if (error instanceof BatchAborted) return 'client gone';
  return error instanceof ReaderTooSlow ? 'too slow' : 'error';
}
