/** The user's share for the delegate: sealed by the user for one session and digest, opened by the delegate there alone. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  EncryptionSuite,
  FailureReason,
  SharePurpose,
  ShareType,
  type DelegateUserShare,
  type Session,
} from '../../generated/proto/router/v1/router_pb.js';
import type { DelegateUserShare as DelegateUserShareBody } from '../../generated/types.js';
import { belongsTo, frostSecret, SIGNING_SHARE_BYTES, type FrostPublic, type FrostSecret } from './frost.js';
import type { OneTimeKeys } from './one-time-keys.js';
import { ProtocolFault } from './protocol-fault.js';
import { open, seal, SHARE_INFO, SUITE_NAME } from './sealing.js';
import { shareAssociatedData, type ShareBinding } from './signed-bytes.js';

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

const unusable = (detail: string): ProtocolFault => new ProtocolFault(FailureReason.SHARE_UNUSABLE, detail);

/**
 * What the user sends with the session.
 * @param recipient the delegate's public key that was claimed
 */
export async function sealShare(
  recipient: Uint8Array,
  binding: ShareBinding,
  signingShare: Uint8Array,
): Promise<DelegateUserShareBody> {
  const associatedData = shareAssociatedData(binding);
  const sealed = await seal(recipient, { info: SHARE_INFO, associatedData }, signingShare);
  return {
    delegatePartyId: binding.delegatePartyId,
    recipientKeyId: binding.recipientKeyId,
    suite: SUITE_NAME,
    encapsulatedKey: Buffer.from(sealed.encapsulatedKey).toString('base64url'),
    ciphertext: Buffer.from(sealed.ciphertext).toString('base64url'),
    aadSha256: sha256(associatedData).toString('hex'),
    shareType: 'delegate',
    purpose: 'signing',
    expiresAt: binding.expiresAt.toISOString(),
  };
}

export interface DelegateHolder {
  readonly partyId: string;
  readonly shareIndex: number;
  readonly publicPackage: FrostPublic;
  readonly keys: OneTimeKeys;
}

/**
 * Opens the envelope and returns the share if it was sealed for exactly this session. The caller wipes it after use.
 * @throws ProtocolFault SHARE_UNUSABLE
 */
export async function openShare(
  delegate: DelegateHolder,
  session: Session,
  share: DelegateUserShare,
): Promise<FrostSecret> {
  const { expiresAt, recipientKeyId } = share;
  if (share.delegatePartyId !== delegate.partyId) throw unusable('sealed for another party');
  if (share.suite !== EncryptionSuite.HPKE_X25519_SHA256_AES256GCM) throw unusable('another suite');
  if (share.shareType !== ShareType.DELEGATE || share.purpose !== SharePurpose.SIGNING)
    throw unusable('for another purpose');
  if (expiresAt === undefined || timestampDate(expiresAt).getTime() <= Date.now())
    throw unusable('it has expired');
  const associatedData = shareAssociatedData({
    tenantId: session.tenantId,
    accountId: session.accountId,
    sessionId: session.sessionId,
    delegatePartyId: delegate.partyId,
    recipientKeyId,
    messageDigest: session.message.length === 0 ? session.messageDigest : sha256(session.message),
    hasMessage: session.message.length > 0,
    derivationPath: session.derivationPath,
    expiresAt: timestampDate(expiresAt),
  });
  if (!isSame(sha256(associatedData), share.aadSha256)) throw unusable('bound to another session');
  const privateKey = delegate.keys.take(recipientKeyId);
  if (privateKey === null) throw unusable('its key is unknown or used');
  const signingShare = await open(privateKey, { info: SHARE_INFO, associatedData }, share).catch(() => {
    throw unusable('it does not open for this session');
  });
  return readSecret(delegate, signingShare);
}

function readSecret({ shareIndex, publicPackage }: DelegateHolder, signingShare: Uint8Array): FrostSecret {
  try {
    if (signingShare.length !== SIGNING_SHARE_BYTES) throw unusable('no share of this kind of key');
    const secret = frostSecret(shareIndex, signingShare);
    if (belongsTo(publicPackage, secret)) return secret;
    wipe(secret);
    throw unusable('a share of another key');
  } finally {
    signingShare.fill(0);
  }
}

export const wipe = ({ signingShare }: FrostSecret): void => {
  signingShare.fill(0);
};

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other);
