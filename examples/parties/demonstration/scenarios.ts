/** What is shown: three ways to sign, and four ways in which a session ends otherwise. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { DelegateKey, DelegateUserShare, SigningSession } from '../../../generated/types.js';
import { sealShare } from '../delegate-share.js';
import { verifies } from '../identity-key.js';
import { metadataSha256, REQUEST_TYPE, requestBytes } from '../request-content.js';
import { encryptionKeyStatement } from '../signed-bytes.js';
import type { Ending } from './ending.js';
import { Refused } from './service-client.js';
import type { Stage } from './stage.js';

/** How it should end; a completed session has a signature that verifies. */
export type Expected =
  | Exclude<Ending, { readonly state: 'completed' | 'other' }>
  | { readonly state: 'completed' };

export interface Scenario {
  readonly title: string;
  readonly message: string;
  readonly expected: Expected;
  /** Sets the scene and creates the session. @param earlier signatures that completed, in hexadecimal */
  create(stage: Stage, digest: Buffer, earlier: readonly string[]): Promise<SigningSession>;
}

export const digestOf = (message: string): Buffer => createHash('sha256').update(message).digest();

/** Of sessions, and of the shares for them. */
const TTL_SECONDS = 60;
const SHORTEST_TTL_SECONDS = 30;
const SECOND_MS = 1000;

export const SCENARIOS: readonly Scenario[] = [
  {
    title: '(a) two of three sign: the configuration names node-a and node-b',
    message: 'pay 1 to Bea',
    expected: { state: 'completed' },
    async create(stage, digest) {
      await configure(stage, ['node-a', 'node-b']);
      return await createSession(stage, digest);
    },
  },
  {
    title: '(b) without a configuration all active parties sign; the delegate is asked only with its share',
    message: 'pay 2 to Bea',
    expected: { state: 'completed' },
    async create(stage, digest) {
      await stage.owner.delete(`/accounts/${stage.accountId}/signing-config`);
      return await createSession(stage, digest);
    },
  },
  {
    title: "(c) with the delegate: the owner seals the delegate's share for this session and digest",
    message: 'pay 3 to Bea',
    expected: { state: 'completed' },
    create: (stage, digest) => createDelegateSession(stage, digest, digest),
  },
  {
    title: '(d) a share that was sealed for another digest',
    message: 'pay 4 to Bea',
    expected: { state: 'failed', reason: 'share_unusable', partyId: 'helper', culprits: [] },
    create: (stage, digest) => createDelegateSession(stage, digest, digestOf('pay 4000 to Eve')),
  },
  {
    title: '(e) node-b reports a signature of another digest',
    message: 'pay 5 to Bea',
    expected: { state: 'failed', reason: 'invalid_signature', partyId: 'node-b', culprits: ['node-b'] },
    async create(stage, digest, [replayed = '']) {
      await configure(stage, ['node-a', 'node-b']);
      await stage.stop('node-b', 'SIGTERM');
      await stage.start('node-b', 'faulty-main.ts', replayed);
      return await createSession(stage, digest);
    },
  },
  {
    title: '(f) people signed a request for another digest',
    message: 'pay 6000 to Eve',
    expected: { state: 'failed', reason: 'policy_denied', partyId: 'node-a', culprits: [] },
    async create(stage, digest) {
      return await createSession(stage, digest, {}, digestOf('pay 6 to Bea'));
    },
  },
  {
    title: '(g) node-b is dead',
    message: 'pay 7 to Bea',
    expected: { state: 'expired', missingParties: ['node-b'] },
    async create(stage, digest) {
      await stage.stop('node-b', 'SIGKILL');
      return await createSession(stage, digest, { ttlSeconds: SHORTEST_TTL_SECONDS });
    },
  },
];

const configure = ({ owner, accountId }: Stage, signingParties: readonly string[]): Promise<unknown> =>
  owner.call('POST', `/accounts/${accountId}/signing-config`, { signingParties });

interface SessionChoices {
  readonly ttlSeconds?: number;
  readonly sessionId?: string;
  readonly delegateUserShare?: DelegateUserShare;
}

/**
 * The owner signs a request and creates the session with it; a second person approves it.
 * @param requested the digest that they sign; the session's own, where nothing is amiss
 */
async function createSession(
  { owner, tenantId, accountId, approvers: [creator, ...others] }: Stage,
  digest: Buffer,
  choices: SessionChoices = {},
  requested = digest,
): Promise<SigningSession> {
  const content = requestBytes({
    type: REQUEST_TYPE,
    tenantId,
    accountId,
    operation: 'a payment of the demonstration',
    protocol: 'ed25519',
    derivationPath: [],
    messageDigest: requested.toString('hex'),
    threshold: 2,
    parties: null,
    metadataSha256: metadataSha256({}),
    expiresAt: new Date(Date.now() + TTL_SECONDS * SECOND_MS).toISOString(),
    nonce: randomBytes(NONCE_BYTES).toString('hex'),
  });
  const signatures = creator === undefined ? [] : [creator.sign(content)];
  const session = await owner.call<SigningSession>('POST', `/accounts/${accountId}/signing-sessions`, {
    messageDigest: digest.toString('hex'),
    ttlSeconds: TTL_SECONDS,
    request: { content: content.toString('base64url'), signatures },
    ...choices,
  });
  const approval = others[0]?.sign(content);
  if (approval !== undefined)
    await owner
      .call('POST', `/api/v1/signing-sessions/${session.sessionId}/approvals`, approval)
      .catch((error: unknown) => {
        // A party may have ended the session meanwhile.
        if (!(error instanceof Refused && error.code === SESSION_HAS_ENDED)) throw error;
      });
  return session;
}

const NONCE_BYTES = 16;
const SESSION_HAS_ENDED = 'DBR514';

/** @param sealedFor the digest that the share is sealed for; the session's own, where nothing is amiss */
async function createDelegateSession(
  stage: Stage,
  digest: Buffer,
  sealedFor: Buffer,
): Promise<SigningSession> {
  const { owner, tenantId, accountId } = stage;
  const key = await owner.call<DelegateKey>('POST', `/accounts/${accountId}/delegate-keys/claim`);
  const { peer, signingShare } = stage.party(key.delegatePartyId);
  const notAfter = key.notAfter === null ? null : new Date(key.notAfter);
  const publicKey = Buffer.from(key.publicKey, 'hex');
  const statement = encryptionKeyStatement({ ...key, publicKey, notAfter });
  if (!verifies(Buffer.from(peer.identityKey, 'hex'), statement, Buffer.from(key.signature, 'hex')))
    throw new Error('the key is not of the delegate');
  const sessionId = randomUUID();
  const binding = {
    tenantId,
    accountId,
    sessionId,
    delegatePartyId: key.delegatePartyId,
    recipientKeyId: key.keyId,
    derivationPath: [],
    expiresAt: new Date(Date.now() + TTL_SECONDS * SECOND_MS),
  };
  const share = await sealShare(publicKey, { ...binding, messageDigest: sealedFor }, signingShare);
  // The service refuses a hash of other data itself; so a liar states the one of this session.
  const { aadSha256 } = await sealShare(publicKey, { ...binding, messageDigest: digest }, signingShare);
  return await createSession(stage, digest, { sessionId, delegateUserShare: { ...share, aadSha256 } });
}
