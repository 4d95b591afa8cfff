-- Messages between the parties of a session until they are acknowledged. A mailbox is a participant's; rows of
-- router_messages hold the content once, rows of router_mailbox refer to it from each mailbox.

alter table dbr_signing.session_participants
  -- Position of the last message, and the last acknowledged position.
  add column mailbox_head bigint not null default 0,
  add column mailbox_acked bigint not null default 0,
  -- The highest position that was delivered: a message at or below it is redelivered.
  add column mailbox_delivered bigint not null default 0,
  add column sender_sequence bigint not null default 0,
  -- The number of the newest subscription: an older one ends when it sees a higher number.
  add column mailbox_reader bigint not null default 0,
  -- Bytes of payloads that are not acknowledged.
  add column mailbox_bytes bigint not null default 0;

create table dbr_signing.router_messages (
  session_id uuid not null,
  tenant_id text not null,
  from_party_id text not null,
  sender_sequence bigint not null,
  message_id uuid not null,
  round bigint not null,
  to_party_ids text[] not null,
  payload bytea not null check (pg_catalog.octet_length(payload) <= 1048576),
  content_sha256 bytea not null,
  signature bytea not null,
  sent_at timestamptz not null default pg_catalog.clock_timestamp(),
  primary key (session_id, from_party_id, sender_sequence),
  -- Begins with the identifier: a generic plan then never reads all messages of a session.
  unique (message_id, session_id, from_party_id),
  foreign key (tenant_id, session_id) references dbr_signing.signing_sessions (tenant_id, session_id) on delete cascade
) with (autovacuum_vacuum_scale_factor = 0.01);

create table dbr_signing.router_mailbox (
  session_id uuid not null,
  tenant_id text not null,
  party_id text not null,
  sequence bigint not null,
  from_party_id text not null,
  sender_sequence bigint not null,
  redelivery_count integer not null default 0,
  bytes integer not null default 0,
  primary key (session_id, party_id, sequence),
  foreign key (tenant_id, session_id) references dbr_signing.signing_sessions (tenant_id, session_id) on delete cascade
) with (autovacuum_vacuum_scale_factor = 0.01);

do $$
declare
  name text;
begin
  foreach name in array array['router_messages', 'router_mailbox'] loop
    execute pg_catalog.format('alter table dbr_signing.%I enable row level security', name);
    execute pg_catalog.format('alter table dbr_signing.%I force row level security', name);
    execute pg_catalog.format(
      'create policy tenant on dbr_signing.%I to dbr_signing_service using (tenant_id = (select dbr_signing.tenant_id()))',
      name
    );
  end loop;
end
$$;
grant select, insert, delete on dbr_signing.router_messages, dbr_signing.router_mailbox to dbr_signing_service;
grant update (redelivery_count) on dbr_signing.router_mailbox to dbr_signing_service;

-- One query of a process reads the positions of all mailboxes that it waits for, of all tenants.
grant select (mailbox_head, mailbox_acked, mailbox_reader) on dbr_signing.session_participants
  to dbr_signing_sweeper;

-- Accepts messages of one sender or returns the reason of the refusal; the caller then rolls back, as some may be written.
-- It locks the session's row shared, so that the session does not end meanwhile, and the participants' rows in one order,
-- so that mailboxes are numbered without gaps and calls do not deadlock.
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

  -- Locked in the order of the names.
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

    select candidate.* into known
    from (
      select *
      from (
        select *
        from dbr_signing.router_messages
        where message_id = message_ids[place]
        -- Looked up by the identifier alone, which is nearly unique across sessions.
        offset 0
      ) as same_id
      where session_id = in_session and from_party_id = sender
      union all
      select *
      from dbr_signing.router_messages
      where session_id = in_session and from_party_id = sender and sender_sequence = sender_sequences[place]
    ) as candidate
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

-- Sends in one round trip without an explicit transaction: a refused call is rolled back to the savepoint of the block.
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

-- The place in which each process that routes messages keeps the mailboxes: all processes of a database must use one.
create table dbr_signing.router_processes (
  process_id uuid primary key,
  mailboxes text not null,
  seen_at timestamptz not null default pg_catalog.clock_timestamp()
);
comment on table dbr_signing.router_processes is 'Running processes that route messages, with the place of their mailboxes; not divided by tenant.';
alter table dbr_signing.router_processes enable row level security;
alter table dbr_signing.router_processes force row level security;
create policy every_process on dbr_signing.router_processes to dbr_signing_sweeper using (true);
grant select, insert, update, delete on dbr_signing.router_processes to dbr_signing_sweeper;
