import { expect } from 'chai';
import { createDispatcher, publishNotifications } from '../../../src/notifications/stream-dispatcher.js';
import type { ChangeFeed } from '../../../src/postgres/change-feed.js';
import { localFeed } from '../../support/local-feed.js';
import type { Dispatch } from '../../../src/notifications/stream-store.js';
import type { EventPosition } from '../../../src/postgres/event-position.js';

const observe = (): void => undefined;
const at = (eventId: number): EventPosition => ({ xid: '1', eventId: String(eventId), open: [] });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A store whose answers are given in advance, each a position further. */
function storeOf(answers: readonly (Partial<Dispatch> | Error)[]) {
  const asked: EventPosition[] = [];
  return {
    asked,
    dispatchStart: () => Promise.resolve(at(0)),
    dispatch: (position: EventPosition): Promise<Dispatch> => {
      asked.push(position);
      const answer = answers[asked.length - 1] ?? {};
      if (answer instanceof Error) return Promise.reject(answer);
      return Promise.resolve({
        position: at(asked.length),
        ahead: 'nothing',
        lagSeconds: null,
        readers: [],
        ...answer,
      });
    },
  };
}

describe('the dispatcher of stream events', () => {
  const ann = { tenantId: 'acme', userId: 'ann' };
  let feed: ChangeFeed;
  beforeEach(() => {
    feed = localFeed();
  });

  it('reads from its position, and only while a stream is open', async () => {
    const store = storeOf([{ readers: [ann] }, {}]);
    const seen: Dispatch['readers'][] = [];
    const dispatcher = createDispatcher(store, feed, observe, {
      onReaders: (readers) => seen.push(readers),
      onLost: () => undefined,
    });
    publishNotifications(feed);
    await turn();
    expect(store.asked).to.deep.equal([]);
    await dispatcher.resume();
    publishNotifications(feed);
    await turn();
    publishNotifications(feed);
    await turn();
    expect(store.asked).to.deep.equal([at(0), at(1)]);
    expect(seen).to.deep.equal([[ann], []]);
    dispatcher.pause();
    publishNotifications(feed);
    await turn();
    expect(store.asked).to.have.length(2);
  });

  it('reads for a stream that opens after the last one ended while a lost position was replaced', async () => {
    const base = storeOf([{ ahead: 'lost' }, { readers: [ann] }]);
    const starts: (() => void)[] = [];
    const store = {
      ...base,
      dispatchStart: () => new Promise<EventPosition>((resolve) => starts.push(() => resolve(at(0)))),
    };
    const seen: Dispatch['readers'][] = [];
    const dispatcher = createDispatcher(store, feed, observe, {
      onReaders: (readers) => seen.push(readers),
      onLost: () => undefined,
    });
    const begin = async (): Promise<void> => {
      const resumed = dispatcher.resume();
      starts.pop()?.();
      await resumed;
    };
    await begin();
    publishNotifications(feed);
    await turn();
    dispatcher.pause();
    starts.pop()?.();
    await turn();
    await begin();
    publishNotifications(feed);
    await turn();
    expect(seen).to.deep.equal([[ann]]);
    dispatcher.pause();
  });

  it('makes one more query for many reports that come during a query', async () => {
    const store = storeOf([]);
    const dispatcher = createDispatcher(store, feed, observe, {
      onReaders: () => undefined,
      onLost: () => undefined,
    });
    await dispatcher.resume();
    for (let index = 0; index < 10; index++) publishNotifications(feed);
    await turn();
    expect(store.asked).to.have.length(2);
    dispatcher.pause();
  });

  it('reads again soon when there are more events than one read returns', async () => {
    const store = storeOf([{ ahead: 'more' }, { ahead: 'more' }, { readers: [ann] }]);
    const found = new Promise<void>((resolve) => {
      const dispatcher = createDispatcher(store, feed, observe, {
        onReaders: (readers) => {
          if (readers.length === 0) return;
          dispatcher.pause();
          resolve();
        },
        onLost: () => undefined,
      });
      void dispatcher.resume().then(() => publishNotifications(feed));
    });
    await found;
    expect(store.asked).to.have.length(3);
  });

  it('keeps its position while the database is away', async () => {
    const store = storeOf([new Error('away'), new Error('away'), { readers: [ann] }]);
    const seen: Dispatch['readers'][] = [];
    const dispatcher = createDispatcher(store, feed, observe, {
      onReaders: (readers) => seen.push(readers),
      onLost: () => undefined,
    });
    await dispatcher.resume();
    for (let index = 0; index < 3; index++) {
      publishNotifications(feed);
      await turn();
    }
    expect(store.asked).to.deep.equal([at(0), at(0), at(0)]);
    expect(seen).to.deep.equal([[ann]]);
    dispatcher.pause();
  });

  it('restarts and reports a loss if its position is ahead of the database', async () => {
    const store = storeOf([{ ahead: 'lost' }, {}]);
    let lost = 0;
    const dispatcher = createDispatcher(store, feed, observe, {
      onReaders: () => undefined,
      onLost: () => lost++,
    });
    await dispatcher.resume();
    publishNotifications(feed);
    await turn();
    publishNotifications(feed);
    await turn();
    expect(lost).to.equal(1);
    expect(store.asked).to.deep.equal([at(0), at(0)]);
    dispatcher.pause();
  });
});
