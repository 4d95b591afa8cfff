/** The keys that delegates want shares to be encrypted to. */
import { verifyIdentity } from './identity-key.js';
import { instantBytes, lengthPrefixed } from '../../length-prefixed.js';
import { InvalidPartyKey, type PartyEncryptionKey } from '../router-port.js';

/** What the party's identity key signs: all members but the signature, after the name of what it is. */
export const encryptionKeyStatement = (key: Omit<PartyEncryptionKey, 'signature'>): Buffer =>
  lengthPrefixed([
    'router.v1 PartyEncryptionKey',
    key.keyId,
    key.suite,
    key.publicKey,
    key.oneTime ? '1' : '0',
    instantBytes(key.notAfter),
  ]);

const X25519_BYTES = 32;
const MAX_KEY_BYTES = 1024;
const MAX_SIGNATURE_BYTES = 1024;

/** @throws InvalidPartyKey with the reason; it never holds key bytes */
export function checkEncryptionKey(identityPublicKey: Buffer, key: PartyEncryptionKey): void {
  if (key.keyId.length < 1 || key.keyId.length > 128 || /[^!-~]/.test(key.keyId))
    throw new InvalidPartyKey('a key id is 1 to 128 visible characters of ASCII');
  if (!hasPlausibleSize(key)) throw new InvalidPartyKey(`key ${key.keyId} has the wrong size for its suite`);
  if (key.signature.length > MAX_SIGNATURE_BYTES) throw new InvalidPartyKey(`key ${key.keyId} is not signed`);
  if (!verifyIdentity(identityPublicKey, encryptionKeyStatement(key), key.signature))
    throw new InvalidPartyKey(`key ${key.keyId} is not signed by the party's identity key`);
}

function hasPlausibleSize({ suite, publicKey }: PartyEncryptionKey): boolean {
  switch (suite) {
    case 'HPKE-X25519-SHA256-AES256GCM':
      return publicKey.length === X25519_BYTES;
    case 'RSA-OAEP-SHA256-AES256GCM':
      return publicKey.length >= 256 && publicKey.length <= MAX_KEY_BYTES;
  }
}
