import { expect } from 'chai';
import { SignJWT } from 'jose';
import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../generated/operations.js';
import type {
  Account,
  RequestKey,
  SigningRequest,
  SigningSession,
  SigningSessionEventPage,
} from '../../generated/types.js';
import { accountBody, DIGEST, partyBody } from '../support/contract/signing-bodies.js';
import {
  createContractClient,
  type Call,
  type ContractClient,
  type ContractResponse,
} from '../support/contract/contract-client.js';
import { startTestService, untilReady, type TestService } from '../support/service/service.js';
import { requestKey, signedRequest } from '../support/signing/request-signers.js';
import { createSigningDatabase, type SigningDatabase } from '../support/signing/signing-database.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';
const MAX_KEYS = 16;

const token = (claims: Readonly<Record<string, unknown>>): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(SECRET));

const codeOf = ({ body }: ContractResponse): string => (body as { readonly code: string }).code;
const problemsOf = ({ body }: ContractResponse): readonly string[] =>
  (body as { readonly errors: readonly { readonly path: string; readonly code: string }[] }).errors.map(
    ({ path, code }) => `${path} ${code}`,
  );

describe('contract of signed requests', function () {
  this.timeout(120_000);
  let database: SigningDatabase;
  let service: TestService;
  let client: ContractClient;
  let admin: string, owner: string, foreign: string;
  const ada = requestKey('ada');
  const bea = requestKey('bea', 'ecdsa-p256');
  const cem = requestKey('cem', 'ecdsa-p256', 'whole');
  const keys = [ada, bea, cem].map(({ registered }) => registered);

  before(async () => {
    database = await createSigningDatabase();
    service = await startTestService({
      areas: 'signing,notifications',
      'db-uri': database.serviceUri,
      'service-jwt-secret': SECRET,
      'signing-session-limit': '0',
      'signing-config-limit': '0',
    });
    await untilReady(service);
    const scope = 'parties:admin accounts:write accounts:read tenant:admin audit:read';
    admin = await token({ tenantId: 'acme', sub: 'root', scope });
    owner = await token({ tenantId: 'acme', sub: 'ann' });
    foreign = await token({ tenantId: 'other', sub: 'ann', scope });
    client = createContractClient(() => service.url, owner);
    for (const [as, tenantId] of [
      [admin, 'acme'],
      [foreign, 'other'],
    ] as const)
      for (const [partyId, role] of [
        ['node-a', 'server'],
        ['node-b', 'server'],
        ['helper', 'delegate'],
      ] as const)
        await made('createParty', { token: as, body: partyBody(partyId, role, tenantId) });
  });
  after(async () => {
    await service.stop();
    await database.drop();
  });

  const call = (operation: OperationId, given: Call = {}): Promise<ContractResponse> =>
    client.call(operation, given);

  async function made<Body>(operation: OperationId, given: Call): Promise<Body> {
    const answer = await call(operation, given);
    expect(answer.status, JSON.stringify(answer.body)).to.be.lessThan(300);
    return answer.body as Body;
  }

  const createAccount = (more: object = {}, as = admin): Promise<Account> =>
    made('createAccount', { token: as, body: { ...accountBody(), requestKeys: keys, ...more } });

  const createSession = (
    accountId: string,
    request?: SigningRequest,
    more: object = {},
    as = owner,
  ): Promise<ContractResponse> => {
    const body = { messageDigest: DIGEST, ...(request === undefined ? {} : { request }), ...more };
    return call('createSigningSession', { path: { id: accountId }, body, token: as });
  };

  async function newSession(more: object = {}): Promise<SigningSession> {
    const { accountId } = await createAccount();
    const answer = await createSession(accountId, signedRequest('pay', ada), more);
    expect(answer.status).to.equal(201);
    return answer.body as SigningSession;
  }

  const approve = (sessionId: string, body: object, as = owner): Promise<ContractResponse> =>
    call('approveSigningSession', { path: { id: sessionId }, body, token: as });

  const numberOf = async (accountId: string): Promise<number> => {
    const rows = await database.superuser.one<{ readonly count: number }>(
      'select count(*)::int from dbr_signing.signing_sessions where account_id = $1',
      [accountId],
    );
    return rows.count;
  };

  describe('keys of an account', () => {
    it('are listed, replaced and removed; an account without them has the members of before', async () => {
      const { accountId } = await createAccount({ requests: 'required' });
      const at = { path: { id: accountId }, token: admin };
      const read = async () => await made<Account>('getAccount', at);
      expect(await read()).to.deep.include({ requests: 'required', requestKeys: keys });
      const changed = await made<Account>('updateAccount', {
        ...at,
        body: { requestKeys: [ada.registered] },
      });
      expect(changed).to.deep.include({ requests: 'required', requestKeys: [ada.registered], version: 2 });
      await made('updateAccount', { ...at, body: { requests: 'optional', requestKeys: [] } });
      expect(await read()).to.not.have.any.keys('requests', 'requestKeys');
    });

    it('are refused with every problem: names and keys that are repeated, and what is not a key', async () => {
      const whole = cem.registered.publicKey;
      const compressed = `02${whole.slice(2, 66)}`;
      const requestKeys: readonly RequestKey[] = [
        ada.registered,
        { ...bea.registered, keyId: 'ada' },
        { ...ada.registered, keyId: 'ada-2' },
        cem.registered,
        { keyId: 'cem-2', algorithm: 'ecdsa-p256', publicKey: compressed },
        { keyId: 'weak', algorithm: 'ed25519', publicKey: '00'.repeat(32) },
        { keyId: 'other', algorithm: 'ecdsa-p256', publicKey: ada.registered.publicKey },
      ];
      const answer = await call('createAccount', { token: admin, body: { ...accountBody(), requestKeys } });
      expect(answer.status).to.equal(422);
      expect(problemsOf(answer)).to.deep.equal([
        '/requestKeys/1/keyId duplicate_key',
        '/requestKeys/2/publicKey duplicate_key',
        '/requestKeys/4/publicKey duplicate_key',
        '/requestKeys/5/publicKey key',
        '/requestKeys/6/publicKey key',
      ]);
    });

    it(`are at most ${String(MAX_KEYS)}`, async () => {
      const many = Array.from(
        { length: MAX_KEYS + 1 },
        (_, index) => requestKey(`k${String(index)}`).registered,
      );
      const create = (requestKeys: readonly RequestKey[]) =>
        call('createAccount', { token: admin, body: { ...accountBody(), requestKeys } });
      expect((await create(many)).status).to.equal(400);
      expect((await create(many.slice(1))).status).to.equal(201);
    });
  });

  describe('a session with a request', () => {
    it('has its bytes and signatures, and the whole time for approvals', async () => {
      const { accountId } = await createAccount();
      const request = signedRequest(Buffer.from([0, 255, 10]), ada, bea, cem);
      const session = (await createSession(accountId, request, { ttlSeconds: 600 })).body as SigningSession;
      expect(session.request).to.deep.equal(request);
      expect(session.readyBy).to.equal(session.expiresAt);
      expect(
        await made<SigningSession>('getSigningSession', { path: { id: session.sessionId } }),
      ).to.deep.equal(session);
    });

    it('is made once by the same request, and conflicts with another one', async () => {
      const { accountId } = await createAccount();
      const sessionId = randomUUID();
      const request = signedRequest('pay', ada);
      expect((await createSession(accountId, request, { sessionId })).status).to.equal(201);
      expect((await createSession(accountId, request, { sessionId })).status).to.equal(200);
      for (const other of [signedRequest('pay more', ada), signedRequest('pay', ada, bea), undefined]) {
        const answer = await createSession(accountId, other, { sessionId });
        expect([answer.status, codeOf(answer)]).to.deep.equal([409, 'DBR513']);
      }
      expect(await numberOf(accountId)).to.equal(1);
    });

    it('is refused with every problem of its signatures', async () => {
      const { accountId } = await createAccount();
      const stranger = requestKey('stranger');
      const request = signedRequest('pay', ada, stranger, ada, bea, cem);
      const [first, , , third, fourth] = request.signatures;
      const signatures = [
        ...request.signatures.slice(0, 3),
        { ...third, signature: cem.sign(Buffer.from('pay')).signature },
        { ...fourth, algorithm: 'ed25519' },
        { ...first, keyId: 'cem' },
      ];
      const body = { messageDigest: DIGEST, request: { ...request, signatures } };
      const answer = await call('createSigningSession', { path: { id: accountId }, body });
      expect([answer.status, codeOf(answer)]).to.deep.equal([422, 'DBR523']);
      expect(problemsOf(answer)).to.deep.equal([
        '/request/signatures/1/keyId unknown_key',
        '/request/signatures/2/keyId duplicate_key',
        '/request/signatures/3/signature signature',
        '/request/signatures/4/signature signature',
        '/request/signatures/5/keyId duplicate_key',
      ]);
      expect(await numberOf(accountId)).to.equal(0);
    });

    it('is refused with a key of another account or another tenant', async () => {
      const { accountId } = await createAccount({ requestKeys: [] });
      await createAccount();
      const answer = await createSession(accountId, signedRequest('pay', ada));
      expect([answer.status, problemsOf(answer)]).to.deep.equal([
        422,
        ['/request/signatures/0/keyId unknown_key'],
      ]);
      const theirs = await createAccount({ requestKeys: [] }, foreign);
      const there = await createSession(theirs.accountId, signedRequest('pay', ada), {}, foreign);
      expect([there.status, problemsOf(there)]).to.deep.equal([
        422,
        ['/request/signatures/0/keyId unknown_key'],
      ]);
    });

    it('has at most 16 KiB of content, and at least one signature', async () => {
      const { accountId } = await createAccount();
      const sized = (bytes: number) => createSession(accountId, signedRequest(Buffer.alloc(bytes, 7), ada));
      expect((await sized(16_384)).status).to.equal(201);
      for (const bytes of [0, 16_385, 16_386, 20_000])
        expect((await sized(bytes)).status, String(bytes)).to.equal(400);
      for (const request of [
        { content: 'cGF5', signatures: [] },
        { content: 'cGF5=', signatures: [ada.sign(Buffer.from('pay'))] },
        { content: 'cGF5a', signatures: [ada.sign(Buffer.from('pay'))] },
      ])
        expect((await createSession(accountId, request)).status).to.equal(400);
      expect(await numberOf(accountId)).to.equal(1);
    });

    it('is needed where the account requires it', async () => {
      const { accountId } = await createAccount({ requests: 'required' });
      const answer = await createSession(accountId);
      expect([answer.status, codeOf(answer)]).to.deep.equal([422, 'DBR524']);
      expect((await createSession(accountId, signedRequest('pay', ada))).status).to.equal(201);
      expect(await numberOf(accountId)).to.equal(1);
    });

    it('leaves a session without one as it was', async () => {
      const { accountId } = await createAccount();
      const session = (await createSession(accountId)).body as SigningSession;
      expect(session).to.not.have.property('request');
      expect(Date.parse(session.readyBy)).to.be.lessThan(Date.parse(session.expiresAt));
    });
  });

  describe('an approval', () => {
    it('is added once for each key, with an event and an entry of the audit log', async () => {
      const { sessionId } = await newSession();
      const approval = bea.sign(Buffer.from('pay'));
      const first = await approve(sessionId, approval);
      expect(first.status).to.equal(200);
      const { request, stateVersion, state } = first.body as SigningSession;
      expect(request?.signatures).to.deep.equal([ada.sign(Buffer.from('pay')), approval]);
      expect({ stateVersion, state }).to.deep.equal({ stateVersion: 2, state: 'created' });
      // ECDSA signs with a random number: another signature of the same key.
      const again = await approve(sessionId, bea.sign(Buffer.from('pay')));
      expect([again.status, again.body]).to.deep.equal([200, first.body]);
      const page = await made<SigningSessionEventPage>('listSigningSessionEvents', {
        path: { id: sessionId },
      });
      expect(page.items.map(({ type, data }) => [type, data['keyId']])).to.deep.equal([
        ['created', undefined],
        ['approved', 'bea'],
      ]);
      const entries = await database.superuser.any<{ readonly action: string; readonly after: string }>(
        'select action, after from dbr_signing.audit_log where subject = $1 order by audit_id',
        [`session:${sessionId}`],
      );
      expect(entries.map(({ action }) => action)).to.deep.equal(['session.create', 'session.approve']);
      expect(JSON.parse(entries[0]?.after ?? '')).to.deep.include({ requestKeyIds: ['ada'] });
      expect(JSON.parse(entries[1]?.after ?? '')).to.deep.equal({ keyId: 'bea' });
    });

    it('is refused by an unknown key, over other content, and without a request', async () => {
      const { sessionId } = await newSession();
      for (const [body, problem] of [
        [requestKey('stranger').sign(Buffer.from('pay')), '/keyId unknown_key'],
        [bea.sign(Buffer.from('pay more')), '/signature signature'],
        [{ ...bea.sign(Buffer.from('pay')), keyId: 'cem' }, '/signature signature'],
      ] as const) {
        const answer = await approve(sessionId, body);
        expect([answer.status, codeOf(answer), problemsOf(answer)]).to.deep.equal([422, 'DBR523', [problem]]);
      }
      const { accountId } = await createAccount();
      const plain = (await createSession(accountId)).body as SigningSession;
      const answer = await approve(plain.sessionId, bea.sign(Buffer.from('pay')));
      expect([answer.status, problemsOf(answer)]).to.deep.equal([422, [' no_request']]);
      const { items } = await made<SigningSessionEventPage>('listSigningSessionEvents', {
        path: { id: sessionId },
      });
      expect(items.length).to.equal(1);
    });

    it('is made by who sees the session, and by scope sign:approve, for one account or all', async () => {
      const { sessionId, accountId } = await newSession();
      const as = async (sub: string, scope: string, tenantId = 'acme') =>
        (await approve(sessionId, bea.sign(Buffer.from('pay')), await token({ tenantId, sub, scope })))
          .status;
      expect(await as('ann', 'tenant:admin sign:approve', 'other')).to.equal(404);
      expect(await as('eve', '')).to.equal(404);
      expect(await as('eve', `sign:approve:${randomUUID()}`)).to.equal(404);
      expect(await as('cem', `sign:approve:${accountId}`)).to.equal(200);
      expect(await as('cem', 'sign:approve')).to.equal(200);
      const reader = await token({ tenantId: 'acme', sub: 'cem', scope: 'sign:approve' });
      const read = await call('getSigningSession', { path: { id: sessionId }, token: reader });
      expect(read.status).to.equal(200);
      const cancel = await call('cancelSigningSession', { path: { id: sessionId }, token: reader });
      expect(cancel.status).to.equal(403);
    });

    it('is refused once the session has started, ended or expired; a repeated one is not', async () => {
      for (const [change, code] of [
        ["state = 'in_progress'", 'DBR522'],
        ["state = 'cancelled', ended_at = now()", 'DBR514'],
        ["ready_by = now() - interval '1 second'", 'DBR514'],
      ] as const) {
        const { sessionId } = await newSession();
        await database.superuser.none(
          `update dbr_signing.signing_sessions set ${change} where session_id = $1`,
          [sessionId],
        );
        const answer = await approve(sessionId, bea.sign(Buffer.from('pay')));
        expect([answer.status, codeOf(answer)], change).to.deep.equal([409, code]);
        if (code === 'DBR522')
          expect((await approve(sessionId, ada.sign(Buffer.from('pay')))).status).to.equal(200);
      }
    });

    it('is one of as many as keys sign at the same time', async () => {
      const { sessionId } = await newSession();
      const answers = await Promise.all(
        [bea, cem, bea, cem, ada].map((key) => approve(sessionId, key.sign(Buffer.from('pay')))),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200]);
      const { request } = await made<SigningSession>('getSigningSession', { path: { id: sessionId } });
      expect(request?.signatures.map(({ keyId }) => keyId).toSorted()).to.deep.equal(['ada', 'bea', 'cem']);
    });

    it(`is one of at most ${String(MAX_KEYS)}, also when keys of the account are replaced`, async () => {
      const { sessionId, accountId } = await newSession();
      const others = Array.from({ length: MAX_KEYS }, (_, index) => requestKey(`k${String(index)}`));
      const body = { requestKeys: others.map(({ registered }) => registered) };
      await made('updateAccount', { path: { id: accountId }, token: admin, body });
      for (const key of others.slice(1))
        await made('approveSigningSession', { path: { id: sessionId }, body: key.sign(Buffer.from('pay')) });
      const answer = await approve(sessionId, others[0]?.sign(Buffer.from('pay')) ?? {});
      expect([answer.status, problemsOf(answer)]).to.deep.equal([422, [' too_many']]);
    });
  });
});
