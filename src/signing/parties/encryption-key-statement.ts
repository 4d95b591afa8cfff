import { instantBytes, lengthPrefixed } from '../../base/bytes.js';
import type { PartyEncryptionKey } from '../router-port.js';

/** The bytes that the party's identity key signs: a purpose, then all members but the signature. */
export const encryptionKeyStatement = (key: Omit<PartyEncryptionKey, 'signature'>): Buffer =>
  lengthPrefixed([
    'router.v1 PartyEncryptionKey',
    key.keyId,
    key.suite,
    key.publicKey,
    key.oneTime ? '1' : '0',
    instantBytes(key.notAfter),
  ]);
