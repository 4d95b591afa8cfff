/** The router over sessions of a fixture, on a port of its own, with parties that call it. */
import { randomUUID } from 'node:crypto';
import { credentials, type ClientOptions, type Metadata, type ServiceError } from '@grpc/grpc-js';
import {
  connectRouter,
  tokenCredentials,
  type ClientCredentials,
  type RouterClient,
} from '../../../examples/parties/router-client.js';
import type { Delivery, SubscribeMessagesResponse } from '../../../generated/proto/router/v1/router_pb.js';
import {
  openRouter,
  type Router,
  type RouterParts,
  type RouterSettings,
} from '../../../src/router/router.js';
import { createMailboxStore } from '../../../src/mailbox/log-mailbox-store.js';
import { postgresMailboxLog } from '../../../src/mailbox/postgres-mailbox-log.js';
import { LOCAL_LIMITS } from '../../../src/operations/limits.js';
import type { TestParty } from '../signing/signing-fixture.js';
import { UNOBSERVED } from '../unobserved.js';
import { signedMessage, type Draft, type RouterFixture } from './router-fixture.js';

export const SETTINGS: RouterSettings = {
  'router-host': '127.0.0.1',
  'router-port': 0,
  'router-tls-cert': null,
  'router-tls-key': null,
  'router-tls-ca': null,
  'router-dev-tokens': true,
  'router-call-limit': 0,
  'router-max-connections': 1000,
  'router-max-connections-per-address': 1000,
};

export interface RouterHost {
  readonly router: Router;
  connect(party: TestParty, options?: ClientOptions): RouterClient;
  connectWith(metadata: () => Promise<Metadata>): RouterClient;
  stop(): Promise<void>;
}

export async function hostRouter(
  { pool, feed, signing }: RouterFixture,
  settings: Partial<RouterSettings> = {},
  production = false,
  { observe = UNOBSERVED, traces = null }: Partial<Pick<RouterParts, 'observe' | 'traces'>> = {},
): Promise<RouterHost> {
  const mailboxes = createMailboxStore({
    open: postgresMailboxLog(pool, feed),
    ...signing,
    observe: () => undefined,
  });
  const close = async (): Promise<void> => {
    await mailboxes.close();
  };
  const { sessions, parties, ends, watch } = signing;
  const isReady = (): Promise<boolean> => Promise.resolve(true);
  const parts = {
    sessions,
    parties,
    mailboxes,
    ends,
    watch,
    isReady,
    observe,
    traces,
    production,
    limits: LOCAL_LIMITS,
  };
  const router = await openRouter({ ...parts, settings: { ...SETTINGS, ...settings } }).catch(
    async (error: unknown) => {
      await close();
      throw error;
    },
  );
  const clients: RouterClient[] = [];
  const connect = (who: ClientCredentials, options?: ClientOptions): RouterClient => {
    const client = connectRouter(`127.0.0.1:${String(router.port)}`, who, options);
    clients.push(client);
    return client;
  };
  return {
    router,
    connect: ({ identity, privateKey }, options) =>
      connect(tokenCredentials(identity.tenantId, identity.partyId, privateKey), options),
    connectWith: (metadata) => connect({ channel: credentials.createInsecure(), metadata }),
    async stop() {
      for (const client of clients) client.close();
      await router.stop(1000);
      await close();
    },
  };
}

/** As the wire has it. */
export function envelope(sender: TestParty, sessionId: string, draft: Draft) {
  const message = signedMessage(sender, sessionId, draft);
  return {
    sessionId,
    fromPartyId: sender.identity.partyId,
    messageId: message.messageId,
    toPartyIds: [...message.toPartyIds],
    round: message.round,
    senderSequence: BigInt(message.senderSequence),
    payload: message.payload,
    signature: message.signature,
  };
}

/** The code and the details that a call is refused with. */
export async function refusal(
  call: Promise<unknown> | AsyncIterable<unknown>,
): Promise<readonly [number, string]> {
  try {
    if (call instanceof Promise) await call;
    else for await (const item of call) void item;
  } catch (error) {
    const { code, details } = error as ServiceError;
    return [code, details];
  }
  throw new Error('the call was answered');
}

export interface Reader {
  /** Waits until so many have come in all. */
  deliveries(count: number): Promise<readonly Delivery[]>;
  /** How the stream ended. */
  readonly ended: Promise<SubscribeMessagesResponse | null>;
  stop(): void;
}

/** Reads a mailbox in the background. */
export function readMailbox(client: RouterClient, sessionId: string, afterSequence = 0n): Reader {
  const gone = new AbortController();
  const came: Delivery[] = [];
  let failure: unknown = null;
  let wake = (): void => undefined;
  const request = { sessionId, instanceId: randomUUID(), afterSequence };
  const run = async (): Promise<SubscribeMessagesResponse | null> => {
    let last: SubscribeMessagesResponse | null = null;
    for await (const item of client.subscribeMessages(request, { signal: gone.signal })) {
      came.push(...item.deliveries);
      last = item;
      wake();
    }
    return last;
  };
  const ended = run();
  ended.catch((error: unknown) => {
    failure = error;
    wake();
  });
  return {
    async deliveries(count) {
      while (came.length < count) {
        if (failure !== null) throw failure as Error;
        await new Promise<void>((resolve) => (wake = resolve));
      }
      return came;
    },
    ended,
    stop: () => gone.abort(),
  };
}
