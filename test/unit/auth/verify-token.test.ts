import { expect } from 'chai';
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { SignJWT, exportJWK, UnsecuredJWT } from 'jose';
import { readKeys, KeyError } from '../../../src/auth/keys.js';
import { TokenError } from '../../../src/errors/token-error.js';
import { audiencesOf, checkAudience, checkTimes } from '../../../src/auth/verify-token.js';
import { verifySignature } from '../../support/auth/verify-signature.js';

const SECRET = 'golden-secret-golden-secret-golden-secret';
const keys = readKeys(SECRET, false);
const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

function handSigned(header: unknown, payload: unknown, secret = SECRET): string {
  const content = `${encode(header)}.${encode(payload)}`;
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}

async function refusalOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (error instanceof TokenError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('token verification', () => {
  it('returns the claims and their original JSON text', async () => {
    const text = '{"role":"staff","big":12345678901234567890,"n":1.50}';
    const verified = await verifySignature(handSigned({ alg: 'HS256' }, text), keys);
    expect(verified.claimsText).to.equal(text);
    expect(verified.claims['role']).to.equal('staff');
  });

  const refusals: readonly (readonly [string, string, string])[] = [
    [
      'one part',
      'nonsense',
      'JWSError (CompactDecodeError Invalid number of parts: Expected 3 parts; got 1)',
    ],
    ['two parts', 'a.b', 'JWSError (CompactDecodeError Invalid number of parts: Expected 3 parts; got 2)'],
    [
      'four parts',
      'a.b.c.d',
      'JWSError (CompactDecodeError Invalid number of parts: Expected 3 parts; got 4)',
    ],
    ['a header that is not base64url', 'a.b.c', 'JWSError (JSONDecodeError "Not valid base64url")'],
    [
      'another secret',
      handSigned({ alg: 'HS256' }, { role: 'staff' }, 'x'.repeat(40)),
      'JWSError JWSInvalidSignature',
    ],
    ['no signature', new UnsecuredJWT({ role: 'staff' }).encode(), 'JWSError JWSNoSignatures'],
    ['none with a signature', handSigned({ alg: 'none' }, { role: 'staff' }), 'JWSError JWSNoSignatures'],
    [
      'an algorithm the key is too short for',
      handSigned({ alg: 'HS512' }, { role: 'staff' }),
      'JWSError JWSInvalidSignature',
    ],
    [
      'an asymmetric algorithm with a shared secret',
      handSigned({ alg: 'RS256' }, { role: 'staff' }),
      'JWSError JWSInvalidSignature',
    ],
    [
      'an unknown critical header',
      handSigned({ alg: 'HS256', crit: ['x'], x: 1 }, {}),
      'JWSError JWSInvalidSignature',
    ],
    [
      'an array',
      handSigned({ alg: 'HS256' }, [1]),
      'JWTClaimsSetDecodeError "Error in $: parsing JWT Claims Set failed, expected Object, but encountered Array"',
    ],
    [
      'a text',
      handSigned({ alg: 'HS256' }, '"x"'),
      'JWTClaimsSetDecodeError "Error in $: parsing JWT Claims Set failed, expected Object, but encountered String"',
    ],
    [
      '10 KB of noise',
      'x'.repeat(10_240),
      'JWSError (CompactDecodeError Invalid number of parts: Expected 3 parts; got 1)',
    ],
  ];
  for (const [what, token, message] of refusals) {
    it(`refuses ${what}`, async () => {
      expect(await refusalOf(() => verifySignature(token, keys))).to.equal(message);
    });
  }

  it('never uses a public key as a shared secret', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const rsa = readKeys(JSON.stringify(await exportJWK(publicKey)), false);
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    expect(
      await refusalOf(() => verifySignature(handSigned({ alg: 'HS256' }, { role: 'staff' }, pem), rsa)),
    ).to.equal('JWSError JWSInvalidSignature');
  });

  it('tries every key of a set that fits the algorithm', async () => {
    const pairs = [
      generateKeyPairSync('rsa', { modulusLength: 2048 }),
      generateKeyPairSync('rsa', { modulusLength: 2048 }),
    ];
    const set = readKeys(
      JSON.stringify({ keys: await Promise.all(pairs.map(({ publicKey }) => exportJWK(publicKey))) }),
      false,
    );
    for (const { privateKey } of pairs) {
      const token = await new SignJWT({ role: 'staff' })
        .setProtectedHeader({ alg: 'PS256', kid: 'nobody' })
        .sign(privateKey);
      expect((await verifySignature(token, set)).claims['role']).to.equal('staff');
    }
  });

  it('verifies the curves', async () => {
    for (const [namedCurve, alg] of [
      ['P-256', 'ES256'],
      ['P-384', 'ES384'],
      ['P-521', 'ES512'],
    ] as const) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve });
      const token = await new SignJWT({}).setProtectedHeader({ alg }).sign(privateKey);
      await verifySignature(token, readKeys(JSON.stringify(await exportJWK(publicKey)), false));
    }
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const token = await new SignJWT({}).setProtectedHeader({ alg: 'EdDSA' }).sign(privateKey);
    await verifySignature(token, readKeys(JSON.stringify(await exportJWK(publicKey)), false));
  });

  it('reads a base64 secret, URL-safe or not', async () => {
    const secret = Buffer.from('binary \0\xff secret of more than thirty-two bytes', 'latin1');
    const content = `${encode({ alg: 'HS256' })}.${encode({ role: 'staff' })}`;
    const token = `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
    for (const form of ['base64', 'base64url'] as const) {
      expect((await verifySignature(token, readKeys(secret.toString(form), true))).claims['role']).to.equal(
        'staff',
      );
    }
  });

  it('refuses keys that are too short or no keys', () => {
    for (const secret of [
      'short',
      '{"kty":"oct","k":"c2hvcnQ"}',
      '{"kty":"oct"}',
      '{"kty":"EC","crv":"secp256k1","x":"a","y":"b"}',
      '{"kty":"RSA","n":"!"}',
      '{"keys":[1]}',
    ]) {
      expect(() => readKeys(secret, false), secret).to.throw(KeyError);
    }
    expect(() => readKeys('not base64!', true)).to.throw(KeyError);
  });
});

describe('token claims', () => {
  const now = 1_000_000;
  const times: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ exp: now - 29 }, 'accepted'],
    [{ exp: now - 31 }, 'JWT expired'],
    [{ nbf: now + 29 }, 'accepted'],
    [{ nbf: now + 31 }, 'JWTNotYetValid'],
    [{ iat: now + 31 }, 'JWTIssuedAtFuture'],
    [{ exp: now + 0.5, nbf: null }, 'accepted'],
    [
      { exp: 'soon' },
      'JWTClaimsSetDecodeError "Error in $.exp: parsing NumericDate failed, expected Number, but encountered String"',
    ],
    [
      { nbf: true },
      'JWTClaimsSetDecodeError "Error in $.nbf: parsing NumericDate failed, expected Number, but encountered Boolean"',
    ],
    ...(['exp', 'nbf', 'iat'] as const).map(
      (name) =>
        [
          { [name]: Infinity },
          `JWTClaimsSetDecodeError "Error in $.${name}: parsing NumericDate failed, expected Number, but encountered a number that is too large"`,
        ] as const,
    ),
    [
      { nbf: -Infinity },
      'JWTClaimsSetDecodeError "Error in $.nbf: parsing NumericDate failed, expected Number, but encountered a number that is too large"',
    ],
  ];
  for (const [claims, outcome] of times) {
    it(`${inspect(claims)}: ${outcome}`, async () => {
      expect(await refusalOf(() => checkTimes(claims, now))).to.equal(outcome);
    });
  }

  const audiences: readonly (readonly [unknown, string | null, string])[] = [
    [undefined, 'box-office', 'accepted'],
    [null, 'box-office', 'accepted'],
    ['box-office', 'box-office', 'accepted'],
    [['x', 'box-office'], 'box-office', 'accepted'],
    ['else', 'box-office', 'JWTNotInAudience'],
    [[], 'box-office', 'JWTNotInAudience'],
    ['whoever', null, 'accepted'],
    [
      7,
      null,
      'JWTClaimsSetDecodeError "Error in $.aud: parsing StringOrURI failed, expected String, but encountered Number"',
    ],
  ];
  for (const [aud, expected, outcome] of audiences) {
    it(`aud ${JSON.stringify(aud)} where ${String(expected)} is expected: ${outcome}`, async () => {
      expect(await refusalOf(() => checkAudience(audiencesOf(aud), expected))).to.equal(outcome);
    });
  }

  describe('of a token in another spelling', () => {
    const token = handSigned({ alg: 'HS256' }, { role: 'staff' });
    const [header = '', payload = '', signature = ''] = token.split('.');
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    /** The same bytes: 32 of them leave two bits of the last of 43 characters unused. */
    const otherBits = `${signature.slice(0, -1)}${alphabet.charAt(alphabet.indexOf(signature.slice(-1)) + 1)}`;
    const spellings: readonly (readonly [string, string])[] = [
      ['padding behind the signature', `${token}=`],
      ['a blank in the signature', `${header}.${payload}.${signature.slice(0, 9)} ${signature.slice(9)}`],
      ['a line end in the signature', `${token}\n`],
      ['other trailing bits', `${header}.${payload}.${otherBits}`],
      [
        'characters of plain base64',
        `${header}.${payload}.${signature.replaceAll('-', '+').replaceAll('_', '/')}+`,
      ],
      ['padding behind the payload', `${header}.${payload}=.${signature}`],
      ['a blank in the payload', `${header}. ${payload}.${signature}`],
      ['padding behind the header', `${header}=.${payload}.${signature}`],
    ];
    for (const [what, spelling] of spellings) {
      it(`refuses ${what}`, async () => {
        expect(Buffer.from(otherBits, 'base64url')).to.deep.equal(Buffer.from(signature, 'base64url'));
        expect(await refusalOf(() => verifySignature(token, keys))).to.equal('accepted');
        expect(await refusalOf(() => verifySignature(spelling, keys))).to.match(
          /^JWSError (JWSInvalidSignature|\(JSONDecodeError "Not valid base64url"\))$/,
        );
      });
    }
  });
});
