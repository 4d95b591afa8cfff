/**
 * Holds the current cache and replaces it. The old cache is used while a new one is built, and if building fails; a
 * failed load is repeated after 1, 2, 4 … 32 seconds.
 */
import type { Observe } from '../../observability/observation.js';
import type { SchemaCache } from './types.js';

interface HolderOptions {
  /** Builds a cache of that generation. */
  readonly load: (generation: number) => Promise<SchemaCache>;
  /** Called with each new cache, before `loaded` resolves with it. */
  readonly onLoaded?: (cache: SchemaCache) => void;
  readonly observe: Observe;
}

export interface SchemaCacheHolder {
  /** Returns the current cache; null before the first load, when requests get DBR002. */
  current(): SchemaCache | null;
  state(): HolderState;
  /**
   * Requests a new cache. The first call loads immediately; further calls within 100 ms or during a load cause one
   * more load, so that every change before a call is in a cache that is loaded after it.
   */
  reload(): void;
  /** Resolves with the next cache; rejects if the holder is closed first. */
  loaded(): Promise<SchemaCache>;
  /** Resolves when the first load has ended, also by a failure. */
  readonly attempted: Promise<void>;
  /** Begins no further load. The result of a load in progress is discarded. */
  close(): void;
}

interface HolderState {
  /** `waiting`: the last load failed and the next one is due in `retryInSeconds`. */
  readonly status: 'idle' | 'loading' | 'waiting' | 'closed';
  readonly retryInSeconds: number;
  readonly generation: number | null;
  /** Message of the last failure since the last success. */
  readonly lastError: string | null;
}

/** Time in milliseconds within which calls are combined. */
const DEBOUNCE = 100;
const LONGEST_BACKOFF = 32;

interface Waiter {
  resolve(cache: SchemaCache): void;
  reject(error: Error): void;
}

interface Holder {
  readonly options: HolderOptions;
  cache: SchemaCache | null;
  status: HolderState['status'];
  /** Of the last load that began. */
  generation: number;
  lastError: string | null;
  /** Length of the pause after the last failure, in seconds; 0 after a success. */
  backoff: number;
  /** Whether a load was requested since the last one began. */
  wanted: boolean;
  debounce: NodeJS.Timeout | null;
  retry: NodeJS.Timeout | null;
  waiters: Waiter[];
  /** Resolves `attempted`. */
  readonly endAttempt: () => void;
}

/** Creates a holder. It loads nothing before the first call of `reload`. */
export function holdSchemaCache(options: HolderOptions): SchemaCacheHolder {
  let endAttempt = (): void => undefined;
  const attempted = new Promise<void>((resolve) => (endAttempt = resolve));
  const holder: Holder = {
    options,
    cache: null,
    status: 'idle',
    generation: 0,
    lastError: null,
    backoff: 0,
    wanted: false,
    debounce: null,
    retry: null,
    waiters: [],
    endAttempt,
  };
  return {
    attempted,
    current: () => holder.cache,
    state: () => stateOf(holder),
    reload: () => reload(holder),
    loaded: () =>
      new Promise((resolve, reject) => {
        if (holder.status === 'closed') reject(new Error('the schema cache is closed'));
        else holder.waiters.push({ resolve, reject });
      }),
    close: () => close(holder),
  };
}

const stateOf = ({ status, backoff, cache, lastError }: Holder): HolderState => ({
  status,
  retryInSeconds: status === 'waiting' ? backoff : 0,
  generation: cache?.generation ?? null,
  lastError,
});

function reload(holder: Holder): void {
  holder.wanted = true;
  startIfDue(holder);
}

function startIfDue(holder: Holder): void {
  const { wanted, debounce, status } = holder;
  if (wanted && debounce === null && (status === 'idle' || status === 'waiting')) start(holder);
}

function start(holder: Holder): void {
  if (holder.retry !== null) clearTimeout(holder.retry);
  holder.retry = null;
  holder.wanted = false;
  holder.status = 'loading';
  holder.generation += 1;
  holder.debounce = setTimeout(() => {
    holder.debounce = null;
    startIfDue(holder);
  }, DEBOUNCE);
  const started = performance.now();
  holder.options.load(holder.generation).then(
    (loaded) => succeeded(holder, loaded, started),
    (error: unknown) => failed(holder, error),
  );
}

function succeeded(holder: Holder, loaded: SchemaCache, started: number): void {
  if (holder.status === 'closed') return;
  holder.cache = loaded;
  holder.status = 'idle';
  holder.lastError = null;
  holder.backoff = 0;
  const { onLoaded, observe } = holder.options;
  onLoaded?.(loaded);
  const seconds = (performance.now() - started) / 1000;
  const tables = [...loaded.tables.values()].reduce((sum, { size }) => sum + size, 0);
  observe({ kind: 'schema-cache-loaded', generation: loaded.generation, seconds, tables });
  for (const waiter of takeWaiters(holder)) waiter.resolve(loaded);
  holder.endAttempt();
  startIfDue(holder);
}

function failed(holder: Holder, error: unknown): void {
  if (holder.status === 'closed') return;
  holder.status = 'waiting';
  holder.lastError = error instanceof Error ? error.message : String(error);
  holder.backoff = holder.backoff === 0 ? 1 : Math.min(holder.backoff * 2, LONGEST_BACKOFF);
  holder.retry = setTimeout(reload, holder.backoff * 1000, holder);
  holder.options.observe({ kind: 'schema-cache-failed', error, retryInSeconds: holder.backoff });
  holder.endAttempt();
  startIfDue(holder);
}

function close(holder: Holder): void {
  holder.status = 'closed';
  for (const timer of [holder.debounce, holder.retry]) if (timer !== null) clearTimeout(timer);
  for (const waiter of takeWaiters(holder)) waiter.reject(new Error('the schema cache is closed'));
  holder.endAttempt();
}

function takeWaiters(holder: Holder): readonly Waiter[] {
  const { waiters } = holder;
  holder.waiters = [];
  return waiters;
}
