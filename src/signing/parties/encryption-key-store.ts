/** The public keys that delegates offer for the encryption of user shares, in PostgreSQL. */
import type { AccountId, PartyId, SessionId, TenantId, UserId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/database.js';
import type { Sql } from '../../postgres/sql.js';
import { InvalidPartyKey, type PartyEncryptionKey } from '../router-port.js';
import type { EncryptionSuite } from '../types.js';
import {
  BURN_KEY,
  CLAIM_ONE_TIME_KEY,
  COUNT_CLAIMABLE_KEYS,
  COUNT_UNUSED_KEYS,
  DELETE_KEYS,
  DELETE_USELESS_KEYS,
  FIND_LASTING_KEY,
  INSERT_KEY,
} from './encryption-key-sql.js';

/** Unused keys that one party may store: each is a row that a hostile party can cause. */
export const MAX_STORED_KEYS = 1024;

/** Deletes all keys of the party: its former identity key signed them. */
export async function deleteKeys(transaction: DatabaseTask, partyId: PartyId): Promise<void> {
  await transaction.none({ text: DELETE_KEYS, values: [partyId] });
}

/**
 * Stores keys of a party and deletes its useless ones. A key whose id is stored already stays unchanged.
 * @throws InvalidPartyKey if the party would have more than MAX_STORED_KEYS
 */
export async function insertKeys(
  transaction: DatabaseTask,
  { tenantId, partyId }: { readonly tenantId: TenantId; readonly partyId: PartyId },
  keys: readonly PartyEncryptionKey[],
): Promise<void> {
  if (keys.length === 0) return;
  await transaction.none({ text: DELETE_USELESS_KEYS, values: [partyId] });
  for (const { keyId, suite, publicKey, oneTime, notAfter, signature } of keys) {
    const values = [tenantId, partyId, keyId, suite, publicKey, oneTime, notAfter, signature];
    await transaction.none({ text: INSERT_KEY, values });
  }
  if ((await count(transaction, COUNT_UNUSED_KEYS, partyId)) > MAX_STORED_KEYS)
    throw new InvalidPartyKey(`a party has at most ${String(MAX_STORED_KEYS)} keys on offer`);
}

/** Counts the one-time keys of the party that a user can still claim. */
export const countClaimableKeys = (transaction: DatabaseTask, partyId: PartyId): Promise<number> =>
  count(transaction, COUNT_CLAIMABLE_KEYS, partyId);

async function count(transaction: DatabaseTask, text: Sql, partyId: PartyId): Promise<number> {
  const row = await transaction.one<{ readonly count: string }>({ text, values: [partyId] });
  return Number(row.count);
}

/** A key as a user receives it. */
export interface OfferedKey {
  readonly keyId: string;
  readonly suite: EncryptionSuite;
  readonly publicKey: Buffer;
  readonly oneTime: boolean;
  readonly notAfter: string | null;
  readonly signature: Buffer;
}

interface OfferedKeyRow {
  readonly key_id: string;
  readonly suite: EncryptionSuite;
  readonly public_key: Buffer;
  readonly one_time: boolean;
  readonly not_after: string | null;
  readonly signature: Buffer;
}

/**
 * Claims a one-time key of the delegate for the account, or finds its lasting key if there is no one-time key.
 * @returns null if the delegate offers neither
 */
export async function claimKey(
  transaction: DatabaseTask,
  partyId: PartyId,
  { userId, accountId }: { readonly userId: UserId; readonly accountId: AccountId },
): Promise<OfferedKey | null> {
  const values = [partyId, userId, accountId];
  const row =
    (await transaction.oneOrNone<OfferedKeyRow>({ text: CLAIM_ONE_TIME_KEY, values })) ??
    (await transaction.oneOrNone<OfferedKeyRow>({ text: FIND_LASTING_KEY, values: [partyId] }));
  if (row === null) return null;
  return {
    keyId: row.key_id,
    suite: row.suite,
    publicKey: row.public_key,
    oneTime: row.one_time,
    notAfter: row.not_after,
    signature: row.signature,
  };
}

/**
 * Uses the key for the session; no other session can use a one-time key after that.
 * @returns the suite of the key; null if the key is unknown, expired or burnt, or is a one-time key that another account claimed
 */
export async function burnKey(
  transaction: DatabaseTask,
  partyId: PartyId,
  keyId: string,
  { accountId, sessionId }: { readonly accountId: AccountId; readonly sessionId: SessionId },
): Promise<EncryptionSuite | null> {
  const row = await transaction.oneOrNone<{ readonly suite: EncryptionSuite }>({
    text: BURN_KEY,
    values: [partyId, keyId, sessionId, accountId],
  });
  return row?.suite ?? null;
}
