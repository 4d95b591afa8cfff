/**
 * Holds the current cache and replaces it. The old one serves while a new one is built and whenever building fails;
 * a failed load is tried again after 1, 2, 4 … 32 seconds.
 */
import type { SchemaCache } from './types.js';

export interface HolderOptions {
  /** Builds a cache of that generation; `previous` is the one that serves now. */
  readonly load: (generation: number, previous: SchemaCache | null) => Promise<SchemaCache>;
  /** After each swap; seconds that loading took. */
  readonly onLoaded?: (cache: SchemaCache, seconds: number) => void;
  /** After each failure; seconds until the next try. */
  readonly onFailed?: (error: unknown, retryInSeconds: number) => void;
}

export interface SchemaCacheHolder {
  /** The cache that serves, or null before the first one: then requests are answered with DBR002. */
  current(): SchemaCache | null;
  state(): HolderState;
  /**
   * Asks for a new cache. The first call loads at once, more of them within 100 ms or during a load count as one that
   * follows: whatever changed before a call is in a cache loaded after it.
   */
  reload(): void;
  /** Resolves with the first cache that is loaded after the call, rejects when the holder is closed before that. */
  loaded(): Promise<SchemaCache>;
  /** No further loads. A load that is under way is let go, its result is dropped. */
  close(): void;
}

export interface HolderState {
  /** `waiting`: the last load failed and the next one is due in `retryInSeconds`. */
  readonly status: 'idle' | 'loading' | 'waiting' | 'closed';
  readonly retryInSeconds: number;
  readonly generation: number | null;
  /** Message of the last failure since the last success. */
  readonly lastError: string | null;
}

/** Milliseconds in which calls count as one. */
const DEBOUNCE = 100;
const LONGEST_BACKOFF = 32;

interface Waiter {
  resolve(cache: SchemaCache): void;
  reject(error: Error): void;
}

/** Loads nothing until `reload` is called. */
export function holdSchemaCache(options: HolderOptions): SchemaCacheHolder {
  let cache: SchemaCache | null = null;
  let status: HolderState['status'] = 'idle';
  let generation = 0;
  let lastError: string | null = null;
  let lastStart = Number.NEGATIVE_INFINITY;
  let backoff = 0;
  let again = false;
  let timer: NodeJS.Timeout | null = null;
  let waiters: Waiter[] = [];

  const startIn = (milliseconds: number): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(start, milliseconds);
  };

  const start = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    again = false;
    status = 'loading';
    lastStart = performance.now();
    generation += 1;
    options.load(generation, cache).then(succeeded, failed);
  };

  const succeeded = (loaded: SchemaCache): void => {
    if (status === 'closed') return;
    cache = loaded;
    status = 'idle';
    lastError = null;
    backoff = 0;
    options.onLoaded?.(loaded, (performance.now() - lastStart) / 1000);
    const satisfied = waiters;
    waiters = [];
    for (const waiter of satisfied) waiter.resolve(loaded);
    if (again) reload();
  };

  const failed = (error: unknown): void => {
    if (status === 'closed') return;
    status = 'waiting';
    lastError = error instanceof Error ? error.message : String(error);
    backoff = backoff === 0 ? 1 : Math.min(backoff * 2, LONGEST_BACKOFF);
    startIn(backoff * 1000);
    options.onFailed?.(error, backoff);
    if (again) reload();
  };

  const reload = (): void => {
    switch (status) {
      case 'closed':
        return;
      case 'loading':
        again = true;
        return;
      case 'idle':
      case 'waiting': {
        const due = lastStart + DEBOUNCE - performance.now();
        if (due <= 0) start();
        else startIn(due);
      }
    }
  };

  return {
    current: () => cache,
    state: () => ({
      status,
      retryInSeconds: status === 'waiting' ? backoff : 0,
      generation: cache?.generation ?? null,
      lastError,
    }),
    reload,
    loaded: () =>
      new Promise((resolve, reject) => {
        if (status === 'closed') reject(new Error('the schema cache is closed'));
        else waiters.push({ resolve, reject });
      }),
    close: () => {
      status = 'closed';
      if (timer !== null) clearTimeout(timer);
      timer = null;
      const left = waiters;
      waiters = [];
      for (const waiter of left) waiter.reject(new Error('the schema cache is closed'));
    },
  };
}
