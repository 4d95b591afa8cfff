import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { OperationId } from '../../generated/operations.js';
import type { Account, SigningConfig, SigningSession, TenantFreeze } from '../../generated/types.js';
import { accountBody, partyBody, sessionBody } from '../support/contract/signing-bodies.js';
import { createSigningDatabase, type SigningDatabase } from '../support/signing/signing-database.js';
import { startTestService, untilReady, type TestService } from '../support/service/service.js';
import { until } from '../support/until.js';
import {
  createContractClient,
  type Call,
  type ContractClient,
  type ContractResponse,
} from '../support/contract/contract-client.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';
const sign = (claims: Readonly<Record<string, unknown>>): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(SECRET));
const SCOPE = 'parties:admin accounts:write accounts:read tenant:freeze users:erase';
const NOT_ACTIVE = { code: 'DBR508', message: 'The account is not active', details: null, hint: null };

describe('contract of area B: a tenant that is frozen', function () {
  this.timeout(120_000);
  let database: SigningDatabase;
  let service: TestService;
  let client: ContractClient;
  let tokens: Readonly<Record<'rita' | 'sven' | 'tim' | 'other' | 'ann', string>>;
  let accounts: Readonly<Record<'acme' | 'other', string>>;

  const start = () =>
    startTestService({
      areas: 'signing,notifications',
      'db-uri': database.serviceUri,
      'service-jwt-secret': SECRET,
      'signing-session-limit': '0',
    });

  before(async () => {
    database = await createSigningDatabase();
    service = await start();
    await untilReady(service);
    tokens = {
      rita: await sign({ tenantId: 'acme', sub: 'rita', scope: SCOPE }),
      sven: await sign({ tenantId: 'acme', sub: 'sven', scope: SCOPE }),
      tim: await sign({ tenantId: 'acme', sub: 'tim', scope: SCOPE }),
      other: await sign({ tenantId: 'other', sub: 'ann', scope: SCOPE }),
      ann: await sign({ tenantId: 'acme', sub: 'ann' }),
    };
    client = createContractClient(() => service.url, tokens.rita);
    accounts = { acme: await setUp('acme', tokens.rita), other: await setUp('other', tokens.other) };
  });
  after(async () => {
    await service.stop();
    await database.drop();
  });

  async function call(operation: OperationId, given: Call = {}): Promise<ContractResponse> {
    return await client.call(operation, given);
  }
  async function setUp(tenantId: string, token: string): Promise<string> {
    for (const partyId of ['node-a', 'node-b', 'helper'])
      await call('createParty', {
        token,
        body: partyBody(partyId, partyId === 'helper' ? 'delegate' : 'server', tenantId),
      });
    return ((await call('createAccount', { token, body: accountBody() })).body as Account).accountId;
  }
  const create = (tenant: 'acme' | 'other' = 'acme', body: object = sessionBody()) =>
    call('createSigningSession', {
      ...{ token: tenant === 'acme' ? tokens.ann : tokens.other, path: { id: accounts[tenant] }, body },
    });
  const sessionOf = async (id: string, token = tokens.ann): Promise<SigningSession> =>
    (await call('getSigningSession', { token, path: { id } })).body as SigningSession;
  const freezeOf = async (): Promise<TenantFreeze> => (await call('getTenantFreeze')).body as TenantFreeze;
  const unfreeze = async (user: 'rita' | 'sven' | 'tim') =>
    (await call('unfreezeTenant', { token: tokens[user] })).body as TenantFreeze;
  const thaw = async () => {
    await unfreeze('rita');
    expect((await unfreeze('sven')).frozen).to.equal(false);
  };
  /** As a session that was in creation when its tenant was frozen. */
  const open = (id: string): Promise<null> =>
    database.superuser.none(
      `update dbr_signing.signing_sessions set state = 'created', ended_at = null where session_id = $1`,
      [id],
    );

  it('has no new sessions, and its open ones end; those of another tenant continue', async () => {
    expect(await freezeOf()).to.deep.equal({
      ...{ frozen: false, frozenAt: null, frozenBy: null, reason: null, releasedBy: null, openSessions: 0 },
    });
    const first = sessionBody();
    const mine = ((await create('acme', { ...first, sessionId: randomUUID() })).body as SigningSession)
      .sessionId;
    const theirs = ((await create('other')).body as SigningSession).sessionId;
    const answer = await call('freezeTenant', { body: { reason: 'A key was stolen' } });
    const { frozenAt, ...rest } = answer.body as TenantFreeze;
    expect([answer.status, rest]).to.deep.equal([
      200,
      { frozen: true, frozenBy: 'rita', reason: 'A key was stolen', releasedBy: null, openSessions: 0 },
    ]);
    expect(Date.parse(frozenAt ?? '')).to.be.greaterThan(0);
    expect(await sessionOf(mine)).to.include({ state: 'cancelled' });
    expect(await sessionOf(theirs, tokens.other)).to.include({ state: 'created' });
    const refused = await create();
    expect([refused.status, refused.body]).to.deep.equal([409, NOT_ACTIVE]);
    const ceremony = await call('createCeremony', {
      ...{ token: tokens.ann, path: { id: accounts.acme }, body: { kind: 'keygen' } },
    });
    expect([ceremony.status, ceremony.body]).to.deep.equal([409, NOT_ACTIVE]);
    expect((await create('other')).status).to.equal(201);
    // The same request as before the freeze has the session of then.
    const repeated = await create('acme', { ...first, sessionId: mine });
    expect([repeated.status, (repeated.body as SigningSession).state]).to.deep.equal([200, 'cancelled']);
    const config = await call('getSigningConfig', { token: tokens.ann, path: { id: accounts.acme } });
    expect((config.body as SigningConfig).problems).to.deep.equal([
      { code: 'account_not_active', partyId: null, message: 'The tenant is frozen.' },
    ]);
    await open(mine);
    await until(async () => (await sessionOf(mine)).state === 'cancelled');
    await thaw();
    expect((await create()).status).to.equal(201);
    const log = await database.superuser.any<{ readonly action: string }>(
      `select action from dbr_signing.audit_log where subject = 'tenant' order by audit_id`,
    );
    expect(log.map(({ action }) => action)).to.deep.equal([
      ...['tenant.freeze', 'tenant.ask-to-unfreeze', 'tenant.unfreeze'],
    ]);
  });

  it('is released by two users, and by no user twice', async () => {
    await call('freezeTenant', { body: {} });
    expect((await call('unfreezeTenant', { token: tokens.ann })).status).to.equal(403);
    expect((await call('unfreezeTenant', { token: tokens.other })).body).to.include({ frozen: false });
    for (let repeat = 0; repeat < 2; repeat++)
      expect(await unfreeze('sven')).to.include({ frozen: true, releasedBy: 'sven', frozenBy: 'rita' });
    expect((await create()).status).to.equal(409);
    // Freezing again takes back the first release, and so does the erasure of its user.
    await call('freezeTenant', { token: tokens.tim, body: {} });
    expect(await freezeOf()).to.include({ frozen: true, frozenBy: 'rita', releasedBy: null });
    await unfreeze('tim');
    await service.stop();
    service = await start();
    await untilReady(service);
    expect(await freezeOf()).to.include({ frozen: true, releasedBy: 'tim' });
    expect((await call('eraseUser', { token: tokens.sven, path: { id: 'tim' } })).status).to.be.lessThan(300);
    expect(await unfreeze('tim')).to.include({ frozen: true, releasedBy: 'tim' });
    expect(await unfreeze('rita')).to.include({ frozen: false });
  });

  it('is released by two users at a time', async () => {
    for (let round = 0; round < 3; round++) {
      await call('freezeTenant', { body: {} });
      await Promise.all([unfreeze('rita'), unfreeze('sven')]);
      expect(await freezeOf()).to.include({ frozen: false });
      await call('freezeTenant', { body: {} });
      await Promise.all([unfreeze('rita'), unfreeze('rita')]);
      expect(await freezeOf()).to.include({ frozen: true, releasedBy: 'rita' });
      await unfreeze('sven');
    }
  });
});
