/** The sessions of parties, for the router. Every call is made by a party that must take part in the session. */
import type { Gone } from '../../base/gone.js';
import { isPartyId, parseSessionId, type PartyId, type SessionId } from '../../base/identifiers.js';
import { storableText } from '../../operations/storable-text.js';
import type { Pool } from '../../postgres/pool.js';
import type { DatabaseTask } from '../../postgres/transaction.js';
import { sha256 } from '../../base/hash.js';
import type { SigningContext } from '../context.js';
import {
  InvalidSignatureForm,
  PartyRefused,
  type PartyIdentity,
  type PartyRefusal,
  type PartyResult,
  type PartySession,
  type SigningSessions,
  type SignedStatement,
} from '../router-port.js';
import { eraseShare } from '../shares/share-store.js';
import { inTenant, queryInTenant } from '../transaction.js';
import type { SessionState } from '../types.js';
import { partyEvents } from './party-events.js';
import { reportCertificate } from './report-certificate.js';
import { runTrigger, type Applied, type TriggerOf } from './apply-trigger.js';
import { type PartyWatches, partyKey } from './session-changes.js';
import type { Refusal, Trigger } from './session-machine.js';
import { partySession, type SessionRecord } from './session-record.js';
import { findMessage, findSession } from './session-store.js';
import { normalizeSignature, verifySignature } from './verify-signature.js';
import { audit } from '../audit.js';
import { insertEquivocation } from './transition-store.js';
import { query } from '../../postgres/query.js';
import { sql } from '../../postgres/sql.js';
import { watchKey } from '../../postgres/watch-sets.js';

/** Characters of the detail of an abort. */
const MAX_DETAIL = 500;

export function createPartySessions(context: SigningContext, watches: PartyWatches): SigningSessions {
  return {
    async session(party, sessionId) {
      const identifier = requireId(sessionId);
      return await queryInTenant(context.pool, party.tenantId, async (transaction) =>
        partySession(requireParticipant(party, await findSession(transaction, identifier))),
      );
    },
    async message(party, sessionId) {
      const found = await queryInTenant(context.pool, party.tenantId, (transaction) =>
        findMessage(transaction, sessionId),
      );
      return found?.message ?? null;
    },
    join: (party, sessionId, instanceId) =>
      trigger(context, party, sessionId, () => ({ kind: 'join', partyId: party.partyId, instanceId })),
    async reportResult(party, sessionId, result) {
      if (result.kind !== 'certificate')
        return await trigger(context, party, sessionId, async (session, transaction) =>
          resultTrigger(party, session, result, await signedMessage(transaction, session, result.kind)),
        );
      const identifier = requireId(sessionId);
      const session = await queryInTenant(context.pool, party.tenantId, async (transaction) =>
        requireParticipant(party, await findSession(transaction, identifier)),
      );
      return appliedSession(await reportCertificate(context, party, session, result));
    },
    equivocation: (party, sessionId, first, second) =>
      trigger(
        context,
        party,
        sessionId,
        () => ({
          kind: 'equivocation',
          partyId: party.partyId,
          firstSha256: sha256(first.statement).toString('hex'),
          secondSha256: sha256(second.statement).toString('hex'),
        }),
        (transaction) => recordEquivocation(transaction, party, requireId(sessionId), first, second),
      ),
    async acknowledgeShare(party, sessionId) {
      const identifier = requireId(sessionId);
      const { share } = await queryInTenant(context.pool, party.tenantId, async (transaction) =>
        requireParticipant(party, await findSession(transaction, identifier)),
      );
      // An undelivered share stays: the acknowledgement cannot be about it.
      if (share?.delegatePartyId === party.partyId && share.undeliveredUntil === null && !share.isErased)
        await inTenant(context.pool, party.tenantId, (transaction) => eraseShare(transaction, identifier));
    },
    inProgress: (party, limit, signal) => sessionsInProgress(context.pool, watches, party, limit, signal),
    subscribe: (party, afterEventId, signal) =>
      partyEvents(context.pool, watches, party, afterEventId, signal),
  };
}

/**
 * Applies a trigger of the party.
 * @param also runs in the same transaction, after the party was found to take part
 * @throws PartyRefused
 */
async function trigger(
  context: SigningContext,
  party: PartyIdentity,
  sessionId: string,
  triggerOf: TriggerOf,
  also?: (transaction: DatabaseTask) => Promise<void>,
): Promise<PartySession> {
  const applied = await runTrigger(
    context,
    party.tenantId,
    requireId(sessionId),
    (session, transaction) => triggerOf(requireParticipant(party, session), transaction),
    also === undefined ? undefined : { also },
  );
  return appliedSession(applied);
}

/** @throws PartyRefused */
function appliedSession(applied: Applied): PartySession {
  switch (applied.kind) {
    case 'not-found':
      throw new PartyRefused({ kind: 'not-found' });
    case 'refused':
      throw new PartyRefused(refusalOf(applied.refusal, applied.session.effectiveState));
    case 'applied':
      return partySession(applied.session);
  }
}

/** @throws PartyRefused for text that is not the identifier of a session */
function requireId(text: string): SessionId {
  const sessionId = parseSessionId(text);
  if (sessionId === null) throw new PartyRefused({ kind: 'not-found' });
  return sessionId;
}

/**
 * Checks that the party takes part and is active now: it may have been suspended since it connected.
 * @throws PartyRefused
 */
function requireParticipant({ partyId }: PartyIdentity, session: SessionRecord | null): SessionRecord {
  const participant = session?.participants.find((candidate) => candidate.partyId === partyId);
  if (session === null || participant === undefined) throw new PartyRefused({ kind: 'not-found' });
  if (participant.partyStatus !== 'active') throw new PartyRefused({ kind: 'party-not-active' });
  return session;
}

/** The message that a reported signature is over; null where that is the digest. */
async function signedMessage(
  transaction: DatabaseTask,
  { sessionId, hasMessage }: SessionRecord,
  reported: PartyResult['kind'],
): Promise<Buffer | null> {
  if (!hasMessage || reported !== 'signature') return null;
  return (await findMessage(transaction, sessionId))?.message ?? null;
}

/** @throws InvalidSignatureForm */
function resultTrigger(
  { partyId }: PartyIdentity,
  session: SessionRecord,
  result: Exclude<PartyResult, { readonly kind: 'certificate' }>,
  message: Buffer | null,
): Trigger {
  switch (result.kind) {
    case 'signature': {
      if (session.ceremony !== null)
        throw new InvalidSignatureForm('signature: the session is a ceremony, whose result is a certificate');
      const signature = normalizeSignature(session.protocol, result.signature);
      // A form is not fraud: the session continues, and the party may report again.
      if (signature === null)
        throw new InvalidSignatureForm(`signature: is no signature of the protocol ${session.protocol}`);
      const verdict = verifySignature({ ...session, message }, signature);
      return { kind: 'report-signature', partyId, signature: signature.bytes.toString('hex'), ...verdict };
    }
    case 'abort': {
      const { reason } = result;
      const culprits = [...new Set(result.culpritPartyIds)].filter(isPartyId);
      // Cut first: the cut may leave half of a surrogate pair.
      const detail = storableText(result.detail.slice(0, MAX_DETAIL));
      return { kind: 'report-abort', partyId, reason, culprits, detail };
    }
  }
}

function refusalOf(refusal: Refusal, state: SessionState): PartyRefusal {
  switch (refusal.kind) {
    case 'not-a-participant':
      return { kind: 'not-found' };
    case 'terminal':
      return { kind: 'terminal', state: refusal.state };
    case 'wrong-state':
      return { kind: 'wrong-state', state: refusal.state };
    case 'share-unexpected':
    case 'share-supplied-already':
      return { kind: 'wrong-state', state };
  }
}

// Proofs of equivocation: two statements that a party signed and that contradict each other.

/** Stores the proof in the transaction that fails the session; the audit log receives the hashes of the statements. */
async function recordEquivocation(
  transaction: DatabaseTask,
  party: PartyIdentity,
  sessionId: SessionId,
  first: SignedStatement,
  second: SignedStatement,
): Promise<void> {
  await insertEquivocation(transaction, party, sessionId, first, second);
  const { tenantId, partyId } = party;
  const hash = ({ statement }: SignedStatement): object => ({ sha256: sha256(statement).toString('hex') });
  const actor = { tenantId, userId: null, name: `party:${partyId}`, remoteAddress: '' };
  await audit(transaction, actor, {
    action: 'session.equivocation',
    subject: `session:${sessionId}`,
    before: hash(first),
    after: hash(second),
  });
}

// The sessions in progress of a party, live.

/** Row security selects the tenant. */
const findInProgress = query.any<[partyId: PartyId, limit: number], Pick<SessionRecord, 'sessionId'>>(sql`
select session.session_id as "sessionId"
from dbr_signing.session_participants as participant
join dbr_signing.signing_sessions as session on session.session_id = participant.session_id
where participant.tenant_id = (select dbr_signing.tenant_id())
  and participant.party_id = $1
  and session.state = 'in_progress'
  and pg_catalog.now() < dbr_signing.deadline(session.state, session.ready_by, session.expires_at)
order by session.session_id
limit $2`);

/** Yields at the beginning and after each event of a session of the party, see `SigningSessions.inProgress`. */
async function* sessionsInProgress(
  pool: Pool,
  watches: PartyWatches,
  party: PartyIdentity,
  limit: number,
  signal: Gone,
): AsyncGenerator<readonly SessionId[]> {
  const watch = watchKey(watches, partyKey(party), party.tenantId);
  try {
    while (!signal.aborted) {
      watch.due = false;
      const rows = await queryInTenant(pool, party.tenantId, (transaction) =>
        findInProgress(transaction, party.partyId, limit),
      );
      yield rows.map(({ sessionId }) => sessionId);
      await watch.next(null, signal);
    }
  } finally {
    watch.close();
  }
}
