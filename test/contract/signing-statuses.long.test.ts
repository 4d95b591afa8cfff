import { expect } from 'chai';
import { SignJWT, UnsecuredJWT } from 'jose';
import { createHash, randomUUID } from 'node:crypto';
import { ROUTES, type OperationId } from '../../generated/operations.js';
import type { Account, Party, PartyKeys, SigningSession } from '../../generated/types.js';
import { createSigningDatabase, type SigningDatabase } from '../support/signing/signing-database.js';
import { startTestServer, type TestServer } from '../support/postgres/database.js';
import { operatorSettings } from '../support/postgres/operator-settings.js';
import { startTestService, untilReady, type TestService } from '../support/service/service.js';
import {
  createContractClient,
  type ContractResponse,
  type Call,
  type ContractClient,
} from '../support/contract/contract-client.js';
import { some } from '../support/runs.js';
import { requestKey, signedRequest } from '../support/signing/request-signers.js';
import { documentedStatuses } from '../support/contract/documented-statuses.js';
import {
  accountBody,
  DIGEST,
  oddBodies,
  partyBody,
  provenPartyBody,
  sessionBody,
  shareBody,
} from '../support/contract/signing-bodies.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';
const batchBody = () => ({ sessions: [sessionBody()] });
const UNKNOWN = '0199a2f0-41c3-7d10-8f6e-2b7c9d0e1f23';
const MEBIBYTE = 1_048_576;
const SESSIONS_A_MINUTE = 2;
const CHANGES_A_MINUTE = 4;
const STREAMS_A_USER = 5;
const EXPORTS_A_USER = 2;

type SigningOperation = Extract<(typeof ROUTES)[number], { readonly tag: 'signing' }>['id'];
/** The last call before the status; what it needs is made on the way. */
type Provoke = () => Promise<Call> | Call;

const routeOf = (operation: SigningOperation) => {
  const route = ROUTES.find(({ id }) => id === operation);
  if (route === undefined) throw new Error(`there is no operation ${operation}`);
  return route;
};

const sign = (claims: Readonly<Record<string, unknown>>, secret = SECRET): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret));

describe('every status of area B: signing', function () {
  this.timeout(120_000);
  let server: TestServer;
  let database: SigningDatabase;
  let service: TestService;
  let client: ContractClient;
  let admin: string, second: string, foreign: string, reader: string, machine: string, auditor: string;
  let count = 0;

  before(async () => {
    server = await startTestServer();
    database = await createSigningDatabase(server.uri);
    await database.superuser.none(operatorSettings(database.name));
    service = await startTestService({
      areas: 'signing,notifications',
      'db-uri': database.serviceUri,
      'service-jwt-secret': SECRET,
      'party-key-delay': '0',
      'signing-session-limit': String(SESSIONS_A_MINUTE),
      'signing-config-limit': String(CHANGES_A_MINUTE),
    });
    await untilReady(service);
    const tenantId = 'acme';
    admin = await sign({
      tenantId,
      sub: 'root',
      scope: 'parties:admin accounts:write accounts:read tenant:admin audit:read tenant:freeze',
    });
    // The tenant of the tests must stay as it is.
    foreign = await sign({ tenantId: 'frozen', sub: 'root', scope: 'tenant:freeze' });
    second = await sign({ tenantId, sub: 'rita', scope: 'parties:admin' });
    reader = await sign({ tenantId, sub: 'bob', scope: 'accounts:read' });
    machine = await sign({ tenantId, sub: 'machine', scope: 'sign:create' });
    auditor = await sign({ tenantId, sub: 'audra', scope: 'audit:read' });
    client = createContractClient(() => service.url, await sign({ tenantId, sub: 'ann' }));
    for (const [partyId, role] of [
      ['node-a', 'server'],
      ['node-b', 'server'],
      ['helper', 'delegate'],
    ] as const)
      await made('createParty', { token: admin, body: partyBody(partyId, role) });
  });
  after(async () => {
    await service.stop();
    await database.drop();
    await server.remove();
  });

  async function made(operation: OperationId, call: Call): Promise<ContractResponse> {
    const answer = await client.call(operation, call);
    expect(answer.status, JSON.stringify(answer.body)).to.be.lessThan(300);
    return answer;
  }

  const newParty = async (): Promise<Party> =>
    (await made('createParty', { token: admin, body: partyBody(`extra-${String(count++)}`) })).body as Party;
  /** The confirmation of keys that the administrator has proposed. */
  async function proposed() {
    const { partyId } = await newParty();
    const path = { id: partyId };
    const { identityPublicKey, identitySignature } = partyBody(partyId);
    const { body } = await made('updateParty', {
      ...{ token: admin, path, body: { identityPublicKey, identitySignature } },
    });
    const { proposalId = '' } = (body as PartyKeys).proposal ?? {};
    return byAdmin({ path, body: { proposalId } });
  }
  const newAccount = async (): Promise<Account> =>
    (await made('createAccount', { token: admin, body: accountBody() })).body as Account;
  const atAccount = async (): Promise<{ readonly path: { readonly id: string } }> => ({
    path: { id: (await newAccount()).accountId },
  });

  /** An account whose parties have not made its key. */
  async function atPending() {
    const { publicKey: _, ...body } = accountBody();
    const shares = body.shares.filter(({ shareType }) => shareType !== 'delegate');
    const account = (await made('createAccount', { token: admin, body: { ...body, shares } }))
      .body as Account;
    return { path: { id: account.accountId } };
  }

  async function configured(parties: readonly string[] = ['node-a', 'node-b']) {
    const at = await atAccount();
    await made('createSigningConfig', { ...at, body: { signingParties: parties } });
    return at;
  }
  const newSession = async (at?: Call): Promise<SigningSession> =>
    (await made('createSigningSession', { ...(at ?? (await atAccount())), body: sessionBody() }))
      .body as SigningSession;
  const atSession = async () => ({ path: { id: (await newSession()).sessionId } });

  /** A one-time key that the delegate has offered, claimed already for the account that is named. */
  async function newDelegateKey(accountId: string | null = null): Promise<string> {
    const keyId = `key-${String(count++)}`;
    await database.superuser.none(
      `insert into dbr_signing.party_encryption_keys
         (tenant_id, party_id, key_id, suite, public_key, one_time, signature, claimed_at, claimed_account_id)
       values (
         'acme', 'helper', $1, 'HPKE-X25519-SHA256-AES256GCM', sha256($1::bytea), true, '',
         case when $2::uuid is not null then now() end, $2::uuid
       )`,
      [keyId, accountId],
    );
    return keyId;
  }
  /** A session that waits for the share of its delegate. */
  async function waiting(): Promise<SigningSession> {
    const at = await configured(['node-a', 'helper']);
    const call = { ...at, token: machine, body: sessionBody() };
    return (await made('createSigningSession', call)).body as SigningSession;
  }
  const supply = async (session: SigningSession, more: object = {}): Promise<Call> => ({
    path: { id: session.sessionId },
    body: { ...shareBody(session, await newDelegateKey(session.accountId)), ...more },
  });

  /** The approval of a session by a second key of its account. */
  async function approval() {
    const [owner, approver] = [requestKey('owner'), requestKey('approver')];
    const body = { ...accountBody(), requestKeys: [owner.registered, approver.registered] };
    const { accountId } = (await made('createAccount', byAdmin({ body }))).body as Account;
    const at = { path: { id: accountId }, body: { ...sessionBody(), request: signedRequest('pay', owner) } };
    const { sessionId } = (await made('createSigningSession', at)).body as SigningSession;
    return { path: { id: sessionId }, body: approver.sign(Buffer.from('pay')) };
  }

  /** An account whose configuration was changed as often as it may be. */
  async function changedOften() {
    const at = await atAccount();
    for (let change = 0; change < CHANGES_A_MINUTE; change++) await made('clearSigningConfig', at);
    return at;
  }

  const nowhere = { path: { id: UNKNOWN } };
  const stale = { headers: { 'If-Match': '"4711"' } };
  const has = { headers: { 'If-None-Match': '*' } };
  const parties = { body: { signingParties: ['node-a', 'node-b'] } };
  const unknownParties = { body: { signingParties: ['node-a', 'nobody'] } };
  const renamed = { token: '', body: { name: 'other' } };
  const byAdmin = <More extends object>(more: More) => ({ ...more, token: admin });
  const byReader = <More extends object>(more: More) => ({ ...more, token: reader });

  /** Requests that cause each status, specific to an operation. */
  const PROVOKE: Readonly<Record<SigningOperation, Readonly<Record<number, Provoke>>>> = {
    listParties: { 200: () => byAdmin({}), 403: () => ({}) },
    createParty: {
      201: () => byAdmin({ body: partyBody(`extra-${String(count++)}`) }),
      403: () => ({ body: partyBody('mine') }),
      409: () => byAdmin({ body: partyBody('node-a') }),
      422: () => byAdmin({ body: { ...provenPartyBody('proven'), partyId: 'another' } }),
    },
    getParty: {
      200: () => byAdmin({ path: { id: 'node-a' } }),
      304: () => byAdmin({ path: { id: 'node-a' }, ...has }),
      403: () => ({ path: { id: 'node-a' } }),
      404: () => byAdmin({ path: { id: 'nobody' } }),
    },
    updateParty: {
      200: async () => byAdmin({ ...renamed, path: { id: (await newParty()).partyId } }),
      202: async () => {
        const { partyId } = await newParty();
        const { identityPublicKey, identitySignature } = partyBody(partyId);
        return byAdmin({ path: { id: partyId }, body: { identityPublicKey, identitySignature } });
      },
      403: () => byReader({ ...renamed, path: { id: 'node-a' } }),
      404: () => byAdmin({ ...renamed, path: { id: 'nobody' } }),
      409: async () => {
        const path = { id: (await newParty()).partyId };
        await made('updateParty', byAdmin({ path, body: { status: 'revoked' } }));
        return byAdmin({ ...renamed, path });
      },
      412: () => byAdmin({ ...renamed, path: { id: 'node-a' }, ...stale }),
      422: async () => {
        const { certificate } = provenPartyBody('proven');
        return byAdmin({ path: { id: (await newParty()).partyId }, body: { certificate } });
      },
    },
    listPartyKeys: {
      200: () => byAdmin({ path: { id: 'node-a' } }),
      403: () => ({ path: { id: 'node-a' } }),
      404: () => byAdmin({ path: { id: 'nobody' } }),
    },
    confirmPartyKeys: {
      200: async () => {
        const proposal = await proposed();
        return { ...proposal, token: second };
      },
      403: proposed,
      404: async () => byAdmin({ path: { id: (await newParty()).partyId }, body: { proposalId: UNKNOWN } }),
      409: async () => {
        const proposal = await proposed();
        await database.superuser.none(
          `update dbr_signing.party_key_proposals set proposed_at = now() + interval '1 hour' where party_id = $1`,
          [proposal.path.id],
        );
        return { ...proposal, token: second };
      },
    },
    revokePartyKey: {
      204: async () => {
        const { path } = await proposed();
        const { body } = await made('listPartyKeys', byAdmin({ path }));
        const key = Buffer.from((body as PartyKeys).proposal?.identityPublicKey ?? '', 'hex');
        return byAdmin({ path: { ...path, sha256: createHash('sha256').update(key).digest('hex') } });
      },
      403: () => ({ path: { id: 'node-a', sha256: '00' } }),
      404: () => byAdmin({ path: { id: 'node-a', sha256: '00' } }),
      409: async () => {
        const { body } = await made('listPartyKeys', byAdmin({ path: { id: 'node-a' } }));
        const [key] = (body as PartyKeys).items;
        return byAdmin({ path: { id: 'node-a', sha256: key?.sha256 ?? '' } });
      },
    },
    getTenantFreeze: { 200: () => ({ token: foreign }), 403: () => ({}) },
    freezeTenant: { 200: () => ({ token: foreign, body: {} }), 403: () => ({ body: {} }) },
    unfreezeTenant: { 200: () => ({ token: foreign }), 403: () => ({}) },
    listAccounts: { 200: () => ({}) },
    createAccount: {
      201: () => byAdmin({ body: accountBody() }),
      403: () => ({ body: accountBody() }),
      422: () => byAdmin({ body: { ...accountBody(), threshold: 4 } }),
    },
    getAccount: {
      200: atAccount,
      304: async () => ({ ...(await atAccount()), ...has }),
      404: () => nowhere,
    },
    updateAccount: {
      200: async () => byAdmin({ ...renamed, ...(await atAccount()) }),
      403: async () => byReader({ ...renamed, ...(await atAccount()) }),
      404: () => byAdmin({ ...renamed, ...nowhere }),
      412: async () => byAdmin({ ...renamed, ...(await atAccount()), ...stale }),
      422: async () => byAdmin({ ...(await atAccount()), body: { publicKey: accountBody().publicKey } }),
    },
    getSigningConfig: {
      200: atAccount,
      304: async () => ({ ...(await atAccount()), ...has }),
      404: () => nowhere,
    },
    createSigningConfig: {
      201: async () => ({ ...(await atAccount()), ...parties }),
      403: async () => byReader({ ...(await atAccount()), ...parties }),
      404: () => ({ ...nowhere, ...parties }),
      409: async () => ({ ...(await configured()), ...parties }),
      412: async () => ({ ...(await atAccount()), ...parties, ...stale }),
      422: async () => ({ ...(await atAccount()), ...unknownParties }),
      429: async () => ({ ...(await changedOften()), ...parties }),
    },
    updateSigningConfig: {
      200: async () => ({ ...(await configured()), ...parties }),
      403: async () => byReader({ ...(await configured()), ...parties }),
      404: async () => ({ ...(await atAccount()), ...parties }),
      412: async () => ({ ...(await configured()), ...parties, ...stale }),
      422: async () => ({ ...(await configured()), ...unknownParties }),
      429: async () => ({ ...(await changedOften()), ...parties }),
    },
    clearSigningConfig: {
      204: configured,
      403: async () => byReader(await configured()),
      404: () => nowhere,
      412: async () => ({ ...(await configured()), ...stale }),
      429: async () => ({ ...(await changedOften()) }),
    },
    createSigningSession: {
      200: async () => {
        const call = { ...(await atAccount()), body: { ...sessionBody(), sessionId: randomUUID() } };
        await made('createSigningSession', call);
        return call;
      },
      201: async () => ({ ...(await atAccount()), body: sessionBody() }),
      403: async () => byReader({ ...(await atAccount()), body: sessionBody() }),
      404: () => ({ ...nowhere, body: sessionBody() }),
      409: async () => {
        const at = await atAccount();
        await made('updateAccount', byAdmin({ ...at, body: { status: 'frozen' } }));
        return { ...at, body: sessionBody() };
      },
      422: async () => ({ ...(await configured(['node-a', 'helper'])), body: sessionBody() }),
      429: async () => {
        const at = await atAccount();
        for (let index = 0; index < SESSIONS_A_MINUTE; index++) await newSession(at);
        return { ...at, body: sessionBody() };
      },
    },
    createSigningSessions: {
      200: async () => {
        const call = {
          ...(await atAccount()),
          body: { sessions: [{ ...sessionBody(), sessionId: randomUUID() }] },
        };
        await made('createSigningSessions', call);
        return call;
      },
      201: async () => ({ ...(await atAccount()), body: batchBody() }),
      403: async () => byReader({ ...(await atAccount()), body: batchBody() }),
      404: () => ({ ...nowhere, body: batchBody() }),
      409: async () => {
        const at = await atAccount();
        await made('updateAccount', byAdmin({ ...at, body: { status: 'frozen' } }));
        return { ...at, body: batchBody() };
      },
      422: async () => ({ ...(await configured(['node-a', 'helper'])), body: batchBody() }),
      429: async () => {
        const at = await atAccount();
        for (let index = 0; index < SESSIONS_A_MINUTE; index++) await newSession(at);
        return { ...at, body: batchBody() };
      },
    },
    createCeremony: {
      200: async () => {
        const call = { ...(await atPending()), body: { kind: 'keygen', sessionId: randomUUID() } };
        await made('createCeremony', call);
        return call;
      },
      201: async () => ({ ...(await atPending()), body: { kind: 'keygen' } }),
      403: async () => byReader({ ...(await atPending()), body: { kind: 'keygen' } }),
      404: () => ({ ...nowhere, body: { kind: 'keygen' } }),
      409: async () => {
        const call = { ...(await atPending()), body: { kind: 'keygen' } };
        await made('createCeremony', call);
        return call;
      },
      422: async () => ({ ...(await atAccount()), body: { kind: 'keygen' } }),
      429: async () => {
        const at = await atPending();
        // Refused ones count.
        for (let session = 0; session < SESSIONS_A_MINUTE; session++)
          await client.call('createCeremony', { ...at, body: { kind: 'reshare' } });
        return { ...at, body: { kind: 'keygen' } };
      },
    },
    claimDelegateKey: {
      200: async () => {
        await newDelegateKey();
        return await atAccount();
      },
      403: async () => byReader(await atAccount()),
      404: () => nowhere,
      409: async () => {
        const { shares, ...body } = accountBody();
        const own = shares.filter(({ shareType }) => shareType === 'server');
        const answer = await made('createAccount', byAdmin({ body: { ...body, shares: own } }));
        return { path: { id: (answer.body as Account).accountId } };
      },
      429: async () => {
        const at = await atAccount();
        for (let index = 0; index < SESSIONS_A_MINUTE; index++) {
          await newDelegateKey();
          await made('claimDelegateKey', at);
        }
        return at;
      },
    },
    listSigningSessions: { 200: () => ({}) },
    getSigningSession: {
      200: atSession,
      304: async () => ({ ...(await atSession()), ...has }),
      404: () => nowhere,
    },
    cancelSigningSession: {
      200: atSession,
      403: async () => byReader(await atSession()),
      404: () => nowhere,
      409: async () => {
        const at = await atSession();
        await database.superuser.none(
          `update dbr_signing.signing_sessions set ready_by = now() - interval '1 second' where session_id = $1`,
          [at.path.id],
        );
        return at;
      },
    },
    approveSigningSession: {
      200: async () => await approval(),
      404: async () => ({ ...(await approval()), ...nowhere }),
      409: async () => {
        const call = await approval();
        await made('cancelSigningSession', { path: call.path });
        return call;
      },
      422: async () => ({ ...(await approval()), ...(await atSession()) }),
    },
    supplyDelegateUserShare: {
      200: async () => await supply(await waiting()),
      403: async () => byReader(await supply(await waiting())),
      404: async () => await supply({ ...(await waiting()), sessionId: UNKNOWN }),
      409: async () => {
        const session = await waiting();
        await made('cancelSigningSession', { path: { id: session.sessionId } });
        return await supply(session);
      },
      422: async () => await supply(await waiting(), { aadSha256: DIGEST }),
    },
    exportAuditLog: {
      200: () => byAdmin({}),
      403: () => ({}),
      429: async () => {
        // More than the buffers of two connections hold.
        await database.superuser.none(
          `insert into dbr_signing.audit_log (tenant_id, actor, action, subject, after)
           select 'acme', 'ann', 'test', 'test', json_build_object('text', repeat('x', 8000))
           from generate_series(1, 3000)`,
        );
        const call = { token: auditor };
        await openAll('exportAuditLog', call, EXPORTS_A_USER);
        return call;
      },
    },
    listSigningSessionEvents: {
      200: atSession,
      404: () => nowhere,
      406: async () => ({ ...(await atSession()), headers: { Accept: 'text/html' } }),
      429: async () => {
        const call = { ...(await atSession()), headers: { Accept: 'text/event-stream' } };
        await openAll('listSigningSessionEvents', call, STREAMS_A_USER);
        return call;
      },
    },
  };
  const streams = new AbortController();
  // fetch cancels the body of a response that is garbage, which would free its place.
  const held: Response[] = [];
  after(() => streams.abort());

  /** Opens responses that are not read until the end of the tests. */
  async function openAll(operation: SigningOperation, call: Call, count: number): Promise<void> {
    const opened = await Promise.all(
      Array.from({ length: count }, () => client.open(operation, call, streams.signal)),
    );
    for (const { status } of opened) expect(status).to.equal(200);
    held.push(...opened);
  }

  /** A call that nothing is wrong with, made without anything that it needs. */
  const plain = (operation: SigningOperation): Call => ({
    path: { id: UNKNOWN, sha256: '0'.repeat(64) },
    token: admin,
    ...(routeOf(operation).bodyRequired ? { body: {} } : {}),
  });

  /** Requests that cause a status in the same way for every operation. */
  const EVERYWHERE: Readonly<Record<number, (operation: SigningOperation) => Call>> = {
    400: (operation) => ({ ...plain(operation), ...wrong(operation) }),
    401: (operation) => ({ ...plain(operation), token: null }),
    413: (operation) => ({
      ...plain(operation),
      headers: { 'Content-Type': 'application/json' },
      body: ' '.repeat(2 * MEBIBYTE + 1),
    }),
    415: (operation) => ({
      ...plain(operation),
      headers: { 'Content-Type': 'text/plain' },
      body: '{}',
    }),
  };
  function wrong(operation: SigningOperation): Call {
    const { method, consumes } = routeOf(operation);
    if (consumes.length > 0) return { headers: { 'Content-Type': 'application/json' }, body: '{' };
    if (operation === 'listSigningSessionEvents') return { query: 'after=-1' };
    if (operation === 'exportAuditLog') return { query: 'sealedFrom=yesterday' };
    if (operation.startsWith('list')) return { query: 'limit=0' };
    return { headers: { [method === 'get' ? 'If-None-Match' : 'If-Match']: '' } };
  }

  const OPERATIONS = ROUTES.flatMap((route) => (route.tag === 'signing' ? [route.id] : []));
  const documented = documentedStatuses('signing');

  for (const operation of OPERATIONS) {
    describe(operation, () => {
      for (const status of documented.get(operation) ?? []) {
        if (status === 503) continue;
        it(`has status ${String(status)}`, async () => {
          const provoke = PROVOKE[operation][status] ?? (() => EVERYWHERE[status]?.(operation));
          const call = await provoke();
          if (call === undefined) throw new Error('nothing is known to provoke this status');
          const answer = await client.call(operation, call);
          expect(answer.status, JSON.stringify(answer.body)?.slice(0, 1000)).to.equal(status);
          if (status === 429) expect(Number(answer.headers.get('retry-after'))).to.be.at.least(1);
        });
      }

      it('refuses invalid tokens', async () => {
        const claims = { tenantId: 'acme', sub: 'ann' };
        for (const token of [
          'x',
          new UnsecuredJWT(claims).encode(),
          await sign(claims, 'another secret, of at least thirty-two bytes'),
          await sign({ ...claims, exp: 1 }),
          await sign({ ...claims, nbf: 4_000_000_000 }),
          await sign({ tenantId: 'acme' }),
          await sign({ sub: 'ann' }),
          await sign({ ...claims, tenantId: 7 }),
        ]) {
          const answer = await client.call(operation, { ...plain(operation), token });
          expect([answer.status, (answer.body as { readonly message: string }).message]).to.deep.equal([
            401,
            'Invalid JWT',
          ]);
        }
      });
    });
  }

  describe('accounts whose stored key registration would refuse', () => {
    const ff = (first: string): string => `${first}${'ff'.repeat(30)}7f`;
    const WEAK = {
      'of small order': ['ed25519', `01${'00'.repeat(31)}`],
      'of zeros': ['ed25519', '00'.repeat(32)],
      'not canonical': ['ed25519', ff('f0')],
      'not on the curve P-256': ['p256', `02${'ff'.repeat(32)}`],
      'not on the curve secp256k1': ['secp256k1', `04${'01'.repeat(64)}`],
    } as const;
    for (const [kind, [keyType, publicKey]] of Object.entries(WEAK))
      it(`get no new session: ${kind}`, async () => {
        const at = await atAccount();
        const call = {
          ...at,
          headers: { 'Idempotency-Key': `before-${String(count++)}` },
          body: sessionBody(),
        };
        const before = (await made('createSigningSession', call)).body as SigningSession;
        await database.superuser.none(
          'update dbr_signing.accounts set key_type = $2, public_key = $3 where account_id = $1',
          [at.path.id, keyType, Buffer.from(publicKey, 'hex')],
        );
        const atRegistration = await client.call('createAccount', {
          token: admin,
          body: { ...accountBody(), keyType, publicKey },
        });
        const answer = await client.call('createSigningSession', { ...at, body: sessionBody() });
        expect([answer.status, answer.body]).to.deep.equal([422, atRegistration.body]);
        expect(answer.body).to.include({ code: 'DBR517', message: 'Invalid account' });
        const sessions = await database.superuser.any(
          'select session_id from dbr_signing.signing_sessions where account_id = $1',
          [at.path.id],
        );
        expect(sessions).to.deep.equal([{ session_id: before.sessionId }]);
        const repeated = await client.call('createSigningSession', call);
        expect([repeated.status, (repeated.body as SigningSession).sessionId]).to.deep.equal([
          200,
          before.sessionId,
        ]);
      });
  });

  describe('odd bodies', () => {
    const account = accountBody();
    const BODIES: Readonly<Partial<Record<SigningOperation, () => Promise<readonly [object, object]>>>> = {
      createParty: () => Promise.resolve([{}, provenPartyBody('odd')]),
      updateParty: async () => [
        { path: { id: (await newParty()).partyId } },
        { name: 'x', identityPublicKey: account.publicKey, certificate: null },
      ],
      freezeTenant: () => Promise.resolve([{ token: foreign }, { reason: 'x' }]),
      confirmPartyKeys: () => Promise.resolve([{ path: { id: 'node-a' } }, { proposalId: UNKNOWN }]),
      createAccount: () => Promise.resolve([{}, account]),
      updateAccount: async () => [await atAccount(), { name: 'x', publicKey: account.publicKey }],
      createSigningConfig: async () => [await atAccount(), parties.body],
      updateSigningConfig: async () => [await configured(), parties.body],
      createSigningSession: async () => [
        await atAccount(),
        {
          ...sessionBody(),
          sessionId: randomUUID(),
          protocol: 'ed25519',
          derivationPath: [0],
          ttlSeconds: 60,
          metadata: {},
          delegateUserShare: {},
        },
      ],
      createSigningSessions: async () => [
        await atAccount(),
        { sessions: [{ ...sessionBody(), sessionId: randomUUID(), ttlSeconds: 60 }] },
      ],
      createCeremony: async () => [
        await atPending(),
        {
          ...{ kind: 'reshare', sessionId: randomUUID(), ttlSeconds: 60, dealers: ['node-a'] },
          after: { threshold: 1, shares: [{ partyId: 'node-b', shareIndex: 1, shareType: 'server' }] },
        },
      ],
      cancelSigningSession: async () => [await atSession(), { reason: 'x' }],
      approveSigningSession: async () => {
        const { path, body } = await approval();
        return [{ path }, body];
      },
      supplyDelegateUserShare: async () => {
        const { path, body } = await supply(await waiting());
        return [{ path }, body as object];
      },
    };

    // In CI an operation gets one in three of them, and three operations in a row get them all.
    for (const [place, operation] of OPERATIONS.filter((id) => routeOf(id).consumes.length > 0).entries()) {
      it(`${operation} responds to them as documented`, async () => {
        const make = BODIES[operation];
        if (make === undefined) throw new Error('no body of this operation is known');
        const [at, body] = await make();
        for (const odd of some(oddBodies(body), 3, place)) {
          const isOfOther = operation === 'supplyDelegateUserShare' || operation === 'freezeTenant';
          const token = isOfOther ? {} : { token: admin };
          const { status } = await client.call(operation, { ...at, ...token, body: odd });
          expect(status, JSON.stringify(odd)).to.be.lessThan(500);
        }
      });
    }

    it('unknown paths and methods are refused', async () => {
      for (const route of ROUTES.filter(({ tag }) => tag === 'signing')) {
        for (const id of ['%zz', '%00', '%2e%2e', 'x'.repeat(2000), '%ed%a0%80', "'"]) {
          const path = route.path.replaceAll(/(?<!\\):\w+/g, id).replaceAll('\\:', ':');
          const response = await fetch(`${service.url}${path}`, {
            method: route.method.toUpperCase(),
            headers: { Authorization: `Bearer ${admin}` },
          });
          expect(response.status, `${route.method} ${path}`).to.be.lessThan(500);
          // A stream counts against those of its user until it is read or cancelled.
          await response.body?.cancel();
        }
        const path = route.path.replaceAll(/(?<!\\):\w+/g, UNKNOWN).replaceAll('\\:', ':');
        const { status } = await fetch(`${service.url}${path}`, {
          method: 'PROPFIND',
          headers: { Authorization: `Bearer ${admin}` },
        });
        expect(status, path).to.equal(405);
      }
    });
  });

  describe('while the database is unavailable', () => {
    before(() => server.stop());
    after(async () => {
      await server.start();
      await untilReady(service);
    });
    const BODIES: Readonly<Partial<Record<SigningOperation, object>>> = {
      createParty: partyBody('late'),
      updateParty: { name: 'x' },
      confirmPartyKeys: { proposalId: UNKNOWN },
      freezeTenant: {},
      createAccount: accountBody(),
      updateAccount: { name: 'x' },
      createSigningConfig: parties.body,
      updateSigningConfig: parties.body,
      createSigningSession: sessionBody(),
      createSigningSessions: batchBody(),
      approveSigningSession: requestKey('late').sign(Buffer.from('pay')),
      createCeremony: { kind: 'keygen' },
      supplyDelegateUserShare: shareBody({ sessionId: UNKNOWN, accountId: UNKNOWN, tenantId: 'acme' }, 'k'),
    };
    for (const operation of OPERATIONS) {
      it(`${operation} has status 503`, async () => {
        const body = BODIES[operation];
        const answer = await client.call(operation, {
          ...plain(operation),
          ...(body === undefined ? {} : { body }),
        });
        expect(answer.status, JSON.stringify(answer.body)).to.equal(503);
        expect(Number(answer.headers.get('retry-after'))).to.be.at.least(1);
      });
    }
  });

  describe('after all requests', () => {
    it('every documented status was seen', () => {
      expect(client.unseen('signing')).to.deep.equal([]);
    });
  });
});
