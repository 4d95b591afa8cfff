import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { expect } from 'chai';
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { isPoint, looksLikeSignature, verifySignature } from '../../../src/signing/verify-signature.js';

describe('verifying what parties report', () => {
  describe('with Ed25519', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const messageDigest = Buffer.alloc(32, 3);
    const signed = {
      keyType: 'ed25519',
      publicKey: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32),
      messageDigest,
      derivationPath: [],
    } as const;
    const signature = sign(null, messageDigest, privateKey);

    it('is certain', () => {
      expect(verifySignature(signed, signature)).to.equal(true);
      expect(verifySignature({ ...signed, messageDigest: Buffer.alloc(32, 4) }, signature)).to.equal(false);
      expect(verifySignature(signed, Buffer.alloc(64))).to.equal(false);
      expect(verifySignature({ ...signed, publicKey: Buffer.alloc(31) }, signature)).to.equal(false);
    });

    it('is left to the parties for child keys', () => {
      expect(verifySignature({ ...signed, derivationPath: [0] }, signature)).to.equal(null);
    });
  });

  for (const [keyType, curve, namedCurve] of [
    ['secp256k1', secp256k1, 'secp256k1'],
    ['p256', p256, 'prime256v1'],
  ] as const) {
    describe(`with ECDSA on ${keyType}`, () => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve });
      const point = pointOf(publicKey);
      const message = Buffer.from('what is signed');
      const messageDigest = createHash('sha256').update(message).digest();
      const signed = { keyType, publicKey: point, messageDigest, derivationPath: [] } as const;
      const order = curve.Point.Fn.ORDER;

      /** Of OpenSSL, R and S side by side, S in the half that is asked for. */
      const compact = (high: boolean): Buffer => {
        const made = sign('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' });
        const s = BigInt(`0x${made.toString('hex', 32)}`);
        const isHigh = s > order / 2n;
        const wanted = (isHigh === high ? s : order - s).toString(16).padStart(64, '0');
        return Buffer.concat([made.subarray(0, 32), Buffer.from(wanted, 'hex')]);
      };
      const der = (signature: Buffer): Buffer =>
        Buffer.from(curve.Signature.fromBytes(signature, 'compact').toBytes('der'));
      const low = compact(false);

      it('takes what OpenSSL signed, in either form, for either form of the key', () => {
        const compressed = Buffer.from(curve.Point.fromBytes(point).toBytes(true));
        for (const key of [point, compressed]) {
          expect(verifySignature({ ...signed, publicKey: key }, low)).to.equal(true);
          expect(verifySignature({ ...signed, publicKey: key }, der(low))).to.equal(true);
        }
      });

      it('takes what was signed as a digest, without hashing it again', () => {
        const secretKey = curve.utils.randomSecretKey();
        const own = { ...signed, publicKey: Buffer.from(curve.getPublicKey(secretKey)) };
        for (const format of ['compact', 'der'] as const) {
          const made = curve.sign(messageDigest, secretKey, { prehash: false, lowS: true, format });
          expect(verifySignature(own, Buffer.from(made))).to.equal(true);
          const hashedAgain = curve.sign(messageDigest, secretKey, { prehash: true, lowS: true, format });
          expect(verifySignature(own, Buffer.from(hashedAgain))).to.equal(false);
        }
      });

      it(`${keyType === 'p256' ? 'takes' : 'refuses'} the greater S`, () => {
        const expected = keyType === 'p256';
        const high = compact(true);
        expect(verifySignature(signed, high)).to.equal(expected);
        expect(verifySignature(signed, der(high))).to.equal(expected);
      });

      it('refuses another digest, another key and none', () => {
        const otherDigest = Buffer.from(messageDigest).fill(1, 31);
        expect(verifySignature({ ...signed, messageDigest: otherDigest }, low)).to.equal(false);
        const other = pointOf(generateKeyPairSync('ec', { namedCurve }).publicKey);
        expect(verifySignature({ ...signed, publicKey: other }, low)).to.equal(false);
        for (const noPoint of [
          Buffer.alloc(0),
          Buffer.alloc(32, 2),
          Buffer.alloc(33),
          Buffer.alloc(65, 4),
          Buffer.concat([point, Buffer.from([0])]),
        ]) {
          expect(isPoint(keyType, noPoint)).to.equal(false);
          expect(verifySignature({ ...signed, publicKey: noPoint }, low)).to.equal(false);
        }
      });

      it('refuses what is malformed', () => {
        const encoded = der(low);
        for (const malformed of [
          Buffer.alloc(0),
          Buffer.alloc(64),
          Buffer.alloc(64, 255),
          Buffer.concat([Buffer.alloc(32), low.subarray(32)]),
          Buffer.concat([low.subarray(0, 32), Buffer.alloc(32)]),
          Buffer.concat([low.subarray(0, 32), Buffer.from(order.toString(16), 'hex')]),
          low.subarray(1),
          encoded.subarray(0, -1),
          Buffer.concat([encoded, Buffer.from([0])]),
          Buffer.concat([Buffer.from('3081', 'hex'), encoded.subarray(1)]),
          Buffer.from('3006020100020100', 'hex'),
          Buffer.from(`30${'ff'.repeat(70)}`, 'hex'),
        ])
          expect(verifySignature(signed, malformed), malformed.toString('hex')).to.equal(false);
      });

      it('is left to the parties for child keys', () => {
        expect(verifySignature({ ...signed, derivationPath: [0] }, low)).to.equal(null);
      });
    });
  }

  it('begins with the size', () => {
    expect(looksLikeSignature('ed25519', Buffer.alloc(64))).to.equal(true);
    expect(looksLikeSignature('ed25519', Buffer.alloc(63))).to.equal(false);
    expect(looksLikeSignature('p256', Buffer.from(`3044${'00'.repeat(68)}`, 'hex'))).to.equal(true);
    expect(looksLikeSignature('p256', Buffer.alloc(70))).to.equal(false);
  });
});

/** The uncompressed point that a SubjectPublicKeyInfo of these curves ends with. */
function pointOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' }).subarray(-65);
}
