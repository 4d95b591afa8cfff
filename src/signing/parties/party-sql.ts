/** The statements on `dbr_signing.parties`. */
import { sql } from '../../postgres/sql.js';
import { partyChangeSql } from '../party-change-sql.js';

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
export const FIND_PARTY = sql`
select${COLUMNS}
from dbr_signing.parties
where party_id = $1`;

/** `$1` party; locks the row. */
export const LOCK_PARTY = sql`${FIND_PARTY}
for update`;

/** `$1` status or null, `$2` role or null, `$3` the last party of the page before or null, `$4` limit. */
export const LIST_PARTIES = sql`
select${COLUMNS}
from dbr_signing.parties
where ($1::text is null or status = $1::dbr_signing.party_status)
  and ($2::text is null or role = $2::dbr_signing.party_role)
  and ($3::text is null or party_id collate "C" > $3)
order by party_id collate "C"
limit $4`;

/** `$1` parties. */
export const FIND_STANDINGS = sql`
select party_id, role, status
from dbr_signing.parties
where party_id = any($1::text[])`;

export const INSERT_PARTY = sql`
insert into dbr_signing.parties (tenant_id, party_id, name, role, identity_public_key, certificate_sha256)
values ($1, $2, $3, $4, $5, $6)
on conflict (tenant_id, party_id) do nothing
returning party_id`;

export const UPDATE_PARTY = sql`
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
export const RECORD_INSTANCE = sql`
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
