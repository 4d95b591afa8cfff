/** The list of allowed shapes of the data API, read from its file at the start and at each reload, and recorded to it. */
import { readFileSync, statSync } from 'node:fs';
import type { AllowList } from '../data-api/ceilings/shape-line.js';
import type { Observe } from '../observability/observation.js';
import type { LiveSettings } from '../settings/live-settings.js';
import type { ReloadableSettings } from '../settings/settings.js';
import {
  faultOfShapes,
  MAX_SHAPE_FILE,
  publicShapeKey,
  shapesOf,
  wholeLines,
} from '../data-api/ceilings/shape-list.js';
import { StartError } from './start-error.js';
import { open, readFile, type FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

interface ShapeFile {
  readonly list: AllowList;
  /** Resolves when every recorded shape is written, or the last attempt to write them has failed. */
  close(): Promise<void>;
}

/** Bounds of what is recorded: a client can send any number of shapes. */
const MOST_RECORDED = 10_000;
const MOST_RECORDED_BYTES = 4_194_304;
/** Pause after a failed write. */
const RETRY_MS = 10_000;

interface State {
  readonly observe: Observe;
  readonly retryMs: number;
  /** Path of the file; null for none. */
  path: string | null;
  /** The shapes that are allowed: those of a file with the right signature. */
  allowed: ReadonlySet<string>;
  /** The shapes of the file, and those that are recorded. */
  known: Set<string>;
  knownBytes: number;
  full: boolean;
  /** Lines to be written, and the write in progress. */
  pending: string[];
  writing: Promise<void>;
  /** The lines that are being written, or those that a failed write has left. */
  unwritten: Buffer;
  /** Whether the file has lines that were recorded, as far as this process knows. */
  hasRecorded: boolean;
  /** Set after a failed write, until the next one. */
  retry: NodeJS.Timeout | null;
  /** Whether the last write has failed. */
  failing: boolean;
}

const NOTHING = Buffer.alloc(0);

/** Reads the file as the start does, and records nothing. @throws StartError if the file or its signature is wrong */
export const checkShapeFile = (settings: ShapeSettings): void =>
  load(
    emptyState(() => undefined, RETRY_MS),
    settings,
  );

/** @param retryMs pause after a failed write @throws StartError if the file or its signature is wrong */
export function openShapeFile(live: LiveSettings, observe: Observe, retryMs = RETRY_MS): ShapeFile {
  const state = emptyState(observe, retryMs);
  load(state, live.inForce());
  live.subscribe((settings) => {
    try {
      load(state, settings);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      observe({ kind: 'shape-list-refused', problem });
    }
  });
  return {
    list: { has: (line) => state.allowed.has(line), record: (line) => record(state, line) },
    close: () => close(state),
  };
}

const emptyState = (observe: Observe, retryMs: number): State => ({
  observe,
  retryMs,
  path: null,
  allowed: new Set(),
  known: new Set(),
  knownBytes: 0,
  full: false,
  pending: [],
  writing: Promise.resolve(),
  unwritten: NOTHING,
  hasRecorded: false,
  retry: null,
  failing: false,
});

async function close(state: State): Promise<void> {
  startWrite(state);
  await state.writing;
  stopRetry(state);
}

type ShapeSettings = Pick<ReloadableSettings, 'db-shapes' | 'db-shapes-file' | 'db-shapes-key'>;

/** Reads the file. The state stays as it is if something is wrong. @throws StartError */
function load(state: State, settings: ShapeSettings): void {
  const { 'db-shapes': mode, 'db-shapes-file': path, 'db-shapes-key': pem } = settings;
  if (path === null) {
    if (mode !== 'off') throw new StartError('db-shapes', mode, 'db-shapes-file is not set');
    use(state, null, '', new Set());
    return;
  }
  if (mode === 'enforce' && pem === null)
    throw new StartError('db-shapes-key', null, 'the key that verifies db-shapes-file is not set');
  const text = readShapes(path, mode !== 'enforce');
  if (pem === null) return use(state, path, text, new Set());
  const fault = faultUnder(pem, text);
  // A list that is being recorded has no signature until it is signed.
  const mayBeUnsigned = mode === 'record' || (mode === 'off' && text === '');
  if (fault !== null && !mayBeUnsigned) throw new StartError('db-shapes-file', path, fault);
  use(state, path, text, new Set(fault === null ? shapesOf(text) : []));
}

function use(state: State, path: string | null, text: string, allowed: ReadonlySet<string>): void {
  // The last line may be the beginning of another shape.
  const known = new Set(shapesOf(wholeLines(text)));
  let knownBytes = Buffer.byteLength(text);
  if (path === state.path) {
    for (const line of [...shapesOf(state.unwritten.toString()), ...state.pending]) {
      if (known.has(line)) continue;
      known.add(line);
      knownBytes += bytesOf(line);
    }
  } else {
    // Lines that are not written yet belong to the file that they were recorded for.
    state.pending = [];
    state.unwritten = NOTHING;
    stopRetry(state);
    state.failing = false;
  }
  Object.assign(state, { path, allowed, known, knownBytes, full: false, hasRecorded: hasRecorded(text) });
}

/** Bytes of a line with its end. */
const bytesOf = (line: string): number => Buffer.byteLength(line) + 1;

/** @throws StartError */
function readShapes(path: string, mayBeMissing: boolean): string {
  try {
    const { size } = statSync(path);
    if (size > MAX_SHAPE_FILE)
      throw new StartError('db-shapes-file', path, `the file has more than ${String(MAX_SHAPE_FILE)} bytes`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (mayBeMissing && error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw new StartError('db-shapes-file', path, error instanceof Error ? error.message : String(error));
  }
}

/** @throws StartError */
function faultUnder(pem: string, text: string): string | null {
  try {
    return faultOfShapes(text, publicShapeKey(pem));
  } catch (error) {
    throw new StartError('db-shapes-key', null, error instanceof Error ? error.message : String(error));
  }
}

function record(state: State, line: string): void {
  if (state.path === null || state.full || state.known.has(line)) return;
  const bytes = bytesOf(line);
  if (state.known.size >= MOST_RECORDED || state.knownBytes + bytes > MOST_RECORDED_BYTES) {
    state.full = true;
    state.observe({ kind: 'shapes-not-recorded', reason: `${state.path} is full` });
    return;
  }
  state.known.add(line);
  state.knownBytes += bytes;
  state.pending.push(line);
  if (state.pending.length === 1 && state.retry === null) startWrite(state);
}

function startWrite(state: State): void {
  state.writing = state.writing.then(() => write(state));
}

function stopRetry(state: State): void {
  if (state.retry !== null) clearTimeout(state.retry);
  state.retry = null;
}

/** Writes all lines, and what the last write has left. Lines of a failed write are written by the next one. */
async function write(state: State): Promise<void> {
  const { path, pending, unwritten } = state;
  stopRetry(state);
  if (path === null || (pending.length === 0 && unwritten.length === 0)) return;
  const lines = pending.map((line) => `${line}\n`).join('');
  const bytes = Buffer.concat([unwritten, Buffer.from(lines)]);
  state.pending = [];
  state.unwritten = bytes;
  const { written, repaired, error } = await appendLines(path, bytes, state.hasRecorded);
  if (repaired) state.observe({ kind: 'shape-line-cut', file: path });
  if (state.path !== path) return;
  state.unwritten = bytes.subarray(written);
  state.hasRecorded ||= written > 0;
  if (error === null) {
    state.failing = false;
    return;
  }
  state.retry = setTimeout(() => startWrite(state), state.retryMs).unref();
  if (!state.failing) state.observe({ kind: 'shapes-not-recorded', reason: error });
  state.failing = true;
}

interface Appended {
  /** Bytes of the lines that are written as a whole. The rest is to be written again. */
  readonly written: number;
  /** Whether the file ended with half a line, which is a comment now. */
  readonly repaired: boolean;
  /** Why not all lines are written; null if they are. */
  readonly error: string | null;
}

const LINE_FEED = 0x0a;
const COMMENT = '#';

/**
 * Marks the beginning of appended lines. A last line without an end may be half a line if it follows the mark; otherwise a
 * person wrote it.
 */
const RECORDED = '# recorded\n';

/** Whether lines were appended to a file with this text. */
const hasRecorded = (text: string): boolean => `\n${text}`.includes(`\n${RECORDED}`);

/** Time after which a line without an end is no write of another process that is still under way, in milliseconds. */
const CUT_MS = 100;

/**
 * Appends lines in one write, so that lines of several processes do not mix. A last line without an end gets one. Where
 * lines were appended before it, it becomes a comment: it may be half of any line.
 * @param lines each with its end
 * @param isMarked whether lines were appended to the file before, as far as the caller knows
 */
async function appendLines(path: string, lines: Buffer, isMarked: boolean): Promise<Appended> {
  let repaired = false;
  let prefix = 0;
  let written = 0;
  try {
    const file = await open(path, 'a+');
    try {
      const cut = await lastLineWithoutEnd(file, path);
      if (cut?.isRecorded === true) repaired = await makeComment(path, cut);
      const end = cut === null ? '' : '\n';
      const mark = isMarked && cut?.isRecorded !== false ? '' : RECORDED;
      const bytes = Buffer.concat([Buffer.from(end + mark), lines]);
      prefix = bytes.length - lines.length;
      while (written < bytes.length) written += (await file.write(bytes, written)).bytesWritten;
    } finally {
      await file.close();
    }
    return { written: lines.length, repaired, error: null };
  } catch (error) {
    const whole = lines.subarray(0, Math.max(0, written - prefix)).lastIndexOf(LINE_FEED) + 1;
    return { written: whole, repaired, error: error instanceof Error ? error.message : String(error) };
  }
}

interface CutLine {
  /** Offset of its first byte. */
  readonly start: number;
  readonly text: string;
  /** Whether lines were appended before it. */
  readonly isRecorded: boolean;
}

async function lastLineWithoutEnd(file: FileHandle, path: string): Promise<CutLine | null> {
  const size = await sizeWithoutEnd(file);
  if (size === null) return null;
  await delay(CUT_MS);
  if ((await sizeWithoutEnd(file)) !== size) return null;
  const bytes = await readFile(path);
  const start = bytes.lastIndexOf(LINE_FEED) + 1;
  const isRecorded = hasRecorded(bytes.toString('latin1', 0, start));
  return { start, text: bytes.toString('utf8', start), isRecorded };
}

/** Returns the size of a file whose last byte does not end a line; null for any other. */
async function sizeWithoutEnd(file: FileHandle): Promise<number | null> {
  const stats = await file.stat();
  if (!stats.isFile() || stats.size === 0) return null;
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, stats.size - 1);
  return last[0] === LINE_FEED ? null : stats.size;
}

/** Returns false for a comment, which stays as it is. */
async function makeComment(path: string, { start, text }: CutLine): Promise<boolean> {
  if (text.startsWith(COMMENT)) return false;
  // A handle that appends writes at the end, whatever the offset is.
  const file = await open(path, 'r+');
  try {
    await file.write(COMMENT, start);
    return true;
  } finally {
    await file.close();
  }
}
