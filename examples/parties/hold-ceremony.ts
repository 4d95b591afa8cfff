/** One ceremony over the router: offers to all, then sealed shares to all, and the result at every participant. */
import { createHash, sign } from 'node:crypto';
import type { FrostPublic } from '@noble/curves/abstract/frost.js';
import {
  CeremonyKind,
  FailureReason,
  type Envelope,
  type Holding as HoldingMessage,
  type Session,
} from '../../generated/proto/router/v1/router_pb.js';
import {
  dealersOf,
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
} from './ceremony.js';
import { groupPublicKey, SIGNING_SHARE_BYTES } from './frost.js';
import { verifies } from './identity-key.js';
import { readMailbox } from './mailbox.js';
import { createOutbox } from './outbox.js';
import type { Party } from './party.js';
import { ProtocolFault } from './protocol-fault.js';
import { requireSigned } from './round-messages.js';
import { ENVELOPE_INFO, open, seal } from './sealing.js';
import { ceremonyPlanStatement, ceremonyStatement, lengthPrefixed } from './signed-bytes.js';
import type { Dealing } from './verifiable-sharing.js';

/** What a participant has after a ceremony. */
export interface CeremonyOutcome {
  readonly key: FrostPublic;
  /** null for a dealer that holds no share afterwards. */
  readonly signingShare: Uint8Array | null;
  /** For `ReportResult`. */
  readonly certificate: {
    readonly publicKey: Uint8Array;
    readonly transcriptSha256: Uint8Array;
    readonly signature: Uint8Array;
  };
}

const OFFER_ROUND = 1;
const SHARES_ROUND = 2;
/** HPKE's `enc`, the share, and the tag. */
const ENCAPSULATED_BYTES = 32;
const SEALED_BYTES = ENCAPSULATED_BYTES + SIGNING_SHARE_BYTES + 16;

/**
 * The plan of the session, as this party knows the others.
 * @throws ProtocolFault where the service names another identity key or another plan
 */
export function planOf({ peers }: Party, session: Session): CeremonyPlan {
  const { tenantId, accountId, sessionId, ceremony } = session;
  if (ceremony?.after === undefined) throw refused('the session is not a ceremony');
  const { before, after } = ceremony;
  for (const { partyId, identityPublicKey } of [...(before?.holders ?? []), ...after.holders])
    if (peers.get(partyId)?.identityKey !== Buffer.from(identityPublicKey).toString('hex'))
      throw refused(`${partyId} has another identity key`);
  const kind = ceremony.kind === CeremonyKind.KEYGEN ? 'keygen' : 'reshare';
  if ((kind === 'keygen') !== (before === undefined)) throw refused('holders of a key that is made');
  const ids = { tenantId, accountId, sessionId };
  const statement = ceremonyPlanStatement(kind, ids, before ?? null, after);
  if (!sha256(statement).equals(ceremony.planSha256)) throw refused('another plan');
  return { kind, ...ids, before: before === undefined ? null : holdingOf(before), after: holdingOf(after) };
}

const holdingOf = ({ threshold, holders }: HoldingMessage): Holding => ({
  threshold,
  holders: holders.map(({ partyId, shareIndex }) => ({ partyId, shareIndex })),
});

interface Sent {
  offer: Uint8Array;
  shares: Uint8Array;
}

/**
 * Null where the session ended before.
 * @param held the party's present share, where the key is reshared and the party deals
 * @throws ProtocolFault where another party does what it should not; it names one culprit or none
 */
export async function holdCeremony(
  party: Party,
  session: Session,
  plan: CeremonyPlan,
  held: { readonly key: FrostPublic; readonly signingShare: Uint8Array } | null,
  signal: AbortSignal,
): Promise<CeremonyOutcome | null> {
  const { partyId } = party;
  const { sessionId } = session;
  const present = plan.kind === 'keygen' ? null : session.publicKey;
  const dealers = dealersOf(plan).map((dealer) => dealer.partyId);
  const send = createOutbox(party, sessionId, signal);
  const offers = new Map<string, Offer>();
  const sent = new Map<string, Sent>(dealers.map((dealer) => [dealer, { offer: NOTHING, shares: NOTHING }]));
  const own = dealers.includes(partyId) ? startDealing(plan, partyId, held) : null;
  try {
    if (own !== null) {
      take(sent, partyId, 'offer', offerBytes(own.offer));
      offers.set(partyId, own.offer);
      await send([{ toPartyIds: [], round: OFFER_ROUND, payload: offerBytes(own.offer) }]);
    }
    for await (const envelope of readMailbox(party.router, sessionId, party.instanceId, signal)) {
      const { fromPartyId: from, round, payload } = signedByDealer(party, session, dealers, envelope);
      if (round === OFFER_ROUND) {
        take(sent, from, 'offer', payload);
        const offer = readOffer(plan, payload);
        if (offer === null || !isOffer(plan, from, offer, present))
          throw wrong(from, 'an offer that does not verify');
        offers.set(from, offer);
      } else {
        if (payload.length !== plan.after.holders.length * SEALED_BYTES)
          throw wrong(from, 'shares of another length');
        take(sent, from, 'shares', payload);
      }
      if (offers.size < dealers.length) continue;
      if (own !== null && sent.get(partyId)?.shares === NOTHING) {
        const payload = await sealedShares(party, plan, own.dealing);
        take(sent, partyId, 'shares', payload);
        await send([{ toPartyIds: [], round: SHARES_ROUND, payload }]);
      }
      if ([...sent.values()].every(({ shares }) => shares !== NOTHING)) {
        return await outcomeOf(party, session, plan, offers, sent);
      }
    }
    return null;
  } finally {
    own?.dealing.wipe();
  }
}

const NOTHING = new Uint8Array();

function take(sent: ReadonlyMap<string, Sent>, from: string, member: keyof Sent, payload: Uint8Array): void {
  const before = sent.get(from);
  if (before === undefined) throw new Error(`${from} deals nothing`);
  if (before[member] !== NOTHING)
    throw new ProtocolFault(FailureReason.EQUIVOCATION, `${from} said two things in one round`, [from]);
  before[member] = payload;
}

function signedByDealer(
  party: Party,
  session: Session,
  dealers: readonly string[],
  envelope: Envelope,
): Envelope {
  requireSigned(party, session, envelope);
  const { fromPartyId: from, toPartyIds, round } = envelope;
  const isExpected = round === OFFER_ROUND || round === SHARES_ROUND;
  if (!dealers.includes(from) || toPartyIds.length > 0 || !isExpected)
    throw wrong(from, 'what is no message of a ceremony');
  return envelope;
}

/** A share for each new holder, sealed to it, in their order: all see the same bytes. */
async function sealedShares(
  party: Party,
  { sessionId, after }: CeremonyPlan,
  dealing: Dealing,
): Promise<Uint8Array> {
  const sealed = await Promise.all(
    after.holders.map(async ({ partyId: to, shareIndex }) => {
      const recipient = Buffer.from(party.peers.get(to)?.sealingKey ?? '', 'hex');
      const context = contextOf(sessionId, party.partyId, to);
      const { encapsulatedKey, ciphertext } = await seal(recipient, context, dealing.shareFor(shareIndex));
      return Buffer.concat([encapsulatedKey, ciphertext]);
    }),
  );
  return Buffer.concat(sealed);
}

async function outcomeOf(
  party: Party,
  session: Session,
  plan: CeremonyPlan,
  offers: ReadonlyMap<string, Offer>,
  sent: ReadonlyMap<string, Sent>,
): Promise<CeremonyOutcome> {
  const place = plan.after.holders.findIndex(({ partyId }) => partyId === party.partyId);
  const signingShare = place < 0 ? null : await shareAt(party, plan, place, offers, sent);
  const key = newKey(plan, offers);
  const publicKey = groupPublicKey(key);
  if (plan.kind === 'reshare' && !Buffer.from(session.publicKey).equals(publicKey))
    throw refused('another key');
  const transcriptSha256 = transcriptHash(plan, sent);
  const statement = ceremonyStatement(session.ceremony?.planSha256 ?? NOTHING, publicKey, transcriptSha256);
  const signature = sign(null, statement, party.identityKey);
  return { key, signingShare, certificate: { publicKey, transcriptSha256, signature } };
}

async function shareAt(
  party: Party,
  plan: CeremonyPlan,
  place: number,
  offers: ReadonlyMap<string, Offer>,
  sent: ReadonlyMap<string, Sent>,
): Promise<Uint8Array> {
  const shares = new Map<string, Uint8Array>();
  for (const [from, { shares: all }] of sent) {
    const slot = all.subarray(place * SEALED_BYTES, (place + 1) * SEALED_BYTES);
    const sealed = {
      encapsulatedKey: slot.subarray(0, ENCAPSULATED_BYTES),
      ciphertext: slot.subarray(ENCAPSULATED_BYTES),
    };
    const context = contextOf(plan.sessionId, from, party.partyId);
    const share = await open(party.sealingKey, context, sealed).catch(() => null);
    if (share !== null) shares.set(from, share);
  }
  const shareIndex = plan.after.holders[place]?.shareIndex ?? 0;
  const [culprit] = wrongDealers(offers, shares, shareIndex);
  if (culprit !== undefined)
    throw new ProtocolFault(FailureReason.INVALID_SIGNATURE, `a share of ${culprit} does not verify`, [
      culprit,
    ]);
  return newShare(shares);
}

/**
 * Whether the completed ceremony is certified by every participant: a party uses its new share from then on.
 * @param plan the party's own; its identity keys are those that the party knows
 */
export function isCertifiedByAll({ peers }: Party, session: Session, outcome: CeremonyOutcome): boolean {
  const { ceremony, participants } = session;
  if (ceremony === undefined) return false;
  const { publicKey, transcriptSha256 } = outcome.certificate;
  const statement = ceremonyStatement(ceremony.planSha256, publicKey, transcriptSha256);
  const signatures = new Map(ceremony.certificate.map(({ partyId, signature }) => [partyId, signature]));
  return participants.every(({ partyId }) => {
    const key = Buffer.from(peers.get(partyId)?.identityKey ?? '', 'hex');
    const signature = signatures.get(partyId);
    return signature !== undefined && verifies(key, statement, signature);
  });
}

const contextOf = (sessionId: string, from: string, to: string) => ({
  info: ENVELOPE_INFO,
  associatedData: lengthPrefixed([sessionId, from, to]),
});

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

const refused = (detail: string): ProtocolFault => new ProtocolFault(FailureReason.PARTY_ABORTED, detail);

const wrong = (from: string, what: string): ProtocolFault =>
  new ProtocolFault(FailureReason.PARTY_ABORTED, `${from} sent ${what}`, [from]);
