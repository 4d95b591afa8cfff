/** The user's encrypted share for the delegate, and the checks that need no key. */
import type { DelegateUserShare as DelegateUserShareBody } from '../../../generated/types.js';
import type { Problem } from '../../errors/dbr-error.js';
import { partyIdOf } from '../../base/identifiers.js';
import { sha256 } from '../../base/hash.js';
import { hasSmallOrder } from '../curve-point.js';
import type { DelegateUserShare, PartySession } from '../router-port.js';
import { secret } from '../types.js';
import { instantBytes, lengthPrefixed, unsigned32 } from '../../base/bytes.js';

/** Length of an encapsulated key of X25519 (RFC 9180 §4.1). */
const HPKE_ENCAPSULATED_BYTES = 32;
const AEAD_TAG_BYTES = 16;
const MAX_CIPHERTEXT_BYTES = 262_144;
const GCM_NONCE_BYTES = 12;
const RSA_MIN_BYTES = 256;
const RSA_MAX_BYTES = 1024;

/** Decodes the share of a checked body. */
export const shareOf = (body: DelegateUserShareBody): DelegateUserShare => ({
  delegatePartyId: partyIdOf(body.delegatePartyId),
  recipientKeyId: body.recipientKeyId,
  suite: body.suite,
  encapsulatedKey: secret(Buffer.from(body.encapsulatedKey, 'base64url')),
  ciphertext: secret(Buffer.from(body.ciphertext, 'base64url')),
  nonce: body.nonce === undefined ? null : secret(Buffer.from(body.nonce, 'base64url')),
  aadSha256: Buffer.from(body.aadSha256, 'hex'),
  expiresAt: new Date(body.expiresAt),
});

/**
 * Lists every problem of a share for the session; `path` of a problem is relative to the share.
 * @param now milliseconds since the epoch
 */
export function shareProblems(
  share: DelegateUserShare,
  binding: Omit<ShareBinding, 'recipientKeyId' | 'expiresAt'>,
  now: number,
): readonly Problem[] {
  const problems = [...sizeProblems(share)];
  const add = (path: string, code: string, message: string): void => {
    problems.push({ path, code, message });
  };
  if (share.delegatePartyId !== binding.delegatePartyId)
    add('/delegatePartyId', 'other_delegate', 'is not the delegate of the session');
  if (Number.isNaN(share.expiresAt.getTime())) add('/expiresAt', 'time', 'is not a time');
  else if (share.expiresAt.getTime() <= now) add('/expiresAt', 'expired', 'has passed');
  else if (!bindsTo(share, binding))
    add('/aadSha256', 'other_session', 'is not the hash of the associated data of this session');
  return problems;
}

function bindsTo(
  { recipientKeyId, expiresAt, aadSha256 }: DelegateUserShare,
  binding: Omit<ShareBinding, 'recipientKeyId' | 'expiresAt'>,
): boolean {
  const expected = sha256(shareAssociatedData({ ...binding, recipientKeyId, expiresAt }));
  return expected.equals(aadSha256);
}

function sizeProblems({ suite, encapsulatedKey, ciphertext, nonce }: DelegateUserShare): readonly Problem[] {
  const problems: Problem[] = [];
  const sealed = ciphertext.reveal().length;
  if (sealed < AEAD_TAG_BYTES || sealed > MAX_CIPHERTEXT_BYTES)
    problems.push(sizeProblem('/ciphertext', 'must be 16 bytes to 256 KiB'));
  const encapsulated = encapsulatedKey.reveal().length;
  const nonceBytes = nonce?.reveal().length ?? null;
  switch (suite) {
    case 'HPKE-X25519-SHA256-AES256GCM':
      if (encapsulated !== HPKE_ENCAPSULATED_BYTES)
        problems.push(sizeProblem('/encapsulatedKey', 'must be 32 bytes in this suite'));
      // Everyone could decrypt the share: the agreed secret would be known.
      else if (hasSmallOrder('x25519', encapsulatedKey.reveal()))
        problems.push({
          path: '/encapsulatedKey',
          code: 'key',
          message: 'must not be a point of small order',
        });
      if (nonceBytes !== null) problems.push(sizeProblem('/nonce', 'must be absent in this suite'));
      break;
    case 'RSA-OAEP-SHA256-AES256GCM':
      if (encapsulated < RSA_MIN_BYTES || encapsulated > RSA_MAX_BYTES)
        problems.push(sizeProblem('/encapsulatedKey', 'must be 256 to 1024 bytes in this suite'));
      if (nonceBytes !== GCM_NONCE_BYTES)
        problems.push(sizeProblem('/nonce', 'must be 12 bytes in this suite'));
      break;
  }
  return problems;
}

const sizeProblem = (path: string, message: string): Problem => ({ path, code: 'size', message });

/** The session and key to which a share is bound; the associated data of the encryption contains all members. */
export interface ShareBinding
  extends
    Pick<PartySession, 'tenantId' | 'accountId' | 'sessionId' | 'messageDigest' | 'derivationPath'>,
    Partial<Pick<PartySession, 'hasMessage'>>,
    Pick<DelegateUserShare, 'delegatePartyId' | 'recipientKeyId' | 'expiresAt'> {}

/**
 * The associated data of the encryption, which user and delegate compute independently: parts with length prefixes. The
 * derivation path takes four bytes for each index, the expiry is milliseconds since the epoch in eight bytes. A share for a
 * message is not one for its SHA-256 as a digest.
 */
export const shareAssociatedData = (binding: ShareBinding): Buffer =>
  lengthPrefixed([
    binding.hasMessage === true ? 'dus/v1 message' : 'dus/v1',
    binding.tenantId,
    binding.accountId,
    binding.sessionId,
    binding.delegatePartyId,
    binding.recipientKeyId,
    binding.messageDigest,
    Buffer.concat(binding.derivationPath.map(unsigned32)),
    instantBytes(binding.expiresAt),
  ]);
