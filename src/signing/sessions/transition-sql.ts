/** The statements that write a transition of a session, and what the transition records. */
import { sql } from '../../postgres/sql.js';

/** Updates the session and appends the event. `$1` session, `$2` state, `$3` true for a terminal state, `$4` signature, `$5` to `$7` failure, `$8` to `$10` event. */
export const WRITE_TRANSITION = sql`
with moved as (
  update dbr_signing.signing_sessions
  set
    state = $2::dbr_signing.session_state,
    state_version = state_version + 1,
    event_sequence = event_sequence + 1,
    ended_at = case when $3::boolean then pg_catalog.clock_timestamp() end,
    signature = $4,
    failure_reason = $5::dbr_signing.failure_reason,
    failure_detail = $6,
    culprit_party_ids = $7
  where session_id = $1::uuid
  returning session_id, tenant_id, event_sequence
)
insert into dbr_signing.session_events (session_id, tenant_id, sequence, type, party_id, state, data)
select session_id, tenant_id, event_sequence, $8, $9, $2::dbr_signing.session_state, $10::jsonb
from moved`;

/** `$1` session, `$2` party, `$3` instance. */
export const RECORD_JOIN = sql`
update dbr_signing.session_participants
set joined_at = pg_catalog.clock_timestamp(), instance_id = $3
where session_id = $1::uuid and party_id = $2 and joined_at is null`;

/** `$1` session, `$2` party, `$3` signature. */
export const RECORD_REPORT = sql`
update dbr_signing.session_participants
set reported_signature = $3
where session_id = $1::uuid and party_id = $2`;

/** `$1` session. The rows are locked in the order in which acknowledgements of several parties lock them. */
export const DELETE_READERS = sql`
with reader as materialized (
  select session_id, party_id
  from dbr_signing.router_readers
  where session_id = $1::uuid
  order by party_id collate "C"
  for update
)
delete from dbr_signing.router_readers as deleted
using reader
where deleted.session_id = reader.session_id and deleted.party_id = reader.party_id`;

/** `$1` session. */
export const DELETE_MESSAGES = sql`
delete from dbr_signing.router_log where session_id = $1::uuid`;

/** `$1` tenant, `$2` session, `$3` party, `$4` its identity key, `$5` to `$8` two statements, each with its signature. */
export const INSERT_EQUIVOCATION = sql`
insert into dbr_signing.equivocations (
  tenant_id, session_id, party_id, identity_public_key, first_statement, first_signature, second_statement,
  second_signature
)
values ($1, $2::uuid, $3, $4, $5, $6, $7, $8)`;
