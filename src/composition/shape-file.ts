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
import { appendLines, hasRecorded } from './append-lines.js';
import { StartError } from './start-error.js';

export interface ShapeFile {
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
