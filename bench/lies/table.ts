/** Lies of a router or of a party about the messages of one signing, and what an honest party must make of each. */
import { generateKeyPairSync, randomBytes, randomUUID, sign, type KeyObject } from 'node:crypto';
import { startSigning } from '../../examples/parties/frost.js';
import type { Party } from '../../examples/parties/party.js';
import { readMessage, shareMessage } from '../../examples/parties/round-messages.js';
import { envelopeStatement } from '../../examples/parties/signed-bytes.js';
import type { Envelope, Session } from '../../generated/proto/router/v1/router_pb.js';

export interface Delivery {
  readonly to: string;
  readonly envelope: Envelope;
}

/** One signing, with the party that is lied about or lies, and the one that is lied to. */
export interface Play {
  readonly session: Session;
  readonly liar: Party;
  readonly victim: Party;
  /** Takes part in the plays of three. */
  readonly third: Party;
  readonly random: (below: number) => number;
  /** Messages of an earlier session, by sender and round. */
  readonly earlier: ReadonlyMap<string, Envelope>;
  /** Messages of the liar so far; those to the victim come last. */
  readonly seen: readonly Delivery[];
  /** Delivered after the next message of the liar to the victim. */
  readonly held: Delivery[];
}

export interface Lie {
  readonly name: string;
  /** Whom a party may blame: the liar, if a party lies, and otherwise no one. */
  readonly by: 'router' | 'party';
  readonly expected: 'signed' | 'no signature' | 'caught';
  readonly parties: 2 | 3;
  /** The round whose message to the victim changes; null draws one. */
  readonly round: 1 | 2 | null;
  readonly change: (delivery: Delivery, play: Play) => Promise<readonly Delivery[]> | readonly Delivery[];
}

const signed = (envelope: Envelope, key: KeyObject): Envelope => ({
  ...envelope,
  signature: sign(null, envelopeStatement(envelope), key),
});
const withEnvelope = (delivery: Delivery, more: Partial<Envelope>): readonly Delivery[] => [
  { ...delivery, envelope: { ...delivery.envelope, ...more } },
];
/** As the sender itself signs it. */
const bySender = (delivery: Delivery, { liar }: Play, more: Partial<Envelope>): readonly Delivery[] => [
  { ...delivery, envelope: signed({ ...delivery.envelope, ...more }, liar.identityKey) },
];
const shortened = (payload: Uint8Array, { random }: Play): Uint8Array =>
  payload.subarray(0, random(payload.length));
const lengthened = (payload: Uint8Array, { random }: Play): Uint8Array =>
  Buffer.concat([payload, randomBytes(1 + random(65_536))]);
const flipped = (bytes: Uint8Array, { random }: Play): Uint8Array => {
  const copy = Buffer.from(bytes);
  const at = random(copy.length);
  copy[at] = (copy[at] ?? 0) ^ (1 << random(8));
  return copy;
};
const earlier = ({ earlier: kept }: Play, { envelope }: Delivery): Envelope =>
  kept.get(`${envelope.fromPartyId} ${String(envelope.round)}`) ?? envelope;
/** A point that the liar could have sent as well. */
function otherCommitment({ liar, session }: Play): Uint8Array {
  if (liar.share.kind !== 'held') throw new Error('the liar holds no share');
  const { publicPackage, share } = liar;
  return startSigning(publicPackage, share.secret, session.participants, session.messageDigest).commitment;
}
const router = { by: 'router', parties: 2, round: null } as const;
const party = { by: 'party', parties: 2, round: null } as const;

/** The share with what the liar puts in the place of the echo or of the share. */
async function resealed(
  delivery: Delivery,
  play: Play,
  change: (echo: Uint8Array, share: Uint8Array) => readonly [Uint8Array, Uint8Array],
): Promise<readonly Delivery[]> {
  const { session, liar, victim } = play;
  const message = await readMessage(victim, session, delivery.envelope);
  if (message.round !== 'share') throw new Error('not a share');
  const [echo, share] = change(message.echo, message.signatureShare);
  const { payload } = await shareMessage(liar, session.sessionId, victim.partyId, echo, share);
  return bySender(delivery, play, { payload });
}

export const TRANSPORT_LIES: readonly Lie[] = [
  { ...router, name: 'drop', expected: 'no signature', change: () => [] },
  { ...router, name: 'duplicate', expected: 'signed', change: (one) => [one, one] },
  {
    ...router,
    ...{ name: 'duplicate under another identifier', expected: 'caught' },
    change: (one) => [...withEnvelope(one, { messageId: randomUUID() }), one],
  },
  {
    ...{ by: 'router', name: 'reorder', expected: 'signed', parties: 2, round: 1 },
    change(one, { held }) {
      held.push(one);
      return [];
    },
  },
  {
    ...{ ...router, name: 'replay across sessions', expected: 'caught' },
    change: (one, play) => [{ ...one, envelope: earlier(play, one) }],
  },
  {
    ...{ ...router, name: 'replay under the identifier of this session', expected: 'caught' },
    change: (one, play) => withEnvelope(one, { ...earlier(play, one), sessionId: one.envelope.sessionId }),
  },
  {
    ...{ ...router, name: 'wrong recipient', expected: 'caught', parties: 3, round: 2 },
    change: (one, { seen, third }) =>
      seen
        .filter(({ to, envelope }) => to === third.partyId && envelope.round === 2)
        .map(({ envelope }) => ({ ...one, envelope })),
  },
  {
    ...{ ...router, name: 'wrong recipient in the envelope', expected: 'caught' },
    change: (one, { third }) => withEnvelope(one, { toPartyIds: [third.partyId] }),
  },
  {
    ...{ ...router, name: 'wrong sender', expected: 'caught', parties: 3 },
    change: (one, { third }) => withEnvelope(one, { fromPartyId: third.partyId }),
  },
  {
    ...{ ...router, name: 'the recipient as sender', expected: 'caught' },
    change: (one, { victim }) => withEnvelope(one, { fromPartyId: victim.partyId }),
  },
  {
    ...{ ...router, name: 'a sender who takes no part', expected: 'caught' },
    change: (one, { third }) => withEnvelope(one, { fromPartyId: third.partyId }),
  },
  {
    ...{ ...router, name: 'wrong round', expected: 'caught' },
    change: (one) => withEnvelope(one, { round: 3 - one.envelope.round }),
  },
  {
    ...{ ...router, name: 'another number', expected: 'caught' },
    change: (one, { random }) => withEnvelope(one, { senderSequence: BigInt(100 + random(100)) }),
  },
  {
    ...{ ...router, name: 'truncated', expected: 'caught' },
    change: (one, play) => withEnvelope(one, { payload: shortened(one.envelope.payload, play) }),
  },
  {
    ...{ ...router, name: 'oversized', expected: 'caught' },
    change: (one, play) => withEnvelope(one, { payload: lengthened(one.envelope.payload, play) }),
  },
  {
    ...{ ...router, name: 'a bit of the payload', expected: 'caught' },
    change: (one, play) => withEnvelope(one, { payload: flipped(one.envelope.payload, play) }),
  },
  {
    ...{ ...router, name: 'a bit of the signature', expected: 'caught' },
    change: (one, play) => withEnvelope(one, { signature: flipped(one.envelope.signature, play) }),
  },
  {
    ...{ ...router, name: 'stale key', expected: 'caught' },
    change: (one) => [{ ...one, envelope: signed(one.envelope, generateKeyPairSync('ed25519').privateKey) }],
  },
  {
    // A party signs it in earnest, for its ceremony: the router brings it here.
    ...{ ...router, name: 'other ceremony', expected: 'caught' },
    change: (one, play) => bySender(one, play, { sessionId: randomUUID() }),
  },
  {
    ...{ ...party, name: 'equivocate', expected: 'caught', parties: 3, round: 1 },
    change: (one, play) => bySender(one, play, { payload: otherCommitment(play) }),
  },
  {
    ...{ ...party, name: 'two commitments', expected: 'caught', round: 1 },
    change: (one, play) => [
      one,
      ...bySender(one, play, { messageId: randomUUID(), payload: otherCommitment(play) }),
    ],
  },
  {
    ...{ ...party, name: 'signed in another round', expected: 'caught' },
    change: (one, play) => bySender(one, play, { round: 3 + play.random(9) }),
  },
  {
    ...{ ...party, name: 'signed and truncated', expected: 'caught' },
    change: (one, play) => bySender(one, play, { payload: shortened(one.envelope.payload, play) }),
  },
  {
    ...{ ...party, name: 'signed and oversized', expected: 'caught' },
    change: (one, play) => bySender(one, play, { payload: lengthened(one.envelope.payload, play) }),
  },
  {
    ...{ ...party, name: 'a commitment that is not a point', expected: 'caught', round: 1 },
    change: (one, play) => bySender(one, play, { payload: Buffer.alloc(one.envelope.payload.length, 255) }),
  },
  {
    ...{ ...party, name: 'a commitment to one alone', expected: 'caught', round: 1 },
    change: (one, play) => bySender(one, play, { toPartyIds: [play.victim.partyId] }),
  },
  {
    ...{ ...party, name: 'a share that cannot be opened', expected: 'caught', round: 2 },
    change: (one, play) => bySender(one, play, { payload: flipped(one.envelope.payload, play) }),
  },
  {
    ...{ ...party, name: 'a wrong share', expected: 'caught', round: 2 },
    change: (one, play) =>
      resealed(one, play, (echo, share) => [
        echo,
        Buffer.concat([randomBytes(31), share.subarray(0, 1)]).fill(0, 31),
      ]),
  },
  {
    ...{ ...party, name: 'a wrong echo', expected: 'caught', round: 2 },
    change: (one, play) => resealed(one, play, (echo, share) => [flipped(echo, play), share]),
  },
];
