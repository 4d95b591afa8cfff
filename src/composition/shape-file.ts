/** The list of allowed shapes of the data API: one a line, read from its file at the start and at each reload. */
import { readFileSync, statSync } from 'node:fs';
import type { AllowList } from '../data-api/ceilings/shape-line.js';
import type { Observe } from '../observability/observation.js';
import type { LiveSettings } from '../settings/live-settings.js';
import type { ReloadableSettings } from '../settings/settings.js';
import { StartError } from './start-error.js';

/** Longest file, in bytes. */
const MAX_SHAPE_FILE = 16_777_216;
/** Most characters of the shapes that are remembered as logged: a client can send any number of shapes. */
const MOST_LOGGED = 4_194_304;

/** @throws StartError if the file cannot be read */
export function openShapeFile(live: LiveSettings, observe: Observe): AllowList {
  let allowed = readShapes(live.inForce);
  const logged = new Set<string>();
  let characters = 0;
  live.subscribe((settings) => {
    try {
      allowed = readShapes(settings);
    } catch (error) {
      observe({
        kind: 'shape-list-refused',
        problem: error instanceof Error ? error.message : String(error),
      });
    }
  });
  return {
    has: (line) => allowed.has(line),
    record(line) {
      if (allowed.has(line) || logged.has(line) || characters + line.length > MOST_LOGGED) return;
      logged.add(line);
      characters += line.length;
      observe({ kind: 'shape-recorded', shape: line });
    },
  };
}

/** Returns the shapes of the file, without comments. @throws StartError if it cannot be read */
export function readShapes({
  'db-shapes': mode,
  'db-shapes-file': path,
}: Pick<ReloadableSettings, 'db-shapes' | 'db-shapes-file'>): ReadonlySet<string> {
  if (path === null) {
    if (mode === 'enforce') throw new StartError('db-shapes', mode, 'db-shapes-file is not set');
    return new Set();
  }
  const lines = contentOf(path).split('\n');
  return new Set(lines.filter((line) => line.trim() !== '' && !line.startsWith('#')));
}

function contentOf(path: string): string {
  try {
    if (statSync(path).size <= MAX_SHAPE_FILE) return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartError('db-shapes-file', path, error instanceof Error ? error.message : String(error));
  }
  throw new StartError('db-shapes-file', path, `the file has more than ${String(MAX_SHAPE_FILE)} bytes`);
}
