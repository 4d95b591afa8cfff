/** Takes the rows of a stream as they arrive, and makes lines of them. */
import { PassThrough } from 'node:stream';
import { giveBackBlock } from '../../base/blocks.js';
import type { Row } from '../../postgres/batch.js';
import { bodyStream } from '../../postgres/body-stream.js';
import { BatchAborted, ResultTooLarge } from '../../postgres/postgres-error.js';
import { abandonStream } from './end-row-stream.js';
import { createLineBlocks, type LineBlocks } from './line-blocks.js';
import { estimatedRows, settingOf } from './main-result.js';
import type { RowStreamState } from './row-stream-state.js';

/** Takes a row that has arrived whole. It is copied once, and leaves no object behind. */
export function takeBytes(
  state: RowStreamState,
  columns: readonly (string | null)[],
  bytes: Buffer,
  query: number,
): void {
  if (columns.length === 0)
    return takeRow(state, { columns, body: [Buffer.from(bytes)], bodyLength: bytes.length }, query);
  if (state.isEnded) return;
  const output = outputOf(state, columns);
  output.beginLine();
  output.add(bytes);
  output.endLine();
  state.counts.rows++;
  state.portionBytes += bytes.length;
  requireBytes(state);
}

/** Takes a row in pieces. The header of CSV and the estimate are rows of one column. */
export function takeRow(state: RowStreamState, { columns, body }: Row, query: number): void {
  const { queries, takesLongRow } = state;
  if (state.isEnded) return;
  if (columns.length === 0) {
    const pieces = body ?? [];
    if (query === queries.header) state.header = Buffer.concat(pieces);
    else if (query === queries.estimate)
      state.total = estimatedRows({ columns, body: pieces, bodyLength: 0 });
    return;
  }
  state.takesLongRow = false;
  const output = outputOf(state, columns);
  if (!takesLongRow) {
    output.beginLine();
    for (const piece of body ?? []) {
      state.portionBytes += piece.length;
      output.add(piece);
      giveBackBlock(piece);
    }
  }
  output.endLine();
  state.counts.rows++;
  requireBytes(state);
}

/** Cuts a stream that is longer than the role may read. */
function requireBytes(state: RowStreamState): void {
  const { maxResultBytes } = state.prepared;
  const bytes = state.earlierBytes + state.portionBytes;
  if (maxResultBytes !== null && bytes > maxResultBytes)
    abandonStream(state, new ResultTooLarge(bytes, maxResultBytes));
}

const LONG_ROW = 65_536;

/** Takes the bytes of a long row as they arrive. */
export function openLongRow(
  state: RowStreamState,
  columns: readonly (string | null)[],
  length: number,
): ((piece: Buffer) => void) | null {
  if (columns.length === 0 || length <= LONG_ROW) return null;
  state.takesLongRow = true;
  const longest = Math.min(state.streams.maxRowBytes, state.prepared.maxResultBytes ?? Infinity);
  if (length > longest) abandonStream(state, new ResultTooLarge(length, longest));
  if (state.isEnded) return giveBackBlock;
  const output = outputOf(state, columns);
  output.beginLine();
  return (piece) => {
    state.portionBytes += piece.length;
    if (!state.isEnded) output.addBlock(piece);
  };
}

/** Returns the output, which the first row opens. */
function outputOf(state: RowStreamState, columns: readonly (string | null)[]): LineBlocks {
  return state.output ?? openOutput(state, columns);
}

/** Opens the body of the response. @param settings headers and status of the response */
export function openOutput(state: RowStreamState, settings: readonly (string | null)[]): LineBlocks {
  // In object mode each piece is passed on as it is; a stream of bytes would copy waiting pieces into one buffer.
  const target = new PassThrough({ readableObjectMode: true, readableHighWaterMark: 1 });
  target.once('close', () => abandonStream(state, target.errored ?? new BatchAborted()));
  const take = bodyStream(sourceOf(state), target, Infinity, NO_BUFFER, state.streams.limits);
  const output = createLineBlocks(state.line, state.header, (piece) => {
    state.counts.bytes += piece.length;
    take(piece);
  });
  state.target = target;
  state.output = output;
  const [headers = null, status = null] = settings;
  state.resolve({
    total: state.total,
    responseHeaders: settingOf(headers),
    responseStatus: settingOf(status),
    body: target,
  });
  return output;
}

/** A stream has its own connection, so that its rows wait there and not in the memory of the service. */
const NO_BUFFER = { reserve: () => false, release: () => undefined };

const sourceOf = (state: RowStreamState) => ({
  pause() {
    state.isPaused = true;
    state.wasPaused = true;
    state.connection.pause();
  },
  resume() {
    state.isPaused = false;
    state.connection.resume();
    if (state.isNextDue) state.fetchNext();
  },
  hold: () => true,
  endHold: () => undefined,
});
