/**
 * The state machine of a signing session, as one pure function: what a trigger does to a session. Each transition has exactly
 * one event. The table of states is in docs/signing/overview.md; apply-trigger.ts writes what this function decides.
 */

import type { PartyId } from '../../base/identifiers.js';
import {
  isTerminal,
  type FailureReason,
  type RequestSignature,
  type SessionState,
  type TerminalState,
} from '../types.js';

interface ParticipantView {
  readonly partyId: PartyId;
  readonly joined: boolean;
  /** The signature that the party reported, as lower-case hexadecimal; null before that. */
  readonly reportedSignature: string | null;
}

/** The members of a session on which decisions depend. Times are milliseconds since the epoch. */
export interface SessionView {
  readonly state: SessionState;
  readonly participants: readonly ParticipantView[];
  readonly threshold: number;
  /** A delegate takes part, so the user's share must be supplied before the session starts. */
  readonly shareNeeded: boolean;
  readonly shareSupplied: boolean;
  /** Expiry of a supplied share that the delegate has not received; null otherwise. */
  readonly shareUndeliveredUntil: number | null;
  readonly readyBy: number;
  readonly expiresAt: number;
  /** The signature of a completed session, as lower-case hexadecimal. */
  readonly signature: string | null;
  /** What the reports of a ceremony must name; null before the first one, and for a session that signs. */
  readonly certified: CertifiedResult | null;
}

/** The result of a ceremony, as lower-case hexadecimal. */
export interface CertifiedResult {
  readonly publicKey: string;
  readonly transcriptSha256: string;
}

const isSameResult = (one: CertifiedResult, other: CertifiedResult): boolean =>
  one.publicKey === other.publicKey && one.transcriptSha256 === other.transcriptSha256;

export type Trigger =
  | { readonly kind: 'join'; readonly partyId: PartyId; readonly instanceId: string }
  | { readonly kind: 'supply-share' }
  /** A signature over the request of the session; `repeated` if its key has signed already. */
  | { readonly kind: 'approve'; readonly signature: RequestSignature; readonly repeated: boolean }
  /** `valid` is null if the service cannot verify the signature, because it does not know the derivation of child keys. */
  | {
      readonly kind: 'report-signature';
      readonly partyId: PartyId;
      readonly signature: string;
      readonly valid: boolean | null;
      readonly recoveryId: number | null;
    }
  /** The result of a ceremony. `valid`: the party's own signature fits. */
  | {
      readonly kind: 'report-certificate';
      readonly partyId: PartyId;
      readonly result: CertifiedResult;
      /** Lower-case hexadecimal. */
      readonly signature: string;
      readonly valid: boolean;
    }
  | {
      readonly kind: 'report-abort';
      readonly partyId: PartyId;
      readonly reason: FailureReason;
      readonly culprits: readonly PartyId[];
      readonly detail: string;
    }
  | {
      readonly kind: 'equivocation';
      readonly partyId: PartyId;
      readonly firstSha256: string;
      readonly secondSha256: string;
    }
  | { readonly kind: 'cancel'; readonly reason: string | null }
  /** A party was suspended or revoked, or the account is no longer active. */
  | { readonly kind: 'deny' }
  | ({ readonly kind: 'report-party-keys'; readonly event: PartyKeysEvent } & PartyKeys)
  | { readonly kind: 'clock' };

/** Other keys of a party are in force, or proposed. */
type PartyKeysEvent = 'party-keys-changed' | 'party-keys-proposed';

/** The other keys of a party, as lower-case hexadecimal. */
interface PartyKeys {
  readonly partyId: PartyId;
  readonly identityPublicKey: string;
  /** null for a party without a certificate. */
  readonly certificateSha256: string | null;
}

/** The content of an event. It never holds a share. */
export type Happening =
  | { readonly type: 'party-joined'; readonly partyId: PartyId }
  | { readonly type: 'delegate-share-supplied' }
  | { readonly type: 'approved'; readonly keyId: string }
  | { readonly type: 'started' }
  | { readonly type: 'party-reported'; readonly partyId: PartyId }
  | ({ readonly type: PartyKeysEvent } & PartyKeys)
  /** The signature is null for a ceremony, which has a certificate. */
  | {
      readonly type: 'completed';
      readonly signature: string | null;
      readonly recoveryId: number | null;
      readonly partyId: PartyId;
    }
  | {
      readonly type: 'failed';
      readonly reason: FailureReason;
      readonly partyId: PartyId | null;
      readonly culprits: readonly PartyId[];
      readonly detail: string | null;
    }
  | { readonly type: 'expired'; readonly missingParties: readonly PartyId[]; readonly shareMissing: boolean }
  | { readonly type: 'cancelled'; readonly reason: string | null };

/** One transition: the state after it, and its event. */
export interface Transition {
  readonly state: SessionState;
  readonly happening: Happening;
}

export type Refusal =
  /** The party does not take part in the session. */
  | { readonly kind: 'not-a-participant' }
  /** The session has ended. */
  | { readonly kind: 'terminal'; readonly state: TerminalState }
  /** The trigger is not allowed in this state. */
  | { readonly kind: 'wrong-state'; readonly state: SessionState }
  /** No delegate takes part in the session. */
  | { readonly kind: 'share-unexpected' }
  | { readonly kind: 'share-supplied-already' };

export type Decision =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The trigger repeats an earlier one. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'moved'; readonly transitions: readonly [Transition, ...Transition[]] }
  /** The session is overdue, and ends before the trigger is considered. */
  | { readonly kind: 'lapsed'; readonly transition: Transition & { readonly state: TerminalState } };

const refused = (refusal: Refusal): Decision => ({ kind: 'refused', refusal });
const moved = (first: Transition, ...more: readonly Transition[]): Decision => ({
  kind: 'moved',
  transitions: [first, ...more],
});
const UNCHANGED: Decision = { kind: 'unchanged' };

/**
 * Decides what `trigger` does to the session at time `now` (milliseconds since the epoch).
 * An overdue session ends first, whatever the trigger. So does a session whose share expired before the delegate received it,
 * because the delegate can never sign.
 */
export function decide(session: SessionView, trigger: Trigger, now: number): Decision {
  if (!isTerminal(session.state)) {
    if (isOverdue(session, now)) return expire(session);
    const { shareUndeliveredUntil } = session;
    if (shareUndeliveredUntil !== null && now >= shareUndeliveredUntil)
      return { kind: 'lapsed', transition: SHARE_EXPIRED };
  }
  switch (trigger.kind) {
    case 'clock':
      return UNCHANGED;
    case 'join':
      return join(session, trigger.partyId);
    case 'supply-share':
      return supplyShare(session);
    case 'approve':
      return approve(session, trigger);
    case 'report-signature':
      return reportSignature(session, trigger);
    case 'report-certificate':
      return reportCertificate(session, trigger);
    case 'report-abort':
      return whenOpen(session, () => reportAbort(session, trigger));
    case 'equivocation':
      return whenOpen(session, () => equivocated(session, trigger));
    case 'cancel':
      if (session.state === 'cancelled') return UNCHANGED;
      return whenOpen(session, () =>
        moved({ state: 'cancelled', happening: { type: 'cancelled', reason: trigger.reason } }),
      );
    case 'deny':
      if (isTerminal(session.state)) return UNCHANGED;
      return moved({ state: 'cancelled', happening: { type: 'cancelled', reason: 'policy_denied' } });
    case 'report-party-keys': {
      if (isTerminal(session.state)) return UNCHANGED;
      const { event: type, partyId, identityPublicKey, certificateSha256 } = trigger;
      const happening = { type, partyId, identityPublicKey, certificateSha256 };
      return moved({ state: session.state, happening });
    }
  }
}

/** Whether the time of the session is over, stored or not: readers see such a session as expired. */
export function isOverdue(
  session: Pick<SessionView, 'state' | 'readyBy' | 'expiresAt'>,
  now: number,
): boolean {
  switch (session.state) {
    case 'created':
    case 'awaiting_parties':
      return now >= Math.min(session.readyBy, session.expiresAt);
    case 'in_progress':
      return now >= session.expiresAt;
    case 'completed':
    case 'failed':
    case 'expired':
    case 'cancelled':
      return false;
  }
}

function expire(session: SessionView): Decision {
  const shareMissing = session.shareNeeded && !session.shareSupplied;
  const happening = {
    type: 'expired',
    missingParties: missingParties(session, session.state === 'in_progress'),
    shareMissing,
  } as const;
  return { kind: 'lapsed', transition: { state: 'expired', happening } };
}

/** The parties that an expired session waited for: those that had not joined, and after its start those that had not reported. */
export const missingPartiesOf = (session: SessionView): readonly PartyId[] =>
  missingParties(session, isReady(session));

function missingParties({ participants }: SessionView, started: boolean): readonly PartyId[] {
  return participants
    .filter(({ joined, reportedSignature }) => (started ? reportedSignature === null : !joined))
    .map(({ partyId }) => partyId);
}

function whenOpen(session: SessionView, then: () => Decision): Decision {
  return isTerminal(session.state) ? refused({ kind: 'terminal', state: session.state }) : then();
}

function join(session: SessionView, partyId: PartyId): Decision {
  const participant = session.participants.find((candidate) => candidate.partyId === partyId);
  if (participant === undefined) return refused({ kind: 'not-a-participant' });
  if (isTerminal(session.state)) return refused({ kind: 'terminal', state: session.state });
  if (participant.joined) return UNCHANGED;
  const joined: Transition = { state: 'awaiting_parties', happening: { type: 'party-joined', partyId } };
  const participants = session.participants.map((candidate) =>
    candidate === participant ? { ...candidate, joined: true } : candidate,
  );
  return isReady({ ...session, participants }) ? moved(joined, STARTED) : moved(joined);
}

const STARTED: Transition = { state: 'in_progress', happening: { type: 'started' } };

/** Whether all have joined, and the share that is needed was supplied: the session has started, or starts now. */
export const isReady = ({ participants, shareNeeded, shareSupplied }: SessionView): boolean =>
  participants.every(({ joined }) => joined) && (!shareNeeded || shareSupplied);

function supplyShare(session: SessionView): Decision {
  if (isTerminal(session.state)) return refused({ kind: 'terminal', state: session.state });
  if (!session.shareNeeded) return refused({ kind: 'share-unexpected' });
  if (session.shareSupplied) return refused({ kind: 'share-supplied-already' });
  if (session.state === 'in_progress') return refused({ kind: 'wrong-state', state: session.state });
  const supplied: Transition = { state: session.state, happening: { type: 'delegate-share-supplied' } };
  const ready = session.state === 'awaiting_parties' && isReady({ ...session, shareSupplied: true });
  return ready ? moved(supplied, STARTED) : moved(supplied);
}

type Approval = Extract<Trigger, { readonly kind: 'approve' }>;

function approve({ state }: SessionView, { signature, repeated }: Approval): Decision {
  if (repeated) return UNCHANGED;
  if (isTerminal(state)) return refused({ kind: 'terminal', state });
  if (state === 'in_progress') return refused({ kind: 'wrong-state', state });
  return moved({ state, happening: { type: 'approved', keyId: signature.keyId } });
}

type SignatureReport = Extract<Trigger, { readonly kind: 'report-signature' }>;

function reportSignature(
  session: SessionView,
  { partyId, signature, valid, recoveryId }: SignatureReport,
): Decision {
  const participant = session.participants.find((candidate) => candidate.partyId === partyId);
  if (participant === undefined) return refused({ kind: 'not-a-participant' });
  if (session.state === 'completed' && session.signature === signature) return UNCHANGED;
  if (isTerminal(session.state)) return refused({ kind: 'terminal', state: session.state });
  if (session.state !== 'in_progress') return refused({ kind: 'wrong-state', state: session.state });
  switch (valid) {
    case true:
      return moved(completed(partyId, signature, recoveryId));
    case false:
      return moved(failure('invalid_signature', partyId, [partyId], null));
    case null:
      return countReport(session, participant, signature);
  }
}

/** Completes the session when as many parties as the threshold have reported the same signature. */
function countReport(session: SessionView, participant: ParticipantView, signature: string): Decision {
  const { partyId, reportedSignature } = participant;
  if (reportedSignature === signature) return UNCHANGED;
  if (reportedSignature !== null)
    return moved(failure('invalid_signature', partyId, [partyId], 'two different signatures reported'));
  const equal = session.participants.filter((other) => other.reportedSignature === signature).length + 1;
  const reported: Transition = { state: 'in_progress', happening: { type: 'party-reported', partyId } };
  if (equal >= session.threshold) return moved(reported, completed(partyId, signature));
  return moved(reported);
}

const completed = (
  partyId: PartyId,
  signature: string | null,
  recoveryId: number | null = null,
): Transition => ({
  state: 'completed',
  happening: { type: 'completed', signature, recoveryId, partyId },
});

type CertificateReport = Extract<Trigger, { readonly kind: 'report-certificate' }>;

/** Completes a ceremony when every participant has certified the same result. */
function reportCertificate(session: SessionView, report: CertificateReport): Decision {
  const { partyId, result, signature, valid } = report;
  const { certified } = session;
  const participant = session.participants.find((candidate) => candidate.partyId === partyId);
  if (participant === undefined) return refused({ kind: 'not-a-participant' });
  const fits = certified === null || isSameResult(certified, result);
  if (
    participant.reportedSignature === signature &&
    fits &&
    (session.state === 'completed' || session.state === 'in_progress')
  )
    return UNCHANGED;
  if (isTerminal(session.state)) return refused({ kind: 'terminal', state: session.state });
  if (session.state !== 'in_progress') return refused({ kind: 'wrong-state', state: session.state });
  if (!valid) return moved(failure('invalid_signature', partyId, [partyId], null));
  if (participant.reportedSignature !== null)
    return moved(failure('equivocation', partyId, [partyId], 'two different results reported'));
  // One of two parties that saw different messages is lied to, and the service cannot know by whom.
  if (!fits) return moved(failure('equivocation', partyId, [], 'the parties certify different results'));
  const reported: Transition = { state: 'in_progress', happening: { type: 'party-reported', partyId } };
  const isLast = session.participants.every(
    (other) => other === participant || other.reportedSignature !== null,
  );
  if (!isLast) return moved(reported);
  return moved(reported, completed(partyId, null));
}

type AbortReport = Extract<Trigger, { readonly kind: 'report-abort' }>;

function reportAbort(session: SessionView, { partyId, reason, culprits, detail }: AbortReport): Decision {
  const takesPart = (candidate: PartyId): boolean =>
    session.participants.some((participant) => participant.partyId === candidate);
  if (!takesPart(partyId)) return refused({ kind: 'not-a-participant' });
  return moved(failure(reason, partyId, culprits.filter(takesPart), detail === '' ? null : detail));
}

type Equivocation = Extract<Trigger, { readonly kind: 'equivocation' }>;

function equivocated(session: SessionView, { partyId, firstSha256, secondSha256 }: Equivocation): Decision {
  if (session.participants.every((participant) => participant.partyId !== partyId))
    return refused({ kind: 'not-a-participant' });
  return moved(failure('equivocation', partyId, [partyId], `payloads ${firstSha256} and ${secondSha256}`));
}

const failure = (
  reason: FailureReason,
  partyId: PartyId | null,
  culprits: readonly PartyId[],
  detail: string | null,
): Transition & { readonly state: 'failed' } => ({
  state: 'failed',
  happening: { type: 'failed', reason, partyId, culprits, detail },
});

const SHARE_EXPIRED = failure(
  'share_unusable',
  null,
  [],
  'the share expired before the delegate received it',
);
