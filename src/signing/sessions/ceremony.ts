/** Ceremonies: who makes or reshares the key of an account, and what the participants certify when they are done. */
import { verify } from 'node:crypto';
import { lengthPrefixed, unsigned32 } from '../../base/bytes.js';
import type { AccountId, PartyId, SessionId, TenantId } from '../../base/identifiers.js';
import type { CeremonyPlan, CeremonyResult, Holder, Holding } from '../router-port.js';
import { isPoint } from '../curve-point.js';
import { readIdentityKey } from '../parties/identity-key.js';

interface CeremonySession {
  readonly tenantId: TenantId;
  readonly accountId: AccountId;
  readonly sessionId: SessionId;
}

/** All participants, the dealers first. A party that keeps a share is listed once. */
export function participantsOf({ before, after }: CeremonyPlan): readonly Holder[] {
  const dealers = before?.holders ?? [];
  return [
    ...dealers,
    ...after.holders.filter(({ partyId }) => !dealers.some((one) => one.partyId === partyId)),
  ];
}

/** What participants agree on before they begin; the manual describes the bytes (Signing, Ceremonies). */
export const planStatement = (
  { tenantId, accountId, sessionId }: CeremonySession,
  { kind, before, after }: CeremonyPlan,
): Buffer =>
  lengthPrefixed([
    ...['dbr-ceremony-plan-v1', kind, tenantId, accountId, sessionId],
    before === null ? '' : holdingBytes(before),
    holdingBytes(after),
  ]);

const holdingBytes = ({ threshold, holders }: Holding): Buffer =>
  lengthPrefixed([
    unsigned32(threshold),
    ...holders.flatMap(({ partyId, shareIndex, identityPublicKey }) => [
      partyId,
      unsigned32(shareIndex),
      Buffer.from(identityPublicKey, 'hex'),
    ]),
  ]);

/** What the identity keys of all participants sign. @param plan the SHA-256 of `planStatement` */
export const certificateStatement = (
  plan: Buffer,
  { publicKey, transcriptSha256 }: Pick<CeremonyResult, 'publicKey' | 'transcriptSha256'>,
): Buffer => lengthPrefixed(['dbr-ceremony-v1', plan, publicKey, transcriptSha256]);

/** Whether the result is signed by this participant, and names the account's key: the present one, where there is one. */
export function isCertified(
  plan: Buffer,
  ceremony: CeremonyPlan,
  partyId: PartyId,
  result: CeremonyResult,
  presentKey: Buffer | null,
): boolean {
  const participant = participantsOf(ceremony).find((one) => one.partyId === partyId);
  if (participant === undefined || !isPoint('ed25519', result.publicKey)) return false;
  if (presentKey !== null && !presentKey.equals(result.publicKey)) return false;
  const key = readIdentityKey(Buffer.from(participant.identityPublicKey, 'hex'));
  if (key === null) return false;
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  try {
    return verify(algorithm, certificateStatement(plan, result), key, result.signature);
  } catch {
    return false;
  }
}
