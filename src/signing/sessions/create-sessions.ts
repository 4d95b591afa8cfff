/** Creation of several sessions of an account by one request: all of them, or none. */
import type { SigningSessionRequest } from '../../../generated/types.js';
import { lengthPrefixed } from '../../base/bytes.js';
import { sha256 } from '../../base/hash.js';
import type { AccountId } from '../../base/identifiers.js';
import { pauseBetween } from '../../base/turns.js';
import { DbrError, dbrError, invalidBody } from '../../errors/dbr-error.js';
import type { DatabaseTask } from '../../postgres/transaction.js';
import { knowsOf, requireSign, type Actor } from '../access.js';
import { lockAccountShared } from '../accounts/account-store.js';
import type { SigningContext } from '../context.js';
import { inTenant } from '../transaction.js';
import { completeSessions, insertSessions, planSession, type PlannedSession } from './insert-sessions.js';
import { sessionDraft, type SessionDraft } from './session-draft.js';
import type { SessionRecord } from './session-record.js';
import { findSessionsByKeys } from './session-store.js';

interface NewSessions {
  readonly actor: Actor;
  readonly accountId: AccountId;
  readonly idempotencyKey: string | null;
  /** Takes the rate limit of the account, for new sessions alone. @throws DbrError RateLimited */
  readonly admit: () => Promise<void>;
  readonly bodies: readonly SigningSessionRequest[];
}

interface CreatedSessions {
  /** In the order of the request. */
  readonly sessions: readonly SessionRecord[];
  /** False if the same request created them before. */
  readonly created: boolean;
}

/**
 * Creates the sessions, or finds those that the same request created before.
 * @throws DbrError as `createSession`; what concerns one session has its place in `problems`
 */
export async function createSessions(
  context: SigningContext,
  request: NewSessions,
): Promise<CreatedSessions> {
  const { actor, accountId } = request;
  const drafts = await draftsOf(request);
  const result = await inTenant(context.pool, actor.tenantId, async (transaction) => {
    const account = await lockAccountShared(transaction, accountId);
    if (account === null || !knowsOf(actor, account)) throw dbrError('AccountNotFound');
    requireSign(actor, account);
    const before = await findExisting(transaction, request, drafts);
    if (before !== null) return { sessions: before, created: false };
    await request.admit();
    const creation = { context, transaction, actor, account };
    const keys = keysOf(request, drafts);
    const planned: PlannedSession[] = [];
    for (const [index, draft] of drafts.entries()) {
      planned.push(placed(index, () => planSession(creation, draft, keys?.get(draft) ?? null)));
      // Signatures of requests are verified, up to 16 of each session.
      await pauseBetween();
    }
    const inserted = await insertSessions(creation, planned);
    if (inserted < planned.length) {
      // A concurrent request has inserted an identifier or a key: the same request sent twice, or another one.
      const others = inserted === 0 ? await findExisting(transaction, request, drafts) : null;
      if (others === null) throw dbrError('SessionConflict');
      return { sessions: others, created: false };
    }
    return { sessions: await completeSessions(creation, planned), created: true };
  });
  if (result.created) context.written(result.sessions);
  return result;
}

/** @throws DbrError as `sessionDraft`, and InvalidBody for what a session of a batch does not have */
async function draftsOf({ bodies, accountId, actor }: NewSessions): Promise<readonly SessionDraft[]> {
  const drafts: SessionDraft[] = [];
  for (const [index, body] of bodies.entries()) {
    const draft = placed(index, () => {
      for (const member of ['delegateUserShare', 'replaces'] as const)
        if (body[member] !== undefined)
          throw invalidBody(`/${member}`, 'unexpected', 'is for a session that is created by itself');
      return sessionDraft(body, accountId, actor);
    });
    if (drafts.some(({ sessionId }) => sessionId === draft.sessionId))
      placed(index, () => {
        throw invalidBody('/sessionId', 'duplicate', 'is that of another session of the batch');
      });
    // Sessions of another batch, or by themselves, are other requests.
    const place = `${String(index)} of ${String(bodies.length)}`;
    drafts.push({ ...draft, requestSha256: sha256(lengthPrefixed([draft.requestSha256, place])) });
    await pauseBetween();
  }
  return drafts;
}

/**
 * The idempotency keys of the sessions; null without one. They are numbered in the order in which the rows are inserted, so that
 * two transactions with one key wait for each other at the first. No header has a line end: the keys are of batches alone.
 */
function keysOf(
  { idempotencyKey }: NewSessions,
  drafts: readonly SessionDraft[],
): ReadonlyMap<SessionDraft, string> | null {
  if (idempotencyKey === null) return null;
  const sorted = drafts.toSorted((one, other) => (one.sessionId < other.sessionId ? -1 : 1));
  return new Map(sorted.map((draft, index) => [draft, `${idempotencyKey}\n${String(index)}`]));
}

/**
 * The sessions that the same request created before; null if there are none with its identifiers or its key.
 * @throws DbrError SessionConflict if another request has used one of them
 */
async function findExisting(
  transaction: DatabaseTask,
  request: NewSessions,
  drafts: readonly SessionDraft[],
): Promise<readonly SessionRecord[] | null> {
  const { actor, bodies } = request;
  const named = drafts.filter((_, index) => bodies[index]?.sessionId !== undefined);
  const keys = [...(keysOf(request, drafts)?.values() ?? [])];
  if (named.length === 0 && keys.length === 0) return null;
  const sessionIds = named.map(({ sessionId }) => sessionId);
  const found = await findSessionsByKeys(transaction, sessionIds, actor.userId, keys);
  if (found.length === 0) return null;
  const same = drafts.map((draft) =>
    found.find(
      ({ requestSha256, sessionId }) =>
        requestSha256.equals(draft.requestSha256) &&
        (!named.includes(draft) || sessionId === draft.sessionId),
    ),
  );
  const sessions = same.filter((session) => session !== undefined);
  if (sessions.length === drafts.length) return sessions;
  const isTaken = drafts.map(({ sessionId }) => found.some((session) => session.sessionId === sessionId));
  const taken = same.findIndex((session, index) => session === undefined && isTaken[index] === true);
  return placed(taken < 0 ? same.indexOf(undefined) : taken, () => {
    throw dbrError('SessionConflict');
  });
}

/** Adds to an error which session of the batch it concerns. */
function placed<Result>(index: number, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DbrError)) throw error;
    const { name, status, message, details, hint, headers, code } = error;
    const own = error.problems ?? [{ path: '', code, message }];
    const problems = own.map((problem) => ({
      ...problem,
      path: `/sessions/${String(index)}${problem.path}`,
    }));
    throw new DbrError(name, status, { message, details, hint }, { headers, problems });
  }
}
