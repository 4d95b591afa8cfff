/** Lanes whose options may change while the service runs, such as whether statements are prepared. */
import type { Lanes } from './pool.js';

export interface SwitchableLanes extends Lanes {
  /** From now on batches go to new lanes; the old ones are closed when nothing is left on them. */
  switch(): void;
}

const DRAIN_CHECK_MS = 1000;

/** @param open opens lanes with the options of the moment */
export function switchableLanes(open: () => Lanes): SwitchableLanes {
  let current = open();
  const draining = new Set<Lanes>();
  let timer: NodeJS.Timeout | null = null;

  function closeDrained(): void {
    for (const lanes of draining) {
      const { size, available, waiting } = lanes.state;
      if (waiting > 0 || available < size) continue;
      draining.delete(lanes);
      void lanes.close();
    }
    if (draining.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  }

  return {
    run: (batch, signal) => current.run(batch, signal),
    get state() {
      return current.state;
    },
    renew: () => current.renew(),
    switch() {
      draining.add(current);
      current = open();
      timer ??= setInterval(closeDrained, DRAIN_CHECK_MS).unref();
    },
    async close() {
      if (timer !== null) clearInterval(timer);
      await Promise.all([...draining, current].map((lanes) => lanes.close()));
    },
  };
}
