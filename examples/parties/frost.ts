/** Two rounds of FROST over Ed25519 (RFC 9591), as bytes that travel. Every participant aggregates for itself. */
import type { FrostPublic, FrostSecret, NonceCommitments } from '@noble/curves/abstract/frost.js';
import { ed25519, ed25519_FROST as frost } from '@noble/curves/ed25519.js';
import { committedShare } from './verifiable-sharing.js';

export type { FrostPublic, FrostSecret };

export interface Signer {
  readonly partyId: string;
  readonly shareIndex: number;
}

/** What the signers sent, by party. */
export type ByParty = ReadonlyMap<string, Uint8Array>;

export interface FrostSigning {
  /** Round one, to all parties: commitments to the nonces. */
  readonly commitment: Uint8Array;
  /** Round two: consumes the nonces, so it gives one share and no second. @throws for commitments that are none */
  signatureShare(commitments: ByParty): Uint8Array;
  /** Whose shares do not verify. */
  wrongShares(commitments: ByParty, shares: ByParty): readonly string[];
  /** The Ed25519 signature (RFC 8032). @throws where a share is wrong */
  aggregate(commitments: ByParty, shares: ByParty): Uint8Array;
}

const POINT_BYTES = 32;
export const SIGNATURE_SHARE_BYTES = 32;
export const SIGNING_SHARE_BYTES = 32;

const identifierOf = (shareIndex: number): string => frost.Identifier.fromNumber(shareIndex);

export const frostSecret = (shareIndex: number, signingShare: Uint8Array): FrostSecret => ({
  identifier: identifierOf(shareIndex),
  signingShare: new Uint8Array(signingShare),
});

/** The public part of a key whose polynomial has these commitments. */
export const frostPublic = (
  threshold: number,
  commitments: readonly Uint8Array[],
  holders: readonly Signer[],
): FrostPublic => ({
  signers: { min: threshold, max: holders.length },
  commitments: commitments.map((point) => new Uint8Array(point)),
  verifyingShares: Object.fromEntries(
    holders.map(({ shareIndex }) => [
      identifierOf(shareIndex),
      new Uint8Array(committedShare(commitments, shareIndex)),
    ]),
  ),
});

/** Whether the share belongs to this key. */
export function belongsTo(key: FrostPublic, secret: FrostSecret): boolean {
  try {
    frost.validateSecret(secret, key);
    return true;
  } catch {
    return false;
  }
}

/** Whether the bytes can be a commitment: two points of the group, neither of them its identity (RFC 9591 §3.1). */
export function isCommitment(bytes: Uint8Array): boolean {
  if (bytes.length !== 2 * POINT_BYTES) return false;
  return [bytes.slice(0, POINT_BYTES), bytes.slice(POINT_BYTES)].every((half) => {
    try {
      const point = ed25519.Point.fromBytes(half);
      return !point.is0() && point.isTorsionFree();
    } catch {
      return false;
    }
  });
}

/** The group's key, as any Ed25519 verifier takes it. */
export function groupPublicKey({ commitments }: FrostPublic): Uint8Array {
  const [first] = commitments;
  if (first === undefined) throw new Error('a key without commitments');
  return first;
}

/** @param signers all who sign this digest, the caller among them */
export function startSigning(
  key: FrostPublic,
  secret: FrostSecret,
  signers: readonly Signer[],
  digest: Uint8Array,
): FrostSigning {
  const { nonces, commitments: own } = frost.commit(secret);
  const listOf = (commitments: ByParty): NonceCommitments[] =>
    signers.map(({ partyId, shareIndex }) => {
      const points = bytesOf(commitments, partyId);
      return {
        identifier: identifierOf(shareIndex),
        hiding: points.slice(0, POINT_BYTES),
        binding: points.slice(POINT_BYTES),
      };
    });
  return {
    commitment: Buffer.concat([own.hiding, own.binding]),
    signatureShare: (commitments) => frost.signShare(secret, key, nonces, listOf(commitments), digest),
    wrongShares(commitments, shares) {
      const list = listOf(commitments);
      const wrong = signers.filter(
        ({ partyId, shareIndex }) =>
          !frost.verifyShare(key, list, digest, identifierOf(shareIndex), bytesOf(shares, partyId)),
      );
      return wrong.map(({ partyId }) => partyId);
    },
    aggregate(commitments, shares) {
      const byIdentifier = signers.map(
        ({ partyId, shareIndex }) => [identifierOf(shareIndex), bytesOf(shares, partyId)] as const,
      );
      return frost.aggregate(key, listOf(commitments), digest, Object.fromEntries(byIdentifier));
    },
  };
}

function bytesOf(values: ByParty, partyId: string): Uint8Array {
  const bytes = values.get(partyId);
  if (bytes === undefined) throw new Error(`nothing came from ${partyId}`);
  return new Uint8Array(bytes);
}
