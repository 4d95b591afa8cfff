/** The sessions that a party takes part in, from the first event to the end. */
import { setMaxListeners } from 'node:events';
import { status } from '@grpc/grpc-js';
import {
  FailureReason,
  SessionEventType,
  SessionState,
  type Session,
  type SessionEvent,
} from '../../generated/proto/router/v1/router_pb.js';
import { checkSession } from './check-session.js';
import { openShare, wipe } from './delegate-share.js';
import type { FrostSecret } from './frost.js';
import type { Party } from './party.js';
import { codeOf, persevere } from './persevere.js';
import { ProtocolFault } from './protocol-fault.js';
import { signTogether } from './sign-together.js';
import { takeRequest, verifyRequest } from './verify-request.js';

interface OpenSession {
  /** Aborted when the session has ended, or the party gave it up. */
  readonly ended: AbortController;
  /** The delegate's share, once it was supplied. */
  supplied: FrostSecret | null;
  isJoined: boolean;
  /** Events are processed one after the other. */
  work: Promise<void>;
}

export interface Sessions {
  /** Returns at once. */
  take(event: SessionEvent): void;
  /** Forgets what it holds. */
  close(): void;
}

/** @param report receives error messages without key material */
export function createSessions(party: Party, report: (text: string) => void): Sessions {
  const open = new Map<string, OpenSession>();
  const stopping = new AbortController();
  // Each session may wait on it; the runtime would take more than ten for a leak.
  setMaxListeners(0, stopping.signal);

  async function step(one: OpenSession, session: Session, event: SessionEvent): Promise<void> {
    switch (event.type) {
      case SessionEventType.CREATED:
        checkSession(party, session);
        await requireEnded(session.replaces);
        await supply(one, session, event);
        await joinApproved(one, session);
        return;
      case SessionEventType.APPROVED:
        await joinApproved(one, session);
        return;
      case SessionEventType.DELEGATE_SHARE_SUPPLIED:
        await supply(one, session, event);
        return;
      case SessionEventType.STARTED:
        // Not waited for: the session may end meanwhile, and that is an event as well.
        void attempt(one, session, () => sign(one, session));
        return;
      case SessionEventType.COMPLETED:
      case SessionEventType.FAILED:
      case SessionEventType.EXPIRED:
      case SessionEventType.CANCELLED:
        end(one, session.sessionId);
        return;
      case SessionEventType.PARTY_JOINED:
      case SessionEventType.PARTY_REPORTED:
      case SessionEventType.UNSPECIFIED:
        return;
      case SessionEventType.PARTY_KEYS_CHANGED:
      case SessionEventType.PARTY_KEYS_PROPOSED:
        // The keys of peers in the file of this party stay in force: what another key signs does not verify.
        return;
    }
  }

  /** Two sessions for one request must not both have commitments of this party. */
  async function requireEnded(replaced: string): Promise<void> {
    await open.get(replaced)?.work;
    if (open.has(replaced))
      throw new ProtocolFault(
        FailureReason.POLICY_DENIED,
        'the session that this one replaces has not ended',
      );
  }

  async function supply(one: OpenSession, session: Session, event: SessionEvent): Promise<void> {
    const { share, partyId, shareIndex, publicPackage } = party;
    if (share.kind !== 'supplied' || event.delegateUserShare === undefined) return;
    const delegate = { partyId, shareIndex, publicPackage, keys: share.keys };
    one.supplied = await openShare(delegate, session, event.delegateUserShare);
  }

  /** Joins once as many have signed the request as the policy of the party asks for. */
  async function joinApproved(one: OpenSession, session: Session): Promise<void> {
    if (one.isJoined) return;
    if (party.policy !== null && verifyRequest(session, party.policy).kind === 'waiting') return;
    one.isJoined = true;
    await join(session);
  }

  async function join({ sessionId, participants }: Session): Promise<void> {
    const { partyId, instanceId, router } = party;
    const joinedBefore = participants.some((one) => one.partyId === partyId && one.joinedAt !== undefined);
    const joined = await persevere(() => router.joinSession({ sessionId, instanceId }), stopping.signal);
    // An earlier process of this party may have sent commitments; their nonces were lost with it.
    if (joinedBefore && joined.session?.state === SessionState.IN_PROGRESS)
      throw new ProtocolFault(FailureReason.PARTY_ABORTED, 'the party has restarted');
  }

  async function sign(one: OpenSession, session: Session): Promise<void> {
    const { sessionId } = session;
    const secret = party.share.kind === 'held' ? party.share.secret : one.supplied;
    if (secret === null) throw new ProtocolFault(FailureReason.SHARE_UNUSABLE, 'no share was supplied');
    // What is signed is checked, not what was there when the party joined.
    checkSession(party, session);
    if (party.policy !== null) takeRequest(session, party.policy);
    try {
      const value = await signTogether(party, session, secret, one.ended.signal);
      if (value === null) return;
      const outcome = { case: 'signature', value } as const;
      await persevere(() => party.router.reportResult({ sessionId, outcome }), one.ended.signal);
    } finally {
      if (one.supplied !== null) wipe(one.supplied);
    }
  }

  /** Aborts the session with the reason of the error. */
  async function attempt(one: OpenSession, session: Session, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (one.ended.signal.aborted) return;
      const aborted = await abort(session.sessionId, error);
      // Otherwise the session had ended before, and its event is on the way.
      if (aborted) report(`${session.sessionId}: ${error instanceof Error ? error.message : 'failed'}`);
    }
  }

  /** Whether the router took it. */
  async function abort(sessionId: string, error: unknown): Promise<boolean> {
    const fault =
      error instanceof ProtocolFault ? error : new ProtocolFault(FailureReason.INTERNAL, 'internal error');
    const { reason, culprits, message: detail } = fault;
    const value = { reason, culpritPartyIds: [...culprits], detail };
    const outcome = { case: 'abort', value } as const;
    try {
      await persevere(() => party.router.reportResult({ sessionId, outcome }), stopping.signal);
      return true;
    } catch (refusal) {
      if (codeOf(refusal) !== status.FAILED_PRECONDITION && !stopping.signal.aborted)
        report(`${sessionId}: ${refusal instanceof Error ? refusal.message : 'failed'}`);
      return false;
    }
  }

  function end(one: OpenSession, sessionId: string): void {
    one.ended.abort();
    if (one.supplied !== null) wipe(one.supplied);
    open.delete(sessionId);
  }

  return {
    take(event) {
      const { session } = event;
      if (session === undefined) return;
      const one = open.get(session.sessionId) ?? {
        ended: new AbortController(),
        supplied: null,
        isJoined: false,
        work: Promise.resolve(),
      };
      open.set(session.sessionId, one);
      one.work = one.work.then(() => attempt(one, session, () => step(one, session, event)));
    },
    close() {
      stopping.abort();
      for (const [sessionId, one] of open) end(one, sessionId);
    },
  };
}
