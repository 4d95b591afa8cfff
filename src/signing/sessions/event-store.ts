/** Reads the events of sessions: by session for users, by party for the router. */
import type { DelegateUserShareReceipt, SigningSessionEvent } from '../../../generated/types.js';
import type { PartyId, SessionId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/database.js';
import {
  advance,
  parametersOf,
  placeOf,
  positionAt,
  runningOf,
  settle,
  type EventPlace,
  type EventPosition,
} from '../../postgres/event-position.js';
import type { DelegateUserShare, SessionEventType } from '../router-port.js';
import { secret } from '../secret.js';
import type { EncryptionSuite } from '../types.js';
import type { SessionState } from '../types.js';
import { BEGIN_STREAM, EVENTS_OF_SESSION, LATER_EVENTS_OF_PARTY, OPEN_EVENTS_OF_PARTY } from './event-sql.js';
import type { SessionRecord } from './session-record.js';

interface EventRow {
  readonly event_id: string;
  readonly sequence: string;
  readonly type: SessionEventType;
  readonly party_id: PartyId | null;
  readonly state: SessionState;
  readonly data: string;
  readonly occurred_at: string;
}

/** Reads the events of the session after a position, in order, as users see them. */
export async function eventsOfSession(
  transaction: DatabaseTask,
  session: SessionRecord,
  after: number,
  limit: number,
): Promise<readonly SigningSessionEvent[]> {
  const rows = await transaction.any<EventRow & { readonly receipt: string | null }>({
    text: EVENTS_OF_SESSION,
    values: [session.sessionId, after, limit],
  });
  return rows.map((row) => eventJson(row, session));
}

function eventJson(
  row: EventRow & { readonly receipt: string | null },
  { sessionId, accountId }: SessionRecord,
): SigningSessionEvent {
  return {
    eventId: row.event_id,
    sequence: Number(row.sequence),
    type: row.type,
    sessionId,
    accountId,
    state: row.state,
    ...(row.party_id === null ? {} : { partyId: row.party_id }),
    occurredAt: row.occurred_at,
    data: JSON.parse(row.data) as Readonly<Record<string, unknown>>,
    ...(row.receipt === null
      ? {}
      : { DelegateUserShare: JSON.parse(row.receipt) as DelegateUserShareReceipt }),
  };
}

/** An event for a party, without its session. */
export interface PartyEvent {
  readonly eventId: string;
  readonly sessionId: SessionId;
  readonly sequence: number;
  readonly type: SessionEventType;
  readonly state: SessionState;
  readonly occurredAt: Date;
  readonly partyId: PartyId | null;
  readonly delegateUserShare: DelegateUserShare | null;
}

interface PartyEventRow extends Omit<EventRow, 'data'> {
  readonly session_id: SessionId;
  readonly xid: string;
  readonly running: string;
  readonly delegate_party_id: PartyId | null;
  readonly recipient_key_id: string;
  readonly suite: EncryptionSuite;
  readonly encapsulated_key: Buffer;
  readonly ciphertext: Buffer;
  readonly nonce: Buffer | null;
  readonly aad_sha256: Buffer;
  readonly expires_at: string;
}

/** The row of a result without events. */
interface NoEventRow {
  readonly event_id: null;
  readonly running: string;
}

export interface PartyEvents {
  /** In order, each with the position after it. */
  readonly events: readonly { readonly event: PartyEvent; readonly position: EventPosition }[];
  /** The position after them; after all events that can be read if there are fewer than the limit. */
  readonly position: EventPosition;
}

/** Reads the events of the party's sessions after a position. */
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
  const { events, position } = eventsOf(rows, from, running);
  return { events, position: events.length < limit ? settle(position, running) : position };
}

/** Reads the events of the party's open sessions after one position and up to another, of those that could be read at the other. */
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
  const found = eventsOf(rows, from, new Set(until.open.map((place) => place.xid)));
  return found.events.length < limit ? { ...found, position: until } : found;
}

function eventsOf(
  rows: readonly (PartyEventRow | NoEventRow)[],
  from: EventPosition,
  running: ReadonlySet<string>,
): PartyEvents {
  let position = from;
  const events = rows.flatMap((row) => {
    if (row.event_id === null) return [];
    position = advance(position, { xid: row.xid, eventId: row.event_id }, running);
    return [{ event: partyEventOf(row), position }];
  });
  return { events, position };
}

export interface StreamStart {
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
  eventId: row.event_id,
  sessionId: row.session_id,
  sequence: Number(row.sequence),
  type: row.type,
  state: row.state,
  occurredAt: new Date(row.occurred_at),
  partyId: row.party_id,
  delegateUserShare: row.delegate_party_id === null ? null : shareOf(row, row.delegate_party_id),
});

const shareOf = (row: PartyEventRow, delegatePartyId: PartyId): DelegateUserShare => ({
  delegatePartyId,
  recipientKeyId: row.recipient_key_id,
  suite: row.suite,
  encapsulatedKey: secret(row.encapsulated_key),
  ciphertext: secret(row.ciphertext),
  nonce: row.nonce === null ? null : secret(row.nonce),
  aadSha256: row.aad_sha256,
  expiresAt: new Date(row.expires_at),
});
