/** The statements on `dbr_signing.delegate_user_shares`. */
import { sql } from '../../postgres/sql.js';

export const INSERT_SHARE = sql`
insert into dbr_signing.delegate_user_shares
  (session_id, tenant_id, event_sequence, delegate_party_id, recipient_key_id, suite, encapsulated_key, ciphertext, nonce,
    aad_sha256, ciphertext_sha256, supplied_by, expires_at)
values
  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
on conflict do nothing
returning session_id`;

/** `$1` session. */
export const RECORD_DELIVERY = sql`
update dbr_signing.delegate_user_shares
set delivered_at = pg_catalog.now()
where session_id = $1::uuid and delivered_at is null`;

/** `$1` delegate, `$2` SHA-256 of the ciphertext. */
export const FIND_CIPHERTEXT = sql`
select from dbr_signing.delegate_user_shares
where delegate_party_id = $1 and ciphertext_sha256 = $2`;

/** `$1` session. */
export const ERASE_SHARE = sql`
update dbr_signing.delegate_user_shares
set ciphertext = null, encapsulated_key = null, nonce = null, erased_at = pg_catalog.clock_timestamp()
where session_id = $1::uuid and erased_at is null`;
