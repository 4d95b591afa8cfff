import { expect } from 'chai';
import { generateKeyPairSync, sign } from 'node:crypto';
import {
  encryptionKeyStatement,
  requireEncryptionKey,
} from '../../../src/signing/parties/encryption-key-store.js';

describe('an encryption key of a party', () => {
  it('is verified beside the event loop where that takes milliseconds', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    const key = {
      keyId: 'k',
      suite: 'HPKE-X25519-SHA256-AES256GCM' as const,
      publicKey: Buffer.alloc(32, 9),
      oneTime: true,
      notAfter: null,
    };
    const signature = sign('sha256', encryptionKeyStatement(key), privateKey);
    let isVerified = false;
    const identity = publicKey.export({ type: 'spki', format: 'der' });
    const verified = requireEncryptionKey(identity, { ...key, signature }).then(() => (isVerified = true));
    // Nothing of the thread pool ends before the microtasks.
    for (let microtasks = 0; microtasks < 100; microtasks += 1) await Promise.resolve();
    expect(isVerified).to.equal(false);
    expect(await verified).to.equal(true);
  });
});
