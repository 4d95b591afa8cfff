import type { PassThrough, Readable } from 'node:stream';
import type { DirectionCounts, StreamEnd } from '../../observability/stream-counts.js';
import type { PipelinedConnection } from '../../postgres/pipelined-connection.js';
import type { StreamLine } from '../plan/output.js';
import type { PreparedPlan } from '../prepare/prepared-plan.js';
import type { Streams } from '../streams.js';
import type { LineBlocks } from './line-blocks.js';
import type { StreamQueries } from './transaction.js';

/** The beginning of a response whose rows follow. */
export interface RowStream {
  /** The planner's estimate of the total; null if it was not requested. */
  readonly total: bigint | null;
  /** Headers and status that functions had set when the first row was made. */
  readonly responseHeaders: string | null;
  readonly responseStatus: string | null;
  /** Fails if the rows do not arrive to the last one. */
  readonly body: Readable;
}

/** The state of a stream of rows. */
export interface RowStreamState {
  readonly connection: PipelinedConnection;
  readonly queries: StreamQueries;
  readonly prepared: PreparedPlan;
  readonly line: StreamLine;
  readonly streams: Streams;
  readonly counts: DirectionCounts;
  readonly countEnd: (end: StreamEnd) => void;
  readonly release: () => void;
  readonly resolve: (stream: RowStream) => void;
  readonly reject: (error: Error) => void;
  /** Fetches the next portion. */
  readonly fetchNext: () => void;
  /** The names of the first line of CSV. */
  header: Buffer | null;
  total: bigint | null;
  /** Null until the first row. */
  output: LineBlocks | null;
  target: PassThrough | null;
  /** Whether the bytes of a long row are being taken. */
  takesLongRow: boolean;
  maxRows: number;
  portionBytes: number;
  /** Bytes of all portions before. */
  earlierBytes: number;
  portionBegan: number;
  /** Whether the reader has delayed the portion. */
  wasPaused: boolean;
  isPaused: boolean;
  /** Whether the next portion is fetched as soon as the reader goes on. */
  isNextDue: boolean;
  isEnded: boolean;
  /** Whether PostgreSQL executes queries of the stream. */
  isBusy: boolean;
  /** Called when it has executed them after the end of the stream. */
  onIdle: () => void;
}
