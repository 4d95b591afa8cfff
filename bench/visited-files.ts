/**
 * The files of src/ that one request of the data API visits: a read whose shape is known, and one whose shape is new. A file
 * is visited if a function of it runs (precise coverage of V8) between the request line and the response.
 *
 *   node --import tsx/esm bench/visited-files.ts [--list]
 */
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDataApiService } from '../test/support/data-api/data-api-service.js';

const ROLE = 'visited_files_anon';
const SCHEMA = `
  create role ${ROLE} nologin;
  create table public.films (id int primary key, title text);
  insert into public.films select n, 'Film ' || n from generate_series(1, 100) n;
  grant select on public.films to ${ROLE};
`;
const WARM_UP = 200;
const SOURCES = fileURLToPath(new URL('../src/', import.meta.url));

const service = await startDataApiService(SCHEMA, ROLE);
const session = new Session();
session.connect();
await session.post('Profiler.enable');

async function get(path: string): Promise<void> {
  const response = await fetch(`${service.url}${path}`);
  await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${String(response.status)}`);
}

/** Returns the visited files, relative to src/, sorted. */
async function visitedBy(path: string): Promise<readonly string[]> {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await get(path);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  return result
    .filter(({ url, functions }) => url.includes('/src/') && functions.some(hasRun))
    .map(({ url }) => relative(SOURCES, fileURLToPath(url)))
    .filter((file) => !file.startsWith('..'))
    .sort();
}

/** Whether a function of a file has run; the one without a name is the file itself, which runs when it is imported. */
const hasRun = ({ functionName, ranges }: Profiler.FunctionCoverage): boolean =>
  functionName !== '' && (ranges[0]?.count ?? 0) > 0;

for (let id = 1; id <= WARM_UP; id += 1) await get(`/films?id=eq.${String((id % 100) + 1)}`);
const loads = [
  ['a read of a known shape', '/films?id=eq.7'],
  ['a read of a new shape', '/films?id=eq.7&select=a:id,b:title&order=title.desc&limit=3'],
] as const;
for (const [name, path] of loads) {
  const files = await visitedBy(path);
  const rooms = new Set(files.map((file) => dirname(file)));
  console.log(`${name}: ${String(files.length)} files in ${String(rooms.size)} folders`);
  if (process.argv.includes('--list')) console.log(files.map((file) => `  ${file}`).join('\n'));
}
session.disconnect();
await service.stop();
process.exit(0);
