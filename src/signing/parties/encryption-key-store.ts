/** The public keys that delegates offer for the encryption of user shares, in PostgreSQL. */
import type { AccountId, PartyId, SessionId, TenantId, UserId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/transaction.js';
import { query } from '../../postgres/query.js';
import { sql } from '../../postgres/sql.js';
import { InvalidPartyKey, type PartyEncryptionKey } from '../router-port.js';
import type { EncryptionSuite } from '../types.js';
import { hasSmallOrder } from '../curve-point.js';
import { verifyIdentityInIdleThread } from './identity-key.js';
import { instantBytes, lengthPrefixed } from '../../base/bytes.js';

/** Unused keys that one party may store: each is a row that a hostile party can cause. */
const MAX_STORED_KEYS = 1024;

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
  await deleteUselessKeys(transaction, partyId);
  for (const { keyId, suite, publicKey, oneTime, notAfter, signature } of keys) {
    const values = [tenantId, partyId, keyId, suite, publicKey, oneTime, notAfter, signature];
    await transaction.none({ text: INSERT_KEY, values });
  }
  const { count } = await countUnusedKeys(transaction, partyId);
  if (count > MAX_STORED_KEYS)
    throw new InvalidPartyKey(`a party has at most ${String(MAX_STORED_KEYS)} keys on offer`);
}

/** Counts the one-time keys of the party that a user can still claim. */
export async function countClaimableKeys(transaction: DatabaseTask, partyId: PartyId): Promise<number> {
  return (await countClaimable(transaction, partyId)).count;
}

/** A key as a user receives it. */
export interface OfferedKey extends Omit<PartyEncryptionKey, 'notAfter'> {
  readonly notAfter: string | null;
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
  const claimed = await claimOneTimeKey(transaction, partyId, userId, accountId);
  return claimed ?? (await findLastingKey(transaction, partyId));
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
  return (await burn(transaction, partyId, keyId, sessionId, accountId))?.suite ?? null;
}

// The statements on `dbr_signing.party_encryption_keys`.

/** Deletes all keys of the party: its former identity key signed them. */
export const deleteKeys = query.none<[partyId: PartyId]>(sql`
delete from dbr_signing.party_encryption_keys where party_id = $1`);

/** Deletes keys that have expired, were claimed an hour ago and not used, or were burnt by a session that is removed. */
const deleteUselessKeys = query.none<[partyId: PartyId]>(sql`
delete from dbr_signing.party_encryption_keys as key
where key.party_id = $1 and (
  (key.used_by_session is null and key.not_after < pg_catalog.now())
  or (key.used_by_session is null and key.claimed_at < pg_catalog.now() - interval '1 hour')
  or (key.used_by_session is not null and not exists (
    select from dbr_signing.signing_sessions as session where session.session_id = key.used_by_session
  ))
)`);

const INSERT_KEY = sql`
insert into dbr_signing.party_encryption_keys
  (tenant_id, party_id, key_id, suite, public_key, one_time, not_after, signature)
values
  ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (tenant_id, party_id, key_id) do nothing`;

/** Counts the keys that no session has used. */
const countUnusedKeys = query.one<[partyId: PartyId], { readonly count: number }>(sql`
select pg_catalog.count(*)::integer as count
from dbr_signing.party_encryption_keys
where party_id = $1 and used_by_session is null`);

const countClaimable = query.one<[partyId: PartyId], { readonly count: number }>(sql`
select pg_catalog.count(*)::integer as count
from dbr_signing.party_encryption_keys
where party_id = $1 and one_time and claimed_at is null and (not_after is null or not_after > pg_catalog.now())`);

const OFFERED = sql`
  key_id as "keyId",
  suite,
  public_key as "publicKey",
  one_time as "oneTime",
  dbr_signing.instant(not_after) as "notAfter",
  signature`;

/**
 * Claims one free key and skips those that other transactions are claiming. A key that expires within a minute is not claimed:
 * the user could not use it in time.
 */
const claimOneTimeKey = query.oneOrNone<
  [partyId: PartyId, userId: UserId, accountId: AccountId],
  OfferedKey
>(sql`
update dbr_signing.party_encryption_keys
set claimed_at = pg_catalog.now(), claimed_by = $2, claimed_account_id = $3::uuid
where party_id = $1 and key_id = (
  select key_id
  from dbr_signing.party_encryption_keys
  where party_id = $1 and one_time and claimed_at is null
    and (not_after is null or not_after > pg_catalog.now() + interval '1 minute')
  order by not_after, created_at, key_id
  limit 1
  for update skip locked
)
returning${OFFERED}`);

const findLastingKey = query.oneOrNone<[partyId: PartyId], OfferedKey>(sql`
select${OFFERED}
from dbr_signing.party_encryption_keys
where party_id = $1 and not one_time and (not_after is null or not_after > pg_catalog.now() + interval '1 minute')
order by created_at desc, key_id
limit 1`);

const burn = query.oneOrNone<
  [partyId: PartyId, keyId: string, sessionId: SessionId, accountId: AccountId],
  { readonly suite: EncryptionSuite }
>(sql`
update dbr_signing.party_encryption_keys
set used_by_session = case when one_time then $3::uuid else used_by_session end
where party_id = $1 and key_id = $2
  and (not one_time or (claimed_account_id = $4::uuid and used_by_session is null))
  and (not_after is null or not_after > pg_catalog.now())
returning suite`);

// Checks of the public keys that delegates offer for the encryption of user shares.

const X25519_BYTES = 32;
const MIN_RSA_BYTES = 256;
const MAX_RSA_BYTES = 1024;
const MAX_SIGNATURE_BYTES = 1024;

/** @throws InvalidPartyKey with the reason, which never holds key bytes */
export async function requireEncryptionKey(
  identityPublicKey: Buffer,
  key: PartyEncryptionKey,
): Promise<void> {
  if (key.keyId.length < 1 || key.keyId.length > 128 || /[^!-~]/.test(key.keyId))
    throw new InvalidPartyKey('a key id is 1 to 128 visible ASCII characters');
  if (!isPlausible(key)) throw new InvalidPartyKey(`key ${key.keyId} is no public key of its suite`);
  if (key.signature.length > MAX_SIGNATURE_BYTES)
    throw new InvalidPartyKey(`the signature of key ${key.keyId} is too long`);
  if (!(await verifyIdentityInIdleThread(identityPublicKey, encryptionKeyStatement(key), key.signature)))
    throw new InvalidPartyKey(`key ${key.keyId} is not signed by the party's identity key`);
}

function isPlausible({ suite, publicKey }: PartyEncryptionKey): boolean {
  switch (suite) {
    case 'HPKE-X25519-SHA256-AES256GCM':
      return publicKey.length === X25519_BYTES && !hasSmallOrder('x25519', publicKey);
    case 'RSA-OAEP-SHA256-AES256GCM':
      return publicKey.length >= MIN_RSA_BYTES && publicKey.length <= MAX_RSA_BYTES;
  }
}

/** The bytes that the party's identity key signs: a purpose, then all members but the signature. */
export const encryptionKeyStatement = (key: Omit<PartyEncryptionKey, 'signature'>): Buffer =>
  lengthPrefixed([
    'router.v1 PartyEncryptionKey',
    key.keyId,
    key.suite,
    key.publicKey,
    key.oneTime ? '1' : '0',
    instantBytes(key.notAfter),
  ]);
