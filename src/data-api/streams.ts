import type { StreamCounts } from '../observability/stream-counts.js';
import type { BodyLimits } from '../postgres/body-stream.js';
import type { StreamSlots } from '../postgres/stream-slots.js';

/** The streams of rows that run, and what each may take. */
export interface Streams {
  readonly slots: StreamSlots;
  readonly counts: StreamCounts;
  readonly limits: BodyLimits;
  /** Longest row that is read, in bytes. */
  readonly maxRowBytes: number;
  /** Longest line of a body, in bytes. */
  readonly maxLineBytes: number;
  /** Longest wait of an open transaction for its client, in milliseconds; 0 for none. */
  readonly idleMs: number;
}
