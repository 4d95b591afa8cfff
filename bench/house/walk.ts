/** What one call visits of src/, counted by the functions that report themselves while a trace is open (trace.mjs). */
import { dirname } from 'node:path';

export interface Walk {
  readonly files: number;
  readonly folders: number;
  readonly functions: number;
  readonly calls: number;
  /** Unbroken runs of calls inside one file. */
  readonly stays: number;
  readonly mostVisited: readonly (readonly [file: string, stays: number])[];
}

interface Call {
  readonly file: string;
  readonly name: string;
}

declare global {
  var openTrace: Call[] | null;
}

/** Work of earlier calls that is still to come, such as timers, must not count. */
const QUIET_MS = 120;
const MOST_VISITED = 8;

export async function walkOf(call: () => Promise<unknown>): Promise<Walk> {
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  const trace: Call[] = [];
  globalThis.openTrace = trace;
  await call();
  await new Promise((resolve) => setImmediate(resolve));
  globalThis.openTrace = null;
  return summaryOf(trace);
}

function summaryOf(trace: readonly Call[]): Walk {
  const files = trace.map(({ file }) => file);
  const stays = files.filter((file, index) => file !== files[index - 1]);
  const counts = new Map<string, number>();
  for (const file of stays) counts.set(file, (counts.get(file) ?? 0) + 1);
  return {
    files: counts.size,
    folders: new Set(files.map((file) => dirname(file))).size,
    functions: new Set(trace.map(({ file, name }) => `${file}:${name}`)).size,
    calls: trace.length,
    stays: stays.length,
    mostVisited: [...counts].sort(([, a], [, b]) => b - a).slice(0, MOST_VISITED),
  };
}
