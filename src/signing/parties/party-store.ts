/** Parties in PostgreSQL. */
import type { PartyId, TenantId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/database.js';
import type { PartyRole, PartyStatus } from '../types.js';
import { sql } from '../../postgres/sql.js';
import { partyChangeSql } from '../router-port.js';

export interface PartyRecord {
  readonly partyId: PartyId;
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
  readonly party_id: PartyId;
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

/** Returns null if the tenant has no such party. */
export async function findParty(transaction: DatabaseTask, partyId: PartyId): Promise<PartyRecord | null> {
  const row = await transaction.oneOrNone<PartyRow>({ text: FIND_PARTY, values: [partyId] });
  return row === null ? null : partyOf(row);
}

/** Finds the party and locks its row until the transaction ends. */
export async function lockParty(transaction: DatabaseTask, partyId: PartyId): Promise<PartyRecord | null> {
  const row = await transaction.oneOrNone<PartyRow>({ text: LOCK_PARTY, values: [partyId] });
  return row === null ? null : partyOf(row);
}

export interface PartyFilter {
  readonly status: PartyStatus | null;
  readonly role: PartyRole | null;
  /** The page begins after this identifier; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** Lists parties in the order of their identifiers. */
export async function listParties(
  transaction: DatabaseTask,
  { status, role, after, limit }: PartyFilter,
): Promise<readonly PartyRecord[]> {
  const rows = await transaction.any<PartyRow>({
    text: LIST_PARTIES,
    values: [status, role, after, limit],
    unnamed: true,
  });
  return rows.map(partyOf);
}

/** Role and status of a party that a request names. */
export interface PartyStanding {
  readonly partyId: PartyId;
  readonly role: PartyRole;
  readonly status: PartyStatus;
}

/** Finds the named parties, by name; names that the tenant does not have are left out. */
export async function partyStandings(
  transaction: DatabaseTask,
  names: readonly string[],
): Promise<ReadonlyMap<string, PartyStanding>> {
  const rows = await transaction.any<Pick<PartyRow, 'party_id' | 'role' | 'status'>>({
    text: FIND_STANDINGS,
    values: [names],
  });
  return new Map(rows.map(({ party_id: partyId, role, status }) => [partyId, { partyId, role, status }]));
}

/**
 * @returns false if the tenant has a party with this identifier
 * @throws PostgresError 23505 if another party has the certificate or the identity key
 */
export async function insertParty(
  transaction: DatabaseTask,
  tenantId: TenantId,
  party: Pick<PartyRecord, 'partyId' | 'name' | 'role' | 'identityPublicKey' | 'certificateSha256'>,
): Promise<boolean> {
  const { partyId, name, role, identityPublicKey, certificateSha256 } = party;
  const inserted = await transaction.oneOrNone<object>({
    text: INSERT_PARTY,
    values: [tenantId, partyId, name, role, identityPublicKey, certificateSha256],
  });
  return inserted !== null;
}

/** @throws PostgresError 23505 if another party has the certificate or the identity key */
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

/** Records that an instance of the party runs now; a party is online for 45 seconds after that. */
export async function recordInstance(
  transaction: DatabaseTask,
  partyId: PartyId,
  instanceId: string,
): Promise<void> {
  await transaction.none({ text: RECORD_INSTANCE, values: [partyId, instanceId] });
}

// The statements on `dbr_signing.parties`.

const COLUMNS = sql`
  party_id,
  name,
  role,
  status,
  identity_public_key,
  certificate_sha256,
  coalesce(last_seen_at > pg_catalog.now() - interval '45 seconds', false) as online,
  dbr_signing.instant(last_seen_at) as last_seen_at,
  dbr_signing.instant(created_at) as created_at,
  version`;

/** `$1` party. */
const FIND_PARTY = sql`
select${COLUMNS}
from dbr_signing.parties
where party_id = $1`;

/** `$1` party; locks the row. */
const LOCK_PARTY = sql`${FIND_PARTY}
for update`;

/** `$1` status or null, `$2` role or null, `$3` the last party of the page before or null, `$4` limit. */
const LIST_PARTIES = sql`
select${COLUMNS}
from dbr_signing.parties
where ($1::text is null or status = $1::dbr_signing.party_status)
  and ($2::text is null or role = $2::dbr_signing.party_role)
  and ($3::text is null or party_id collate "C" > $3)
order by party_id collate "C"
limit $4`;

/** `$1` parties. */
const FIND_STANDINGS = sql`
select party_id, role, status
from dbr_signing.parties
where party_id = any($1::text[])`;

const INSERT_PARTY = sql`
insert into dbr_signing.parties (tenant_id, party_id, name, role, identity_public_key, certificate_sha256)
values ($1, $2, $3, $4, $5, $6)
on conflict (tenant_id, party_id) do nothing
returning party_id`;

const UPDATE_PARTY = sql`
update dbr_signing.parties
set
  name = $2,
  status = $3,
  identity_public_key = $4,
  shares_identity_key = shares_identity_key and identity_public_key = $4,
  certificate_sha256 = $5,
  version = version + 1
where party_id = $1`;

/** `$1` party, `$2` instance. */
const RECORD_INSTANCE = sql`
update dbr_signing.parties
set instance_id = $2, last_seen_at = pg_catalog.now()
where party_id = $1`;

const IDENTITIES = sql`
select tenant_id, party_id, role, status, identity_public_key
from dbr_signing.parties`;

/** `$1` SHA-256 of the certificate's SubjectPublicKeyInfo; of every tenant. */
export const IDENTITY_BY_CERTIFICATE = sql`${IDENTITIES}
where certificate_sha256 = $1`;

/** `$1` tenant, `$2` party. */
export const IDENTITY_BY_NAME = sql`${IDENTITIES}
where tenant_id = $1 and party_id = $2`;

/** `$1` tenant, `$2` party, `$3` the identity key that it was identified with, `$4` the hash of its certificate or null. */
export const PARTY_CHANGE = sql`
select ${partyChangeSql(sql`party`, sql`$3::bytea`, sql`$4::bytea`)} as change
from dbr_signing.parties as party
where party.tenant_id = $1 and party.party_id = $2`;

/** `$1` to `$4` as above, of many parties: JSON arrays of tenants and parties, arrays of keys and hashes. Returns those that have changed. */
export const CHANGED_PARTIES = sql`
select watched.place, ${partyChangeSql(sql`party`, sql`watched.identity_key`, sql`watched.certificate`)} as change
from rows from (
  pg_catalog.jsonb_array_elements_text($1::jsonb),
  pg_catalog.jsonb_array_elements_text($2::jsonb),
  pg_catalog.unnest($3::bytea[]),
  pg_catalog.unnest($4::bytea[])
) with ordinality as watched (tenant_id, party_id, identity_key, certificate, place)
join dbr_signing.parties as party using (tenant_id, party_id)
where ${partyChangeSql(sql`party`, sql`watched.identity_key`, sql`watched.certificate`)} is not null`;
