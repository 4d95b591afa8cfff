/** Live reads over deaths: of the service, of one of its workers, of PostgreSQL, and of a primary whose standby is promoted. */
import { expect } from 'chai';
import { openLiveReader, type LiveReader } from '../../support/live/live-reader.js';
import { startLiveServer, type LiveServer } from '../../support/live/live-server.js';
import { openSession, withSession } from '../../../src/postgres/session.js';
import { startStandby, type TestServer } from '../../support/postgres/test-server.js';
import { serveDbr, type Environment, type ServingProcess } from '../../support/service/built-service.js';
import { SECRET, tokenOf } from '../../support/service/service-processes.js';
import { untilReady } from '../../support/service/service.js';
import { until } from '../../support/until.js';

const QUERIES = [
  '/notes?list=eq.1&order=rank.desc,id&select=id,rank,body,tags(tag)',
  '/notes?rank=gt.3&order=id&limit=5',
  '/ranked?order=id&select=id,rank',
];

describe('live reads that outlive', function () {
  this.timeout(180_000);
  let live: LiveServer;
  let standby: TestServer | null = null;
  const services: ServingProcess[] = [];
  const readers: LiveReader[] = [];

  before(async () => {
    live = await startLiveServer();
  });
  afterEach(async () => {
    for (const reader of readers.splice(0)) reader.close();
    for (const service of services.splice(0)) await service.stop();
    await standby?.remove();
    standby = null;
    await until(async () => (await slots(live.server.uri)) === 0);
  });
  after(() => live.remove());

  async function serve(more: Environment = {}): Promise<ServingProcess> {
    const service = await serveDbr({
      DBR_AREAS: 'data-api',
      DBR_DB_URI: live.server.uri,
      DBR_DB_ANON_ROLE: 'web_anon',
      DBR_DB_SCHEMAS: 'live',
      DBR_DB_LIVE: 'true',
      DBR_JWT_SECRET: SECRET,
      ...more,
    });
    services.push(service);
    await untilReady(service);
    return service;
  }

  const authorization = async (user: string) => ({
    Authorization: `Bearer ${await tokenOf({ role: 'reader', sub: user })}`,
  });

  /** A reader of each query for each user. */
  async function openAll({ url }: ServingProcess) {
    const all = [];
    for (const user of ['ada', 'bob'])
      for (const query of QUERIES) {
        const headers = await authorization(user);
        const reader = openLiveReader({ url: url + query, headers });
        readers.push(reader);
        await reader.opened;
        all.push({ url: url + query, headers, reader });
      }
    return all;
  }

  /** Resolves when each folded state is that of a fresh GET. */
  async function untilEqual(all: Awaited<ReturnType<typeof openAll>>): Promise<void> {
    for (const { url, headers, reader } of all)
      await until(async () => {
        const response = await fetch(url, { headers }).catch(() => null);
        const body = await response?.text();
        return (
          response?.status === 200 &&
          JSON.stringify(reader.state.rows) === JSON.stringify(JSON.parse(body ?? ''))
        );
      });
  }

  const write = (uri: string, body: string): Promise<unknown> =>
    withSession(uri, (session) =>
      session.script(`set synchronous_commit = on;
        update live.notes set body = '${body}', rank = (rank + 3) % 7;
        insert into live.notes (list, rank, body) values (1, 6, '${body}');
        delete from live.notes where id = (select min(id) from live.notes where list = 1)`),
    );

  const slots = (uri: string): Promise<number> =>
    withSession(
      uri,
      async (session) => (await session.query('select from pg_catalog.pg_replication_slots')).length,
    );

  it('PostgreSQL, killed and started again', async () => {
    const service = await serve();
    const all = await openAll(service);
    await write(live.server.uri, 'before');
    await untilEqual(all);
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    expect(metrics).to.match(
      /^dbr_live_streams 6$[^]*^dbr_live_groups 6$[^]*^dbr_live_bytes [1-9]\d*$[^]*^dbr_live_reads_total [1-9]\d*$/m,
    );
    await live.session.close();
    await live.server.killHard();
    await live.server.start();
    live = { ...live, session: await openSession(live.server.uri) };
    await write(live.server.uri, 'after');
    await untilEqual(all);
    await until(async () => (await slots(live.server.uri)) === 1);
  });

  it('the service, of which PostgreSQL keeps no slot', async () => {
    const service = await serve();
    const all = await openAll(service);
    expect(await slots(live.server.uri)).to.equal(1);
    for (const reader of readers.splice(0)) reader.close();
    await service.stop('SIGKILL');
    await until(async () => (await slots(live.server.uri)) === 0);
    await write(live.server.uri, 'meanwhile');
    const again = await openAll(await serve());
    expect(again).to.have.length(all.length);
    await untilEqual(again);
  });

  it('a worker: each has a slot of its own', async () => {
    const service = await serve({ DBR_SERVER_WORKERS: '2' });
    const all = [...(await openAll(service)), ...(await openAll(service)), ...(await openAll(service))];
    await write(live.server.uri, 'first');
    await untilEqual(all);
    expect(await slots(live.server.uri)).to.be.within(1, 2);
    const [worker] = await live.session.query(
      'select pg_terminate_backend(active_pid) as ended from pg_catalog.pg_replication_slots limit 1',
    );
    expect(worker).to.deep.equal({ ended: true });
    await write(live.server.uri, 'second');
    await untilEqual(all);
  });

  it('a primary, whose standby is promoted', async () => {
    standby = await startStandby(live.server, 'standby');
    const { host, username, password, pathname } = new URL(live.server.uri);
    const uri = `postgresql://${username}:${password}@${host},127.0.0.1:${String(standby.port)}${pathname}?target_session_attrs=read-write`;
    const all = await openAll(await serve({ DBR_DB_URI: uri }));
    await write(live.server.uri, 'before');
    await untilEqual(all);
    await live.session.close();
    await live.server.killHard();
    await withSession(standby.uri, (session) => session.query('select pg_catalog.pg_promote()'));
    await write(standby.uri, 'after');
    await untilEqual(all);
    // A group may be read again before the slot of the new primary is there.
    const promoted = standby.uri;
    await until(async () => (await slots(promoted)) === 1);
    // Its folder is removed by a server that can be stopped.
    await live.server.start();
    live = { ...live, session: await openSession(live.server.uri) };
  });
});
