/**
 * Holds the current cache and replaces it. The old one serves while a new one is built and whenever building fails;
 * a failed load is tried again after 1, 2, 4 … 32 seconds.
 */
import type { Observe } from '../../observability/observation.js';
import type { SchemaCache } from './types.js';

export interface HolderOptions {
  /** Builds a cache of that generation. */
  readonly load: (generation: number) => Promise<SchemaCache>;
  /** Called with each new cache, before `loaded` resolves with it. */
  readonly onLoaded?: (cache: SchemaCache) => void;
  readonly observe: Observe;
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
  /** Resolves with the next cache, rejects when the holder is closed before there is one. */
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
  let backoff = 0;
  let wanted = false;
  let debounce: NodeJS.Timeout | null = null;
  let retry: NodeJS.Timeout | null = null;
  let waiters: Waiter[] = [];

  const reload = (): void => {
    wanted = true;
    startIfDue();
  };

  const startIfDue = (): void => {
    if (wanted && debounce === null && (status === 'idle' || status === 'waiting')) start();
  };

  const start = (): void => {
    if (retry !== null) clearTimeout(retry);
    retry = null;
    wanted = false;
    status = 'loading';
    generation += 1;
    debounce = setTimeout(() => {
      debounce = null;
      startIfDue();
    }, DEBOUNCE);
    const started = performance.now();
    options.load(generation).then((loaded) => succeeded(loaded, started), failed);
  };

  const succeeded = (loaded: SchemaCache, started: number): void => {
    if (status === 'closed') return;
    cache = loaded;
    status = 'idle';
    lastError = null;
    backoff = 0;
    options.onLoaded?.(loaded);
    const seconds = (performance.now() - started) / 1000;
    options.observe({ kind: 'schema-cache-loaded', generation: loaded.generation, seconds });
    const satisfied = waiters;
    waiters = [];
    for (const waiter of satisfied) waiter.resolve(loaded);
    startIfDue();
  };

  const failed = (error: unknown): void => {
    if (status === 'closed') return;
    status = 'waiting';
    lastError = error instanceof Error ? error.message : String(error);
    backoff = backoff === 0 ? 1 : Math.min(backoff * 2, LONGEST_BACKOFF);
    retry = setTimeout(reload, backoff * 1000);
    options.observe({ kind: 'schema-cache-failed', error, retryInSeconds: backoff });
    startIfDue();
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
      for (const timer of [debounce, retry]) if (timer !== null) clearTimeout(timer);
      const left = waiters;
      waiters = [];
      for (const waiter of left) waiter.reject(new Error('the schema cache is closed'));
    },
  };
}
