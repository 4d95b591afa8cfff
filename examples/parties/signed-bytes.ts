/** Bytes that are signed or authenticated, built as docs/signing/overview.md and docs/signing/router.md describe them. */

/** Each part as four bytes of its length, big-endian, then the part; texts as UTF-8. No two lists give the same bytes. */
export function lengthPrefixed(parts: readonly (string | Uint8Array)[]): Buffer {
  const pieces = parts.flatMap((part) => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'utf8') : part;
    return [unsigned32(bytes.length), bytes];
  });
  return Buffer.concat(pieces);
}

export interface EnvelopeContent {
  readonly sessionId: string;
  readonly messageId: string;
  readonly fromPartyId: string;
  /** Empty: to all other participants of the session. */
  readonly toPartyIds: readonly string[];
  readonly round: number;
  readonly senderSequence: bigint;
  readonly payload: Uint8Array;
}

/** What the sender's identity key signs of an envelope. */
export const envelopeStatement = (envelope: EnvelopeContent): Buffer =>
  lengthPrefixed([
    'router.v1 Envelope',
    envelope.sessionId,
    envelope.messageId,
    envelope.fromPartyId,
    lengthPrefixed(envelope.toPartyIds),
    unsigned32(envelope.round),
    unsigned64(envelope.senderSequence),
    envelope.payload,
  ]);

export interface EncryptionKeyContent {
  readonly keyId: string;
  readonly suite: string;
  readonly publicKey: Uint8Array;
  readonly oneTime: boolean;
  /** null: no end. */
  readonly notAfter: Date | null;
}

/** What the delegate's identity key signs of an encryption key. */
export const encryptionKeyStatement = (key: EncryptionKeyContent): Buffer =>
  lengthPrefixed([
    'router.v1 PartyEncryptionKey',
    key.keyId,
    key.suite,
    key.publicKey,
    key.oneTime ? '1' : '0',
    key.notAfter === null ? new Uint8Array() : milliseconds(key.notAfter),
  ]);

export interface ShareBinding {
  readonly tenantId: string;
  readonly accountId: string;
  readonly sessionId: string;
  readonly delegatePartyId: string;
  readonly recipientKeyId: string;
  /** The digest, or the SHA-256 of the message. */
  readonly messageDigest: Uint8Array;
  readonly hasMessage?: boolean;
  readonly derivationPath: readonly number[];
  readonly expiresAt: Date;
}

/** What the user's share is bound to when it is sealed: one envelope, one session, one digest. */
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
    milliseconds(binding.expiresAt),
  ]);

export interface HolderContent {
  readonly partyId: string;
  readonly shareIndex: number;
  /** As registered. */
  readonly identityPublicKey: Uint8Array;
}

export interface HoldingContent {
  readonly threshold: number;
  readonly holders: readonly HolderContent[];
}

/** What all participants of a ceremony agree on; its SHA-256 names the plan. @param before null for a new key */
export const ceremonyPlanStatement = (
  kind: 'keygen' | 'reshare',
  ids: { readonly tenantId: string; readonly accountId: string; readonly sessionId: string },
  before: HoldingContent | null,
  after: HoldingContent,
): Buffer =>
  lengthPrefixed([
    ...['dbr-ceremony-plan-v1', kind, ids.tenantId, ids.accountId, ids.sessionId],
    before === null ? '' : holdingBytes(before),
    holdingBytes(after),
  ]);

const holdingBytes = ({ threshold, holders }: HoldingContent): Buffer =>
  lengthPrefixed([
    unsigned32(threshold),
    ...holders.flatMap(({ partyId, shareIndex, identityPublicKey }) => [
      partyId,
      unsigned32(shareIndex),
      identityPublicKey,
    ]),
  ]);

/** What the identity key of every participant signs when the ceremony is done. */
export const ceremonyStatement = (
  planSha256: Uint8Array,
  publicKey: Uint8Array,
  transcriptSha256: Uint8Array,
): Buffer => lengthPrefixed(['dbr-ceremony-v1', planSha256, publicKey, transcriptSha256]);

function unsigned32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function unsigned64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}

/** Since the epoch. */
const milliseconds = (time: Date): Buffer => unsigned64(BigInt(time.getTime()));
