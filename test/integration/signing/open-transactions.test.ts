import { expect } from 'chai';
import { closeDatabase, openDatabase, type Database } from '../../../src/postgres/database.js';
import { openPool } from '../../../src/postgres/pool.js';
import { createWatchSets } from '../../../src/postgres/watch-sets.js';
import {
  InvalidEventId,
  type PartyIdentity,
  type PartySessionEvent,
} from '../../../src/signing/router-port.js';
import { partyEvents } from '../../../src/signing/sessions/party-events.js';
import {
  openPartyWatches,
  partyKey,
  type PartyWatches,
} from '../../../src/signing/sessions/session-changes.js';
import { POOL_OPTIONS } from '../../support/postgres/batches.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { openRelay } from '../../support/postgres/relay.js';
import { UNOBSERVED } from '../../support/unobserved.js';
import { until } from '../../support/until.js';
import { createRouterFixture, type RouterFixture } from '../../support/router/router-fixture.js';

const LONG_MS = 600_000;

const nameOf = ({ session, sequence }: PartySessionEvent): string =>
  `${session.sessionId} ${String(sequence)}`;

async function nextOf(events: AsyncIterator<PartySessionEvent>): Promise<PartySessionEvent> {
  const result = await events.next();
  if (result.done === true) throw new Error('the stream has ended');
  return result.value;
}

describe('the events of a party beside open transactions', function () {
  this.timeout(120_000);
  let fixture: RouterFixture;
  let party: PartyIdentity;
  let other: TestDatabase;
  let elsewhere: Database;
  before(async () => {
    fixture = await createRouterFixture();
    party = fixture.parties[0].identity;
    other = await createTestDatabase();
    elsewhere = openDatabase(other.uri, { poolSize: 1 });
  });
  after(async () => {
    await closeDatabase(elsewhere);
    await other.drop();
    await fixture.drop();
  });

  /** Does the work while a transaction of another database is open. */
  const beside = (work: () => Promise<void>): Promise<void> =>
    elsewhere.tx(async (task) => {
      await task.any('select pg_current_xact_id()');
      await work();
    });

  /** Writes an event of the session in a transaction that stays open while the work runs. */
  const eventIn = (sessionId: string, sequence: number, work: () => Promise<void>): Promise<void> =>
    fixture.database.superuser.tx(async (task) => {
      await task.none(
        `insert into dbr_signing.session_events (session_id, tenant_id, sequence, type, state)
         select session_id, tenant_id, $2, 'created', state
         from dbr_signing.signing_sessions
         where session_id = $1`,
        [sessionId, sequence],
      );
      await work();
    });

  const report = (): void => fixture.feed.publish('party', [partyKey(party)]);

  /** Parties that are watched through reports alone. */
  const reported = (): PartyWatches =>
    openPartyWatches(
      { open: (options) => fixture.feed.open({ ...options, pollMs: LONG_MS }) },
      fixture.database.pool,
    );

  /** The names of the events after one, up to that of a new session. */
  async function namesAfter(eventId: string): Promise<readonly string[]> {
    const stop = new AbortController();
    const names: string[] = [];
    const { sessionId } = await fixture.createOpenSession();
    for await (const event of fixture.signing.sessions.subscribe(party, eventId, stop.signal)) {
      if (event.session.sessionId === sessionId) stop.abort();
      else names.push(nameOf(event));
    }
    return names;
  }

  it('are read once each, however long the transaction lasts', async () => {
    let received = '';
    const relay = await openRelay(fixture.database.serviceUri, {
      fromServer: (send) => (chunk) => {
        received += chunk.toString('latin1');
        send(chunk);
      },
    });
    const database = openDatabase(relay.uri, { poolSize: 1 });
    const pool = openPool(database, { ...POOL_OPTIONS, size: 1 });
    const watches = reported();
    const stop = new AbortController();
    const events = partyEvents(pool, watches, party, null, stop.signal);
    const rowsOfOne = async (): Promise<number> => {
      received = '';
      const { sessionId } = await fixture.createOpenSession();
      expect((await nextOf(events)).session.sessionId).to.equal(sessionId);
      return [...received.matchAll(/SELECT (\d+)\0/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    try {
      await beside(async () => {
        const rows: number[] = [];
        for (let count = 0; count < 40; count += 1) rows.push(await rowsOfOne());
        // The first read of a stream has more to read.
        const [, second = 0] = rows;
        expect(Math.max(...rows.slice(2)), rows.join(' ')).to.be.at.most(second);
      });
    } finally {
      stop.abort();
      await events.return(undefined);
      await watches.close();
      await pool.close();
      await closeDatabase(database);
      await relay.close();
    }
  });

  it('arrive at once, also those of transactions that end late, and follow every position once', async () => {
    const stop = new AbortController();
    const stream = fixture.signing.sessions.subscribe(party, null, stop.signal)[Symbol.asyncIterator]();
    const seen: { readonly eventId: string; readonly name: string }[] = [];
    const readUntil = async (name: string): Promise<void> => {
      while (seen.at(-1)?.name !== name) {
        const event = await nextOf(stream);
        seen.push({ eventId: event.eventId, name: nameOf(event) });
      }
    };
    const create = async (): Promise<string> => (await fixture.createOpenSession()).sessionId;
    const first = await create();
    await readUntil(`${first} 1`);
    const from = seen.length - 1;
    await beside(async () => {
      await eventIn(first, 102, async () => {
        await eventIn(first, 101, async () => {
          for (let count = 0; count < 3; count += 1) await readUntil(`${await create()} 1`);
        });
        report();
        await readUntil(`${first} 101`);
        await readUntil(`${await create()} 1`);
      });
      report();
      await readUntil(`${first} 102`);
      await readUntil(`${await create()} 1`);
    });
    await readUntil(`${await create()} 1`);
    stop.abort();
    await stream.return?.();
    const names = seen.slice(from).map(({ name }) => name);
    expect(new Set(names).size).to.equal(9);
    expect(names).to.have.lengthOf(9);
    const markers = new Set<string>();
    for (const [index, { eventId }] of seen.slice(from).entries()) {
      const after = await namesAfter(eventId);
      const rest = after.filter((name) => names.includes(name));
      expect([...rest].sort(), eventId).to.deep.equal(names.slice(index + 1).sort());
      // The sessions of the calls before this one.
      expect(after.filter((name) => !names.includes(name))).to.deep.equal([...markers]);
      const last = await fixture.database.superuser.one<{ readonly name: string }>(
        `select session_id || ' 1' as name from dbr_signing.session_events order by event_id desc limit 1`,
      );
      markers.add(last.name);
    }
  });

  it('follow an identifier of the earlier form: the oldest running transaction, then the event', () =>
    beside(async () => {
      const created: string[] = [];
      for (let count = 0; count < 3; count += 1)
        created.push(`${(await fixture.createOpenSession()).sessionId} 1`);
      const [, second] = await fixture.database.superuser.any<{ readonly id: string }>(
        `select pg_snapshot_xmin(pg_current_snapshot()) || '.' || event_id as id
         from dbr_signing.session_events
         where session_id || ' 1' = any ($1)
         order by event_id`,
        [created],
      );
      const after = await namesAfter(second?.id ?? '');
      expect(after).to.deep.equal([created[0], created[2]]);
      const malformed = fixture.signing.sessions.subscribe(party, 'p1', new AbortController().signal);
      const refused: unknown = await malformed[Symbol.asyncIterator]()
        .next()
        .catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(InvalidEventId);
    }));

  it('are found once by the poll for all parties', async () => {
    const polls: (readonly string[])[] = [];
    const sets = createWatchSets(UNOBSERVED);
    const watches = openPartyWatches(
      {
        open: (options) =>
          sets.open({
            ...options,
            pollMs: LONG_MS,
            async query(watchers) {
              const found = [...(await options.query(watchers))];
              polls.push(found.map(([key]) => key));
              return found;
            },
          }),
      },
      fixture.database.pool,
    );
    const key = partyKey(party);
    watches.add({ key, seen: party.tenantId, notify: () => undefined });
    const poll = async (): Promise<boolean> => {
      const before = polls.length;
      watches.check();
      await until(() => polls.length > before);
      return polls[before]?.includes(key) === true;
    };
    try {
      const { sessionId } = await fixture.createOpenSession();
      await beside(async () => {
        expect(await poll(), 'the first poll').to.equal(true);
        expect(await poll()).to.equal(false);
        await fixture.createOpenSession();
        expect(await poll()).to.equal(true);
        expect(await poll(), 'a second time').to.equal(false);
        await eventIn(sessionId, 2, async () => {
          expect(await poll()).to.equal(false);
          await fixture.createOpenSession();
          expect(await poll()).to.equal(true);
          expect(await poll()).to.equal(false);
        });
        expect(await poll(), 'of a transaction that ended late').to.equal(true);
        expect(await poll()).to.equal(false);
      });
    } finally {
      await watches.close();
    }
  });
});
