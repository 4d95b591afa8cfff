/** Shares of users for a delegate, whose bytes no party opens. */
import { createHash, randomBytes } from 'node:crypto';
import type { DelegateUserShare } from '../../../generated/types.js';
import { partyIdOf, tenantIdOf } from '../../../src/identifiers.js';
import { shareAssociatedData } from '../../../src/signing/shares/share-associated-data.js';
import { accountIdOf, sessionIdOf } from '../identifiers.js';
import { DIGEST } from './signing-fixture.js';

export interface ShareOf {
  readonly accountId: string;
  readonly sessionId: string;
  /** The claimed key of the delegate `helper`. */
  readonly recipientKeyId: string;
}

const LIFE_MS = 200_000;

/** Of tenant `acme`, for the delegate `helper` and `DIGEST`. */
export function sealedShare({ accountId, sessionId, recipientKeyId }: ShareOf): DelegateUserShare {
  const expiresAt = new Date(Date.now() + LIFE_MS);
  const associatedData = shareAssociatedData({
    tenantId: tenantIdOf('acme'),
    accountId: accountIdOf(accountId),
    sessionId: sessionIdOf(sessionId),
    delegatePartyId: partyIdOf('helper'),
    recipientKeyId,
    messageDigest: Buffer.from(DIGEST, 'hex'),
    derivationPath: [],
    expiresAt,
  });
  return {
    delegatePartyId: 'helper',
    recipientKeyId,
    suite: 'HPKE-X25519-SHA256-AES256GCM',
    encapsulatedKey: randomBytes(32).toString('base64url'),
    ciphertext: randomBytes(100).toString('base64url'),
    aadSha256: createHash('sha256').update(associatedData).digest('hex'),
    shareType: 'delegate',
    purpose: 'signing',
    expiresAt: expiresAt.toISOString(),
  };
}
