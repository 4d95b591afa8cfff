import { expect } from 'chai';
import { get, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { findFreePort, startTestServer, type TestServer } from '../../support/postgres/test-server.js';
import { some } from '../../support/runs.js';
import { serveDbr, type ServingProcess } from '../../support/service/built-service.js';
import { untilReady } from '../../support/service/service.js';
import { workersOf } from '../../support/service/worker-connections.js';
import { until } from '../../support/until.js';

const SCHEMA = `
  create view public.endless as
    select a as n, repeat('x', 1000) as filler from generate_series(1, 100000) a, generate_series(1, 1000) b;
  create view public.failing as select n, 1 / (5000 - n) as value, repeat('x', 100) as filler
    from generate_series(1, 10000) n;
  create table public.films (id int primary key);
  insert into public.films values (1), (2), (3);
  create table public.taken (id int);
`;
const NDJSON = 'application/x-ndjson';

/** Kills a backend, unless PostgreSQL has ended it already. */
function killBackend(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Backends killed with SIGKILL restart the whole server, so that it is not shared. */
describe('streams that are ended from outside', function () {
  this.timeout(60_000);
  let server: TestServer;
  let session: Session;
  let service: ServingProcess | null = null;
  before(async () => {
    server = await startTestServer();
    session = await openSession(server.uri);
    await session.script(SCHEMA);
  });
  afterEach(async () => {
    // Its workers end with it.
    await service?.stop('SIGTERM');
    service = null;
  });
  after(async () => {
    await session.close();
    await server.remove();
  });

  beforeEach(() => session.script('truncate public.taken'));

  async function start(settings: Readonly<Record<string, string>>): Promise<ServingProcess> {
    const started = await serveDbr({
      DBR_DB_URI: server.uri,
      DBR_AREAS: 'data-api',
      DBR_DB_ANON_ROLE: 'postgres',
      DBR_DB_POOL: '2',
      DBR_LOG_LEVEL: 'crit',
      ...settings,
    });
    service = started;
    await untilReady(started);
    return started;
  }

  /** Opens a stream of which nothing is read until the test does. */
  const openRead = ({ url }: ServingProcess, path = '/endless'): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get(`${url}${path}`, { headers: { accept: NDJSON }, agent: false }, (response) => {
        response.on('error', () => undefined);
        response.once('readable', () => resolve(response));
      }).on('error', reject);
    });

  /** Opens a streamed insert whose body does not end. */
  function openUpload({ url }: ServingProcess): {
    readonly sending: ClientRequest;
    readonly outcome: Promise<number | null>;
  } {
    const headers = { 'content-type': NDJSON };
    const sending = request(`${url}/taken`, { method: 'POST', headers, agent: false });
    const outcome = new Promise<number | null>((resolve) => {
      sending.on('error', () => resolve(null));
      sending.on('response', (response) => {
        response.resume();
        response.on('error', () => undefined);
        resolve(response.statusCode ?? null);
      });
    });
    sending.write('{"id":1}\n{"id":2}\n');
    return { sending, outcome };
  }

  /** Reads to the end. @returns whether the body was complete */
  async function isComplete(response: IncomingMessage): Promise<boolean> {
    response.resume();
    await until(() => response.closed);
    return response.complete;
  }

  /** Transactions of a service that has just started are shorter than those of the streams here. */
  const BACKENDS = `select pid from pg_stat_activity
    where xact_start < clock_timestamp() - interval '0.3 s' and backend_type = 'client backend' and pid <> pg_backend_pid()`;
  const backends = async (): Promise<readonly number[]> =>
    (await session.query(BACKENDS)).map(({ pid }) => Number(pid));

  /** A read and an upload, whose backends are in their transactions. */
  async function openBoth(on: ServingProcess) {
    const response = await openRead(on);
    const upload = openUpload(on);
    await until(async () => (await backends()).length === 2);
    return { response, ...upload };
  }

  async function expectNothingLeft({
    response,
    outcome,
  }: Awaited<ReturnType<typeof openBoth>>): Promise<void> {
    expect(await isComplete(response)).to.equal(false);
    expect(await outcome).not.to.equal(201);
    await until(async () => (await backends()).length === 0);
    expect(await session.query('select from public.taken')).to.have.length(0);
  }

  /** As many streams at a time as there are slots, in both directions. */
  async function expectFreeSlots({ url }: ServingProcess): Promise<void> {
    const statusOf = async (path: string, init: RequestInit): Promise<number> => {
      const response = await fetch(`${url}${path}`, init).catch(() => null);
      await response?.text();
      return response?.status ?? 0;
    };
    const read = () => statusOf('/films', { headers: { accept: NDJSON } });
    await until(async () => (await read()) === 200);
    expect(await Promise.all([read(), read(), read(), read()])).to.deep.equal([200, 200, 200, 200]);
    const write = { method: 'POST', headers: { 'content-type': NDJSON }, body: '{"id":7}\n' };
    expect(await statusOf('/taken', write)).to.equal(201);
    await session.script('truncate public.taken');
  }

  const SLOTS = { DBR_DB_MAX_STREAMS: '4', DBR_DB_MAX_STREAMS_PER_CLIENT: '4' };

  it('leave a cut body, no rows and no backend when the service is killed', async () => {
    const killed = await start(SLOTS);
    const both = await openBoth(killed);
    await killed.stop('SIGKILL');
    service = null;
    await expectNothingLeft(both);
  });

  it('leave a cut body, no rows and free slots when their workers are killed', async () => {
    // A free port that the service chose would be another one after the last worker has ended.
    const port = String(await findFreePort());
    const serving = await start({ ...SLOTS, DBR_SERVER_WORKERS: '2', DBR_SERVER_PORT: port });
    const both = await openBoth(serving);
    for (const worker of workersOf(serving)) process.kill(worker, 'SIGKILL');
    await expectNothingLeft(both);
    await expectFreeSlots(serving);
  });

  for (const workers of some(['1', '2'], 2))
    it(`leave a cut body, no rows and free slots when their backends are ended (workers: ${workers})`, async () => {
      const serving = await start({ ...SLOTS, DBR_SERVER_WORKERS: workers });
      const both = await openBoth(serving);
      for (const pid of await backends()) await session.query('select pg_terminate_backend($1)', [pid]);
      both.sending.end('{"id":3}\n');
      await expectNothingLeft(both);
      await expectFreeSlots(serving);
    });

  it('are counted by direction and end, with rows, bytes and waits', async () => {
    const serving = await start({
      DBR_DB_MAX_STREAMS: '1',
      DBR_DB_MAX_STREAMS_PER_CLIENT: '1',
      DBR_DB_STREAM_TIMEOUT: '2',
    });
    const metrics = async (): Promise<readonly string[]> =>
      (await (await fetch(`${serving.adminUrl}/metrics`)).text())
        .split('\n')
        .filter((line) => line.startsWith('dbr_row_stream'));
    const read = await fetch(`${serving.url}/films`, { headers: { accept: NDJSON } });
    expect(await read.text()).to.equal('{"id":1}\n{"id":2}\n{"id":3}\n');
    const body = '{"id":8}\n{"id":9}\n';
    const write = { method: 'POST', headers: { 'content-type': NDJSON }, body };
    expect((await fetch(`${serving.url}/taken`, write)).status).to.equal(201);
    expect(await isComplete(await openRead(serving, '/failing'))).to.equal(false);
    const upload = openUpload(serving);
    await until(async () => (await backends()).length === 1);
    expect(await metrics()).to.include.members([
      'dbr_row_streams{direction="read"} 0',
      'dbr_row_streams{direction="write"} 1',
      'dbr_row_stream_bytes_total{direction="write"} 36',
    ]);
    // PostgreSQL takes the rows of a slow body after a second, and they count although the stream fails.
    await until(async () => (await metrics()).includes('dbr_row_stream_rows_total{direction="write"} 4'));
    upload.sending.destroy();
    await until(async () => (await metrics()).includes('dbr_row_streams{direction="write"} 0'));
    const unread = await openRead(serving);
    const waiting = openRead(serving, '/films');
    await until(async () => (await metrics()).includes('dbr_row_streams_waiting 1'));
    // The first one is longer than db-stream-timeout.
    expect(await isComplete(await waiting)).to.equal(true);
    expect(await isComplete(unread)).to.equal(false);
    const counted = await metrics();
    // A stream waits, too, where the backend of the one before has not ended yet.
    expect(counted).not.to.include('dbr_row_stream_waits_total{end="started"} 0');
    expect(counted.filter((line) => !/rows_total|bytes_total|"started"/.test(line))).to.deep.equal([
      'dbr_row_streams{direction="read"} 0',
      'dbr_row_streams{direction="write"} 0',
      'dbr_row_streams_total{direction="read",end="complete"} 2',
      'dbr_row_streams_total{direction="read",end="error"} 1',
      'dbr_row_streams_total{direction="read",end="too slow"} 1',
      'dbr_row_streams_total{direction="read",end="client gone"} 0',
      'dbr_row_streams_total{direction="write",end="complete"} 1',
      'dbr_row_streams_total{direction="write",end="error"} 0',
      'dbr_row_streams_total{direction="write",end="too slow"} 0',
      'dbr_row_streams_total{direction="write",end="client gone"} 1',
      'dbr_row_streams_waiting 0',
      'dbr_row_stream_waits_total{end="refused"} 0',
      'dbr_row_stream_waits_total{end="client gone"} 0',
    ]);
    expect(counted).to.include.members(['dbr_row_stream_rows_total{direction="write"} 4']);
  });

  it('take nothing of a body that waits for a slot', async () => {
    const serving = await start({ DBR_DB_MAX_STREAMS: '1', DBR_DB_MAX_STREAMS_PER_CLIENT: '1' });
    const metrics = async (): Promise<readonly string[]> =>
      (await (await fetch(`${serving.adminUrl}/metrics`)).text()).split('\n');
    const first = openUpload(serving);
    await until(async () => (await backends()).length === 1);
    const second = openUpload(serving);
    for (let line = 0; line < 100; line += 1) second.sending.write(`{"id":${'1'.padStart(5000)}}\n`);
    second.sending.end();
    await until(async () => (await metrics()).includes('dbr_row_streams_waiting 1'));
    expect(await metrics()).to.include.members([
      'dbr_row_stream_bytes_total{direction="write"} 18',
      'dbr_row_streams{direction="write"} 1',
    ]);
    first.sending.end();
    expect(await Promise.all([first.outcome, second.outcome])).to.deep.equal([201, 201]);
    expect(await session.query('select from public.taken')).to.have.length(104);
  });

  it('leave a cut body, no rows and free slots when their backends are killed', async () => {
    const serving = await start({ ...SLOTS, DBR_SERVER_WORKERS: '2' });
    const both = await openBoth(serving);
    // PostgreSQL ends all sessions when it sees that one is killed. The others could complete until then.
    for (const pid of await backends()) killBackend(pid);
    both.sending.end('{"id":3}\n');
    expect(await isComplete(both.response)).to.equal(false);
    expect(await both.outcome).not.to.equal(201);
    await session.close();
    // PostgreSQL recovers.
    await until(async () => {
      const opened = await openSession(server.uri).catch(() => null);
      if (opened !== null) session = opened;
      return opened !== null;
    });
    await until(async () => (await backends()).length === 0);
    expect(await session.query('select from public.taken')).to.have.length(0);
    await expectFreeSlots(serving);
  });
});
