/** The parts that a service has opened, which are closed in the opposite order. */

export interface Closers {
  add(close: () => Promise<unknown>): void;
  closeAll(): Promise<void>;
}

export function createClosers(): Closers {
  const closers: (() => Promise<unknown>)[] = [];
  return {
    add: (close) => void closers.push(close),
    async closeAll() {
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
    },
  };
}
