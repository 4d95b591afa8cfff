import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { expect } from 'chai';
import { createHash, createHmac } from 'node:crypto';
import { childKey } from '../../../src/signing/child-key.js';
import { normalizeSignature, verifySignature } from '../../../src/signing/sessions/verify-signature.js';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** The point and the chain code of an extended public key, whose checksum fits. */
function extended(text: string): { readonly key: Buffer; readonly chainCode: Buffer } {
  let value = 0n;
  for (const letter of text) value = value * 58n + BigInt(ALPHABET.indexOf(letter));
  const bytes = Buffer.from(value.toString(16).padStart(164, '0'), 'hex');
  const sha256 = (data: Buffer): Buffer => createHash('sha256').update(data).digest();
  expect(sha256(sha256(bytes.subarray(0, 78))).subarray(0, 4)).to.deep.equal(bytes.subarray(78));
  return { chainCode: bytes.subarray(13, 45), key: bytes.subarray(45, 78) };
}

// Test vector 2 of BIP 32: m by its seed, and m/0.
const SEED =
  'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542';
const MASTER = createHmac('sha512', 'Bitcoin seed').update(Buffer.from(SEED, 'hex')).digest();
const PARENT = { key: secp256k1.getPublicKey(MASTER.subarray(0, 32)), chainCode: MASTER.subarray(32) };
const CHILD = extended(
  'xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH',
);

describe('child keys of secp256k1', () => {
  it('are those of BIP 32, from a point in either form', () => {
    expect(childKey(PARENT.key, PARENT.chainCode, [0])).to.deep.equal(CHILD.key);
    const whole = secp256k1.Point.fromBytes(PARENT.key).toBytes(false);
    expect(childKey(whole, PARENT.chainCode, [0])).to.deep.equal(CHILD.key);
  });

  it('are not derived for hardened indices', () => {
    expect(childKey(PARENT.key, PARENT.chainCode, [2 ** 31])).to.equal(null);
    expect(childKey(PARENT.key, PARENT.chainCode, [0, 2 ** 32 - 1])).to.equal(null);
    expect(childKey(PARENT.key, PARENT.chainCode, [2 ** 31 - 1])).to.have.lengthOf(33);
  });

  it('verify the signatures of their private keys, and no others', () => {
    const { Point, utils } = secp256k1;
    const parent = utils.randomSecretKey();
    const publicKey = Buffer.from(secp256k1.getPublicKey(parent));
    const chainCode = Buffer.alloc(32, 7);
    // CKDpriv by the book: the child's private key is that of the parent plus the tweak.
    const hash = createHmac('sha512', chainCode)
      .update(publicKey)
      .update(Buffer.from([0, 0, 0, 5]))
      .digest();
    const tweak = BigInt(`0x${hash.subarray(0, 32).toString('hex')}`);
    const child = Point.Fn.toBytes(Point.Fn.add(Point.Fn.fromBytes(parent), Point.Fn.create(tweak)));
    const messageDigest = createHash('sha256').update('pay').digest();
    const signed = { publicKey, messageDigest, derivationPath: [5], chainCode } as const;
    const ecdsa = (key: Uint8Array): Uint8Array => secp256k1.sign(messageDigest, key, { prehash: false });
    const verdict = (
      protocol: 'ecdsa-secp256k1' | 'bip340',
      signature: Uint8Array,
      more = {},
    ): boolean | null => {
      const reported = normalizeSignature(protocol, Buffer.from(signature));
      if (reported === null) throw new Error('another form');
      return verifySignature({ ...signed, message: null, protocol, ...more }, reported).valid;
    };
    expect(verdict('ecdsa-secp256k1', ecdsa(child))).to.equal(true);
    expect(verdict('ecdsa-secp256k1', ecdsa(parent))).to.equal(false);
    expect(verdict('ecdsa-secp256k1', ecdsa(child), { derivationPath: [6] })).to.equal(false);
    expect(verdict('ecdsa-secp256k1', ecdsa(child), { chainCode: null })).to.equal(null);
    expect(verdict('bip340', schnorr.sign(messageDigest, child))).to.equal(true);
    expect(verdict('bip340', schnorr.sign(messageDigest, parent))).to.equal(false);
  });
});
