/** Parties in PostgreSQL. */
import type { PartyId, TenantId, UserId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/transaction.js';
import type { PartyRole, PartyStatus } from '../types.js';
import { query } from '../../postgres/query.js';
import { sql, type Sql } from '../../postgres/sql.js';
import { partyChangeSql, type PartyChange, type PartyIdentity } from '../router-port.js';

export interface PartyRecord extends Omit<PartyIdentity, 'tenantId' | 'formerIdentityKey'> {
  readonly name: string;
  readonly online: boolean;
  readonly lastSeenAt: string | null;
  readonly createdAt: string;
  readonly version: number;
}

interface PartyFilter {
  readonly status: PartyStatus | null;
  readonly role: PartyRole | null;
  /** The page begins after this identifier; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** Lists parties in the order of their identifiers. */
export const listParties = (
  transaction: DatabaseTask,
  { status, role, after, limit }: PartyFilter,
): Promise<readonly PartyRecord[]> =>
  transaction.any({ text: LIST_PARTIES, values: [status, role, after, limit], unnamed: true });

/** Role and status of a party that a request names. */
export type PartyStanding = Pick<PartyIdentity, 'partyId' | 'role' | 'status'>;

/** Finds the named parties, by name; names that the tenant does not have are left out. */
export async function partyStandings(
  transaction: DatabaseTask,
  names: readonly string[],
): Promise<ReadonlyMap<string, PartyStanding>> {
  const rows = await findStandings(transaction, names);
  return new Map(rows.map((standing) => [standing.partyId, standing]));
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

/**
 * @param formerSeconds how long keys that are replaced are accepted
 * @throws PostgresError 23505 if another party has the certificate or the identity key, or one of them was replaced or revoked
 */
export async function updateParty(
  transaction: DatabaseTask,
  party: Pick<PartyRecord, 'partyId' | 'name' | 'status' | 'identityPublicKey' | 'certificateSha256'>,
  formerSeconds: number,
): Promise<void> {
  const { partyId, name, status, identityPublicKey, certificateSha256 } = party;
  await transaction.none({
    text: UPDATE_PARTY,
    values: [partyId, name, status, identityPublicKey, certificateSha256, formerSeconds],
  });
}

/**
 * Locks the party against changes and new sessions until the transaction ends, then reads it. New sessions share an advisory lock
 * and not the row: PostgreSQL grants advisory locks in the order of the requests, but lets further transactions share the lock of
 * a row for which a change waits. Heartbeats lock the row alone, so that they wait for no session.
 */
export async function lockParty(transaction: DatabaseTask, partyId: PartyId): Promise<PartyRecord | null> {
  await lock(transaction, partyId);
  return await findLocked(transaction, partyId);
}

// The statements on `dbr_signing.parties`.

const COLUMNS = sql`
  party_id as "partyId",
  name,
  role,
  status,
  identity_public_key as "identityPublicKey",
  certificate_sha256 as "certificateSha256",
  coalesce(last_seen_at > pg_catalog.now() - interval '45 seconds', false) as online,
  dbr_signing.instant(last_seen_at) as "lastSeenAt",
  dbr_signing.instant(created_at) as "createdAt",
  version::double precision as version`;

const FIND_PARTY = sql`
select${COLUMNS}
from dbr_signing.parties
where party_id = $1`;

/** Returns null if the tenant has no such party. */
export const findParty = query.oneOrNone<[partyId: PartyId], PartyRecord>(FIND_PARTY);

/** The first number of the advisory lock of a party; it is arbitrary. */
export const PARTY_LOCKS = sql`5347124`;

/** The second number. */
export const partyLock = (tenant: Sql, party: Sql): Sql =>
  sql`pg_catalog.hashtext(pg_catalog.json_build_array(${tenant}, ${party})::text)`;

const lock = query.any<[partyId: PartyId], object>(sql`
select pg_catalog.pg_advisory_xact_lock(${PARTY_LOCKS}, ${partyLock(sql`tenant_id`, sql`party_id`)})::text as lock
from dbr_signing.parties
where party_id = $1`);

const findLocked = query.oneOrNone<[partyId: PartyId], PartyRecord>(sql`${FIND_PARTY}
for no key update`);

/** `$1` status or null, `$2` role or null, `$3` the last party of the page before or null, `$4` limit. */
const LIST_PARTIES = sql`
select${COLUMNS}
from dbr_signing.parties
where ($1::text is null or status = $1::dbr_signing.party_status)
  and ($2::text is null or role = $2::dbr_signing.party_role)
  and ($3::text is null or party_id collate "C" > $3)
order by party_id collate "C"
limit $4`;

const findStandings = query.any<[names: readonly string[]], PartyStanding>(sql`
select party_id as "partyId", role, status
from dbr_signing.parties
where party_id = any($1::text[])`);

/**
 * Owners of the accounts in which the party holds a share, a page in the order of their identifiers.
 * `after` is the last user of the page before; empty for the first page.
 */
export const ownersOfParty = query.any<
  [partyId: PartyId, after: string, limit: number],
  { readonly userId: UserId }
>(sql`
select distinct account.owner_user_id collate "C" as "userId"
from dbr_signing.account_shares as share
join dbr_signing.accounts as account on account.account_id = share.account_id
where share.tenant_id = (select dbr_signing.tenant_id()) and share.party_id = $1 and share.status = 'active'
  and account.owner_user_id collate "C" > $2
order by "userId"
limit $3`);

const INSERT_PARTY = sql`
insert into dbr_signing.parties (tenant_id, party_id, name, role, identity_public_key, certificate_sha256)
values ($1, $2, $3, $4, $5, $6)
on conflict (tenant_id, party_id) do nothing
returning party_id`;

/** What a change of keys leaves of those that it replaces. */
const former = (replaced: Sql, kept: Sql): Sql => sql`case
    when identity_public_key = $4 and certificate_sha256 is not distinct from $5 then ${kept}
    when $6::integer > 0 then ${replaced}
  end`;

const UPDATE_PARTY = sql`
update dbr_signing.parties
set
  name = $2,
  status = $3,
  identity_public_key = $4,
  shares_identity_key = shares_identity_key and identity_public_key = $4,
  certificate_sha256 = $5,
  former_identity_public_key = ${former(sql`identity_public_key`, sql`former_identity_public_key`)},
  former_certificate_sha256 = ${former(sql`certificate_sha256`, sql`former_certificate_sha256`)},
  former_until = ${former(sql`pg_catalog.now() + pg_catalog.make_interval(secs => $6::integer)`, sql`former_until`)},
  version = version + 1
where party_id = $1`;

/** Records that an instance of the party runs now; a party is online for 45 seconds after that. */
export const recordInstance = query.none<[partyId: PartyId, instanceId: string]>(sql`
update dbr_signing.parties
set instance_id = $2, last_seen_at = pg_catalog.now()
where party_id = $1`);

const IDENTITIES = sql`
select tenant_id as "tenantId", party_id as "partyId", role, status, identity_public_key as "identityPublicKey",
  case when former_until > pg_catalog.now() then former_identity_public_key end as "formerIdentityKey"
from dbr_signing.parties`;

type Identity = Omit<PartyIdentity, 'certificateSha256'>;

/** By the SHA-256 of the certificate's SubjectPublicKeyInfo; of every tenant. */
export const identityByCertificate = query.oneOrNone<[sha256: Buffer], Identity>(sql`${IDENTITIES}
where certificate_sha256 = $1 or (former_certificate_sha256 = $1 and former_until > pg_catalog.now())`);

export const identityByName = query.oneOrNone<
  [tenantId: TenantId, partyId: PartyId],
  Identity
>(sql`${IDENTITIES}
where tenant_id = $1 and party_id = $2`);

/** Finds the party if this is its identity key in force, and not the former one. */
export const findByCurrentKey = query.oneOrNone<[partyId: PartyId, identityPublicKey: Buffer], object>(sql`
select party_id from dbr_signing.parties where party_id = $1 and identity_public_key = $2`);

/** The change of a party since it was identified with this key and the hash of this certificate. */
export const partyChange = query.oneOrNone<
  [tenantId: TenantId, partyId: PartyId, identityPublicKey: Buffer, certificateSha256: Buffer | null],
  { readonly change: PartyChange | null }
>(sql`
select ${partyChangeSql(sql`party`, sql`$3::bytea`, sql`$4::bytea`)} as change
from dbr_signing.parties as party
where party.tenant_id = $1 and party.party_id = $2`);

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
