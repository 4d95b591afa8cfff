/**
 * Sessions of three parties at two instances, with mailboxes in PostgreSQL: each party broadcasts two messages, acknowledges each
 * delivery when it comes, and reports when it has all, while its last acknowledgements are on their way. Each session signs a
 * digest of its own, and another library than that of the service verifies the signatures. Counts the refusals of calls by their
 * status, and the deadlocks of PostgreSQL. It fails if there is one of them, or a session that is not completed.
 *
 *   make bench-sessions                  10,000 sessions, 16 at a time
 *   tsx bench/signing-sessions.ts 40 1   40, one at a time
 */
import { create, fromBinary, toBinary, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import { Client, credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { createPrivateKey, randomBytes, randomUUID, sign } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SigningSession } from '../generated/types.js';
import {
  AckMessagesRequestSchema,
  JoinSessionRequestSchema,
  ReportResultRequestSchema,
  RouterService,
  SendMessagesRequestSchema,
  SubscribeMessagesRequestSchema,
  SubscribeMessagesResponseSchema,
} from '../generated/proto/router/v1/router_pb.js';
import { envelopeStatement } from '../src/mailbox/mailbox-store.js';
import { serviceDefinition } from '../src/router/typed-service.js';
import { removeSharedServers } from '../test/support/postgres/shared-server.js';
import { accountKey, rawKey } from '../test/support/signing/signing-fixture.js';
import { machine } from './report.js';
import type { LoadParty } from './router-load.js';
import { startRouterServers, type RouterServer } from './router-servers.js';

const SESSIONS = Number(process.argv[2] ?? 10_000);
const AT_ONCE = Number(process.argv[3] ?? 16);
const BROADCASTS = 2;
/** The longest that the router allows, so that a busy machine refuses no call. */
const CALL_MS = 30_000;
const METHODS = serviceDefinition(RouterService);
const PAIR = 'PostgreSQL ×2';

interface Party extends LoadParty {
  readonly client: Client;
}

/** Refusals by their status. */
const refusals = new Map<string, number>();
let calls = 0;

const asItIs = (bytes: Buffer): Buffer => bytes;

const encoded = <Schema extends DescMessage>(schema: Schema, init: MessageInitShape<Schema>): Buffer =>
  Buffer.from(toBinary(schema, create(schema, init)));

/** Resolves after a refusal as well, which is counted. */
const call = ({ client }: Party, name: string, request: Buffer): Promise<void> =>
  new Promise((resolve) => {
    const end = (error: ServiceError | null): void => {
      calls += 1;
      if (error !== null) {
        const key = `${name} ${status[error.code]}`;
        refusals.set(key, (refusals.get(key) ?? 0) + 1);
      }
      resolve();
    };
    const options = { deadline: Date.now() + CALL_MS };
    const path = METHODS[name]?.path ?? '';
    client.makeUnaryRequest(path, asItIs, asItIs, request, new Metadata(), options, end);
  });

function envelopeOf({ partyId, identityKey }: Party, sessionId: string, senderSequence: number) {
  const payload = randomBytes(64);
  const addressed = { sessionId, messageId: randomUUID(), fromPartyId: partyId, toPartyIds: [], round: 1 };
  const statement = envelopeStatement({ ...addressed, senderSequence, payload });
  const signature = sign(null, statement, createPrivateKey(identityKey));
  return { ...addressed, senderSequence: BigInt(senderSequence), payload, signature };
}

/** Receives and acknowledges all messages of the other parties, or what comes until the stream ends. Returns the acknowledgements. */
const receive = (party: Party, sessionId: string, messages: number): Promise<readonly Promise<void>[]> =>
  new Promise((resolve) => {
    const acks: Promise<void>[] = [];
    let received = 0;
    const stream = party.client.makeServerStreamRequest(
      METHODS['subscribeMessages']?.path ?? '',
      asItIs,
      (bytes) => fromBinary(SubscribeMessagesResponseSchema, bytes),
      encoded(SubscribeMessagesRequestSchema, { sessionId, instanceId: 'bench' }),
      new Metadata(),
    );
    const end = (): void => resolve(acks);
    stream.on('error', end);
    stream.on('end', end);
    stream.on('data', ({ deliveries }: { readonly deliveries: readonly { readonly sequence: bigint }[] }) => {
      for (const { sequence: upToSequence } of deliveries) {
        received += 1;
        acks.push(call(party, 'ackMessages', encoded(AckMessagesRequestSchema, { sessionId, upToSequence })));
      }
      if (received >= messages) stream.cancel();
    });
  });

async function runSession(parties: readonly Party[], sessionId: string, digest: Buffer): Promise<void> {
  const joined = encoded(JoinSessionRequestSchema, { sessionId, instanceId: 'bench' });
  await Promise.all(parties.map((party) => call(party, 'joinSession', joined)));
  const value = sign(null, digest, accountKey.privateKey);
  const outcome = { case: 'signature', value } as const;
  const report = encoded(ReportResultRequestSchema, { sessionId, outcome });
  await Promise.all(
    parties.map(async (party) => {
      const all = receive(party, sessionId, BROADCASTS * (parties.length - 1));
      for (let sequence = 1; sequence <= BROADCASTS; sequence += 1) {
        const envelopes = [envelopeOf(party, sessionId, sequence)];
        await call(party, 'sendMessages', encoded(SendMessagesRequestSchema, { envelopes }));
      }
      const acks = await all;
      await Promise.all([...acks, call(party, 'reportResult', report)]);
    }),
  );
}

async function measure(
  { port, readerPort, fixture, parties: known }: RouterServer,
  authority: string,
): Promise<boolean> {
  const { superuser } = fixture.database;
  const parties = known.map((party, index) => {
    const channel = credentials.createSsl(
      Buffer.from(authority),
      Buffer.from(party.key),
      Buffer.from(party.certificate),
    );
    return {
      ...party,
      client: new Client(`localhost:${String(index % 2 === 0 ? port : readerPort)}`, channel),
    };
  });
  const { accountId } = await fixture.createAccount(fixture.parties);
  const milliseconds: number[] = [];
  async function oneSession(): Promise<void> {
    const digest = randomBytes(32);
    const body = { messageDigest: digest.toString('hex') };
    const request = { path: { id: accountId }, query: {}, headers: {}, body };
    const from = performance.now();
    const { body: made } = await fixture.signing.handlers.createSigningSession(request, fixture.context());
    await runSession(parties, (made as SigningSession).sessionId, digest);
    milliseconds.push(performance.now() - from);
  }
  const began = performance.now();
  let begun = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (begun < SESSIONS) {
        begun += 1;
        await oneSession();
        if (begun % 1000 === 0) console.error(`${String(begun)} sessions`);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  for (const { client } of parties) client.close();
  const signed = await superuser.any<{ readonly digest: Buffer; readonly signature: Buffer }>(
    `select message_digest as digest, signature from dbr_signing.signing_sessions where state = 'completed'`,
  );
  const key = rawKey(accountKey.publicKey);
  const verified = signed.filter(({ digest, signature }) => ed25519.verify(signature, digest, key)).length;
  const { deadlocks } = await superuser.one<{ readonly deadlocks: number }>(
    'select deadlocks::integer from pg_stat_database where datname = current_database()',
  );
  const refused = [...refusals].map(([key, count]) => `${key}: ${String(count)}`).join(', ');
  console.log(
    `${machine()}. ${String(SESSIONS)} sessions of three parties at two instances, ${String(AT_ONCE)} at a time, ${String(calls)} calls in ${seconds.toFixed(0)} s: ${String(verified)} signatures verified, p50 ${String(quantile(milliseconds, 0.5))} ms, p99 ${String(quantile(milliseconds, 0.99))} ms, ${String(deadlocks)} deadlocks; refusals: ${refused === '' ? 'none' : refused}`,
  );
  return verified === SESSIONS && deadlocks === 0 && refusals.size === 0;
}

const quantile = (values: readonly number[], share: number): number =>
  Math.round(values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0);

const folder = await mkdtemp(join(tmpdir(), 'dbr-bench-sessions-'));
try {
  const running = await startRouterServers([PAIR], null, folder);
  try {
    const server = running.servers.find(({ name }) => name === PAIR);
    if (server === undefined) throw new Error('the server did not start');
    if (!(await measure(server, running.authority.certificate))) process.exitCode = 1;
  } finally {
    await running.stop();
  }
} finally {
  await removeSharedServers();
  await rm(folder, { recursive: true, force: true });
}
