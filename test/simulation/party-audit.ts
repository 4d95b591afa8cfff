/** The auditor of the parties: what each has received of its mailboxes and of the events of its sessions. */
import {
  CAPACITY,
  endingOf,
  isFor,
  messagesOf,
  type Delivered,
  type MailboxRead,
  type PartyLog,
  type PartySessionLog,
  type SeenEvent,
} from './parties.js';
import { SessionState } from '../../generated/proto/router/v1/router_pb.js';
import { PROMPT_MS, type StoredSession } from './signing-audit.js';
import { ciphertextOf, DELEGATE } from './signing.js';

/** Bound of the service in the simulation (build.ts). */
const WINDOW = 4;

const identityOf = ({ from, number }: Pick<Delivered, 'from' | 'number'>): string =>
  `${String(number)} of ${from}`;

/** The positions of a subscription follow each other, from that after which it was to begin. */
function* auditRead({ after, ackedBefore, delivered, ackSent }: MailboxRead): Generator<string> {
  const [first] = delivered;
  if (first === undefined) return;
  if (first.position <= after || first.position <= ackedBefore)
    yield `${String(first.position)} is delivered after ${String(after)}, and ${String(ackedBefore)} is acknowledged`;
  if (first.position > Math.max(after, ackSent[0] ?? 0) + 1)
    yield `the first delivery after ${String(after)} is ${String(first.position)}`;
  for (const [at, { position }] of delivered.entries()) {
    const expected = at === 0 ? position : (delivered[at - 1]?.position ?? 0) + 1;
    // What was acknowledged meanwhile, of another subscription, is left out.
    if (position < expected || position > Math.max(expected, (ackSent[at] ?? 0) + 1))
      yield `${String(position)} is delivered in place of ${String(expected)}`;
    if (position > (ackSent[at] ?? 0) + WINDOW)
      yield `${String(position)} is delivered, and ${String(ackSent[at])} is acknowledged`;
  }
}

function* auditMailbox(partyId: string, own: PartySessionLog): Generator<string> {
  const { sessionId, participants, reads } = own;
  const planned = new Map(
    participants
      .flatMap((from) => messagesOf(sessionId, from, participants))
      .filter((message) => isFor(message, partyId))
      .map((message) => [identityOf(message), message]),
  );
  const places = new Map<number, string>();
  for (const read of reads) yield* auditRead(read);
  for (const { position, messageId, payload, ...names } of reads.flatMap(({ delivered }) => delivered)) {
    const identity = identityOf(names);
    const message = planned.get(identity);
    if (message === undefined) yield `${identity} is not for it`;
    else if (message.messageId !== messageId || message.payload !== payload)
      yield `${identity} has other content`;
    const before = places.get(position);
    if (before !== undefined && before !== identity)
      yield `${before} and ${identity} are in place ${String(position)}`;
    places.set(position, identity);
  }
  const inOrder = [...places].toSorted(([one], [other]) => one - other);
  const last = new Map<string, number>();
  for (const [at, [position, identity]] of inOrder.entries()) {
    if (position !== at + 1) yield `position ${String(at + 1)} was never delivered`;
    const [number = '', from = ''] = identity.split(' of ');
    if (Number(number) <= (last.get(from) ?? 0)) yield `${identity} is in place ${String(position)}, too`;
    last.set(from, Number(number));
  }
}

/** Acknowledged messages that are not acknowledged by their receiver, at the end. */
function* auditBounds(logs: readonly PartyLog[], sessionId: string): Generator<string> {
  for (const { partyId, sessions } of logs) {
    const own = sessions.get(sessionId);
    if (own === undefined) continue;
    const accepted = logs.flatMap(({ partyId: from, sessions: others }) => {
      const sender = others.get(sessionId);
      return messagesOf(sessionId, from, own.participants).filter(
        (message) => sender?.accepted.has(message.number) === true && isFor(message, partyId),
      );
    });
    if (accepted.length - own.ackSent > CAPACITY)
      yield `the mailbox of ${partyId} has ${String(accepted.length - own.ackSent)} messages`;
    const received = new Set(own.reads.flatMap(({ delivered }) => delivered.map(identityOf)));
    const lost = own.hasAll ? accepted.find((message) => !received.has(identityOf(message))) : undefined;
    if (lost !== undefined) yield `${identityOf(lost)} was acknowledged, and never came to ${partyId}`;
  }
}

const STATES: ReadonlyMap<string, SessionState> = new Map([
  ['created', SessionState.CREATED],
  ['awaiting_parties', SessionState.AWAITING_PARTIES],
  ['in_progress', SessionState.IN_PROGRESS],
  ['completed', SessionState.COMPLETED],
  ['failed', SessionState.FAILED],
  ['expired', SessionState.EXPIRED],
  ['cancelled', SessionState.CANCELLED],
]);

function* auditEvent(
  partyId: string,
  event: SeenEvent,
  stored: StoredSession | undefined,
): Generator<string> {
  const own = stored?.events[event.sequence - 1];
  if (stored?.participants.includes(partyId) !== true || own === undefined) {
    yield `event ${String(event.sequence)} of ${event.sessionId} is not for it`;
    return;
  }
  if (STATES.get(own.state) !== event.state)
    yield `event ${String(event.sequence)} of ${event.sessionId} has state ${String(event.state)}, not ${own.state}`;
  if (event.ciphertext === null) return;
  const isSupply = stored.share?.sequence === event.sequence;
  if (partyId !== DELEGATE || !isSupply) yield `it has the share of ${event.sessionId}`;
  if (!event.ciphertext.startsWith(ciphertextOf('').toString('utf8')))
    yield `it has another share for ${event.sessionId}`;
}

function* auditEvents(
  { partyId, events: streams, since }: PartyLog,
  sessions: ReadonlyMap<string, StoredSession>,
  isFair: boolean,
): Generator<string> {
  const seen = new Map<string, Set<number>>();
  for (const events of streams) {
    const last = new Map<string, number>();
    for (const event of events) {
      const { sessionId, sequence, at } = event;
      const stored = sessions.get(sessionId);
      yield* auditEvent(partyId, event, stored);
      if (sequence <= (last.get(sessionId) ?? 0))
        yield `event ${String(sequence)} of ${sessionId} comes after ${String(last.get(sessionId))}`;
      last.set(sessionId, sequence);
      const own = seen.get(sessionId) ?? new Set();
      seen.set(sessionId, own.add(sequence));
      const occurred = stored?.events[sequence - 1]?.at ?? at;
      if (isFair && streams.length === 1 && at - occurred > PROMPT_MS)
        yield `event ${String(sequence)} of ${sessionId} comes ${String(Math.round(at - occurred))} ms late`;
    }
  }
  for (const { sessionId, events, participants } of sessions.values())
    if (participants.includes(partyId) && (events.at(-1)?.at ?? 0) > since)
      for (const { sequence, type } of events)
        if (seen.get(sessionId)?.has(sequence) !== true)
          yield `it lacks event ${String(sequence)} of ${sessionId}: ${type}`;
}

const STATES_OF_END: ReadonlySet<string> = new Set(['completed', 'failed', 'expired', 'cancelled']);

/** Longest time until the parties of a session know of its end, in milliseconds. */
const CLOSED_MS = 5000;

/** What the parties made of a session. */
function* auditOutcome(session: StoredSession, logs: readonly PartyLog[]): Generator<string> {
  const { sessionId, state, events, participants, share } = session;
  const types = events.map(({ type }) => type);
  const ending = endingOf(sessionId);
  if (types.includes('started') && ending === 'sign' && (state === 'expired' || state === 'in_progress'))
    yield `it is ${state}, and its parties had started`;
  const reports = types.filter((type) => type === 'party-reported').length;
  if (state === 'completed' && reports > 0 && reports < session.threshold)
    yield `it is completed with ${String(reports)} reports`;
  const first = logs.map(({ sessions }) => sessions.get(sessionId)?.participants[0]).find(Boolean);
  if (
    ending === 'sign wrongly' &&
    events.some((event) => event.type === 'completed' && event.partyId === first)
  )
    yield `the wrong signature of ${String(first)} is accepted`;
  if (state === 'failed' && ending === 'sign') yield 'it has failed, and no party has failed it';
  if (state === 'completed' && ending === 'abort') yield 'it is completed, and a party has aborted it';
  const own = logs.map(({ sessions }) => sessions.get(sessionId));
  const endedAt = STATES_OF_END.has(state) ? (events.at(-1)?.at ?? Infinity) : Infinity;
  // The mailbox of a session that has ended is empty, and any position is acknowledged.
  for (const { what, at } of own.flatMap((one) => one?.wentBack ?? [])) if (at < endedAt) yield what;
  if (session.now > endedAt + CLOSED_MS && own.some((one) => one?.closedWith === null))
    yield 'it has ended, and a mailbox stays open';
  if (state === 'completed' && own.some((one) => one !== undefined && !one.hasAll))
    yield 'it is completed, and a party lacks messages';
  const delegate = logs.find(({ partyId }) => partyId === DELEGATE);
  const hasShare = delegate?.events
    .flat()
    .some((event) => event.sessionId === sessionId && event.ciphertext !== null);
  if (state === 'completed' && participants.includes(DELEGATE) && hasShare !== true)
    yield 'it is completed, and the delegate has no share';
  if (share !== null && hasShare === true && !share.isErased) yield 'its share is not erased';
}

/**
 * @param logs of all parties
 * @param isFair nothing was broken, and no connection was slow
 * @param isGentle no connection was lost, so that each call has an answer
 */
export function auditParties(
  logs: readonly PartyLog[],
  stored: readonly StoredSession[],
  isFair: boolean,
  isGentle: boolean,
): readonly string[] {
  const about = (name: string, problems: Iterable<string>): readonly string[] =>
    [...problems].map((problem) => `${name}: ${problem}`);
  const ofTenant = (tenantId: string): readonly PartyLog[] => logs.filter((log) => log.tenantId === tenantId);
  return [
    ...logs.flatMap((log) => {
      const name = `${log.partyId} of ${log.tenantId}`;
      const own = stored.filter(({ tenantId }) => tenantId === log.tenantId);
      return [
        ...about(name, log.problems),
        ...about(name, isGentle ? log.lost.map((call) => `${call} has no answer`) : []),
        ...about(name, auditEvents(log, new Map(own.map((one) => [one.sessionId, one])), isFair)),
        ...[...log.sessions.values()].flatMap((one) =>
          about(`${name} in ${one.sessionId}`, auditMailbox(log.partyId, one)),
        ),
      ];
    }),
    ...stored.flatMap((session) => {
      const own = ofTenant(session.tenantId).filter(({ partyId }) => session.participants.includes(partyId));
      return about(`session ${session.sessionId}`, [
        ...auditBounds(own, session.sessionId),
        ...auditOutcome(session, own),
      ]);
    }),
  ];
}
