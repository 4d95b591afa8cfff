/** The statements that insert a session with its participants and its first event. */
import { sql } from '../../postgres/sql.js';

export const INSERT_SESSION = sql`
insert into dbr_signing.signing_sessions
  (session_id, tenant_id, account_id, created_by, idempotency_key, party_source, threshold, protocol, message_digest,
    derivation_path, metadata, request_sha256, event_sequence, ready_by, expires_at)
values
  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 1,
    pg_catalog.now() + pg_catalog.make_interval(secs => least($13::integer, $14::integer)),
    pg_catalog.now() + pg_catalog.make_interval(secs => $14::integer))
on conflict do nothing
returning session_id`;

export const INSERT_PARTICIPANTS = sql`
insert into dbr_signing.session_participants (session_id, tenant_id, party_id, share_index, share_type)
select $1, $2, chosen.party_id, chosen.share_index, chosen.share_type::dbr_signing.share_type
from rows from (
  pg_catalog.unnest($3::text[]),
  pg_catalog.unnest($4::integer[]),
  pg_catalog.unnest($5::text[])
) as chosen (party_id, share_index, share_type)`;

/** `$1` session, `$2` tenant, `$3` data of the event. */
export const INSERT_CREATED_EVENT = sql`
insert into dbr_signing.session_events (session_id, tenant_id, sequence, type, state, data)
values ($1, $2, 1, 'created', 'created', $3::jsonb)`;
