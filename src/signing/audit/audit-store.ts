/** Entries of the audit log and their seals in the database. */
import type { KnownNames, SealedEntry, StoredEntry } from './audit-chain.js';
import type { TenantId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/database.js';
import {
  CREATE_CHAIN,
  EXPORT_BOUNDS,
  LOCK_CHAIN,
  SEALED_ENTRIES,
  STORE_SEALS,
  TRY_LOCK_CHAIN,
  UNSEALED_ENTRIES,
  UNSEALED_TENANTS,
} from './seal-sql.js';

/** An entry without its place in the chain. */
export type LoggedEntry = Omit<SealedEntry, 'sequence' | 'previousHash' | 'sealedAt'>;

/** As `ENTRY` returns it. */
interface EntryRow extends Omit<LoggedEntry, 'before' | 'after'> {
  readonly before: string | null;
  readonly after: string | null;
}

const parsed = (json: string | null): unknown => (json === null ? null : JSON.parse(json));

/** @param after the tenant before the first one; empty for the first of all */
export async function tenantsToSeal(
  transaction: DatabaseTask,
  after: string,
  limit: number,
): Promise<readonly TenantId[]> {
  const rows = await transaction.any<{ readonly tenantId: TenantId }>({
    text: UNSEALED_TENANTS,
    values: [after, limit],
  });
  return rows.map(({ tenantId }) => tenantId);
}

/** The end of a chain, with the time of the next seal. */
export interface ChainEnd {
  readonly sequence: number;
  readonly hash: string;
  readonly sealedAt: string;
}

/**
 * Locks the chain of the tenant until the end of the transaction.
 * @param wait false returns null while another process has the lock
 */
export async function lockChain(
  transaction: DatabaseTask,
  tenantId: TenantId,
  { wait }: { readonly wait: boolean },
): Promise<ChainEnd | null> {
  await transaction.none({ text: CREATE_CHAIN, values: [tenantId] });
  return await transaction.oneOrNone({ text: wait ? LOCK_CHAIN : TRY_LOCK_CHAIN, values: [tenantId] });
}

export interface UnsealedEntry {
  readonly auditId: string;
  readonly entry: LoggedEntry;
}

export async function unsealedEntries(
  transaction: DatabaseTask,
  tenantId: TenantId,
  limit: number,
): Promise<readonly UnsealedEntry[]> {
  const rows = await transaction.any<EntryRow & { readonly auditId: string }>({
    text: UNSEALED_ENTRIES,
    values: [tenantId, limit],
  });
  return rows.map(({ auditId, before, after, ...entry }) => ({
    auditId,
    entry: { ...entry, before: parsed(before), after: parsed(after) },
  }));
}

export interface Seal {
  readonly auditId: string;
  readonly sequence: number;
  readonly previousHash: string;
  readonly hash: string;
}

/** Stores seals that follow the end of the locked chain. */
export async function storeSeals(
  transaction: DatabaseTask,
  tenantId: TenantId,
  seals: readonly Seal[],
  end: ChainEnd,
): Promise<void> {
  await transaction.none({
    text: STORE_SEALS,
    values: [tenantId, end.sealedAt, JSON.stringify(seals), end.sequence, end.hash],
  });
}

/** The first and the last place of the entries that were sealed in a time; null if there are none. */
export async function exportBounds(
  transaction: DatabaseTask,
  tenantId: TenantId,
  from: string | null,
  to: string | null,
): Promise<{ readonly first: number; readonly last: number } | null> {
  const { first, last } = await transaction.one<{
    readonly first: number | null;
    readonly last: number | null;
  }>({ text: EXPORT_BOUNDS, values: [tenantId, from, to] });
  return first === null || last === null ? null : { first, last };
}

/** Reads the sealed entries after a place, in order. */
export async function sealedEntries(
  transaction: DatabaseTask,
  tenantId: TenantId,
  { after, last, limit }: { readonly after: number; readonly last: number; readonly limit: number },
): Promise<readonly StoredEntry[]> {
  const rows = await transaction.any<
    EntryRow &
      Pick<SealedEntry, 'sequence' | 'previousHash' | 'sealedAt'> & {
        readonly hash: string;
        readonly names: string | null;
      }
  >({ text: SEALED_ENTRIES, values: [tenantId, after, last, limit] });
  return rows.map(({ hash, names, before, after: changed, ...entry }) => ({
    entry: { ...entry, before: parsed(before), after: parsed(changed) },
    hash,
    names: names === null ? {} : (JSON.parse(names) as KnownNames),
  }));
}
