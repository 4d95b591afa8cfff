import { expect } from 'chai';
import { generateKeyPairSync } from 'node:crypto';
import type { SigningSession } from '../../../generated/types.js';
import { type EventPosition, parsePosition, positionText } from '../../../src/postgres/event-position.js';
import { beginStream, laterEvents, openEvents } from '../../../src/signing/sessions/event-store.js';
import { queryInTenant } from '../../../src/signing/transaction.js';
import type { DatabaseTask } from '../../../src/postgres/transaction.js';
import { PartyRefused } from '../../../src/signing/router-port.js';
import { partyBody } from '../../support/contract/signing-bodies.js';
import { createRouterFixture, type RouterFixture } from '../../support/router/router-fixture.js';
import { rawKey, signedKey } from '../../support/signing/signing-fixture.js';
import { until } from '../../support/until.js';

const KEY = {
  keyId: 'k1',
  suite: 'HPKE-X25519-SHA256-AES256GCM',
  publicKey: rawKey(generateKeyPairSync('x25519').publicKey),
  oneTime: true,
  notAfter: null,
} as const;

describe('changes of accounts and parties beside other transactions', function () {
  this.timeout(60_000);
  let fixture: RouterFixture;
  beforeEach(async () => {
    fixture = await createRouterFixture();
  });
  afterEach(() => fixture.drop());

  /** PostgreSQL ends the transaction of the service if it and that of the test wait for each other. */
  const BE_PATIENT = `set local deadlock_timeout = '60s'`;
  const LOCK_SESSION = 'select from dbr_signing.signing_sessions where session_id = $1 for update';

  const untilWaiting = (transactions = 1) =>
    until(async () => {
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      return (await fixture.database.superuser.any(waiting)).length >= transactions;
    });

  async function sessionOf(id: string): Promise<SigningSession> {
    const request = { path: { id }, query: {}, headers: {}, body: undefined };
    const { body } = await fixture.signing.handlers.getSigningSession(request, fixture.context());
    return body as SigningSession;
  }

  async function freeze(id: string): Promise<number> {
    const request = { path: { id }, query: {}, headers: {}, body: { status: 'frozen' as const } };
    return (await fixture.signing.handlers.updateAccount(request, fixture.context())).status;
  }

  const keys = () =>
    fixture.database.superuser.any('select key_id from dbr_signing.party_encryption_keys order by key_id');

  /** Sends what `work` sends while a session is created, which ends afterwards. */
  async function whileCreating(accountId: string, work: () => Promise<void>): Promise<void> {
    let created: Promise<unknown> = Promise.resolve();
    await fixture.database.superuser.tx(async (task) => {
      await task.none('lock table dbr_signing.session_events in share mode');
      created = fixture.createSession(accountId);
      await untilWaiting();
      await work();
    });
    await created;
  }

  it('suspend a party before sessions that were asked for later, and let it run meanwhile', async () => {
    const [{ identity }] = fixture.parties;
    const { accountId } = await sessionOf((await fixture.createOpenSession()).sessionId);
    const suspend = async () => {
      const request = {
        path: { id: 'node-a' },
        query: {},
        headers: {},
        body: { status: 'suspended' as const },
      };
      return (await fixture.signing.handlers.updateParty(request, fixture.context())).status;
    };
    let suspended = Promise.resolve(0);
    let later = Promise.resolve('');
    await whileCreating(accountId, async () => {
      expect(await fixture.signing.parties.heartbeat(identity, 'i', [])).to.deep.equal({
        oneTimeKeysLeft: 0,
      });
      suspended = suspend();
      await untilWaiting(2);
      later = fixture.createSession(accountId).then(({ sessionId }) => sessionId);
      await untilWaiting(3);
    });
    expect(await suspended).to.equal(200);
    const { participants } = await sessionOf(await later);
    expect(participants.map(({ partyId }) => partyId)).to.deep.equal(['node-b', 'node-c']);
  });

  it('freeze an account before sessions that were asked for later', async () => {
    const { accountId } = await sessionOf((await fixture.createOpenSession()).sessionId);
    let frozen = Promise.resolve(0);
    let later: Promise<unknown> = Promise.resolve();
    await whileCreating(accountId, async () => {
      frozen = freeze(accountId);
      await untilWaiting(2);
      later = fixture.createSession(accountId).catch((error: unknown) => error);
      await untilWaiting(3);
    });
    expect(await frozen).to.equal(200);
    expect(await later).to.include({ name: 'AccountNotActive' });
  });

  it('freeze an account while the last party joins, which changes the session twice', async () => {
    const { sessionId } = await fixture.createOpenSession();
    const { accountId } = await sessionOf(sessionId);
    let frozen = Promise.resolve(0);
    await fixture.database.superuser.tx(async (task) => {
      await task.none(BE_PATIENT);
      const transition =
        'update dbr_signing.signing_sessions set state_version = state_version + 1 where session_id = $1';
      await task.none(transition, [sessionId]);
      frozen = freeze(accountId);
      await untilWaiting();
      await task.none(transition, [sessionId]);
    });
    expect(await frozen).to.equal(200);
    expect((await sessionOf(sessionId)).state).to.equal('cancelled');
  });

  it('freeze an account whose session another party joins meanwhile, and send each party its events in order', async () => {
    const [{ identity }, other] = fixture.parties;
    const ids = [
      (await fixture.createOpenSession()).sessionId,
      (await fixture.createOpenSession()).sessionId,
    ];
    const [first = '', second = ''] = ids.sort();
    const { accountId } = await sessionOf(first);
    const received = async (after: string | null, most: number) => {
      const stop = new AbortController();
      const events: { readonly eventId: string; readonly what: string }[] = [];
      for await (const event of fixture.signing.sessions.subscribe(identity, after, stop.signal)) {
        const { sessionId } = event.session;
        const what = `${sessionId === first ? 'first' : 'second'} ${String(event.sequence)} ${event.type}`;
        if (events.push({ eventId: event.eventId, what }) === most) stop.abort();
      }
      return events;
    };
    const before = (await received(null, 2)).at(-1)?.eventId ?? '';
    let frozen = Promise.resolve(0);
    await fixture.database.superuser.tx(async (task) => {
      await task.none(BE_PATIENT);
      await task.any(LOCK_SESSION, [first]);
      frozen = freeze(accountId);
      await untilWaiting();
      // Its transaction begins later than that of the change, and ends before it.
      await fixture.signing.sessions.join(other.identity, second, 'i');
    });
    expect(await frozen).to.equal(200);
    const all = ['first 2 cancelled', 'second 2 party-joined', 'second 3 cancelled'];
    const events = await received(before, 3);
    expect(events.map(({ what }) => what)).to.deep.equal(all);
    for (const [index, { eventId }] of events.slice(0, 2).entries()) {
      const rest = await received(eventId, 2 - index);
      expect(rest.map(({ what }) => what)).to.deep.equal(all.slice(index + 1));
    }
    // Also where a page ends between an event and the one for which it waits.
    let position = parsePosition(before.slice(1));
    const read: string[] = [];
    while (position !== null && read.length < all.length) {
      const from: EventPosition = position;
      const page = await queryInTenant(fixture.database.pool, identity.tenantId, (task) =>
        laterEvents(task, identity.partyId, from, 1),
      );
      ({ position } = page);
      read.push(...page.events.map(({ event }) => `${String(event.sequence)} ${event.type}`));
    }
    expect(read).to.deep.equal(['2 cancelled', '2 party-joined', '3 cancelled']);
  });

  it('of several sessions at once reach each party in the order of each session, after each position', async () => {
    const [{ identity }] = fixture.parties;
    const { superuser, pool } = fixture.database;
    const sessions = [1, 2, 3].map(() => fixture.createOpenSession());
    const ids = await Promise.all(sessions.map(async (session) => (await session).sessionId));
    const begun = await queryInTenant(pool, identity.tenantId, (task) =>
      beginStream(task, identity.partyId, null),
    );
    const transactions: string[] = [];
    for (let count = 0; count < 4; count += 1)
      transactions.push(
        (await superuser.one<{ readonly xid: string }>('select pg_current_xact_id()::text as xid')).xid,
      );
    // In the order in which they were written: transaction (by its beginning), session, sequence.
    const written = ['2 1 2', '0 0 2', '0 1 3', '0 2 2', '1 0 3', '3 2 3', '1 1 4'] as const;
    for (const each of written) {
      const [transaction = 0, session = 0, sequence = 0] = each.split(' ').map(Number);
      await superuser.none(
        `insert into dbr_signing.session_events (session_id, tenant_id, sequence, xid, type, state)
         values ($1, $2, $3, $4::xid8, 'party-joined', 'awaiting_parties')`,
        [ids[session], identity.tenantId, sequence, transactions[transaction]],
      );
    }
    const events: readonly string[] = ['0 2', '0 3', '1 2', '1 3', '2 2', '1 4', '2 3'];
    for (const limit of [1, 2, 3, 100])
      for (const at of events.keys()) {
        let position = begun.present;
        const read: string[] = [];
        while (read.length < events.length) {
          const page = await queryInTenant(pool, identity.tenantId, (task) =>
            laterEvents(task, identity.partyId, position, limit),
          );
          // The client reconnects behind one of the events.
          const last =
            read.length <= at && at < read.length + page.events.length ? at - read.length + 1 : undefined;
          const taken = page.events.slice(0, last);
          position = parsePosition(positionText(taken.at(-1)?.position ?? page.position)) ?? begun.present;
          read.push(
            ...taken.map(({ event }) => `${String(ids.indexOf(event.sessionId))} ${String(event.sequence)}`),
          );
        }
        expect(read, `${String(limit)} at ${String(at)}`).to.deep.equal(events);
      }
  });

  it('end sessions while a new stream reads the open ones, and send all events of those that were open at its start', async () => {
    const [{ identity }, other] = fixture.parties;
    const [ended, first] = [await fixture.createOpenSession(), await fixture.createOpenSession()];
    const { accountId } = await sessionOf(first.sessionId);
    await fixture.signing.handlers.cancelSigningSession(
      { path: { id: ended.sessionId }, query: {}, headers: {}, body: {} },
      fixture.context(),
    );
    await fixture.signing.sessions.join(other.identity, first.sessionId, 'i');
    const read = <Result>(work: (task: DatabaseTask) => Promise<Result>) =>
      queryInTenant(fixture.database.pool, identity.tenantId, work);
    const begun = await read((task) => beginStream(task, identity.partyId, null));
    const start = { xid: begun.first ?? '', eventId: '0', open: [] };
    const page = (from: EventPosition) =>
      read((task) => openEvents(task, identity.partyId, from, begun.present, 1));
    const one = await page(start);
    expect(await freeze(accountId)).to.equal(200);
    const two = await page(one.position);
    const none = await page(two.position);
    const rest = await read((task) => laterEvents(task, identity.partyId, none.position, 10));
    const sent = [one, two, none, rest].map(({ events }) =>
      events.map(({ event }) => [event.sessionId, event.sequence, event.type]),
    );
    expect(sent).to.deep.equal([
      [[first.sessionId, 1, 'created']],
      [[first.sessionId, 2, 'party-joined']],
      [],
      [[first.sessionId, 3, 'cancelled']],
    ]);
  });

  const revoke = async (): Promise<number> => {
    const request = { path: { id: 'node-c' }, query: {}, headers: {}, body: { status: 'revoked' as const } };
    return (await fixture.signing.handlers.updateParty(request, fixture.context())).status;
  };
  const freezeOf = async (sessionId: string) => freeze((await sessionOf(sessionId)).accountId);

  for (const [name, end] of [
    ['freeze an account', freezeOf],
    ['revoke a party', revoke],
  ] as const)
    it(`${name} with two sessions beside messages of one and acknowledgements of the other`, async () => {
      const running = [await fixture.startSession(), await fixture.startSession()];
      const [first = '', last = ''] = running.map(({ sessionId }) => sessionId).sort();
      await fixture.database.superuser.none(
        `insert into dbr_signing.router_readers (session_id, party_id, tenant_id) values ($1, 'node-a', 'acme')`,
        [first],
      );
      let ended = Promise.resolve(0);
      await fixture.database.superuser.tx(async (task) => {
        await task.none(BE_PATIENT);
        await task.any(LOCK_SESSION.replace('update', 'share'), [last]);
        ended = end(first);
        await untilWaiting();
        await task.none('update dbr_signing.router_readers set acked = 1 where session_id = $1', [first]);
      });
      expect(await ended).to.equal(200);
      for (const id of [first, last]) expect((await sessionOf(id)).state).to.equal('cancelled');
    });

  it('revoke a party and replace its key while a share for the former key is supplied', async () => {
    const { sessionId, parties } = await fixture.createOpenSession();
    const [party] = parties;
    await fixture.signing.parties.register(party.identity, 'i', [signedKey(party, KEY)]);
    const { identityPublicKey, identitySignature } = partyBody('node-a');
    const change = async () => {
      const { status } = await fixture.signing.handlers.updateParty(
        {
          path: { id: 'node-a' },
          query: {},
          headers: {},
          body: { status: 'revoked', identityPublicKey, identitySignature, certificate: null },
        },
        fixture.context(),
      );
      return status;
    };
    let revoked = Promise.resolve(0);
    await fixture.database.superuser.tx(async (task) => {
      await task.none(BE_PATIENT);
      await task.any(LOCK_SESSION, [sessionId]);
      revoked = change();
      await untilWaiting();
      await task.none(`update dbr_signing.party_encryption_keys set claimed_by = 'ann' where key_id = 'k1'`);
    });
    expect(await revoked).to.equal(200);
    expect((await sessionOf(sessionId)).state).to.equal('cancelled');
    expect(await keys()).to.deep.equal([]);
  });

  it('offer no key that the former identity key has signed', async () => {
    const [party] = fixture.parties;
    const offer = () => fixture.signing.parties.heartbeat(party.identity, 'i', [signedKey(party, KEY)]);
    let refused: Promise<unknown> = Promise.resolve();
    await fixture.database.superuser.tx(async (task) => {
      const { publicKey } = generateKeyPairSync('ed25519');
      const replace = `update dbr_signing.parties set identity_public_key = $1 where party_id = 'node-a'`;
      await task.none(replace, [rawKey(publicKey)]);
      refused = offer().catch((error: unknown) => error);
      await untilWaiting();
    });
    const error = await refused;
    expect(error).to.be.instanceOf(PartyRefused);
    expect(error).to.deep.include({ refusal: { kind: 'party-unknown' } });
    expect(await keys()).to.deep.equal([]);
  });
});
