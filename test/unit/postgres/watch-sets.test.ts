import { expect } from 'chai';
import type { Observation } from '../../../src/observability/observation.js';
import {
  createWatchSets,
  hashKey,
  watchKey,
  type WatchSet,
  type WatchSetOptions,
  type WatchSets,
} from '../../../src/postgres/watch-sets.js';

const NEVER = new AbortController().signal;
const LONG_MS = 60_000;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('watchers of changes', () => {
  let sets: WatchSets;
  let set: WatchSet<number, string>;
  let queries: (readonly [string, number])[][];
  let observed: Observation[];
  let answer: () => Promise<readonly (readonly [string, string])[]>;
  const options: Omit<WatchSetOptions<number, string>, 'onReport'> = {
    topic: 'thing',
    pollMs: LONG_MS,
    work: 'events of sessions',
    query(watchers) {
      queries.push(watchers.map(({ key, seen }) => [key, seen]));
      return answer();
    },
  };
  const open = (onReport: 'notify' | 'query'): void => {
    set = sets.open({ ...options, onReport });
  };
  beforeEach(() => {
    sets = createWatchSets((observation) => observed.push(observation));
    queries = [];
    observed = [];
    answer = () => Promise.resolve([]);
    open('notify');
  });
  afterEach(() => set.close());

  const watchRead = (key: string, seen = 1) => {
    const watch = watchKey(set, key, seen);
    watch.due = false;
    return watch;
  };

  it('are due at first', () => {
    expect(watchKey(set, 'a', 0).due).to.equal(true);
  });

  it('of a reported key are notified without a query, and others are not', async () => {
    const [first, second, other] = [watchRead('a'), watchRead('a'), watchRead('b')];
    const woken = Promise.all([first.next(LONG_MS, NEVER), second.next(null, NEVER)]);
    sets.report('thing', ['a', 'unwatched']);
    sets.report('other-thing', ['b']);
    await woken;
    expect([first.due, second.due, other.due]).to.deep.equal([true, true, false]);
    expect(queries).to.deep.equal([]);
  });

  it('are notified by the hash of their key, until they are closed', () => {
    const [first, second] = [watchRead('a'), watchRead('b')];
    sets.reportHashes('thing', [hashKey('a'), hashKey('unwatched')]);
    expect([first.due, second.due]).to.deep.equal([true, false]);
    second.close();
    sets.reportHashes('thing', [hashKey('b')]);
    expect(second.due).to.equal(false);
    expect(set.size).to.equal(1);
  });

  it('share one query when any of them may have changed, which notifies those it names', async () => {
    answer = () => Promise.resolve([['b', 'news']]);
    const [first, second] = [watchRead('a', 4), watchRead('b', 9)];
    watchRead('b', 7);
    sets.check(null);
    sets.check('thing');
    sets.check('other-thing');
    await second.next(null, NEVER);
    await turn();
    expect([first.due, second.due]).to.deep.equal([false, true]);
    // A report during a query causes one more query, however many reports there are.
    expect(queries).to.have.length(2);
    expect(queries[0]).to.deep.equal([
      ['a', 4],
      ['b', 9],
      ['b', 7],
    ]);
  });

  it('are queried after a report, for the reported keys alone, and get what the query finds', async () => {
    await set.close();
    open('query');
    const news: (string | null)[] = [];
    answer = () => Promise.resolve([['a', 'ended']]);
    const remove = set.add({ key: 'a', seen: 1, notify: (found) => news.push(found) });
    set.add({ key: 'b', seen: 1, notify: (found) => news.push(found) });
    sets.report('thing', ['a', 'unwatched']);
    await turn();
    expect(queries).to.deep.equal([[['a', 1]]]);
    expect(news).to.deep.equal(['ended']);
    remove();
    remove();
    sets.report('thing', ['a']);
    await turn();
    expect(queries).to.have.length(1);
    expect(set.size).to.equal(1);
  });

  it('keep a change that is reported while the reader reads', async () => {
    const watch = watchRead('a');
    sets.report('thing', ['a']);
    await watch.next(null, NEVER);
    expect(watch.due).to.equal(true);
  });

  it('stop waiting after their time and when the signal is aborted', async () => {
    const watch = watchRead('a');
    await watch.next(1, NEVER);
    const gone = new AbortController();
    const left = watch.next(null, gone.signal);
    gone.abort();
    await left;
    await watch.next(null, gone.signal);
    expect(watch.due).to.equal(false);
  });

  it('cause no query when there are none', async () => {
    watchRead('a').close();
    sets.check(null);
    await turn();
    expect(queries).to.deep.equal([]);
  });

  it('are queried again after a query that failed, and the failure is reported once', async () => {
    const failure = new Error('away');
    answer = () => Promise.reject(failure);
    const watch = watchRead('a');
    sets.check(null);
    await turn();
    sets.check(null);
    await turn();
    expect(observed).to.deep.equal([
      { kind: 'background-work-failed', work: 'events of sessions', error: failure },
    ]);
    answer = () => Promise.resolve([['a', 'news']]);
    sets.check(null);
    await watch.next(null, NEVER);
    expect(watch.due).to.equal(true);
  });

  it('are found by the poll when a report is lost', async () => {
    await set.close();
    answer = () => Promise.resolve([['a', 'news']]);
    set = sets.open({ ...options, onReport: 'notify', pollMs: 5 });
    await watchRead('a').next(null, NEVER);
    expect(queries.length).to.be.greaterThan(0);
  });
});
