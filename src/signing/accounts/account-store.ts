/** Accounts with their shares and signing parties, in PostgreSQL. */
import type { AccountId, PartyId, TenantId, UserId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/database.js';
import type { KeyType, PartyRole, PartyStatus, ShareType } from '../types.js';
import {
  DELETE_SIGNING_PARTIES,
  FIND_ACCOUNT,
  INSERT_ACCOUNT,
  INSERT_SHARES,
  INSERT_SIGNING_PARTIES,
  LIST_ACCOUNTS,
  LOCK_ACCOUNT,
  LOCK_ACCOUNT_SHARED,
  LOCK_PARTIES_SHARED,
  RECORD_CONFIG_CHANGE,
  UPDATE_ACCOUNT,
} from './account-sql.js';

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
  readonly threshold: number;
  readonly status: AccountStatus;
  readonly shares: readonly AccountShare[];
  /** null if no signing parties are configured. */
  readonly signingParties: readonly PartyId[] | null;
  readonly configVersion: number;
  readonly configUpdatedAt: string | null;
  readonly configUpdatedBy: UserId | null;
  readonly version: number;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface AccountRow {
  readonly account_id: AccountId;
  readonly tenant_id: TenantId;
  readonly owner_user_id: UserId;
  readonly name: string;
  readonly key_type: KeyType;
  readonly public_key: Buffer | null;
  readonly threshold: number;
  readonly status: AccountStatus;
  readonly shares: string;
  readonly signing_parties: readonly PartyId[];
  readonly signing_config_version: string;
  readonly signing_config_updated_at: string | null;
  readonly signing_config_updated_by: UserId | null;
  readonly version: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Returns null if the tenant has no such account. */
export async function findAccount(transaction: DatabaseTask, accountId: AccountId): Promise<Account | null> {
  const row = await transaction.oneOrNone<AccountRow>({ text: FIND_ACCOUNT, values: [accountId] });
  return row === null ? null : accountOf(row);
}

export interface AccountFilter {
  /** null for the accounts of every owner. */
  readonly ownerUserId: UserId | null;
  readonly status: AccountStatus | null;
  /** The page begins after this account; null for the first page. */
  readonly before: string | null;
  readonly limit: number;
}

/** Lists accounts, the newest first: identifiers are UUIDs of version 7, which sort by time. */
export async function listAccounts(
  transaction: DatabaseTask,
  { ownerUserId, status, before, limit }: AccountFilter,
): Promise<readonly Account[]> {
  const rows = await transaction.any<AccountRow>({
    text: LIST_ACCOUNTS,
    values: [ownerUserId, status, before, limit],
    unnamed: true,
  });
  return rows.map(accountOf);
}

/**
 * Locks the account against changes and new sessions until the transaction ends, then reads it, so that the result includes
 * what the previous holder of the lock wrote.
 */
export async function lockAccount(transaction: DatabaseTask, accountId: AccountId): Promise<Account | null> {
  await transaction.any({ text: LOCK_ACCOUNT, values: [accountId] });
  return await findAccount(transaction, accountId);
}

/** Locks the account and its parties against changes until the transaction ends, then reads the account. */
export async function lockAccountShared(
  transaction: DatabaseTask,
  accountId: AccountId,
): Promise<Account | null> {
  await transaction.any({ text: LOCK_ACCOUNT_SHARED, values: [accountId] });
  await transaction.any({ text: LOCK_PARTIES_SHARED, values: [accountId] });
  return await findAccount(transaction, accountId);
}

function accountOf(row: AccountRow): Account {
  return {
    accountId: row.account_id,
    tenantId: row.tenant_id,
    ownerUserId: row.owner_user_id,
    name: row.name,
    keyType: row.key_type,
    publicKey: row.public_key?.toString('hex') ?? null,
    threshold: row.threshold,
    status: row.status,
    shares: JSON.parse(row.shares) as readonly AccountShare[],
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
  readonly accountId: AccountId;
  readonly tenantId: TenantId;
  readonly ownerUserId: UserId;
  readonly name: string;
  readonly keyType: KeyType;
  readonly publicKey: Buffer | null;
  readonly threshold: number;
  readonly shares: readonly {
    readonly partyId: string;
    readonly shareIndex: number;
    readonly shareType: ShareType;
  }[];
}

/** Inserts an account with its shares. It is pending without a public key, and active with one. */
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

export interface AccountRevision {
  readonly name: string;
  readonly publicKey: Buffer | null;
  readonly status: AccountStatus;
}

export async function updateAccount(
  transaction: DatabaseTask,
  accountId: AccountId,
  { name, publicKey, status }: AccountRevision,
): Promise<void> {
  await transaction.none({ text: UPDATE_ACCOUNT, values: [accountId, name, publicKey, status] });
}

/** Replaces the signing configuration. @param signingParties empty to remove it */
export async function replaceSigningParties(
  transaction: DatabaseTask,
  { accountId, tenantId }: Account,
  signingParties: readonly string[],
  updatedBy: UserId,
): Promise<void> {
  await transaction.none({ text: DELETE_SIGNING_PARTIES, values: [accountId] });
  await transaction.none({ text: INSERT_SIGNING_PARTIES, values: [accountId, tenantId, signingParties] });
  await transaction.none({ text: RECORD_CONFIG_CHANGE, values: [accountId, updatedBy] });
}
