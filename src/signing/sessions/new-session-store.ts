/** Inserts a session with its participants and its first event. */
import type { DatabaseTask } from '../../postgres/database.js';
import type { SessionId, TenantId } from '../../base/identifiers.js';
import type { SigningProtocol } from '../../../generated/types.js';
import type { Actor } from '../access.js';
import type { Account } from '../accounts/account-store.js';
import type { ChosenParties } from '../accounts/signing-parties.js';
import type { SessionDraft } from './session-draft.js';
import { sql } from '../../postgres/sql.js';

export interface SessionRowDraft {
  readonly draft: SessionDraft;
  readonly actor: Actor;
  readonly account: Account;
  readonly protocol: SigningProtocol;
  readonly partySource: ChosenParties['partySource'];
  readonly idempotencyKey: string | null;
  /** How long the parties have to join, in seconds. */
  readonly readySeconds: number;
}

/** Inserts the row of the session. Returns false if the identifier or the idempotency key is in use. */
export async function insertSession(
  transaction: DatabaseTask,
  { draft, actor, account, protocol, partySource, idempotencyKey, readySeconds }: SessionRowDraft,
): Promise<boolean> {
  const inserted = await transaction.oneOrNone<object>({
    text: INSERT_SESSION,
    values: [
      draft.sessionId,
      actor.tenantId,
      account.accountId,
      actor.userId,
      idempotencyKey,
      partySource,
      account.threshold,
      protocol,
      draft.messageDigest,
      draft.derivationPath,
      draft.metadata,
      draft.requestSha256,
      readySeconds,
      draft.ttlSeconds,
    ],
  });
  return inserted !== null;
}

export const insertParticipants = (
  transaction: DatabaseTask,
  tenantId: TenantId,
  sessionId: SessionId,
  shares: ChosenParties['shares'],
): Promise<null> =>
  transaction.none({
    text: INSERT_PARTICIPANTS,
    values: [
      sessionId,
      tenantId,
      shares.map(({ partyId }) => partyId),
      shares.map(({ shareIndex }) => shareIndex),
      shares.map(({ shareType }) => shareType),
    ],
  });

/** Inserts the event `created`, the first of the session. */
export const insertCreatedEvent = (
  transaction: DatabaseTask,
  tenantId: TenantId,
  sessionId: SessionId,
  data: object,
): Promise<null> =>
  transaction.none({ text: INSERT_CREATED_EVENT, values: [sessionId, tenantId, JSON.stringify(data)] });

// The statements that insert a session with its participants and its first event.

const INSERT_SESSION = sql`
insert into dbr_signing.signing_sessions
  (session_id, tenant_id, account_id, created_by, idempotency_key, party_source, threshold, protocol, message_digest,
    derivation_path, metadata, request_sha256, event_sequence, ready_by, expires_at)
values
  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 1,
    pg_catalog.now() + pg_catalog.make_interval(secs => least($13::integer, $14::integer)),
    pg_catalog.now() + pg_catalog.make_interval(secs => $14::integer))
on conflict do nothing
returning session_id`;

const INSERT_PARTICIPANTS = sql`
insert into dbr_signing.session_participants (session_id, tenant_id, party_id, share_index, share_type)
select $1, $2, chosen.party_id, chosen.share_index, chosen.share_type::dbr_signing.share_type
from rows from (
  pg_catalog.unnest($3::text[]),
  pg_catalog.unnest($4::integer[]),
  pg_catalog.unnest($5::text[])
) as chosen (party_id, share_index, share_type)`;

/** `$1` session, `$2` tenant, `$3` data of the event. */
const INSERT_CREATED_EVENT = sql`
insert into dbr_signing.session_events (session_id, tenant_id, sequence, type, state, data)
values ($1, $2, 1, 'created', 'created', $3::jsonb)`;
