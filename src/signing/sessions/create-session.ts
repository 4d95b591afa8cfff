/** Creation of a session: chooses its parties and writes all of it in one transaction. */
import type { SigningProtocol, SigningSessionRequest } from '../../../generated/types.js';
import { dbrError, type DbrError } from '../../errors/dbr-error.js';
import type { AccountId, SessionId, TenantId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/transaction.js';
import { isOwner, knowsOf, requireOwner, requireSign, type Actor } from '../access.js';
import { requireSoundKey } from '../accounts/account-handlers.js';
import { lockAccountShared, type Account } from '../accounts/account-store.js';
import { chooseParties, type ChosenParties } from '../accounts/signing-parties.js';
import { audit } from '../audit.js';
import { isHardened } from '../child-key.js';
import type { SigningContext } from '../context.js';
import { notifyOfCreation } from './owner-notifications.js';
import type { DelegateUserShare } from '../router-port.js';
import { requireShare, storeShare } from '../shares/share-store.js';
import { inTenant } from '../transaction.js';
import { requestView, requireRequest } from './signed-request.js';
import { sessionDraft, type SessionDraft } from './session-draft.js';
import type { SessionRecord } from './session-record.js';
import { applyAndNotify } from './apply-trigger.js';
import { findSession, findSessionByKey, lockSession, markReplaced } from './session-store.js';
import { DEFAULT_PROTOCOL, KEY_TYPE_OF_PROTOCOL } from './verify-signature.js';
import { query } from '../../postgres/query.js';
import { sql } from '../../postgres/sql.js';

interface NewSession {
  readonly actor: Actor;
  readonly accountId: AccountId;
  readonly idempotencyKey: string | null;
  /** Takes the rate limit of the account, for a new session alone. @throws DbrError RateLimited */
  readonly admit: () => Promise<void>;
  readonly body: SigningSessionRequest;
}

export interface CreatedSession {
  readonly session: SessionRecord;
  /** False if the same request created the session before. */
  readonly created: boolean;
  /** The session that it has replaced. */
  readonly replaced?: SessionRecord;
}

/**
 * Creates the session, or finds the one that the same request created before.
 * @throws DbrError AccountNotFound, Forbidden, RateLimited, SessionConflict, DelegateShareRequired, AccountInvalid,
 *   ProtocolUnsuitable, DerivationNotPossible and the errors of `sessionDraft`, `chooseParties`, `requireRequest`, `requireShare` and `storeShare`
 */
export async function createSession(context: SigningContext, request: NewSession): Promise<CreatedSession> {
  const { actor } = request;
  const draft = sessionDraft(request.body, request.accountId, actor);
  const result = await inTenant(context.pool, actor.tenantId, async (transaction) => {
    const account = await lockAccountShared(transaction, request.accountId);
    if (account === null || !knowsOf(actor, account)) throw dbrError('AccountNotFound');
    requireSign(actor, account);
    const existing = await findExisting(transaction, request, draft);
    if (existing !== null) return { session: existing, created: false };
    await request.admit();
    if (draft.share !== null) requireOwner(actor, account.ownerUserId);
    const chosen = chooseParties(account, draft.share !== null, draft.parties);
    if (chosen.delegate !== null && draft.share === null && isOwner(actor, account.ownerUserId))
      throw dbrError('DelegateShareRequired');
    requireSoundKey(account);
    requireDerivation(account, draft);
    requireRequest(account, draft.request);
    const replaced =
      draft.replaces === null ? null : await endReplaced(context, transaction, request, draft.replaces);
    if (replaced !== null && replaced.replacedBy !== null)
      // A repetition of the request that has replaced it finds the session of that one.
      return await sessionOfRace(transaction, request, draft, replacedError(replaced.replacedBy));
    const isInserted = await insertSession(transaction, {
      ...{ draft, actor, account },
      protocol: protocolOf(account, draft),
      partySource: chosen.partySource,
      idempotencyKey: request.idempotencyKey,
      // Approvals are made by people, who need the time that the creator gives them.
      readySeconds: draft.request === null ? context.readySeconds : draft.ttlSeconds,
    });
    if (!isInserted) return await sessionOfRace(transaction, request, draft, dbrError('SessionConflict'));
    if (replaced !== null) await markReplaced(transaction, replaced.sessionId, draft.sessionId);
    const session = await complete(context, transaction, request, draft, account, chosen);
    return { session, created: true, ...(replaced === null ? {} : { replaced }) };
  });
  if (result.created)
    context.written(result.replaced === undefined ? [result.session] : [result.replaced, result.session]);
  return result;
}

/**
 * Ends the session that the new one takes the place of, so that no party signs in both. One that has ended without a signature, or
 * was replaced before, stays as it is.
 * @throws DbrError SessionNotFound, SessionTerminal for a completed session
 */
async function endReplaced(
  context: SigningContext,
  transaction: DatabaseTask,
  { actor, accountId }: NewSession,
  replaces: SessionId,
): Promise<SessionRecord> {
  const locked = await lockSession(transaction, replaces);
  if (locked?.accountId !== accountId || locked.ceremony !== null) throw dbrError('SessionNotFound');
  if (locked.replacedBy !== null) return locked;
  if (locked.state === 'completed') throw dbrError('SessionTerminal', { state: locked.state });
  const reason = 'replaced';
  const applied = await applyAndNotify(context, transaction, replaces, () => ({ kind: 'cancel', reason }));
  if (applied.kind === 'not-found') throw dbrError('SessionNotFound');
  if (applied.transitions.length > 0)
    await audit(transaction, actor, {
      action: 'session.cancel',
      subject: `session:${replaces}`,
      before: null,
      after: { reason },
    });
  return applied.session;
}

const replacedError = (sessionId: SessionId): DbrError => dbrError('SessionReplaced', { sessionId });

/**
 * The session that the same request created before, whatever state the account is in now.
 * @throws DbrError SessionConflict if another request has used the identifier or the idempotency key
 */
async function findExisting(
  transaction: DatabaseTask,
  { actor, idempotencyKey, body }: NewSession,
  draft: SessionDraft,
): Promise<SessionRecord | null> {
  const byKey =
    idempotencyKey === null ? null : await findSessionByKey(transaction, actor.userId, idempotencyKey);
  const byId = body.sessionId === undefined ? null : await findSession(transaction, draft.sessionId);
  const existing = byKey ?? byId;
  if (existing === null) return null;
  const isSame = existing.requestSha256.equals(draft.requestSha256);
  const contradicts = byId !== null && byKey !== null && byId.sessionId !== byKey.sessionId;
  const hasOtherId = body.sessionId !== undefined && existing.sessionId !== draft.sessionId;
  if (!isSame || contradicts || hasOtherId) throw dbrError('SessionConflict');
  return existing;
}

/** A concurrent request has inserted the identifier or the key, or has replaced the session: the same request sent twice, or another one. */
async function sessionOfRace(
  transaction: DatabaseTask,
  request: NewSession,
  draft: SessionDraft,
  otherwise: DbrError,
): Promise<CreatedSession> {
  const existing = await findExisting(transaction, request, draft);
  if (existing === null) throw otherwise;
  return { session: existing, created: false };
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

/** Writes all that belongs to a new session: participants, the share, the first event, the audit entry, the notification. */
async function complete(
  context: SigningContext,
  transaction: DatabaseTask,
  { actor }: NewSession,
  draft: SessionDraft,
  account: Account,
  chosen: ChosenParties,
): Promise<SessionRecord> {
  const { sessionId, share } = draft;
  await insertParticipants(transaction, sessionId, actor.tenantId, JSON.stringify(chosen.shares));
  if (share !== null) await storeFirstShare(transaction, actor, draft, share, account, chosen);
  const participants = chosen.shares.map(({ partyId }) => partyId);
  const data = { partySource: chosen.partySource, threshold: account.threshold, participants };
  const { request, replaces } = draft;
  const entry = replaces === null ? data : { ...data, replaces };
  await insertCreatedEvent(transaction, sessionId, actor.tenantId, JSON.stringify(data));
  await audit(transaction, actor, {
    action: 'session.create',
    subject: `session:${sessionId}`,
    before: null,
    after: request === null ? entry : { ...entry, ...requestView(request) },
  });
  const session = await findSession(transaction, sessionId);
  if (session === null) throw new Error('a session that was inserted cannot be read');
  await notifyOfCreation(context.notifications, transaction, session, share !== null);
  return session;
}

/** Position of the event `created`, with which the share is delivered. */
const FIRST_EVENT = 1;

/** @throws DbrError DelegateShareInvalid, DelegateKeyUnknown, DelegateShareReused */
async function storeFirstShare(
  transaction: DatabaseTask,
  { tenantId, userId }: Actor,
  { sessionId, messageDigest, message, derivationPath }: SessionDraft,
  share: DelegateUserShare,
  { accountId }: Account,
  { delegate }: ChosenParties,
): Promise<void> {
  if (delegate === null) return;
  const delegatePartyId = delegate.partyId;
  const content = { messageDigest, hasMessage: message !== null, derivationPath };
  const binding = { tenantId, accountId, sessionId, delegatePartyId, ...content };
  requireShare(share, binding, '/delegateUserShare');
  await storeShare(transaction, binding, share, userId, FIRST_EVENT);
}

interface SessionRowDraft {
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
async function insertSession(
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
      draft.request?.content ?? null,
      draft.request === null ? null : JSON.stringify(draft.request.signatures),
      draft.replaces,
      draft.message,
    ],
  });
  return inserted !== null;
}

// The statements that insert a session with its participants and its first event.

const INSERT_SESSION = sql`
insert into dbr_signing.signing_sessions
  (session_id, tenant_id, account_id, created_by, idempotency_key, party_source, threshold, protocol, message_digest,
    derivation_path, metadata, request_sha256, event_sequence, ready_by, expires_at, request, request_signatures,
    replaces, message)
values
  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 1,
    pg_catalog.now() + pg_catalog.make_interval(secs => least($13::integer, $14::integer)),
    pg_catalog.now() + pg_catalog.make_interval(secs => $14::integer), $15, $16::jsonb,
    $17, $18)
on conflict do nothing
returning session_id`;

/** @param shares the chosen `AccountShare`s, as JSON text */
export const insertParticipants = query.none<[sessionId: SessionId, tenantId: TenantId, shares: string]>(sql`
insert into dbr_signing.session_participants (session_id, tenant_id, party_id, share_index, share_type)
select $1, $2, chosen."partyId", chosen."shareIndex", chosen."shareType"
from pg_catalog.json_to_recordset($3::json) as chosen (
  "partyId" text, "shareIndex" integer, "shareType" dbr_signing.share_type
)`);

/** Inserts the event `created`, the first of the session. @param data as JSON text */
export const insertCreatedEvent = query.none<[sessionId: SessionId, tenantId: TenantId, data: string]>(sql`
insert into dbr_signing.session_events (session_id, tenant_id, sequence, type, state, data)
values ($1, $2, 1, 'created', 'created', $3::jsonb)`);
