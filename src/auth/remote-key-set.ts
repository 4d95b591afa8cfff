/**
 * The key set of one issuer, kept current: it is loaded at the start, refreshed at an interval, and loaded again when
 * a token names a key that is not in it. While the issuer cannot be reached, the last loaded copy stays in force, up
 * to a maximum age.
 */
import { objectOf } from '../base/json.js';
import { setTimeout as delay } from 'node:timers/promises';
import type { Observe } from '../observability/observation.js';
import {
  addressForLogs,
  type KeyAddress,
  isKeyAddress,
  isPlainHttp,
  metadataAddress,
  textOf,
} from './key-address.js';
import { type PublishedKey, readPublishedKeys } from './keys.js';
import { FetchError, fetchJson, type FetchOptions } from './fetch-json.js';

interface RemoteKeySetOptions {
  readonly address: KeyAddress;
  /** Read at each load. */
  readonly policy: () => KeySetPolicy;
  /** Certificates of the authorities to trust, in PEM; read at each load. @throws when they cannot be read */
  readonly authorities: () => Promise<readonly string[] | undefined>;
  readonly observe: Observe;
  /** Called when keys are withdrawn that were in force. */
  readonly onKeysRemoved: () => void;
}

export interface RemoteKeySet {
  /** Returns the keys in force; null before the first load and when the last loaded copy is too old. */
  keys(): readonly PublishedKey[] | null;
  /** Whether a load that began at this time of `performance.now` or later has ended. */
  loadedSince(timeMs: number): boolean;
  /**
   * Waits for the end of the current load, or else of the next load, which begins as soon as `refetchMs` allows.
   * @returns false immediately if too many callers wait, or the set is closed
   */
  nextLoad(): Promise<boolean>;
  /** Seconds until the next load may begin, at least 1. */
  retryAfterSeconds(): number;
  close(): void;
}

interface KeySetState {
  readonly options: RemoteKeySetOptions;
  readonly closing: AbortController;
  keys: readonly PublishedKey[] | null;
  /** Time at which the load of `keys` began. */
  loadedAtMs: number;
  /** Time at which the last load began. */
  begunAtMs: number;
  /** Time at which the last finished load began. */
  endedLoadBegunAtMs: number;
  /** Number of failed loads since the last successful one. */
  failures: number;
  loading: Promise<void> | null;
  /** A load that begins when `refetchMs` allows it. */
  queued: Promise<void> | null;
  /** Number of callers that wait in `nextLoad`. */
  waiting: number;
  timer: NodeJS.Timeout | null;
}

/** Further tokens are refused immediately, so that a flood of tokens with unknown keys keeps few requests open. */
const MAX_WAITING = 100;
/** Begins the first load. */
export function openRemoteKeySet(options: RemoteKeySetOptions): RemoteKeySet {
  const state: KeySetState = {
    options,
    closing: new AbortController(),
    keys: null,
    loadedAtMs: -Infinity,
    begunAtMs: -Infinity,
    endedLoadBegunAtMs: -Infinity,
    failures: 0,
    loading: null,
    queued: null,
    waiting: 0,
    timer: null,
  };
  void load(state);
  return {
    keys: () => state.keys,
    loadedSince: (timeMs) => state.endedLoadBegunAtMs >= timeMs,
    nextLoad: () => nextLoad(state),
    retryAfterSeconds: () => Math.max(1, Math.ceil(untilRefetchMs(state) / 1000)),
    close() {
      state.closing.abort();
      if (state.timer !== null) clearTimeout(state.timer);
    },
  };
}

async function nextLoad(state: KeySetState): Promise<boolean> {
  if (state.waiting >= MAX_WAITING || state.closing.signal.aborted) return false;
  state.waiting += 1;
  try {
    // Tokens that arrive before a load begins wait for the same one.
    await (state.loading ?? (state.queued ??= loadWhenAllowed(state)));
    return true;
  } finally {
    state.waiting -= 1;
  }
}

const untilRefetchMs = ({ options, begunAtMs }: KeySetState): number =>
  Math.max(0, begunAtMs + options.policy().refetchMs - performance.now());

async function loadWhenAllowed(state: KeySetState): Promise<void> {
  const { signal } = state.closing;
  // Only `close` ends the delay early; the load then does nothing.
  await delay(untilRefetchMs(state), undefined, { ref: false, signal }).catch(() => undefined);
  state.queued = null;
  await load(state);
}

/** Joins the current load, or begins one. It never rejects: a failure is an observation. */
function load(state: KeySetState): Promise<void> {
  if (state.closing.signal.aborted) return Promise.resolve();
  if (state.timer !== null) clearTimeout(state.timer);
  state.loading ??= loadOnce(state).finally(() => (state.loading = null));
  return state.loading;
}

async function loadOnce(state: KeySetState): Promise<void> {
  const { address, policy, authorities } = state.options;
  const { signal } = state.closing;
  state.begunAtMs = performance.now();
  let inMs: number;
  try {
    const ca = await authorities();
    const loaded = await loadKeySet(address, { timeoutMs: policy().timeoutMs, ca, signal });
    if (signal.aborted) return;
    inMs = takeLoaded(state, loaded);
  } catch (error) {
    if (signal.aborted) return;
    inMs = takeFailure(state, error instanceof Error ? error.message : String(error));
  }
  state.endedLoadBegunAtMs = state.begunAtMs;
  state.timer = setTimeout(() => void load(state), inMs);
  state.timer.unref();
}

/** @returns milliseconds until the next load */
function takeLoaded(state: KeySetState, { keys, freshSeconds }: LoadedKeySet): number {
  const { address, policy, observe, onKeysRemoved } = state.options;
  const { failures } = state;
  const published = new Set(keys.map(({ identity }) => identity));
  const isRemoved = ({ identity }: PublishedKey): boolean => !published.has(identity);
  const removed = state.keys?.some(isRemoved) ?? false;
  state.keys = keys;
  state.loadedAtMs = state.begunAtMs;
  state.failures = 0;
  observe({
    kind: 'key-set-loaded',
    address: addressForLogs(address),
    keys: keys.length,
    afterFailures: failures,
  });
  if (removed) onKeysRemoved();
  return refreshDelayMs(freshSeconds, policy(), Math.random());
}

/** @returns milliseconds until the next attempt */
function takeFailure(state: KeySetState, reason: string): number {
  const { address, policy, observe, onKeysRemoved } = state.options;
  const { maxStaleMs } = policy();
  const expired =
    state.keys !== null && maxStaleMs !== null && performance.now() - state.loadedAtMs >= maxStaleMs;
  if (expired) state.keys = null;
  state.failures += 1;
  const retryMs = retryDelayMs(state.failures, policy(), Math.random());
  observe({
    kind: 'key-set-failed',
    address: addressForLogs(address),
    error: reason,
    hasCopy: state.keys !== null,
    retryInSeconds: Math.ceil(retryMs / 1000),
  });
  if (expired) onKeysRemoved();
  return retryMs;
}

// The schedule on which the key set of an issuer is loaded.

/** Times in milliseconds. */
export interface KeySetPolicy {
  /** Longest time between two loads; the issuer may ask for a shorter one (`Cache-Control`). */
  readonly refreshMs: number;
  /** Shortest time between the beginnings of two loads, however many tokens name unknown keys. */
  readonly refetchMs: number;
  /** Longest use of a copy that cannot be refreshed; null for any time. */
  readonly maxStaleMs: number | null;
  /** Longest duration of one request to the issuer. */
  readonly timeoutMs: number;
}

/** Limits of the freshness that an issuer can request by `Cache-Control`. */
const SHORTEST_REFRESH_MS = 60_000;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

/** Shortens a delay by up to a fifth, so that processes do not load at the same time. */
const spread = (ms: number, random: number): number => ms * (1 - 0.2 * random);

/**
 * Returns the milliseconds until a loaded set is refreshed: before its freshness ends.
 * @param freshSeconds freshness that the issuer states; null if it states none
 * @param random from 0 to 1
 */
export function refreshDelayMs(
  freshSeconds: number | null,
  { refreshMs, refetchMs }: KeySetPolicy,
  random: number,
): number {
  const fresh = freshSeconds === null ? refreshMs : Math.max(SHORTEST_REFRESH_MS, freshSeconds * 1000);
  return Math.max(refetchMs, spread(Math.min(refreshMs, fresh), random));
}

/**
 * Returns the milliseconds until the next attempt, which double with each failure.
 * @param failures number of failures since the last successful load, including the latest
 * @param random from 0 to 1
 */
export function retryDelayMs(
  failures: number,
  { refreshMs, refetchMs }: KeySetPolicy,
  random: number,
): number {
  const delay = FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10);
  return Math.max(refetchMs, spread(Math.min(delay, refreshMs, LONGEST_RETRY_MS), random));
}

// Loads the key set of an issuer, from its address or from the address in the issuer's metadata.

interface LoadedKeySet {
  /** May be empty: an issuer that publishes no key withdraws its keys. */
  readonly keys: readonly PublishedKey[];
  /** Freshness of the set in seconds, as the issuer states it; null if it states none. */
  readonly freshSeconds: number | null;
}

/** @throws FetchError when the set cannot be fetched, KeyError when it is not a key set */
export async function loadKeySet(address: KeyAddress, options: FetchOptions): Promise<LoadedKeySet> {
  const uri = address.kind === 'key-set' ? address.uri : await discover(address.issuer, options);
  const { value, freshSeconds } = await fetchJson(uri, options);
  return { keys: readPublishedKeys(value), freshSeconds };
}

/**
 * Reads the address of the key set from the metadata of an issuer, which must name exactly this issuer (OpenID
 * Connect Discovery 1.0 §4.3).
 */
async function discover(issuer: string, options: FetchOptions): Promise<string> {
  const { value } = await fetchJson(metadataAddress(issuer), options);
  const metadata = objectOf(value);
  if (metadata['issuer'] !== issuer) throw new FetchError('the metadata are of another issuer');
  const uri = metadata['jwks_uri'];
  if (typeof uri !== 'string' || !isKeyAddress(uri) || (isPlainHttp(uri) && !isPlainHttp(issuer)))
    throw new FetchError('the metadata name no https address of a key set in "jwks_uri"');
  return uri;
}

// The remote key sets of a process, one for each address. A reload of the settings keeps the loaded copies.

export interface KeySets {
  /** Returns the key set at this address. The first call opens it. */
  at(address: KeyAddress): RemoteKeySet;
  /** Closes the key sets that are not among these. */
  retain(used: ReadonlySet<RemoteKeySet>): void;
  close(): void;
}

export function openKeySets(options: Omit<RemoteKeySetOptions, 'address'>): KeySets {
  const open = new Map<string, RemoteKeySet>();
  const retain = (used: ReadonlySet<RemoteKeySet>): void => {
    for (const [name, set] of open) {
      if (used.has(set)) continue;
      set.close();
      open.delete(name);
    }
  };
  return {
    at(address) {
      const name = `${address.kind} ${textOf(address)}`;
      const known = open.get(name);
      if (known !== undefined) return known;
      const set = openRemoteKeySet({ ...options, address });
      open.set(name, set);
      return set;
    },
    retain,
    close: () => retain(new Set()),
  };
}
