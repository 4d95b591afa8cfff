/** Parties and the keys that they offer, in PostgreSQL. */
import type { DatabaseTask } from '../../postgres/database.js';
import {
  InvalidPartyKey,
  type EncryptionSuite,
  type PartyEncryptionKey,
  type PartyRole,
  type PartyStatus,
} from '../router-port.js';

export interface PartyRecord {
  readonly partyId: string;
  readonly name: string;
  readonly role: PartyRole;
  readonly status: PartyStatus;
  readonly identityPublicKey: Buffer;
  readonly certificateSha256: Buffer | null;
  readonly online: boolean;
  readonly lastSeenAt: string | null;
  readonly createdAt: string;
  readonly version: number;
}

interface PartyRow {
  readonly party_id: string;
  readonly name: string;
  readonly role: PartyRole;
  readonly status: PartyStatus;
  readonly identity_public_key: Buffer;
  readonly certificate_sha256: Buffer | null;
  readonly online: boolean;
  readonly last_seen_at: string | null;
  readonly created_at: string;
  readonly version: string;
}

const PARTIES = `
select
  party_id,
  name,
  role,
  status,
  identity_public_key,
  certificate_sha256,
  coalesce(last_seen_at > pg_catalog.now() - interval '45 seconds', false) as online,
  dbr_signing.instant(last_seen_at) as last_seen_at,
  dbr_signing.instant(created_at) as created_at,
  version
from dbr_signing.parties`;

const ONE_PARTY = `${PARTIES}
where party_id = $1`;
const ONE_PARTY_TO_CHANGE = `${ONE_PARTY}
for update`;
const LIST_PARTIES = `${PARTIES}
where ($1::text is null or status = $1::dbr_signing.party_status)
  and ($2::text is null or role = $2::dbr_signing.party_role)
  and ($3::text is null or party_id collate "C" > $3)
order by party_id collate "C"
limit $4`;

const partyOf = (row: PartyRow): PartyRecord => ({
  partyId: row.party_id,
  name: row.name,
  role: row.role,
  status: row.status,
  identityPublicKey: row.identity_public_key,
  certificateSha256: row.certificate_sha256,
  online: row.online,
  lastSeenAt: row.last_seen_at,
  createdAt: row.created_at,
  version: Number(row.version),
});

export async function findParty(transaction: DatabaseTask, partyId: string): Promise<PartyRecord | null> {
  const row = await transaction.oneOrNone<PartyRow>({ text: ONE_PARTY, values: [partyId] });
  return row === null ? null : partyOf(row);
}

/** The party, which stays as it is until the transaction ends. */
export async function findPartyToChange(
  transaction: DatabaseTask,
  partyId: string,
): Promise<PartyRecord | null> {
  const row = await transaction.oneOrNone<PartyRow>({ text: ONE_PARTY_TO_CHANGE, values: [partyId] });
  return row === null ? null : partyOf(row);
}

export interface PartyFilter {
  readonly status: PartyStatus | null;
  readonly role: PartyRole | null;
  /** Only parties whose identifier sorts after this one. */
  readonly after: string | null;
  readonly limit: number;
}

export async function listParties(
  transaction: DatabaseTask,
  { status, role, after, limit }: PartyFilter,
): Promise<readonly PartyRecord[]> {
  const rows = await transaction.any<PartyRow>({ text: LIST_PARTIES, values: [status, role, after, limit] });
  return rows.map(partyOf);
}

const STATUSES = `
select party_id, role, status from dbr_signing.parties where party_id = any($1::text[])`;

export interface PartyStanding {
  readonly role: PartyRole;
  readonly status: PartyStatus;
}

/** Those of the named parties that there are. */
export async function partyStandings(
  transaction: DatabaseTask,
  partyIds: readonly string[],
): Promise<ReadonlyMap<string, PartyStanding>> {
  const rows = await transaction.any<PartyStanding & { readonly party_id: string }>({
    text: STATUSES,
    values: [partyIds],
  });
  return new Map(rows.map(({ party_id: partyId, role, status }) => [partyId, { role, status }]));
}

const INSERT_PARTY = `
insert into dbr_signing.parties (tenant_id, party_id, name, role, identity_public_key, certificate_sha256)
values ($1, $2, $3, $4, $5, $6)
on conflict (tenant_id, party_id) do nothing
returning party_id`;

/**
 * @returns false when the tenant has a party with this identifier
 * @throws the database's error 23505 when the certificate is another party's
 */
export async function insertParty(
  transaction: DatabaseTask,
  tenantId: string,
  party: Pick<PartyRecord, 'partyId' | 'name' | 'role' | 'identityPublicKey' | 'certificateSha256'>,
): Promise<boolean> {
  const { partyId, name, role, identityPublicKey, certificateSha256 } = party;
  const inserted = await transaction.oneOrNone<object>({
    text: INSERT_PARTY,
    values: [tenantId, partyId, name, role, identityPublicKey, certificateSha256],
  });
  return inserted !== null;
}

const UPDATE_PARTY = `
update dbr_signing.parties
set name = $2, status = $3, identity_public_key = $4, certificate_sha256 = $5, version = version + 1
where party_id = $1`;

/** @throws the database's error 23505 when the certificate is another party's */
export async function updateParty(
  transaction: DatabaseTask,
  party: Pick<PartyRecord, 'partyId' | 'name' | 'status' | 'identityPublicKey' | 'certificateSha256'>,
): Promise<void> {
  const { partyId, name, status, identityPublicKey, certificateSha256 } = party;
  await transaction.none({
    text: UPDATE_PARTY,
    values: [partyId, name, status, identityPublicKey, certificateSha256],
  });
}

const FORGET_KEYS = `
delete from dbr_signing.party_encryption_keys where party_id = $1`;

/** Keys that the former identity key signed are worth nothing. */
export async function forgetKeys(transaction: DatabaseTask, partyId: string): Promise<void> {
  await transaction.none({ text: FORGET_KEYS, values: [partyId] });
}

const SEEN = `
update dbr_signing.parties
set instance_id = $2, last_seen_at = pg_catalog.now()
where party_id = $1`;

/** Keys that can no longer be used: expired, claimed an hour ago without being used, or burnt by a session that was removed. */
const FORGET_USELESS_KEYS = `
delete from dbr_signing.party_encryption_keys as key
where key.party_id = $1 and (
  (key.used_by_session is null and key.not_after < pg_catalog.now())
  or (key.used_by_session is null and key.claimed_at < pg_catalog.now() - interval '1 hour')
  or (key.used_by_session is not null and not exists (
    select from dbr_signing.signing_sessions as session where session.session_id = key.used_by_session
  ))
)`;

const INSERT_KEY = `
insert into dbr_signing.party_encryption_keys
  (tenant_id, party_id, key_id, suite, public_key, one_time, not_after, signature)
values
  ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (tenant_id, party_id, key_id) do nothing`;

/** Keys of one party that are not used yet; each is an insert of a party that may be hostile. */
export const MAX_STORED_KEYS = 1024;

const KEYS_STORED = `
select pg_catalog.count(*) as count
from dbr_signing.party_encryption_keys
where party_id = $1 and used_by_session is null`;

const KEYS_LEFT = `
select pg_catalog.count(*) as count
from dbr_signing.party_encryption_keys
where party_id = $1 and one_time and claimed_at is null and (not_after is null or not_after > pg_catalog.now())`;

/**
 * Notes an instance of the party and its keys.
 * @returns how many one-time keys are left to claim
 * @throws InvalidPartyKey where the party would have more keys than it may
 */
export async function noteInstance(
  transaction: DatabaseTask,
  { tenantId, partyId }: { readonly tenantId: string; readonly partyId: string },
  instanceId: string,
  keys: readonly PartyEncryptionKey[],
): Promise<number> {
  await transaction.none({ text: SEEN, values: [partyId, instanceId] });
  if (keys.length > 0) await transaction.none({ text: FORGET_USELESS_KEYS, values: [partyId] });
  for (const { keyId, suite, publicKey, oneTime, notAfter, signature } of keys) {
    const values = [tenantId, partyId, keyId, suite, publicKey, oneTime, notAfter, signature];
    await transaction.none({ text: INSERT_KEY, values });
  }
  if (keys.length > 0) {
    const stored = await transaction.one<{ readonly count: string }>({
      text: KEYS_STORED,
      values: [partyId],
    });
    if (Number(stored.count) > MAX_STORED_KEYS)
      throw new InvalidPartyKey(`a party has at most ${String(MAX_STORED_KEYS)} keys on offer`);
  }
  const { count } = await transaction.one<{ readonly count: string }>({ text: KEYS_LEFT, values: [partyId] });
  return Number(count);
}

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

const OFFERED = 'key_id, suite, public_key, one_time, dbr_signing.instant(not_after) as not_after, signature';

/** One that nobody has yet, skipping those that others are claiming; a key about to expire is of no use. */
const CLAIM_ONE_TIME = `
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
returning ${OFFERED}`;

const LASTING_KEY = `
select ${OFFERED}
from dbr_signing.party_encryption_keys
where party_id = $1 and not one_time and (not_after is null or not_after > pg_catalog.now() + interval '1 minute')
order by created_at desc, key_id
limit 1`;

/**
 * Claims a one-time key of the delegate for the account, else finds its lasting one.
 * @returns null when the delegate has neither
 */
export async function claimKey(
  transaction: DatabaseTask,
  partyId: string,
  { userId, accountId }: { readonly userId: string; readonly accountId: string },
): Promise<OfferedKey | null> {
  const values = [partyId, userId, accountId];
  const row =
    (await transaction.oneOrNone<OfferedKeyRow>({ text: CLAIM_ONE_TIME, values })) ??
    (await transaction.oneOrNone<OfferedKeyRow>({ text: LASTING_KEY, values: [partyId] }));
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

const BURN_KEY = `
update dbr_signing.party_encryption_keys
set used_by_session = case when one_time then $3::uuid else used_by_session end
where party_id = $1 and key_id = $2
  and (not one_time or (claimed_account_id = $4::uuid and used_by_session is null))
  and (not_after is null or not_after > pg_catalog.now())
returning suite`;

/**
 * Uses the key for the session, a one-time key for good.
 * @returns its suite; null when it is unknown, expired or burnt, or a one-time key that was not claimed for this account
 */
export async function burnKey(
  transaction: DatabaseTask,
  partyId: string,
  keyId: string,
  { accountId, sessionId }: { readonly accountId: string; readonly sessionId: string },
): Promise<EncryptionSuite | null> {
  const row = await transaction.oneOrNone<{ readonly suite: EncryptionSuite }>({
    text: BURN_KEY,
    values: [partyId, keyId, sessionId, accountId],
  });
  return row?.suite ?? null;
}
