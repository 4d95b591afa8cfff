/** Inserts a session with its participants and its first event. */
import type { DatabaseTask } from '../../postgres/database.js';
import type { SessionId, TenantId } from '../../base/identifiers.js';
import type { SigningProtocol } from '../../../generated/types.js';
import type { Actor } from '../access.js';
import type { Account } from '../accounts/account-store.js';
import type { ChosenParties } from '../accounts/signing-parties.js';
import { INSERT_CREATED_EVENT, INSERT_PARTICIPANTS, INSERT_SESSION } from './new-session-sql.js';
import type { SessionDraft } from './session-draft.js';

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
