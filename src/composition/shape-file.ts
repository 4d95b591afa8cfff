/** The list of allowed shapes of the data API, read from its file at the start and at each reload, and recorded to it. */
import { readFileSync, statSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import type { AllowList } from '../data-api/ceilings/shape-line.js';
import type { Observe } from '../observability/observation.js';
import type { LiveSettings } from '../settings/live-settings.js';
import type { ReloadableSettings } from '../settings/settings.js';
import { faultOfShapes, MAX_SHAPE_FILE, publicShapeKey, shapesOf } from '../shape-list.js';
import { StartError } from './start-error.js';

export interface ShapeFile {
  readonly list: AllowList;
  /** Resolves when every recorded shape is written. */
  close(): Promise<void>;
}

/** Bounds of what is recorded: a client can send any number of shapes. */
const MOST_RECORDED = 10_000;
const MOST_RECORDED_BYTES = 4_194_304;

interface State {
  readonly observe: Observe;
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
}

/** @throws StartError if the file or its signature is wrong */
export function openShapeFile(live: LiveSettings, observe: Observe): ShapeFile {
  const state: State = {
    observe,
    path: null,
    allowed: new Set(),
    known: new Set(),
    knownBytes: 0,
    full: false,
    pending: [],
    writing: Promise.resolve(),
  };
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
    close: () => state.writing,
  };
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
  const known = new Set(shapesOf(text));
  // Lines that are not written yet belong to the file that they were recorded for.
  if (path === state.path) for (const line of state.pending) known.add(line);
  Object.assign(state, { path, allowed, known, knownBytes: Buffer.byteLength(text), full: false });
}

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
  const bytes = Buffer.byteLength(line) + 1;
  if (state.known.size >= MOST_RECORDED || state.knownBytes + bytes > MOST_RECORDED_BYTES) {
    state.full = true;
    state.observe({ kind: 'shapes-not-recorded', reason: `${state.path} is full` });
    return;
  }
  state.known.add(line);
  state.knownBytes += bytes;
  state.pending.push(line);
  if (state.pending.length === 1) state.writing = state.writing.then(() => write(state));
}

/** Appends in one write, so that lines of several processes do not mix. */
async function write(state: State): Promise<void> {
  const { path, pending } = state;
  state.pending = [];
  if (path === null) return;
  try {
    await appendFile(path, `${pending.join('\n')}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    state.observe({ kind: 'shapes-not-recorded', reason });
  }
}
