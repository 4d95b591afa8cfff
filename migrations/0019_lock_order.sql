-- Signing takes its locks in one order, and depends on no setting of the database.

-- A second change of a reader in one transaction made PostgreSQL check the key again, which locked the session behind its
-- reader, while the end of a session locks it before its readers. The end of a session erases its readers, as it erases its
-- log, and no reader is added after it: nothing is left for the key to remove.
alter table dbr_signing.router_readers drop constraint router_readers_tenant_id_session_id_fkey;

-- Returns the pseudonym of a user, and makes it with the user's first entry. No transaction waits for another. Without
-- backslashes, which standard_conforming_strings gives another meaning.
create or replace function dbr_signing.audit_pseudonym(tenant text, person text) returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  known text := (
    select min(pseudonym) from dbr_signing.audit_names where tenant_id = tenant and user_id = person
  );
  new_salt bytea;
begin
  if known is null then
    new_salt := sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'));
    known := 'user-' || encode(
      sha256(new_salt || convert_to(tenant, 'UTF8') || decode('00', 'hex') || convert_to(person, 'UTF8')), 'hex'
    );
    insert into dbr_signing.audit_names (tenant_id, user_id, salt, pseudonym)
    values (tenant, person, new_salt, known);
  end if;
  return known;
end
$$;
