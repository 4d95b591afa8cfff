/** Live reads on other servers than the embedded one as it is set up: without a log of changes, behind PgBouncer, of another version. */
import { expect } from 'chai';
import { checkLive } from '../../../packages/tools/src/doctor/live-checks.js';
import { openSession } from '../../../src/postgres/session.js';
import { openLiveReader, type LiveReader } from '../../support/live/live-reader.js';
import { startLiveServer, type LiveServer } from '../../support/live/live-server.js';
import { startTestServer } from '../../support/postgres/test-server.js';
import { pgbouncerMissing, startPgbouncer, type Pgbouncer } from '../../support/postgres/pgbouncer.js';
import { findSystemPrograms } from '../../support/postgres/system-programs.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

const settingsOf = (uri: string): Readonly<Record<string, string>> => ({
  areas: 'data-api',
  'db-uri': uri,
  'db-anon-role': 'web_anon',
  'db-schemas': 'live',
  'db-live': 'true',
  'db-live-pause': '5',
});

/** The status and the error of a live read. */
async function refusalOf({ url }: TestService): Promise<readonly unknown[]> {
  const response = await fetch(`${url}/open`, { headers: { Accept: 'text/event-stream' } });
  const { code, details } = (await response.json()) as Readonly<Record<string, unknown>>;
  return [response.status, code, details];
}

/** A table that anonymous callers read and write. */
const OPEN = 'create table live.open (id int primary key); grant select, insert on live.open to web_anon';

describe('live reads on a server with wal_level = replica', function () {
  this.timeout(60_000);

  it('are refused with the words of PostgreSQL, and dbr doctor says the same', async () => {
    const server = await startTestServer(undefined, { wal_level: 'replica' });
    const session = await openSession(server.uri);
    await session.script(
      `create role web_anon; create schema live; grant usage on schema live to web_anon; ${OPEN}`,
    );
    const service = await startTestService(settingsOf(server.uri), { logLevel: 'crit' });
    try {
      await untilReady(service);
      expect(await refusalOf(service)).to.deep.equal([
        501,
        'DBR183',
        'logical decoding requires "wal_level" >= "logical"',
      ]);
      expect((await fetch(`${service.url}/open`)).status).to.equal(200);
      const checks = await checkLive(session, { 'db-schemas': ['live'] }, 1);
      expect(checks.map(({ outcome, message, remedy }) => [outcome, message, remedy])).to.deep.equal([
        ['fault', 'wal_level is replica', 'alter system set wal_level = logical, then restart PostgreSQL'],
      ]);
      expect(await session.query('select from pg_catalog.pg_replication_slots')).to.deep.equal([]);
    } finally {
      await service.stop();
      await session.close();
      await server.remove();
    }
  });
});

const missing = pgbouncerMissing();

describe(`live reads behind PgBouncer${missing === null ? '' : `: skipped, ${missing}`}`, function () {
  this.timeout(60_000);
  let live: LiveServer;
  let pooler: Pgbouncer;
  const services: TestService[] = [];
  const readers: LiveReader[] = [];

  before(async function () {
    if (missing !== null) return this.skip();
    live = await startLiveServer();
    await live.session.script(OPEN);
    // One connection to the server, so that requests of all kinds share it.
    pooler = await startPgbouncer([live.server.uri], 1);
  });
  after(async () => {
    if (missing !== null) return;
    for (const reader of readers) reader.close();
    for (const service of services) await service.stop();
    await pooler.stop();
    await live.remove();
  });

  async function start(liveUri: string): Promise<TestService> {
    const service = await startTestService(
      {
        ...settingsOf(pooler.through(live.server.uri)),
        'db-live-uri': liveUri,
        'db-prepared-statements': 'false',
        'db-channel-enabled': 'false',
      },
      { logLevel: 'crit' },
    );
    services.push(service);
    await untilReady(service);
    return service;
  }

  it('read through it, and get the changes past it', async () => {
    const service = await start(live.server.uri);
    const reader = openLiveReader({ url: `${service.url}/open?order=id` });
    readers.push(reader);
    await reader.opened;
    for (const id of [1, 2, 3]) {
      const written = await fetch(`${service.url}/open`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ id }),
      });
      expect(written.status).to.equal(201);
      await until(() => reader.state.rows.length === id);
    }
    // A comparison of rights goes through it too.
    await live.session.script('revoke select on live.open from web_anon');
    await until(() => reader.ends.includes('rights'));
    await live.session.script('grant select on live.open to web_anon');
  });

  it('are refused if the changes go through it, too', async () => {
    const service = await start(pooler.through(live.server.uri));
    expect(await refusalOf(service)).to.deep.equal([
      501,
      'DBR183',
      'unsupported startup parameter: replication',
    ]);
    expect((await fetch(`${service.url}/open`)).status).to.equal(200);
  });
});

const programs = findSystemPrograms();
if (programs === null)
  it('live reads on a PostgreSQL of the system: none is installed, on PATH or in /usr/lib/postgresql');
else
  describe(`live reads on the PostgreSQL ${String(programs.major)} of the system`, function () {
    this.timeout(60_000);
    let live: LiveServer;
    let service: TestService;
    const readers: LiveReader[] = [];

    before(async () => {
      live = await startLiveServer(programs);
      await live.session.script(`${OPEN};
        grant select on all tables in schema live to web_anon;
        create policy of_list on live.notes for select to web_anon
          using (exists (select from live.members m where m.list = notes.list and m.member = 'bob'))`);
      service = await startTestService(settingsOf(live.server.uri));
      await untilReady(service);
    });
    after(async () => {
      for (const reader of readers) reader.close();
      await service.stop();
      await until(
        async () => (await live.session.query('select from pg_catalog.pg_replication_slots')).length === 0,
      );
      await live.remove();
    });

    it('follow rows, policies, views, functions and partitions', async () => {
      const queries = [
        '/notes?order=id&select=id,list,body',
        '/notes?list=eq.1&order=rank.desc,id&limit=2&select=id,tags(tag)',
        '/ranked?order=id',
        '/rpc/top?wanted=1&select=id',
        '/parts?order=area,id',
      ];
      for (const query of queries) readers.push(openLiveReader({ url: `${service.url}${query}` }));
      await Promise.all(readers.map(({ opened }) => opened));
      const agree = async (): Promise<boolean> => {
        const fresh = await Promise.all(
          queries.map(async (query) => (await fetch(`${service.url}${query}`)).text()),
        );
        return readers.every(({ state }, index) => {
          const rows = JSON.parse(fresh[index] ?? '') as unknown;
          return JSON.stringify(state.rows) === JSON.stringify(rows);
        });
      };
      for (const change of [
        `update live.notes set body = 'changed', rank = 9 where list = 1 and id % 2 = 0`,
        `delete from live.members where list = 2 and member = 'bob'`,
        `update live.parts set area = case area when 'a' then 'b' else 'a' end`,
        'delete from live.notes where list = 3',
        'truncate live.parts',
        `alter policy of_list on live.notes using (list = 1)`,
      ]) {
        await live.session.script(change);
        await until(agree);
      }
      expect(readers[0]?.state.rows.every((row) => (row as { readonly list: number }).list === 1)).to.equal(
        true,
      );
      expect(readers.flatMap(({ ends }) => ends)).to.deep.equal([]);
    });
  });
