/** The statements on `dbr_signing.party_encryption_keys`. */
import { sql } from '../../postgres/sql.js';

/** `$1` party. */
export const DELETE_KEYS = sql`
delete from dbr_signing.party_encryption_keys where party_id = $1`;

/** `$1` party. Deletes keys that have expired, were claimed an hour ago and not used, or were burnt by a session that is removed. */
export const DELETE_USELESS_KEYS = sql`
delete from dbr_signing.party_encryption_keys as key
where key.party_id = $1 and (
  (key.used_by_session is null and key.not_after < pg_catalog.now())
  or (key.used_by_session is null and key.claimed_at < pg_catalog.now() - interval '1 hour')
  or (key.used_by_session is not null and not exists (
    select from dbr_signing.signing_sessions as session where session.session_id = key.used_by_session
  ))
)`;

export const INSERT_KEY = sql`
insert into dbr_signing.party_encryption_keys
  (tenant_id, party_id, key_id, suite, public_key, one_time, not_after, signature)
values
  ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (tenant_id, party_id, key_id) do nothing`;

/** `$1` party. Counts the keys that no session has used. */
export const COUNT_UNUSED_KEYS = sql`
select pg_catalog.count(*) as count
from dbr_signing.party_encryption_keys
where party_id = $1 and used_by_session is null`;

/** `$1` party. Counts the one-time keys that a user can still claim. */
export const COUNT_CLAIMABLE_KEYS = sql`
select pg_catalog.count(*) as count
from dbr_signing.party_encryption_keys
where party_id = $1 and one_time and claimed_at is null and (not_after is null or not_after > pg_catalog.now())`;

const OFFERED = 'key_id, suite, public_key, one_time, dbr_signing.instant(not_after) as not_after, signature';

/**
 * `$1` party, `$2` user, `$3` account. Claims one free key and skips those that other transactions are claiming. A key that
 * expires within a minute is not claimed: the user could not use it in time.
 */
export const CLAIM_ONE_TIME_KEY = sql`
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

/** `$1` party. */
export const FIND_LASTING_KEY = sql`
select ${OFFERED}
from dbr_signing.party_encryption_keys
where party_id = $1 and not one_time and (not_after is null or not_after > pg_catalog.now() + interval '1 minute')
order by created_at desc, key_id
limit 1`;

/** `$1` party, `$2` key, `$3` session, `$4` account. */
export const BURN_KEY = sql`
update dbr_signing.party_encryption_keys
set used_by_session = case when one_time then $3::uuid else used_by_session end
where party_id = $1 and key_id = $2
  and (not one_time or (claimed_account_id = $4::uuid and used_by_session is null))
  and (not_after is null or not_after > pg_catalog.now())
returning suite`;
