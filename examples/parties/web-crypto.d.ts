/** The names of Web Crypto that @hpke/core takes for global; @types/node has them in a namespace. */
import type { webcrypto } from 'node:crypto';

declare global {
  type CryptoKey = webcrypto.CryptoKey;
  type CryptoKeyPair = webcrypto.CryptoKeyPair;
}
