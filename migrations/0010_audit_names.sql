-- Entries of the audit log name a user by a pseudonym, because a sealed entry cannot be changed. The table leads from the
-- pseudonym to the name; the erasure of a person deletes the row. Entries of before keep their names.

create table dbr_signing.audit_names (
  tenant_id text not null check (tenant_id <> ''),
  user_id text not null,
  salt bytea not null check (pg_catalog.octet_length(salt) = 32),
  pseudonym text not null,
  primary key (tenant_id, pseudonym)
);
comment on table dbr_signing.audit_names is
  'The pseudonym of each user in the audit log; several if the first entries of the user were written at the same time.';
create index audit_names_user on dbr_signing.audit_names (tenant_id, user_id, pseudonym);
-- Nothing leads from a pseudonym to its user without the salt, and no other user has the same.
comment on column dbr_signing.audit_names.pseudonym is
  '`user-` and the SHA-256 of salt, tenant, a zero byte, user, in hexadecimal digits.';

-- Returns the pseudonym of a user, and makes it with the user's first entry. No transaction waits for another.
create function dbr_signing.audit_pseudonym(tenant text, person text) returns text
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
      sha256(new_salt || convert_to(tenant, 'UTF8') || '\x00'::bytea || convert_to(person, 'UTF8')), 'hex'
    );
    insert into dbr_signing.audit_names (tenant_id, user_id, salt, pseudonym)
    values (tenant, person, new_salt, known);
  end if;
  return known;
end
$$;

-- Replaces the user in the view of an account.
create function dbr_signing.audit_view(tenant text, view jsonb) returns jsonb
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if view ? 'ownerUserId' then
    return view || jsonb_build_object('ownerUserId', dbr_signing.audit_pseudonym(tenant, view ->> 'ownerUserId'));
  end if;
  return view;
end
$$;

alter table dbr_signing.audit_names enable row level security;
alter table dbr_signing.audit_names force row level security;
create policy tenant on dbr_signing.audit_names to dbr_signing_service, dbr_erasure
  using (tenant_id = (select dbr_signing.tenant_id()));
grant select, insert on dbr_signing.audit_names to dbr_signing_service;
grant select, insert, delete on dbr_signing.audit_names to dbr_erasure;
