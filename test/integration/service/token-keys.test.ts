import { expect } from 'chai';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { DEVELOPMENT_JWT_SECRET } from '../../../src/auth/keys.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

const SECRET = 'a-secret-of-this-test-that-is-long-enough';
const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KEY_SET = JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] });

const signed = (claims: Record<string, unknown>, secret = SECRET, alg = 'HS256'): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg }).sign(Buffer.from(secret));

describe('keys for tokens', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  const services: TestService[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'dbr-token-keys-'));

  const start = async (settings: Readonly<Record<string, string>>): Promise<TestService> => {
    const service = await startTestService({
      'db-uri': database.uri,
      'db-anon-role': 'postgres',
      areas: 'data-api',
      ...settings,
    });
    services.push(service);
    return service;
  };
  const refusal = async (settings: Readonly<Record<string, string>>): Promise<string> => {
    try {
      await start(settings);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    return 'started';
  };

  before(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.stop();
  });
  after(() => database.drop());

  it('prevent the start when they are invalid, with the name of the setting', async () => {
    const broken = join(folder, 'broken.json');
    writeFileSync(broken, `\uFEFF${KEY_SET}canary`);
    for (const [settings, message] of [
      [{ 'jwt-secret': 'canary' }, 'jwt-secret: a shared secret needs at least 32 bytes'],
      [
        { 'jwt-secret': `@${broken}` },
        'jwt-secret: it begins like a JWK or a key set, but is not JSON in UTF-8',
      ],
      [{ 'jwt-secret': '[]' }, 'jwt-secret: the key set holds no key'],
      [
        { areas: 'notifications', 'service-jwt-secret': 'canary' },
        'service-jwt-secret (JWT_SECRET): a shared secret needs at least 32 bytes',
      ],
      [
        { areas: 'notifications', 'service-jwt-secret': KEY_SET },
        'service-jwt-secret (JWT_SECRET): a shared secret is expected, not a JWK or a key set',
      ],
      [{ 'service-jwt-secret': 'canary' }, 'jwt-secret: a shared secret needs at least 32 bytes'],
    ] as const)
      expect(await refusal(settings))
        .to.contain(message)
        .and.not.to.contain('canary');
    expect(await refusal({ 'db-anon-role': 'none' })).to.contain('db-anon-role');
  });

  it('are read from a file with a byte order mark, which is not part of the key', async () => {
    const file = join(folder, 'keys.json');
    writeFileSync(file, `\uFEFF${KEY_SET}\n`);
    const service = await start({ 'jwt-secret': `@${file}` });
    await untilReady(service);
    for (const text of [`\uFEFF${KEY_SET}`, `\uFEFF${KEY_SET}\n`, KEY_SET]) {
      const forged = await signed({ role: 'postgres' }, text);
      const { status } = await fetch(service.url, { headers: { Authorization: `Bearer ${forged}` } });
      expect(status).to.equal(401);
    }
  });

  it('stay in effect when a reload finds invalid ones', async () => {
    const file = join(folder, 'secret');
    writeFileSync(file, SECRET);
    const service = await start({ 'jwt-secret': `@${file}` });
    await untilReady(service);
    const statusOf = async (token: string): Promise<number> =>
      (await fetch(service.url, { headers: { Authorization: `Bearer ${token}` } })).status;
    const token = await signed({ role: 'postgres' });
    expect(await statusOf(token)).to.equal(200);
    const broken = `${KEY_SET}and-more`;
    writeFileSync(file, broken);
    service.reloadSettings();
    const logged = (): boolean =>
      service.logs.some((line) => line.includes('the new keys for tokens are refused'));
    while (!logged()) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await statusOf(token)).to.equal(200);
    expect(await statusOf(await signed({ role: 'postgres' }, broken))).to.equal(401);
    expect(service.logs.join('\n')).not.to.contain(SECRET);
  });

  it('cause a log line at the start for algorithms that a secret is too short for', async () => {
    const service = await start({ 'jwt-secret': SECRET });
    expect(service.logs.join('\n')).to.match(/"algorithms":\["HS384","HS512"\].*jwt-secret is too short/);
  });

  it('are required only for served areas: the data API alone needs no JWT_SECRET in production', async () => {
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      const service = await start({ 'jwt-secret': SECRET });
      await untilReady(service);
      const token = await signed({ role: 'postgres' });
      const { status } = await fetch(service.url, { headers: { Authorization: `Bearer ${token}` } });
      expect(status).to.equal(200);
      expect(await refusal({ areas: 'notifications' })).to.contain('JWT_SECRET must be set');
      expect(await refusal({ 'jwt-secret': DEVELOPMENT_JWT_SECRET })).to.contain('jwt-secret: ');
    } finally {
      if (before === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = before;
    }
  });

  it('never make a request run as the login role', async () => {
    const service = await start({ 'jwt-secret': SECRET });
    await untilReady(service);
    const response = await fetch(service.url, {
      headers: { Authorization: `Bearer ${await signed({ role: 'none' })}` },
    });
    expect(response.status).to.equal(401);
    expect(await response.json()).to.deep.equal({
      code: 'DBR301',
      message: 'the role "none" is reserved',
      details: null,
      hint: null,
    });
  });
});
