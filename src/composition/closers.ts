/** The parts that a service has opened, which are closed in the opposite order. */

export interface Closers {
  add(close: () => Promise<unknown>): void;
  /** Closes every part. @throws the first error, after all parts */
  closeAll(): Promise<void>;
}

export function createClosers(): Closers {
  const closers: (() => Promise<unknown>)[] = [];
  return {
    add: (close) => void closers.push(close),
    async closeAll() {
      const errors: unknown[] = [];
      for (let close = closers.pop(); close !== undefined; close = closers.pop())
        await close().catch((error: unknown) => void errors.push(error));
      if (errors.length > 0) throw errors[0];
    },
  };
}
