/** Runs asynchronous checks of several calls concurrently, and continues the calls in the order of their arrival. */
export interface ArrivalOrder {
  /** Resolves with the result of `work` after those of earlier calls with the same key. */
  after<Result>(key: string, work: Promise<Result>): Promise<Result>;
}

export function createArrivalOrder(): ArrivalOrder {
  const last = new Map<string, Promise<unknown>>();
  return {
    async after(key, work) {
      const settled = Promise.allSettled([last.get(key), work]);
      last.set(key, settled);
      await settled;
      if (last.get(key) === settled) last.delete(key);
      return await work;
    },
  };
}
