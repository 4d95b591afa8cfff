-- Sending needs no transaction around it any more, so that it is one trip to the server: what was refused is undone here.
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
  capacity bigint
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
      capacity
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
  uuid, text, uuid[], bigint[], bigint[], jsonb, bytea[], bytea[], bytea[], bigint
) from public;
grant execute on function dbr_signing.send_all_or_none(
  uuid, text, uuid[], bigint[], bigint[], jsonb, bytea[], bytea[], bytea[], bigint
) to dbr_signing_service;
