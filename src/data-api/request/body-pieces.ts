/** Cuts a body that arrives into pieces of whole records, which are written one after another. */
import { dbrError } from '../../errors/dbr-error.js';
import { addChunk, type ChunkList } from '../../base/bytes.js';
import { pauseBetween } from '../../base/turns.js';
import type { BodyChunks } from '../../contract/request.js';
import type { RecordEnds } from './record-ends.js';

/** Bytes of whole records. */
export interface BodyPiece {
  readonly bytes: Buffer;
  /** Number of the first line, from 1. */
  readonly line: number;
}

/** A longer piece, in bytes, is complete with its last record. */
const PIECE_BYTES = 524_288;
/** Records of a slow body wait for others for this time, in milliseconds: their transaction is open meanwhile. */
const PIECE_MS = 1000;

interface State extends ChunkList {
  readonly body: BodyChunks;
  readonly ends: RecordEnds;
  /** Longest record, in bytes. */
  readonly longest: number;
  chunks: Buffer[];
  bytes: number;
  /** Bytes of the whole records at the beginning of the chunks. */
  whole: number;
  line: number;
  /** When the first of the chunks arrived. */
  since: number;
  next: Promise<Buffer | null> | null;
}

/**
 * Returns the pieces in order. The memory of a piece is given back when the next one is asked for.
 * @param longest longest record, in bytes
 * @throws DBR182 (413); the errors of `BodyChunks.next`
 */
export async function* bodyPieces(
  body: BodyChunks,
  ends: RecordEnds,
  longest: number,
): AsyncGenerator<BodyPiece, void, undefined> {
  const state: State = {
    body,
    ends,
    longest,
    chunks: [],
    unjoined: 0,
    bytes: 0,
    whole: 0,
    line: 1,
    since: 0,
    next: null,
  };
  for (;;) {
    const chunk = await nextChunk(state);
    await pauseBetween();
    if (chunk === null) break;
    if (chunk !== 'late') add(state, chunk);
    if (state.whole === 0 || (chunk !== 'late' && !isDue(state))) continue;
    const piece = take(state, state.whole);
    await pauseBetween();
    yield piece;
    body.release(piece.bytes.length);
  }
  if (state.bytes === 0) return;
  const last = take(state, state.bytes);
  await pauseBetween();
  yield last;
}

const isDue = ({ bytes, since }: State): boolean =>
  bytes >= PIECE_BYTES || performance.now() - since >= PIECE_MS;

/** Waits for a chunk; `late` if whole records have waited long enough for it. */
async function nextChunk(state: State): Promise<Buffer | 'late' | null> {
  state.next ??= state.body.next();
  // The error of a chunk for which nothing waits is reported when it is asked for.
  state.next.catch(() => undefined);
  const chunk = await (state.whole === 0 ? state.next : withinTime(state.next, state.since + PIECE_MS));
  if (chunk !== 'late') state.next = null;
  return chunk;
}

function withinTime(next: Promise<Buffer | null>, until: number): Promise<Buffer | 'late' | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve('late'), Math.max(0, until - performance.now()));
    next.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function add(state: State, chunk: Buffer): void {
  if (state.bytes === 0) state.since = performance.now();
  const last = state.ends.lastIn(chunk);
  if (last > 0) state.whole = state.bytes + last;
  addChunk(state, chunk);
  state.bytes += chunk.length;
  const open = state.bytes - state.whole;
  if (open > state.longest)
    throw dbrError('LineTooLong', { line: lineAfterWhole(state), limit: state.longest });
}

/** Number of the line that has begun. */
function lineAfterWhole({ ends, chunks, whole, line }: State): number {
  return line + ends.linesIn(Buffer.concat(chunks).subarray(0, whole));
}

function take(state: State, length: number): BodyPiece {
  const all =
    state.chunks.length === 1 ? (state.chunks[0] ?? EMPTY) : Buffer.concat(state.chunks, state.bytes);
  const bytes = all.subarray(0, length);
  const piece = { bytes, line: state.line };
  const rest = Buffer.from(all.subarray(length));
  state.chunks = rest.length === 0 ? [] : [rest];
  state.unjoined = state.chunks.length;
  state.bytes = rest.length;
  state.whole = 0;
  state.since = performance.now();
  state.line += state.ends.linesIn(bytes);
  return piece;
}

const EMPTY = Buffer.alloc(0);
