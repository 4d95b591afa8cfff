/**
 * The parties of `bench/router.ts`, in a separate process: senders and readers of the sessions of a task. It takes one task after
 * the other, so that the runtime has compiled it when a run counts.
 */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { credentials, Client, Metadata, type ClientReadableStream } from '@grpc/grpc-js';
import { createPrivateKey, randomBytes, randomUUID, sign } from 'node:crypto';
import { createHistogram } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import {
  RouterService,
  SendMessagesRequestSchema,
  SubscribeMessagesRequestSchema,
  SubscribeMessagesResponseSchema,
  AckMessagesRequestSchema,
  type SubscribeMessagesResponse,
} from '../generated/proto/router/v1/router_pb.js';
import { serviceDefinition } from '../src/router/typed-service.js';
import { envelopeStatement } from '../src/mailbox/mailbox-store.js';

export interface LoadParty {
  readonly partyId: string;
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
  /** Signs messages; PEM, PKCS 8. */
  readonly identityKey: string;
}

export interface LoadTask {
  /** Ports of the sender and of the readers. */
  readonly port: number;
  readonly readerPort: number;
  /** PEM. */
  readonly authority: string;
  /** One sender and its readers. */
  readonly sender: LoadParty;
  readonly readers: readonly LoadParty[];
  /** Each has a sender of its own, who has one call at a time. */
  readonly sessionIds: readonly string[];
  readonly payloadBytes: number;
  /** Messages that are made before the time begins, for each session; a sender that has sent them all is done. */
  readonly messages: number;
  readonly seconds: number;
  /**
   * Sends a second of all senders, evenly distributed: times count from the moment when a send is due, also if its sender still
   * waits for the response before. Null: a sender sends as soon as it is answered.
   */
  readonly rate: number | null;
  /** A reader acknowledges when so many have come since. */
  readonly ackEvery: number;
}

export interface LoadResult {
  readonly sends: number;
  readonly deliveries: number;
  /** Time from the first send to the last response, and to the last delivery. */
  readonly sendSeconds: number;
  readonly deliverySeconds: number;
  /** Milliseconds from a send to its answer, and to its delivery. */
  readonly sendMs: readonly [median: number, p99: number];
  readonly deliveryMs: readonly [median: number, p99: number];
}

const methods = serviceDefinition(RouterService);
const path = (name: 'sendMessages' | 'ackMessages' | 'subscribeMessages'): string =>
  methods[name]?.path ?? '';
const asItIs = (bytes: Buffer): Buffer => bytes;
const metadata = new Metadata();

function connect(port: number, authority: string, { key, certificate }: LoadParty): Client {
  const channel = credentials.createSsl(Buffer.from(authority), Buffer.from(key), Buffer.from(certificate));
  return new Client(`localhost:${String(port)}`, channel, { 'grpc.use_local_subchannel_pool': 1 });
}

function call(client: Client, name: 'sendMessages' | 'ackMessages', request: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path(name), asItIs, asItIs, request, metadata, (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
}

/** Requests of one message each, as bytes. */
function signedRequests({ sender, messages, payloadBytes }: LoadTask, sessionId: string): readonly Buffer[] {
  const identityKey = createPrivateKey(sender.identityKey);
  return Array.from({ length: messages }, (_, index) => {
    const content = {
      sessionId,
      messageId: randomUUID(),
      fromPartyId: sender.partyId,
      toPartyIds: [],
      round: 1,
      senderSequence: index + 1,
      payload: randomBytes(payloadBytes),
    };
    const signature = sign(null, envelopeStatement(content), identityKey);
    const envelope = { ...content, senderSequence: BigInt(content.senderSequence), signature };
    return Buffer.from(
      toBinary(SendMessagesRequestSchema, create(SendMessagesRequestSchema, { envelopes: [envelope] })),
    );
  });
}

async function run(task: LoadTask, started: () => void): Promise<LoadResult> {
  const { port, readerPort, authority, sessionIds, readers, seconds, rate, ackEvery } = task;
  const [sendTimes, deliveryTimes] = [createHistogram(), createHistogram()];
  const sender = connect(port, authority, task.sender);
  const readerClients = readers.map((party) => connect(readerPort, authority, party));
  const sessions = sessionIds.map((sessionId) => ({
    sessionId,
    requests: signedRequests(task, sessionId),
    sentAt: [] as number[],
  }));
  let deliveries = 0;
  let received = (): void => undefined;
  const streams: ClientReadableStream<SubscribeMessagesResponse>[] = [];
  const acks: Promise<void>[] = [];

  function subscribe(client: Client, { sessionId, sentAt }: (typeof sessions)[number]): void {
    const request = create(SubscribeMessagesRequestSchema, { sessionId, instanceId: 'load' });
    const stream = client.makeServerStreamRequest(
      path('subscribeMessages'),
      asItIs,
      (bytes) => fromBinary(SubscribeMessagesResponseSchema, bytes),
      Buffer.from(toBinary(SubscribeMessagesRequestSchema, request)),
      metadata,
    );
    stream.on('error', () => undefined);
    stream.on('data', (item: SubscribeMessagesResponse) => {
      for (const { sequence } of item.deliveries) {
        deliveries += 1;
        deliveryTimes.record(microsecondsSince(sentAt[Number(sequence) - 1] ?? 0));
        if (Number(sequence) % ackEvery === 0) {
          const ack = create(AckMessagesRequestSchema, { sessionId, upToSequence: sequence });
          acks.push(call(client, 'ackMessages', Buffer.from(toBinary(AckMessagesRequestSchema, ack))));
        }
      }
      received();
    });
    streams.push(stream);
  }

  for (const client of readerClients) for (const session of sessions) subscribe(client, session);
  // Until the subscriptions have begun; sends would not fail before, but deliveries would come late.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  started();
  const began = performance.now();
  const end = began + seconds * 1000;
  let sends = 0;
  await Promise.all(
    sessions.map(async ({ requests, sentAt }, place) => {
      for (const [index, request] of requests.entries()) {
        const at =
          rate === null ? performance.now() : began + ((index * sessions.length + place) / rate) * 1000;
        if (at >= end) return;
        if (at > performance.now()) await delay(at - performance.now());
        sentAt.push(at);
        await call(sender, 'sendMessages', request);
        sendTimes.record(microsecondsSince(at));
        sends += 1;
      }
    }),
  );
  const answered = performance.now();
  while (deliveries < sends * readers.length) await new Promise<void>((resolve) => (received = resolve));
  const delivered = performance.now();
  await Promise.all(acks);
  for (const stream of streams) stream.cancel();
  for (const client of [sender, ...readerClients]) client.close();
  const times = (histogram: typeof sendTimes) =>
    [histogram.percentile(50) / 1000, histogram.percentile(99) / 1000] as const;
  return {
    sends,
    deliveries,
    sendSeconds: (answered - began) / 1000,
    deliverySeconds: (delivered - began) / 1000,
    sendMs: times(sendTimes),
    deliveryMs: times(deliveryTimes),
  };
}

const microsecondsSince = (at: number): number => Math.max(1, Math.round((performance.now() - at) * 1000));

process.on('message', (task) => {
  // The parent sends the next task, or disconnects, after it has read the processor time of this process.
  void run(task as LoadTask, () => process.send?.('started')).then((result) => process.send?.(result));
});
