/**
 * A run against two instances with two workers each: clients, faults, the history and its check.
 *
 *   make consistency SECONDS=60 SEED=1                 three machines in network namespaces (as root)
 *   tsx bench/consistency/main.ts --single             one embedded PostgreSQL, mailboxes in the database
 *   tsx bench/consistency/main.ts --check FILE         checks a recorded history again
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGunzip, createGzip } from 'node:zlib';
import { randomOf } from '../../src/base/random.js';
import { startTestServer } from '../../test/support/postgres/database.js';
import { openBusProbe } from './bus-probe.js';
import { check, type Report } from './checker.js';
import { startCluster, type Cluster } from './cluster.js';
import { runDataClients } from './data-clients.js';
import { instanceSettings, prepareDatabase } from './database.js';
import { openInboxes } from './inbox-clients.js';
import { startInstance, type RunningInstance } from './instances.js';
import { breakThings } from './nemesis.js';
import type { HistoryRecord } from './records.js';
import { createSender, persevere, type Run } from './requests.js';
import { openSessions } from './session-clients.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    /** Requests of the data API a second. */
    rate: { type: 'string', default: '1500' },
    clients: { type: 'string', default: '64' },
    out: { type: 'string', default: 'test-artefacts/consistency' },
    single: { type: 'boolean', default: false },
    /** Replication without `synchronous_mode`. */
    asynchronous: { type: 'boolean', default: false },
    /** The mailboxes of the router in PostgreSQL. */
    'no-nats': { type: 'boolean', default: false },
    /** No faults. */
    peaceful: { type: 'boolean', default: false },
    check: { type: 'string' },
  },
});

/** What the clients run against. */
interface Target {
  readonly cluster: Cluster | null;
  readonly instances: readonly RunningInstance[];
  readonly stop: () => Promise<void>;
}

async function startTarget(): Promise<Target> {
  const server = values.single ? await startTestServer() : null;
  const cluster =
    server === null
      ? await startCluster({ synchronous: !values.asynchronous, nats: !values['no-nats'] })
      : null;
  const instances: RunningInstance[] = [];
  const stop = async (): Promise<void> => {
    for (const instance of instances) await instance.stop();
    await cluster?.stop();
    await server?.remove();
  };
  try {
    const { hosts, superuser } = cluster ?? addressOf(server?.uri ?? '');
    await prepareDatabase(hosts, superuser);
    const busUri = cluster?.busUri ?? null;
    const settings = {
      ...instanceSettings(hosts, cluster === null ? null : hosts),
      ...(busUri === null ? {} : { DBR_BUS_URI: busUri }),
    };
    for (let count = 0; count < 2; count++) instances.push(await startInstance(settings));
    return { cluster, instances, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function addressOf(uri: string): { readonly hosts: string; readonly superuser: string } {
  const { username, password, host } = new URL(uri);
  return { hosts: host, superuser: `${username}:${password}` };
}

async function runAll({ instances, cluster }: Target, file: string): Promise<void> {
  const seed = Number(values.seed);
  const random = randomOf(seed);
  const began = process.hrtime.bigint();
  const now = (): number => Number((process.hrtime.bigint() - began) / 1000n);
  const end = Number(values.seconds) * 1e6;
  const zipped = createGzip({ level: 1 });
  const written = finished(zipped.pipe(createWriteStream(file)));
  const record = (line: HistoryRecord): void => {
    if (!zipped.writableEnded) zipped.write(`${JSON.stringify(line)}\n`);
  };
  const statuses = new Map<number, number>();
  const count = (status: number): void => void statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const send = createSender(instances, random, count);
  const run: Run = { instances, random, record, now, send, isOver: () => now() >= end };
  const report = (what: string): void => {
    console.log(`${(now() / 1e6).toFixed(1)} s: ${what}`);
    record({ kind: 'fault', at: now(), what });
  };
  const rate = Number(values.rate);
  try {
    const inboxes = await openInboxes(run, 16, rate / 20);
    const sessions = await openSessions(run);
    const probe = cluster?.busUri == null ? null : await openBusProbe(run, cluster.busUri);
    const nemesis = { cluster, instances, report, random: randomOf(seed + 1) };
    await Promise.all([
      runDataClients(run, Number(values.clients), rate, `run-${String(seed)}`),
      inboxes.produce(),
      probe?.produce(),
      sessions.run(6, 150, rate / 200),
      values.peaceful ? Promise.resolve() : breakThings(nemesis, run.isOver),
    ]);
    await cluster?.untilHealthy();
    report('at rest');
    await sessions.stop();
    await inboxes.settle(60);
    await recordTables(run);
    await probe?.settle();
  } finally {
    zipped.end();
    await written;
  }
  const requests = [...statuses.values()].reduce((sum, number) => sum + number, 0);
  console.log(
    `${String(requests)} requests over HTTP, by status: ${JSON.stringify(Object.fromEntries([...statuses].sort()))}`,
  );
}

const PAGE = 5000;
const PRIMARY = { 'Dbr-Position': 'FFFFFFFF/FFFFFFFF' };

/** Reads the logs and batches to the end, in pages. */
async function recordTables(run: Run): Promise<void> {
  const logs = new Map<number, (readonly [number, number])[]>();
  for await (const { id, log, entry } of readTable(run, 'journal', 'id,log,entry')) {
    const rows = logs.get(log ?? 0) ?? [];
    rows.push([entry ?? 0, id]);
    logs.set(log ?? 0, rows);
  }
  for (const [log, rows] of logs) run.record({ kind: 'log-at-rest', log, rows });
  const batches = new Map<number, number>();
  for await (const { batch = 0 } of readTable(run, 'parts', 'id,batch'))
    batches.set(batch, (batches.get(batch) ?? 0) + 1);
  run.record({ kind: 'batches-at-rest', rows: [...batches] });
}

interface Row {
  readonly id: number;
  readonly log?: number;
  readonly entry?: number;
  readonly batch?: number;
}

async function* readTable(run: Run, table: string, columns: string): AsyncGenerator<Row> {
  for (let after = 0; ;) {
    const query = `id=gt.${String(after)}&select=${columns}&order=id&limit=${String(PAGE)}`;
    const answer = await persevere(run, () => run.send('GET', `/${table}?${query}`, { headers: PRIMARY }));
    const rows = JSON.parse(answer.body) as readonly Row[];
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

async function readHistory(file: string): Promise<readonly HistoryRecord[]> {
  const history: HistoryRecord[] = [];
  const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()) });
  for await (const line of lines) history.push(JSON.parse(line) as HistoryRecord);
  return history;
}

function print({ operations, counts, findings, undecided, rows, ...others }: Report): void {
  for (const [name, count] of [...counts].sort()) console.log(`  ${name}: ${String(count)}`);
  console.log(`${String(operations)} operations, ${String(rows)} rows, ${String(undecided)} undecided`);
  const { backwards, replicaReads, busWrites, busLost } = others;
  console.log(`${String(backwards)} of ${String(replicaReads)} reads of replicas go back (not promised)`);
  if (busWrites > 0)
    console.log(`NATS lost ${String(busLost)} of ${String(busWrites)} messages of a client without dbr`);
  const rules = new Map<string, number>();
  for (const { rule, text } of findings) {
    rules.set(rule, (rules.get(rule) ?? 0) + 1);
    if ((rules.get(rule) ?? 0) <= 5) console.log(`FOUND ${rule}: ${text}`);
  }
  console.log(`${String(findings.length)} findings ${JSON.stringify(Object.fromEntries(rules))}`);
}

interface Recorded {
  readonly file: string;
  /** Why the run ended before the comparison at rest; null if it did not. */
  readonly error: unknown;
}

async function runAndRecord(): Promise<Recorded> {
  await mkdir(values.out, { recursive: true });
  const kind = values.single ? 'single' : values.asynchronous ? 'asynchronous' : 'synchronous';
  const name = join(values.out, `${kind}-${values.seed}`);
  const file = `${name}.ndjson.gz`;
  const target = await startTarget();
  try {
    await runAll(target, file);
    return { file, error: null };
  } catch (error) {
    return { file, error };
  } finally {
    const logs = createWriteStream(`${name}.log`);
    for (const { output } of target.instances) logs.write(output());
    logs.end();
    await finished(logs);
    await target.cluster?.saveLogs(`${name}-machines`);
    await target.stop();
  }
}

const { file, error } =
  values.check === undefined ? await runAndRecord() : { file: values.check, error: null };
if (error !== null) console.error('the run ended early', error);
const report = check(await readHistory(file));
print(report);
process.exit(report.findings.length === 0 && error === null ? 0 : 1);
