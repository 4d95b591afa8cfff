import { expect } from 'chai';
import { openChangeFeed, type ChangeFeed } from '../../../src/postgres/change-feed.js';
import { closeDatabase, openDatabase, type Database } from '../../../src/postgres/database.js';
import { watchKey, type WatchSet } from '../../../src/postgres/watch-sets.js';
import { listen, type Listener } from '../../../src/postgres/listener.js';
import { createTestDatabase, findFreePort, type TestDatabase } from '../../support/postgres/database.js';
import { openSeveringProxy } from '../../support/postgres/severing-proxy.js';
import { UNOBSERVED } from '../../support/unobserved.js';
import { until } from '../../support/until.js';

const NEVER = new AbortController().signal;
const LONG_MS = 600_000;

describe('the change feed', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let feeds: ChangeFeed[];
  let heard: string[];
  let ear: Listener;
  before(async () => {
    testDatabase = await createTestDatabase();
    database = openDatabase(testDatabase.uri, { poolSize: 4 });
  });
  beforeEach(async () => {
    feeds = [];
    heard = [];
    ear = listen(database, {
      channels: ['dbr_changes'],
      onNotification: (_channel, text) => heard.push(text.split(' ').slice(2).join(' ')),
      onListening: () => undefined,
      observe: UNOBSERVED,
      lostAs: 'change-feed-lost',
    });
    await until(() => ear.isListening);
  });
  afterEach(async () => {
    await Promise.all(feeds.map((feed) => feed.close()));
    await ear.close();
  });
  after(async () => {
    await closeDatabase(database);
    await testDatabase.drop();
  });

  const open = (): ChangeFeed => {
    const feed = openChangeFeed(database, UNOBSERVED);
    feeds.push(feed);
    return feed;
  };
  const said = (text: string) => (): boolean => heard.filter((one) => one.startsWith(text)).length > 0;
  const queries: string[][] = [];
  const watchesOf = (feed: ChangeFeed): WatchSet<null, true> => {
    queries.length = 0;
    return feed.open<null, true>({
      topic: 'thing',
      pollMs: LONG_MS,
      onReport: 'notify',
      work: 'events of sessions',
      query(watchers) {
        queries.push(watchers.map(({ key }) => key));
        return Promise.resolve([]);
      },
    });
  };
  /** Two processes that know of each other. */
  async function pair(): Promise<readonly [ChangeFeed, ChangeFeed]> {
    const one = open();
    await until(said('joined'));
    const other = open();
    await until(said('present'));
    return [one, other];
  }

  it('wakes the watchers of a key in another process, and no others', async () => {
    const [one, other] = await pair();
    const set = watchesOf(other);
    const [changed, unchanged] = [watchKey(set, 'a', null), watchKey(set, 'b', null)];
    changed.due = unchanged.due = false;
    await until(() => {
      one.publish('thing', ['a']);
      return changed.due;
    });
    await changed.next(null, NEVER);
    expect(unchanged.due).to.equal(false);
    await set.close();
  });

  /** Whether a feed sends a change to other processes. It would do so within a few milliseconds. */
  async function sends(feed: ChangeFeed): Promise<boolean> {
    heard.length = 0;
    feed.publish('thing', ['a']);
    const deadline = performance.now() + 200;
    await until(() => said('changed')() || performance.now() > deadline);
    return said('changed')();
  }

  it('sends nothing while no other process listens', async () => {
    const one = open();
    await until(said('joined'));
    const set = watchesOf(one);
    const watch = watchKey(set, 'a', null);
    watch.due = false;
    one.publish('thing', ['a']);
    expect(watch.due).to.equal(true);
    const other = open();
    await until(said('present'));
    expect(heard.filter((text) => text.startsWith('changed'))).to.deep.equal([]);
    await other.close();
    await until(said('left'));
    // The feed hears of the end on a connection of its own, perhaps later than the test: it may send until then.
    await until(async () => !(await sends(one)));
    await set.close();
  });

  it('sends many changes in few notifications', async () => {
    const [one] = await pair();
    for (let key = 0; key < 1000; key += 1) one.publish('thing', [String(key), 'same']);
    await until(() => heard.flatMap((text) => text.split(' ').slice(2)).length >= 1001);
    expect(heard.filter((text) => text.startsWith('changed thing'))).to.have.length.lessThan(10);
  });

  const endOtherConnections = (): Promise<unknown> =>
    database.any(
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );

  it('notifies on the connection that listens, and on one of the pool while there is none', async () => {
    const own = openDatabase(testDatabase.uri, { poolSize: 1 });
    const [feed, other] = [openChangeFeed(own, UNOBSERVED), open()];
    await until(said('present'));
    await until(() => sends(feed));
    expect(own.$pool.totalCount).to.equal(0);
    await endOtherConnections();
    feed.publish('thing', ['a']);
    await until(() => own.$pool.totalCount === 1);
    await feed.close();
    await closeDatabase(own);
    await other.close();
  });

  it('notifies on another connection if the one that listens is silent', async () => {
    const proxy = await openSeveringProxy(testDatabase.uri);
    const own = openDatabase(proxy.uri, { poolSize: 1 });
    const lost: string[] = [];
    const feed = openChangeFeed(own, ({ kind }) => lost.push(kind));
    open();
    await until(said('present'));
    await until(() => sends(feed));
    proxy.freeze();
    heard.length = 0;
    feed.publish('thing', ['b']);
    await until(said('changed'));
    expect(lost).to.deep.equal(['change-feed-lost']);
    await feed.close();
    await closeDatabase(own);
    await proxy.close();
  });

  it('makes one query for all watchers when it listens again after a lost connection', async () => {
    const feed = open();
    await until(said('joined'));
    const set = watchesOf(feed);
    watchKey(set, 'a', null);
    watchKey(set, 'b', null);
    await endOtherConnections();
    await until(() => queries.length > 0);
    expect(queries[0]).to.deep.equal(['a', 'b']);
    await set.close();
  });

  it('ignores payloads that are malformed, forged for unknown keys, or of other topics', async () => {
    const feed = open();
    await until(said('joined'));
    const set = watchesOf(feed);
    const watch = watchKey(set, 'a', null);
    watch.due = false;
    const sender = 'A'.repeat(22);
    const forged = [
      '',
      'reload schema',
      `dbr1 ${sender} changed thing a`,
      `dbr1 ${sender} changed thing ${'z'.repeat(22)}`,
      `dbr1 ${sender} changed other *`,
      `dbr1 ${sender} changed thing ${"'; drop table x; --".padEnd(22, ' ')}`,
    ];
    for (const payload of forged) await database.any('select pg_notify($1, $2)', ['dbr_changes', payload]);
    await until(() => heard.length >= forged.length);
    expect(watch.due).to.equal(false);
    await set.close();
  });

  it('reports once that it cannot listen or send', async () => {
    const port = await findFreePort();
    const nowhere = openDatabase(`postgresql://web@127.0.0.1:${String(port)}/films`, { poolSize: 1 });
    const lost: number[] = [];
    const feed = openChangeFeed(nowhere, (observation) => {
      if (observation.kind === 'change-feed-lost') lost.push(observation.retryInSeconds);
    });
    await until(() => lost.length > 0);
    await feed.close();
    await closeDatabase(nowhere);
    expect(lost[0]).to.equal(1);
  });
});
