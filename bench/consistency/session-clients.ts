/** Parties of signing sessions, which send each other messages over any instance and receive those of all their sessions. */
import { setMaxListeners } from 'node:events';
import { randomUUID, sign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '../../examples/parties/persevere.js';
import { connectRouter, tokenCredentials, type RouterClient } from '../../examples/parties/router-client.js';
import type { Account, SigningSession } from '../../generated/types.js';
import type { SubscribeMailboxResponse } from '../../generated/proto/router/v1/router_pb.js';
import { envelopeStatement } from '../../src/mailbox/mailbox-store.js';
import { newKey, partyBody } from '../../test/support/contract/signing-bodies.js';
import { tokenOf } from '../../test/support/service/service-processes.js';
import { status } from '@grpc/grpc-js';
import { outcomeOf, persevere, type Run } from './requests.js';

const PARTIES = ['node-a', 'node-b', 'node-c'] as const;
const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const CALL_MS = 5000;
/** A stream that is silent for so long is opened again; keepalives come more often. */
const SILENCE_MS = 40_000;
const PAUSE_MS = 200;
const PERSEVERE_US = 90e6;
const SETTLE_US = 120e6;
const ACK_EVERY = 16;

/** Answers that a sender does not repeat. */
const FINAL: ReadonlySet<number> = new Set([
  ...[status.INVALID_ARGUMENT, status.FAILED_PRECONDITION, status.ALREADY_EXISTS, status.NOT_FOUND],
  ...[status.PERMISSION_DENIED, status.UNAUTHENTICATED, status.OUT_OF_RANGE],
]);

interface Party {
  readonly partyId: string;
  readonly number: number;
  readonly privateKey: KeyObject;
  /** One for each instance. */
  readonly routers: readonly RouterClient[];
  /** Newest place of each session in progress. */
  readonly places: Map<string, number>;
  /** Messages received, by session. */
  readonly received: Map<string, Set<string>>;
}

export interface Sessions {
  /** Holds sessions until the run is over, so many at a time. */
  readonly run: (atATime: number, messages: number, rate: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function openSessions(run: Run): Promise<Sessions> {
  const admin = { sub: 'root', scope: 'parties:admin accounts:write accounts:read tenant:admin' };
  const token = `Bearer ${await tokenOf(admin)}`;
  const parties = await Promise.all(PARTIES.map((partyId, number) => register(run, token, partyId, number)));
  const account = await createAccount(run, token);
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const following = parties.map((party) => follow(run, party, stopping.signal));
  return {
    run: async (atATime, messages, rate) => {
      await Promise.all(
        Array.from({ length: atATime }, async () => {
          while (!run.isOver()) await holdSession({ run, token, account, parties, messages, rate });
        }),
      );
    },
    async stop() {
      stopping.abort();
      await Promise.all(following);
      for (const { routers } of parties) for (const router of routers) router.close();
    },
  };
}

async function register(run: Run, token: string, partyId: string, number: number): Promise<Party> {
  const keys = generateKeyPairSync('ed25519');
  const body = partyBody(partyId, 'server', 'acme', keys);
  const { status } = await run.send('POST', '/api/v1/parties', { headers: { Authorization: token }, body });
  if (status !== 201) throw new Error(`a party was answered with ${String(status)}`);
  const who = tokenCredentials('acme', partyId, keys.privateKey);
  const options = { 'grpc.max_reconnect_backoff_ms': 1000, 'grpc.use_local_subchannel_pool': 1 };
  const routers = run.instances.map(({ router }) => connectRouter(router, who, options));
  const { privateKey } = keys;
  const registration = { instanceId: partyId, softwareVersion: '1', protocols: ['ed25519'] };
  await routers[0]?.registerParty(registration);
  return { partyId, number, privateKey, routers, places: new Map(), received: new Map() };
}

async function createAccount(run: Run, token: string): Promise<string> {
  const shares = PARTIES.map((partyId, place) => ({
    ...{ partyId, shareIndex: place + 1, shareType: 'server' },
  }));
  const body = {
    ...{
      name: 'Treasury',
      ownerUserId: 'ann',
      keyType: 'ed25519',
      publicKey: newKey(),
      threshold: 3,
      shares,
    },
  };
  const answer = await run.send('POST', '/api/v1/accounts', { headers: { Authorization: token }, body });
  if (answer.status !== 201) throw new Error(`an account was answered with ${String(answer.status)}`);
  return (JSON.parse(answer.body) as Account).accountId;
}

interface Held {
  readonly run: Run;
  readonly token: string;
  readonly account: string;
  readonly parties: readonly Party[];
  /** Of each party in a session. */
  readonly messages: number;
  /** Messages a second of one party in one session. */
  readonly rate: number;
}

/** Begins a session, lets its parties talk, waits until all have arrived, and cancels it. */
async function holdSession(held: Held): Promise<void> {
  const { run, token, account, parties } = held;
  const headers = { Authorization: token };
  const key = { ...headers, 'Idempotency-Key': randomUUID() };
  const body = { messageDigest: DIGEST, ttlSeconds: 3600 };
  const created = await persevere(run, () =>
    run.send('POST', `/accounts/${account}/signing-sessions`, { headers: key, body }),
  );
  if (outcomeOf(created.status) !== 'done') return;
  const { sessionId: session } = JSON.parse(created.body) as SigningSession;
  for (const party of parties) {
    party.places.set(session, 0);
    party.received.set(session, new Set());
  }
  const joined = await Promise.all(
    parties.map((party) =>
      repeat(run, party, (router) => router.joinSession({ sessionId: session, instanceId: 'run' }, within())),
    ),
  );
  if (joined.every((outcome) => outcome === 'done')) {
    const sent = await Promise.all(parties.map((party) => talk(held, party, session)));
    await untilArrived(held, session, sent.flat());
    run.record({ kind: 'session-at-rest', session, parties: PARTIES });
  }
  for (const { places, received } of parties) {
    places.delete(session);
    received.delete(session);
  }
  await persevere(run, () => run.send('POST', `/api/v1/signing-sessions/${session}/cancel`, { headers }));
}

const within = (): { readonly deadline: number } => ({ deadline: Date.now() + CALL_MS });

/** Repeats a call at any instance until it is answered. */
async function repeat(
  run: Run,
  { routers }: Party,
  call: (router: RouterClient) => Promise<unknown>,
): Promise<'done' | 'refused' | 'unknown'> {
  const giveUp = run.now() + PERSEVERE_US;
  while (run.now() < giveUp) {
    const router = routers[run.random(routers.length)];
    if (router === undefined) break;
    try {
      await call(router);
      return 'done';
    } catch (error) {
      if (FINAL.has(codeOf(error) ?? status.UNKNOWN)) {
        console.error(`the router refused: ${error instanceof Error ? error.message : ''}`);
        return 'refused';
      }
    }
    await delay(PAUSE_MS);
  }
  return 'unknown';
}

const nameOf = (from: string, number: number): string => `${from} ${String(number)}`;

/** @returns the names of the messages that were accepted */
async function talk({ run, messages, rate }: Held, party: Party, session: string): Promise<string[]> {
  const sent: string[] = [];
  for (let number = 1; number <= messages && !run.isOver(); number++) {
    await delay(run.random(2000 / rate));
    const { partyId: fromPartyId, privateKey } = party;
    const content = {
      ...{ sessionId: session, messageId: randomUUID(), fromPartyId, toPartyIds: [], round: 1 },
      ...{ senderSequence: number, payload: Buffer.from(nameOf(fromPartyId, number)) },
    };
    const signature = sign(null, envelopeStatement(content), privateKey);
    const envelope = { ...content, senderSequence: BigInt(number), signature };
    const begin = run.now();
    const outcome = await repeat(run, party, (router) =>
      router.sendMessages({ envelopes: [envelope] }, within()),
    );
    const call = { client: 3000 + party.number, begin, end: run.now() };
    run.record({ kind: 'send', session, from: fromPartyId, number, outcome, ...call });
    if (outcome !== 'done') break;
    sent.push(nameOf(fromPartyId, number));
  }
  return sent;
}

async function untilArrived({ run, parties }: Held, session: string, sent: readonly string[]): Promise<void> {
  const giveUp = run.now() + SETTLE_US;
  const isMissing = ({ partyId, received }: Party): boolean =>
    sent.some((name) => !name.startsWith(partyId) && received.get(session)?.has(name) !== true);
  while (parties.some(isMissing) && run.now() < giveUp) await delay(PAUSE_MS);
}

/** Receives the messages of all sessions on one stream, over as many streams as it takes. */
async function follow(run: Run, party: Party, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const router = party.routers[run.random(party.routers.length)];
    if (router === undefined) return;
    await receive(run, party, router, signal).catch(() => undefined);
    await delay(run.random(PAUSE_MS), undefined, { signal }).catch(() => undefined);
  }
}

async function receive(run: Run, party: Party, router: RouterClient, signal: AbortSignal): Promise<void> {
  const gone = new AbortController();
  const timer = setTimeout(() => gone.abort(), SILENCE_MS);
  const after = [...party.places].map(([sessionId, place]) => ({ sessionId, sequence: BigInt(place) }));
  try {
    const stream = router.subscribeMailbox(
      { instanceId: randomUUID(), after },
      { signal: AbortSignal.any([signal, gone.signal]) },
    );
    for await (const item of stream) {
      timer.refresh();
      take(run, party, router, item);
    }
  } finally {
    clearTimeout(timer);
  }
}

function take(run: Run, party: Party, router: RouterClient, item: SubscribeMailboxResponse): void {
  const { sessionId: session, deliveries } = item;
  const place = party.places.get(session);
  if (place === undefined) return;
  for (const { sequence, envelope } of deliveries) {
    const [from = '', number = '0'] = Buffer.from(envelope?.payload ?? [])
      .toString()
      .split(' ');
    const delivered = { sequence: Number(sequence), from, number: Number(number) };
    run.record({ kind: 'delivery', at: run.now(), session, to: party.partyId, ...delivered });
    party.received.get(session)?.add(nameOf(from, Number(number)));
    if (delivered.sequence % ACK_EVERY === 0)
      router.ackMessages({ sessionId: session, upToSequence: sequence }, within()).catch(() => undefined);
  }
  const newest = deliveries.at(-1);
  if (newest !== undefined) party.places.set(session, Math.max(place, Number(newest.sequence)));
}
