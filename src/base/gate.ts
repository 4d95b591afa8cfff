/** Runs a bounded number of tasks at once; the others wait in order. */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createGate(width: number): Gate {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      // The longest waiting task takes the place, so that no task overtakes it.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
