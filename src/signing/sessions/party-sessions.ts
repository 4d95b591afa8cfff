/** Sessions as the router uses them: each call is made by a party, and only for sessions that it takes part in. */
import type { DatabaseTask } from '../../postgres/database.js';
import { runTrigger, type SigningContext } from '../context.js';
import { keepEquivocation } from './equivocation.js';
import { partyEvents } from './party-events.js';
import {
  PartyRefused,
  type PartyIdentity,
  type PartyRefusal,
  type PartyResult,
  type PartySession,
  type SigningSessions,
} from '../router-port.js';
import type { Refusal, SessionState, Trigger } from './session-machine.js';
import { partySession, type SessionRecord } from './session-record.js';
import { findSession, lockSession } from './session-rows.js';
import { eraseShare } from './apply-trigger.js';
import { inTenant } from '../transaction.js';
import { storableText } from '../../operations/storable-text.js';
import { parseUuid } from '../../operations/uuid.js';
import { normalizeSignature, verifySignature } from './verify-signature.js';
import type { PartyWatches } from './session-changes.js';
import { sha256 } from '../../sha256.js';

const MAX_DETAIL = 500;

export function createPartySessions(context: SigningContext, watches: PartyWatches): SigningSessions {
  /** @param also done in the same transaction, where the session is there */
  async function run(
    party: PartyIdentity,
    sessionId: string,
    trigger: (session: SessionRecord) => Trigger,
    also?: (transaction: DatabaseTask) => Promise<void>,
  ): Promise<PartySession> {
    const identifier = identified(sessionId);
    const options = also === undefined ? undefined : { also };
    const applied = await runTrigger(
      context,
      party.tenantId,
      identifier,
      (session) => {
        demandParticipant(party, session);
        return trigger(session);
      },
      options,
    );
    switch (applied.kind) {
      case 'not-found':
        throw new PartyRefused({ kind: 'not-found' });
      case 'refused':
        throw new PartyRefused(refusalOf(applied.refusal, applied.session.effectiveState));
      case 'applied':
        return partySession(applied.session);
    }
  }

  return {
    session(party, sessionId) {
      const identifier = identified(sessionId);
      return inTenant(context.database, party.tenantId, async (transaction) => {
        const session = await findSession(transaction, identifier);
        if (session === null) throw new PartyRefused({ kind: 'not-found' });
        demandParticipant(party, session);
        return partySession(session);
      });
    },
    join: (party, sessionId, instanceId) =>
      run(party, sessionId, () => ({ kind: 'join', partyId: party.partyId, instanceId })),
    reportResult: (party, sessionId, result) =>
      run(party, sessionId, (session) => resultTrigger(party, session, result)),
    equivocation: (party, sessionId, first, second) =>
      run(
        party,
        sessionId,
        () => ({
          kind: 'equivocation',
          partyId: party.partyId,
          firstSha256: sha256(first.statement).toString('hex'),
          secondSha256: sha256(second.statement).toString('hex'),
        }),
        (transaction) => keepEquivocation(transaction, party, sessionId, first, second),
      ),
    acknowledgeShare(party, sessionId) {
      const identifier = identified(sessionId);
      return inTenant(context.database, party.tenantId, async (transaction) => {
        const session = await lockSession(transaction, identifier);
        if (session === null) throw new PartyRefused({ kind: 'not-found' });
        demandParticipant(party, session);
        // An undelivered share stays: an acknowledgement says nothing of what was never handed out.
        const { share } = session;
        if (share?.delegatePartyId === party.partyId && share.undeliveredUntil === null)
          await eraseShare(transaction, identifier);
      });
    },
    subscribe: (party, afterEventId, signal) =>
      partyEvents(context.database, watches, party, afterEventId, signal),
  };
}

/** @throws PartyRefused for what identifies no session */
function identified(sessionId: string): string {
  const identifier = parseUuid(sessionId);
  if (identifier === null) throw new PartyRefused({ kind: 'not-found' });
  return identifier;
}

/** As the registry has it now: a party may have been suspended since it connected. */
function demandParticipant({ partyId }: PartyIdentity, { participants }: SessionRecord): void {
  const participant = participants.find((candidate) => candidate.partyId === partyId);
  if (participant === undefined) throw new PartyRefused({ kind: 'not-found' });
  if (participant.partyStatus !== 'active') throw new PartyRefused({ kind: 'party-not-active' });
}

function resultTrigger({ partyId }: PartyIdentity, session: SessionRecord, result: PartyResult): Trigger {
  switch (result.kind) {
    case 'signature': {
      const signature = normalizeSignature(session.protocol, result.signature);
      const valid = signature === null ? false : verifySignature(session, signature);
      const reported = (signature ?? result.signature).toString('hex');
      return { kind: 'report-signature', partyId, signature: reported, valid };
    }
    case 'abort': {
      const { reason, culpritPartyIds: culprits } = result;
      const detail = storableText(result.detail).slice(0, MAX_DETAIL);
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
