/** The caller of a batch that several reads share and that does not wait to be joined by others. */
import type { Caller, CallerSignal } from '../../postgres/batch.js';
import type { SharedRead } from './shared-groups.js';

/** Each of the reads is reported as sent. The signal fires when the clients of all of them have disconnected. */
export const callerOfAll = (reads: readonly SharedRead[]): Caller => ({
  client: reads[0]?.caller.client ?? '',
  signal: signalOfAll(reads),
  onSent() {
    for (const { caller } of reads) caller.onSent?.();
  },
});

/** Listens to the signals of the reads only while something listens to it: most batches end before. */
function signalOfAll(reads: readonly SharedRead[]): CallerSignal {
  const areAborted = (): boolean => reads.every(({ caller }) => caller.signal?.aborted === true);
  const onAborts = new Map<() => void, () => void>();
  return {
    get aborted() {
      return areAborted();
    },
    addEventListener(type, listener) {
      const onAbort = (): void => {
        if (areAborted()) listener();
      };
      onAborts.set(listener, onAbort);
      for (const { caller } of reads) caller.signal?.addEventListener(type, onAbort);
    },
    removeEventListener(type, listener) {
      const onAbort = onAborts.get(listener);
      if (onAbort === undefined) return;
      onAborts.delete(listener);
      for (const { caller } of reads) caller.signal?.removeEventListener(type, onAbort);
    },
  };
}
