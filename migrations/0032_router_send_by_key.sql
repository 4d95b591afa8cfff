-- Sending and reading find messages by whole keys, and participants at once: in long sessions each message went through all
-- that were sent before.

-- Plans are kept, also those made while the tables are empty, when the planner takes any index for as good as another. So
-- there is one that begins with the session: whoever knows more of the key uses all of it.
alter table dbr_signing.router_messages drop constraint router_messages_session_id_message_id_key;
alter table dbr_signing.router_messages add unique (message_id, session_id);

create or replace function dbr_signing.send_messages(
  in_session uuid,
  sender text,
  message_ids uuid[],
  sender_sequences bigint[],
  rounds bigint[],
  recipients jsonb,
  payloads bytea[],
  signatures bytea[],
  contents_sha256 bytea[],
  capacity bigint
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
  known_sha256 bytea;
  same_key boolean;
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

    select content_sha256, message_id = message_ids[place] and sender_sequence = sender_sequences[place]
      into known_sha256, same_key
    from (
      select content_sha256, message_id, sender_sequence
      from (
        select session_id, content_sha256, message_id, sender_sequence
        from dbr_signing.router_messages
        where message_id = message_ids[place]
        -- Looked up by the identifier alone, which hardly any other session has.
        offset 0
      ) as named_so
      where session_id = in_session
      union all
      select content_sha256, message_id, sender_sequence
      from dbr_signing.router_messages
      where session_id = in_session and from_party_id = sender and sender_sequence = sender_sequences[place]
    ) as known
    order by content_sha256 = contents_sha256[place]
    limit 1;
    if found then
      if not same_key or known_sha256 <> contents_sha256[place] then
        return jsonb_build_object(
          'kind', 'equivocation',
          'firstSha256', encode(known_sha256, 'hex'),
          'secondSha256', encode(contents_sha256[place], 'hex')
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
      set mailbox_head = mailbox_head + 1
      where session_id = in_session and party_id = any (addressees)
      returning party_id, mailbox_head, mailbox_acked
    ),
    placed as (
      insert into dbr_signing.router_mailbox (session_id, tenant_id, party_id, sequence, from_party_id, sender_sequence)
      select in_session, tenant, party_id, mailbox_head, sender, sender_sequences[place]
      from numbered
    )
    select party_id into full_party
    from numbered
    where mailbox_head - mailbox_acked > capacity
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
