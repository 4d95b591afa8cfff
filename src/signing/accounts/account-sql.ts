/** The statements on `dbr_signing.accounts`, its shares and its signing configuration. */
import { sql } from '../../postgres/sql.js';

const ACCOUNTS = sql`
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

/** `$1` account. */
export const FIND_ACCOUNT = sql`${ACCOUNTS}
where account.account_id = $1::uuid`;

/** `$1` owner or null, `$2` status or null, `$3` the last account of the page before or null, `$4` limit. */
export const LIST_ACCOUNTS = sql`${ACCOUNTS}
where ($1::text is null or account.owner_user_id = $1)
  and ($2::text is null or account.status = $2::dbr_signing.account_status)
  and ($3::uuid is null or account.account_id < $3)
order by account.account_id desc
limit $4`;

/** `$1` account. */
export const LOCK_ACCOUNT = sql`
select from dbr_signing.accounts where account_id = $1::uuid for update`;

/** `$1` account. Other transactions can sign for the account, but not change it. */
export const LOCK_ACCOUNT_SHARED = sql`
select from dbr_signing.accounts where account_id = $1::uuid for share`;

/** `$1` account. Locks the parties that hold its shares. */
export const LOCK_PARTIES_SHARED = sql`
select from dbr_signing.parties
where party_id in (select party_id from dbr_signing.account_shares where account_id = $1::uuid)
order by party_id
for share`;

export const INSERT_ACCOUNT = sql`
insert into dbr_signing.accounts
  (account_id, tenant_id, owner_user_id, name, key_type, public_key, threshold, status)
values
  ($1, $2, $3, $4, $5, $6, $7, $8)`;

export const INSERT_SHARES = sql`
insert into dbr_signing.account_shares (account_id, tenant_id, party_id, share_index, share_type)
select $1, $2, share.party_id, share.share_index, share.share_type::dbr_signing.share_type
from rows from (
  pg_catalog.unnest($3::text[]),
  pg_catalog.unnest($4::integer[]),
  pg_catalog.unnest($5::text[])
) as share (party_id, share_index, share_type)`;

export const UPDATE_ACCOUNT = sql`
update dbr_signing.accounts
set name = $2, public_key = $3, status = $4, version = version + 1, updated_at = pg_catalog.now()
where account_id = $1::uuid`;

/** `$1` account. */
export const DELETE_SIGNING_PARTIES = sql`
delete from dbr_signing.account_signing_parties where account_id = $1::uuid`;

/** `$1` account, `$2` tenant, `$3` parties in their order. */
export const INSERT_SIGNING_PARTIES = sql`
insert into dbr_signing.account_signing_parties (account_id, tenant_id, party_id, position)
select $1, $2, party.party_id, party.position
from pg_catalog.unnest($3::text[]) with ordinality as party (party_id, position)`;

/** `$1` account, `$2` user. Counts up the versions of the account and of its configuration. */
export const RECORD_CONFIG_CHANGE = sql`
update dbr_signing.accounts
set
  signing_config_version = signing_config_version + 1,
  signing_config_updated_at = pg_catalog.now(),
  signing_config_updated_by = $2,
  version = version + 1,
  updated_at = pg_catalog.now()
where account_id = $1::uuid`;
