import { expect } from 'chai';
import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import {
  KeyError,
  readKeys,
  readPublishedKeys,
  tooShortFor,
  DEVELOPMENT_JWT_SECRET,
  serviceKeys,
} from '../../../src/auth/keys.js';
import { verifySignature } from '../../support/auth/verify-signature.js';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = publicKey.export({ format: 'jwk' });
const set = JSON.stringify({ keys: [{ ...jwk, kid: 'one' }] });

const refusal = (secret: string, isBase64 = false): string => {
  try {
    readKeys(secret, isBase64);
  } catch (error) {
    if (error instanceof KeyError) return error.message;
    throw error;
  }
  return 'taken';
};

describe('published keys', () => {
  const read = (...keys: readonly unknown[]) => readPublishedKeys({ keys });
  const algorithmsOf = (...keys: readonly unknown[]) => read(...keys).map(({ algorithms }) => algorithms);
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });

  it('have the algorithm that they name, or all of their type', () => {
    expect(algorithmsOf(jwk)).to.deep.equal([['ES256']]);
    expect(algorithmsOf({ ...rsa, alg: 'RS256' })).to.deep.equal([['RS256']]);
    expect(algorithmsOf(rsa)[0]).to.include.members(['RS256', 'RS384', 'RS512', 'PS256']);
    expect(algorithmsOf({ ...jwk, alg: 'RS256' })).to.deep.equal([]);
    expect(read({ ...jwk, kid: 'one' }).map(({ kid }) => kid)).to.deep.equal(['one']);
  });

  it('are those for signatures; shared secrets and others are left out', () => {
    expect(algorithmsOf({ ...jwk, use: 'sig' }, { ...jwk, key_ops: ['verify'] })).to.have.length(2);
    const others = [
      ...[
        { ...jwk, use: 'enc' },
        { ...jwk, key_ops: ['sign'] },
        { ...jwk, key_ops: 'verify' },
      ],
      ...[{ kty: 'oct', k: 'AAAA' }, { kty: 'XYZ' }, 'x', null],
    ];
    expect(read(...others)).to.deep.equal([]);
  });

  it('are at most 100, in a key set', () => {
    expect(read(...Array.from({ length: 100 }, () => jwk))).to.have.length(100);
    expect(() => read(...Array.from({ length: 101 }, () => jwk))).to.throw(KeyError, 'more than 100 keys');
    for (const value of [null, [], {}, { keys: {} }])
      expect(() => readPublishedKeys(value)).to.throw(KeyError, 'it is not a JWK set');
  });
});

describe('keys of the data API', () => {
  const forms: readonly (readonly [string, string])[] = [
    ['a key set', set],
    ['a key set with a byte order mark', `\uFEFF${set}`],
    ['a key set with blanks around', `\n ${set}\n`],
    ['an array of keys', JSON.stringify([jwk])],
    ['an array with a byte order mark', `\uFEFF${JSON.stringify([jwk])}`],
    ['one key', JSON.stringify(jwk)],
  ];
  for (const [what, text] of forms) {
    it(`are read from ${what}, whose bytes are never a shared secret`, async () => {
      const keys = readKeys(text, false);
      expect(keys.map(({ algorithms }) => algorithms)).to.deep.equal([['ES256']]);
      const signed = await new SignJWT({ role: 'staff' })
        .setProtectedHeader({ alg: 'ES256' })
        .sign(privateKey);
      expect((await verifySignature(signed, keys)).claims).to.deep.equal({ role: 'staff' });
      const forged = await new SignJWT({ role: 'staff' })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from(text));
      const outcome = await verifySignature(forged, keys).catch((error: unknown) => error);
      expect(outcome).to.include({ message: 'JWSError JWSInvalidSignature' });
    });
  }

  it('are read from a key set in base64', () => {
    const keys = readKeys(Buffer.from(`\uFEFF${set}`).toString('base64url'), true);
    expect(keys.map(({ algorithms }) => algorithms)).to.deep.equal([['ES256']]);
  });

  it('are refused if they begin like a key set but are malformed', () => {
    const notJson = 'it begins like a JWK or a key set, but is not JSON in UTF-8';
    const cases: readonly (readonly [string, string])[] = [
      [`${set}}`, notJson],
      [set.slice(0, -1), notJson],
      ['[and then forty more characters, as a secret has', notJson],
      [Buffer.from(`\uFEFF${set}`, 'utf16le').toString('utf8'), notJson],
      [Buffer.from(set, 'utf16le').toString('utf8'), notJson],
      [Buffer.from(`\uFEFF${set}`, 'utf16le').swap16().toString('utf8'), notJson],
      ['{"keys":[]}', 'the key set holds no key'],
      ['[]', 'the key set holds no key'],
      ['{"keys":{}}', '"keys" of a key set must be an array'],
      ['{"kty":"XYZ","a":"canary"}', 'a JWK has a type or a curve that is not supported'],
      ['{"kty":"RSA","n":"canary"}', 'a JWK of type "RSA" cannot be read'],
      ['{"kty":"oct","k":"not base64url!"}', 'a JWK of type oct needs "k" in base64url'],
      ['["canary"]', 'a JWK must be an object'],
    ];
    for (const [secret, message] of cases) expect(refusal(secret), secret).to.equal(message);
    expect(refusal(Buffer.from('{"canary":1}').toString('base64'), true)).to.equal(
      'a JWK has a type or a curve that is not supported',
    );
  });

  it('take a shared secret of 32 bytes, without a byte order mark', async () => {
    expect(refusal('x'.repeat(31))).to.equal('a shared secret needs at least 32 bytes');
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from('x'.repeat(32)));
    expect(await verifySignature(token, readKeys(`\uFEFF${'x'.repeat(32)}`, false))).to.include({
      claimsText: '{}',
    });
  });

  it('name the algorithms for which a shared secret is too short', () => {
    expect(tooShortFor(readKeys('x'.repeat(32), false))).to.deep.equal(['HS384', 'HS512']);
    expect(tooShortFor(readKeys('x'.repeat(48), false))).to.deep.equal(['HS512']);
    expect(tooShortFor(readKeys('x'.repeat(64), false))).to.deep.equal([]);
    expect(tooShortFor(readKeys(set, false))).to.deep.equal([]);
  });
});

describe('the shared secret of notifications and signing', () => {
  it('has a development default except in production', () => {
    expect(serviceKeys(null, false)).to.include({ isDevelopmentDefault: true });
    expect(serviceKeys(DEVELOPMENT_JWT_SECRET, false)).to.include({ isDevelopmentDefault: true });
    expect(serviceKeys(null, true)).to.equal(null);
    expect(serviceKeys(DEVELOPMENT_JWT_SECRET, true)).to.equal(null);
    expect(serviceKeys('x'.repeat(32), true)).to.include({ isDevelopmentDefault: false });
  });

  it('has at least 32 bytes and is not a key set', () => {
    for (const [secret, message] of [
      ['x'.repeat(31), 'a shared secret needs at least 32 bytes'],
      ['', 'a shared secret needs at least 32 bytes'],
      [set, 'a shared secret is expected, not a JWK or a key set'],
      [`\uFEFF${set}`, 'a shared secret is expected, not a JWK or a key set'],
    ] as const) {
      expect(() => serviceKeys(secret, false), secret).to.throw(KeyError, message);
    }
    expect(() => serviceKeys('é'.repeat(16), false)).not.to.throw();
  });
});
