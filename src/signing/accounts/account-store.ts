/** Accounts with their shares and their SigningParties, as rows and as one value. */
import type { DatabaseTask } from '../../postgres/database.js';
import type { KeyType, PartyRole, PartyStatus, ShareType } from '../router-port.js';

export type AccountStatus = 'pending' | 'active' | 'frozen' | 'archived';

/** A share, and how its holder stands. */
export interface AccountShare {
  readonly partyId: string;
  readonly shareIndex: number;
  readonly shareType: ShareType;
  readonly status: 'active' | 'retired';
  readonly partyRole: PartyRole;
  readonly partyStatus: PartyStatus;
  readonly online: boolean;
}

export interface Account {
  readonly accountId: string;
  readonly tenantId: string;
  readonly ownerUserId: string;
  readonly name: string;
  readonly keyType: KeyType;
  /** Lower-case hexadecimal. */
  readonly publicKey: string | null;
  readonly threshold: number;
  readonly status: AccountStatus;
  readonly shares: readonly AccountShare[];
  /** null: none are configured. */
  readonly signingParties: readonly string[] | null;
  readonly configVersion: number;
  readonly configUpdatedAt: string | null;
  readonly configUpdatedBy: string | null;
  readonly version: number;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface AccountRow {
  readonly account_id: string;
  readonly tenant_id: string;
  readonly owner_user_id: string;
  readonly name: string;
  readonly key_type: KeyType;
  readonly public_key: Buffer | null;
  readonly threshold: number;
  readonly status: AccountStatus;
  readonly shares: string;
  readonly signing_parties: readonly string[];
  readonly signing_config_version: string;
  readonly signing_config_updated_at: string | null;
  readonly signing_config_updated_by: string | null;
  readonly version: string;
  readonly created_at: string;
  readonly updated_at: string;
}

const ACCOUNTS = `
select
  account.account_id,
  account.tenant_id,
  account.owner_user_id,
  account.name,
  account.key_type,
  account.public_key,
  account.threshold,
  account.status,
  account.signing_config_version,
  dbr_signing.instant(account.signing_config_updated_at) as signing_config_updated_at,
  account.signing_config_updated_by,
  account.version,
  dbr_signing.instant(account.created_at) as created_at,
  dbr_signing.instant(account.updated_at) as updated_at,
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
  array(
    select configured.party_id
    from dbr_signing.account_signing_parties as configured
    where configured.account_id = account.account_id
    order by configured.position
  ) as signing_parties
from dbr_signing.accounts as account`;

const ONE_ACCOUNT = `${ACCOUNTS}
where account.account_id = $1::uuid`;

const LIST_ACCOUNTS = `${ACCOUNTS}
where ($1::text is null or account.owner_user_id = $1)
  and ($2::text is null or account.status = $2::dbr_signing.account_status)
  and ($3::uuid is null or account.account_id < $3)
order by account.account_id desc
limit $4`;

/** null when the tenant has none with this identifier. */
export async function findAccount(transaction: DatabaseTask, accountId: string): Promise<Account | null> {
  const row = await transaction.oneOrNone<AccountRow>({ text: ONE_ACCOUNT, values: [accountId] });
  return row === null ? null : accountOf(row);
}

export interface AccountFilter {
  /** null: of every owner. */
  readonly ownerUserId: string | null;
  readonly status: AccountStatus | null;
  /** Only accounts made before this one; null for the newest. */
  readonly before: string | null;
  readonly limit: number;
}

/** Newest first: the identifiers are of version 7 and sort by the time they were made. */
export async function listAccounts(
  transaction: DatabaseTask,
  { ownerUserId, status, before, limit }: AccountFilter,
): Promise<readonly Account[]> {
  const rows = await transaction.any<AccountRow>({
    text: LIST_ACCOUNTS,
    values: [ownerUserId, status, before, limit],
  });
  return rows.map(accountOf);
}

const LOCK_TO_CHANGE = `
select from dbr_signing.accounts where account_id = $1::uuid for update`;

/**
 * The account, which nobody else changes or signs for until the transaction ends.
 * Locked first and read after, so that what is read is what the one before us has left.
 */
export async function findAccountToChange(
  transaction: DatabaseTask,
  accountId: string,
): Promise<Account | null> {
  await transaction.any({ text: LOCK_TO_CHANGE, values: [accountId] });
  return await findAccount(transaction, accountId);
}

const LOCK_TO_SIGN = `
select from dbr_signing.accounts where account_id = $1::uuid for share`;
const LOCK_PARTIES = `
select from dbr_signing.parties
where party_id in (select party_id from dbr_signing.account_shares where account_id = $1::uuid)
order by party_id
for share`;

/** The account, whose configuration, status and parties stay as they are until the transaction ends. */
export async function findAccountToSign(
  transaction: DatabaseTask,
  accountId: string,
): Promise<Account | null> {
  await transaction.any({ text: LOCK_TO_SIGN, values: [accountId] });
  await transaction.any({ text: LOCK_PARTIES, values: [accountId] });
  return await findAccount(transaction, accountId);
}

function accountOf(row: AccountRow): Account {
  const shares: readonly AccountShare[] = JSON.parse(row.shares) as readonly AccountShare[];
  return {
    accountId: row.account_id,
    tenantId: row.tenant_id,
    ownerUserId: row.owner_user_id,
    name: row.name,
    keyType: row.key_type,
    publicKey: row.public_key?.toString('hex') ?? null,
    threshold: row.threshold,
    status: row.status,
    shares,
    signingParties: row.signing_parties.length === 0 ? null : row.signing_parties,
    configVersion: Number(row.signing_config_version),
    configUpdatedAt: row.signing_config_updated_at,
    configUpdatedBy: row.signing_config_updated_by,
    version: Number(row.version),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export interface NewAccount {
  readonly accountId: string;
  readonly tenantId: string;
  readonly ownerUserId: string;
  readonly name: string;
  readonly keyType: KeyType;
  readonly publicKey: Buffer | null;
  readonly threshold: number;
  readonly shares: readonly Pick<AccountShare, 'partyId' | 'shareIndex' | 'shareType'>[];
}

const INSERT_ACCOUNT = `
insert into dbr_signing.accounts
  (account_id, tenant_id, owner_user_id, name, key_type, public_key, threshold, status)
values
  ($1, $2, $3, $4, $5, $6, $7, $8)`;

const INSERT_SHARES = `
insert into dbr_signing.account_shares (account_id, tenant_id, party_id, share_index, share_type)
select $1, $2, share.party_id, share.share_index, share.share_type::dbr_signing.share_type
from rows from (
  pg_catalog.unnest($3::text[]),
  pg_catalog.unnest($4::integer[]),
  pg_catalog.unnest($5::text[])
) as share (party_id, share_index, share_type)`;

/** Pending until its public key is known. */
export async function insertAccount(transaction: DatabaseTask, account: NewAccount): Promise<void> {
  const { accountId, tenantId, ownerUserId, name, keyType, publicKey, threshold, shares } = account;
  const status: AccountStatus = publicKey === null ? 'pending' : 'active';
  await transaction.none({
    text: INSERT_ACCOUNT,
    values: [accountId, tenantId, ownerUserId, name, keyType, publicKey, threshold, status],
  });
  await transaction.none({
    text: INSERT_SHARES,
    values: [
      accountId,
      tenantId,
      shares.map(({ partyId }) => partyId),
      shares.map(({ shareIndex }) => shareIndex),
      shares.map(({ shareType }) => shareType),
    ],
  });
}

const UPDATE_ACCOUNT = `
update dbr_signing.accounts
set name = $2, public_key = $3, status = $4, version = version + 1, updated_at = pg_catalog.now()
where account_id = $1::uuid`;

export async function updateAccount(
  transaction: DatabaseTask,
  accountId: string,
  {
    name,
    publicKey,
    status,
  }: { readonly name: string; readonly publicKey: Buffer | null; readonly status: AccountStatus },
): Promise<void> {
  await transaction.none({ text: UPDATE_ACCOUNT, values: [accountId, name, publicKey, status] });
}

const CLEAR_PARTIES = `
delete from dbr_signing.account_signing_parties where account_id = $1::uuid`;
const INSERT_PARTIES = `
insert into dbr_signing.account_signing_parties (account_id, tenant_id, party_id, position)
select $1, $2, party.party_id, party.position
from pg_catalog.unnest($3::text[]) with ordinality as party (party_id, position)`;
const NOTE_CONFIG_CHANGE = `
update dbr_signing.accounts
set
  signing_config_version = signing_config_version + 1,
  signing_config_updated_at = pg_catalog.now(),
  signing_config_updated_by = $2,
  version = version + 1,
  updated_at = pg_catalog.now()
where account_id = $1::uuid`;

/** @param signingParties empty: nothing is configured any more */
export async function replaceSigningParties(
  transaction: DatabaseTask,
  { accountId, tenantId }: Account,
  signingParties: readonly string[],
  updatedBy: string,
): Promise<void> {
  await transaction.none({ text: CLEAR_PARTIES, values: [accountId] });
  await transaction.none({ text: INSERT_PARTIES, values: [accountId, tenantId, signingParties] });
  await transaction.none({ text: NOTE_CONFIG_CHANGE, values: [accountId, updatedBy] });
}
