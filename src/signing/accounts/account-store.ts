/** Accounts with their shares and signing parties, in PostgreSQL. */
import type { AccountId, PartyId, TenantId, UserId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/transaction.js';
import { query } from '../../postgres/query.js';
import type { KeyType, PartyRole, PartyStatus, ShareType } from '../types.js';
import { sql } from '../../postgres/sql.js';
import { PARTY_LOCKS, partyLock } from '../parties/party-store.js';
import type { AccountRequest, RequestKey } from '../../../generated/types.js';

export type AccountStatus = 'pending' | 'active' | 'frozen' | 'archived';

/** A share of an account, with the state of the party that holds it. */
export interface AccountShare {
  readonly partyId: PartyId;
  readonly shareIndex: number;
  readonly shareType: ShareType;
  readonly status: 'active' | 'retired';
  readonly partyRole: PartyRole;
  readonly partyStatus: PartyStatus;
  readonly online: boolean;
}

export interface Account {
  readonly accountId: AccountId;
  readonly tenantId: TenantId;
  readonly ownerUserId: UserId;
  readonly name: string;
  readonly keyType: KeyType;
  /** Lower-case hexadecimal. */
  readonly publicKey: string | null;
  /** Lower-case hexadecimal; null where the service derives no child keys. */
  readonly chainCode: string | null;
  readonly threshold: number;
  readonly status: AccountStatus;
  /** The tenant has no new sessions, whatever the account is. */
  readonly tenantFrozen: boolean;
  readonly shares: readonly AccountShare[];
  /** null if no signing parties are configured. */
  readonly signingParties: readonly PartyId[] | null;
  /** Whether sessions need a signed request. */
  readonly requests: 'optional' | 'required';
  /** The keys that sign requests. */
  readonly requestKeys: readonly RequestKey[];
  /** Whether sessions may name their parties. */
  readonly namedParties: 'refused' | 'allowed';
  readonly configVersion: number;
  readonly configUpdatedAt: string | null;
  readonly configUpdatedBy: UserId | null;
  readonly version: number;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface AccountFilter {
  /** null for the accounts of every owner. */
  readonly ownerUserId: UserId | null;
  readonly status: AccountStatus | null;
  /** The page begins after this account; null for the first page. */
  readonly before: string | null;
  readonly limit: number;
}

/** Lists accounts, the newest first: identifiers are UUIDs of version 7, which sort by time. */
export const listAccounts = (
  transaction: DatabaseTask,
  { ownerUserId, status, before, limit }: AccountFilter,
): Promise<readonly Account[]> =>
  transaction.any({ text: LIST_ACCOUNTS, values: [ownerUserId, status, before, limit], unnamed: true });

/**
 * Locks the account against changes and new sessions until the transaction ends, then reads it, so that the result includes
 * what the previous holder of the lock wrote.
 */
export async function lockAccount(transaction: DatabaseTask, accountId: AccountId): Promise<Account | null> {
  await lock(transaction, accountId);
  return await findAccount(transaction, accountId);
}

/** Locks the account and its parties against changes until the transaction ends, then reads the account. */
export async function lockAccountShared(
  transaction: DatabaseTask,
  accountId: AccountId,
): Promise<Account | null> {
  await lockShared(transaction, accountId);
  await lockPartiesShared(transaction, accountId);
  return await findAccount(transaction, accountId);
}

/** Inserts an account with its shares. It is pending without a public key, and active with one. */
export async function insertAccount(
  transaction: DatabaseTask,
  accountId: AccountId,
  tenantId: TenantId,
  ownerUserId: UserId,
  { name, keyType, publicKey, chainCode, threshold, shares, ...rules }: AccountRequest,
): Promise<void> {
  const status: AccountStatus = publicKey === undefined ? 'pending' : 'active';
  const key = publicKey === undefined ? null : Buffer.from(publicKey, 'hex');
  await transaction.none({
    text: INSERT_ACCOUNT,
    values: [
      ...[accountId, tenantId, ownerUserId, name, keyType, key, threshold, status],
      ...[rules.requests ?? 'optional', JSON.stringify(rules.requestKeys ?? [])],
      ...[rules.namedParties ?? 'refused', chainCode === undefined ? null : Buffer.from(chainCode, 'hex')],
    ],
  });
  await insertShares(transaction, accountId, tenantId, JSON.stringify(shares));
}

/** Stores the members of an account that can be changed. */
export async function updateAccount(
  transaction: DatabaseTask,
  { accountId, name, publicKey, chainCode, status, requests, requestKeys, namedParties }: Account,
): Promise<void> {
  const key = publicKey === null ? null : Buffer.from(publicKey, 'hex');
  await transaction.none({
    text: UPDATE_ACCOUNT,
    values: [
      ...[accountId, name, key, status, requests, JSON.stringify(requestKeys), namedParties],
      chainCode === null ? null : Buffer.from(chainCode, 'hex'),
    ],
  });
}

/** Replaces the signing configuration. @param signingParties empty to remove it */
export async function replaceSigningParties(
  transaction: DatabaseTask,
  { accountId, tenantId }: Account,
  signingParties: readonly string[],
  updatedBy: UserId,
): Promise<void> {
  await deleteSigningParties(transaction, accountId);
  await insertSigningParties(transaction, accountId, tenantId, signingParties);
  await recordConfigChange(transaction, accountId, updatedBy);
}

/**
 * Gives the account the key, the threshold and the holders of a completed ceremony. Its signing configuration stays if each
 * party in it still holds a share and they are enough.
 */
export async function setKeyAndHolders(
  transaction: DatabaseTask,
  { accountId, tenantId, signingParties }: Account,
  publicKey: Buffer,
  threshold: number,
  shares: readonly Pick<AccountShare, 'partyId' | 'shareIndex' | 'shareType'>[],
): Promise<void> {
  const holds = (partyId: PartyId): boolean =>
    shares.some((share) => share.partyId === partyId && share.shareType !== 'backup');
  const kept =
    signingParties?.every(holds) === true && signingParties.length >= threshold ? signingParties : [];
  await deleteSigningParties(transaction, accountId);
  await deleteShares(transaction, accountId);
  await insertShares(transaction, accountId, tenantId, JSON.stringify(shares));
  await insertSigningParties(transaction, accountId, tenantId, kept);
  await setKey(transaction, accountId, publicKey, threshold);
}

// The statements on `dbr_signing.accounts`, its shares and its signing configuration.

const ACCOUNTS = sql`
select
  account.account_id as "accountId",
  account.tenant_id as "tenantId",
  account.owner_user_id as "ownerUserId",
  account.name,
  account.key_type as "keyType",
  pg_catalog.encode(account.public_key, 'hex') as "publicKey",
  pg_catalog.encode(account.chain_code, 'hex') as "chainCode",
  account.threshold,
  account.status,
  account.requests,
  account.request_keys as "requestKeys",
  account.named_parties as "namedParties",
  account.signing_config_version::double precision as "configVersion",
  dbr_signing.instant(account.signing_config_updated_at) as "configUpdatedAt",
  account.signing_config_updated_by as "configUpdatedBy",
  account.version::double precision as version,
  dbr_signing.instant(account.created_at) as "createdAt",
  dbr_signing.instant(account.updated_at) as "updatedAt",
  (
    select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
      'partyId', share.party_id,
      'shareIndex', share.share_index,
      'shareType', share.share_type,
      'status', share.status,
      'partyRole', party.role,
      'partyStatus', party.status,
      'online', coalesce(party.last_seen_at > pg_catalog.now() - interval '45 seconds', false)
    ) order by share.share_index), '[]')
    from dbr_signing.account_shares as share
    join dbr_signing.parties as party using (tenant_id, party_id)
    where share.account_id = account.account_id
  ) as shares,
  (
    select pg_catalog.array_agg(configured.party_id order by configured.position)
    from dbr_signing.account_signing_parties as configured
    where configured.account_id = account.account_id
  ) as "signingParties",
  exists (
    select from dbr_signing.tenant_freezes as frozen where frozen.tenant_id = account.tenant_id
  ) as "tenantFrozen"
from dbr_signing.accounts as account`;

/** Returns null if the tenant has no such account. */
export const findAccount = query.oneOrNone<[accountId: AccountId], Account>(sql`${ACCOUNTS}
where account.account_id = $1::uuid`);

/** `$1` owner or null, `$2` status or null, `$3` the last account of the page before or null, `$4` limit. */
const LIST_ACCOUNTS = sql`${ACCOUNTS}
where ($1::text is null or account.owner_user_id = $1)
  and ($2::text is null or account.status = $2::dbr_signing.account_status)
  and ($3::uuid is null or account.account_id < $3)
order by account.account_id desc
limit $4`;

/** The two numbers of the advisory lock of an account; the first is arbitrary. */
const ACCOUNT_LOCK = sql`5347125, pg_catalog.hashtext($1::uuid::text)`;

/**
 * Takes the advisory lock, as `lockParty` does, and the row without its key: a second update of a session in one transaction makes
 * PostgreSQL check the foreign key of the session, which locks the key of the account.
 */
const lock = query.any<[accountId: AccountId], object>(sql`
select pg_catalog.pg_advisory_xact_lock(${ACCOUNT_LOCK})::text as lock
from dbr_signing.accounts
where account_id = $1::uuid
for no key update`);

/** Other transactions can sign for the account, but not change it. */
const lockShared = query.any<[accountId: AccountId], object>(sql`
select pg_catalog.pg_advisory_xact_lock_shared(${ACCOUNT_LOCK})::text as lock
from dbr_signing.accounts
where account_id = $1::uuid`);

/** Locks the parties that hold shares of the account, in one order. */
const lockPartiesShared = query.any<[accountId: AccountId], object>(sql`
select pg_catalog.pg_advisory_xact_lock_shared(${PARTY_LOCKS}, party.number)::text as lock
from (
  select distinct ${partyLock(sql`tenant_id`, sql`party_id`)} as number
  from dbr_signing.account_shares
  where account_id = $1::uuid
  order by number
) as party`);

const INSERT_ACCOUNT = sql`
insert into dbr_signing.accounts
  (account_id, tenant_id, owner_user_id, name, key_type, public_key, threshold, status, requests, request_keys,
    named_parties, chain_code)
values
  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11, $12)`;

/** @param shares those of the request, as JSON text */
const insertShares = query.none<[accountId: AccountId, tenantId: TenantId, shares: string]>(sql`
insert into dbr_signing.account_shares (account_id, tenant_id, party_id, share_index, share_type)
select $1, $2, share."partyId", share."shareIndex", share."shareType"
from pg_catalog.json_to_recordset($3::json) as share (
  "partyId" text, "shareIndex" integer, "shareType" dbr_signing.share_type
)`);

const UPDATE_ACCOUNT = sql`
update dbr_signing.accounts
set
  name = $2,
  public_key = $3,
  status = $4,
  requests = $5,
  request_keys = $6::jsonb,
  named_parties = $7,
  chain_code = $8,
  version = version + 1,
  updated_at = pg_catalog.now()
where account_id = $1::uuid`;

const setKey = query.none<[accountId: AccountId, publicKey: Buffer, threshold: number]>(sql`
update dbr_signing.accounts
set public_key = $2, threshold = $3, status = 'active', version = version + 1, updated_at = pg_catalog.now()
where account_id = $1::uuid`);

const deleteShares = query.none<[accountId: AccountId]>(sql`
delete from dbr_signing.account_shares where account_id = $1::uuid`);

const deleteSigningParties = query.none<[accountId: AccountId]>(sql`
delete from dbr_signing.account_signing_parties where account_id = $1::uuid`);

/** @param parties in their order */
const insertSigningParties = query.none<
  [accountId: AccountId, tenantId: TenantId, parties: readonly string[]]
>(sql`
insert into dbr_signing.account_signing_parties (account_id, tenant_id, party_id, position)
select $1, $2, party.party_id, party.position
from pg_catalog.unnest($3::text[]) with ordinality as party (party_id, position)`);

/** Counts up the versions of the account and of its configuration. */
const recordConfigChange = query.none<[accountId: AccountId, updatedBy: UserId]>(sql`
update dbr_signing.accounts
set
  signing_config_version = signing_config_version + 1,
  signing_config_updated_at = pg_catalog.now(),
  signing_config_updated_by = $2,
  version = version + 1,
  updated_at = pg_catalog.now()
where account_id = $1::uuid`);
