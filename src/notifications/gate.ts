/** Lets so many pieces of work run at once; the others wait their turn. */
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
      // The place goes to whoever waits, so that nobody overtakes.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
