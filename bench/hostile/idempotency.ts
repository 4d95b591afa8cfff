/**
 * A stranger without a token fills the store of answers for idempotency keys: calls that write and return 448 kB each, then
 * calls that only read. Prints the statuses, the size of the table and the resident memory of the compiled service.
 *   tsx bench/hostile/idempotency.ts [calls of each kind, default 256]
 */
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package.js';
import { migrate } from '../../src/postgres/migrate.js';
import { withSession } from '../../src/postgres/session.js';
import { startTestServer } from '../../test/support/postgres/database.js';
import { serveDbr } from '../../test/support/service/built-service.js';
import { exchange } from '../../test/support/service/exchange.js';
import { untilReady } from '../../test/support/service/service.js';
import { treeBytes } from '../process-time.js';

const CALLS = Number(process.argv[2] ?? 256);
const AT_ONCE = 8;
const LENGTH = 448_000;

const SCHEMA = `
  create role stranger nologin;
  create table public.calls (id int generated always as identity);
  grant all on public.calls to stranger;
  create function public.written(length int) returns text language sql volatile as $$
    insert into public.calls default values; select (select string_agg(md5(random()::text), '') from generate_series(1, length / 32)) $$;
  create function public.read(length int) returns text language sql stable as $$ select repeat('x', length) $$;
`;

const server = await startTestServer();
await withSession(server.uri, (session) => session.script(SCHEMA));
await migrate(server.uri, join(packageRoot(), 'migrations'));
const service = await serveDbr({
  DBR_AREAS: 'data-api',
  DBR_DB_URI: server.uri,
  DBR_DB_ANON_ROLE: 'stranger',
  DBR_DB_IDEMPOTENCY: 'true',
  DBR_LOG_LEVEL: 'crit',
});
await untilReady(service);

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

async function call(name: string, key: string): Promise<string> {
  const { status, json } = await exchange(`${service.url}/rpc/${name}`, 'POST', {
    headers: { 'Idempotency-Key': key },
    body: { length: LENGTH },
  });
  return status === 200 ? '200' : `${String(status)} ${String(Object.assign({ code: '' }, json).code)}`;
}

async function report(name: string, calls: number, statuses: ReadonlyMap<string, number>): Promise<void> {
  const rows = await withSession(server.uri, (session) =>
    session.query(
      `select count(*)::int as rows, pg_total_relation_size('dbr_requests.idempotent')::float8 as bytes from dbr_requests.idempotent`,
    ),
  );
  const { rows: kept, bytes } = rows[0] ?? {};
  const seen = [...statuses].map(([status, times]) => `${status} ×${String(times)}`).join(', ');
  console.log(
    `${name}: ${String(calls)} calls, ${seen}; table ${String(kept)} rows, ${megabytes(Number(bytes))} MB; service ${megabytes(await treeBytes(service.child.pid ?? 0))} MB`,
  );
}

for (const name of ['written', 'read']) {
  const statuses = new Map<string, number>();
  for (let sent = 0; sent < CALLS; sent += AT_ONCE) {
    const keys = Array.from({ length: AT_ONCE }, (_, index) => `${name}-${String(sent + index)}`);
    for (const status of await Promise.all(keys.map((key) => call(name, key))))
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if ((sent + AT_ONCE) % 64 === 0) await report(name, sent + AT_ONCE, statuses);
  }
}
await service.stop();
await server.remove();
