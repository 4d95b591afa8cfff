/** Options of the pools of the data API, to the primary and to replicas. */
import type { Observe } from '../observability/observation.js';
import { createStreamCounts } from '../observability/stream-counts.js';
import type { Streams } from '../data-api/streams.js';
import type { BodyLimits } from '../postgres/body-stream.js';
import type { PoolOptions } from '../postgres/pool.js';
import { createStreamSlots } from '../postgres/stream-slots.js';
import type { FixedSettings } from '../settings/settings.js';
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
  bodyLimits: bodyLimits(fixed),
});
