import { expect } from 'chai';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { withSession } from '../../../src/postgres/session.js';
import { packageRoot } from '../../../src/base/package.js';
import { startTestIssuer, type TestIssuer, type TestIssuerOptions } from '../../support/auth/test-issuer.js';
import {
  createNotificationsDatabase,
  type NotificationsDatabase,
} from '../../support/notifications/notifications-database.js';
import {
  createTestDatabase,
  startTestServer,
  type TestDatabase,
  type TestServer,
} from '../../support/postgres/database.js';
import { manualBlocks } from '../../support/end-to-end/manual-commands.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

const ANONYMOUS = 'logins_anonymous';
const STAFF = 'logins_staff';
const LOGIN = 'logins_login';
const SHARED = 'the shared secret of these tests, of 32 bytes or more';
const NOW = Math.floor(Date.now() / 1000);
const LATER = 4_102_444_800;

const hmac = (claims: JWTPayload, secret: string): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));

const ROLES = `
  create role anon nologin;
  create role web_user nologin;
  create role authenticated nologin;
  create role dbr_authenticator login noinherit password 'pages';
  grant anon, web_user, authenticated to dbr_authenticator;
  create schema api;
  grant usage on schema api to anon, web_user, authenticated;
`;

/** A page of docs/access/logins. */
interface IssuerPage {
  /** The text of each settings file. */
  readonly settings: readonly string[];
  readonly claims: JWTPayload;
  /** The values that the table of the page has for role, tenant, user and scopes. */
  readonly becomes: ReadonlyMap<string, string>;
}

async function readPage(name: string): Promise<IssuerPage> {
  const path = `docs/access/logins/${name}.md`;
  const blocks = await manualBlocks(path);
  const textsIn = (language: string): readonly string[] =>
    blocks.filter((block) => block.language === language).map(({ text }) => text);
  const rows = readFileSync(join(packageRoot(), path), 'utf8').matchAll(
    /^\| (\w+) +\| `[^`]+` +\| `([^`]+)` +\|$/gm,
  );
  return {
    settings: textsIn('ini'),
    claims: JSON.parse(textsIn('json')[0] ?? '') as JWTPayload,
    becomes: new Map([...rows].map(([, member = '', value = '']) => [member, value.replaceAll('\\|', '|')])),
  };
}

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
  /** A server of its own, whose roles have the names of the pages. */
  let server: TestServer;
  let pages: TestDatabase;
  const services: TestService[] = [];
  const issuers: TestIssuer[] = [];

  before(async () => {
    [database, tables, server] = await Promise.all([
      createNotificationsDatabase(),
      createTestDatabase(),
      startTestServer(),
    ]);
    pages = await createTestDatabase(server.uri);
    await withSession(pages.uri, (session) => session.script(ROLES));
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
    await server.remove();
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

  /** Starts with a settings file of a page; the issuer of the test stands for that of the page. */
  async function startWith(settings: string, { iss }: JWTPayload, issuer: TestIssuer): Promise<TestService> {
    const file = join(folder, 'dbr.conf');
    writeFileSync(file, settings.replaceAll(new URL(String(iss)).origin, new URL(issuer.issuer).origin));
    const service = await startTestService(
      {
        areas: 'notifications, data-api',
        'db-uri': pages.uriFor('dbr_authenticator', 'pages'),
        'service-db-uri': database.serviceUri,
        'db-pool': '2',
        'db-channel-enabled': 'false',
        'service-jwt-secret': SHARED,
      },
      { file },
    );
    services.push(service);
    await untilReady(service);
    return service;
  }

  async function publish(service: TestService, token: string): Promise<number> {
    const response = await fetch(`${service.url}/api/v1/notifications`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ type: 'a.b', title: 't', userIds: ['ada'] }),
    });
    await response.text();
    return response.status;
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

  /** The pages of the issuers; a token as the page has it, with these claims in the place of its own, is refused. */
  const PAGES: readonly {
    readonly name: string;
    readonly algorithm: 'ES256' | 'RS256';
    readonly header: Readonly<Record<string, unknown>>;
    readonly refused: JWTPayload;
  }[] = [
    // An ID token: its audience is the client.
    { name: 'auth0', algorithm: 'RS256', header: { typ: 'JWT' }, refused: { aud: 'my_client_id' } },
    { name: 'keycloak', algorithm: 'RS256', header: { typ: 'JWT' }, refused: { aud: 'account' } },
    { name: 'supabase', algorithm: 'ES256', header: { typ: 'JWT' }, refused: { aud: 'other' } },
    {
      name: 'cognito',
      algorithm: 'RS256',
      header: {},
      // An ID token: it has an audience and no client.
      refused: { client_id: undefined, aud: '57cbishk4j24pabc1234567890', token_use: 'id' },
    },
    {
      name: 'entra',
      algorithm: 'RS256',
      header: { typ: 'JWT', x5t: 'i6lGk3FZzxRcUb2C3nEQ7syHJlY' },
      refused: { aud: '00000003-0000-0000-c000-000000000000' },
    },
    {
      name: 'clerk',
      algorithm: 'RS256',
      header: { typ: 'JWT', cat: 'cl_B7d4PD111AAA' },
      refused: { azp: 'https://elsewhere.example' },
    },
  ];

  for (const { name, algorithm, header, refused } of PAGES)
    it(`of ${name} open the tables and the inbox, with the settings and the token of its page`, async () => {
      const { settings, claims, becomes } = await readPage(name);
      const issuer = await openIssuer({
        path: new URL(String(claims.iss)).pathname.replace(
          /^\/$/,
          claims.iss?.endsWith('/') === true ? '/' : '',
        ),
        algorithm,
      });
      const service = await startWith(settings[0] ?? '', claims, issuer);
      const own = { ...claims, iss: issuer.issuer, ...hour, nbf: NOW };
      const token = await issuer.sign(own, header);
      expect(await opened(service, token)).to.deep.equal({
        role: becomes.get('role'),
        inbox: `${becomes.get('tenant') ?? ''}/${becomes.get('user') ?? ''}`,
      });
      const mayWrite = becomes.get('scopes')?.split(' ').includes('notifications:write') === true;
      expect(await publish(service, token)).to.equal(mayWrite ? 201 : 403);
      expect(await opened(service, await issuer.sign({ ...own, ...refused }, header))).to.deep.equal({
        role: 401,
        inbox: 401,
      });
    });

  it('of Supabase with the legacy secret open them, with the other settings of the page', async () => {
    const { settings, claims, becomes } = await readPage('supabase');
    const issuer = await openIssuer({ path: '/auth/v1' });
    const service = await startWith(settings[1] ?? '', claims, issuer);
    const own = { ...claims, ...hour };
    const opens = { role: 'authenticated', inbox: `acme/${becomes.get('user') ?? ''}` };
    for (const token of [await hmac(own, SHARED), await issuer.sign(own)]) {
      expect(await opened(service, token)).to.deep.equal(opens);
      expect(await publish(service, token)).to.equal(201);
    }
    const other = await hmac({ ...own, aud: 'other' }, SHARED);
    expect(await opened(service, other)).to.deep.equal({ role: 401, inbox: 401 });
  });

  it('of Entra for an application without a user have scopes among its roles, as the page says', async () => {
    const { settings, claims } = await readPage('entra');
    const issuer = await openIssuer({ path: new URL(String(claims.iss)).pathname, algorithm: 'RS256' });
    const line = (settings[0] ?? '').replace(
      '"preset": "entra"',
      '"preset": "entra", "scopes-claim": ".roles"',
    );
    const service = await startWith(line, claims, issuer);
    const own = { ...claims, iss: issuer.issuer, ...hour, nbf: NOW, scp: undefined };
    expect(await publish(service, await issuer.sign(own))).to.equal(403);
    const token = await issuer.sign({ ...own, roles: ['notifications:write', 'web_user'] });
    expect(await publish(service, token)).to.equal(201);
    expect((await opened(service, token)).role).to.equal('web_user');
  });

  it('of Keycloak for several organizations, or with more about one, are refused by the inbox alone', async () => {
    const { settings, claims } = await readPage('keycloak');
    const issuer = await openIssuer({ path: '/realms/shop', algorithm: 'RS256' });
    const service = await startWith(settings[0] ?? '', claims, issuer);
    const own = { ...claims, iss: issuer.issuer, ...hour };
    for (const organization of [['acme', 'globex'], { acme: { id: '42c3e46f-2477-44d7-a85b-d3b43f6b31fa' } }])
      expect(await opened(service, await issuer.sign({ ...own, organization }))).to.deep.equal({
        role: 'web_user',
        inbox: 401,
      });
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
    expect(await publish([{ scope: 'notifications:write' }])).to.equal(403);
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
