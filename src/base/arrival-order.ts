/** Runs the asynchronous work of several calls concurrently, and continues the calls in the order of their arrival. */
export interface ArrivalOrder {
  /** Resolves with the result of `work` after that of earlier calls with the same key. */
  after<Result>(key: string, work: Promise<Result>): Promise<Result>;
}

export function createArrivalOrder(): ArrivalOrder {
  const last = new Map<string, Promise<unknown>>();
  return {
    after(key, work) {
      const earlier = last.get(key);
      const own = earlier === undefined ? work : Promise.allSettled([earlier, work]).then(() => work);
      last.set(key, own);
      const remove = (): void => {
        if (last.get(key) === own) last.delete(key);
      };
      own.then(remove, remove);
      return own;
    },
  };
}
