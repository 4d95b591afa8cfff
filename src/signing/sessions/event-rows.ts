/** Reading the events of sessions: by session for users, by party for the router. */
import type { DelegateUserShareReceipt, SigningSessionEvent } from '../../../generated/types.js';
import type { DatabaseTask } from '../../postgres/database.js';
import type { DelegateUserShare, EncryptionSuite, SessionEventType } from '../router-port.js';
import { secret } from '../shares/secret.js';
import type { SessionState } from './session-machine.js';
import type { SessionRecord } from './session-record.js';

interface EventRow {
  readonly event_id: string;
  readonly sequence: string;
  readonly type: SessionEventType;
  readonly party_id: string | null;
  readonly state: SessionState;
  readonly data: string;
  readonly occurred_at: string;
}

const EVENTS_OF_SESSION = `
select
  event.event_id,
  event.sequence,
  event.type,
  event.party_id,
  event.state,
  event.data,
  dbr_signing.instant(event.occurred_at) as occurred_at,
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

/** Events of the session after a position, in order, as users see them. */
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

/** An event for a party, before its session is put beside it. */
export interface PartyEvent {
  readonly eventId: string;
  readonly sessionId: string;
  readonly sequence: number;
  readonly type: SessionEventType;
  readonly state: SessionState;
  readonly occurredAt: Date;
  readonly partyId: string | null;
  readonly delegateUserShare: DelegateUserShare | null;
}

interface PartyEventRow extends Omit<EventRow, 'data'> {
  readonly session_id: string;
  readonly xid: string;
  readonly delegate_party_id: string | null;
  readonly recipient_key_id: string;
  readonly suite: EncryptionSuite;
  readonly encapsulated_key: Buffer;
  readonly ciphertext: Buffer;
  readonly nonce: Buffer | null;
  readonly aad_sha256: Buffer;
  readonly expires_at: string;
}

/** The share goes with its event, to its delegate alone, while it is there. */
const EVENTS_OF_PARTY = `
select
  event.event_id,
  event.xid::text as xid,
  event.session_id,
  event.sequence,
  event.type,
  event.party_id,
  event.state,
  dbr_signing.instant(event.occurred_at) as occurred_at,
  share.delegate_party_id,
  share.recipient_key_id,
  share.suite,
  share.encapsulated_key,
  share.ciphertext,
  share.nonce,
  share.aad_sha256,
  dbr_signing.instant(share.expires_at) as expires_at
from dbr_signing.session_events as event
join dbr_signing.session_participants as participant
  on participant.session_id = event.session_id and participant.party_id = $1
join dbr_signing.signing_sessions as session
  on session.session_id = event.session_id
left join dbr_signing.delegate_user_shares as share
  on share.session_id = event.session_id
  and share.event_sequence = event.sequence
  and share.delegate_party_id = $1
  and share.erased_at is null
  and share.expires_at > pg_catalog.now()
where event.tenant_id = (select dbr_signing.tenant_id())
  and (event.xid, event.event_id) > ($2::text::xid8, $3::bigint)
  and (not $4::boolean or session.ended_at is null)
order by event.xid, event.event_id
limit $5`;

/** A place in the order of events: the transaction that wrote, then the event. */
export interface EventPosition {
  readonly xid: string;
  readonly eventId: string;
}

/**
 * Events of the party's sessions after a position.
 * @param openOnly leave out sessions that have ended
 */
export async function eventsOfParty(
  transaction: DatabaseTask,
  partyId: string,
  after: EventPosition,
  openOnly: boolean,
  limit: number,
): Promise<readonly { readonly event: PartyEvent; readonly position: EventPosition }[]> {
  const rows = await transaction.any<PartyEventRow>({
    text: EVENTS_OF_PARTY,
    values: [partyId, after.xid, after.eventId, openOnly, limit],
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

const shareOf = (row: PartyEventRow, delegatePartyId: string): DelegateUserShare => ({
  delegatePartyId,
  recipientKeyId: row.recipient_key_id,
  suite: row.suite,
  encapsulatedKey: secret(row.encapsulated_key),
  ciphertext: secret(row.ciphertext),
  nonce: row.nonce === null ? null : secret(row.nonce),
  aadSha256: row.aad_sha256,
  expiresAt: new Date(row.expires_at),
});

/** Every transaction before it has ended: what it wrote is visible now or never. */
const HORIZON = `
select pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())::text as xid`;

const FIRST_OF_OPEN = `
select event.xid::text as xid
from dbr_signing.session_events as event
join dbr_signing.session_participants as participant
  on participant.session_id = event.session_id and participant.party_id = $1
join dbr_signing.signing_sessions as session
  on session.session_id = event.session_id and session.ended_at is null
order by event.xid
limit 1`;

export async function horizonOf(transaction: DatabaseTask): Promise<string> {
  const { xid } = await transaction.one<{ readonly xid: string }>({ text: HORIZON, values: [] });
  return xid;
}

/** The transaction of the oldest event in an open session of the party; null without one. */
export async function firstOfOpen(transaction: DatabaseTask, partyId: string): Promise<string | null> {
  const row = await transaction.oneOrNone<{ readonly xid: string }>({
    text: FIRST_OF_OPEN,
    values: [partyId],
  });
  return row?.xid ?? null;
}
