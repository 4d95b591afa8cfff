import type { Identity } from '../../../src/contract/request.js';
import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UNOBSERVED } from '../../support/unobserved.js';
import { generateKeyPairSync } from 'node:crypto';
import { CompactSign, SignJWT } from 'jose';
import { packageRoot } from '../../../src/base/package.js';
import { SERVICE_ROLES } from '../../../src/base/service-roles.js';
import { createAuthenticator, type IdentitySettings } from '../../../src/auth/identity.js';
import { trustedIssuers, type TrustSettings } from '../../../src/auth/trusted-issuers.js';
import type { KeySets } from '../../../src/auth/remote-key-set.js';
import { DbrError } from '../../../src/errors/dbr-error.js';

const SECRET = 'golden-secret-golden-secret-golden-secret';
type Settings = IdentitySettings & TrustSettings;
const settings: Settings = {
  'jwt-secret': SECRET,
  'jwt-secret-is-base64': false,
  'jwks-uri': null,
  'jwt-issuers': [],
  'jwt-aud': null,
  'jwt-role-claim-key': '.role',
  'notifications-claim-tenant': '.tenantId',
  'notifications-claim-user': '.sub',
  'notifications-claim-scopes': '.scope',
  'jwt-cache-max-lifetime': 0,
  'db-anon-role': 'anon',
  'compatibility-level': '12',
};
/** Key sets that fail the test if one is fetched. */
const keySets: KeySets = {
  at: () => expect.fail('no key set is expected'),
  retain: () => undefined,
  close: () => undefined,
};
const authenticatorOf = (given: Settings) =>
  createAuthenticator(given, {
    issuers: trustedIssuers(given, keySets),
    loginRole: 'authenticator',
    observe: UNOBSERVED,
  });
const sign = (claims: Record<string, unknown>, secret = SECRET): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));

async function outcome(
  authorization: string | undefined,
  changed: Partial<Settings> = {},
): Promise<Identity | DbrError> {
  try {
    return await authenticatorOf({ ...settings, ...changed }).identify(authorization);
  } catch (error) {
    if (error instanceof DbrError) return error;
    throw error;
  }
}

const nobody: Identity = { role: 'anon', claims: '{"role":"anon"}', authenticated: false };

describe('identity of a data API request', () => {
  it('is the anonymous role without a Bearer token', async () => {
    for (const header of [undefined, '', 'Basic Zm9v', 'Bearer', 'Bearer ', 'xyz'])
      expect(await outcome(header), header).to.deep.equal(nobody);
  });

  it('refuses claims that are nested too deeply, whatever reads the role', async () => {
    const signed = (levels: number): Promise<string> =>
      new CompactSign(Buffer.from(`{"x":${'['.repeat(levels)}${']'.repeat(levels)}}`))
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from(SECRET));
    for (const path of ['.role', '$.role', '$..role', '$..roles[?@ == "x"]']) {
      const read = async (levels: number): Promise<Identity | DbrError> =>
        outcome(`Bearer ${await signed(levels)}`, { 'jwt-role-claim-key': path });
      expect(await read(99), path).to.have.property('role', 'anon');
      for (const levels of [100, 20_000])
        expect(await read(levels), path).to.deep.include({
          code: 'DBR301',
          status: 401,
          message: 'The claims are nested too deeply',
        });
    }
  });

  it('reads the scheme in any case and any number of blanks', async () => {
    const token = await sign({ role: 'staff' });
    for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token}`]) {
      expect(await outcome(header)).to.deep.equal({
        role: 'staff',
        claims: '{"role":"staff"}',
        authenticated: true,
      });
    }
  });

  it('puts the resolved role into the claims', async () => {
    expect(await outcome(`Bearer ${await sign({ sub: 'x' })}`)).to.deep.equal({
      role: 'anon',
      claims: '{"role":"anon","sub":"x"}',
      authenticated: false,
    });
    expect(
      await outcome(`Bearer ${await sign({ app: { roles: ['a', 'b'] } })}`, {
        'jwt-role-claim-key': '.app.roles[1]',
      }),
    ).to.include({ role: 'b', authenticated: true });
  });

  it('sorts the claims by name, at every depth', async () => {
    const token = await sign({ role: 'staff', exp: 4_102_444_800, extra: { b: [1, null], a: 'é' } });
    expect(await outcome(`Bearer ${token}`)).to.include({
      claims: '{"exp":4102444800,"extra":{"a":"é","b":[1,null]},"role":"staff"}',
    });
  });

  it('keeps the digits of numbers in the claims, whatever role the token has', async () => {
    const signed = (text: string): Promise<string> =>
      new CompactSign(Buffer.from(text)).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(SECRET));
    const cases: readonly (readonly [text: string, claims: string])[] = [
      [
        '{"tenant": 12345678901234567890, "n": [1.0, 1e3, -0, 12345678901.123456789]}',
        '{"n":[1.0,1e3,-0,12345678901.123456789],"role":"anon","tenant":12345678901234567890}',
      ],
      [
        '{"role":"staff","id":12345678901234567890,"id":{"b":0.00000001,"a":1E+2} }\n',
        '{"id":{"a":1E+2,"b":0.00000001},"role":"staff"}',
      ],
      [
        '{"r\\u006fle":"other","role":"staff","10":1.50,"9":"1.0 \\" n1e3 \\\\"}',
        '{"10":1.50,"9":"1.0 \\" n1e3 \\\\","role":"staff"}',
      ],
      ['{"role":7,"__proto__":1.0,"s":"n1"}', '{"__proto__":1.0,"role":"7","s":"n1"}'],
      [' { } ', '{"role":"anon"}'],
    ];
    for (const [text, claims] of cases)
      expect(await outcome(`Bearer ${await signed(text)}`), text).to.have.property('claims', claims);
    const path = { 'jwt-role-claim-key': '.app.role' };
    expect(
      await outcome(`Bearer ${await signed('{"role":"x","app":{"role":"staff"},"id":1.0}')}`, path),
    ).to.deep.equal({
      role: 'staff',
      claims: '{"app":{"role":"staff"},"id":1.0,"role":"staff"}',
      authenticated: true,
    });
  });

  it('responds to unverifiable tokens with DBR301 and a challenge', async () => {
    const error = await outcome('Bearer a.b');
    expect(error).to.include({
      code: 'DBR301',
      status: 401,
      message: 'JWSError (CompactDecodeError Invalid number of parts: Expected 3 parts; got 2)',
      details: null,
      hint: null,
    });
    expect(error).to.have.deep.property('headers', {
      'WWW-Authenticate':
        'Bearer error="invalid_token", error_description="JWSError (CompactDecodeError Invalid number of parts: Expected 3 parts; got 2)"',
    });
  });

  it('escapes quotes of the description', async () => {
    expect(await outcome('Bearer a.b.c')).to.have.deep.property('headers', {
      'WWW-Authenticate':
        'Bearer error="invalid_token", error_description="JWSError (JSONDecodeError \\"Not valid base64url\\")"',
    });
  });

  it('responds with DBR302 if anonymous access is disabled', async () => {
    for (const header of [undefined, 'Basic x', `Bearer ${await sign({ sub: 'x' })}`]) {
      const error = await outcome(header, { 'db-anon-role': null });
      expect(error).to.include({ code: 'DBR302', status: 401 });
      expect(error).to.have.deep.property('headers', { 'WWW-Authenticate': 'Bearer' });
    }
  });

  it('responds with DBR300 to every token if no secret is set', async () => {
    expect(await outcome('Bearer x', { 'jwt-secret': null })).to.include({ code: 'DBR300', status: 500 });
    expect(await outcome(undefined, { 'jwt-secret': null })).to.deep.equal(nobody);
  });

  it('caches a verified token until its keys are withdrawn', async () => {
    const authenticator = authenticatorOf(settings);
    const header = `Bearer ${await sign({ role: 'staff' })}`;
    const first = await authenticator.identify(header);
    expect(authenticator.identify(header), 'answered at once').to.equal(first);
    expect(await outcome(header, { 'jwt-secret': 'another-secret-another-secret-another' })).to.include({
      code: 'DBR301',
    });
  });

  it('does not cache a refusal', async () => {
    const authenticator = authenticatorOf(settings);
    const expired = `Bearer ${await sign({ role: 'staff', exp: 1_000_000_000 })}`;
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(
        await Promise.resolve(authenticator.identify(expired)).catch((error: unknown) => error),
      ).to.include({ message: 'JWT expired' });
    }
  });

  it('is verified with the key whose ID the token names, if there is one', async () => {
    const [first, second] = [
      generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    ];
    const jwks = [first, second].map(({ publicKey }, index) => ({
      ...publicKey.export({ format: 'jwk' }),
      kid: `key-${index}`,
    }));
    const signedBySecond = async (
      header: Readonly<Record<string, string>>,
      changed: Partial<Settings> = {},
    ) =>
      outcome(
        `Bearer ${await new SignJWT({ role: 'staff' }).setProtectedHeader({ alg: 'ES256', ...header }).sign(second.privateKey)}`,
        { ...changed, 'jwt-secret': JSON.stringify(jwks) },
      );
    expect(await signedBySecond({ kid: 'key-1' })).to.include({ role: 'staff' });
    expect(await signedBySecond({ kid: 'key-0' })).to.include({ message: 'JWSError JWSInvalidSignature' });
    expect(await signedBySecond({ kid: 'of no key' }), 'as in the reference').to.include({ role: 'staff' });
    expect(await signedBySecond({})).to.include({ role: 'staff' });
    const level16 = { 'compatibility-level': '16' } as const;
    expect(await signedBySecond({ kid: 'key-1' }, level16)).to.include({ role: 'staff' });
    expect(await signedBySecond({ kid: 'of no key' }, level16)).to.include({ code: 'DBR301' });
    expect(await signedBySecond({}, level16)).to.include({ role: 'staff' });
    const withoutId = await new SignJWT({ role: 'staff' })
      .setProtectedHeader({ alg: 'HS256', kid: 'any' })
      .sign(Buffer.from(SECRET));
    expect(await outcome(`Bearer ${withoutId}`, level16), 'a key without an ID').to.include({
      role: 'staff',
    });
  });

  it('verifies tokens again after the cache was emptied, also if a verification was in progress', async () => {
    const authenticator = authenticatorOf(settings);
    const header = `Bearer ${await sign({ role: 'staff' })}`;
    const underWay = authenticator.identify(header);
    authenticator.forgetTokens();
    const first = await underWay;
    const second = authenticator.identify(header);
    expect(second).to.be.instanceOf(Promise);
    expect(await second).to.deep.equal(first);
    expect(authenticator.identify(header)).to.equal(await second);
    authenticator.forgetTokens();
    expect(authenticator.identify(header)).to.be.instanceOf(Promise);
  });

  it('is the login role only if that is the anonymous role', async () => {
    const token = `Bearer ${await sign({ role: 'authenticator' })}`;
    expect(await outcome(token)).to.include({
      code: 'DBR301',
      status: 401,
      message: 'the role "authenticator" is reserved',
    });
    expect(await outcome(token, { 'db-anon-role': 'authenticator' })).to.include({ role: 'authenticator' });
  });

  it('is no role of the service itself', async () => {
    for (const role of SERVICE_ROLES)
      expect(await outcome(`Bearer ${await sign({ role })}`)).to.include({
        code: 'DBR301',
        status: 401,
        message: `the role "${role}" is reserved`,
      });
    const folder = join(packageRoot(), 'migrations');
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const created = texts.flatMap((text) => [...text.matchAll(/'(dbr_\w+)',?\s+--|create role (dbr_\w+)/g)]);
    const roles = new Set(created.map(([, listed, named]) => listed ?? named));
    expect([...roles].sort()).to.deep.equal([...SERVICE_ROLES].sort());
  });

  it('is never the login role under another name', async () => {
    for (const [claims, changed] of [
      [{ role: 'none' }, {}],
      [{ app: ['none'] }, { 'jwt-role-claim-key': '.app[0]' }],
    ] as const) {
      expect(await outcome(`Bearer ${await sign(claims)}`, changed)).to.include({
        code: 'DBR301',
        status: 401,
        message: 'the role "none" is reserved',
      });
    }
    expect(await outcome(`Bearer ${await sign({ role: 'None' })}`)).to.include({ role: 'None' });
  });

  describe('with compatibility-level = 16', () => {
    const level16 = { 'compatibility-level': '16', 'jwt-aud': 'api' } as const;
    const now = Math.floor(Date.now() / 1000);
    const refusals: readonly (readonly [Record<string, unknown>, code: string, message: string])[] = [
      [{ exp: now - 100 }, 'DBR303', 'JWT expired'],
      [{ nbf: now + 3600 }, 'DBR303', 'JWT not yet valid'],
      [{ iat: now + 3600 }, 'DBR303', 'JWT issued at future'],
      [{ aud: 'other' }, 'DBR303', 'JWT not in audience'],
      [{ aud: [1] }, 'DBR303', "The JWT 'aud' claim must be a string or an array of strings"],
      [{ exp: 'soon' }, 'DBR303', "The JWT 'exp' claim must be a number"],
      [{ nbf: 'soon' }, 'DBR303', "The JWT 'nbf' claim must be a number"],
      [{ iat: 'soon' }, 'DBR303', "The JWT 'iat' claim must be a number"],
      [{ role: 'none' }, 'DBR303', 'the role "none" is reserved'],
    ];
    const challenge = (message: string) => ({
      'WWW-Authenticate': `Bearer error="invalid_token", error_description=${JSON.stringify(message)}`,
    });

    it('a wrong claim is DBR303', async () => {
      for (const [claims, code, message] of refusals) {
        const refused = await outcome(`Bearer ${await sign({ role: 'staff', ...claims })}`, level16);
        expect(refused).to.deep.include({
          code,
          status: 401,
          message,
          details: null,
          headers: challenge(message),
        });
      }
    });

    it('a text that is no claim set is DBR303', async () => {
      const text = await new CompactSign(Buffer.from('[1]'))
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from(SECRET));
      expect(await outcome(`Bearer ${text}`, level16)).to.include({
        code: 'DBR303',
        message: 'Parsing claims failed',
      });
    });

    it('a token that cannot be verified is DBR301, with details', async () => {
      const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`;
      const cases: readonly (readonly [string, message: string, details: string | null])[] = [
        ['Bearer a.b', 'Expected 3 parts in JWT; got 2', null],
        ['Bearer a.b.c', "JWT couldn't be decoded", null],
        [`Bearer ${none}`, 'Wrong or unsupported encoding algorithm', null],
        [
          `Bearer ${await sign({ role: 'staff' }, 'another-secret-another-secret-another')}`,
          'No suitable key or wrong key type',
          'None of the keys was able to decode the JWT',
        ],
        ['Bearer', 'Empty JWT is sent in Authorization header', null],
        ['bearer   ', 'Empty JWT is sent in Authorization header', null],
      ];
      for (const [header, message, details] of cases)
        expect(await outcome(header, level16), header).to.deep.include({
          code: 'DBR301',
          status: 401,
          message,
          details,
          headers: challenge(message),
        });
    });

    it('other schemes and no header are requests without a token', async () => {
      for (const header of [undefined, '', 'Basic Zm9v', 'Bearers'])
        expect(await outcome(header, level16), header).to.deep.equal(nobody);
    });
  });
});
