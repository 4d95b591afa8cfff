-- Identifiers of messages count for each sender: two senders that use one are no contradiction. Mailboxes are bounded in
-- bytes, and what proves a contradiction is kept.

drop function dbr_signing.send_all_or_none(
  uuid, text, uuid[], bigint[], bigint[], jsonb, bytea[], bytea[], bytea[], bigint
);
drop function dbr_signing.send_messages(
  uuid, text, uuid[], bigint[], bigint[], jsonb, bytea[], bytea[], bytea[], bigint
);

alter table dbr_signing.router_messages drop constraint router_messages_message_id_session_id_key;
-- It begins with the identifier, as the one before did: a plan that is kept then never goes through a whole session.
alter table dbr_signing.router_messages add unique (message_id, session_id, from_party_id);

-- Of payloads that are not acknowledged.
alter table dbr_signing.session_participants add column mailbox_bytes bigint not null default 0;
alter table dbr_signing.router_mailbox add column bytes integer not null default 0;

-- Two messages that one party signed under one number or identifier. A statement is what the party signed, see the manual;
-- its SHA-256 tells messages apart.
create table dbr_signing.equivocations (
  equivocation_id bigint generated always as identity primary key,
  tenant_id text not null,
  session_id uuid not null,
  party_id text not null,
  identity_public_key bytea not null,
  first_statement bytea not null,
  first_signature bytea not null,
  second_statement bytea not null,
  second_signature bytea not null,
  at timestamptz not null default pg_catalog.now()
);
comment on table dbr_signing.equivocations is 'Proofs of contradictions; kept as long as the audit log.';
create index equivocations_session on dbr_signing.equivocations (tenant_id, session_id);
alter table dbr_signing.equivocations enable row level security;
alter table dbr_signing.equivocations force row level security;
create policy tenant on dbr_signing.equivocations to dbr_signing_service
  using (tenant_id = (select dbr_signing.tenant_id()));
grant select, insert on dbr_signing.equivocations to dbr_signing_service;
create trigger equivocations_append_only
  before update or delete or truncate on dbr_signing.equivocations
  for each statement execute function dbr_signing.refuse_change();

-- Accepts messages of one sender, or says why not; then the caller undoes the transaction, as some may have been written.
-- The session's row is held shared, so that no end comes between; the participants' rows in one order, so that every
-- mailbox gets its numbers without gaps and no two calls wait for each other.
create function dbr_signing.send_messages(
  in_session uuid,
  sender text,
  message_ids uuid[],
  sender_sequences bigint[],
  rounds bigint[],
  recipients jsonb,
  payloads bytea[],
  signatures bytea[],
  contents_sha256 bytea[],
  capacity bigint,
  capacity_bytes bigint
)
  returns jsonb
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  tenant text;
  session_state dbr_signing.session_state;
  others text[];
  next_sequence bigint;
  addressees text[];
  named text[];
  known dbr_signing.router_messages;
  full_party text;
  duplicates boolean[] := '{}';
begin
  select
    tenant_id,
    dbr_signing.effective_state(state, ready_by, expires_at, ended_at)
    into tenant, session_state
  from dbr_signing.signing_sessions
  where session_id = in_session
  for share;

  -- Locked in the order of their names.
  select
    array_agg(party_id order by party_id) filter (where party_id <> sender),
    max(sender_sequence + 1) filter (where party_id = sender)
    into others, next_sequence
  from (
    select party_id, sender_sequence
    from dbr_signing.session_participants
    where session_id = in_session
    order by party_id
    for no key update
  ) as participant;

  if next_sequence is null then
    return jsonb_build_object('kind', 'not-found');
  end if;
  if session_state <> 'in_progress' then
    return jsonb_build_object('kind', 'wrong-state', 'state', session_state);
  end if;

  for place in 1 .. cardinality(message_ids) loop
    named := array(select jsonb_array_elements_text(recipients -> (place - 1)));
    addressees := case when cardinality(named) = 0 then others else named end;
    if not addressees <@ others then
      return jsonb_build_object(
        'kind', 'unknown-recipient',
        'partyId', (select name from unnest(addressees) as name where name <> all (others) limit 1)
      );
    end if;

    select known_so.* into known
    from (
      select *
      from (
        select *
        from dbr_signing.router_messages
        where message_id = message_ids[place]
        -- Looked up by the identifier alone, which hardly any other session has.
        offset 0
      ) as named_so
      where session_id = in_session and from_party_id = sender
      union all
      select *
      from dbr_signing.router_messages
      where session_id = in_session and from_party_id = sender and sender_sequence = sender_sequences[place]
    ) as known_so
    order by content_sha256 = contents_sha256[place]
    limit 1;
    if found then
      if known.content_sha256 <> contents_sha256[place] then
        return jsonb_build_object(
          'kind', 'equivocation',
          'place', place,
          'first', jsonb_build_object(
            'messageId', known.message_id,
            'toPartyIds', known.to_party_ids,
            'round', known.round,
            'senderSequence', known.sender_sequence,
            'payload', encode(known.payload, 'base64'),
            'signature', encode(known.signature, 'base64'),
            'contentSha256', encode(known.content_sha256, 'base64')
          )
        );
      end if;
      duplicates := duplicates || true;
      continue;
    end if;

    if sender_sequences[place] <> next_sequence then
      return jsonb_build_object('kind', 'out-of-order', 'expected', next_sequence);
    end if;
    next_sequence := next_sequence + 1;
    duplicates := duplicates || false;

    insert into dbr_signing.router_messages (
      session_id, tenant_id, from_party_id, sender_sequence, message_id, round, to_party_ids, payload, content_sha256,
      signature
    )
    values (
      in_session, tenant, sender, sender_sequences[place], message_ids[place], rounds[place], named,
      payloads[place], contents_sha256[place], signatures[place]
    );

    with numbered as (
      update dbr_signing.session_participants
      set
        mailbox_head = mailbox_head + 1,
        mailbox_bytes = mailbox_bytes + octet_length(payloads[place])
      where session_id = in_session and party_id = any (addressees)
      returning party_id, mailbox_head, mailbox_acked, mailbox_bytes
    ),
    placed as (
      insert into dbr_signing.router_mailbox (
        session_id, tenant_id, party_id, sequence, from_party_id, sender_sequence, bytes
      )
      select
        in_session, tenant, party_id, mailbox_head, sender, sender_sequences[place], octet_length(payloads[place])
      from numbered
    )
    select party_id into full_party
    from numbered
    where mailbox_head - mailbox_acked > capacity or mailbox_bytes > capacity_bytes
    limit 1;
    if found then
      return jsonb_build_object('kind', 'full', 'partyId', full_party);
    end if;
  end loop;

  update dbr_signing.session_participants
  set sender_sequence = next_sequence - 1
  where session_id = in_session and party_id = sender;
  return jsonb_build_object('kind', 'accepted', 'duplicates', to_jsonb(duplicates));
end
$$;

revoke execute on function dbr_signing.send_messages(
  uuid, text, uuid[], bigint[], bigint[], jsonb, bytea[], bytea[], bytea[], bigint, bigint
) from public;
grant execute on function dbr_signing.send_messages(
  uuid, text, uuid[], bigint[], bigint[], jsonb, bytea[], bytea[], bytea[], bigint, bigint
) to dbr_signing_service;

-- Sending is one trip to the server, without a transaction around it: what was refused is undone here.
create function dbr_signing.send_all_or_none(
  in_session uuid,
  sender text,
  message_ids uuid[],
  sender_sequences bigint[],
  rounds bigint[],
  recipients jsonb,
  payloads bytea[],
  signatures bytea[],
  contents_sha256 bytea[],
  capacity bigint,
  capacity_bytes bigint
)
  returns jsonb
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  outcome jsonb;
begin
  begin
    outcome := dbr_signing.send_messages(
      in_session, sender, message_ids, sender_sequences, rounds, recipients, payloads, signatures, contents_sha256,
      capacity, capacity_bytes
    );
    if outcome ->> 'kind' <> 'accepted' then
      raise exception using errcode = 'DBR01', message = 'nothing is accepted';
    end if;
  exception
    when sqlstate 'DBR01' then
      null;
  end;
  return outcome;
end
$$;

revoke execute on function dbr_signing.send_all_or_none(
  uuid, text, uuid[], bigint[], bigint[], jsonb, bytea[], bytea[], bytea[], bigint, bigint
) from public;
grant execute on function dbr_signing.send_all_or_none(
  uuid, text, uuid[], bigint[], bigint[], jsonb, bytea[], bytea[], bytea[], bigint, bigint
) to dbr_signing_service;
