import { expect } from 'chai';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT, type JWTPayload } from 'jose';
import { createAuthority } from '../../../examples/parties/certificates.js';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { startTestIssuer, type TestIssuer, type TestIssuerOptions } from '../../support/auth/test-issuer.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

const ANONYMOUS = 'issuers_anonymous';
const STAFF = 'issuers_staff';
const LOGIN = 'issuers_login';
const SECRET = 'a-secret-of-this-test-that-is-long-enough';
const ROLES = `
  create role ${ANONYMOUS} nologin;
  create role ${STAFF} nologin;
  create role ${LOGIN} login noinherit password 'login';
  grant ${ANONYMOUS}, ${STAFF} to ${LOGIN};
  create function who() returns text language sql stable as 'select current_user::text';
`;

const hmac = (claims: JWTPayload, secret: string): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));

describe('issuers of tokens', function () {
  this.timeout(120_000);
  const authority = createAuthority('issuers authority');
  const folder = mkdtempSync(join(tmpdir(), 'dbr-issuers-'));
  const authorityFile = join(folder, 'authority.pem');
  let database: TestDatabase;
  let session: Session;
  const services: TestService[] = [];
  const issuers: TestIssuer[] = [];

  before(async () => {
    writeFileSync(authorityFile, authority.certificate);
    database = await createTestDatabase();
    session = await openSession(database.uri);
    await session.script(ROLES);
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.stop();
    for (const issuer of issuers.splice(0)) await issuer.close();
  });
  after(async () => {
    await session.script(`drop function who(); drop role ${LOGIN}, ${STAFF}, ${ANONYMOUS}`);
    await session.close();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  async function openIssuer(options: TestIssuerOptions = {}): Promise<TestIssuer> {
    const issuer = await startTestIssuer(options);
    issuers.push(issuer);
    return issuer;
  }
  const openSecureIssuer = (): Promise<TestIssuer> => openIssuer({ certified: authority.issue('localhost') });

  async function start(settings: Readonly<Record<string, string>>, file?: string): Promise<TestService> {
    const service = await startTestService(
      {
        areas: 'data-api',
        'db-uri': database.uriFor(LOGIN, 'login'),
        'db-anon-role': ANONYMOUS,
        'db-pool': '2',
        'db-channel-enabled': 'false',
        'jwks-refetch-interval': '1',
        ...settings,
      },
      file === undefined ? {} : { file },
    );
    services.push(service);
    await untilReady(service);
    return service;
  }

  const call = (service: TestService, token: string): Promise<Response> =>
    fetch(`${service.url}/rpc/who`, { headers: { Authorization: `Bearer ${token}` } });
  /** The role that the request runs as, or the message of its refusal. */
  async function outcome(service: TestService, token: string): Promise<unknown> {
    const response = await call(service, token);
    const body: unknown = await response.json();
    return response.status === 200
      ? body
      : Object.entries(body ?? {}).find(([name]) => name === 'message')?.[1];
  }
  const untilOutcome = async (service: TestService, token: string, wanted: string): Promise<void> => {
    while ((await outcome(service, token)) !== wanted)
      await new Promise((resolve) => setTimeout(resolve, 50));
  };

  const INVALID = 'JWSError JWSInvalidSignature';
  const AWAY = "Could not load the keys of the token's issuer. Retrying.";

  it('are verified with the keys that their metadata name, over TLS with a private authority', async () => {
    const issuer = await openSecureIssuer();
    const service = await start({ 'jwt-issuers': issuer.issuer, 'jwks-tls-ca': authorityFile });
    expect(await outcome(service, await issuer.sign({ role: STAFF }))).to.equal(STAFF);
    expect(await outcome(service, await issuer.sign({}))).to.equal(ANONYMOUS);
    expect(issuer.requests).to.deep.equal(['/.well-known/openid-configuration', '/keys']);
  });

  it('are not contacted when their TLS certificate is not trusted', async () => {
    const issuer = await openSecureIssuer();
    const service = await start({ 'jwt-issuers': issuer.issuer });
    const response = await call(service, await issuer.sign({ role: STAFF }));
    expect(response.status).to.equal(503);
    expect(Number(response.headers.get('retry-after'))).to.be.within(1, 60);
    expect(await response.json()).to.deep.equal({ code: 'DBR310', message: AWAY, details: null, hint: null });
    expect(issuer.requests).to.deep.equal([]);
  });

  it('have their own audience, role claim, algorithms and roles', async () => {
    const [a, b] = [await openIssuer(), await openIssuer()];
    const service = await start({
      'jwt-issuers': JSON.stringify([
        { issuer: a.issuer, audience: ['api', 'web'], 'role-claim-key': '.app.roles[0]', roles: [STAFF] },
        { issuer: b.issuer, 'jwks-uri': b.jwksUri, algorithms: ['RS256'] },
      ]),
    });
    const app = { roles: [STAFF] };
    expect(await outcome(service, await a.sign({ aud: 'web', app }))).to.equal(STAFF);
    expect(await outcome(service, await a.sign({ aud: ['x', 'api'], app, role: 'postgres' }))).to.equal(
      STAFF,
    );
    expect(await outcome(service, await a.sign({ aud: 'api', role: STAFF }))).to.equal(ANONYMOUS);
    expect(await outcome(service, await a.sign({ aud: 'other', app }))).to.equal('JWTNotInAudience');
    expect(await outcome(service, await a.sign({ app }))).to.equal('JWTNotInAudience');
    expect(await outcome(service, await a.sign({ aud: 'api', app: { roles: [ANONYMOUS] } }))).to.equal(
      'the issuer of the token may not name this role',
    );
    expect(
      await outcome(service, await b.sign({ role: STAFF })),
      'ES256 is not among its algorithms',
    ).to.equal(INVALID);
  });

  it('do not verify tokens of another issuer', async () => {
    const [a, b] = [await openIssuer(), await openIssuer()];
    const service = await start({ 'jwt-issuers': `${a.issuer},${b.issuer}`, 'jwt-secret': SECRET });
    for (const issuer of [a, b])
      expect(await outcome(service, await issuer.sign({ role: STAFF }))).to.equal(STAFF);
    expect(await outcome(service, await a.sign({ iss: b.issuer, role: STAFF }))).to.equal(INVALID);
    expect(await outcome(service, await a.sign({ iss: `${a.issuer}/`, role: STAFF }))).to.equal(INVALID);
    expect(await outcome(service, await a.sign({ iss: undefined, role: STAFF }))).to.equal(INVALID);
    expect(await outcome(service, await hmac({ iss: a.issuer, role: STAFF }, SECRET))).to.equal(INVALID);
    expect(await outcome(service, await hmac({ iss: 'elsewhere', role: STAFF }, SECRET))).to.equal(STAFF);
    expect(await outcome(service, await hmac({ role: STAFF }, SECRET))).to.equal(STAFF);
  });

  it('are the only ones if no other key is set, including JWT_SECRET', async () => {
    const issuer = await openIssuer();
    for (const keys of [{ 'jwt-issuers': issuer.issuer }, { 'jwks-uri': issuer.jwksUri }]) {
      const service = await start({ ...keys, 'service-jwt-secret': SECRET });
      expect(await outcome(service, await issuer.sign({ role: STAFF }))).to.equal(STAFF);
      expect(await outcome(service, await hmac({ role: STAFF }, SECRET))).to.equal(
        'jwks-uri' in keys ? INVALID : 'the issuer of the token is not trusted',
      );
    }
  });

  it('publish no shared secret, and tokens name neither keys nor addresses', async () => {
    const issuer = await openIssuer();
    const service = await start({ 'jwks-uri': issuer.jwksUri });
    const keySet = await (await fetch(issuer.jwksUri)).text();
    for (const secret of [keySet, issuer.jwksUri])
      expect(await outcome(service, await hmac({ iss: issuer.issuer, role: STAFF }, secret))).to.equal(
        INVALID,
      );

    const visits: string[] = [];
    const trap = createServer(({ url = '' }, response) => {
      visits.push(url);
      response.end(keySet);
    }).listen(0, '127.0.0.1');
    await once(trap, 'listening');
    const address = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/trap`;
    const foreign = await openIssuer();
    for (const header of [{ jku: address }, { x5u: address }, { jku: foreign.jwksUri, kid: 'key-1' }])
      expect(
        await outcome(service, await foreign.sign({ iss: issuer.issuer, role: STAFF }, header)),
      ).to.equal(INVALID);
    expect([visits, foreign.requests]).to.deep.equal([[], []]);
    trap.close();

    const oct = { kty: 'oct', kid: 'oct', k: Buffer.from(SECRET).toString('base64url') };
    issuer.fault = (response) => response.end(JSON.stringify({ keys: [oct] }));
    const token = new SignJWT({ role: STAFF }).setProtectedHeader({ alg: 'HS256', kid: 'oct' });
    expect(await outcome(service, await token.sign(Buffer.from(SECRET)))).to.equal(INVALID);
  });

  it('may be unreachable: their last keys stay valid, and new ones are loaded later', async () => {
    const issuer = await openIssuer();
    const service = await start({ 'jwt-issuers': issuer.issuer });
    expect(await outcome(service, await issuer.sign({ role: STAFF }))).to.equal(STAFF);
    await issuer.close();
    expect(await outcome(service, await issuer.sign({ role: STAFF, jti: 'not seen before' }))).to.equal(
      STAFF,
    );
    issuer.rotate();
    const token = await issuer.sign({ role: STAFF });
    expect(await outcome(service, token), 'its key cannot be known').to.equal(INVALID);
    await issuer.open();
    expect(await outcome(service, token)).to.equal(STAFF);
  });

  it('may be unreachable at the start: their tokens get 503 until the keys are loaded', async () => {
    const issuer = await openIssuer();
    const token = await issuer.sign({ role: STAFF });
    await issuer.close();
    const service = await start({ 'jwt-issuers': issuer.issuer, 'jwt-secret': SECRET });
    expect(await outcome(service, token)).to.equal(AWAY);
    expect(await outcome(service, await hmac({ role: STAFF }, SECRET)), 'other keys go on').to.equal(STAFF);
    await issuer.open();
    await untilOutcome(service, token, STAFF);
  });

  it('may hang: a token waits no longer than the request timeout', async () => {
    const issuer = await openIssuer();
    issuer.fault = () => undefined;
    const service = await start({ 'jwks-uri': issuer.jwksUri, 'jwks-fetch-timeout': '1' });
    expect(await outcome(service, await issuer.sign({ role: STAFF }))).to.equal(AWAY);
    issuer.fault = null;
    await untilOutcome(service, await issuer.sign({ role: STAFF }), STAFF);
  });

  it('may withdraw a key: its tokens are then refused', async () => {
    const issuer = await openIssuer();
    const service = await start({ 'jwt-issuers': issuer.issuer });
    const old = await issuer.sign({ role: STAFF });
    expect(await outcome(service, old)).to.equal(STAFF);
    issuer.rotate();
    expect(await outcome(service, await issuer.sign({ role: STAFF }))).to.equal(STAFF);
    expect(await outcome(service, old), 'still published').to.equal(STAFF);
    issuer.retireOldKeys();
    issuer.rotate();
    expect(await outcome(service, await issuer.sign({ role: STAFF }))).to.equal(STAFF);
    expect(await outcome(service, old)).to.equal(INVALID);
  });

  it('may rotate keys without key ids', async () => {
    const issuer = await openIssuer({ hasKids: false });
    const service = await start({ 'jwt-issuers': issuer.issuer });
    expect(await outcome(service, await issuer.sign({ role: STAFF }))).to.equal(STAFF);
    issuer.rotate();
    expect(await outcome(service, await issuer.sign({ role: STAFF }))).to.equal(STAFF);
  });

  it('are contacted at a bounded rate, however many tokens name unknown keys', async () => {
    const issuer = await openIssuer();
    const service = await start({ 'jwks-uri': issuer.jwksUri });
    expect(await outcome(service, await issuer.sign({ role: STAFF }))).to.equal(STAFF);
    const begunMs = performance.now();
    const flood = Array.from({ length: 300 }, async (_, index) =>
      outcome(service, await issuer.sign({ role: STAFF }, { kid: `unknown-${index}` })),
    );
    expect(new Set(await Promise.all(flood))).to.deep.equal(new Set([INVALID]));
    const seconds = (performance.now() - begunMs) / 1000;
    // The first load, and one for each second since then.
    expect(issuer.requests.length).to.be.within(2, 2 + Math.ceil(seconds));
    const expired = await issuer.sign({ role: STAFF, exp: 1_000_000_000 }, { kid: 'unknown' });
    const before = issuer.requests.length;
    expect(await outcome(service, expired)).to.equal(INVALID);
    expect(issuer.requests).to.have.length(before);
  });

  it('change with a reload of the settings; unchanged ones keep their keys', async () => {
    const [a, b] = [await openIssuer(), await openIssuer()];
    const file = join(folder, 'settings.conf');
    writeFileSync(file, `jwt-issuers = [{"issuer": "${a.issuer}", "roles": "${STAFF}"}] # one\n`);
    const service = await start({}, file);
    const tokens = { a: await a.sign({ role: STAFF }), b: await b.sign({ role: STAFF }) };
    const unknown = 'the issuer of the token is not trusted';
    expect(await outcome(service, tokens.a)).to.equal(STAFF);
    expect(await outcome(service, tokens.b)).to.equal(unknown);
    writeFileSync(file, `jwt-issuers = ["${a.issuer}", "${b.issuer}"]\n`);
    service.reloadSettings();
    await untilOutcome(service, tokens.b, STAFF);
    expect(await outcome(service, tokens.a)).to.equal(STAFF);
    expect(a.requests, 'loaded once').to.have.length(2);
    writeFileSync(file, `jwt-issuers = "${b.issuer}"\n`);
    service.reloadSettings();
    await untilOutcome(service, tokens.a, unknown);
    expect(await outcome(service, tokens.b)).to.equal(STAFF);
  });

  it('may be set in the database', async () => {
    const issuer = await openIssuer();
    const value = JSON.stringify([{ issuer: issuer.issuer }]);
    await session.script(
      `alter role ${LOGIN} in database ${database.name} set dbr.jwt_issuers to '${value}'`,
    );
    try {
      const service = await start({});
      expect(await outcome(service, await issuer.sign({ role: STAFF }))).to.equal(STAFF);
    } finally {
      await session.script(`alter role ${LOGIN} in database ${database.name} reset dbr.jwt_issuers`);
    }
  });

  it('cannot make a request run as the login role', async () => {
    const issuer = await openIssuer();
    const service = await start({ 'jwt-secret': issuer.jwksUri });
    expect(await outcome(service, await issuer.sign({ role: LOGIN }))).to.equal(
      `the role "${LOGIN}" is reserved`,
    );
    expect(await outcome(service, await issuer.sign({ role: STAFF }))).to.equal(STAFF);
  });

  it('are counted by their loads', async () => {
    const issuer = await openIssuer();
    const service = await start({ 'jwks-uri': issuer.jwksUri });
    expect(await outcome(service, await issuer.sign({ role: STAFF }))).to.equal(STAFF);
    const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
    expect(text).to.contain('dbr_key_set_loads_total{status="SUCCESS"} 1');
  });

  const refusals: readonly (readonly [settings: Readonly<Record<string, string>>, message: string])[] = [
    [
      { 'jwt-secret': 'http://keys.example/jwks.json-and-more-text' },
      'jwt-secret: the address of a key set must be an https address',
    ],
    [
      { 'jwt-secret': 'https://keys.example/', 'jwks-uri': 'https://keys.example/' },
      'jwt-secret: the secret is the address of a key set, but jwks-uri is also set: set one of the two',
    ],
    [{ 'jwks-uri': 'http://keys.example' }, 'jwks-uri'],
    [{ 'jwks-tls-ca': '/nowhere/authority.pem' }, 'jwks-tls-ca: ENOENT'],
  ];
  for (const [settings, message] of refusals)
    it(`refuse the start by ${message}`, async () => {
      const error: unknown = await start(settings).catch((refusal: unknown) => refusal);
      expect(error).to.be.an('error').with.property('message').that.contains(message);
    });

  it('refuse http if NODE_ENV is production', async () => {
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      for (const name of ['jwks-uri', 'jwt-issuers', 'jwt-secret']) {
        const error: unknown = await start({ [name]: 'http://localhost:1/keys' }).catch(
          (refusal: unknown) => refusal,
        );
        expect(error)
          .to.be.an('error')
          .with.property('message')
          .that.contains(
            `${name}: keys are fetched by https if NODE_ENV is production: use an https address`,
          );
      }
    } finally {
      if (before === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = before;
    }
  });
});
