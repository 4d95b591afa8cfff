import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { expect } from 'chai';
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { isPoint } from '../../../src/signing/curve-point.js';
import {
  normalizeSignature,
  verifySignature,
  type SignedDigest,
} from '../../../src/signing/sessions/verify-signature.js';

/** Returns the verdict on a report: checks its form first, then the signature. */
function judge(given: Omit<SignedDigest, 'chainCode'>, reported: Uint8Array): boolean | null {
  const signed = { ...given, chainCode: null };
  const signature = normalizeSignature(signed.protocol, Buffer.from(reported));
  return signature === null ? false : verifySignature(signed, signature);
}

describe('verification of reported signatures', () => {
  describe('with Ed25519', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const messageDigest = Buffer.alloc(32, 3);
    const signed = {
      protocol: 'ed25519',
      publicKey: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32),
      messageDigest,
      derivationPath: [],
    } as const;
    const signature = sign(null, messageDigest, privateKey);

    it('is valid or invalid, never undecided', () => {
      expect(judge(signed, signature)).to.equal(true);
      expect(judge({ ...signed, messageDigest: Buffer.alloc(32, 4) }, signature)).to.equal(false);
      expect(judge(signed, Buffer.alloc(64))).to.equal(false);
      expect(judge({ ...signed, publicKey: Buffer.alloc(31) }, signature)).to.equal(false);
    });

    it('has a form: 64 bytes, with S below the order of the group', () => {
      const order = ed25519.Point.Fn.ORDER;
      const withS = (s: bigint): Buffer =>
        Buffer.concat([
          signature.subarray(0, 32),
          Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse(),
        ]);
      expect(normalizeSignature('ed25519', withS(order - 1n))).to.deep.equal(withS(order - 1n));
      for (const malformed of [withS(order), withS(2n ** 256n - 1n), signature.subarray(1), Buffer.alloc(65)])
        expect(normalizeSignature('ed25519', malformed)).to.equal(null);
    });

    it('does not verify signatures of child keys', () => {
      expect(judge({ ...signed, derivationPath: [0] }, signature)).to.equal(null);
    });
  });

  for (const [protocol, keyType, curve, namedCurve] of [
    ['ecdsa-secp256k1', 'secp256k1', secp256k1, 'secp256k1'],
    ['ecdsa-p256', 'p256', p256, 'prime256v1'],
  ] as const) {
    describe(`with ECDSA on ${keyType}`, () => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve });
      const point = pointOf(publicKey);
      const message = Buffer.from('what is signed');
      const messageDigest = createHash('sha256').update(message).digest();
      const signed = { protocol, publicKey: point, messageDigest, derivationPath: [] } as const;
      const order = curve.Point.Fn.ORDER;

      /** A signature by OpenSSL: R and S concatenated, S in the requested half. */
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

      it('accepts OpenSSL signatures in either encoding, for either encoding of the key', () => {
        const compressed = Buffer.from(curve.Point.fromBytes(point).toBytes(true));
        for (const key of [point, compressed]) {
          expect(judge({ ...signed, publicKey: key }, low)).to.equal(true);
          expect(judge({ ...signed, publicKey: key }, der(low))).to.equal(true);
        }
      });

      it('verifies a signature over a digest without hashing the digest again', () => {
        const secretKey = curve.utils.randomSecretKey();
        const own = { ...signed, publicKey: Buffer.from(curve.getPublicKey(secretKey)) };
        for (const format of ['compact', 'der'] as const) {
          const made = curve.sign(messageDigest, secretKey, { prehash: false, lowS: true, format });
          expect(judge(own, Buffer.from(made))).to.equal(true);
          const hashedAgain = curve.sign(messageDigest, secretKey, { prehash: true, lowS: true, format });
          expect(judge(own, Buffer.from(hashedAgain))).to.equal(false);
        }
      });

      it('normalizes all encodings of a signature to the same value', () => {
        const high = compact(true);
        const forms = [low, high, der(low), der(high)];
        const normal = forms.map((form) => normalizeSignature(protocol, form)?.toString('hex'));
        // Signatures of OpenSSL are not deterministic: the two differ in R.
        expect(normal[2]).to.equal(low.toString('hex'));
        expect(normal[0]).to.equal(low.toString('hex'));
        expect(normal[3]).to.equal(normal[1]);
        const flipped = Buffer.from(
          (order - BigInt(`0x${low.toString('hex', 32)}`)).toString(16).padStart(64, '0'),
          'hex',
        );
        const other = Buffer.concat([low.subarray(0, 32), flipped]);
        expect(normalizeSignature(protocol, other)?.toString('hex')).to.equal(low.toString('hex'));
        expect(normalizeSignature(protocol, der(other))?.toString('hex')).to.equal(low.toString('hex'));
        for (const form of [...forms, other, der(other)]) expect(judge(signed, form)).to.equal(true);
      });

      it('refuses another digest, another key and none', () => {
        const otherDigest = Buffer.from(messageDigest).fill(1, 31);
        expect(judge({ ...signed, messageDigest: otherDigest }, low)).to.equal(false);
        const other = pointOf(generateKeyPairSync('ec', { namedCurve }).publicKey);
        expect(judge({ ...signed, publicKey: other }, low)).to.equal(false);
        for (const noPoint of [
          Buffer.alloc(0),
          Buffer.alloc(32, 2),
          Buffer.alloc(33),
          Buffer.alloc(65, 4),
          Buffer.concat([point, Buffer.from([0])]),
        ]) {
          expect(isPoint(keyType, noPoint)).to.equal(false);
          expect(judge({ ...signed, publicKey: noPoint }, low)).to.equal(false);
        }
      });

      it('refuses malformed signatures', () => {
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
          expect(normalizeSignature(protocol, malformed), malformed.toString('hex')).to.equal(null);
        expect(normalizeSignature(protocol, Buffer.concat([low, Buffer.from([27])]))).to.equal(null);
      });

      it('does not verify signatures of child keys', () => {
        expect(judge({ ...signed, derivationPath: [0] }, low)).to.equal(null);
      });
    });
  }

  describe('with BIP 340', () => {
    const secretKey = secp256k1.utils.randomSecretKey();
    const messageDigest = Buffer.alloc(32, 5);
    const signature = schnorr.sign(messageDigest, secretKey);
    const signed = { protocol: 'bip340', messageDigest, derivationPath: [] } as const;

    it('verifies under the x coordinate of either form of the key', () => {
      for (const compressed of [true, false]) {
        const publicKey = Buffer.from(secp256k1.getPublicKey(secretKey, compressed));
        expect(judge({ ...signed, publicKey }, signature)).to.equal(true);
        expect(judge({ ...signed, publicKey, messageDigest: Buffer.alloc(32, 6) }, signature)).to.equal(
          false,
        );
        expect(judge({ ...signed, publicKey }, Buffer.alloc(64))).to.equal(false);
        expect(normalizeSignature('bip340', Buffer.from(signature.subarray(1)))).to.equal(null);
        expect(normalizeSignature('bip340', Buffer.alloc(64, 255))).to.equal(null);
        // The same bytes are no ECDSA signature: which one is meant is the protocol's to say.
        expect(judge({ ...signed, protocol: 'ecdsa-secp256k1', publicKey }, signature)).to.equal(false);
      }
      expect(judge({ ...signed, publicKey: Buffer.alloc(33) }, signature)).to.equal(false);
    });

    it('accepts the first test vector of the BIP', () => {
      const publicKey = Buffer.from(
        '02F9308A019258C31049344F85F89D5229B531C845836F99B08601F113BCE036F9',
        'hex',
      );
      const vector = Buffer.from(
        'E907831F80848D1069A5371B402410364BDF1C5F8307B0084C55F1CE2DCA821525F66A4A85EA8B71E482A74F382D2CE5EBEEE8FDB2172F477DF4900D310536C0',
        'hex',
      );
      expect(judge({ ...signed, publicKey, messageDigest: Buffer.alloc(32) }, vector)).to.equal(true);
    });

    it('does not verify signatures of child keys', () => {
      const publicKey = Buffer.from(secp256k1.getPublicKey(secretKey));
      expect(judge({ ...signed, publicKey, derivationPath: [0] }, signature)).to.equal(null);
    });
  });

  it('checks the form of the signature first', () => {
    expect(normalizeSignature('ed25519', Buffer.alloc(64))).to.deep.equal(Buffer.alloc(64));
    expect(normalizeSignature('ed25519', Buffer.alloc(63))).to.equal(null);
    expect(normalizeSignature('bip340', Buffer.alloc(65))).to.equal(null);
    expect(normalizeSignature('ecdsa-p256', Buffer.from(`3044${'00'.repeat(68)}`, 'hex'))).to.equal(null);
    expect(normalizeSignature('ecdsa-p256', Buffer.alloc(70))).to.equal(null);
  });
});

/** The uncompressed point that a SubjectPublicKeyInfo of these curves ends with. */
function pointOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' }).subarray(-65);
}
