/** Options of the pools of the data API, to the primary and to replicas. */
import type { Observe } from '../observability/observation.js';
import type { PoolOptions } from '../postgres/pool.js';
import type { FixedSettings } from '../settings/settings.js';
import type { ReloadablePoolSettings } from './reloadable-pool.js';

/** Most batches in flight on one connection. */
const PIPELINE_DEPTH = 8;
const QUEUE_LIMIT = 10_000;

export const dataPoolOptions = (
  fixed: FixedSettings,
  { 'db-prepared-statements': prepared }: ReloadablePoolSettings,
  observe: Observe,
): Omit<PoolOptions, 'name'> => ({
  observe,
  size: fixed['db-pool'],
  depth: PIPELINE_DEPTH,
  prepared,
  acquisitionTimeoutMs: fixed['db-pool-acquisition-timeout'] * 1000,
  maxLifetimeMs: fixed['db-pool-max-lifetime'] * 1000,
  maxIdleMs: fixed['db-pool-max-idletime'] * 1000,
  queueLimit: QUEUE_LIMIT,
  maxResultBytes: fixed['db-max-result-bytes'],
  bodyLimits: {
    timeoutMs: fixed['db-stream-timeout'] * 1000,
    minimumRate: fixed['db-stream-minimum-rate'],
  },
});
