/** Lies of a service about what people have signed, and whether a party of the example refuses each before it sends a message. */
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { ProtocolFault } from '../../examples/parties/protocol-fault.js';
import {
  metadataSha256,
  REQUEST_TYPE,
  requestBytes,
  type RequestContent,
} from '../../examples/parties/request-content.js';
import { signRequest } from '../../examples/parties/request-keys.js';
import { takeRequest, type RequestPolicy } from '../../examples/parties/verify-request.js';
import { SessionSchema, type Session } from '../../generated/proto/router/v1/router_pb.js';
import { randomOf } from '../../src/base/random.js';

const person = (keyId: string) => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');
  return {
    registered: { keyId, algorithm: 'ed25519' as const, publicKey: raw },
    sign(content: Uint8Array) {
      const { signature, ...rest } = signRequest(keyId, 'ed25519', privateKey, content);
      return { ...rest, signature: Buffer.from(signature, 'hex') };
    },
  };
};
const [ada, bea, stranger] = [person('ada'), person('bea'), person('stranger')];
const ACCOUNT = randomUUID();
const OTHER = Buffer.alloc(32, 9);

const contentOf = (random: (below: number) => number, more: Partial<RequestContent> = {}): Buffer =>
  requestBytes({
    ...{ type: REQUEST_TYPE, tenantId: 'acme', accountId: ACCOUNT, operation: `pay ${String(random(1000))}` },
    ...{ protocol: 'ed25519', derivationPath: [], messageDigest: '07'.repeat(32), threshold: 2 },
    ...{ parties: ['node-1', 'node-2'], metadataSha256: metadataSha256({ order: 7 }) },
    ...{ expiresAt: new Date(Date.now() + 300_000).toISOString(), nonce: randomBytes(16).toString('hex') },
    ...more,
  });

const sessionOf = (request: Uint8Array, ...people: readonly (typeof ada)[]): Session =>
  create(SessionSchema, {
    ...{ tenantId: 'acme', accountId: ACCOUNT, protocol: 'ed25519', threshold: 2, metadata: '{"order":7}' },
    ...{
      messageDigest: Buffer.alloc(32, 7),
      request,
      requestSignatures: people.map((one) => one.sign(request)),
    },
    participants: ['node-1', 'node-2'].map((partyId, index) => ({ partyId, shareIndex: index + 1 })),
  });

type Change = (session: Session, random: (below: number) => number) => void;

export const REQUEST_LIES: readonly { readonly name: string; readonly change: Change }[] = [
  { name: 'another digest', change: (session) => (session.messageDigest = OTHER) },
  { name: 'another account', change: (session) => (session.accountId = randomUUID()) },
  { name: 'another tenant', change: (session) => (session.tenantId = 'other') },
  { name: 'another threshold', change: (session, random) => (session.threshold = 3 + random(9)) },
  { name: 'another protocol', change: (session) => (session.protocol = 'bip340') },
  { name: 'another derivation path', change: (session, random) => (session.derivationPath = [random(99)]) },
  {
    name: 'other metadata',
    change: (session, random) => (session.metadata = `{"order":${String(8 + random(9))}}`),
  },
  { name: 'other parties', change: ({ participants }) => void participants.pop() },
  { name: 'no request', change: (session) => (session.request = new Uint8Array()) },
  {
    name: 'the request in another spelling',
    change: (session) =>
      (session.request = Buffer.from(Buffer.from(session.request).toString().replace(',', ', '))),
  },
  {
    name: 'a request of its own',
    change(session, random) {
      session.messageDigest = OTHER;
      session.request = contentOf(random, { messageDigest: OTHER.toString('hex') });
    },
  },
  {
    name: 'a forged approval',
    change: ({ requestSignatures: [, one] }, random) => {
      if (one !== undefined) one.signature = Buffer.from(one.signature).fill(random(256), 0, 32);
    },
  },
  {
    name: 'the approval of another session',
    change: (session, random) => {
      session.requestSignatures = sessionOf(contentOf(random), ada, bea).requestSignatures;
    },
  },
  {
    name: 'one person as another',
    change: ({ requestSignatures: [, one] }) => void (one === undefined || (one.keyId = 'ada')),
  },
  { name: 'without an approval', change: ({ requestSignatures }) => void requestSignatures.pop() },
  {
    name: 'one person twice',
    change: (session) =>
      (session.requestSignatures = [1, 2]
        .map(() => create(SessionSchema, sessionOf(session.request, ada)).requestSignatures)
        .flat()),
  },
  {
    name: 'a key that the party does not trust',
    change: (session) =>
      (session.requestSignatures = sessionOf(session.request, ada, stranger).requestSignatures),
  },
  {
    name: 'an expired request',
    change(session, random) {
      const expiresAt = new Date(Date.now() - 1 - random(1_000_000)).toISOString();
      Object.assign(session, sessionOf(contentOf(random, { expiresAt }), ada, bea));
    },
  },
];

/** An old request in a new session, and in a session of a backup: both are the second use of its nonce. */
export const REPLAY = 'an old request again';

/** Returns why the party refuses; null if it takes the request. */
export function refusalOf(change: Change | typeof REPLAY | null, seed: number): string | null {
  const random = randomOf(seed);
  const used = new Set<string>();
  const policy: RequestPolicy = {
    ...{ tenantId: 'acme', accountId: ACCOUNT, keys: [ada.registered, bea.registered], needed: 2 },
    nonces: { has: (nonce) => used.has(nonce), use: (nonce) => void used.add(nonce) },
  };
  const session = sessionOf(contentOf(random), ada, bea);
  if (change === REPLAY) takeRequest(session, policy);
  else change?.(session, random);
  try {
    takeRequest(session, policy);
    return null;
  } catch (error) {
    if (error instanceof ProtocolFault && error.culprits.length === 0) return error.message;
    throw error;
  }
}
