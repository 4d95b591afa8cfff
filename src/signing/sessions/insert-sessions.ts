/** Writes new sessions: their rows, participants, first events, audit entries and the notification of the owner. */
import type { SigningProtocol } from '../../../generated/types.js';
import type { PartyId, SessionId, TenantId } from '../../base/identifiers.js';
import { query } from '../../postgres/query.js';
import { sql } from '../../postgres/sql.js';
import type { DatabaseTask } from '../../postgres/transaction.js';
import { isOwner, requireOwner, type Actor } from '../access.js';
import { requireSoundKey } from '../accounts/account-handlers.js';
import type { Account } from '../accounts/account-store.js';
import { chooseParties, type ChosenParties } from '../accounts/signing-parties.js';
import { auditAll } from '../audit.js';
import { isHardened } from '../child-key.js';
import type { SigningContext } from '../context.js';
import { dbrError } from '../../errors/dbr-error.js';
import { requireShare, storeShare } from '../shares/share-store.js';
import type { ShareType } from '../types.js';
import { notifyOfCreation } from './owner-notifications.js';
import type { SessionDraft } from './session-draft.js';
import type { SessionRecord } from './session-record.js';
import { findSession, findSessions } from './session-store.js';
import { requestView, requireRequest } from './signed-request.js';
import { DEFAULT_PROTOCOL, KEY_TYPE_OF_PROTOCOL } from './verify-signature.js';

/** Who creates sessions, and of which account, which is locked. */
interface Creation {
  readonly context: SigningContext;
  readonly transaction: DatabaseTask;
  readonly actor: Actor;
  readonly account: Account;
}

/** A session that may be created. */
export interface PlannedSession {
  readonly draft: SessionDraft;
  readonly chosen: ChosenParties;
  readonly protocol: SigningProtocol;
  readonly idempotencyKey: string | null;
}

/**
 * @throws DbrError Forbidden, DelegateShareRequired, AccountInvalid, ProtocolUnsuitable, DerivationNotPossible and the errors of
 *   `chooseParties` and `requireRequest`
 */
export function planSession(
  { actor, account }: Creation,
  draft: SessionDraft,
  idempotencyKey: string | null,
): PlannedSession {
  const withShare = draft.share !== null;
  if (withShare) requireOwner(actor, account.ownerUserId);
  const chosen = chooseParties(account, withShare, draft.parties);
  if (chosen.delegate !== null && !withShare && isOwner(actor, account.ownerUserId))
    throw dbrError('DelegateShareRequired');
  requireSoundKey(account);
  requireDerivation(account, draft);
  requireRequest(account, draft.request);
  return { draft, chosen, protocol: protocolOf(account, draft), idempotencyKey };
}

/** With a chain code each signature is verified, so its key must be derived. @throws DbrError DerivationNotPossible */
function requireDerivation({ chainCode }: Account, { derivationPath }: SessionDraft): void {
  if (chainCode !== null && derivationPath.some(isHardened)) throw dbrError('DerivationNotPossible');
}

/** @throws DbrError ProtocolUnsuitable */
function protocolOf({ keyType }: Account, { protocol }: SessionDraft): SigningProtocol {
  if (protocol === null) return DEFAULT_PROTOCOL[keyType];
  if (KEY_TYPE_OF_PROTOCOL[protocol] !== keyType) throw dbrError('ProtocolUnsuitable', { protocol, keyType });
  return protocol;
}

/** In arrays, because `array_nulls` decides what their null is. A message is never empty. */
const NONE = Buffer.alloc(0);

/** Inserts the rows of the sessions. Returns how many: fewer, if an identifier or an idempotency key is in use. */
export async function insertSessions(
  { context, transaction, actor, account }: Creation,
  planned: readonly PlannedSession[],
): Promise<number> {
  const rows = planned.map(({ draft, chosen, protocol, idempotencyKey }) => ({
    sessionId: draft.sessionId,
    idempotencyKey,
    partySource: chosen.partySource,
    protocol,
    messageDigest: draft.messageDigest.toString('hex'),
    derivationPath: draft.derivationPath,
    metadata: draft.metadata,
    requestSha256: draft.requestSha256.toString('hex'),
    // Approvals are made by people, who need the time that the creator gives them.
    readySeconds: draft.request === null ? context.readySeconds : draft.ttlSeconds,
    ttlSeconds: draft.ttlSeconds,
    request: draft.request?.content.toString('hex') ?? null,
    requestSignatures: draft.request?.signatures ?? null,
    replaces: draft.replaces,
  }));
  const inserted = await transaction.any<object>({
    text: INSERT_SESSIONS,
    values: [
      ...[actor.tenantId, account.accountId, actor.userId, account.threshold],
      ...[JSON.stringify(rows), planned.map(({ draft }) => draft.message ?? NONE)],
    ],
  });
  return inserted.length;
}

/**
 * Writes all that belongs to new sessions: participants, a share, first events, audit entries, the notification.
 * @returns the sessions in their order
 * @throws DbrError DelegateShareInvalid, DelegateKeyUnknown, DelegateShareReused
 */
export async function completeSessions(
  { context, transaction, actor, account }: Creation,
  planned: readonly PlannedSession[],
): Promise<readonly SessionRecord[]> {
  const { tenantId } = actor;
  const rows = planned.flatMap(({ draft, chosen }) => participantsOf(draft.sessionId, chosen.shares));
  await insertParticipants(transaction, tenantId, JSON.stringify(rows));
  for (const one of planned) await storeFirstShare(transaction, actor, account, one);
  const events = planned.map(({ draft: { sessionId }, chosen: { partySource, shares } }) => {
    const participants = shares.map(({ partyId }) => partyId);
    return { sessionId, data: { partySource, threshold: account.threshold, participants } };
  });
  await insertCreatedEvents(transaction, tenantId, JSON.stringify(events));
  const entries = planned.map(({ draft: { sessionId, request, replaces } }, index) => ({
    action: 'session.create',
    subject: `session:${sessionId}`,
    before: null,
    after: {
      ...events[index]?.data,
      ...(replaces === null ? {} : { replaces }),
      ...(request === null ? {} : requestView(request)),
    },
  }));
  await auditAll(transaction, actor, entries);
  const sessions = await readSessions(
    transaction,
    planned.map(({ draft }) => draft.sessionId),
  );
  const withShare = planned.some(({ draft }) => draft.share !== null);
  await notifyOfCreation(context.notifications, transaction, sessions, withShare);
  return sessions;
}

/** One session has a plan of its own, which PostgreSQL keeps. */
async function readSessions(
  transaction: DatabaseTask,
  sessionIds: readonly SessionId[],
): Promise<readonly SessionRecord[]> {
  const [only] = sessionIds;
  const found =
    only !== undefined && sessionIds.length === 1
      ? [await findSession(transaction, only)]
      : await findSessions(transaction, sessionIds);
  const byId = new Map(found.map((session) => [session?.sessionId, session]));
  return sessionIds.map((sessionId) => {
    const session = byId.get(sessionId) ?? null;
    if (session === null) throw new Error('a session that was inserted cannot be read');
    return session;
  });
}

/** Position of the event `created`, with which the share is delivered. */
const FIRST_EVENT = 1;

/** @throws DbrError DelegateShareInvalid, DelegateKeyUnknown, DelegateShareReused */
async function storeFirstShare(
  transaction: DatabaseTask,
  { tenantId, userId }: Actor,
  { accountId }: Account,
  { draft, chosen: { delegate } }: PlannedSession,
): Promise<void> {
  const { sessionId, share, messageDigest, message, derivationPath } = draft;
  if (share === null || delegate === null) return;
  const content = { messageDigest, hasMessage: message !== null, derivationPath };
  const binding = { tenantId, accountId, sessionId, delegatePartyId: delegate.partyId, ...content };
  requireShare(share, binding, '/delegateUserShare');
  await storeShare(transaction, binding, share, userId, FIRST_EVENT);
}

interface NewParticipant {
  readonly partyId: PartyId;
  readonly shareIndex: number;
  readonly shareType: ShareType;
}

const participantsOf = (sessionId: SessionId, shares: readonly NewParticipant[]): readonly object[] =>
  shares.map(({ partyId, shareIndex, shareType }) => ({ sessionId, partyId, shareIndex, shareType }));

/** The participants of one session, for `insertParticipants`. */
export const participantRows = (sessionId: SessionId, shares: readonly NewParticipant[]): string =>
  JSON.stringify(participantsOf(sessionId, shares));

// The statements that insert sessions with their participants and their first events.

/**
 * `$1` tenant, `$2` account, `$3` creator, `$4` threshold, `$5` the sessions as JSON text, `$6` their messages, empty for none. In the order of
 * their identifiers, so that two transactions with the same ones wait for each other at the first.
 */
const INSERT_SESSIONS = sql`
insert into dbr_signing.signing_sessions
  (session_id, tenant_id, account_id, created_by, idempotency_key, party_source, threshold, protocol, message_digest,
    derivation_path, metadata, request_sha256, event_sequence, ready_by, expires_at, request, request_signatures,
    replaces, message)
select new."sessionId", $1, $2::uuid, $3, new."idempotencyKey", new."partySource", $4::integer, new.protocol,
  pg_catalog.decode(new."messageDigest", 'hex'), new."derivationPath", new.metadata::jsonb,
  pg_catalog.decode(new."requestSha256", 'hex'), 1,
  pg_catalog.now() + pg_catalog.make_interval(secs => least(new."readySeconds", new."ttlSeconds")),
  pg_catalog.now() + pg_catalog.make_interval(secs => new."ttlSeconds"),
  pg_catalog.decode(new.request, 'hex'), new."requestSignatures", new.replaces, nullif(new.unnest, '')
from rows from (
  pg_catalog.json_to_recordset($5::json) as (
    "sessionId" uuid, "idempotencyKey" text, "partySource" text, protocol text, "messageDigest" text,
    "derivationPath" bigint[], metadata text, "requestSha256" text, "readySeconds" integer, "ttlSeconds" integer,
    request text, "requestSignatures" jsonb, replaces uuid
  ),
  pg_catalog.unnest($6::bytea[])
) as new
order by new."sessionId"
on conflict do nothing
returning session_id`;

/** @param participants with their sessions, as JSON text */
export const insertParticipants = query.none<[tenantId: TenantId, participants: string]>(sql`
insert into dbr_signing.session_participants (session_id, tenant_id, party_id, share_index, share_type)
select chosen."sessionId", $1, chosen."partyId", chosen."shareIndex", chosen."shareType"
from pg_catalog.json_to_recordset($2::json) as chosen (
  "sessionId" uuid, "partyId" text, "shareIndex" integer, "shareType" dbr_signing.share_type
)`);

/** Inserts the event `created`, the first of each session. @param events the data with its session, as JSON text */
export const insertCreatedEvents = query.none<[tenantId: TenantId, events: string]>(sql`
insert into dbr_signing.session_events (session_id, tenant_id, sequence, type, state, data)
select created."sessionId", $1, 1, 'created', 'created', created.data
from pg_catalog.json_to_recordset($2::json) as created ("sessionId" uuid, data jsonb)`);
