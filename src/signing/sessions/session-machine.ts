/**
 * The life of a signing session as one pure function: what a trigger does to a session, with exactly one event a
 * transition. The table of states is that of the manual's signing chapter; storage applies what this function decides.
 */

export type SessionState =
  'created' | 'awaiting_parties' | 'in_progress' | 'completed' | 'failed' | 'expired' | 'cancelled';

export type TerminalState = Extract<SessionState, 'completed' | 'failed' | 'expired' | 'cancelled'>;

export type FailureReason =
  | 'party_aborted'
  | 'party_timeout'
  | 'invalid_signature'
  | 'share_unusable'
  | 'equivocation'
  | 'policy_denied'
  | 'internal';

export interface ParticipantView {
  readonly partyId: string;
  readonly joined: boolean;
  /** The signature this party reported, as lower-case hex; null before it did. */
  readonly reportedSignature: string | null;
}

/** All of a session that decides what happens next. Times in milliseconds since the epoch. */
export interface SessionView {
  readonly state: SessionState;
  readonly participants: readonly ParticipantView[];
  readonly threshold: number;
  /** A delegate takes part, so its user's share must be supplied before the start. */
  readonly shareNeeded: boolean;
  readonly shareSupplied: boolean;
  /** When the supplied share expires, while the delegate has not been handed it; null otherwise. */
  readonly shareUndeliveredUntil: number | null;
  readonly readyBy: number;
  readonly expiresAt: number;
  /** The signature of a completed session, as lower-case hex. */
  readonly signature: string | null;
}

export type Trigger =
  | { readonly kind: 'join'; readonly partyId: string; readonly instanceId: string }
  | { readonly kind: 'supply-share' }
  /** `valid` is null where this service cannot verify: with child keys, whose derivation it does not know. */
  | {
      readonly kind: 'report-signature';
      readonly partyId: string;
      readonly signature: string;
      readonly valid: boolean | null;
    }
  | {
      readonly kind: 'report-abort';
      readonly partyId: string;
      readonly reason: FailureReason;
      readonly culprits: readonly string[];
      readonly detail: string;
    }
  | {
      readonly kind: 'equivocation';
      readonly partyId: string;
      readonly firstSha256: string;
      readonly secondSha256: string;
    }
  | { readonly kind: 'cancel'; readonly reason: string | null }
  /** A party was revoked or the account frozen. */
  | { readonly kind: 'deny' }
  | { readonly kind: 'clock' };

/** What happened, as the event stream tells it; `data` never holds a share. */
export type Happening =
  | { readonly type: 'party-joined'; readonly partyId: string }
  | { readonly type: 'delegate-share-supplied' }
  | { readonly type: 'started' }
  | { readonly type: 'party-reported'; readonly partyId: string }
  | { readonly type: 'completed'; readonly signature: string; readonly partyId: string }
  | {
      readonly type: 'failed';
      readonly reason: FailureReason;
      readonly partyId: string | null;
      readonly culprits: readonly string[];
      readonly detail: string | null;
    }
  | { readonly type: 'expired'; readonly missingParties: readonly string[]; readonly shareMissing: boolean }
  | { readonly type: 'cancelled'; readonly reason: string | null };

/** One step: the state after it and the one event that tells of it. */
export interface Transition {
  readonly state: SessionState;
  readonly happening: Happening;
}

export type Refusal =
  /** The caller takes no part in this session. */
  | { readonly kind: 'not-a-participant' }
  /** The session has ended. */
  | { readonly kind: 'terminal'; readonly state: TerminalState }
  /** The trigger does not belong to this state. */
  | { readonly kind: 'wrong-state'; readonly state: SessionState }
  /** The session takes no share, or has one. */
  | { readonly kind: 'share-unexpected' }
  | { readonly kind: 'share-supplied-already' };

export type Decision =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** Nothing to do: the same thing was said before. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'moved'; readonly transitions: readonly [Transition, ...Transition[]] }
  /** A time has passed, which ends the session before the trigger is looked at. */
  | { readonly kind: 'lapsed'; readonly transition: Transition & { readonly state: TerminalState } };

const TERMINAL: ReadonlySet<SessionState> = new Set(['completed', 'failed', 'expired', 'cancelled']);

export const isTerminal = (state: SessionState): state is TerminalState => TERMINAL.has(state);

const refused = (refusal: Refusal): Decision => ({ kind: 'refused', refusal });
const moved = (first: Transition, ...more: readonly Transition[]): Decision => ({
  kind: 'moved',
  transitions: [first, ...more],
});
const UNCHANGED: Decision = { kind: 'unchanged' };

/**
 * Decides what `trigger` does to the session at time `now` (milliseconds since the epoch).
 * An overdue session ends first, whatever the trigger: nothing is accepted after its time. So does one whose share has
 * expired before the delegate was handed it, since the delegate could never sign.
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
    case 'report-signature':
      return reportSignature(session, trigger);
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
  }
}

/** Whether the time of the session has passed, swept or not: readers treat such a session as expired. */
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

function expire({ state, participants, shareNeeded, shareSupplied }: SessionView): Decision {
  const running = state === 'in_progress';
  const missing = participants.filter(({ joined, reportedSignature }) =>
    running ? reportedSignature === null : !joined,
  );
  const missingParties = missing.map(({ partyId }) => partyId);
  const shareMissing = shareNeeded && !shareSupplied;
  const happening = { type: 'expired', missingParties, shareMissing } as const;
  return { kind: 'lapsed', transition: { state: 'expired', happening } };
}

function whenOpen(session: SessionView, then: () => Decision): Decision {
  return isTerminal(session.state) ? refused({ kind: 'terminal', state: session.state }) : then();
}

function join(session: SessionView, partyId: string): Decision {
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

const isReady = ({ participants, shareNeeded, shareSupplied }: SessionView): boolean =>
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

type SignatureReport = Extract<Trigger, { readonly kind: 'report-signature' }>;

function reportSignature(session: SessionView, { partyId, signature, valid }: SignatureReport): Decision {
  const participant = session.participants.find((candidate) => candidate.partyId === partyId);
  if (participant === undefined) return refused({ kind: 'not-a-participant' });
  if (session.state === 'completed' && session.signature === signature) return UNCHANGED;
  if (isTerminal(session.state)) return refused({ kind: 'terminal', state: session.state });
  if (session.state !== 'in_progress') return refused({ kind: 'wrong-state', state: session.state });
  switch (valid) {
    case true:
      return moved({ state: 'completed', happening: { type: 'completed', signature, partyId } });
    case false:
      return moved(failure('invalid_signature', partyId, [partyId], null));
    case null:
      return countReport(session, participant, signature);
  }
}

/** Without a verifier the session completes when as many parties as the threshold say the same. */
function countReport(session: SessionView, participant: ParticipantView, signature: string): Decision {
  const { partyId, reportedSignature } = participant;
  if (reportedSignature === signature) return UNCHANGED;
  if (reportedSignature !== null)
    return moved(failure('invalid_signature', partyId, [partyId], 'two different signatures reported'));
  const equal = session.participants.filter((other) => other.reportedSignature === signature).length + 1;
  const reported: Transition = { state: 'in_progress', happening: { type: 'party-reported', partyId } };
  if (equal >= session.threshold)
    return moved(reported, { state: 'completed', happening: { type: 'completed', signature, partyId } });
  return moved(reported);
}

type AbortReport = Extract<Trigger, { readonly kind: 'report-abort' }>;

function reportAbort(session: SessionView, { partyId, reason, culprits, detail }: AbortReport): Decision {
  const takesPart = (candidate: string): boolean =>
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
  partyId: string | null,
  culprits: readonly string[],
  detail: string | null,
): Transition & { readonly state: 'failed' } => ({
  state: 'failed',
  happening: { type: 'failed', reason, partyId, culprits, detail },
});

const SHARE_EXPIRED = failure(
  'share_unusable',
  null,
  [],
  'the share expired before the delegate was handed it',
);
