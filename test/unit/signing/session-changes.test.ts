import { expect } from 'chai';
import {
  createSessionChanges,
  type SessionChanges,
  type Watched,
} from '../../../src/signing/sessions/session-changes.js';

const NEVER = new AbortController().signal;
const LONG_MS = 60_000;

describe('the watch over sessions with new events', () => {
  let asked: Watched[];
  let answer: (watched: Watched) => Promise<readonly string[]>;
  let failures: unknown[];
  let changes: SessionChanges;
  beforeEach(() => {
    asked = [];
    failures = [];
    answer = () => Promise.resolve([]);
    changes = createSessionChanges(
      (watched) => {
        asked.push(watched);
        return answer(watched);
      },
      (error) => failures.push(error),
    );
  });
  afterEach(() => changes.close());

  const watchRead = (sessionId: string, seen = 1) => {
    const watch = changes.watch(sessionId, seen);
    watch.due = false;
    return watch;
  };

  it('finds every stream due at first', () => {
    expect(changes.watch('a', 0).due).to.equal(true);
  });

  it('wakes the streams of the sessions written here, and asks nobody', async () => {
    const [first, second, other] = [watchRead('a'), watchRead('a'), watchRead('b')];
    const woken = Promise.all([first.next(LONG_MS, NEVER), second.next(LONG_MS, NEVER)]);
    changes.wrote(['a', 'unwatched']);
    await woken;
    expect([first.due, second.due, other.due]).to.deep.equal([true, true, false]);
    expect(asked).to.deep.equal([]);
  });

  it('asks one question for all when somebody else wrote, and wakes those it names', async () => {
    answer = () => Promise.resolve(['b']);
    const [first, second] = [watchRead('a', 4), watchRead('b', 9)];
    watchRead('b', 7);
    const woken = second.next(LONG_MS, NEVER);
    changes.look();
    changes.look();
    await woken;
    expect([first.due, second.due]).to.deep.equal([false, true]);
    expect(asked[0]).to.deep.equal(
      new Map([
        ['a', 4],
        ['b', 7],
      ]),
    );
  });

  it('does not lose what is written while a stream reads', async () => {
    const watch = watchRead('a');
    changes.wrote(['a']);
    await watch.next(LONG_MS, NEVER);
    expect(watch.due).to.equal(true);
  });

  it('lets a stream go on when its time is over or its client leaves', async () => {
    const watch = watchRead('a');
    await watch.next(1, NEVER);
    const gone = new AbortController();
    const left = watch.next(LONG_MS, gone.signal);
    gone.abort();
    await left;
    await watch.next(LONG_MS, gone.signal);
    expect(watch.due).to.equal(false);
  });

  it('asks nobody when nobody waits', () => {
    watchRead('a').close();
    changes.look();
    expect(asked).to.deep.equal([]);
  });

  it('tells of a question that failed, and asks again', async () => {
    const failure = new Error('away');
    answer = () => Promise.reject(failure);
    const watch = watchRead('a');
    changes.look();
    await watch.next(5, NEVER);
    expect(failures).to.deep.equal([failure]);
    answer = () => Promise.resolve(['a']);
    changes.look();
    await watch.next(LONG_MS, NEVER);
    expect(watch.due).to.equal(true);
  });
});
