import { ed25519 } from '@noble/curves/ed25519.js';
import { expect } from 'chai';
import { createPublicKey, diffieHellman, generateKeyPairSync, verify, type KeyObject } from 'node:crypto';
import { hasSmallOrder, isPoint } from '../../../src/signing/curve-point.js';
import { readIdentityKey } from '../../../src/signing/parties/identity-key.js';

/** SubjectPublicKeyInfo up to the key (RFC 8410 §4). */
const PREFIX = { ed25519: '302a300506032b6570032100', x25519: '302a300506032b656e032100' } as const;

const keyOf = (curve: keyof typeof PREFIX, hex: string): KeyObject =>
  createPublicKey({ key: Buffer.from(`${PREFIX[curve]}${hex}`, 'hex'), format: 'der', type: 'spki' });

const rawKey = (curve: keyof typeof PREFIX): Buffer => {
  const { publicKey } = curve === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519');
  return publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
};

const ff = (first: string, last: string): string => `${first}${'ff'.repeat(30)}${last}`;
const zeros = (first: string, last: string): string => `${first}${'00'.repeat(30)}${last}`;

/** Every encoding of the eight points of small order: https://eprint.iacr.org/2020/1244, table 1. */
const SMALL_ED25519 = [
  ...[zeros('01', '00'), zeros('01', '80'), ff('ee', '7f'), ff('ee', 'ff')],
  ...[ff('ec', '7f'), ff('ec', 'ff')],
  ...[zeros('00', '00'), zeros('00', '80'), ff('ed', '7f'), ff('ed', 'ff')],
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
];

/** Whether OpenSSL takes the signature (neutral point, 0), which needs no secret, over one of some messages. */
function isForged(hex: string): boolean {
  const key = keyOf('ed25519', hex);
  const signature = Buffer.alloc(64);
  signature[0] = 1;
  return Array.from({ length: 256 }, (_, index) => Buffer.from([index])).some((message) =>
    verify(null, message, key, signature),
  );
}

/** OpenSSL verifies with keys of small order up to the releases that Node.js 22 has; later ones refuse all of them. */
const OPENSSL_FORGES = isForged(zeros('01', '00'));

describe('public keys of Ed25519', () => {
  for (const hex of SMALL_ED25519)
    it(`are refused with small order: ${hex}`, () => {
      expect(isForged(hex)).to.equal(OPENSSL_FORGES);
      expect(hasSmallOrder('ed25519', Buffer.from(hex, 'hex'))).to.equal(true);
      expect(isPoint('ed25519', Buffer.from(hex, 'hex'))).to.equal(false);
      expect(readIdentityKey(Buffer.from(hex, 'hex'))).to.equal(null);
      expect(readIdentityKey(Buffer.from(`${PREFIX.ed25519}${hex}`, 'hex'))).to.equal(null);
    });

  it('are refused if they are not canonical, not on the curve or of another length', () => {
    // 2^255 - 19 + 3 … 18, which encode 3 … 18, with and without the sign bit.
    for (let low = 0xed; low <= 0xff; low += 1)
      for (const last of ['7f', 'ff'])
        expect(isPoint('ed25519', Buffer.from(ff(low.toString(16), last), 'hex'))).to.equal(false);
    expect(isPoint('ed25519', Buffer.from(zeros('02', '00'), 'hex'))).to.equal(false);
    for (const length of [0, 31, 33, 44, 64])
      expect(isPoint('ed25519', Buffer.alloc(length, 9))).to.equal(false);
  });

  it('are refused with a part of small order: implementations disagree on their signatures', () => {
    const torsion = ed25519.Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');
    for (let multiple = 1n; multiple < 8n; multiple += 1n) {
      const mixed = ed25519.Point.fromBytes(rawKey('ed25519')).add(torsion.multiply(multiple)).toBytes();
      expect(isPoint('ed25519', mixed)).to.equal(false);
    }
  });

  it('are accepted as OpenSSL generates them', () => {
    for (let count = 0; count < 20; count += 1) {
      const key = rawKey('ed25519');
      expect([isPoint('ed25519', key), hasSmallOrder('ed25519', key)]).to.deep.equal([true, false]);
      expect(readIdentityKey(key)?.asymmetricKeyType).to.equal('ed25519');
    }
  });
});

describe('public keys of X25519', () => {
  /** https://cr.yp.to/ecdh.html#validate, without the last three, which have 256 bits. */
  const SMALL_X25519 = [
    ...[zeros('00', '00'), zeros('01', '00'), ff('ec', '7f'), ff('ed', '7f'), ff('ee', '7f')],
    'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
    '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  ];
  const { privateKey } = generateKeyPairSync('x25519');
  const agrees = (hex: string): boolean => {
    try {
      return diffieHellman({ privateKey, publicKey: keyOf('x25519', hex) }).length === 32;
    } catch {
      return false;
    }
  };

  it('are refused with small order, where OpenSSL refuses the agreement', () => {
    for (const hex of SMALL_X25519) {
      const bytes = Buffer.from(hex, 'hex');
      const unused = Buffer.from(bytes);
      unused[31] = (unused[31] ?? 0) | 0x80;
      for (const key of [bytes, unused])
        expect([agrees(key.toString('hex')), hasSmallOrder('x25519', key)]).to.deep.equal([false, true]);
    }
  });

  it('are accepted as OpenSSL generates them, and as RFC 7748 reduces them', () => {
    const others = Array.from({ length: 17 }, (_, index) => ff((0xef + index).toString(16), '7f'));
    const keys = [...Array.from({ length: 20 }, () => rawKey('x25519').toString('hex')), ...others];
    for (const hex of keys)
      expect([agrees(hex), hasSmallOrder('x25519', Buffer.from(hex, 'hex'))]).to.deep.equal([true, false]);
  });
});
