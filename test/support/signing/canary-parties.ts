/** Parties of the canary's sessions: what each hears on its streams, and calls that are refused. */
import { randomUUID, sign, type KeyObject } from 'node:crypto';
import { credentials, Metadata } from '@grpc/grpc-js';
import { SignJWT } from 'jose';
import { connectRouter, type RouterClient } from '../../../examples/parties/router-client.js';
import {
  EncryptionSuite,
  type RouterService,
  type SessionEventType,
} from '../../../generated/proto/router/v1/router_pb.js';
import { encryptionKeyStatement } from '../../../src/signing/parties/encryption-key-store.js';
import type { PartyEncryptionKey } from '../../../src/signing/router-port.js';

export type Method = keyof typeof RouterService.method;

export interface Listener {
  readonly client: RouterClient;
  readonly token: string;
  /** Every session event so far as text, bytes in hexadecimal. */
  heard(): string;
  /** Waits for an event of this type of the session. */
  until(sessionId: string, type: SessionEventType): Promise<void>;
  stop(): Promise<void>;
}

export async function listen(
  address: string,
  tenantId: string,
  partyId: string,
  key: KeyObject,
): Promise<Listener> {
  const token = await new SignJWT({ tenantId })
    .setProtectedHeader({ alg: 'EdDSA' })
    .setSubject(partyId)
    .setAudience('router.v1')
    .setExpirationTime('300s')
    .sign(key);
  const client = connectWith(address, `Bearer ${token}`);
  const gone = new AbortController();
  const heard: string[] = [];
  const seen = new Set<string>();
  let wake = (): void => undefined;
  const run = async (): Promise<void> => {
    const stream = client.subscribeSessionEvents({ instanceId: partyId }, { signal: gone.signal });
    for await (const { item } of stream) {
      heard.push(asText(item.value));
      if (item.case === 'event')
        seen.add(`${String(item.value.session?.sessionId)} ${String(item.value.type)}`);
      wake();
    }
  };
  const ended = run().catch(() => undefined);
  return {
    client,
    token,
    heard: () => heard.join('\n'),
    async until(sessionId, type) {
      while (!seen.has(`${sessionId} ${String(type)}`))
        await new Promise<void>((resolve) => (wake = resolve));
    },
    async stop() {
      gone.abort();
      await ended;
      client.close();
    },
  };
}

/** A client with the given credentials. */
export function connectWith(
  address: string,
  authorization: string,
  more: Readonly<Record<string, string>> = {},
) {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries({ authorization, ...more })) metadata.set(name, value);
  return connectRouter(address, {
    channel: credentials.createInsecure(),
    metadata: () => Promise.resolve(metadata),
  });
}

/** Messages of the wire as text: bytes in hexadecimal, large numbers in decimal. */
export const asText = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) => {
    if (inner instanceof Uint8Array) return Buffer.from(inner).toString('hex');
    return typeof inner === 'bigint' ? inner.toString() : inner;
  });

/** A key as its party signs it, as the wire has it. */
export function wireKey(identityKey: KeyObject, key: Omit<PartyEncryptionKey, 'signature'>) {
  const suites = {
    'HPKE-X25519-SHA256-AES256GCM': EncryptionSuite.HPKE_X25519_SHA256_AES256GCM,
    'RSA-OAEP-SHA256-AES256GCM': EncryptionSuite.RSA_OAEP_SHA256_AES256GCM,
  } as const;
  const { keyId, publicKey, oneTime } = key;
  const signature = sign(null, encryptionKeyStatement(key), identityKey);
  return { keyId, suite: suites[key.suite], publicKey, oneTime, signature };
}

/** Secret bytes in fields that do not take them. */
export interface SpilledBytes {
  readonly ciphertext: Buffer;
  readonly payload: Buffer;
}

/** Every call once, with such bytes in its fields; returns what each was refused with. */
export async function callBadly(
  client: RouterClient,
  sessionId: string,
  { ciphertext, payload }: SpilledBytes,
): Promise<Readonly<Record<Method, string>>> {
  const text = ciphertext.toString('base64url');
  const key = {
    keyId: `\n${text}`,
    suite: EncryptionSuite.HPKE_X25519_SHA256_AES256GCM,
    publicKey: ciphertext,
    oneTime: true,
    signature: payload,
  };
  const envelope = {
    sessionId,
    messageId: randomUUID(),
    fromPartyId: 'node-a',
    round: 1,
    senderSequence: 1n,
    payload,
    signature: ciphertext,
  };
  return {
    registerParty: await refused(client.registerParty({ instanceId: 'i', encryptionKeys: [key] })),
    heartbeat: await refused(client.heartbeat({ instanceId: `${text}\n`, encryptionKeys: [key] })),
    subscribeSessionEvents: await refused(
      client.subscribeSessionEvents({ instanceId: 'i', afterEventId: text }),
    ),
    joinSession: await refused(client.joinSession({ sessionId: text, instanceId: 'i' })),
    sendMessages: await refused(client.sendMessages({ envelopes: [envelope] })),
    subscribeMessages: await refused(client.subscribeMessages({ sessionId: text, instanceId: 'i' })),
    subscribeMailbox: await refused(
      client.subscribeMailbox({ instanceId: 'i', after: [{ sessionId: text, sequence: 1n }] }),
    ),
    ackMessages: await refused(client.ackMessages({ sessionId: text, upToSequence: 1n })),
    reportResult: await refused(
      client.reportResult({ sessionId: text, outcome: { case: 'signature', value: ciphertext } }),
    ),
  };
}

/** Returns the text of an error. Errors: a call that succeeds. */
export async function refused(call: Promise<unknown> | AsyncIterable<unknown>): Promise<string> {
  try {
    if (call instanceof Promise) await call;
    else for await (const item of call) void item;
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
  throw new Error('the call was answered');
}
