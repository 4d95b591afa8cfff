/**
 * How parties make a key together, or give it to other holders without changing it. Every dealer splits a secret among the new
 * holders: to make a key, a random one; to reshare it, what its share counts for. The sum of what a holder receives is its share.
 */
import { createHash } from 'node:crypto';
import type { FrostPublic } from '@noble/curves/abstract/frost.js';
import { frostPublic, type Signer } from './frost.js';
import { lengthPrefixed } from './signed-bytes.js';
import {
  committedShare,
  dealSecret,
  isDealing,
  isShareOf,
  POINT_BYTES,
  PROOF_BYTES,
  sumOfCommitments,
  sumOfShares,
  weighedPoint,
  weighedShare,
  weightOf,
  type Dealing,
} from './verifiable-sharing.js';

/** The holders of a key, and how many of them sign together. */
export interface Holding {
  readonly threshold: number;
  readonly holders: readonly Signer[];
}

export interface CeremonyPlan {
  readonly kind: 'keygen' | 'reshare';
  readonly tenantId: string;
  readonly accountId: string;
  readonly sessionId: string;
  /** Those of the present holders who deal; null where there is no key yet. */
  readonly before: Holding | null;
  readonly after: Holding;
}

/** The first message of a dealer, to all. */
export interface Offer {
  /** Of the key that exists; empty where there is none. */
  readonly keyCommitments: readonly Uint8Array[];
  readonly commitments: readonly Uint8Array[];
  readonly proof: Uint8Array;
}

export const dealersOf = ({ before, after }: CeremonyPlan): readonly Signer[] => (before ?? after).holders;

/** What a dealer does. @param held its present share and the key's public part; null to make a key */
export function startDealing(
  plan: CeremonyPlan,
  partyId: string,
  held: { readonly key: FrostPublic; readonly signingShare: Uint8Array } | null,
): { readonly offer: Offer; readonly dealing: Dealing } {
  const secret =
    held === null
      ? null
      : weighedShare(held.signingShare, weightOf(indexOf(plan, partyId), dealerIndices(plan)));
  const dealing = dealSecret(plan.after.threshold, contextOf(plan, partyId), secret);
  const { commitments, proof } = dealing;
  return { offer: { keyCommitments: held?.key.commitments ?? [], commitments, proof }, dealing };
}

/**
 * Whether the dealer may say this: it knows what it deals, and where a key is reshared, it deals exactly its part of this key.
 * @param publicKey of the account; null to make one
 */
export function isOffer(
  plan: CeremonyPlan,
  partyId: string,
  offer: Offer,
  publicKey: Uint8Array | null,
): boolean {
  const { keyCommitments, commitments } = offer;
  if (!isDealing(plan.after.threshold, contextOf(plan, partyId), offer)) return false;
  if (publicKey === null) return keyCommitments.length === 0;
  const [key] = keyCommitments;
  const [part] = commitments;
  if (key === undefined || part === undefined || !Buffer.from(publicKey).equals(key)) return false;
  try {
    const index = indexOf(plan, partyId);
    const weight = weightOf(index, dealerIndices(plan));
    return Buffer.from(weighedPoint(committedShare(keyCommitments, index), weight)).equals(part);
  } catch {
    return false;
  }
}

/** The dealers whose share for this holder is not what they committed to. */
export const wrongDealers = (
  offers: ReadonlyMap<string, Offer>,
  shares: ReadonlyMap<string, Uint8Array>,
  shareIndex: number,
): readonly string[] =>
  [...offers]
    .filter(([dealer, { commitments }]) => {
      const share = shares.get(dealer);
      return share === undefined || !isShareOf(commitments, shareIndex, share);
    })
    .map(([dealer]) => dealer);

/** The key as its new holders know it. */
export function newKey({ after }: CeremonyPlan, offers: ReadonlyMap<string, Offer>): FrostPublic {
  const commitments = sumOfCommitments([...offers.values()].map((offer) => offer.commitments));
  return frostPublic(after.threshold, commitments, after.holders);
}

export const newShare = (shares: ReadonlyMap<string, Uint8Array>): Uint8Array =>
  sumOfShares([...shares.values()]);

export const offerBytes = ({ keyCommitments, commitments, proof }: Offer): Uint8Array =>
  Buffer.concat([...keyCommitments, ...commitments, proof]);

/** null where the length is another. */
export function readOffer({ before, after }: CeremonyPlan, bytes: Uint8Array): Offer | null {
  const ofKey = (before?.threshold ?? 0) * POINT_BYTES;
  const ofDealing = after.threshold * POINT_BYTES;
  if (bytes.length !== ofKey + ofDealing + PROOF_BYTES) return null;
  return {
    keyCommitments: points(bytes.subarray(0, ofKey)),
    commitments: points(bytes.subarray(ofKey, ofKey + ofDealing)),
    proof: bytes.subarray(ofKey + ofDealing),
  };
}

/** A hash of everything that dealers sent to all: a party that saw something else has another hash. */
export function transcriptHash(
  plan: CeremonyPlan,
  sent: ReadonlyMap<string, { readonly offer: Uint8Array; readonly shares: Uint8Array }>,
): Uint8Array {
  const parts = dealersOf(plan).flatMap(({ partyId }) => {
    const { offer = new Uint8Array(), shares = new Uint8Array() } = sent.get(partyId) ?? {};
    return [partyId, offer, shares];
  });
  return createHash('sha256')
    .update(lengthPrefixed(['dbr-transcript-v1', plan.sessionId, ...parts]))
    .digest();
}

const contextOf = ({ kind, tenantId, accountId, sessionId }: CeremonyPlan, partyId: string): Uint8Array =>
  lengthPrefixed([kind, tenantId, accountId, sessionId, partyId]);

const dealerIndices = (plan: CeremonyPlan): readonly number[] =>
  dealersOf(plan).map(({ shareIndex }) => shareIndex);

function indexOf(plan: CeremonyPlan, partyId: string): number {
  const dealer = dealersOf(plan).find((one) => one.partyId === partyId);
  if (dealer === undefined) throw new Error(`${partyId} deals nothing`);
  return dealer.shareIndex;
}

const points = (bytes: Uint8Array): readonly Uint8Array[] =>
  Array.from({ length: bytes.length / POINT_BYTES }, (_, index) =>
    bytes.slice(index * POINT_BYTES, (index + 1) * POINT_BYTES),
  );
