/** The statements of mailboxes that lie in PostgreSQL. */
import { prepare } from '../postgres/statement.js';
import { partyChangeSql } from '../signing/parties/party-change.js';
import { sql } from '../postgres/sql.js';

export const SEND = prepare(sql`
select dbr_signing.send_all_or_none(
  $1::uuid, $2::text, $3::uuid[], $4::bigint[], $5::bigint[], $6::jsonb, $7::bytea[], $8::bytea[], $9::bytea[], $10::bigint,
  $11::bigint
) as outcome`);

/** The position is checked under the lock, so that of two readers one is the newer for everybody. */
export const OPEN = prepare(sql`
with mailbox as (
  select mailbox_acked, mailbox_delivered
  from dbr_signing.session_participants
  where session_id = $1::uuid and party_id = $2
  for update
),
opened as (
  update dbr_signing.session_participants as participant
  set mailbox_reader = participant.mailbox_reader + 1
  from mailbox
  where participant.session_id = $1::uuid
    and participant.party_id = $2
    and $3::bigint <= mailbox.mailbox_delivered
  returning participant.mailbox_reader
),
again as (
  update dbr_signing.router_mailbox
  set redelivery_count = redelivery_count + 1
  where session_id = $1::uuid
    and party_id = $2
    and sequence > greatest($3::bigint, (select mailbox_acked from mailbox))
    and sequence <= (select mailbox_delivered from mailbox)
    and exists (select from opened)
)
select
  greatest($3::bigint, mailbox_acked) as position,
  mailbox_acked as acked,
  mailbox_delivered as delivered,
  (select mailbox_reader from opened) as reader
from mailbox`);

/**
 * Also whether the party is still what it was recognised as, at the moment that is read.
 * Payloads are fetched for what fits on the page alone, by the whole key of a message, whatever the planner believes of a
 * table that is empty most of the time: joined, every read would go through all messages of the session.
 */
export const READ = prepare(sql`
with sized as (
  select
    sequence,
    redelivery_count,
    from_party_id,
    sender_sequence,
    pg_catalog.sum(bytes) over (order by sequence) as bytes,
    pg_catalog.row_number() over (order by sequence) as place
  from dbr_signing.router_mailbox
  where session_id = $1::uuid
    and party_id = $2
    and sequence > $3::bigint
    and sequence <= $3::bigint + $4::bigint
),
page as (
  select * from sized where bytes <= $5::bigint or place = 1
),
delivered as (
  update dbr_signing.session_participants
  set mailbox_delivered = (select pg_catalog.max(sequence) from page)
  where session_id = $1::uuid
    and party_id = $2
    and mailbox_delivered < (select pg_catalog.max(sequence) from page)
)
select
  ${partyChangeSql(sql`party`, sql`$6::bytea`, sql`$7::bytea`)} as change,
  participant.mailbox_head,
  participant.mailbox_acked,
  participant.mailbox_reader,
  page.sequence,
  page.redelivery_count,
  message.from_party_id,
  message.sender_sequence,
  message.message_id,
  pg_catalog.to_jsonb(message.to_party_ids) as to_party_ids,
  message.round,
  message.content_sha256,
  message.signature,
  dbr_signing.instant(message.sent_at) as sent_at,
  message.payload
from dbr_signing.session_participants as participant
join dbr_signing.parties as party using (tenant_id, party_id)
left join page on true
left join lateral (
  select *
  from dbr_signing.router_messages
  where session_id = participant.session_id
    and from_party_id = page.from_party_id
    and sender_sequence = page.sender_sequence
  limit 1
) as message on true
where participant.session_id = $1::uuid and participant.party_id = $2
order by page.sequence`);

/** A mailbox that ended meanwhile keeps its marks; its rows are gone already. */
export const ACK = prepare(sql`
with mailbox as (
  select mailbox_delivered
  from dbr_signing.session_participants
  where session_id = $1::uuid and party_id = $2
  for update
),
emptied as (
  delete from dbr_signing.router_mailbox
  where session_id = $1::uuid
    and party_id = $2
    and sequence <= $3::bigint
    and $3::bigint <= (select mailbox_delivered from mailbox)
  returning bytes
),
acked as (
  update dbr_signing.session_participants as participant
  set
    mailbox_acked = greatest(participant.mailbox_acked, $3::bigint),
    mailbox_bytes = participant.mailbox_bytes - (select coalesce(pg_catalog.sum(bytes), 0) from emptied)
  from mailbox
  where participant.session_id = $1::uuid
    and participant.party_id = $2
    and $3::bigint <= mailbox.mailbox_delivered
  returning participant.mailbox_acked
)
select mailbox_delivered as delivered, (select mailbox_acked from acked) as acked
from mailbox`);

/** One question for all who wait. */
export const MARKS = prepare(sql`
select session_id, party_id, mailbox_head, mailbox_acked, mailbox_reader
from rows from (
  pg_catalog.unnest($1::uuid[]),
  pg_catalog.jsonb_array_elements_text($2::jsonb)
) as waiting (session_id, party_id)
join dbr_signing.session_participants using (session_id, party_id)`);
