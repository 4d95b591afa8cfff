/**
 * Watchers of values that other transactions change: each has a key and the version of the value that it has seen. A
 * report of a change wakes the watchers of its key; a poll finds what no report has named, with one query for all.
 */
import { type Gone, whenGone } from '../base/gone.js';
import { createHash } from 'node:crypto';
import { workFailed, type BackgroundWork, type Observe } from '../observability/observation.js';

/** @typeParam Seen what a watcher has seen, @typeParam News what a query finds for a key */
export interface Watcher<Seen, News> {
  readonly key: string;
  /** The version that the watcher has seen last. The owner of the watcher replaces it. */
  seen: Seen;
  /** @param news what the query found; null: the value may have changed, and no query was made */
  readonly notify: (news: News | null) => void;
}

export interface WatchSetOptions<Seen, News> {
  /** The kind of change that wakes the watchers: lower-case letters and hyphens. Null: the poll alone. */
  readonly topic: string | null;
  /** Time between two queries for all watchers, in milliseconds: the longest delay of a change whose report was lost. */
  readonly pollMs: number;
  /** How a report of a change is handled: its watchers are notified at once, or the query is made for them first. */
  readonly onReport: 'notify' | 'query';
  /** Finds the changes that these watchers have not seen, as pairs of key and news. */
  readonly query: (
    watchers: readonly Watcher<Seen, News>[],
  ) => Promise<Iterable<readonly [key: string, news: News]>>;
  /** Names the query in the observation of the first of several that fail. The next poll repeats the query. */
  readonly work: BackgroundWork;
}

export interface WatchSet<Seen, News> {
  readonly size: number;
  /** @returns a function that removes the watcher */
  add(watcher: Watcher<Seen, News>): () => void;
  /** Reports a change of these keys to this set alone. */
  report(keys: readonly string[]): void;
  /** Makes the query for all watchers soon: changes may have gone unreported. */
  check(): void;
  /** Waits for the query that runs, and starts no other. */
  close(): Promise<void>;
}

export interface WatchSets {
  open<Seen, News>(options: WatchSetOptions<Seen, News>): WatchSet<Seen, News>;
  /** Reports changes by their keys. */
  report(topic: string, keys: readonly string[]): void;
  /** Reports changes by the hashes of their keys, see `hashKey`. */
  reportHashes(topic: string, hashes: readonly string[]): void;
  /** Makes the queries of all sets of a topic; null: of all topics. */
  check(topic: string | null): void;
}

/** 128 bits of the SHA-256 of a key, in base64url: 22 characters that reveal nothing of the key. */
export const hashKey = (key: string): string =>
  createHash('sha256').update(key).digest('base64url').slice(0, HASH_LENGTH);
export const HASH_LENGTH = 22;

/** The part of a set that `createWatchSets` uses, for any type of version. */
interface AnySet {
  readonly topic: string | null;
  report(keys: readonly string[]): void;
  reportHashes(hashes: readonly string[]): void;
  check(): void;
}

export function createWatchSets(observe: Observe): WatchSets {
  const sets = new Set<AnySet>();
  const ofTopic = (topic: string | null): readonly AnySet[] =>
    [...sets].filter((set) => topic === null || set.topic === topic);
  return {
    open(options) {
      const set = createWatchSet(options, observe, () => void sets.delete(set));
      sets.add(set);
      return set;
    },
    report(topic, keys) {
      for (const set of sets) if (set.topic === topic) set.report(keys);
    },
    reportHashes(topic, hashes) {
      for (const set of sets) if (set.topic === topic) set.reportHashes(hashes);
    },
    check(topic) {
      for (const set of ofTopic(topic)) set.check();
    },
  };
}

interface WatchState<Seen, News> {
  readonly options: WatchSetOptions<Seen, News>;
  readonly observe: Observe;
  readonly watchers: Map<string, Set<Watcher<Seen, News>>>;
  /** Keys that are watched, by their hashes. */
  readonly keys: Map<string, string>;
  size: number;
  /** Keys that the next query is for; null: all. */
  due: Set<string> | null;
  failing: boolean;
  closed: boolean;
  running: Promise<void> | null;
}

function createWatchSet<Seen, News>(
  options: WatchSetOptions<Seen, News>,
  observe: Observe,
  onClose: () => void,
): WatchSet<Seen, News> & AnySet {
  const state: WatchState<Seen, News> = {
    options,
    observe,
    watchers: new Map(),
    keys: new Map(),
    size: 0,
    due: new Set(),
    failing: false,
    closed: false,
    running: null,
  };
  const check = (): void => {
    state.due = null;
    startQueries(state);
  };
  const timer = setInterval(check, options.pollMs).unref();
  const report = (keys: readonly string[]): void => reportTo(state, keys);
  return {
    topic: options.topic,
    get size() {
      return state.size;
    },
    add: (watcher) => addWatcher(state, watcher),
    report,
    reportHashes: (hashes) => report(hashes.flatMap((hash) => state.keys.get(hash) ?? [])),
    check,
    async close() {
      onClose();
      state.closed = true;
      clearInterval(timer);
      await state.running;
    },
  };
}

function addWatcher<Seen, News>(state: WatchState<Seen, News>, watcher: Watcher<Seen, News>): () => void {
  const { key } = watcher;
  const existing = state.watchers.get(key);
  const watchers = existing ?? new Set();
  if (existing === undefined) {
    state.watchers.set(key, watchers);
    state.keys.set(hashKey(key), key);
  }
  watchers.add(watcher);
  state.size += 1;
  return () => {
    if (!watchers.delete(watcher)) return;
    state.size -= 1;
    if (watchers.size > 0) return;
    state.watchers.delete(key);
    state.keys.delete(hashKey(key));
  };
}

function reportTo<Seen, News>(state: WatchState<Seen, News>, keys: readonly string[]): void {
  const watched = keys.filter((key) => state.watchers.has(key));
  if (watched.length === 0) return;
  if (state.options.onReport === 'notify') {
    for (const key of watched) notifyKey(state, key, null);
    return;
  }
  for (const key of watched) state.due?.add(key);
  startQueries(state);
}

function notifyKey<Seen, News>(state: WatchState<Seen, News>, key: string, news: News | null): void {
  for (const watcher of [...(state.watchers.get(key) ?? [])]) watcher.notify(news);
}

function startQueries<Seen, News>(state: WatchState<Seen, News>): void {
  if (state.running === null && !state.closed && state.size > 0) state.running = runQueries(state);
}

/** Makes queries until nothing is due. A query that fails leaves its keys to the next poll. */
async function runQueries<Seen, News>(state: WatchState<Seen, News>): Promise<void> {
  const { query, work } = state.options;
  while (!state.closed && state.size > 0 && (state.due === null || state.due.size > 0)) {
    const { due } = state;
    state.due = new Set();
    const keys = due === null ? [...state.watchers.keys()] : [...due];
    const watchers = keys.flatMap((key) => [...(state.watchers.get(key) ?? [])]);
    if (watchers.length === 0) continue;
    try {
      for (const [key, news] of await query(watchers)) notifyKey(state, key, news);
      state.failing = false;
    } catch (error) {
      if (!state.failing) state.observe(workFailed(work)(error));
      state.failing = true;
      break;
    }
  }
  state.running = null;
}

/** Calls back once, when a query has found news of the key. Returns a function that stops watching. */
export function watchOnce<Seen, News>(
  set: Pick<WatchSet<Seen, News>, 'add'>,
  key: string,
  seen: Seen,
  onNews: (news: News) => void,
): () => void {
  const remove = set.add({
    key,
    seen,
    notify(news) {
      if (news === null) return;
      remove();
      onNews(news);
    },
  });
  return remove;
}

/** A watcher for one reader that waits in turns. */
export interface Watch<Seen> {
  /** Whether there may be a version after `seen`. The reader sets it to false before it reads. */
  due: boolean;
  /** The version that the reader has seen last. */
  seen: Seen;
  /**
   * Resolves when `due` is true, after the given time, or when the signal is aborted.
   * @param timeoutMs in milliseconds; null sets no limit
   */
  next(timeoutMs: number | null, signal: Gone): Promise<void>;
  close(): void;
}

/** Watches a key for a reader that waits in turns. The watch is due at first. */
export function watchKey<Seen>(
  set: Pick<WatchSet<Seen, unknown>, 'add'>,
  key: string,
  seen: Seen,
): Watch<Seen> {
  let wake: (() => void) | null = null;
  const watch: Watch<Seen> & Watcher<Seen, unknown> = {
    key,
    due: true,
    seen,
    notify() {
      watch.due = true;
      wake?.();
    },
    next(timeoutMs, signal) {
      if (watch.due || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          if (timer !== null) clearTimeout(timer);
          unlink();
          wake = null;
          resolve();
        };
        const timer = timeoutMs === null ? null : setTimeout(done, timeoutMs);
        wake = done;
        const unlink = whenGone(signal, done);
      });
    },
    close: () => remove(),
  };
  const remove = set.add(watch);
  return watch;
}
