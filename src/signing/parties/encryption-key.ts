/** Checks of the public keys that delegates offer for the encryption of user shares. */
import { hasSmallOrder } from '../curve-point.js';
import { InvalidPartyKey, type PartyEncryptionKey } from '../router-port.js';
import { encryptionKeyStatement } from './encryption-key-statement.js';
import { verifyIdentity } from './identity-key.js';

const X25519_BYTES = 32;
const MIN_RSA_BYTES = 256;
const MAX_RSA_BYTES = 1024;
const MAX_SIGNATURE_BYTES = 1024;

/** @throws InvalidPartyKey with the reason, which never holds key bytes */
export function requireEncryptionKey(identityPublicKey: Buffer, key: PartyEncryptionKey): void {
  if (key.keyId.length < 1 || key.keyId.length > 128 || /[^!-~]/.test(key.keyId))
    throw new InvalidPartyKey('a key id is 1 to 128 visible ASCII characters');
  if (!isPlausible(key)) throw new InvalidPartyKey(`key ${key.keyId} is no public key of its suite`);
  if (key.signature.length > MAX_SIGNATURE_BYTES)
    throw new InvalidPartyKey(`the signature of key ${key.keyId} is too long`);
  if (!verifyIdentity(identityPublicKey, encryptionKeyStatement(key), key.signature))
    throw new InvalidPartyKey(`key ${key.keyId} is not signed by the party's identity key`);
}

function isPlausible({ suite, publicKey }: PartyEncryptionKey): boolean {
  switch (suite) {
    case 'HPKE-X25519-SHA256-AES256GCM':
      return publicKey.length === X25519_BYTES && !hasSmallOrder('x25519', publicKey);
    case 'RSA-OAEP-SHA256-AES256GCM':
      return publicKey.length >= MIN_RSA_BYTES && publicKey.length <= MAX_RSA_BYTES;
  }
}
