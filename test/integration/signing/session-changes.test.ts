import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { openChangeFeed } from '../../../src/postgres/change-feed.js';
import type { PartyIdentity } from '../../../src/signing/router-port.js';
import { createWatchSets, watchKey } from '../../../src/postgres/watch-sets.js';
import {
  openPartyWatches,
  openSessionWatches,
  partyKey,
} from '../../../src/signing/sessions/session-changes.js';
import type { Observe } from '../../../src/observability/observation.js';
import { createRouterFixture, type RouterFixture } from '../../support/router/router-fixture.js';

const LONG_MS = 600_000;
const NEVER = new AbortController().signal;
const failed: Observe = (observation) => {
  throw new Error(JSON.stringify(observation));
};

describe('session events without a notification of another process', () => {
  let fixture: RouterFixture;
  before(async () => {
    fixture = await createRouterFixture();
  });
  after(() => fixture.drop());

  it('are found by the streams that have not sent them', async () => {
    const { sessionId } = await fixture.createOpenSession();
    const { sessionId: other } = await fixture.createOpenSession();
    const watches = openSessionWatches(createWatchSets(failed), fixture.database.pool);
    const behind = watchKey(watches, sessionId, 0);
    const upToDate = watchKey(watches, other, 1);
    behind.due = upToDate.due = false;
    watches.check();
    await behind.next(null, NEVER);
    expect([behind.due, upToDate.due]).to.deep.equal([true, false]);
    await watches.close();
  });

  it('are reported for a session that does not exist, so that its streams end', async () => {
    const watches = openSessionWatches(createWatchSets(failed), fixture.database.pool);
    const gone = watchKey(watches, randomUUID(), 3);
    gone.due = false;
    watches.check();
    await gone.next(null, NEVER);
    expect(gone.due).to.equal(true);
    await watches.close();
  });

  it('are found by the streams of participants alone', async () => {
    const [{ identity: participant }] = fixture.parties;
    const { identity: idle } = await fixture.createParty('idle-node', 'server');
    const watches = openPartyWatches(createWatchSets(failed), fixture.database.pool);
    const [first, second] = [participant, idle].map((party) =>
      watchKey(watches, partyKey(party), party.tenantId),
    );
    if (first === undefined || second === undefined) throw new Error('no watch');
    // The first query only reads the current position.
    first.due = second.due = false;
    watches.check();
    await Promise.all([first.next(null, NEVER), second.next(null, NEVER)]);
    first.due = second.due = false;
    await fixture.createOpenSession();
    watches.check();
    await first.next(null, NEVER);
    expect([first.due, second.due]).to.deep.equal([true, false]);
    await watches.close();
  });
});

describe('an event of a session', () => {
  let fixture: RouterFixture;
  before(async () => {
    fixture = await createRouterFixture();
  });
  after(() => fixture.drop());

  /** A separate process on the database that counts the reads of its parties' streams. */
  function openProcess() {
    const { service } = fixture.database;
    const feed = openChangeFeed(service, failed);
    const watches = feed.open<string, true>({
      topic: 'party',
      pollMs: LONG_MS,
      onReport: 'notify',
      work: 'events of parties',
      query: (watchers) => Promise.resolve(watchers.map(({ key }) => [key, true] as const)),
    });
    const reads = new Map<string, number>();
    const countReads = (name: string): void => {
      reads.set(name, (reads.get(name) ?? 0) + 1);
    };
    return {
      reads,
      watch: ({ tenantId, partyId }: PartyIdentity) =>
        watches.add({
          key: partyKey({ tenantId, partyId }),
          seen: tenantId,
          notify: (news) => {
            if (news === null) countReads(partyId);
          },
        }),
      async close() {
        await watches.close();
        await feed.close();
      },
    };
  }

  it('wakes the streams of its participants in another process, and none of thirty other streams', async () => {
    const idle: PartyIdentity[] = [];
    for (let index = 0; index < 30; index += 1)
      idle.push((await fixture.createParty(`idle-${String(index)}`, 'server')).identity);
    const other = openProcess();
    for (const party of [...idle, ...fixture.parties.map(({ identity }) => identity)]) other.watch(party);
    // Processes send nothing before they know of each other.
    while (!other.reads.has('node-c')) {
      await fixture.startSession();
      await delay(5);
    }
    expect([...other.reads.keys()].sort()).to.deep.equal(['node-a', 'node-b', 'node-c']);
    await other.close();
  });
});
