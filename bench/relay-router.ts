/**
 * The cost of a gRPC server of Node alone: accepts, acknowledges and delivers messages from memory, without authentication or
 * keeping anything. `RELAY_VERIFIES` names the senders' identity key, in hexadecimal: it then also verifies the signatures of
 * messages. Given to `bench/router.ts`, which starts it as `node --import tsx`.
 */
import { create } from '@bufbuild/protobuf';
import { Server, ServerCredentials, type ServerUnaryCall, type ServerWritableStream } from '@grpc/grpc-js';
import { readFileSync } from 'node:fs';
import {
  RouterService,
  SubscribeMessagesResponseSchema,
  AckMessagesResponseSchema,
  SendMessagesResponseSchema,
  type AckMessagesRequest,
  type AckMessagesResponse,
  type Envelope,
  type SendMessagesRequest,
  type SendMessagesResponse,
  type SubscribeMessagesRequest,
  type SubscribeMessagesResponse,
} from '../generated/proto/router/v1/router_pb.js';
import { envelopeStatement } from '../src/mailbox/mailbox-store.js';
import { serviceDefinition } from '../src/router/typed-service.js';
import { verifyIdentityInIdleThread } from '../src/signing/parties/identity-key.js';

type Subscriber = ServerWritableStream<SubscribeMessagesRequest, SubscribeMessagesResponse>;

const subscribers = new Map<string, { readonly call: Subscriber; sequence: bigint }[]>();

const identityKey = Buffer.from(process.env['RELAY_VERIFIES'] ?? '', 'hex');

async function isSigned(envelope: Envelope): Promise<boolean> {
  if (identityKey.length === 0) return true;
  const content = { ...envelope, senderSequence: Number(envelope.senderSequence) };
  return await verifyIdentityInIdleThread(
    identityKey,
    envelopeStatement(content),
    Buffer.from(envelope.signature),
  );
}

function relay(envelopes: readonly Envelope[]): void {
  for (const envelope of envelopes)
    for (const subscriber of subscribers.get(envelope.sessionId) ?? []) {
      subscriber.sequence += 1n;
      const deliveries = [{ sequence: subscriber.sequence, envelope }];
      subscriber.call.write(create(SubscribeMessagesResponseSchema, { deliveries }));
    }
}

const file = (name: string): Buffer => readFileSync(process.env[name] ?? '');

const server = new Server({ 'grpc.max_concurrent_streams': 1000 });
const { sendMessages, subscribeMessages, ackMessages } = serviceDefinition(RouterService);
if (sendMessages === undefined || subscribeMessages === undefined || ackMessages === undefined)
  throw new Error('router.v1 lacks a method');
server.addService(
  { sendMessages, subscribeMessages, ackMessages },
  {
    sendMessages(
      { request }: ServerUnaryCall<SendMessagesRequest, SendMessagesResponse>,
      answer: (error: null, response: SendMessagesResponse) => void,
    ) {
      void Promise.all(request.envelopes.map(isSigned)).then((signed) => {
        if (signed.includes(false)) throw new Error('a signature is not valid');
        relay(request.envelopes);
        const results = request.envelopes.map(({ messageId }) => ({ messageId }));
        answer(null, create(SendMessagesResponseSchema, { results }));
      });
    },
    subscribeMessages(call: Subscriber) {
      const { sessionId } = call.request;
      const readers = subscribers.get(sessionId) ?? [];
      readers.push({ call, sequence: 0n });
      subscribers.set(sessionId, readers);
      call.on('cancelled', () => subscribers.delete(sessionId));
    },
    ackMessages(
      { request }: ServerUnaryCall<AckMessagesRequest, AckMessagesResponse>,
      answer: (error: null, response: AckMessagesResponse) => void,
    ) {
      answer(null, create(AckMessagesResponseSchema, { ackedSequence: request.upToSequence }));
    },
  },
);
const pair = { private_key: file('DBR_ROUTER_TLS_KEY'), cert_chain: file('DBR_ROUTER_TLS_CERT') };
const credentials = ServerCredentials.createSsl(file('DBR_ROUTER_TLS_CA'), [pair], true);
server.bindAsync('127.0.0.1:0', credentials, (error, port) => {
  if (error !== null) throw error;
  console.log(`serves on port ${String(port)}`);
});
