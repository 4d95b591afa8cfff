/** The delegate's keys for shares: each good for one envelope, their private halves in memory alone. */
import { randomUUID, sign, type KeyObject } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EncryptionSuite, type PartyEncryptionKeySchema } from '../../generated/proto/router/v1/router_pb.js';
import { generateSealingKey, SUITE_NAME } from './sealing.js';
import { encryptionKeyStatement } from './signed-bytes.js';

export type OfferedKey = MessageInitShape<typeof PartyEncryptionKeySchema>;

export interface OneTimeKeys {
  /** Makes so many more, to be handed to the router. */
  offer(count: number): Promise<OfferedKey[]>;
  /** The private key, once; null where it is unknown, used or too old. */
  take(keyId: string): CryptoKey | null;
}

const LIFETIME_MS = 24 * 3_600_000;

interface KeptKey {
  readonly privateKey: CryptoKey;
  readonly notAfter: Date;
}

export function createOneTimeKeys(identityKey: KeyObject): OneTimeKeys {
  const kept = new Map<string, KeptKey>();

  async function make(): Promise<OfferedKey> {
    const { publicKey, privateKey } = await generateSealingKey();
    const notAfter = new Date(Date.now() + LIFETIME_MS);
    const key = { keyId: randomUUID(), publicKey, oneTime: true };
    kept.set(key.keyId, { privateKey, notAfter });
    return {
      ...key,
      suite: EncryptionSuite.HPKE_X25519_SHA256_AES256GCM,
      notAfter: timestampFromDate(notAfter),
      signature: sign(null, encryptionKeyStatement({ ...key, suite: SUITE_NAME, notAfter }), identityKey),
    };
  }

  return {
    offer: (count) => Promise.all(Array.from({ length: count }, make)),
    take(keyId) {
      const key = kept.get(keyId);
      kept.delete(keyId);
      return key === undefined || key.notAfter.getTime() <= Date.now() ? null : key.privateKey;
    },
  };
}
