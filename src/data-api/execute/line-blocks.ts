/** Joins rows to pieces of up to a block, with their line ends. */
import { BLOCK_BYTES, giveBackBlock, takeBlock } from '../../base/blocks.js';
import { isCsv, type StreamLine } from '../plan/output.js';

export interface LineBlocks {
  beginLine(): void;
  /** Copies a part of the line. */
  add(piece: Buffer): void;
  /** Passes on a part of the line, which has a block of its own. */
  addBlock(piece: Buffer): void;
  endLine(): void;
  /** Passes on what is left, and the first line of CSV without rows. */
  end(): void;
}

const LINE_FEED = 0x0a;
const CR_LF = Buffer.from('\r\n');
const BLANK = 0x20;

interface State {
  readonly line: StreamLine;
  /** The names of the first line of CSV. */
  readonly header: Buffer;
  readonly take: (piece: Buffer) => void;
  lines: number;
  block: Buffer;
  filled: number;
  isFlushDue: boolean;
}

/**
 * JSON has a line end after each row, `rfc4180` after each line. `csv` has one between two lines, as the whole body of
 * `text/csv`.
 * @param header the first line of CSV
 * @param take receives each piece
 */
export function createLineBlocks(
  line: StreamLine,
  header: Buffer | null,
  take: (piece: Buffer) => void,
): LineBlocks {
  const state: State = {
    line,
    header: header ?? Buffer.alloc(0),
    take,
    lines: 0,
    block: takeBlock(BLOCK_BYTES),
    filled: 0,
    isFlushDue: false,
  };
  return {
    beginLine: () => beginLine(state),
    add: (piece) => copy(state, piece),
    addBlock(piece) {
      flush(state);
      if (!isCsv(line)) blankLineEnds(piece, 0, piece.length);
      take(piece);
    },
    endLine() {
      if (line === 'rfc4180') copy(state, CR_LF);
      else if (line !== 'csv') copyByte(state, LINE_FEED);
      state.lines++;
    },
    end() {
      if (line === 'csv' && state.lines === 0) copyByte(state, LINE_FEED);
      if (line === 'rfc4180' && state.lines === 0) beginLine(state);
      flush(state);
      giveBackBlock(state.block);
    },
  };
}

function beginLine(state: State): void {
  if (!isCsv(state.line)) return;
  if (state.lines === 0) copy(state, state.header);
  if (state.line === 'csv') copyByte(state, LINE_FEED);
  else if (state.lines === 0) copy(state, CR_LF);
}

function copy(state: State, piece: Buffer): void {
  for (let from = 0; from < piece.length;) {
    if (state.filled === BLOCK_BYTES) flush(state);
    const begin = state.filled;
    const copied = piece.copy(state.block, begin, from);
    state.filled += copied;
    from += copied;
    if (!isCsv(state.line)) blankLineEnds(state.block, begin, state.filled);
  }
  flushSoon(state);
}

function copyByte(state: State, byte: number): void {
  if (state.filled === BLOCK_BYTES) flush(state);
  state.block[state.filled++] = byte;
  flushSoon(state);
}

/** Line ends of JSON are blanks between its tokens: in strings they are escaped. */
function blankLineEnds(bytes: Buffer, from: number, to: number): void {
  const line = bytes.subarray(from, to);
  for (let at = line.indexOf(LINE_FEED); at >= 0; at = line.indexOf(LINE_FEED, at + 1)) line[at] = BLANK;
}

/** Rows leave at the end of the turn in which they arrived. */
function flushSoon(state: State): void {
  if (state.isFlushDue) return;
  state.isFlushDue = true;
  setImmediate(() => {
    state.isFlushDue = false;
    flush(state);
  });
}

function flush(state: State): void {
  if (state.filled === 0) return;
  const piece = state.block.subarray(0, state.filled);
  state.block = takeBlock(BLOCK_BYTES);
  state.filled = 0;
  state.take(piece);
}
