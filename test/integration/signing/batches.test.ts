import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import type {
  Account,
  AccountChange,
  SigningSession,
  SigningSessionList,
  SigningSessionRequest,
} from '../../../generated/types.js';
import { DbrError } from '../../../src/errors/dbr-error.js';
import { partyIdOf } from '../../../src/base/identifiers.js';
import {
  createSigningFixture,
  type SigningFixture,
  type TestParty,
} from '../../support/signing/signing-fixture.js';

const MOST = 100;

interface Answer {
  readonly status: number;
  readonly sessions: readonly SigningSession[];
}

/** Name and problems of the error that refuses the work. */
async function refusal(work: Promise<unknown>): Promise<readonly string[]> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof DbrError)) throw error;
    return [error.name, ...(error.problems ?? []).map(({ path, code }) => `${path} ${code}`)];
  }
  return ['done'];
}

const digestOf = (index: number): string => index.toString(16).padStart(64, '0');
const items = (count: number, more: SigningSessionRequest = {}): readonly SigningSessionRequest[] =>
  Array.from({ length: count }, (_, index) => ({ messageDigest: digestOf(index), ...more }));
const named = (count: number): readonly SigningSessionRequest[] =>
  items(count).map((item) => ({ ...item, sessionId: randomUUID() }));

describe('batches of sessions', function () {
  this.timeout(60_000);
  let fixture: SigningFixture;
  let parties: readonly TestParty[];
  let account: Account;
  before(async () => {
    fixture = await createSigningFixture();
    parties = [await fixture.createParty('node-a', 'server'), await fixture.createParty('node-b', 'server')];
    account = await fixture.createAccount(parties);
  });
  after(() => fixture.drop());

  async function create(
    sessions: readonly SigningSessionRequest[],
    key?: string,
    accountId = account.accountId,
  ): Promise<Answer> {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const request = { path: { id: accountId }, query: {}, headers, body: { sessions } };
    const { status, body } = await fixture.signing.handlers.createSigningSessions(request, fixture.context());
    return { status, sessions: (body as SigningSessionList).items };
  }
  const count = async (table: string): Promise<number> =>
    (
      await fixture.database.superuser.one<{ readonly count: number }>(
        `select count(*)::integer from dbr_signing.${table}`,
        [],
      )
    ).count;

  it('are sessions of their own, in the order of the request, and each goes its way', async () => {
    const message = Buffer.from('a message').toString('base64url');
    const { status, sessions } = await create([...items(MOST - 1), { message, metadata: { order: 7 } }]);
    expect(status).to.equal(201);
    expect(new Set(sessions.map(({ sessionId }) => sessionId)).size).to.equal(MOST);
    expect(sessions.slice(0, -1).map(({ messageDigest }) => messageDigest)).to.deep.equal(
      items(MOST - 1).map(({ messageDigest }) => messageDigest),
    );
    const last = sessions.at(-1);
    if (last === undefined) throw new Error('no session');
    expect(last).to.deep.include({ state: 'created', metadata: { order: 7 }, createdBy: 'ann' });
    const [first] = parties;
    if (first === undefined) throw new Error('no party');
    const joined = await fixture.signing.sessions.join(first.identity, last.sessionId, 'i');
    expect(joined).to.include({ state: 'awaiting_parties', hasMessage: true });
    const { database } = fixture;
    const rows = await database.superuser.any<{ readonly subject: string; readonly sequence: number }>(
      `select entry.subject, event.sequence::integer
      from dbr_signing.session_events as event
      join dbr_signing.audit_log as entry on entry.subject = 'session:' || event.session_id
      where event.type = 'created' and entry.action = 'session.create' and event.session_id = any ($1::uuid[])
      order by entry.audit_id`,
      [`{${sessions.map(({ sessionId }) => sessionId).join()}}`],
    );
    expect(rows).to.deep.equal(
      sessions.map(({ sessionId }) => ({ subject: `session:${sessionId}`, sequence: 1 })),
    );
  });

  it('are seen by parties as sessions that were created by themselves', async () => {
    const [, second] = parties;
    if (second === undefined) throw new Error('no party');
    const alone = await fixture.createSession(account.accountId);
    const { sessions } = await create(items(3));
    const wanted = new Set([alone.sessionId, ...sessions.map(({ sessionId }) => sessionId)]);
    const seen: string[] = [];
    const stopping = new AbortController();
    for await (const { session, type, sequence, partyId } of fixture.signing.sessions.subscribe(
      { ...second.identity, partyId: partyIdOf('node-b') },
      null,
      stopping.signal,
    )) {
      if (!wanted.delete(session.sessionId)) continue;
      seen.push(`${type} ${String(sequence)} ${String(partyId)} ${session.state}`);
      if (wanted.size === 0) break;
    }
    expect(new Set(seen)).to.deep.equal(new Set(['created 1 null created']));
    expect(seen).to.have.lengthOf(4);
  });

  it('are created whole or not at all, and an error names the session', async () => {
    const before = await Promise.all(['signing_sessions', 'session_events', 'audit_log'].map(count));
    const third = (more: SigningSessionRequest): Promise<readonly string[]> => {
      const sessions = [...items(3)];
      sessions[2] = more;
      return refusal(create(sessions));
    };
    expect(await third({})).to.deep.equal(['InvalidBody', '/sessions/2 one_of']);
    expect(await third({ message: '!' })).to.deep.equal(['InvalidBody', '/sessions/2/message base64url']);
    const digest = { messageDigest: digestOf(9) };
    expect(await third({ ...digest, protocol: 'bip340' })).to.deep.equal([
      'ProtocolUnsuitable',
      '/sessions/2 DBR521',
    ]);
    expect(await third({ ...digest, replaces: randomUUID() })).to.deep.equal([
      'InvalidBody',
      '/sessions/2/replaces unexpected',
    ]);
    expect(await third({ ...digest, parties: ['node-a', 'node-b'] })).to.deep.equal([
      'SessionPartiesInvalid',
      '/sessions/2/parties not_allowed',
    ]);
    const [one] = named(1);
    const twice = { ...digest, ...(one?.sessionId === undefined ? {} : { sessionId: one.sessionId }) };
    expect(await refusal(create([twice, ...items(1), twice]))).to.deep.equal([
      'InvalidBody',
      '/sessions/2/sessionId duplicate',
    ]);
    const existing = await fixture.createSession(account.accountId);
    expect(await refusal(create([...items(1), { ...digest, sessionId: existing.sessionId }]))).to.deep.equal([
      'SessionConflict',
      '/sessions/1 DBR513',
    ]);
    const after = await Promise.all(['signing_sessions', 'session_events', 'audit_log'].map(count));
    expect(after).to.deep.equal(before.map((rows) => rows + 1));
  });

  it('are found again by their key or their identifiers, and are not for another request', async () => {
    const first = await create(items(5), 'batch');
    expect(await create(items(5), 'batch')).to.deep.equal({ ...first, status: 200 });
    expect(await refusal(create(items(4), 'batch'))).to.deep.equal(['SessionConflict', '/sessions/0 DBR513']);
    expect(await refusal(create([...items(4), { messageDigest: digestOf(9) }], 'batch'))).to.deep.equal([
      'SessionConflict',
      '/sessions/4 DBR513',
    ]);
    const body = named(4);
    const second = await create(body);
    expect(await create(body)).to.deep.equal({ ...second, status: 200 });
    expect((await refusal(create([...body].reverse())))[0]).to.equal('SessionConflict');
    const frozen: AccountChange = { status: 'frozen' };
    const other = await fixture.createAccount(parties);
    const third = await create(items(2), 'of another', other.accountId);
    await fixture.signing.handlers.updateAccount(
      { path: { id: other.accountId }, query: {}, headers: {}, body: frozen },
      fixture.context(),
    );
    const again = await create(items(2), 'of another', other.accountId);
    expect(again.sessions.map(({ sessionId }) => sessionId)).to.deep.equal(
      third.sessions.map(({ sessionId }) => sessionId),
    );
    expect((await refusal(create(items(2), 'new', other.accountId)))[0]).to.equal('AccountNotActive');
  });

  it('of callers that send the same at once wait for each other, in one order, without a deadlock', async () => {
    const deadlocks = async (): Promise<number> =>
      (
        await fixture.database.superuser.one<{ readonly deadlocks: number }>(
          'select deadlocks::integer from pg_stat_database where datname = current_database()',
          [],
        )
      ).deadlocks;
    const before = await deadlocks();
    const same = await Promise.all(Array.from({ length: 4 }, () => create(items(40), 'at once')));
    expect(same.map(({ status }) => status).sort()).to.deep.equal([200, 200, 200, 201]);
    expect(new Set(same.map(({ sessions }) => JSON.stringify(sessions))).size).to.equal(1);
    // The same identifiers in another order are another request: one of the two is made.
    const body = named(40);
    const orders = [body, [...body].reverse()];
    const outcomes = await Promise.all(
      [...orders, ...orders].map(async (sessions) => (await refusal(create(sessions)))[0]),
    );
    expect(outcomes.filter((outcome) => outcome === 'done')).to.have.lengthOf(2);
    expect(outcomes.filter((outcome) => outcome === 'SessionConflict')).to.have.lengthOf(2);
    expect(await deadlocks()).to.equal(before);
  });
});
