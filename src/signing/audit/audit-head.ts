/** The signed head of an audit chain: with it, somebody outside can show that a chain was written again or cut off. */
import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { sortedJson } from '../../base/hash.js';
import type { ChainPosition } from './audit-chain.js';

/** The bytes that are signed: JSON in the form of RFC 8785. */
export const headStatement = ({ tenantId, sequence, hash, sealedAt }: ChainPosition): string =>
  sortedJson({ type: 'dbr-audit-head-v1', tenantId, sequence, hash, sealedAt });

/** The statement with its signature as a member. One head always has the same bytes. */
export const signedHead = (head: ChainPosition, key: KeyObject): string => {
  const signature = sign(null, Buffer.from(headStatement(head)), key).toString('hex');
  return sortedJson({ ...head, type: 'dbr-audit-head-v1', signature });
};

/** @param pem PKCS #8 @returns null for a text that is not an Ed25519 private key */
export function headKeyOf(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}
