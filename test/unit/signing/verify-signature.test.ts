import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { expect } from 'chai';
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { isPoint } from '../../../src/signing/curve-point.js';
import {
  normalizeSignature,
  verifySignature,
  type SignedContent,
  type Verdict,
} from '../../../src/signing/sessions/verify-signature.js';

type Given = Omit<SignedContent, 'chainCode' | 'message'> & Partial<Pick<SignedContent, 'message'>>;

/** Checks the form of a report first, then the signature. */
function verdictOf(given: Given, reported: Uint8Array): Verdict {
  const signature = normalizeSignature(given.protocol, Buffer.from(reported));
  if (signature === null) return { valid: false, recoveryId: null };
  return verifySignature({ chainCode: null, message: null, ...given }, signature);
}

const judge = (given: Given, reported: Uint8Array): boolean | null => verdictOf(given, reported).valid;

/** The canonical bytes of a signature; null for what is none. */
const normalBytes = (protocol: SignedContent['protocol'], signature: Buffer): Buffer | null =>
  normalizeSignature(protocol, signature)?.bytes ?? null;

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
      expect(normalBytes('ed25519', withS(order - 1n))).to.deep.equal(withS(order - 1n));
      for (const malformed of [withS(order), withS(2n ** 256n - 1n), signature.subarray(1), Buffer.alloc(65)])
        expect(normalBytes('ed25519', malformed)).to.equal(null);
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
        const flipped = Buffer.from(
          (order - BigInt(`0x${low.toString('hex', 32)}`)).toString(16).padStart(64, '0'),
          'hex',
        );
        const high = Buffer.concat([low.subarray(0, 32), flipped]);
        // The recovery id belongs to one of the two values of S, so that secp256k1 has the lower one alone.
        const takesHigh = protocol === 'ecdsa-p256';
        for (const form of [low, der(low), high, der(high)]) {
          const isTaken = takesHigh || form === low || form.equals(der(low));
          expect(normalBytes(protocol, form)).to.deep.equal(isTaken ? low : null);
          expect(judge(signed, form)).to.equal(isTaken);
        }
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
          expect(normalBytes(protocol, malformed), malformed.toString('hex')).to.equal(null);
        expect(normalBytes(protocol, Buffer.concat([low, Buffer.from([27])]))).to.equal(null);
      });

      it('does not verify signatures of child keys', () => {
        expect(judge({ ...signed, derivationPath: [0] }, low)).to.equal(null);
      });
    });
  }

  describe('with a recovery id', () => {
    const protocol = 'ecdsa-secp256k1';
    const secretKey = secp256k1.utils.randomSecretKey();
    const publicKey = Buffer.from(secp256k1.getPublicKey(secretKey));

    /** R and S, then the id, as most libraries print it. */
    function signatureOf(messageDigest: Buffer): Buffer {
      const recovered = secp256k1.sign(messageDigest, secretKey, { prehash: false, format: 'recovered' });
      return Buffer.from([...recovered.subarray(1), ...recovered.subarray(0, 1)]);
    }

    it('finds the one that was not reported, and holds a reported one against the key', () => {
      const seen = new Set<number | null>();
      for (let count = 0; count < 32; count += 1) {
        const messageDigest = createHash('sha256').update(String(count)).digest();
        const signed = { protocol, publicKey, messageDigest, derivationPath: [] } as const;
        const signature = signatureOf(messageDigest);
        const recoveryId = signature[64] ?? null;
        seen.add(recoveryId);
        expect(verdictOf(signed, signature)).to.deep.equal({ valid: true, recoveryId });
        expect(verdictOf(signed, signature.subarray(0, 64))).to.deep.equal({ valid: true, recoveryId });
        for (const other of [0, 1, 2, 3].filter((id) => id !== recoveryId)) {
          signature[64] = other;
          expect(verdictOf(signed, signature)).to.deep.equal({ valid: false, recoveryId: null });
        }
        for (const none of [4, 27, 28, 255]) {
          signature[64] = none;
          expect(normalizeSignature(protocol, signature)).to.equal(null);
        }
      }
      expect([...seen].sort()).to.deep.equal([0, 1]);
    });

    it('is of no other protocol', () => {
      const signature = signatureOf(Buffer.alloc(32, 1));
      for (const other of ['ecdsa-p256', 'bip340', 'ed25519'] as const)
        expect(normalizeSignature(other, signature)).to.equal(null);
    });
  });

  describe('of messages', () => {
    const message = Buffer.from('a message that is not 32 bytes long');
    const messageDigest = createHash('sha256').update(message).digest();
    const content = { message, messageDigest, derivationPath: [] } as const;

    it('is over the message itself with Ed25519: the third vector of RFC 8032', () => {
      const publicKey = Buffer.from(
        'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
        'hex',
      );
      const signature = Buffer.from(
        '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
        'hex',
      );
      const signed = { protocol: 'ed25519', publicKey, ...content } as const;
      expect(judge({ ...signed, message: Buffer.from('af82', 'hex') }, signature)).to.equal(true);
      expect(judge({ ...signed, message: Buffer.from('af83', 'hex') }, signature)).to.equal(false);
      const own = generateKeyPairSync('ed25519');
      const ownKey = own.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
      for (const [what, isValid] of [
        [message, true],
        [messageDigest, false],
      ] as const)
        expect(judge({ ...signed, publicKey: ownKey }, sign(null, what, own.privateKey))).to.equal(isValid);
    });

    it('is over the message itself with BIP 340: a vector of the BIP with one byte', () => {
      const publicKey = Buffer.from(
        '02778CAA53B4393AC467774D09497A87224BF9FAB6F6E68B23086497324D6FD117',
        'hex',
      );
      const signature = Buffer.from(
        '08A20A0AFEF64124649232E0693C583AB1B9934AE63B4C3511F3AE1134C6A303EA3173BFEA6683BD101FA5AA5DBC1996FE7CACFC5A577D33EC14564CEC2BACBF',
        'hex',
      );
      const signed = { protocol: 'bip340', publicKey, ...content } as const;
      expect(judge({ ...signed, message: Buffer.from([0x11]) }, signature)).to.equal(true);
      expect(judge({ ...signed, message: Buffer.from([0x12]) }, signature)).to.equal(false);
    });

    it('is over its SHA-256 with ECDSA', () => {
      for (const [protocol, curve] of [
        ['ecdsa-secp256k1', secp256k1],
        ['ecdsa-p256', p256],
      ] as const) {
        const secretKey = curve.utils.randomSecretKey();
        const signed = { protocol, publicKey: Buffer.from(curve.getPublicKey(secretKey)), ...content };
        expect(judge(signed, curve.sign(message, secretKey, { lowS: true }))).to.equal(true);
        expect(judge(signed, curve.sign(messageDigest, secretKey, { lowS: true }))).to.equal(false);
      }
    });
  });

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
        expect(normalBytes('bip340', Buffer.from(signature.subarray(1)))).to.equal(null);
        expect(normalBytes('bip340', Buffer.alloc(64, 255))).to.equal(null);
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
    expect(normalBytes('ed25519', Buffer.alloc(64))).to.deep.equal(Buffer.alloc(64));
    expect(normalBytes('ed25519', Buffer.alloc(63))).to.equal(null);
    expect(normalBytes('bip340', Buffer.alloc(65))).to.equal(null);
    expect(normalBytes('ecdsa-p256', Buffer.from(`3044${'00'.repeat(68)}`, 'hex'))).to.equal(null);
    expect(normalBytes('ecdsa-p256', Buffer.alloc(70))).to.equal(null);
  });
});

/** The uncompressed point that a SubjectPublicKeyInfo of these curves ends with. */
function pointOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' }).subarray(-65);
}
