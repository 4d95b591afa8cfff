/** Sends requests over so many kept connections for a time: by wrk where it is on the PATH, by autocannon elsewhere. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/base/package.js';
import type { HttpLoad } from './loads.js';

const run = promisify(execFile);
const MICROSECONDS_A_MILLISECOND = 1000;

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export type LoadGenerator = (
  url: string,
  load: HttpLoad,
  connections: number,
  seconds: number,
) => Promise<LoadResult>;

/** The generator of this machine, and its name. */
export async function findLoadGenerator(): Promise<readonly [name: string, generate: LoadGenerator]> {
  const hasWrk = await run('wrk', ['--version']).then(
    () => true,
    // wrk ends with 1 after it printed its version.
    (error: unknown) => !(error instanceof Error && 'code' in error && error.code === 'ENOENT'),
  );
  return hasWrk ? ['wrk', byWrk] : ['autocannon', byAutocannon];
}

const byWrk: LoadGenerator = async (url, load, connections, seconds) => {
  const folder = await mkdtemp(join(tmpdir(), 'dbr-wrk-'));
  try {
    const script = join(folder, 'load.lua');
    await writeFile(script, wrkScript(load));
    const { stdout } = await run('wrk', [
      ...[
        '-t1',
        '-c',
        String(connections),
        '-d',
        `${String(seconds)}s`,
        '--timeout',
        '30s',
        '-s',
        script,
        url,
      ],
    ]);
    return resultOf(JSON.parse(/^RESULT (.*)$/m.exec(stdout)?.[1] ?? '{}'), MICROSECONDS_A_MILLISECOND, url);
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** The requests are made before the load begins, so that the generator takes little of the machine. */
function wrkScript({ method, paths, headers, bodies }: HttpLoad): string {
  const text = (value: string): string => `[==[${value}]==]`;
  const named = Object.entries(headers).map(([name, value]) => `[ ${text(name)} ]=${text(value)}`);
  return `
local paths, bodies = {${paths.map(text).join(',')}}, {${(bodies ?? []).map(text).join(',')}}
local requests, turn = {}, 0
function init()
  for index = 1, math.max(#paths, #bodies) do
    requests[index] = wrk.format('${method}', paths[(index - 1) % #paths + 1], {${named.join(',')}},
      #bodies > 0 and bodies[(index - 1) % #bodies + 1] or nil)
  end
end
function request()
  turn = turn % #requests + 1
  return requests[turn]
end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('\\nRESULT {"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"failed":%d}\\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
`;
}

const byAutocannon: LoadGenerator = async (url, load, connections, seconds) => {
  const folder = await mkdtemp(join(tmpdir(), 'dbr-autocannon-'));
  try {
    const file = join(folder, 'load.har');
    await writeFile(file, JSON.stringify(archiveOf(url, load)));
    const program = join(packageRoot(), 'bench', 'peers', 'node_modules', '.bin', 'autocannon');
    const { stdout } = await run(
      program,
      ['--json', '--no-progress', '-c', String(connections), '-d', String(seconds), '--har', file, url],
      { maxBuffer: 1 << 24 },
    );
    return autocannonResult(JSON.parse(stdout), url);
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** The requests as an HTTP archive: a command line has place for one. */
function archiveOf(url: string, { method, paths, headers, bodies }: HttpLoad): unknown {
  const named = Object.entries(headers).map(([name, value]) => ({ name, value }));
  const entries = Array.from({ length: Math.max(paths.length, bodies?.length ?? 0) }, (_, index) => ({
    request: {
      method,
      url: url + (paths[index % paths.length] ?? ''),
      headers: named,
      ...(bodies === null ? {} : { postData: { text: bodies[index % bodies.length] } }),
    },
  }));
  return { log: { entries } };
}

function autocannonResult(result: unknown, url: string): LoadResult {
  return resultOf(
    {
      requests: numberAt(result, 'requests', 'total'),
      seconds: numberAt(result, 'duration'),
      p50: numberAt(result, 'latency', 'p50'),
      p99: numberAt(result, 'latency', 'p99'),
      failed: numberAt(result, 'non2xx') + numberAt(result, 'errors'),
    },
    1,
    url,
  );
}

/** @throws Error if requests failed: figures of errors compare nothing */
function resultOf(result: unknown, perMillisecond: number, url: string): LoadResult {
  const requests = numberAt(result, 'requests');
  const failed = numberAt(result, 'failed');
  if (failed > 0) throw new Error(`${url}: ${String(failed)} of ${String(requests)} requests failed`);
  return {
    requests,
    seconds: numberAt(result, 'seconds'),
    p50Ms: numberAt(result, 'p50') / perMillisecond,
    p99Ms: numberAt(result, 'p99') / perMillisecond,
  };
}

function numberAt(value: unknown, ...path: readonly string[]): number {
  let found = value;
  for (const name of path)
    found =
      typeof found === 'object' && found !== null
        ? Object.entries(found).find(([key]) => key === name)?.[1]
        : undefined;
  return typeof found === 'number' ? found : 0;
}
