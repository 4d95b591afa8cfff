import { expect } from 'chai';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { startTestIssuer, type TestIssuer, type TestIssuerOptions } from '../../support/auth/test-issuer.js';
import {
  createNotificationsDatabase,
  type NotificationsDatabase,
} from '../../support/notifications/notifications-database.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

const ANONYMOUS = 'logins_anonymous';
const STAFF = 'logins_staff';
const LOGIN = 'logins_login';
const SHARED = 'the shared secret of these tests, of 32 bytes or more';
const NOW = Math.floor(Date.now() / 1000);
const LATER = 4_102_444_800;

const hmac = (claims: JWTPayload, secret: string): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));

/** What a token opens. */
interface Opened {
  /** The role in the data API, or the status of its refusal. */
  readonly role: unknown;
  /** Tenant and user of the inbox, or the status of its refusal. */
  readonly inbox: unknown;
}

describe('logins', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'dbr-logins-'));
  let database: NotificationsDatabase;
  let tables: TestDatabase;
  const services: TestService[] = [];
  const issuers: TestIssuer[] = [];

  before(async () => {
    [database, tables] = await Promise.all([createNotificationsDatabase(), createTestDatabase()]);
    await database.superuser.multi(`
      create role ${ANONYMOUS} nologin;
      create role ${STAFF} nologin;
      create role ${LOGIN} login noinherit password 'login';
      grant ${ANONYMOUS}, ${STAFF} to ${LOGIN};
    `);
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.stop();
    for (const issuer of issuers.splice(0)) await issuer.close();
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await tables.drop();
    await database.superuser.multi(`drop role ${LOGIN}, ${STAFF}, ${ANONYMOUS}`);
    await database.drop();
  });

  async function openIssuer(options: TestIssuerOptions = {}): Promise<TestIssuer> {
    const issuer = await startTestIssuer(options);
    issuers.push(issuer);
    return issuer;
  }

  async function start(settings: Readonly<Record<string, string>>, file?: string): Promise<TestService> {
    const given = {
      areas: 'notifications, data-api',
      'db-uri': tables.uriFor(LOGIN, 'login'),
      'service-db-uri': database.serviceUri,
      'db-anon-role': ANONYMOUS,
      'db-pool': '2',
      'db-channel-enabled': 'false',
      'jwks-refetch-interval': '1',
      'service-jwt-secret': SHARED,
      ...settings,
    };
    const service = await startTestService(given, file === undefined ? {} : { file });
    services.push(service);
    await untilReady(service);
    return service;
  }

  let calls = 0;
  async function opened(service: TestService, token: string): Promise<Opened> {
    const id = `call-${String((calls += 1))}`;
    const headers = { Authorization: `Bearer ${token}`, 'X-Request-Id': id };
    const data = await fetch(`${service.url}/rpc/current_user_name`, { headers });
    const inbox = await fetch(`${service.url}/api/v1/notifications/me/unread-count`, { headers });
    await Promise.all([data.text(), inbox.text()]);
    const who = (area: string): unknown => {
      const line = service.logs.find((each) => each.includes(`"${id}"`) && each.includes(area));
      return line === undefined ? 'no line' : new Map(Object.entries(JSON.parse(line) as object)).get('who');
    };
    // No function has this name: the role is in the access line.
    const role = data.status === 404 ? who('/rpc/') : data.status;
    return { role, inbox: inbox.status === 200 ? who('unread-count') : inbox.status };
  }

  const hour = { iat: NOW, exp: NOW + 3600 };

  /** Tokens as the services issue them. */
  const FORMS: readonly {
    readonly preset: string;
    readonly options: TestIssuerOptions;
    readonly members: Readonly<Record<string, unknown>>;
    readonly header: Readonly<Record<string, unknown>>;
    readonly claims: JWTPayload;
    readonly opens: Opened;
    /** Claims of a token of the same service that must be refused in all areas. */
    readonly refused: JWTPayload;
  }[] = [
    {
      preset: 'auth0',
      options: { path: '/', algorithm: 'RS256' },
      members: { audience: 'https://api.example.org', 'role-claim-key': '."https://example.org/role"' },
      header: { typ: 'JWT' },
      claims: {
        'https://example.org/role': STAFF,
        sub: 'auth0|507f1f77bcf86cd799439020',
        aud: ['https://api.example.org', 'https://tenant.eu.auth0.com/userinfo'],
        azp: 'my_client_id',
        scope: 'openid profile notifications:write',
        org_id: 'org_9ybsU1dN2dKfDkBi',
        permissions: ['read:films'],
        ...hour,
      },
      opens: { role: STAFF, inbox: 'org_9ybsU1dN2dKfDkBi/auth0|507f1f77bcf86cd799439020' },
      // An ID token: its audience is the client.
      refused: { aud: 'my_client_id' },
    },
    {
      preset: 'keycloak',
      options: { path: '/realms/shop', algorithm: 'RS256' },
      members: { audience: 'dbr', roles: [STAFF] },
      header: { typ: 'JWT' },
      claims: {
        jti: 'onrtac:5d2c4d2f-6d2a-4c0d-8f1f-f4e0b0d0a0a1',
        aud: ['dbr', 'account'],
        sub: 'f4e0b0d0-6d2a-4c0d-8f1f-5d2c4d2fa0a1',
        typ: 'Bearer',
        azp: 'web',
        sid: 'c1b7a0de-2c0f-4a55-9a0c-0d2a6e1f3b77',
        acr: '1',
        'allowed-origins': ['https://shop.example'],
        realm_access: { roles: ['offline_access', 'default-roles-shop', STAFF, 'uma_authorization'] },
        resource_access: { account: { roles: ['manage-account'] } },
        scope: 'openid email organization',
        organization: ['acme'],
        email_verified: true,
        ...hour,
      },
      opens: { role: STAFF, inbox: 'acme/f4e0b0d0-6d2a-4c0d-8f1f-5d2c4d2fa0a1' },
      refused: { aud: 'account' },
    },
    {
      preset: 'supabase',
      options: { path: '/auth/v1' },
      members: { roles: [STAFF] },
      header: { typ: 'JWT' },
      claims: {
        aud: 'authenticated',
        role: STAFF,
        sub: '2f2b8c5e-9f64-4a38-8b0f-1d3c5b7a9e11',
        aal: 'aal1',
        amr: [{ method: 'password', timestamp: NOW }],
        session_id: '6c1f5a0e-2a86-4e8e-9a4d-1b3f5d7c9e22',
        email: 'ada@example.org',
        phone: '',
        app_metadata: {
          provider: 'email',
          providers: ['email'],
          tenant_id: 'acme',
          scopes: ['notifications:write'],
        },
        user_metadata: { tenant_id: 'globex', email_verified: true },
        is_anonymous: false,
        ...hour,
      },
      opens: { role: STAFF, inbox: 'acme/2f2b8c5e-9f64-4a38-8b0f-1d3c5b7a9e11' },
      refused: { aud: 'other' },
    },
    {
      preset: 'cognito',
      options: { path: '/eu-west-1_Example', algorithm: 'RS256' },
      members: { audience: '57cbishk4j24pabc1234567890', roles: [STAFF] },
      header: {},
      claims: {
        sub: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
        'cognito:groups': ['readers', STAFF],
        client_id: '57cbishk4j24pabc1234567890',
        origin_jti: 'b1b2c3d4-0000-1111-2222-333344445555',
        event_id: 'c1c2c3d4-0000-1111-2222-333344445555',
        token_use: 'access',
        scope: 'aws.cognito.signin.user.admin dbr/notifications:write',
        auth_time: NOW,
        jti: 'd1d2d3d4-0000-1111-2222-333344445555',
        username: 'ada',
        'custom:tenant_id': 'acme',
        ...hour,
      },
      opens: { role: STAFF, inbox: 'acme/aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee' },
      // An ID token: it has an audience and no client.
      refused: { client_id: undefined, aud: '57cbishk4j24pabc1234567890', token_use: 'id' },
    },
    {
      preset: 'entra',
      options: { path: '/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0', algorithm: 'RS256' },
      members: { audience: '6e74172b-be56-4843-9ff4-e66a39bb12e3', roles: [STAFF] },
      header: { typ: 'JWT', x5t: 'i6lGk3FZzxRcUb2C3nEQ7syHJlY' },
      claims: {
        aud: '6e74172b-be56-4843-9ff4-e66a39bb12e3',
        nbf: NOW,
        aio: 'AXQAi/8IAAAA',
        azp: '11112222-bbbb-3333-cccc-4444dddd5555',
        azpacr: '0',
        oid: '690222be-ff1a-4d56-abd1-7e4f7d38e474',
        rh: 'I',
        roles: [STAFF],
        scp: 'access_as_user notifications:write',
        sub: 'HKZpfaHyWadeOouYlitjrI-KffTm222X5rrV3xDqfKQ',
        tid: '72f988bf-86f1-41af-91ab-2d7cd011db47',
        uti: 'fqiBqXLPj0eQa82S-IYFAA',
        ver: '2.0',
        ...hour,
      },
      opens: {
        role: STAFF,
        inbox: '72f988bf-86f1-41af-91ab-2d7cd011db47/690222be-ff1a-4d56-abd1-7e4f7d38e474',
      },
      refused: { aud: '00000003-0000-0000-c000-000000000000' },
    },
    {
      preset: 'clerk',
      options: { algorithm: 'RS256' },
      members: { audience: 'https://shop.example', 'role-claim-key': '.role', roles: [STAFF] },
      header: { typ: 'JWT', cat: 'cl_B7d4PD111AAA' },
      claims: {
        azp: 'https://shop.example',
        fva: [0, -1],
        jti: '6d3a0f6d1e2b4c5f',
        nbf: NOW - 10,
        o: { id: 'org_2abcDEF', rol: 'admin', slg: 'acme' },
        role: STAFF,
        sid: 'sess_2GbDB4enHdCa5vS1zpC3Xzg9tK9',
        sub: 'user_2GIpXOEpVyJw51rkZn9Kmnc6Sxr',
        v: 2,
        ...hour,
      },
      opens: { role: STAFF, inbox: 'org_2abcDEF/user_2GIpXOEpVyJw51rkZn9Kmnc6Sxr' },
      refused: { azp: 'https://elsewhere.example' },
    },
  ];

  for (const { preset, options, members, header, claims, opens, refused } of FORMS)
    it(`of ${preset} open the tables and the inbox, found by OpenID Connect Discovery`, async () => {
      const issuer = await openIssuer(options);
      const service = await start({
        'jwt-issuers': JSON.stringify([{ issuer: issuer.issuer, preset, ...members }]),
      });
      expect(await opened(service, await issuer.sign(claims, header))).to.deep.equal(opens);
      expect(await opened(service, await issuer.sign({ ...claims, ...refused }, header))).to.deep.equal({
        role: 401,
        inbox: 401,
      });
      expect(issuer.requests).to.have.length(2);
    });

  it('of Clerk before version 2 have the organization at the top', async () => {
    const issuer = await openIssuer();
    const service = await start({
      'jwt-issuers': JSON.stringify([{ issuer: issuer.issuer, preset: 'clerk' }]),
    });
    const token = await issuer.sign({ sub: 'user_1', org_id: 'org_1', org_role: 'org:admin', ...hour });
    expect(await opened(service, token)).to.deep.equal({ role: ANONYMOUS, inbox: 'org_1/user_1' });
  });

  it('with a key set and with JWT_SECRET open all areas', async () => {
    const issuer = await openIssuer();
    const claims = { tenantId: 'acme', sub: 'ada', role: STAFF };
    const all = { role: STAFF, inbox: 'acme/ada' };
    const key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const own = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(key.privateKey);
    const jwks = JSON.stringify({ keys: [key.publicKey.export({ format: 'jwk' })] });
    for (const [settings, token] of [
      [{ 'jwks-uri': issuer.jwksUri }, await issuer.sign(claims)],
      [{ 'jwt-issuers': issuer.issuer }, await issuer.sign(claims)],
      [{ 'jwt-issuers': issuer.issuer }, await hmac(claims, SHARED)],
      [{ 'jwks-uri': issuer.jwksUri }, await hmac(claims, SHARED)],
      [{ 'jwt-secret': jwks }, own],
    ] as const)
      expect(await opened(await start(settings), token), JSON.stringify(settings)).to.deep.equal(all);
    const secret = 'a secret of the data API alone, of 32 bytes or more';
    const apart = await start({ 'jwt-secret': secret });
    expect(await opened(apart, await hmac(claims, secret))).to.deep.equal({ role: STAFF, inbox: 401 });
    expect(await opened(apart, await hmac(claims, SHARED))).to.deep.equal({ role: 401, inbox: 'acme/ada' });
    const file = join(folder, 'no-secret.conf');
    writeFileSync(file, 'jwt-secret = ""\n');
    const none = await start({ 'jwt-issuers': issuer.issuer }, file);
    expect(await opened(none, await hmac(claims, SHARED))).to.deep.equal({ role: 401, inbox: 'acme/ada' });
  });

  it('need no JWT_SECRET in production where an issuer is set, and the development secret signs none', async () => {
    const issuer = await openIssuer();
    const before = process.env['NODE_ENV'];
    const claims = { tenantId: 'acme', sub: 'ada' };
    const development = await hmac(claims, 'dbr-development-secret-do-not-use-in-production');
    process.env['NODE_ENV'] = 'production';
    try {
      // Its key set is not fetched: in production that takes https.
      const service = await start({
        'jwt-issuers': '[{"issuer":"https://localhost:1","jwks-uri":"https://localhost:1/keys"}]',
        'service-jwt-secret': '',
      });
      expect(await opened(service, development)).to.deep.equal({ role: 401, inbox: 401 });
      expect(
        await opened(service, await issuer.sign({ ...claims, iss: 'https://localhost:1' })),
      ).to.deep.equal({
        role: 503,
        inbox: 503,
      });
    } finally {
      if (before === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = before;
    }
  });

  it('name their claims by settings, for an issuer or for all', async () => {
    const issuer = await openIssuer();
    const service = await start({
      'jwt-issuers': issuer.issuer,
      'notifications-claim-tenant': "$['https://example.org/tenant']",
      'notifications-claim-user': '.uid',
      'notifications-claim-scopes': '.permissions',
    });
    const claims = { 'https://example.org/tenant': 'acme', uid: 'ada', sub: 'x', tenantId: 'globex' };
    const publish = async (permissions: unknown): Promise<number> => {
      const response = await fetch(`${service.url}/api/v1/notifications`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${await issuer.sign({ ...claims, permissions })}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ type: 'a.b', title: 't', userIds: ['ada'] }),
      });
      await response.text();
      return response.status;
    };
    expect((await opened(service, await issuer.sign(claims))).inbox).to.equal('acme/ada');
    expect((await opened(service, await hmac(claims, SHARED))).inbox).to.equal('acme/ada');
    expect(await publish(['x', 'notifications:write'])).to.equal(201);
    expect(await publish('x notifications:write')).to.equal(201);
    expect(await publish(['x'])).to.equal(403);
    expect(await publish([{ scope: 'notifications:write' }])).to.equal(401);
    for (const tenant of [['a', 'b'], [], {}, 7, null, ''])
      expect(
        (await opened(service, await issuer.sign({ ...claims, 'https://example.org/tenant': tenant }))).inbox,
        JSON.stringify(tenant),
      ).to.equal(401);
  });

  describe('of several issuers', () => {
    const INBOX_REFUSED = 401;

    it('name the tenants of their issuer alone; an issuer without tenants opens the tables', async () => {
      const [a, b, c, d] = [await openIssuer(), await openIssuer(), await openIssuer(), await openIssuer()];
      const service = await start({
        'jwt-issuers': JSON.stringify([
          { issuer: a.issuer, tenants: ['acme', 'initech'] },
          { issuer: b.issuer, tenant: 'globex' },
          { issuer: c.issuer },
          { issuer: d.issuer, tenants: '*' },
        ]),
      });
      const inbox = async (issuer: TestIssuer, tenantId: string): Promise<unknown> =>
        (await opened(service, await issuer.sign({ tenantId, sub: 'ada' }))).inbox;
      expect(await inbox(a, 'acme')).to.equal('acme/ada');
      expect(await inbox(a, 'initech')).to.equal('initech/ada');
      expect(await inbox(a, 'globex')).to.equal(INBOX_REFUSED);
      expect(await inbox(b, 'acme'), 'the tenant of the settings').to.equal('globex/ada');
      expect(await inbox(c, 'acme')).to.equal(INBOX_REFUSED);
      expect(await inbox(d, 'acme'), 'as the settings say').to.equal('acme/ada');
      expect((await opened(service, await c.sign({ role: STAFF }))).role).to.equal(STAFF);
    });

    it('are of no tenant if one of them has no name', async () => {
      const [a, b] = [await openIssuer(), await openIssuer()];
      const service = await start({ 'jwt-issuers': a.issuer, 'jwks-uri': b.jwksUri });
      const claims = { tenantId: 'acme', sub: 'ada', role: STAFF };
      for (const token of [
        await a.sign(claims),
        await b.sign(claims),
        await b.sign({ ...claims, iss: undefined }),
      ])
        expect(await opened(service, token)).to.deep.equal({ role: STAFF, inbox: INBOX_REFUSED });
    });

    it('are verified with the keys of their issuer, whatever key they name', async () => {
      const [a, b] = [await openIssuer(), await openIssuer()];
      const service = await start({
        'jwt-issuers': JSON.stringify([
          { issuer: a.issuer, tenants: 'acme' },
          { issuer: b.issuer, tenants: 'globex' },
        ]),
      });
      const claims = { tenantId: 'acme', sub: 'ada', role: STAFF };
      const refused = { role: 401, inbox: 401 };
      // Both publish a key with the ID key-1.
      expect(await opened(service, await b.sign({ ...claims, iss: a.issuer }))).to.deep.equal(refused);
      expect(await opened(service, await a.sign(claims))).to.deep.equal({ role: STAFF, inbox: 'acme/ada' });
      expect(await opened(service, await hmac({ ...claims, iss: a.issuer }, SHARED))).to.deep.equal(refused);
      const keys = await (await fetch(a.jwksUri)).text();
      for (const secret of [
        keys,
        a.jwksUri,
        JSON.stringify((JSON.parse(keys) as { keys: unknown[] }).keys[0]),
      ])
        for (const iss of [a.issuer, undefined])
          expect(
            await opened(service, await hmac(iss === undefined ? claims : { ...claims, iss }, secret)),
          ).to.deep.equal(refused);
      expect(await opened(service, new UnsecuredJWT({ ...claims, iss: a.issuer }).encode())).to.deep.equal(
        refused,
      );
      expect(await opened(service, await a.sign({ ...claims, exp: NOW - 60 }))).to.deep.equal(refused);
      expect(await opened(service, await a.sign({ ...claims, iss: [a.issuer] }))).to.deep.equal(refused);
      expect(await opened(service, await a.sign({ ...claims, exp: LATER }))).to.include({
        inbox: 'acme/ada',
      });
    });
  });

  it('end with the key that signed them, in all areas', async () => {
    const issuer = await openIssuer();
    const service = await start({ 'jwt-issuers': issuer.issuer });
    const claims = { tenantId: 'acme', sub: 'ada', role: STAFF };
    const old = await issuer.sign(claims);
    expect((await opened(service, old)).inbox).to.equal('acme/ada');
    issuer.rotate();
    issuer.retireOldKeys();
    expect((await opened(service, await issuer.sign(claims))).inbox).to.equal('acme/ada');
    expect(await opened(service, old)).to.deep.equal({ role: 401, inbox: 401 });
  });

  it('are refused in the words of the contract', async () => {
    const issuer = await openIssuer();
    const service = await start({ 'jwt-issuers': issuer.issuer, areas: 'notifications' });
    const me = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${service.url}/api/v1/notifications/me`, { headers });
    const message = async (response: Response): Promise<unknown> => {
      const body = (await response.json()) as { readonly message: string };
      return [response.status, body.message];
    };
    expect(await message(await me({}))).to.deep.equal([401, 'Missing authorization header']);
    const token = await issuer.sign({ sub: 'ada' });
    expect(await message(await me({ Authorization: `Bearer ${token}` }))).to.deep.equal([401, 'Invalid JWT']);
    const right = await issuer.sign({ tenantId: 'acme', sub: 'ada' });
    expect((await me({ Authorization: `Bearer ${right}` })).status).to.equal(200);
  });
});
