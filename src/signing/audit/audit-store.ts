/** Entries of the audit log and their seals in the database. */
import type { KnownNames, SealedEntry, StoredEntry, ChainPosition } from './audit-chain.js';
import type { TenantId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/transaction.js';
import { query } from '../../postgres/query.js';
import { type Sql, sql } from '../../postgres/sql.js';

/** An entry without its place in the chain. */
type LoggedEntry = Omit<SealedEntry, 'sequence' | 'previousHash' | 'sealedAt'>;

/** The end of a chain, with the time of the next seal. */
export type ChainEnd = Omit<ChainPosition, 'tenantId'>;

/**
 * Locks the chain of the tenant until the end of the transaction.
 * @param wait false returns null while another process has the lock
 */
export async function lockChain(
  transaction: DatabaseTask,
  tenantId: TenantId,
  { wait }: { readonly wait: boolean },
): Promise<ChainEnd | null> {
  await createChain(transaction, tenantId);
  return await (wait ? lockEnd : tryLockEnd)(transaction, tenantId);
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
  const rows = await findUnsealed(transaction, tenantId, limit);
  return rows.map(({ auditId, ...entry }) => ({ auditId, entry }));
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
  const { first, last } = await findBounds(transaction, tenantId, from, to);
  return first === null || last === null ? null : { first, last };
}

/** Reads the sealed entries after a place, in order. */
export async function sealedEntries(
  transaction: DatabaseTask,
  tenantId: TenantId,
  { after, last, limit }: { readonly after: number; readonly last: number; readonly limit: number },
): Promise<readonly StoredEntry[]> {
  const rows = await findSealed(transaction, tenantId, after, last, limit);
  return rows.map(({ hash, names, ...entry }) => ({ entry, hash, names: names ?? {} }));
}

/** RFC 3339 in UTC, in microseconds, so that a changed time has another text. */
export const instant = (time: Sql): Sql =>
  sql`pg_catalog.to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/**
 * Tenants whose entries wait to be sealed, in order, after a tenant; empty for the first. The sweeper, who may not read the
 * audit log, reads the queue alone.
 */
export const tenantsToSeal = query.any<[after: string, limit: number], { readonly tenantId: TenantId }>(sql`
select distinct tenant_id as "tenantId"
from dbr_signing.audit_unsealed
where tenant_id > $1
order by tenant_id
limit $2`);

const createChain = query.none<[tenantId: TenantId]>(sql`
insert into dbr_signing.audit_chains (tenant_id) values ($1) on conflict do nothing`);

const LOCK_CHAIN = sql`
select
  sequence::double precision as sequence,
  pg_catalog.encode(hash, 'hex') as hash,
  ${instant(sql`greatest(sealed_at, pg_catalog.clock_timestamp())`)} as "sealedAt"
from dbr_signing.audit_chains
where tenant_id = $1
for no key update`;

/** Waits for another process that seals entries of the tenant. */
const lockEnd = query.oneOrNone<[tenantId: TenantId], ChainEnd>(LOCK_CHAIN);
/** Has no row while another process seals entries of the tenant. */
const tryLockEnd = query.oneOrNone<[tenantId: TenantId], ChainEnd>(sql`${LOCK_CHAIN} skip locked`);

const ENTRY = sql`
  log.tenant_id as "tenantId",
  log.actor,
  log.action,
  log.subject,
  log.before,
  log.after,
  log.remote_address as "remoteAddress",
  ${instant(sql`log.at`)} as at`;

const findUnsealed = query.any<
  [tenantId: TenantId, limit: number],
  LoggedEntry & { readonly auditId: string }
>(sql`
select log.audit_id as "auditId",${ENTRY}
from dbr_signing.audit_unsealed as unsealed
join dbr_signing.audit_log as log using (audit_id)
where unsealed.tenant_id = $1
order by log.audit_id
limit $2`);

/** `$1` tenant, `$2` time, `$3` seals as JSON, `$4` and `$5` sequence and hash of the last one. */
const STORE_SEALS = sql`
with sealed as (
  insert into dbr_signing.audit_seals (tenant_id, sequence, audit_id, previous_hash, hash, sealed_at)
  select $1, seal.sequence, seal."auditId", pg_catalog.decode(seal."previousHash", 'hex'),
    pg_catalog.decode(seal.hash, 'hex'), $2::timestamptz
  from pg_catalog.json_to_recordset($3::json) as seal(
    sequence bigint, "auditId" bigint, "previousHash" text, hash text)
  returning audit_id
), unqueued as (
  delete from dbr_signing.audit_unsealed as unsealed using sealed where unsealed.audit_id = sealed.audit_id
)
update dbr_signing.audit_chains
set sequence = $4::bigint, hash = pg_catalog.decode($5, 'hex'), sealed_at = $2::timestamptz
where tenant_id = $1`;

/** One row: the first and last place of the entries sealed from one time and before another; null if there is none. */
const findBounds = query.one<
  [tenantId: TenantId, from: string | null, to: string | null],
  { readonly first: number | null; readonly last: number | null }
>(sql`
select
  (
    select seal.sequence::double precision from dbr_signing.audit_seals as seal
    where seal.tenant_id = $1 and ($2::timestamptz is null or seal.sealed_at >= $2::timestamptz)
    order by seal.sealed_at, seal.sequence
    limit 1
  ) as first,
  (
    select seal.sequence::double precision from dbr_signing.audit_seals as seal
    where seal.tenant_id = $1 and ($3::timestamptz is null or seal.sealed_at < $3::timestamptz)
    order by seal.sealed_at desc, seal.sequence desc
    limit 1
  ) as last`);

type SealedRow = SealedEntry & { readonly hash: string; readonly names: KnownNames | null };

const findSealed = query.any<[tenantId: TenantId, after: number, last: number, limit: number], SealedRow>(sql`
select
  seal.sequence::double precision as sequence,
  pg_catalog.encode(seal.previous_hash, 'hex') as "previousHash",
  pg_catalog.encode(seal.hash, 'hex') as hash,
  ${instant(sql`seal.sealed_at`)} as "sealedAt",${ENTRY},
  (
    select pg_catalog.json_object_agg(
      name.pseudonym,
      pg_catalog.json_build_object('userId', name.user_id, 'salt', pg_catalog.encode(name.salt, 'hex'))
    )
    from dbr_signing.audit_names as name
    where name.tenant_id = $1
      and name.pseudonym in (log.actor, log.before ->> 'ownerUserId', log.after ->> 'ownerUserId')
  ) as names
from dbr_signing.audit_seals as seal
join dbr_signing.audit_log as log using (audit_id)
where seal.tenant_id = $1 and seal.sequence > $2::bigint and seal.sequence <= $3::bigint
order by seal.sequence
limit $4`);
