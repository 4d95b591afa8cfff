/** Clients of the data API: rows with conditions, logs with keys and positions, batches. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Via } from './records.js';
import { afterwards, outcomeOf, persevere, type Answer, type Run } from './requests.js';

export const ROWS = 51_200;
/** Rows in use at a time, and operations before others take their place: the search for an order stays small. */
const ROWS_AT_A_TIME = 32;
const USES = 4800;
const ROWS_OF_WRITE = 4;
const ENTRIES_OF_BATCH = 5;
const ENTRIES_OF_LOG = 200;
const SCANNED = 20;
const RECENT_BATCHES = 40;
/** A position that no replica reaches: the primary answers. */
const PRIMARY = 'FFFFFFFF/FFFFFFFF';
const BATCH = 'application/vnd.dbr.batch+json';

interface Shared {
  readonly run: Run;
  readonly name: string;
  uses: number;
  value: number;
  log: number;
  batch: number;
  readonly logs: Log[];
  readonly batches: number[];
}

interface Log {
  readonly log: number;
  last: number;
}

interface Client {
  readonly number: number;
  log: Log;
  /** That of the last write, and when that write began. */
  position: { readonly text: string; readonly since: number } | null;
}

/** @param rate requests a second of all clients, where the service answers in time */
export async function runDataClients(run: Run, clients: number, rate: number, name: string): Promise<void> {
  const shared: Shared = { run, name, uses: 0, value: 0, log: 0, batch: 0, logs: [], batches: [] };
  await Promise.all(
    Array.from({ length: clients }, (_, number) => runClient(shared, number, clients / rate)),
  );
}

/** @param pause seconds between the beginnings of two operations, on average */
async function runClient(shared: Shared, number: number, pause: number): Promise<void> {
  const { run } = shared;
  const client: Client = { number, log: openLog(shared), position: null };
  let due = run.now();
  while (!run.isOver()) {
    due = Math.max(run.now() - 1e6, due + run.random(2e6 * pause));
    const wait = (due - run.now()) / 1000;
    if (wait > 1) await delay(wait);
    await operate(shared, client);
  }
}

async function operate(shared: Shared, client: Client): Promise<void> {
  const dice = shared.run.random(100);
  if (dice < 16) await readRow(shared, client, chooseRow(shared));
  else if (dice < 30) await readRows(shared, client);
  else if (dice < 36) await writeRows(shared, client);
  else if (dice < 43) await writeRow(shared, client, chooseRow(shared));
  else if (dice < 49) await swapRow(shared, client, chooseRow(shared));
  else if (dice < 54) await append(shared, client, 1);
  else if (dice < 60) await append(shared, client, ENTRIES_OF_BATCH);
  else if (dice < 70) await scan(shared, client, 'primary');
  else if (dice < 83) await scan(shared, client, 'position');
  else if (dice < 88) await scan(shared, client, 'any');
  else if (dice < 91) await writeBatch(shared, client);
  else await readBatch(shared, client);
}

function chooseRow(shared: Shared): number {
  const [first = 0] = rowsInUse(shared);
  shared.uses++;
  return first + shared.run.random(ROWS_AT_A_TIME);
}

function rowsInUse({ uses }: Shared): readonly number[] {
  const first = (Math.floor(uses / USES) * ROWS_AT_A_TIME) % ROWS;
  return Array.from({ length: ROWS_AT_A_TIME }, (_, place) => first + place);
}

const rowPath = (row: number): string => `/registers?id=eq.${String(row)}&select=id,value`;

interface RowSeen {
  readonly value: number;
  readonly tag: string;
}

async function readRow({ run }: Shared, { number }: Client, row: number): Promise<RowSeen | null> {
  const begin = run.now();
  const answer = await run.send('GET', rowPath(row), { headers: { 'Dbr-Position': PRIMARY } });
  const call = { client: number, begin, end: run.now() };
  if (answer.status !== 200) {
    run.record({ kind: 'no-answer', request: 'row-read', status: answer.status, ...call });
    await afterwards(run, answer);
    return null;
  }
  const [found] = JSON.parse(answer.body) as readonly { readonly value: number }[];
  const value = found?.value ?? -1;
  run.record({ kind: 'row-read', row, value, ...call });
  return { value, tag: answer.headers.etag ?? '' };
}

/** Reads all rows in use by a batch, each by a statement of its own. */
async function readRows(shared: Shared, { number }: Client): Promise<void> {
  const { run } = shared;
  const rows = rowsInUse(shared);
  shared.uses += ROWS_AT_A_TIME;
  const begin = run.now();
  const answer = await run.send('POST', '/', {
    headers: { 'Content-Type': BATCH, 'Dbr-Position': PRIMARY },
    body: rows.map((row) => ({ method: 'GET', path: rowPath(row) })),
  });
  const call = { client: number, begin, end: run.now() };
  if (answer.status !== 200) {
    run.record({ kind: 'no-answer', request: 'row-read', status: answer.status, ...call });
    await afterwards(run, answer);
    return;
  }
  for (const [place, { body }] of itemsOf<{ readonly value: number }>(answer).entries())
    run.record({ kind: 'row-read', row: rows[place] ?? -1, value: body[0]?.value ?? -1, ...call });
}

/** Answers to the items of a batch. */
const itemsOf = <Item>({ body }: Answer): readonly { readonly body: readonly Item[] }[] =>
  JSON.parse(body) as readonly { readonly body: readonly Item[] }[];

async function writeRow(shared: Shared, client: Client, row: number, seen?: RowSeen): Promise<void> {
  const { run } = shared;
  const value = ++shared.value;
  const begin = run.now();
  const answer = await run.send('PATCH', rowPath(row), {
    headers: seen === undefined ? {} : { 'If-Match': seen.tag },
    body: { value },
  });
  const call = { client: client.number, begin, end: run.now() };
  const outcome = outcomeOf(answer.status);
  run.record({ kind: 'row-write', row, value, expected: seen?.value ?? null, outcome, ...call });
  keepPosition(client, answer, begin);
  await afterwards(run, answer);
}

/** Writes some of the rows in use by a batch: in the order of their numbers, so that no two batches wait for each other. */
async function writeRows(shared: Shared, client: Client): Promise<void> {
  const { run } = shared;
  const first = run.random(ROWS_AT_A_TIME - ROWS_OF_WRITE + 1);
  const writes = rowsInUse(shared)
    .slice(first, first + ROWS_OF_WRITE)
    .map((row) => ({ row, value: ++shared.value }));
  shared.uses += ROWS_OF_WRITE;
  const begin = run.now();
  const answer = await run.send('POST', '/', {
    headers: { 'Content-Type': BATCH },
    body: writes.map(({ row, value }) => ({ method: 'PATCH', path: rowPath(row), body: { value } })),
  });
  const call = { client: client.number, begin, end: run.now() };
  const outcome = outcomeOf(answer.status);
  for (const { row, value } of writes)
    run.record({ kind: 'row-write', row, value, expected: null, outcome, ...call });
  keepPosition(client, answer, begin);
  await afterwards(run, answer);
}

async function swapRow(shared: Shared, client: Client, row: number): Promise<void> {
  const seen = await readRow(shared, client, row);
  if (seen !== null) await writeRow(shared, client, row, seen);
}

function keepPosition(client: Client, { status, headers }: Answer, since: number): void {
  const text = headers['dbr-position'];
  if (outcomeOf(status) === 'done' && typeof text === 'string') client.position = { text, since };
}

function openLog(shared: Shared): Log {
  const log = { log: ++shared.log, last: 0 };
  shared.logs.push(log);
  return log;
}

/**
 * Inserts with a key until the outcome is known; one in eight is sent once more although it is.
 * @param length entries, which a batch inserts unless it is one
 */
async function append(shared: Shared, client: Client, length: number): Promise<void> {
  const { run } = shared;
  if (client.log.last >= ENTRIES_OF_LOG) {
    shared.logs.splice(shared.logs.indexOf(client.log), 1);
    client.log = openLog(shared);
  }
  const { log, last } = client.log;
  const entries = Array.from({ length }, (_, place) => last + 1 + place);
  client.log.last += length;
  const begin = run.now();
  const ids = entries.map(() => new Set<number>());
  let since = begin;
  const attempt = async (): Promise<Answer> => {
    since = run.now();
    const answer = await sendEntries(shared, log, entries);
    if (outcomeOf(answer.status) !== 'done') return answer;
    const bodies =
      length === 1
        ? [JSON.parse(answer.body) as readonly { readonly id: number }[]]
        : itemsOf<{ readonly id: number }>(answer).map(({ body }) => body);
    for (const [place, body] of bodies.entries()) for (const { id } of body) ids[place]?.add(id);
    return answer;
  };
  const answer = await persevere(run, attempt);
  keepPosition(client, answer, since);
  const end = run.now();
  if (run.random(8) === 0) await attempt();
  const outcome = outcomeOf(answer.status);
  for (const [place, entry] of entries.entries())
    run.record({
      ...{ kind: 'append', log, entry, outcome, ids: [...(ids[place] ?? [])] },
      ...{ client: client.number, begin, end },
    });
}

function sendEntries({ run, name }: Shared, log: number, entries: readonly number[]): Promise<Answer> {
  const [first = 0] = entries;
  const key = `"${name}-entry-${String(log)}-${String(first)}"`;
  const path = '/journal?select=id';
  const prefer = { Prefer: 'return=representation' };
  if (entries.length === 1)
    return run.send('POST', path, {
      headers: { 'Idempotency-Key': key, ...prefer },
      body: { log, entry: first },
    });
  return run.send('POST', '/', {
    headers: { 'Idempotency-Key': key, 'Content-Type': BATCH },
    body: entries.map((entry) => ({ method: 'POST', path, headers: prefer, body: { log, entry } })),
  });
}

async function scan({ run, logs }: Shared, client: Client, wanted: Via): Promise<void> {
  const { log, last } = run.random(2) === 0 ? client.log : (logs[run.random(logs.length)] ?? client.log);
  const after = Math.max(0, last - SCANNED);
  const position = wanted === 'position' ? client.position : null;
  const via = wanted === 'position' && position === null ? 'any' : wanted;
  const begin = run.now();
  const answer = await run.send(
    'GET',
    `/journal?log=eq.${String(log)}&entry=gt.${String(after)}&select=entry&order=entry`,
    { headers: headersOf(via, position?.text) },
  );
  const call = { client: client.number, begin, end: run.now() };
  if (answer.status !== 200) {
    run.record({ kind: 'no-answer', request: 'scan', status: answer.status, ...call });
    await afterwards(run, answer);
    return;
  }
  const found = JSON.parse(answer.body) as readonly { readonly entry: number }[];
  const entries = found.map(({ entry }) => entry);
  run.record({ kind: 'scan', log, after, entries, via, since: position?.since ?? null, ...call });
}

function headersOf(via: Via, position = ''): Readonly<Record<string, string>> {
  if (via === 'any') return {};
  return { 'Dbr-Position': via === 'primary' ? PRIMARY : position };
}

/** Half of the batches have a key and are repeated until the outcome is known. */
async function writeBatch(shared: Shared, client: Client): Promise<void> {
  const { run, batches } = shared;
  const batch = ++shared.batch;
  const parts = 2 + run.random(4);
  batches.push(batch);
  if (batches.length > RECENT_BATCHES) batches.shift();
  const key = `"${shared.name}-batch-${String(batch)}"`;
  const hasKey = run.random(2) === 0;
  const type = { 'Content-Type': BATCH };
  const headers = hasKey ? { ...type, 'Idempotency-Key': key } : type;
  const body = Array.from({ length: parts }, (_, part) => ({
    ...{ method: 'POST', path: '/parts', body: { batch, part } },
  }));
  const begin = run.now();
  let since = begin;
  const attempt = (): Promise<Answer> => {
    since = run.now();
    return run.send('POST', '/', { headers, body });
  };
  const answer = await (hasKey ? persevere(run, attempt) : attempt());
  keepPosition(client, answer, since);
  const call = { client: client.number, begin, end: run.now() };
  run.record({ kind: 'batch', batch, parts, outcome: outcomeOf(answer.status), ...call });
  await afterwards(run, answer);
}

async function readBatch({ run, batches }: Shared, client: Client): Promise<void> {
  const batch = batches[run.random(batches.length)];
  if (batch === undefined) return;
  const via = run.random(2) === 0 ? 'primary' : 'any';
  const begin = run.now();
  const answer = await run.send('GET', `/parts?batch=eq.${String(batch)}&select=part`, {
    headers: headersOf(via),
  });
  const call = { client: client.number, begin, end: run.now() };
  if (answer.status === 200) {
    const { length } = JSON.parse(answer.body) as readonly unknown[];
    run.record({ kind: 'batch-read', batch, found: length, via, ...call });
    return;
  }
  run.record({ kind: 'no-answer', request: 'batch-read', status: answer.status, ...call });
  await afterwards(run, answer);
}
