/** Writes the transitions of sessions to PostgreSQL, as part of a transaction that has locked the session. */
import { verifyIdentityInIdleThread } from '../parties/identity-key.js';
import type { PartyId, SessionId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/transaction.js';
import type { PartyIdentity, SignedStatement } from '../router-port.js';
import { isTerminal } from '../types.js';
import type { Happening, Transition } from './session-machine.js';
import { query } from '../../postgres/query.js';
import { sql } from '../../postgres/sql.js';

/** Updates the session and appends the event. */
export const insertTransition = (
  transaction: DatabaseTask,
  sessionId: SessionId,
  { state, happening }: Transition,
): Promise<null> => {
  const failed = happening.type === 'failed' ? happening : null;
  return transaction.none({
    text: WRITE_TRANSITION,
    values: [
      ...[sessionId, state, isTerminal(state), signatureOf(happening)],
      ...[failed?.reason ?? null, failed?.detail ?? null, failed?.culprits ?? []],
      happening.type,
      'partyId' in happening ? happening.partyId : null,
      JSON.stringify(dataOf(happening)),
      happening.type === 'completed' ? happening.recoveryId : null,
    ],
  });
};

const signatureOf = (happening: Happening): Buffer | null =>
  happening.type === 'completed' && happening.signature !== null
    ? Buffer.from(happening.signature, 'hex')
    : null;

/** The data of the event, by its type. It never holds a share. */
function dataOf(happening: Happening): object {
  switch (happening.type) {
    case 'party-joined':
    case 'delegate-share-supplied':
    case 'started':
    case 'party-reported':
      return {};
    case 'party-keys-changed':
    case 'party-keys-proposed': {
      const { identityPublicKey, certificateSha256 } = happening;
      return { identityPublicKey, certificateSha256 };
    }
    case 'approved':
      return { keyId: happening.keyId };
    case 'completed':
      return {
        signature: happening.signature,
        ...(happening.recoveryId === null ? {} : { recoveryId: happening.recoveryId }),
      };
    case 'failed':
      return { reason: happening.reason, culpritPartyIds: happening.culprits, detail: happening.detail };
    case 'expired':
      return { missingParties: happening.missingParties, shareMissing: happening.shareMissing };
    case 'cancelled':
      return { reason: happening.reason };
  }
}

/** Deletes the messages between the parties of the session. */
export async function deleteMessages(transaction: DatabaseTask, sessionId: SessionId): Promise<void> {
  await deleteLog(transaction, sessionId);
  await deleteReaders(transaction, sessionId);
}

/** Inserts two statements that the party signed and that contradict each other. */
export async function insertEquivocation(
  transaction: DatabaseTask,
  party: PartyIdentity,
  sessionId: SessionId,
  first: SignedStatement,
  second: SignedStatement,
): Promise<void> {
  const { tenantId, partyId, identityPublicKey, formerIdentityKey = null } = party;
  const isByFormer =
    formerIdentityKey !== null &&
    (await verifyIdentityInIdleThread(formerIdentityKey, second.statement, second.signature));
  await transaction.none({
    text: INSERT_EQUIVOCATION,
    values: [
      ...[tenantId, sessionId, partyId, isByFormer ? formerIdentityKey : identityPublicKey],
      ...[first.statement, first.signature, second.statement, second.signature],
    ],
  });
}

// The statements that write a transition of a session, and what the transition records.

/** Updates the session and appends the event. `$1` session, `$2` state, `$3` true for a terminal state, `$4` signature, `$5` to `$7` failure, `$8` to `$10` event, `$11` recovery id. */
const WRITE_TRANSITION = sql`
with moved as (
  update dbr_signing.signing_sessions
  set
    state = $2::dbr_signing.session_state,
    state_version = state_version + 1,
    event_sequence = event_sequence + 1,
    ended_at = case when $3::boolean then pg_catalog.clock_timestamp() end,
    signature = $4,
    recovery_id = $11,
    failure_reason = $5::dbr_signing.failure_reason,
    failure_detail = $6,
    culprit_party_ids = $7
  where session_id = $1::uuid
  returning session_id, tenant_id, event_sequence
)
insert into dbr_signing.session_events (session_id, tenant_id, sequence, type, party_id, state, data)
select session_id, tenant_id, event_sequence, $8, $9, $2::dbr_signing.session_state, $10::jsonb
from moved`;

export const recordJoin = query.none<[sessionId: SessionId, partyId: PartyId, instanceId: string]>(sql`
update dbr_signing.session_participants
set joined_at = pg_catalog.clock_timestamp(), instance_id = $3
where session_id = $1::uuid and party_id = $2 and joined_at is null`);

export const recordReport = query.none<[sessionId: SessionId, partyId: PartyId, signature: Buffer]>(sql`
update dbr_signing.session_participants
set reported_signature = $3
where session_id = $1::uuid and party_id = $2`);

/** @param signature a `RequestSignature` as JSON text */
export const recordApproval = query.none<[sessionId: SessionId, signature: string]>(sql`
update dbr_signing.signing_sessions
set request_signatures = request_signatures || $2::jsonb
where session_id = $1::uuid`);

/** The rows are locked in the order in which acknowledgements of several parties lock them. */
const deleteReaders = query.none<[sessionId: SessionId]>(sql`
with reader as materialized (
  select session_id, party_id
  from dbr_signing.router_readers
  where session_id = $1::uuid
  order by party_id collate "C"
  for update
)
delete from dbr_signing.router_readers as deleted
using reader
where deleted.session_id = reader.session_id and deleted.party_id = reader.party_id`);

const deleteLog = query.none<[sessionId: SessionId]>(sql`
delete from dbr_signing.router_log where session_id = $1::uuid`);

/** `$1` tenant, `$2` session, `$3` party, `$4` its identity key, `$5` to `$8` two statements, each with its signature. */
const INSERT_EQUIVOCATION = sql`
insert into dbr_signing.equivocations (
  tenant_id, session_id, party_id, identity_public_key, first_statement, first_signature, second_statement,
  second_signature
)
values ($1, $2::uuid, $3, $4, $5, $6, $7, $8)`;
