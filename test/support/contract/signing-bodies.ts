/** Bodies for the operations of area B, valid and invalid. */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { partyIdOf, tenantIdOf } from '../../../src/base/identifiers.js';
import { accountIdOf, sessionIdOf } from '../identifiers.js';
import { certificateProof, identitySignature } from '../../../examples/parties/party-proofs.js';
import type {
  AccountRequest,
  DelegateUserShare,
  PartyRequest,
  SigningSession,
  SigningSessionRequest,
} from '../../../generated/types.js';
import { shareAssociatedData } from '../../../src/signing/shares/delegate-share.js';

export const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export const newKey = (): string =>
  generateKeyPairSync('ed25519')
    .publicKey.export({ type: 'spki', format: 'der' })
    .subarray(-32)
    .toString('hex');

/** A party of tenant `acme` with a new identity key, unless others are given. */
export function partyBody(
  partyId: string,
  role: PartyRequest['role'] = 'server',
  tenantId = 'acme',
  { publicKey, privateKey } = generateKeyPairSync('ed25519'),
  form: 'raw' | 'der' = 'raw',
): PartyRequest {
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const identityPublicKey = der.toString('hex', form === 'der' ? 0 : 12);
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const proven = { tenantId, partyId, identityKey: identityPublicKey };
  return {
    ...{ partyId, name: partyId, role, identityPublicKey },
    identitySignature: identitySignature(pem, proven),
  };
}

/** A party with a certificate of tenant `acme` and a valid proof of its key. */
export function provenPartyBody(partyId: string): PartyRequest {
  const body = partyBody(partyId);
  const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const identityKey = body.identityPublicKey;
  return { ...body, certificate: certificateProof(key, { tenantId: 'acme', partyId, identityKey }) };
}

export const accountBody = (): AccountRequest => ({
  name: 'Treasury',
  ownerUserId: 'ann',
  keyType: 'ed25519',
  publicKey: newKey(),
  threshold: 2,
  shares: [
    { partyId: 'node-a', shareIndex: 1, shareType: 'server' },
    { partyId: 'node-b', shareIndex: 2, shareType: 'server' },
    { partyId: 'helper', shareIndex: 3, shareType: 'delegate' },
  ],
});

export const sessionBody = (): SigningSessionRequest => ({ messageDigest: DIGEST });

/** A share for the session, encrypted to the key. Its content is random. */
export function shareBody(
  session: Pick<SigningSession, 'sessionId' | 'accountId' | 'tenantId'>,
  recipientKeyId: string,
): DelegateUserShare {
  const expiresAt = new Date(Date.now() + 200_000);
  const aad = shareAssociatedData({
    tenantId: tenantIdOf(session.tenantId),
    accountId: accountIdOf(session.accountId),
    sessionId: sessionIdOf(session.sessionId),
    delegatePartyId: partyIdOf('helper'),
    recipientKeyId,
    messageDigest: Buffer.from(DIGEST, 'hex'),
    derivationPath: [],
    expiresAt,
  });
  return {
    delegatePartyId: 'helper',
    recipientKeyId,
    suite: 'HPKE-X25519-SHA256-AES256GCM',
    encapsulatedKey: randomBytes(32).toString('base64url'),
    ciphertext: randomBytes(64).toString('base64url'),
    aadSha256: createHash('sha256').update(aad).digest('hex'),
    shareType: 'delegate',
    purpose: 'signing',
    expiresAt: expiresAt.toISOString(),
  };
}

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  '',
  ' ',
  'x'.repeat(5000),
  '\0',
  '\ud800',
  '../..',
  "'; select 1 --",
  '9999-12-31T23:59:60Z',
  '+275760-09-13T00:00:00.000Z',
  [],
  [null],
  ['node-a', 1],
  Array.from({ length: 100 }, (_, index) => `p-${String(index)}`),
  {},
  { constructor: 1 },
];

/** Variants of the body: each member replaced by an invalid value or left out, and one with an unknown member. */
export function* oddBodies(body: object): Generator<unknown> {
  yield* ODD_VALUES;
  yield { ...body, stranger: 1 };
  yield JSON.parse(`{"__proto__":{"status":"active"}}`);
  for (const name of Object.keys(body)) {
    yield Object.fromEntries(Object.entries(body).filter(([other]) => other !== name));
    for (const value of ODD_VALUES) yield { ...body, [name]: value };
  }
}
