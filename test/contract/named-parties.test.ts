import { expect } from 'chai';
import { SignJWT } from 'jose';
import { randomUUID } from 'node:crypto';
import type { Account, SigningSession, SigningSessionEventPage } from '../../generated/types.js';
import { accountBody, DIGEST, partyBody } from '../support/contract/signing-bodies.js';
import {
  createContractClient,
  type ContractClient,
  type ContractResponse,
} from '../support/contract/contract-client.js';
import { startTestService, untilReady, type TestService } from '../support/service/service.js';
import { createSigningDatabase, type SigningDatabase } from '../support/signing/signing-database.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';

const token = (claims: Readonly<Record<string, unknown>>): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(SECRET));

const codeOf = ({ status, body }: ContractResponse): readonly unknown[] => [
  status,
  (body as { readonly code?: string }).code,
];
const problemsOf = ({ body }: ContractResponse): readonly string[] =>
  (body as { readonly errors: readonly { readonly path: string; readonly code: string }[] }).errors.map(
    ({ path, code }) => `${path} ${code}`,
  );
const sessionOf = ({ body }: ContractResponse): SigningSession => body as SigningSession;

describe('contract of named parties and second attempts', function () {
  this.timeout(120_000);
  let database: SigningDatabase;
  let service: TestService;
  let client: ContractClient;
  let admin: string;

  before(async () => {
    database = await createSigningDatabase();
    service = await startTestService({
      areas: 'signing,notifications',
      'db-uri': database.serviceUri,
      'service-jwt-secret': SECRET,
      'signing-session-limit': '0',
    });
    await untilReady(service);
    admin = await token({
      tenantId: 'acme',
      sub: 'root',
      scope: 'parties:admin accounts:write accounts:read',
    });
    client = createContractClient(() => service.url, await token({ tenantId: 'acme', sub: 'ann' }));
    for (const [partyId, role] of [
      ['node-a', 'server'],
      ['node-b', 'server'],
      ['node-c', 'server'],
      ['node-d', 'server'],
      ['helper', 'delegate'],
    ] as const)
      await client.call('createParty', { token: admin, body: partyBody(partyId, role) });
  });
  after(async () => {
    await service.stop();
    await database.drop();
  });

  async function createAccount(more: object = {}): Promise<Account> {
    const shares = ['node-a', 'node-b', 'node-c', 'helper'].map((partyId, index) => ({
      partyId,
      shareIndex: index + 1,
      shareType: partyId === 'helper' ? 'delegate' : 'server',
    }));
    const body = { ...accountBody(), shares, namedParties: 'allowed', ...more };
    const answer = await client.call('createAccount', { token: admin, body });
    expect(answer.status).to.equal(201);
    return answer.body as Account;
  }

  const create = (accountId: string, more: object = {}): Promise<ContractResponse> =>
    client.call('createSigningSession', {
      path: { id: accountId },
      body: { messageDigest: DIGEST, ...more },
    });
  const read = async (sessionId: string): Promise<SigningSession> =>
    sessionOf(await client.call('getSigningSession', { path: { id: sessionId } }));

  describe('the parties that a session names', () => {
    it('take part alone, in the order of their shares, and the session says who chose them', async () => {
      const { accountId, namedParties } = await createAccount();
      expect(namedParties).to.equal('allowed');
      const session = sessionOf(await create(accountId, { parties: ['node-c', 'node-a'] }));
      expect(session.participants.map(({ partyId }) => partyId)).to.deep.equal(['node-a', 'node-c']);
      expect(session.partySource).to.equal('requested');
      expect(sessionOf(await create(accountId)).partySource).to.equal('all_active');
    });

    it('are among the configured ones', async () => {
      const { accountId } = await createAccount();
      const config = { path: { id: accountId }, body: { signingParties: ['node-a', 'node-b', 'helper'] } };
      await client.call('createSigningConfig', config);
      const session = sessionOf(await create(accountId, { parties: ['node-a', 'node-b'] }));
      expect(session.participants.map(({ partyId }) => partyId)).to.deep.equal(['node-a', 'node-b']);
      const answer = await create(accountId, { parties: ['node-a', 'node-c'] });
      expect(codeOf(answer)).to.deep.equal([422, 'DBR525']);
      expect(problemsOf(answer)).to.deep.equal(['/parties/1 party_not_eligible']);
      // A delegate needs the share of the owner.
      expect(codeOf(await create(accountId, { parties: ['node-a', 'helper'] }))).to.deep.equal([
        422,
        'DBR509',
      ]);
    });

    it('are refused with every problem, and where the account does not allow them', async () => {
      const { accountId } = await createAccount();
      const answer = await create(accountId, { parties: ['node-a', 'node-a', 'node-d', 'nobody'] });
      expect(problemsOf(answer)).to.deep.equal([
        '/parties/1 duplicate_party',
        '/parties/2 party_not_eligible',
        '/parties/3 party_not_eligible',
      ]);
      expect(problemsOf(await create(accountId, { parties: ['node-a'] }))).to.deep.equal([
        '/parties below_threshold',
      ]);
      expect((await create(accountId, { parties: [] })).status).to.equal(400);
      const plain = await createAccount({ namedParties: 'refused' });
      expect(plain).to.not.have.property('namedParties');
      const refused = await create(plain.accountId, { parties: ['node-a', 'node-b'] });
      expect(codeOf(refused)).to.deep.equal([422, 'DBR525']);
      expect(problemsOf(refused)).to.deep.equal(['/parties not_allowed']);
    });

    it('are never replaced: a suspended one is unavailable', async () => {
      const { accountId } = await createAccount();
      const at = { path: { id: 'node-c' }, token: admin };
      await client.call('updateParty', { ...at, body: { status: 'suspended' } });
      const answer = await create(accountId, { parties: ['node-a', 'node-c'] });
      await client.call('updateParty', { ...at, body: { status: 'active' } });
      expect(codeOf(answer)).to.deep.equal([409, 'DBR506']);
    });

    it('belong to the request that a session is known by', async () => {
      const { accountId } = await createAccount();
      const sessionId = randomUUID();
      const parties = ['node-a', 'node-b'];
      expect((await create(accountId, { sessionId, parties })).status).to.equal(201);
      expect((await create(accountId, { sessionId, parties })).status).to.equal(200);
      for (const other of [{}, { parties: ['node-a', 'node-c'] }, { parties, replaces: randomUUID() }])
        expect(codeOf(await create(accountId, { sessionId, ...other }))).to.deep.equal([409, 'DBR513']);
    });
  });

  describe('a second attempt', () => {
    it('ends the first session, and both name each other', async () => {
      const { accountId } = await createAccount();
      const first = sessionOf(await create(accountId));
      const answer = await create(accountId, { parties: ['node-a', 'node-b'], replaces: first.sessionId });
      const second = sessionOf(answer);
      expect([answer.status, second.replaces]).to.deep.equal([201, first.sessionId]);
      const ended = await read(first.sessionId);
      expect(ended).to.deep.include({ state: 'cancelled', replacedBy: second.sessionId });
      expect(ended).to.not.have.property('replaces');
      const { body } = await client.call('listSigningSessionEvents', { path: { id: first.sessionId } });
      const last = (body as SigningSessionEventPage).items.at(-1);
      expect([last?.type, last?.data]).to.deep.equal(['cancelled', { reason: 'replaced' }]);
      const entries = await database.superuser.any<{ readonly action: string }>(
        'select action from dbr_signing.audit_log where subject = any($1) order by audit_id',
        [[`session:${first.sessionId}`, `session:${second.sessionId}`]],
      );
      expect(entries.map(({ action }) => action)).to.deep.equal([
        'session.create',
        'session.cancel',
        'session.create',
      ]);
    });

    it('follows a session that has expired or was cancelled, and not a completed one', async () => {
      const { accountId } = await createAccount();
      for (const [change, expected] of [
        ["state = 'cancelled', ended_at = now()", 201],
        ["ready_by = now() - interval '1 second'", 201],
        ["state = 'completed', signature = '', ended_at = now()", 409],
      ] as const) {
        const { sessionId } = sessionOf(await create(accountId));
        await database.superuser.none(
          `update dbr_signing.signing_sessions set ${change} where session_id = $1`,
          [sessionId],
        );
        const { stateVersion } = await read(sessionId);
        const answer = await create(accountId, { replaces: sessionId });
        expect(answer.status, change).to.equal(expected);
        const after = await read(sessionId);
        if (expected === 409) expect(codeOf(answer)).to.deep.equal([409, 'DBR514']);
        else expect(after.replacedBy).to.equal(sessionOf(answer).sessionId);
        // Its tag differs, because it names the other.
        expect(after.stateVersion > stateVersion).to.equal(expected === 201);
      }
    });

    it('follows a session of the same account once', async () => {
      const { accountId } = await createAccount();
      const other = await createAccount();
      const { sessionId } = sessionOf(await create(accountId));
      for (const [account, replaces] of [
        [other.accountId, sessionId],
        [accountId, randomUUID()],
      ] as const)
        expect(codeOf(await create(account, { replaces }))).to.deep.equal([404, 'DBR502']);
      expect((await read(sessionId)).state).to.equal('created');
      const body = { sessionId: randomUUID(), replaces: sessionId };
      expect((await create(accountId, body)).status).to.equal(201);
      expect((await create(accountId, body)).status).to.equal(200);
      expect(codeOf(await create(accountId, { replaces: sessionId }))).to.deep.equal([409, 'DBR526']);
    });

    it('is made once by requests at the same time; a refused one leaves the first session open', async () => {
      const { accountId } = await createAccount();
      const { sessionId } = sessionOf(await create(accountId));
      const refused = await create(accountId, { replaces: sessionId, parties: ['node-a', 'node-d'] });
      expect(refused.status).to.equal(422);
      expect((await read(sessionId)).state).to.equal('created');
      const headers = { 'Idempotency-Key': randomUUID() };
      const body = { messageDigest: DIGEST, replaces: sessionId };
      const call = { path: { id: accountId }, headers, body };
      const same = await Promise.all([1, 2, 3].map(() => client.call('createSigningSession', call)));
      expect(same.map(({ status }) => status).toSorted()).to.deep.equal([200, 200, 201]);
      expect(new Set(same.map((answer) => sessionOf(answer).sessionId)).size).to.equal(1);
      const first = sessionOf(await create(accountId)).sessionId;
      const race = await Promise.all([1, 2, 3].map(() => create(accountId, { replaces: first })));
      expect(race.map(({ status }) => status).toSorted()).to.deep.equal([201, 409, 409]);
    });
  });
});
