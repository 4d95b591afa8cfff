/** The signals that stop the process: SIGTERM and SIGINT. */

interface StopSignals {
  /** Resolves with null at the first signal. */
  readonly stopWanted: Promise<null>;
  isStopWanted(): boolean;
  /** Resolves with null after the time, or at the next signal. Any other signal after the first ends the process at once. */
  drain(seconds: number): Promise<null>;
}

export function followStopSignals(): StopSignals {
  let stop: (nothing: null) => void = () => undefined;
  const stopWanted = new Promise<null>((resolve) => (stop = resolve));
  const exit = (): void => process.exit(1);
  let isStopWanted = false;
  let next = (): void => {
    isStopWanted = true;
    stop(null);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      const act = next;
      next = exit;
      act();
    });
  }
  return {
    stopWanted,
    isStopWanted: () => isStopWanted,
    drain: (seconds) =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          next = exit;
          resolve(null);
        };
        const timer = setTimeout(done, seconds * 1000);
        if (seconds > 0) next = done;
      }),
  };
}
