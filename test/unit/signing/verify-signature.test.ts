import { expect } from 'chai';
import { generateKeyPairSync, sign } from 'node:crypto';
import { looksLikeSignature, verifySignature } from '../../../src/signing/verify-signature.js';

describe('verifying what parties report', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const messageDigest = Buffer.alloc(32, 3);
  const signed = {
    keyType: 'ed25519',
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32),
    messageDigest,
    derivationPath: [],
  } as const;
  const signature = sign(null, messageDigest, privateKey);

  it('is certain for Ed25519', () => {
    expect(verifySignature(signed, signature)).to.equal(true);
    expect(verifySignature({ ...signed, messageDigest: Buffer.alloc(32, 4) }, signature)).to.equal(false);
    expect(verifySignature(signed, Buffer.alloc(64))).to.equal(false);
    expect(verifySignature({ ...signed, publicKey: Buffer.alloc(31) }, signature)).to.equal(false);
  });

  it('is left to the parties for child keys and for ECDSA', () => {
    expect(verifySignature({ ...signed, derivationPath: [0] }, signature)).to.equal(null);
    expect(verifySignature({ ...signed, keyType: 'secp256k1' }, signature)).to.equal(null);
  });

  it('begins with the size', () => {
    expect(looksLikeSignature('ed25519', Buffer.alloc(64))).to.equal(true);
    expect(looksLikeSignature('ed25519', Buffer.alloc(63))).to.equal(false);
    expect(looksLikeSignature('p256', Buffer.from(`3044${'00'.repeat(68)}`, 'hex'))).to.equal(true);
    expect(looksLikeSignature('p256', Buffer.alloc(70))).to.equal(false);
  });
});
