/**
 * Sessions of three parties with mailboxes in PostgreSQL: each party broadcasts two messages, acknowledges each delivery when it
 * comes, and reports when it has all, while its last acknowledgements are on their way. Counts the refusals of calls by their status, and the deadlocks of PostgreSQL. It fails if
 * there is a deadlock, a refusal, or a session that is not completed.
 *
 *   make bench-sessions                  10,000 sessions, 16 at a time
 *   tsx bench/signing-sessions.ts 40 1   40, one at a time
 */
import { create, fromBinary, toBinary, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import { Client, credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { createPrivateKey, randomBytes, randomUUID, sign } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { accountKey, DIGEST } from '../test/support/signing/signing-fixture.js';
import { machine } from './report.js';
import type { LoadParty } from './router-load.js';
import { startRouterServers, type RouterServer } from './router-servers.js';

const SESSIONS = Number(process.argv[2] ?? 10_000);
const AT_ONCE = Number(process.argv[3] ?? 16);
const BROADCASTS = 2;
/** The longest that the router allows, so that a busy machine refuses no call. */
const CALL_MS = 30_000;
const METHODS = serviceDefinition(RouterService);
const SIGNATURE = sign(null, Buffer.from(DIGEST, 'hex'), accountKey.privateKey);

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

async function runSession(parties: readonly Party[], sessionId: string): Promise<void> {
  const joined = encoded(JoinSessionRequestSchema, { sessionId, instanceId: 'bench' });
  await Promise.all(parties.map((party) => call(party, 'joinSession', joined)));
  const outcome = { case: 'signature', value: SIGNATURE } as const;
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

async function measure({ port, fixture, parties: known }: RouterServer, authority: string): Promise<boolean> {
  const { superuser } = fixture.database;
  const parties = known.map((party) => {
    const channel = credentials.createSsl(
      Buffer.from(authority),
      Buffer.from(party.key),
      Buffer.from(party.certificate),
    );
    return { ...party, client: new Client(`localhost:${String(port)}`, channel) };
  });
  const { accountId } = await fixture.createSession((await fixture.createAccount(fixture.parties)).accountId);
  const began = performance.now();
  let begun = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (begun < SESSIONS) {
        begun += 1;
        await runSession(parties, (await fixture.createSession(accountId)).sessionId);
        if (begun % 1000 === 0) console.error(`${String(begun)} sessions`);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  for (const { client } of parties) client.close();
  const { completed } = await superuser.one<{ readonly completed: number }>(
    `select count(*)::integer as completed from dbr_signing.signing_sessions where state = 'completed'`,
  );
  const { deadlocks } = await superuser.one<{ readonly deadlocks: number }>(
    'select deadlocks::integer from pg_stat_database where datname = current_database()',
  );
  const refused = [...refusals].map(([key, count]) => `${key}: ${String(count)}`).join(', ');
  console.log(
    `${machine()}. ${String(SESSIONS)} sessions of three parties, ${String(AT_ONCE)} at a time, ${String(calls)} calls in ${seconds.toFixed(0)} s: ${String(completed)} completed, ${String(deadlocks)} deadlocks; refusals: ${refused === '' ? 'none' : refused}`,
  );
  return completed === SESSIONS && deadlocks === 0 && refusals.size === 0;
}

const folder = await mkdtemp(join(tmpdir(), 'dbr-bench-sessions-'));
try {
  const running = await startRouterServers(['PostgreSQL'], null, folder);
  try {
    const server = running.servers.find(({ name }) => name === 'PostgreSQL');
    if (server === undefined) throw new Error('the server did not start');
    if (!(await measure(server, running.authority.certificate))) process.exitCode = 1;
  } finally {
    await running.stop();
  }
} finally {
  await removeSharedServers();
  await rm(folder, { recursive: true, force: true });
}
