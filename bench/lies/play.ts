/** Plays one lie: the parties of the example sign over a transport in memory that lies about one message. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { createAuthority } from '../../examples/parties/certificates.js';
import { deal } from '../../examples/parties/demonstration/dealer.js';
import { verifies } from '../../examples/parties/identity-key.js';
import { openParty, type Party } from '../../examples/parties/party.js';
import { ProtocolFault } from '../../examples/parties/protocol-fault.js';
import { connectRouter, tokenCredentials, type RouterClient } from '../../examples/parties/router-client.js';
import { signTogether } from '../../examples/parties/sign-together.js';
import {
  AckMessagesResponseSchema,
  EnvelopeSchema,
  SendMessagesResponseSchema,
  SessionSchema,
  SubscribeMessagesResponseSchema,
  type Envelope,
  type Session,
} from '../../generated/proto/router/v1/router_pb.js';
import { randomOf } from '../../src/base/random.js';
import type { Delivery, Lie, Play } from './table.js';

const HOLDERS = [1, 2, 3].map((shareIndex) => ({
  ...{ shareIndex, role: 'server' as const, partyId: `node-${String(shareIndex)}` },
}));
const DIGEST = Buffer.alloc(32, 7);

export interface Players {
  readonly publicKey: Uint8Array;
  readonly parties: readonly Party[];
  readonly earlier: Map<string, Envelope>;
  close(): void;
}

/** Three parties with shares of one key, two of which suffice, and the messages of a first session. */
export async function createPlayers(): Promise<Players> {
  const { publicKey, parties: dealt } = await deal(createAuthority('authority'), 2, HOLDERS);
  // Nothing connects before a call, and no call reaches it.
  const { privateKey } = generateKeyPairSync('ed25519');
  const unused = connectRouter('127.0.0.1:1', tokenCredentials('acme', 'none', privateKey));
  const parties = await Promise.all(
    dealt.map(({ file }) => openParty({ ...file, router: 'unused', policy: null }, unused)),
  );
  const players = { publicKey, parties, earlier: new Map<string, Envelope>(), close: () => unused.close() };
  const { result } = await play(players, null, 0);
  if (result !== 'signed') throw new Error(`honest parties do not sign: ${result}`);
  return players;
}

interface Outcome {
  /** `share used`: the party that was lied to made a signature of it. */
  readonly result: Lie['expected'] | 'share used' | 'another error';
  /** Of the party that gave up first. */
  readonly detail: string;
  readonly culprits: readonly string[];
  readonly liar: string;
}

/** What one party came to. */
type End =
  | { readonly kind: 'signature'; readonly value: Uint8Array }
  | { readonly kind: 'waited' }
  | { readonly kind: 'fault'; readonly fault: ProtocolFault }
  | { readonly kind: 'error'; readonly error: unknown };

/** @param lie null for an honest transport, whose messages are kept */
export async function play(players: Players, lie: Lie | null, seed: number): Promise<Outcome> {
  const random = randomOf(seed);
  const [liar, victim, third] = shuffled(players.parties, random);
  if (liar === undefined || victim === undefined || third === undefined) throw new Error('three parties');
  const signers = lie?.parties === 2 ? [liar, victim] : [liar, victim, third];
  const session = create(SessionSchema, {
    ...{ sessionId: randomUUID(), tenantId: 'acme', messageDigest: DIGEST, threshold: 2 },
    participants: signers.map(({ partyId, shareIndex }) => ({ partyId, shareIndex })),
  });
  const seen: Delivery[] = [];
  const held: Delivery[] = [];
  const scene: Play = { session, liar, victim, third, random, earlier: players.earlier, seen, held };
  const round = lie?.round ?? 1 + random(2);

  const change = async (delivery: Delivery): Promise<readonly Delivery[]> => {
    const { to, envelope } = delivery;
    if (lie === null) players.earlier.set(`${envelope.fromPartyId} ${String(envelope.round)}`, envelope);
    if (envelope.fromPartyId !== liar.partyId) return [delivery];
    seen.push(delivery);
    if (lie !== null && to === victim.partyId && envelope.round === round)
      return await lie.change(delivery, scene);
    return to === victim.partyId ? [delivery, ...held.splice(0)] : [delivery];
  };
  const ends = await sign(signers, session, victim.partyId, change);
  return { ...outcomeOf(ends, victim, players.publicKey), liar: liar.partyId };
}

function outcomeOf(
  ends: ReadonlyMap<Party, End>,
  victim: Party,
  publicKey: Uint8Array,
): Omit<Outcome, 'liar'> {
  const nothing = { detail: '', culprits: [] };
  const all = [...ends.values()];
  const error = all.find((end) => end.kind === 'error');
  if (error !== undefined) return { ...nothing, result: 'another error', detail: String(error.error) };
  const wrong = all.some((end) => end.kind === 'signature' && !verifies(publicKey, DIGEST, end.value));
  const fault = all.find((end) => end.kind === 'fault')?.fault;
  if (wrong || (fault !== undefined && ends.get(victim)?.kind === 'signature'))
    return { ...nothing, result: 'share used' };
  if (fault !== undefined) return { result: 'caught', detail: fault.message, culprits: fault.culprits };
  return { ...nothing, result: all.every(({ kind }) => kind === 'signature') ? 'signed' : 'no signature' };
}

function shuffled<T>(list: readonly T[], random: (below: number) => number): readonly T[] {
  const rest = [...list];
  return list.flatMap(() => rest.splice(random(rest.length), 1));
}

/** Runs the parties until each has a signature, has given up, or waits for a message that does not come. The first fault ends all. */
async function sign(
  signers: readonly Party[],
  session: Session,
  last: string,
  change: (delivery: Delivery) => Promise<readonly Delivery[]>,
): Promise<ReadonlyMap<Party, End>> {
  const over = new AbortController();
  const boxes = new Map(signers.map(({ partyId }) => [partyId, [] as Envelope[]]));
  const wakes = new Map<string, () => void>();
  const ends = new Map<Party, End>();
  /** Ends all once no party that runs has a message to read. */
  const settle = (): void => {
    const running = signers.filter((party) => !ends.has(party));
    if (running.every(({ partyId }) => wakes.has(partyId) && boxes.get(partyId)?.length === 0)) over.abort();
  };

  async function send(envelopes: readonly Envelope[]): Promise<void> {
    const deliveries = envelopes
      .flatMap((envelope) =>
        signers
          .filter(({ partyId }) => partyId !== envelope.fromPartyId)
          .filter(({ partyId }) => envelope.toPartyIds.length === 0 || envelope.toPartyIds.includes(partyId))
          .map(({ partyId: to }): Delivery => ({ to, envelope })),
      )
      .toSorted((one, other) => Number(one.to === last) - Number(other.to === last));
    for (const delivery of deliveries)
      for (const { to, envelope } of await change(delivery)) {
        boxes.get(to)?.push(envelope);
        wakes.get(to)?.();
      }
  }

  const routerOf = ({ partyId, router }: Party): RouterClient => ({
    ...router,
    async sendMessages({ envelopes = [] }) {
      await send(envelopes.map((one) => create(EnvelopeSchema, one)));
      return create(SendMessagesResponseSchema);
    },
    ackMessages: () => Promise.resolve(create(AckMessagesResponseSchema)),
    async *subscribeMessages() {
      let sequence = 0n;
      for (const box = boxes.get(partyId) ?? []; !over.signal.aborted;) {
        const envelope = box.shift();
        if (envelope === undefined) {
          await new Promise<void>((resolve) => {
            wakes.set(partyId, resolve);
            over.signal.addEventListener('abort', () => resolve());
            settle();
          });
          wakes.delete(partyId);
          continue;
        }
        sequence += 1n;
        yield create(SubscribeMessagesResponseSchema, { deliveries: [{ sequence, envelope }] });
      }
    },
  });

  await Promise.all(
    signers.map(async (party) => {
      const end = await endOf(party, { ...party, router: routerOf(party) }, session, over.signal);
      ends.set(party, end);
      if (end.kind === 'fault' || end.kind === 'error') over.abort();
      settle();
    }),
  );
  return ends;
}

async function endOf({ share }: Party, party: Party, session: Session, over: AbortSignal): Promise<End> {
  if (share.kind !== 'held') throw new Error('the party holds no share');
  try {
    const value = await signTogether(party, session, share.secret, over);
    return value === null ? { kind: 'waited' } : { kind: 'signature', value };
  } catch (error) {
    return error instanceof ProtocolFault ? { kind: 'fault', fault: error } : { kind: 'error', error };
  }
}
