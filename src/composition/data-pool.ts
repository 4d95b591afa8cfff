/** Options of the pools, and of the streams and the schema cache of the data API. */
import type { Observe } from '../observability/observation.js';
import { createStreamCounts } from '../observability/stream-counts.js';
import type { Streams } from '../data-api/snapshot.js';
import type { BodyLimits } from '../postgres/body-stream.js';
import type { PoolOptions } from '../postgres/pool.js';
import { createStreamSlots } from '../postgres/stream-slots.js';
import type { FixedSettings, ReloadableSettings } from '../settings/settings.js';
import type { ReloadablePoolSettings } from './reloadable-pool.js';

/** Most batches in flight on one connection. */
const PIPELINE_DEPTH = 8;
const QUEUE_LIMIT = 10_000;

/** Longest wait of a stream's transaction for its client, in milliseconds. */
const STREAM_IDLE_MS = 60_000;

/** The streams of the data API, which all its pools share. */
export const openStreams = (fixed: FixedSettings): Streams => ({
  slots: createStreamSlots({
    all: fixed['db-max-streams'],
    perClient: fixed['db-max-streams-per-client'],
    timeoutMs: fixed['db-pool-acquisition-timeout'] * 1000,
  }),
  counts: createStreamCounts(),
  limits: bodyLimits(fixed),
  maxRowBytes: fixed['db-max-result-bytes'],
  maxLineBytes: fixed['server-max-body-size'],
  idleMs: fixed['db-stream-minimum-rate'] === 0 ? 0 : STREAM_IDLE_MS,
});

const bodyLimits = (fixed: FixedSettings): BodyLimits => ({
  timeoutMs: fixed['db-stream-timeout'] * 1000,
  minimumRate: fixed['db-stream-minimum-rate'],
});

/** Those that all pools share, with the depth of a pool for reads. */
export const poolOptions = (
  fixed: FixedSettings,
  { 'db-prepared-statements': prepared }: ReloadablePoolSettings,
  observe: Observe,
): Omit<PoolOptions, 'name' | 'size'> => ({
  observe,
  depth: PIPELINE_DEPTH,
  prepared,
  acquisitionTimeoutMs: fixed['db-pool-acquisition-timeout'] * 1000,
  maxLifetimeMs: fixed['db-pool-max-lifetime'] * 1000,
  maxIdleMs: fixed['db-pool-max-idletime'] * 1000,
  queueLimit: QUEUE_LIMIT,
});

/** Those of the pools to the primary and to replicas. */
export const dataPoolOptions = (
  fixed: FixedSettings,
  reloadable: ReloadablePoolSettings,
  observe: Observe,
): Omit<PoolOptions, 'name'> => ({
  ...poolOptions(fixed, reloadable, observe),
  size: fixed['db-pool'],
  maxResultBytes: fixed['db-max-result-bytes'],
  bodyLimits: bodyLimits(fixed),
});

/** Options of the load of the schema cache. */
export const cacheOptions = (settings: ReloadableSettings) => ({
  schemas: settings['db-schemas'],
  extraSearchPath: settings['db-extra-search-path'],
  hoistedSettings: settings['db-hoisted-tx-settings'],
  roleSettings: settings['db-config'],
});
