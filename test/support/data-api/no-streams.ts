import type { Streams } from '../../../src/data-api/snapshot.js';
import { createStreamCounts } from '../../../src/observability/stream-counts.js';
import { createStreamSlots } from '../../../src/postgres/stream-slots.js';

/** Streams for a pipeline whose pool opens none. */
export const NO_STREAMS: Streams = {
  slots: createStreamSlots({ all: 1, perClient: 1, timeoutMs: 1000 }),
  counts: createStreamCounts(),
  limits: { timeoutMs: 0, minimumRate: 0 },
  maxRowBytes: 1024,
  maxLineBytes: 1024,
  idleMs: 0,
};
