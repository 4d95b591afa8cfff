/**
 * Whether people whom this party trusts asked for exactly this session. The service passes requests on and can lie about
 * everything else: what counts is what was signed, and what this party has noted itself.
 */
import { createHash } from 'node:crypto';
import { FailureReason, type Session } from '../../generated/proto/router/v1/router_pb.js';
import { ProtocolFault } from './protocol-fault.js';
import { metadataSha256, readRequest, type RequestContent } from './request-content.js';
import { signedBy, type RequestKey } from './request-keys.js';
import type { UsedNonces } from './used-nonces.js';

/** From the party's own configuration, never from the service. */
export interface RequestPolicy {
  readonly tenantId: string;
  readonly accountId: string;
  /** The keys of owners and approvers, each with another identifier and another holder. */
  readonly keys: readonly RequestKey[];
  /** How many of them must sign. */
  readonly needed: number;
  readonly nonces: UsedNonces;
}

/** A request that allows the session, or one that too few have signed so far. */
export type Verdict =
  | { readonly kind: 'approved'; readonly nonce: string; readonly expiresAt: number }
  | { readonly kind: 'waiting'; readonly signed: number };

/**
 * @param now milliseconds since the epoch
 * @throws ProtocolFault POLICY_DENIED for what no further approval can mend
 */
export function verifyRequest(session: Session, policy: RequestPolicy, now = Date.now()): Verdict {
  if (session.request.length === 0) throw refused('no signed request');
  const content = readRequest(session.request);
  if (content === null) throw refused('the request has another form');
  const difference = differenceOf(content, session, policy);
  if (difference !== null) throw refused(`the request is for ${difference}`);
  const expiresAt = Date.parse(content.expiresAt);
  // Not a number, for a time such as the 31st of February, is not later either.
  if (!(expiresAt > now)) throw refused('the request has expired');
  if (policy.nonces.has(content.nonce)) throw refused('the request was signed before');
  const signed = countSigners(session, policy);
  if (signed < policy.needed) return { kind: 'waiting', signed };
  return { kind: 'approved', nonce: content.nonce, expiresAt };
}

/**
 * Verifies the request once more, as the session starts, and notes that it is signed now. To be called once, before the first
 * message of the session.
 * @throws ProtocolFault POLICY_DENIED
 */
export function takeRequest(session: Session, policy: RequestPolicy): void {
  const verdict = verifyRequest(session, policy);
  if (verdict.kind === 'waiting')
    throw refused(`${String(verdict.signed)} of ${String(policy.needed)} have signed the request`);
  policy.nonces.use(verdict.nonce, verdict.expiresAt);
}

/** What the request names differently; null where it is for this session. */
function differenceOf(content: RequestContent, session: Session, policy: RequestPolicy): string | null {
  const { tenantId, accountId } = policy;
  if (content.tenantId !== tenantId || session.tenantId !== tenantId) return 'another tenant';
  if (content.accountId !== accountId || session.accountId !== accountId) return 'another account';
  if (content.protocol !== session.protocol) return 'another protocol';
  if (content.derivationPath.join() !== session.derivationPath.join()) return 'another derivation path';
  const signs = contentOf(session);
  if (content.messageDigest !== signs.messageDigest) return 'another digest';
  if (content.messageSha256 !== signs.messageSha256) return 'another message';
  if (content.threshold !== session.threshold) return 'another threshold';
  const parties = session.participants.map(({ partyId }) => partyId);
  if (content.parties !== null && !sameNames(content.parties, parties)) return 'other parties';
  if (content.metadataSha256 !== metadataHashOf(session)) return 'other metadata';
  return null;
}

/** A digest and a message of which it is the hash are signed differently: a request for one of them is none for the other. */
function contentOf({
  messageDigest,
  message,
}: Session): Pick<RequestContent, 'messageDigest' | 'messageSha256'> {
  return {
    ...(messageDigest.length === 0 ? {} : { messageDigest: Buffer.from(messageDigest).toString('hex') }),
    ...(message.length === 0 ? {} : { messageSha256: createHash('sha256').update(message).digest('hex') }),
  };
}

const sameNames = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted());

function metadataHashOf({ metadata }: Session): string | null {
  try {
    return metadataSha256(JSON.parse(metadata));
  } catch {
    return null;
  }
}

/** Counts the keys of the policy that have signed. A signature in the name of one of them that does not verify is a forgery. */
function countSigners({ request, requestSignatures }: Session, { keys }: RequestPolicy): number {
  const signers = new Set<string>();
  for (const signature of requestSignatures) {
    const key = keys.find(({ keyId }) => keyId === signature.keyId);
    // Others may have signed as well; this party does not know them.
    if (key === undefined) continue;
    if (!signedBy(key, request, signature)) throw refused(`${key.keyId} did not sign the request`);
    signers.add(key.keyId);
  }
  return signers.size;
}

const refused = (detail: string): ProtocolFault => new ProtocolFault(FailureReason.POLICY_DENIED, detail);
