/** An account whose sessions a test may begin at any process. */
import { generateKeyPairSync } from 'node:crypto';
import type { Account, SigningSession } from '../../../generated/types.js';
import { partyBody } from '../contract/signing-bodies.js';
import { rawKey } from './signing-fixture.js';
import { tokenOf, type OneOfMany } from '../service/service-processes.js';

const ADMIN = { sub: 'root', scope: 'parties:admin accounts:write accounts:read tenant:admin' };
const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const PARTIES = ['node-a', 'node-b'] as const;

const newKey = (): string => rawKey(generateKeyPairSync('ed25519').publicKey).toString('hex');

/** Ann's, with two parties that both have to sign. @returns the account's identifier */
export async function createSigningAccount({ ann }: OneOfMany): Promise<string> {
  const token = await tokenOf(ADMIN);
  for (const partyId of PARTIES) {
    await ann.call('createParty', { token, body: partyBody(partyId) });
  }
  const body = {
    name: 'Treasury',
    ownerUserId: 'ann',
    keyType: 'ed25519',
    publicKey: newKey(),
    threshold: 2,
    shares: PARTIES.map((partyId, index) => ({ partyId, shareIndex: index + 1, shareType: 'server' })),
  };
  const account = await ann.call('createAccount', { token, body });
  return (account.body as Account).accountId;
}

/** @returns the session's identifier */
export async function createSession({ ann }: OneOfMany, accountId: string): Promise<string> {
  const body = { messageDigest: DIGEST };
  const session = await ann.call('createSigningSession', { path: { id: accountId }, body });
  return (session.body as SigningSession).sessionId;
}
