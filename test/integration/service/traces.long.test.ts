import { expect } from 'chai';
import { SignJWT } from 'jose';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { openSession } from '../../../src/postgres/session.js';
import {
  attributesOf,
  openCollector,
  type CollectedSpan,
  type Collector,
} from '../../support/observability/collector.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { serveDbr } from '../../support/service/built-service.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const SERVER = 2;
const CLIENT = 3;
const INTERNAL = 1;
const SECRET = 'a-secret-of-this-test-that-is-long-enough';

describe('traces', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let collector: Collector;
  let service: TestService;
  let untraced: TestService;

  before(async () => {
    database = await createTestDatabase();
    await migrate(database.uri, join(packageRoot(), 'migrations'));
    const session = await openSession(database.uri);
    await session.script(`
      create table public.films (id int primary key, title text);
      insert into public.films values (1, 'one');
      create function public.traced() returns text stable language sql
        as $$ select current_setting('application_name') $$;
      create function public.query_text() returns text stable language sql
        as $$ select query from pg_stat_activity where pid = pg_backend_pid() $$`);
    await session.close();
    collector = await openCollector();
    const settings = { 'db-uri': database.uri, 'db-anon-role': 'postgres', 'service-jwt-secret': SECRET };
    const traced = {
      ...settings,
      'traces-endpoint': collector.url,
      'traces-headers': 'authorization=Bearer%20key-of-the-collector',
      'traces-service-name': 'films',
      'db-live': 'true',
    };
    [service, untraced] = await Promise.all([startTestService(traced), startTestService(settings)]);
    await Promise.all([untilReady(service), untilReady(untraced)]);
  });
  after(async () => {
    await Promise.all([service.stop(), untraced.stop()]);
    await collector.close();
    await database.drop();
  });

  /** Sends a request in a trace of its own, and returns its spans. */
  async function spansOf(
    path: string,
    init: RequestInit & { readonly headers?: Readonly<Record<string, string>> } = {},
    trace = Math.random().toString(16).slice(2).padEnd(32, '7').slice(0, 32),
    from: Pick<TestService, 'url'> = service,
  ): Promise<readonly CollectedSpan[]> {
    const headers = { ...init.headers, traceparent: `00-${trace}-${PARENT}-01` };
    const response = await fetch(`${from.url}${path}`, { ...init, headers });
    await response.arrayBuffer();
    const own = (): readonly CollectedSpan[] => collector.spans.filter(({ traceId }) => traceId === trace);
    await until(() => own().length > 0);
    return own();
  }

  it('have a span of the request below that of the client, and a span below it for each step', async () => {
    const spans = await spansOf('/films?id=eq.1', { headers: { tracestate: 'vendor=1' } });
    const [request, ...steps] = spans;
    expect(request).to.include({
      name: 'GET /{relation}',
      kind: SERVER,
      parentSpanId: PARENT,
      traceState: 'vendor=1',
      flags: 0x301,
    });
    const { 'dbr.request_id': requestId, ...attributes } = attributesOf(request ?? { attributes: [] });
    expect(requestId).to.match(/^[0-9a-f]{12}-/);
    expect(attributes).to.deep.equal({
      'http.request.method': 'GET',
      'url.path': '/films',
      'url.scheme': 'http',
      'client.address': '127.0.0.1',
      'http.route': '/{relation}',
      'http.response.status_code': '200',
      'dbr.area': 'data-api',
      'dbr.operation': 'data-api',
    });
    expect(steps.map(({ name, kind }) => [name, kind])).to.deep.equal([
      ['authenticate', INTERNAL],
      ['parse', INTERNAL],
      ['plan', INTERNAL],
      ['wait for connection', INTERNAL],
      ['SELECT films', CLIENT],
      ['respond', INTERNAL],
      ['send', INTERNAL],
    ]);
    for (const step of steps) expect(step.parentSpanId, step.name).to.equal(request?.spanId);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).to.equal(spans.length);
    const database = steps.find(({ kind }) => kind === CLIENT);
    expect(attributesOf(database ?? { attributes: [] })).to.deep.equal({
      'db.system.name': 'postgresql',
      'db.operation.name': 'SELECT',
      'db.collection.name': 'films',
    });
    // Each step begins where the previous one ended.
    for (const [index, step] of steps.slice(1).entries())
      expect(step.startTimeUnixNano, step.name).to.equal(steps[index]?.endTimeUnixNano);
    const seconds = Number(BigInt(request?.startTimeUnixNano ?? 0) / 1_000_000_000n);
    expect(Math.abs(seconds - Date.now() / 1000)).to.be.lessThan(60);
  });

  it('name the service and the software in their resource, and authenticate at the collector', async () => {
    await spansOf('/films');
    const resource = collector.resources.at(-1);
    expect(resource).to.include({ 'service.name': 'films', 'telemetry.sdk.language': 'nodejs' });
    expect(resource?.['service.instance.id']).to.match(/^[0-9a-f-]{36}$/);
    expect(collector.headers.at(-1)?.authorization).to.equal('Bearer key-of-the-collector');
    expect(collector.paths.at(-1)).to.equal('/v1/traces');
  });

  it('show an error of PostgreSQL, a function, and a body that is received', async () => {
    const body = JSON.stringify({ id: 1, title: 'again' });
    const headers = { 'Content-Type': 'application/json' };
    const [request, ...steps] = await spansOf('/films', { method: 'POST', headers, body });
    expect(attributesOf(request ?? { attributes: [] })).to.include({
      'http.response.status_code': '409',
      'dbr.error.code': '23505',
    });
    expect(request?.status).to.deep.equal({});
    const statement = steps.find(({ name }) => name === 'INSERT films');
    expect(attributesOf(statement ?? { attributes: [] })).to.include({
      'db.response.status_code': '23505',
      'error.type': '23505',
    });
    expect(statement?.status).to.deep.equal({ code: 2 });
    expect(steps.map(({ name }) => name)).to.include('receive body');
    const [call, ...below] = await spansOf('/rpc/traced');
    expect(call?.name).to.equal('GET /rpc/{function}');
    expect(attributesOf(below.find(({ kind }) => kind === CLIENT) ?? { attributes: [] })).to.include({
      'db.stored_procedure.name': 'traced',
    });
  });

  it('call the statements of a batch a batch', async () => {
    const [request, ...steps] = await spansOf('/', {
      method: 'POST',
      headers: { 'Content-Type': 'application/vnd.dbr.batch+json' },
      body: JSON.stringify([{ method: 'GET', path: '/films?id=eq.1' }]),
    });
    expect(request?.name).to.equal('POST /');
    expect(steps.map(({ name }) => name)).to.include('BATCH');
    const statements = steps.filter(({ kind }) => kind === CLIENT);
    expect(statements.map(attributesOf)).to.deep.equal([
      { 'db.system.name': 'postgresql', 'db.operation.name': 'BATCH' },
    ]);
  });

  it('have a span for an operation, with the route of the published document', async () => {
    const token = await new SignJWT({ tenantId: 't', sub: 'u' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(SECRET));
    const [request, ...steps] = await spansOf('/api/v1/notifications/me/unread-count', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(request?.name).to.equal('GET /api/v1/notifications/me/unread-count');
    expect(steps.map(({ name }) => name)).to.deep.equal(['authenticate', 'parse', 'getUnreadCount', 'send']);
    expect((await spansOf('/api/v1/openapi.json'))[0]?.name).to.equal('GET /api/v1/openapi.json');
    const [refused] = await spansOf('/accounts/secret-account/signing-config');
    expect(refused?.name).to.equal('GET /accounts/{id}/signing-config');
    expect(attributesOf(refused ?? { attributes: [] })).to.include({
      'dbr.area': 'signing',
      'dbr.operation': 'getSigningConfig',
      'http.response.status_code': '401',
    });
  });

  it('have one trace for each read of a group of live reads', async () => {
    const headers = { Accept: 'text/event-stream' };
    const readers = [];
    for (let stream = 0; stream < 5; stream += 1) {
      const response = await fetch(`${service.url}/films?id=eq.1`, { headers });
      expect(response.status).to.equal(200);
      readers.push(response.body?.getReader());
      await readers.at(-1)?.read();
    }
    for (const reader of readers) await reader?.cancel();
    const reads = (): readonly CollectedSpan[] =>
      collector.spans.filter(({ name }) => name === 'live read films');
    await until(() => reads().length > 0);
    const [read] = reads();
    if (read === undefined) throw new Error('there is a read');
    expect(attributesOf(read)).to.deep.equal({ 'dbr.area': 'data-api', 'dbr.operation': 'live-read' });
    const below = collector.spans.filter(({ parentSpanId }) => parentSpanId === read.spanId);
    expect(below.map(({ name, kind }) => [name, kind])).to.deep.equal([
      ['wait for connection', INTERNAL],
      ['SELECT films', CLIENT],
    ]);
    // The first of all five, and one more when the rights on which the answer depends are known.
    expect(reads().length).to.be.at.most(2);
    // The streams end with their clients: their time is no latency.
    await until(async () =>
      (await (await fetch(`${service.adminUrl}/metrics`)).text()).includes(
        'dbr_http_streams_total{area="data-api"',
      ),
    );
  });

  it('put their id into the access line, and nothing into the response', async () => {
    await spansOf('/films?title=eq.hidden-value', {}, TRACE);
    const line = service.logs.find((text) => text.includes(TRACE)) ?? '{}';
    expect(JSON.parse(line)).to.include({ traceId: TRACE, msg: 'request', path: '/films' });
    const names = async (from: TestService) => [
      ...(await fetch(`${from.url}/films`, { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } })).headers,
    ];
    const shown = (entries: readonly (readonly [string, string])[]) =>
      entries.filter(([name]) => name !== 'date' && name !== 'x-request-id');
    expect(shown(await names(service))).to.deep.equal(shown(await names(untraced)));
  });

  it('follow the decision of the client, and begin a new trace for a malformed parent', async () => {
    const quiet = 'a'.repeat(32);
    const send = async (traceparent: string): Promise<void> => {
      await (await fetch(`${service.url}/films`, { headers: { traceparent } })).arrayBuffer();
    };
    await send(`00-${quiet}-${PARENT}-00`);
    await send(`00-${'0'.repeat(32)}-${PARENT}-01`);
    await send(`ff-${quiet}-${PARENT}-01`);
    await spansOf('/films');
    expect(collector.spans.filter(({ traceId }) => traceId === quiet)).to.deep.equal([]);
    const roots = collector.spans.filter(
      ({ kind, parentSpanId }) => kind === SERVER && parentSpanId === undefined,
    );
    expect(roots.length).to.be.at.least(2);
    // The line of an unsampled trace has its id, too: the client has it in its own log.
    expect(service.logs.some((line) => line.includes(quiet))).to.equal(true);
  });

  it('contain no token, no value of a query and no body', async () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.e30.signature-of-a-token';
    await spansOf('/films?title=eq.hidden-value', { headers: { authorization: `Bearer ${token}` } });
    await spansOf('/films', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ id: 77, title: 'hidden-body' }),
    });
    expect(collector.text()).not.to.match(
      /signature-of-a-token|hidden-value|hidden-body|key-of-the-collector/,
    );
  });

  it('count their spans', async () => {
    await spansOf('/films');
    const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
    expect(text).to.match(/^dbr_trace_spans_total\{outcome="exported"\} [1-9]/m);
    expect(await (await fetch(`${untraced.adminUrl}/metrics`)).text()).not.to.match(/^dbr_trace_/m);
  });

  for (const [way, path] of [
    ['application_name', '/rpc/traced'],
    ['comment', '/rpc/query_text'],
  ] as const)
    it(`reach PostgreSQL as ${way}`, async () => {
      const own = await startTestService({
        'db-uri': database.uri,
        areas: 'data-api',
        'db-anon-role': 'postgres',
        'traces-endpoint': collector.url,
        'traces-database': way,
      });
      try {
        await untilReady(own);
        const read = async (flags: string): Promise<string> => {
          const headers = { traceparent: `00-${TRACE}-${PARENT}-${flags}` };
          return (await fetch(`${own.url}${path}`, { headers })).text();
        };
        const pattern = new RegExp(`00-${TRACE}-[0-9a-f]{16}-01`);
        // The second request has a cached plan.
        for (let request = 0; request < 3; request += 1) expect(await read('01')).to.match(pattern);
        expect(await read('00')).not.to.contain(TRACE);
      } finally {
        await own.stop();
      }
    });

  it('are exported by workers, and at the stop', async () => {
    const serving = await serveDbr({
      DBR_DB_URI: database.uri,
      DBR_AREAS: 'data-api',
      DBR_DB_ANON_ROLE: 'postgres',
      DBR_SERVER_WORKERS: '2',
      DBR_TRACES_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'workers',
    });
    await untilReady(serving);
    const traces = Array.from({ length: 20 }, (_, index) =>
      `${String(index).padStart(2, '0')}`.padEnd(32, 'c'),
    );
    for (const trace of traces) {
      const headers = { traceparent: `00-${trace}-${PARENT}-01`, connection: 'close' };
      await (await fetch(`${serving.url}/films`, { headers })).arrayBuffer();
    }
    expect(await serving.stop()).to.equal(0);
    const seen = new Set(collector.spans.map(({ traceId }) => traceId));
    expect(traces.filter((trace) => !seen.has(trace))).to.deep.equal([]);
    expect(collector.resources.some((resource) => resource['service.name'] === 'workers')).to.equal(true);
  });

  it('do not hold up requests or the stop while the collector does not respond', async () => {
    const silent = await openCollector(() => null);
    const own = await startTestService({
      'db-uri': database.uri,
      areas: 'data-api',
      'db-anon-role': 'postgres',
      'traces-endpoint': silent.url,
    });
    try {
      await untilReady(own);
      for (let sent = 0; sent < 200; sent += 1) {
        const response = await fetch(`${own.url}/films`);
        expect(response.status).to.equal(200);
        await response.arrayBuffer();
      }
      const text = await (await fetch(`${own.adminUrl}/metrics`)).text();
      const queued = Number(/^dbr_trace_queue_bytes (\d+)$/m.exec(text)?.[1]);
      expect(queued).to.be.within(1, 8_388_608);
    } finally {
      await own.stop();
      await silent.close();
    }
  });
});
