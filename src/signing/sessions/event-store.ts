/** Reads the events of sessions: by session for users, by party for the router. */
import type { DelegateUserShareReceipt, SigningSessionEvent } from '../../../generated/types.js';
import type { PartyId, SessionId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/transaction.js';
import {
  advance,
  parametersOf,
  placeOf,
  positionAt,
  runningOf,
  settle,
  type EventPlace,
  type EventPosition,
  inReach,
  isPassed,
  NAMED,
  openRows,
  placeSql,
} from '../../postgres/event-position.js';
import type { DelegateUserShare, PartySessionEvent } from '../router-port.js';
import { secret, type EncryptionSuite, type SessionState } from '../types.js';
import type { SessionRecord } from './session-record.js';
import { sql, type Sql } from '../../postgres/sql.js';

/** As `EVENTS_OF_SESSION` returns it. */
interface EventRow extends Pick<PartyEvent, 'eventId' | 'sequence' | 'type' | 'state' | 'partyId'> {
  readonly occurredAt: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly receipt: DelegateUserShareReceipt | null;
}

/** Reads the events of the session after a position, in order, as users see them. */
export async function eventsOfSession(
  transaction: DatabaseTask,
  session: SessionRecord,
  after: number,
  limit: number,
): Promise<readonly SigningSessionEvent[]> {
  const rows = await transaction.any<EventRow>({
    text: EVENTS_OF_SESSION,
    values: [session.sessionId, after, limit],
  });
  return rows.map((row) => eventJson(row, session));
}

const eventJson = (
  { partyId, data, receipt, ...row }: EventRow,
  { sessionId, accountId }: SessionRecord,
): SigningSessionEvent => ({
  ...row,
  sessionId,
  accountId,
  ...(partyId === null ? {} : { partyId }),
  data,
  ...(receipt === null ? {} : { DelegateUserShare: receipt }),
});

/** An event for a party, without its session. */
export interface PartyEvent extends Omit<PartySessionEvent, 'session'> {
  readonly sessionId: SessionId;
  readonly state: SessionState;
}

interface PartyEventRow extends Omit<PartyEvent, 'occurredAt' | 'delegateUserShare'> {
  readonly occurredAt: string;
  readonly xid: string;
  /** The place of the event before it in its session, if that one belongs to a later transaction. */
  readonly behind: string | null;
  readonly running: string;
  readonly delegatePartyId: PartyId | null;
  readonly recipientKeyId: string;
  readonly suite: EncryptionSuite;
  readonly encapsulatedKey: Buffer;
  readonly ciphertext: Buffer;
  readonly nonce: Buffer | null;
  readonly aadSha256: Buffer;
  readonly expiresAt: string;
}

/** The row of a result without events. */
interface NoEventRow {
  readonly eventId: null;
  readonly running: string;
}

interface PartyEvents {
  /** In order, each with the position after it. */
  readonly events: readonly { readonly event: PartyEvent; readonly position: EventPosition }[];
  /** The position after them; after all events that can be read if there are fewer than the limit. */
  readonly position: EventPosition;
}

/**
 * Reads the events of the party's sessions after a position.
 * @param limit number of events of a page; there are more if one of them waits for an event behind them
 */
export async function laterEvents(
  transaction: DatabaseTask,
  partyId: PartyId,
  from: EventPosition,
  limit: number,
): Promise<PartyEvents> {
  const rows = await transaction.any<PartyEventRow | NoEventRow>({
    text: LATER_EVENTS_OF_PARTY,
    values: [partyId, limit, ...parametersOf(from)],
    unnamed: true,
  });
  const running = runningOf(rows[0]?.running);
  const { events, position, isCut } = eventsOf(rows, from, running, limit);
  if (isCut) return laterEvents(transaction, partyId, from, 2 * limit);
  return { events, position: events.length < limit ? settle(position, running) : position };
}

/**
 * Reads the events of the party's sessions that were open at a position, after another position and up to that one. The events of a
 * session that ends meanwhile are included, because its end follows.
 */
export async function openEvents(
  transaction: DatabaseTask,
  partyId: PartyId,
  from: EventPosition,
  until: EventPosition,
  limit: number,
): Promise<PartyEvents> {
  const [xid, eventId, open] = parametersOf(until);
  const rows = await transaction.any<PartyEventRow | NoEventRow>({
    text: OPEN_EVENTS_OF_PARTY,
    values: [partyId, limit, from.xid, from.eventId, xid, eventId, open],
    unnamed: true,
  });
  const found = eventsOf(rows, from, new Set(until.open.map((place) => place.xid)), limit);
  if (found.isCut) return openEvents(transaction, partyId, from, until, 2 * limit);
  return found.events.length < limit ? { ...found, position: until } : found;
}

interface ReadEvents extends PartyEvents {
  /** Whether an event waits for another one that the page does not contain. */
  readonly isCut: boolean;
}

function eventsOf(
  rows: readonly (PartyEventRow | NoEventRow)[],
  from: EventPosition,
  running: ReadonlySet<string>,
  limit: number,
): ReadEvents {
  const found = rows.filter((row) => row.eventId !== null);
  const ordered = found.some((row) => waits(row, from)) ? inSessionOrder(found, from) : ranked(found);
  const isCut = ordered === null && rows.length >= limit;
  if (isCut) return { events: [], position: from, isCut };
  let position = from;
  // Events that follow later than their transactions: how many of each are left.
  const late = new Map<string, number>();
  // What is out of reach is not waited for.
  const read = ordered ?? ranked(found);
  for (const { row, isLate } of read) if (isLate) late.set(row.xid, (late.get(row.xid) ?? 0) + 1);
  const events = read.map(({ row, isLate }) => {
    const left = (late.get(row.xid) ?? 0) - 1;
    if (isLate && left > 0) late.set(row.xid, left);
    else if (isLate) late.delete(row.xid);
    const waiting = late.size === 0 ? [] : [...late.keys()].filter((xid) => xid !== row.xid);
    position = advance(position, row, running, waiting);
    return { event: partyEventOf(row), position };
  });
  return { events, position, isCut };
}

interface RankedEvent {
  readonly row: PartyEventRow;
  /** The transaction behind whose events it is read. */
  readonly rank: bigint;
  /** Whether that is a later transaction than its own. */
  readonly isLate: boolean;
}

const ranked = (rows: readonly PartyEventRow[]): readonly RankedEvent[] =>
  rows.map((row) => ({ row, rank: BigInt(row.xid), isLate: false }));

/** Whether an event has to wait for the one before it in its session, which is of a later transaction. */
const waits = ({ behind }: PartyEventRow, from: EventPosition): boolean =>
  behind !== null && !isPassed(from, placeOf(behind));

/**
 * Orders events so that each follows those before it in its session and in its transaction. A transaction that changes several
 * sessions may wait for one that began later and changed one of them: its events follow those of that one. Events get their
 * identifiers when they are written, so that identifiers are such an order, though not one of positions.
 * @returns null if an event waits for one that is not there
 */
function inSessionOrder(rows: readonly PartyEventRow[], from: EventPosition): readonly RankedEvent[] | null {
  const ofTransactions = new Map<string, bigint>();
  const ofSessions = new Map<string, { readonly sequence: number; readonly rank: bigint }>();
  const events: RankedEvent[] = [];
  for (const row of rows.toSorted(byEventId)) {
    const before = ofSessions.get(row.sessionId);
    if (waits(row, from) && before?.sequence !== row.sequence - 1) return null;
    const own = BigInt(row.xid);
    const rank = [before?.rank ?? own, ofTransactions.get(row.xid) ?? own].reduce(
      (most, each) => (each > most ? each : most),
      own,
    );
    ofSessions.set(row.sessionId, { sequence: row.sequence, rank });
    ofTransactions.set(row.xid, rank);
    events.push({ row, rank, isLate: rank > own });
  }
  return events.toSorted(
    (one, other) => compare(one.rank, other.rank) || Number(one.isLate) - Number(other.isLate),
  );
}

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0);

const byEventId = (one: PartyEventRow, other: PartyEventRow): number =>
  compare(BigInt(one.eventId), BigInt(other.eventId));

interface StreamStart {
  /** Whether the database has reached the place at which the client resumes; null without one. */
  readonly reached: boolean | null;
  /** The position after all events that can be read. */
  readonly present: EventPosition;
  /** The first transaction with an event of an open session of the party; null for none. */
  readonly first: string | null;
}

interface StartRow {
  readonly reached: boolean | null;
  readonly last: string;
  readonly running: string;
  readonly first: string | null;
}

/** @param after the place at which the client resumes */
export async function beginStream(
  transaction: DatabaseTask,
  partyId: PartyId,
  after: EventPlace | null,
): Promise<StreamStart> {
  const row = await transaction.one<StartRow>({
    text: BEGIN_STREAM,
    values: [partyId, after?.xid ?? null, after?.eventId ?? null],
  });
  const { reached, last, running, first } = row;
  return { reached, present: positionAt(placeOf(last), runningOf(running)), first };
}

const partyEventOf = (row: PartyEventRow): PartyEvent => ({
  eventId: row.eventId,
  sessionId: row.sessionId,
  sequence: row.sequence,
  type: row.type,
  state: row.state,
  occurredAt: new Date(row.occurredAt),
  partyId: row.partyId,
  delegateUserShare: row.delegatePartyId === null ? null : shareOf(row, row.delegatePartyId),
});

const shareOf = (row: PartyEventRow, delegatePartyId: PartyId): DelegateUserShare => ({
  delegatePartyId,
  recipientKeyId: row.recipientKeyId,
  suite: row.suite,
  encapsulatedKey: secret(row.encapsulatedKey),
  ciphertext: secret(row.ciphertext),
  nonce: row.nonce === null ? null : secret(row.nonce),
  aadSha256: row.aadSha256,
  expiresAt: new Date(row.expiresAt),
});

// The statements that read the events of sessions.

/** `$1` session, `$2` position, `$3` limit. A user sees the receipt of a share, not the share. */
const EVENTS_OF_SESSION = sql`
select
  event.event_id as "eventId",
  event.sequence::double precision as sequence,
  event.type,
  event.state,
  event.party_id as "partyId",
  dbr_signing.instant(event.occurred_at) as "occurredAt",
  event.data,
  case when share.session_id is not null then pg_catalog.json_build_object(
    'delegatePartyId', share.delegate_party_id,
    'recipientKeyId', share.recipient_key_id,
    'suite', share.suite,
    'ciphertextSha256', pg_catalog.encode(share.ciphertext_sha256, 'hex'),
    'suppliedAt', dbr_signing.instant(share.supplied_at)
  ) end as receipt
from dbr_signing.session_events as event
left join dbr_signing.delegate_user_shares as share
  on share.session_id = event.session_id and share.event_sequence = event.sequence
where event.session_id = $1::uuid and event.sequence > $2::bigint
order by event.sequence
limit $3`;

/** The columns of an event for party `$1`. The share is returned with its event, to its delegate alone, until it is erased or expires. */
const partyEvents = (events: Sql): Sql => sql`
select
  snapshot.running,
  event.event_id as "eventId",
  event.xid::text as xid,
  (
    select ${placeSql(sql`earlier.xid`, sql`earlier.event_id`)}
    from dbr_signing.session_events as earlier
    where earlier.session_id = event.session_id and earlier.sequence = event.sequence - 1 and earlier.xid > event.xid
  ) as behind,
  event.session_id as "sessionId",
  event.sequence::double precision as sequence,
  event.type,
  event.party_id as "partyId",
  event.state,
  dbr_signing.instant(event.occurred_at) as "occurredAt",
  share.delegate_party_id as "delegatePartyId",
  share.recipient_key_id as "recipientKeyId",
  share.suite,
  share.encapsulated_key as "encapsulatedKey",
  share.ciphertext,
  share.nonce,
  share.aad_sha256 as "aadSha256",
  dbr_signing.instant(share.expires_at) as "expiresAt"
from (select ${NAMED}::text as running) as snapshot
left join (
  ${events}
  order by xid, event_id
  limit $2
) as event on true
left join dbr_signing.delegate_user_shares as share
  on share.session_id = event.session_id
  and share.event_sequence = event.sequence
  and share.delegate_party_id = $1
  and share.erased_at is null
  and share.expires_at > pg_catalog.now()
order by event.xid, event.event_id`;

/** The events of party `$1`. @param joins further tables, without `where` */
const ofParty = (joins: Sql): Sql => sql`
  select event.*
  from dbr_signing.session_events as event
  join dbr_signing.session_participants as participant
    on participant.session_id = event.session_id and participant.party_id = $1
  ${joins}
  where event.tenant_id = (select dbr_signing.tenant_id())`;

/** `$1` party, `$2` limit, `$3` to `$6` position. One row at least: the running transactions, and null for no event. */
const LATER_EVENTS_OF_PARTY = partyEvents(sql`(${ofParty(sql``)}
    and (event.xid, event.event_id) > ($3::xid8, $4::bigint)
    and ${inReach(sql`event.xid`)}
  order by event.xid, event.event_id
  limit $2)
  union all
  (${ofParty(sql`join ${openRows(sql`$5`, sql`$6`)} on open.xid = event.xid and event.event_id > open.event_id`)}
  order by event.xid, event.event_id
  limit $2)`);

/** Whether an event is before a position: `$5` to `$7`. */
const isBeforeEnd = (event: Sql): Sql => sql`
      (${event}.xid, ${event}.event_id) <= ($5::xid8, $6::bigint)
      and ${event}.xid <> all ($7::xid8[])`;

/**
 * `$1` party, `$2` limit, `$3` and `$4` place, `$5` to `$7` position: as above, up to the position, of sessions that are open or
 * have an event after it.
 */
const OPEN_EVENTS_OF_PARTY = partyEvents(sql`${ofParty(sql`
  join dbr_signing.signing_sessions as session on session.session_id = event.session_id`)}
    and (event.xid, event.event_id) > ($3::xid8, $4::bigint)
    and ${isBeforeEnd(sql`event`)}
    and (
      session.ended_at is null
      or exists (
        select from dbr_signing.session_events as later
        where later.session_id = event.session_id and not (${isBeforeEnd(sql`later`)})
      )
    )`);

/**
 * `$1` party, `$2` and `$3` the place at which a client resumes, or null. One row: whether the database has reached the place, as
 * it has not if it was restored; the last event of the tenant, the running transactions, and the first transaction with an event
 * of an open session. A position begins at an event, because only a committed transaction keeps its id after a crash.
 */
const BEGIN_STREAM = sql`
select
  ($2::xid8, $3::bigint) <= (pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot()), 0) as reached,
  coalesce(
    (
      select ${placeSql(sql`event.xid`, sql`event.event_id`)}
      from dbr_signing.session_events as event
      where event.tenant_id = (select dbr_signing.tenant_id()) and ${inReach(sql`event.xid`)}
      order by event.xid desc, event.event_id desc
      limit 1
    ),
    '0.0'
  ) as last,
  ${NAMED}::text as running,
  (
    select event.xid::text
    from dbr_signing.session_events as event
    join dbr_signing.session_participants as participant
      on participant.session_id = event.session_id and participant.party_id = $1
    join dbr_signing.signing_sessions as session
      on session.session_id = event.session_id and session.ended_at is null
    order by event.xid
    limit 1
  ) as first`;
