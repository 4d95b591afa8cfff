/** Creating a session: who takes part is settled here, once, and everything it needs is written in one transaction. */
import type { SigningProtocol, SigningSessionRequest } from '../../../generated/types.js';
import type { Caller } from '../../auth/caller.js';
import { dbrError, type Problem } from '../../errors/dbr-error.js';
import type { DatabaseTask } from '../../postgres/database.js';
import { demandSign, isOwner, knowsOf, type Actor } from '../access.js';
import { findAccountToSign, type Account } from '../accounts/account-store.js';
import { audit } from '../audit.js';
import type { SigningContext } from '../context.js';
import { shareOf } from '../shares/delegate-share.js';
import { lengthPrefixed } from '../../length-prefixed.js';
import { notifyOfDelegate } from '../owner-notifications.js';
import { chooseParties, type ChosenParties } from '../accounts/signing-parties.js';
import type { DelegateUserShare } from '../router-port.js';
import type { SessionRecord } from './session-record.js';
import { findSession, findSessionByKey } from './session-rows.js';
import { demandShare, storeShare } from '../shares/share-store.js';
import { inTenant } from '../transaction.js';
import { parseUuid, uuidV7 } from '../../operations/uuid.js';
import { DEFAULT_PROTOCOL, KEY_TYPE_OF_PROTOCOL } from './verify-signature.js';
import { sha256 } from '../../sha256.js';

export interface NewSession {
  readonly caller: Caller;
  readonly actor: Actor;
  readonly accountId: string;
  readonly idempotencyKey: string | null;
  /** Throws when the account has had its sessions of the minute; asked for new sessions alone. */
  readonly admit: () => void;
  readonly body: SigningSessionRequest;
}

const DEFAULT_TTL_SECONDS = 300;
const MAX_METADATA_BYTES = 4096;

interface Draft {
  readonly sessionId: string;
  readonly messageDigest: Buffer;
  readonly protocol: SigningProtocol | null;
  readonly derivationPath: readonly number[];
  readonly ttlSeconds: number;
  /** JSON text. */
  readonly metadata: string;
  readonly share: DelegateUserShare | null;
  readonly requestSha256: Buffer;
}

/**
 * Creates the session, or finds the one that the same request created before.
 * @throws DbrError AccountNotFound, Forbidden, SessionConflict and what `chooseParties` and `demandShare` throw
 */
export async function createSession(
  context: SigningContext,
  request: NewSession,
): Promise<{ readonly session: SessionRecord; readonly created: boolean }> {
  const draft = draftOf(request);
  const result = await inTenant(context.database, request.actor.tenantId, async (transaction) => {
    const account = await findAccountToSign(transaction, request.accountId);
    if (account === null || !knowsOf(request.caller, account.ownerUserId)) throw dbrError('AccountNotFound');
    demandSign(request.caller, account.ownerUserId);
    const existing = await findExisting(transaction, request, draft);
    if (existing !== null) return { session: existing, created: false };
    request.admit();
    demandShareRights(request.caller, account, draft.share);
    const chosen = chooseParties(account, draft.share !== null);
    if (chosen.delegate !== null && draft.share === null && isOwner(request.caller, account.ownerUserId))
      throw dbrError('DelegateShareRequired');
    return await insert(context, transaction, request, draft, account, chosen);
  });
  if (result.created) context.written([result.session]);
  return result;
}

function draftOf({ body, accountId, actor }: NewSession): Draft {
  const metadata = JSON.stringify(body.metadata ?? {});
  if (Buffer.byteLength(metadata) > MAX_METADATA_BYTES) {
    const message = 'must not be larger than 4 KiB as JSON';
    const problems: readonly Problem[] = [{ path: '/metadata', code: 'size', message }];
    throw dbrError('InvalidBody', { details: `'/metadata' ${message}` }, { problems });
  }
  const share = body.delegateUserShare === undefined ? null : shareOf(body.delegateUserShare);
  if (share !== null && body.sessionId === undefined) {
    const message = 'must be chosen by the caller, since the share is encrypted for it';
    const problems: readonly Problem[] = [{ path: '/sessionId', code: 'required', message }];
    throw dbrError('DelegateShareInvalid', {}, { problems });
  }
  const messageDigest = Buffer.from(body.messageDigest, 'hex');
  const derivationPath = body.derivationPath ?? [];
  const protocol = body.protocol ?? null;
  const ttlSeconds = body.ttlSeconds ?? DEFAULT_TTL_SECONDS;
  const said = [
    accountId,
    actor.userId,
    protocol ?? '',
    JSON.stringify([ttlSeconds, derivationPath]),
    metadata,
  ];
  return {
    sessionId: (body.sessionId === undefined ? null : parseUuid(body.sessionId)) ?? uuidV7(),
    messageDigest,
    protocol,
    derivationPath,
    ttlSeconds,
    metadata,
    share,
    requestSha256: sha256(lengthPrefixed([...said, messageDigest, ...shareParts(share)])),
  };
}

const shareParts = (share: DelegateUserShare | null): readonly (string | Buffer)[] =>
  share === null
    ? []
    : [share.delegatePartyId, share.recipientKeyId, share.aadSha256, sha256(share.ciphertext.reveal())];

/** The session of the same request, whatever has become of the account since. */
async function findExisting(
  transaction: DatabaseTask,
  { actor, idempotencyKey, body }: NewSession,
  draft: Draft,
): Promise<SessionRecord | null> {
  const byKey =
    idempotencyKey === null ? null : await findSessionByKey(transaction, actor.userId, idempotencyKey);
  const byId = body.sessionId === undefined ? null : await findSession(transaction, draft.sessionId);
  const existing = byKey ?? byId;
  if (existing === null) return null;
  const same = existing.requestSha256.equals(draft.requestSha256);
  const contradicts = byId !== null && byKey !== null && byId.sessionId !== byKey.sessionId;
  const otherId = body.sessionId !== undefined && existing.sessionId !== draft.sessionId;
  if (!same || contradicts || otherId) throw dbrError('SessionConflict');
  return existing;
}

function demandShareRights(caller: Caller, account: Account, share: DelegateUserShare | null): void {
  if (share !== null && !isOwner(caller, account.ownerUserId))
    throw dbrError('Forbidden', { details: 'Only the owner of the account may supply the share.' });
}

/** @throws DbrError ProtocolUnsuitable */
function protocolOf({ keyType }: Account, { protocol }: Draft): SigningProtocol {
  if (protocol === null) return DEFAULT_PROTOCOL[keyType];
  if (KEY_TYPE_OF_PROTOCOL[protocol] !== keyType) throw dbrError('ProtocolUnsuitable', { protocol, keyType });
  return protocol;
}

const INSERT_SESSION = `
insert into dbr_signing.signing_sessions
  (session_id, tenant_id, account_id, created_by, idempotency_key, party_source, threshold, protocol, message_digest,
    derivation_path, metadata, request_sha256, event_sequence, ready_by, expires_at)
values
  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 1,
    pg_catalog.now() + pg_catalog.make_interval(secs => least($13::integer, $14::integer)),
    pg_catalog.now() + pg_catalog.make_interval(secs => $14::integer))
on conflict do nothing
returning session_id`;

const INSERT_PARTICIPANTS = `
insert into dbr_signing.session_participants (session_id, tenant_id, party_id, share_index, share_type)
select $1, $2, chosen.party_id, chosen.share_index, chosen.share_type::dbr_signing.share_type
from rows from (
  pg_catalog.unnest($3::text[]),
  pg_catalog.unnest($4::integer[]),
  pg_catalog.unnest($5::text[])
) as chosen (party_id, share_index, share_type)`;

const INSERT_CREATED = `
insert into dbr_signing.session_events (session_id, tenant_id, sequence, type, state, data)
values ($1, $2, 1, 'created', 'created', $3::jsonb)`;

async function insert(
  context: SigningContext,
  transaction: DatabaseTask,
  request: NewSession,
  draft: Draft,
  account: Account,
  chosen: ChosenParties,
): Promise<{ readonly session: SessionRecord; readonly created: boolean }> {
  const { actor, idempotencyKey } = request;
  const { sessionId, share } = draft;
  const inserted = await transaction.oneOrNone<object>({
    text: INSERT_SESSION,
    values: [
      sessionId,
      actor.tenantId,
      account.accountId,
      actor.userId,
      idempotencyKey,
      chosen.partySource,
      account.threshold,
      protocolOf(account, draft),
      draft.messageDigest,
      draft.derivationPath,
      draft.metadata,
      draft.requestSha256,
      context.readySeconds,
      draft.ttlSeconds,
    ],
  });
  if (inserted === null) return await lostRace(transaction, request, draft);
  await transaction.none({
    text: INSERT_PARTICIPANTS,
    values: [
      sessionId,
      actor.tenantId,
      chosen.shares.map(({ partyId }) => partyId),
      chosen.shares.map(({ shareIndex }) => shareIndex),
      chosen.shares.map(({ shareType }) => shareType),
    ],
  });
  if (share !== null && chosen.delegate !== null) {
    const { messageDigest, derivationPath } = draft;
    const binding = {
      tenantId: actor.tenantId,
      accountId: account.accountId,
      sessionId,
      delegatePartyId: chosen.delegate.partyId,
      messageDigest,
      derivationPath,
    };
    demandShare(share, binding);
    await storeShare(transaction, binding, share, actor.userId, 1);
  }
  const participants = chosen.shares.map(({ partyId }) => partyId);
  const told = { partySource: chosen.partySource, threshold: account.threshold, participants };
  await transaction.none({
    text: INSERT_CREATED,
    values: [sessionId, actor.tenantId, JSON.stringify(told)],
  });
  const subject = `session:${sessionId}`;
  await audit(transaction, actor, { action: 'session.create', subject, before: null, after: told });
  const session = await findSession(transaction, sessionId);
  if (session === null) throw new Error('a session that was inserted cannot be read');
  if (share !== null) await notifyOfDelegate(context.notifications, transaction, session);
  return { session, created: true };
}

/** Somebody used the identifier or the key since we looked: perhaps the same request, sent twice. */
async function lostRace(
  transaction: DatabaseTask,
  request: NewSession,
  draft: Draft,
): Promise<{ readonly session: SessionRecord; readonly created: boolean }> {
  const existing = await findExisting(transaction, request, draft);
  if (existing === null) throw dbrError('SessionConflict');
  return { session: existing, created: false };
}
