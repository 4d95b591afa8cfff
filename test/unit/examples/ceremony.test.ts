import { expect } from 'chai';
import { randomBytes, randomUUID, verify, createPublicKey } from 'node:crypto';
import type { FrostPublic } from '@noble/curves/abstract/frost.js';
import {
  isOffer,
  newKey,
  newShare,
  offerBytes,
  readOffer,
  startDealing,
  transcriptHash,
  wrongDealers,
  type CeremonyPlan,
  type Holding,
  type Offer,
} from '../../../examples/parties/ceremony.js';
import { frostSecret, groupPublicKey, startSigning, type Signer } from '../../../examples/parties/frost.js';

interface Held {
  readonly key: FrostPublic;
  readonly signingShare: Uint8Array;
}

const THREE: readonly Signer[] = [1, 2, 3].map((shareIndex) => ({
  partyId: `p${String(shareIndex)}`,
  shareIndex,
}));
// Two holders stay, under other indices; three are new.
const FIVE: readonly Signer[] = ['p3', 'p1', 'q1', 'q2', 'q3'].map((partyId, at) => ({
  partyId,
  shareIndex: at + 1,
}));
const SPKI_OF_ED25519 = Buffer.from('302a300506032b6570032100', 'hex');

const planOf = (kind: CeremonyPlan['kind'], before: Holding | null, after: Holding): CeremonyPlan => ({
  kind,
  tenantId: 'acme',
  accountId: randomUUID(),
  sessionId: randomUUID(),
  before,
  after,
});

/** All parties of a ceremony in one place. */
function run(
  plan: CeremonyPlan,
  held: ReadonlyMap<string, Held>,
  publicKey: Uint8Array | null,
): Map<string, Held> {
  const dealers = (plan.before ?? plan.after).holders.map(({ partyId }) => partyId);
  const dealt = dealers.map(
    (partyId) => [partyId, startDealing(plan, partyId, held.get(partyId) ?? null)] as const,
  );
  const offers = new Map<string, Offer>();
  for (const [dealer, { offer }] of dealt) {
    const read = readOffer(plan, offerBytes(offer));
    if (read === null) throw new Error('an offer of another length');
    expect(isOffer(plan, dealer, read, publicKey)).to.equal(true);
    offers.set(dealer, read);
  }
  const key = newKey(plan, offers);
  return new Map(
    plan.after.holders.map(({ partyId, shareIndex }) => {
      const shares = new Map(dealt.map(([dealer, { dealing }]) => [dealer, dealing.shareFor(shareIndex)]));
      expect(wrongDealers(offers, shares, shareIndex)).to.deep.equal([]);
      return [partyId, { key, signingShare: newShare(shares) }];
    }),
  );
}

/** Whether these holders sign together, by Node's verification. */
function sign(signers: readonly Signer[], held: ReadonlyMap<string, Held>, publicKey: Uint8Array): boolean {
  const digest = randomBytes(32);
  const started = signers.map((signer) => {
    const own = held.get(signer.partyId);
    if (own === undefined) throw new Error('no share');
    return [
      signer.partyId,
      startSigning(own.key, frostSecret(signer.shareIndex, own.signingShare), signers, digest),
    ] as const;
  });
  const commitments = new Map(started.map(([partyId, { commitment }]) => [partyId, commitment]));
  const shares = new Map(started.map(([partyId, signing]) => [partyId, signing.signatureShare(commitments)]));
  const [first] = started;
  const signature = first?.[1].aggregate(commitments, shares) ?? new Uint8Array();
  const key = createPublicKey({
    key: Buffer.concat([SPKI_OF_ED25519, publicKey]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, digest, key, signature);
}

describe('ceremonies of example parties', () => {
  const keygen = planOf('keygen', null, { threshold: 2, holders: THREE });
  const made = run(keygen, new Map(), null);
  const publicKey = groupPublicKey(
    made.get('p1')?.key ?? { signers: { min: 1, max: 1 }, commitments: [], verifyingShares: {} },
  );
  const dealers = THREE.filter(({ partyId }) => partyId !== 'p2');
  const reshare = planOf('reshare', { threshold: 2, holders: dealers }, { threshold: 3, holders: FIVE });

  it('make a key of which any two of three holders sign', () => {
    for (const absent of THREE)
      expect(
        sign(
          THREE.filter((holder) => holder !== absent),
          made,
          publicKey,
        ),
      ).to.equal(true);
  });

  it('give the same key to five holders, of whom three sign', () => {
    const given = run(reshare, made, publicKey);
    for (const { key } of given.values())
      expect(Buffer.from(groupPublicKey(key))).to.deep.equal(Buffer.from(publicKey));
    expect(sign(FIVE.slice(0, 3), given, publicKey)).to.equal(true);
    expect(sign(FIVE.slice(2), given, publicKey)).to.equal(true);
  });

  it('refuse a dealer that deals another secret than its part of the key', () => {
    const { offer } = startDealing(reshare, 'p1', null);
    const own = startDealing(reshare, 'p1', made.get('p1') ?? null).offer;
    expect(isOffer(reshare, 'p1', own, publicKey)).to.equal(true);
    expect(isOffer(reshare, 'p1', { ...offer, keyCommitments: own.keyCommitments }, publicKey)).to.equal(
      false,
    );
    expect(isOffer(reshare, 'p1', own, randomBytes(32))).to.equal(false);
  });

  it('refuse an offer of another dealer, of another session, of another length and without knowledge', () => {
    const { offer } = startDealing(keygen, 'p1', null);
    expect(isOffer(keygen, 'p1', offer, null)).to.equal(true);
    expect(isOffer(keygen, 'p2', offer, null)).to.equal(false);
    expect(isOffer({ ...keygen, sessionId: randomUUID() }, 'p1', offer, null)).to.equal(false);
    expect(isOffer(keygen, 'p1', { ...offer, commitments: offer.commitments.slice(1) }, null)).to.equal(
      false,
    );
    expect(isOffer(keygen, 'p1', { ...offer, proof: randomBytes(64) }, null)).to.equal(false);
    expect(readOffer(keygen, offerBytes(offer).subarray(1))).to.equal(null);
  });

  it('name the dealer whose share is not what it committed to', () => {
    const dealt = THREE.map(({ partyId }) => [partyId, startDealing(keygen, partyId, null)] as const);
    const offers = new Map(dealt.map(([dealer, { offer }]) => [dealer, offer]));
    const shares = new Map(
      dealt.map(([dealer, { dealing }]) => [dealer, dealing.shareFor(dealer === 'p3' ? 2 : 1)]),
    );
    expect(wrongDealers(offers, shares, 1)).to.deep.equal(['p3']);
    shares.delete('p2');
    expect(wrongDealers(offers, shares, 1)).to.deep.equal(['p2', 'p3']);
  });

  it('have one hash for one transcript', () => {
    const sent = new Map(
      THREE.map(({ partyId }) => [partyId, { offer: randomBytes(8), shares: randomBytes(8) }]),
    );
    const hash = transcriptHash(keygen, sent);
    expect(transcriptHash(keygen, new Map([...sent].reverse()))).to.deep.equal(hash);
    expect(
      transcriptHash(keygen, new Map(sent).set('p1', { offer: randomBytes(8), shares: randomBytes(8) })),
    ).to.not.deep.equal(hash);
  });
});
