/**
 * A commit is in the log before other transactions see it. A synchronous standby that does not answer makes this moment as long
 * as a test wants: PostgreSQL flushes the commit, sends it to readers of the log, and keeps it in its list of running
 * transactions until the standby has it.
 */
import { expect } from 'chai';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { openLiveReader, type LiveReader } from '../../support/live/live-reader.js';
import { startLiveServer, type LiveServer } from '../../support/live/live-server.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

describe('live reads of a commit that is not visible yet', function () {
  this.timeout(60_000);
  let live: LiveServer;
  let service: TestService;
  let writer: Session;
  const readers: LiveReader[] = [];

  before(async () => {
    live = await startLiveServer();
    await live.session.script(
      'create table live.open (id int primary key); grant select on live.open to web_anon',
    );
    writer = await openSession(live.server.uri);
    // Sessions of the service do not wait for the standby.
    await writer.script('set synchronous_commit = on');
    service = await startTestService({
      areas: 'data-api',
      'db-uri': live.server.uri,
      'db-anon-role': 'web_anon',
      'db-schemas': 'live',
      'db-live': 'true',
      'db-live-pause': '5',
    });
    await untilReady(service);
  });
  after(async () => {
    for (const reader of readers) reader.close();
    await service.stop();
    await writer.close();
    await live.remove();
  });

  async function open(query: string): Promise<LiveReader> {
    const reader = openLiveReader({ url: `${service.url}${query}` });
    readers.push(reader);
    await reader.opened;
    return reader;
  }

  async function setStandby(names: string): Promise<void> {
    await live.session.query(`alter system set synchronous_standby_names = '${names}'`);
    await live.session.query('select pg_catalog.pg_reload_conf()');
  }

  const waits = async (): Promise<boolean> =>
    (await live.session.query(`select from pg_catalog.pg_stat_activity where wait_event = 'SyncRep'`))
      .length > 0;

  /** Inserts rows until a commit waits for the standby. Returns the number of its row, and its end. */
  async function insertAndWait(): Promise<readonly [id: number, end: Promise<void>]> {
    for (let id = 1; ; id += 1) {
      let isCommitted = false;
      const end = writer.script(`insert into live.open values (${String(id)})`).then(() => {
        isCommitted = true;
      });
      await until(async () => isCommitted || (await waits()));
      if (!isCommitted) return [id, end];
    }
  }

  /** Reads of groups so far. */
  async function reads(): Promise<number> {
    const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
    return Number(/^dbr_live_reads_total (\d+)$/m.exec(text)?.[1]);
  }

  const idsOf = (rows: unknown): readonly number[] =>
    (rows as readonly { readonly id: number }[]).map(({ id }) => id);

  it('get its rows as soon as it is, and none before', async () => {
    const before = await open('/open?order=id');
    await setStandby('absent');
    const [late, end] = await insertAndWait();
    const visible = Array.from({ length: late - 1 }, (_, index) => index + 1);
    // The group has the change from the log, and asks again and again.
    const asked = await reads();
    await until(async () => (await reads()) > asked + 2);
    const during = await open('/open?order=id.desc');
    expect(idsOf(await (await fetch(`${service.url}/open?order=id`)).json())).to.deep.equal(visible);
    expect(idsOf(before.state.rows)).to.deep.equal(visible);
    expect(idsOf(during.state.rows)).to.deep.equal(visible.toReversed());
    expect(await waits()).to.equal(true);
    await setStandby('');
    await end;
    await until(() => before.state.rows.length === late && during.state.rows.length === late);
    expect(idsOf(before.state.rows)).to.deep.equal([...visible, late]);
    expect(idsOf(during.state.rows)).to.deep.equal([late, ...visible.toReversed()]);
    expect([...before.ends, ...during.ends]).to.deep.equal([]);
  });
});
