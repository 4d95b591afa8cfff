/** The auditor of signing: compares what clients and parties were shown with the sessions that the database holds. */
import type { Write } from './audit.js';
import { EPOCH_MS } from './clock.js';
import type { FollowedEvent } from './event-client.js';
import type { Shown, ShownEvent, ShownSession } from './requests.js';
import { DELEGATE, eventOf, isLastEvent, leaks, NEEDLES, SERVERS } from './signing.js';

/** What an answer has shown, and when it was sent for and came, in milliseconds. */
export interface Sight {
  readonly name: string;
  readonly tenant: number;
  readonly shown: Shown;
  readonly sentAt: number;
  readonly doneAt: number;
}

/** What a client has received of the events of a session. */
export interface SessionStream {
  readonly name: string;
  readonly sessionId: string;
  readonly events: readonly FollowedEvent[];
  /** When the stream began, in milliseconds; null if it had no event. */
  readonly since: number | null;
}

interface StoredEvent extends ShownEvent {
  readonly partyId: string | null;
  /** In milliseconds since the epoch. */
  readonly at: number;
}

export interface StoredSession {
  readonly sessionId: string;
  readonly tenantId: string;
  readonly accountId: string;
  readonly createdBy: string;
  readonly mark: string | null;
  readonly state: string;
  readonly stateVersion: number;
  readonly partySource: string;
  readonly threshold: number;
  readonly readyBy: number;
  readonly expiresAt: number;
  readonly now: number;
  readonly participants: readonly string[];
  readonly events: readonly StoredEvent[];
  readonly share: { readonly isErased: boolean; readonly sequence: number } | null;
}

const milliseconds = (column: string): string => `(extract(epoch from ${column}) * 1000)::double precision`;

/** Tables whose rows no share may be in. */
const WITHOUT_SHARES = ['session_events', 'signing_sessions', 'session_participants', 'audit_log'];

const NEEDLE_PATTERN = NEEDLES.join('|').replaceAll('=', '');

export const SIGNING_AUDIT = `
select (select coalesce(json_agg(s order by s."createdAt"), '[]') from (
  select session_id as "sessionId", tenant_id as "tenantId", account_id as "accountId", created_by as "createdBy",
         metadata ->> 'mark' as mark, state, state_version as "stateVersion", party_source as "partySource", threshold,
         created_at as "createdAt", ${milliseconds('ready_by')} as "readyBy", ${milliseconds('expires_at')} as "expiresAt",
         ${milliseconds('now()')} as now,
         (select json_agg(party_id order by party_id) from dbr_signing.session_participants as p
           where p.session_id = s.session_id) as participants,
         (select json_agg(json_build_object('sequence', sequence, 'type', type, 'state', state, 'partyId', party_id,
                   'at', ${milliseconds('occurred_at')}) order by sequence)
            from dbr_signing.session_events as e where e.session_id = s.session_id) as events,
         (select json_build_object('isErased', ciphertext is null and encapsulated_key is null, 'sequence', event_sequence)
            from dbr_signing.delegate_user_shares as u where u.session_id = s.session_id) as share
    from dbr_signing.signing_sessions as s) as s)::text as sessions,
  (${WITHOUT_SHARES.map((table) => `(select count(*) from dbr_signing.${table} as t where t::text ~ '${NEEDLE_PATTERN}')`).join(' + ')})::int as leaked`;

const isStored = (value: unknown): value is StoredSession =>
  typeof value === 'object' &&
  value !== null &&
  'sessionId' in value &&
  'events' in value &&
  'state' in value;

/** The transitions that are allowed (docs/signing/overview.md): the states before an event, and the state after it. */
const OPEN = ['created', 'awaiting_parties', 'in_progress'] as const;
const WAITING = ['created', 'awaiting_parties'] as const;
const TRANSITIONS: ReadonlyMap<string, readonly [from: readonly string[], to: string | null]> = new Map([
  ['created', [['none'], 'created']],
  ['party-joined', [WAITING, 'awaiting_parties']],
  // The state stays.
  ['delegate-share-supplied', [WAITING, null]],
  ['approved', [WAITING, null]],
  ['started', [['awaiting_parties'], 'in_progress']],
  ['party-reported', [['in_progress'], 'in_progress']],
  ['party-keys-changed', [OPEN, null]],
  ['party-keys-proposed', [OPEN, null]],
  ['completed', [['in_progress'], 'completed']],
  ['failed', [OPEN, 'failed']],
  ['expired', [OPEN, 'expired']],
  ['cancelled', [OPEN, 'cancelled']],
]);

function* auditHistory(session: StoredSession): Generator<string> {
  const { participants, events, share } = session;
  const joined = new Set<string>();
  let isSupplied = share?.sequence === 1;
  let state = 'none';
  for (const [at, { sequence, type, partyId, at: time, ...event }] of events.entries()) {
    const [from, to] = TRANSITIONS.get(type) ?? [[], ''];
    if (sequence !== at + 1) yield `event ${String(sequence)} is in place ${String(at + 1)}`;
    if (!from.includes(state)) yield `${type} in the state ${state}`;
    if (event.state !== (to ?? state)) yield `${type} leads to ${event.state}`;
    if (type === 'delegate-share-supplied') isSupplied = true;
    if (type === 'party-joined' && partyId !== null) {
      if (joined.has(partyId) || !participants.includes(partyId)) yield `${partyId} joins`;
      joined.add(partyId);
    }
    if (type === 'started' && joined.size < participants.length)
      yield `it has started with ${[...joined].join(', ')} alone`;
    if (type === 'started' && participants.includes(DELEGATE) && !isSupplied)
      yield 'it has started without the share';
    const deadline = deadlineOf(session, state);
    if (type === 'expired' && time < deadline) yield 'it has expired before its time';
    if (
      OPEN.some((open) => open === state) &&
      type !== 'expired' &&
      !isTerminal(event.state) &&
      time > deadline + SLACK_MS
    )
      yield `${type} after its time`;
    state = event.state;
  }
  if (state !== session.state) yield `its state is ${session.state}, and that of the last event ${state}`;
  if (session.stateVersion !== events.length)
    yield `its version is ${String(session.stateVersion)}, and it has ${String(events.length)} events`;
}

/** Longest time until an event reaches a stream while nothing is broken, in milliseconds. */
export const PROMPT_MS = 600;

/** A transaction that has begun in time may end so much later, in milliseconds. */
const SLACK_MS = 5000;

const isTerminal = (state: string): boolean => isLastEvent({ event: state });

type ConfigWrite = Write & { readonly effect: Extract<Write['effect'], { readonly kind: 'config' }> };

const isConfigWrite = (write: Write): write is ConfigWrite => write.effect.kind === 'config';

const partiesText = (parties: readonly string[] | null): string => parties?.toSorted().join() ?? 'all';

/** The configurations that an account may have had at some time of a period. */
function configsOf(
  accountId: string,
  { sentAt, doneAt }: Pick<Sight, 'sentAt' | 'doneAt'>,
  writes: readonly Write[],
): ReadonlySet<string> {
  const own = writes
    .filter(isConfigWrite)
    .filter(({ effect, outcome }) => effect.accountId === accountId && outcome !== 'refused');
  const before = own.filter((write) => write.outcome === 'acknowledged' && write.doneAt < sentAt);
  const possible = own.filter(
    (write) => write.sentAt <= doneAt && !before.some((later) => later.sentAt > write.doneAt),
  );
  return new Set([...possible.map(({ effect }) => partiesText(effect.parties))]);
}

function participantsOf(config: string, hasShare: boolean): string {
  if (config !== 'all') return config;
  return partiesText(hasShare ? [...SERVERS, DELEGATE] : SERVERS);
}

type SessionWrite = Write & { readonly effect: Extract<Write['effect'], { readonly kind: 'session' }> };

function* auditCreation(
  write: SessionWrite,
  found: readonly StoredSession[],
  writes: readonly Write[],
): Generator<string> {
  const { effect, outcome, user, tenant } = write;
  if (found.length > 1) yield `it has ${String(found.length)} sessions`;
  const [session] = found;
  if (outcome === 'acknowledged' && session === undefined)
    yield 'its session was acknowledged and is not there';
  if (outcome === 'refused' && session !== undefined) yield 'its session was refused and is there';
  if (session === undefined) return;
  if (
    session.createdBy !== user ||
    session.accountId !== effect.accountId ||
    session.tenantId !== `tenant ${String(tenant)}`
  )
    yield `its session is of another: ${JSON.stringify(session)}`;
  const configs = configsOf(effect.accountId, write, writes);
  const allowed = [...configs].map((config) => participantsOf(config, effect.hasShare));
  if (!allowed.includes(partiesText(session.participants)))
    yield `its parties are ${partiesText(session.participants)}, and the configuration has ${allowed.join(' or ')}`;
}

const isSessionWrite = (write: Write): write is SessionWrite => write.effect.kind === 'session';

const deadlineOf = ({ readyBy, expiresAt }: StoredSession, state: string): number =>
  state === 'in_progress' ? expiresAt : Math.min(readyBy, expiresAt);

/** Longest time until the sweeper has ended a session, in milliseconds. */
const SWEEP_MS = 3000;

function* auditEnd(session: StoredSession, writes: readonly Write[]): Generator<string> {
  const { sessionId, state, share, now } = session;
  if (!isTerminal(state) && now > deadlineOf(session, state) + SWEEP_MS)
    yield `it is ${state}, and its time is over`;
  if (share?.isErased === false && isTerminal(state)) yield 'its share is not erased';
  const isSupplied = share !== null;
  const cancels = writes.filter(({ effect }) => effect.kind === 'cancel' && effect.sessionId === sessionId);
  if (state === 'cancelled' && cancels.every(({ outcome }) => outcome === 'refused'))
    yield 'it is cancelled, and each cancellation was refused';
  for (const { effect, outcome, name } of writes) {
    if (effect.kind === 'cancel' && effect.sessionId === sessionId)
      if (outcome === 'acknowledged' && state !== 'cancelled')
        yield `${name} was acknowledged, and it is ${state}`;
    if (
      effect.kind === 'share' &&
      effect.sessionId === sessionId &&
      outcome === 'acknowledged' &&
      !isSupplied
    )
      yield `${name} was acknowledged, and there is no share`;
  }
  const supplies = session.events.filter(({ type }) => type === 'delegate-share-supplied').length;
  if (supplies > 1 || (isSupplied && share.sequence > 1) !== (supplies === 1))
    yield `its share was supplied ${String(supplies)} times`;
}

const eventText = ({ sequence, type, state }: ShownEvent): string => `${String(sequence)} ${type} ${state}`;

function* auditShownSession(shown: ShownSession, stored: StoredSession | undefined): Generator<string> {
  const event = stored?.events[shown.stateVersion - 1];
  if (event?.state !== shown.state)
    yield `version ${String(shown.stateVersion)} of ${shown.sessionId} was ${shown.state}, and is ${String(event?.state)}`;
}

function* auditEvents(events: readonly ShownEvent[], stored: StoredSession | undefined): Generator<string> {
  for (const [at, event] of events.entries()) {
    const own = stored?.events[at];
    if (own === undefined || eventText(own) !== eventText(event))
      yield `event ${eventText(event)} is in place ${String(at + 1)}, which has ${own === undefined ? 'none' : eventText(own)}`;
  }
}

function* auditSight(
  { shown, ...when }: Sight,
  sessions: ReadonlyMap<string, StoredSession>,
  byMark: ReadonlyMap<string, readonly StoredSession[]>,
  writes: readonly Write[],
): Generator<string> {
  switch (shown.kind) {
    case 'config': {
      const configs = configsOf(shown.accountId, when, writes);
      if (!configs.has(partiesText(shown.parties)))
        yield `the parties are ${partiesText(shown.parties)}, and were ${[...configs].join(' or ')}`;
      return;
    }
    case 'sessions':
      for (const one of shown.sessions) yield* auditShownSession(one, sessions.get(one.sessionId));
      return;
    case 'created': {
      const [created] = byMark.get(shown.mark) ?? [];
      if (created?.sessionId !== shown.session.sessionId)
        yield `it was answered with ${shown.session.sessionId}, and has created ${String(created?.sessionId)}`;
      yield* auditShownSession(shown.session, created);
      return;
    }
    case 'events':
      yield* auditEvents(shown.events, sessions.get(shown.sessionId));
      return;
    case 'key':
    case 'secret':
      return;
  }
}

function* auditStream(
  { events, sessionId, since }: SessionStream,
  stored: StoredSession | undefined,
  isFair: boolean,
): Generator<string> {
  const received = events.flatMap(({ data }) => eventOf(data) ?? []);
  yield* auditEvents(received, stored);
  if (received.length !== stored?.events.length)
    yield `it has ${String(received.length)} of ${String(stored?.events.length)} events of ${sessionId}`;
  if (events.some(({ data }) => leaks(data))) yield 'it has the share';
  for (const { id, at } of isFair ? events : []) {
    const late = EPOCH_MS + at - (stored?.events[Number(id) - 1]?.at ?? Infinity);
    if (late > PROMPT_MS && at - (since ?? at) > PROMPT_MS)
      yield `event ${String(id)} is ${late.toFixed(0)} ms late`;
  }
}

function* auditKeys(sights: readonly Sight[]): Generator<string> {
  const claimed = new Set<string>();
  for (const { shown, name, tenant } of sights) {
    if (shown.kind !== 'key' || !shown.isOneTime) continue;
    const key = `${String(tenant)} ${shown.keyId}`;
    if (claimed.has(key)) yield `${name}: the key ${shown.keyId} was claimed before`;
    claimed.add(key);
  }
}

/** The sessions of a row of `SIGNING_AUDIT`. */
export function storedSessions(row: Readonly<Record<string, unknown>>): readonly StoredSession[] {
  const list: unknown = JSON.parse(String(row['sessions']));
  if (!Array.isArray(list) || !list.every(isStored))
    throw new Error('the audit of sessions has another form');
  return list;
}

/**
 * @param isFair nothing was broken
 * @returns what is wrong, each with the name of what it is about
 */
export function auditSigning(
  row: Readonly<Record<string, unknown>>,
  writes: readonly Write[],
  sights: readonly Sight[],
  streams: readonly SessionStream[],
  isFair: boolean,
): readonly string[] {
  const list = storedSessions(row);
  const sessions = new Map(list.map((session) => [session.sessionId, session]));
  const byMark = new Map<string, readonly StoredSession[]>();
  for (const session of list)
    byMark.set(session.mark ?? '', [...(byMark.get(session.mark ?? '') ?? []), session]);
  const about = (name: string, problems: Iterable<string>): readonly string[] =>
    [...problems].map((problem) => `${name}: ${problem}`);
  const created = writes.filter(isSessionWrite);
  const marks = new Set(created.map(({ effect }) => effect.mark));
  return [
    ...(row['leaked'] === 0 ? [] : ['a share is in a table where none may be']),
    ...list
      .filter(({ mark }) => mark === null || !marks.has(mark))
      .map((session) => `a session that no client has created: ${JSON.stringify(session)}`),
    ...list.flatMap((session) => [
      ...about(`session ${session.mark ?? ''}`, auditHistory(session)),
      ...about(`session ${session.mark ?? ''}`, auditEnd(session, writes)),
    ]),
    ...created.flatMap((write) =>
      about(write.name, auditCreation(write, byMark.get(write.effect.mark) ?? [], writes)),
    ),
    ...sights.flatMap((sight) => about(sight.name, auditSight(sight, sessions, byMark, writes))),
    ...streams.flatMap((stream) =>
      about(stream.name, auditStream(stream, sessions.get(stream.sessionId), isFair)),
    ),
    ...auditKeys(sights),
  ];
}
