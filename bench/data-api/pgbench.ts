/** pgbench with the statements of a load, as one pipelined batch and without HTTP: what PostgreSQL alone can do. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROLE } from './films.js';
import type { Load } from './loads.js';

const run = promisify(execFile);
/** The value with which pgbench is fastest on two cores. */
export const PGBENCH_CLIENTS = 8;

/** What it is, with its version; null if it is not installed. */
export async function describePgbench(): Promise<string | null> {
  return run('pgbench', ['--version']).then(
    ({ stdout }) =>
      `${stdout.trim()}: the statements of dbr as one batch, ${String(PGBENCH_CLIENTS)} clients, no HTTP`,
    () => null,
  );
}

/** Transactions a second. */
export async function measurePgbench(uri: string, load: Load, sql: string, seconds: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'dbr-pgbench-'));
  try {
    const script = join(folder, 'load.sql');
    await writeFile(script, pgbenchScript(load, sql));
    const { stdout } = await run('pgbench', [
      ...['-n', '-M', 'prepared', '-c', String(PGBENCH_CLIENTS), '-T', String(seconds), '-f', script, uri],
    ]);
    return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1] ?? 0);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** One batch without BEGIN, as the service sends it. `\set` takes numbers alone, so texts are literals. */
function pgbenchScript({ method, withToken }: Load, sql: string): string {
  const role = withToken ? ROLE.token : ROLE.anonymous;
  const context = [
    ['search_path', '"public"'],
    ['role', role],
    ['request.jwt.claims', `{"role":"${role}"}`],
    ['request.method', method],
    ['request.path', '/films'],
    ['request.headers', '{"host":"127.0.0.1"}'],
    ['request.cookies', '{}'],
    ...(method === 'GET' ? [['transaction_read_only', 'on']] : []),
  ].map(([name, value]) => `set_config('${String(name)}', '${String(value)}', true)`);
  return `\\set id random(1, 90000)
\\startpipeline
select num_nulls(${context.join(', ')});
${sql.replaceAll(/\s+/g, ' ').trim()};
\\endpipeline
`;
}
