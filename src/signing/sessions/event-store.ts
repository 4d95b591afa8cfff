/** Reads the events of sessions: by session for users, by party for the router. */
import type { DelegateUserShareReceipt, SigningSessionEvent } from '../../../generated/types.js';
import type { PartyId, SessionId } from '../../identifiers.js';
import type { DatabaseTask } from '../../postgres/database.js';
import type { DelegateUserShare, SessionEventType } from '../router-port.js';
import { secret } from '../secret.js';
import type { EncryptionSuite } from '../types.js';
import type { SessionState } from '../types.js';
import { EVENTS_OF_PARTY, EVENTS_OF_SESSION, FIRST_EVENT_OF_OPEN_SESSIONS, HORIZON } from './event-sql.js';
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
  readonly delegate_party_id: PartyId | null;
  readonly recipient_key_id: string;
  readonly suite: EncryptionSuite;
  readonly encapsulated_key: Buffer;
  readonly ciphertext: Buffer;
  readonly nonce: Buffer | null;
  readonly aad_sha256: Buffer;
  readonly expires_at: string;
}

/** A position in the order of events: the transaction that wrote the event, then the event. */
export interface EventPosition {
  readonly xid: string;
  readonly eventId: string;
}

/**
 * Reads the events of the party's sessions after a position.
 * @param openOnly omits sessions that have ended
 */
export async function eventsOfParty(
  transaction: DatabaseTask,
  partyId: PartyId,
  after: EventPosition,
  openOnly: boolean,
  limit: number,
): Promise<readonly { readonly event: PartyEvent; readonly position: EventPosition }[]> {
  const rows = await transaction.any<PartyEventRow>({
    text: EVENTS_OF_PARTY,
    values: [partyId, after.xid, after.eventId, openOnly, limit],
    unnamed: true,
  });
  return rows.map((row) => ({
    event: partyEventOf(row),
    position: { xid: row.xid, eventId: row.event_id },
  }));
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

/** Returns the transaction before which nothing can become visible any more. */
export async function horizonOf(transaction: DatabaseTask): Promise<string> {
  const { xid } = await transaction.one<{ readonly xid: string }>({ text: HORIZON, values: [] });
  return xid;
}

/** Returns the transaction of the oldest event in an open session of the party; null if it has no open session. */
export async function firstTransactionOfOpen(
  transaction: DatabaseTask,
  partyId: PartyId,
): Promise<string | null> {
  const row = await transaction.oneOrNone<{ readonly xid: string }>({
    text: FIRST_EVENT_OF_OPEN_SESSIONS,
    values: [partyId],
  });
  return row?.xid ?? null;
}
