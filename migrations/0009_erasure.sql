-- Erasure of a person: one role that deletes or renames what belongs to one user of one tenant, in every area.

do $$
begin
  begin
    if not exists (select from pg_catalog.pg_roles where rolname = 'dbr_erasure') then
      create role dbr_erasure nologin;
    end if;
  exception when duplicate_object or unique_violation then
    null; -- another database of this server is migrated at the same time
  end;
  if exists (select from pg_catalog.pg_roles where rolname = 'dbr_service')
    and not pg_catalog.pg_has_role('dbr_service', 'dbr_erasure', 'member') then
    grant dbr_erasure to dbr_service;
  end if;
end
$$;

-- Notifications: rows of the user are deleted. As the actor of other users' notifications, the user is removed.
do $$
declare
  name text;
begin
  foreach name in array array[
    'tenant_receipts', 'preferences', 'stream_events', 'stream_tickets', 'expiries', 'muted_spans', 'readers'
  ] loop
    execute pg_catalog.format(
      'create policy erasure on dbr_notifications.%I to dbr_erasure
         using (tenant_id = (select dbr_notifications.tenant_id()) and user_id = (select dbr_notifications.user_id()))',
      name
    );
    execute pg_catalog.format(
      'grant select (tenant_id, user_id), delete on dbr_notifications.%I to dbr_erasure', name
    );
  end loop;
  foreach name in array array['user_notifications', 'tenant_notifications'] loop
    execute pg_catalog.format(
      'create policy erasure_read on dbr_notifications.%I for select to dbr_erasure
         using (tenant_id = (select dbr_notifications.tenant_id()))',
      name
    );
    execute pg_catalog.format(
      'create policy erasure_of_actor on dbr_notifications.%I for update to dbr_erasure
         using (tenant_id = (select dbr_notifications.tenant_id()))',
      name
    );
    execute pg_catalog.format(
      'grant select (tenant_id, actor), update (actor) on dbr_notifications.%I to dbr_erasure', name
    );
  end loop;
end
$$;
create policy erasure on dbr_notifications.user_notifications for delete to dbr_erasure
  using (tenant_id = (select dbr_notifications.tenant_id()) and user_id = (select dbr_notifications.user_id()));
grant select (user_id), delete on dbr_notifications.user_notifications to dbr_erasure;
grant usage on schema dbr_notifications to dbr_erasure;

-- Signing: accounts, sessions and keys belong to the tenant and stay. A pseudonym replaces the user.
do $$
declare
  name text;
begin
  foreach name in array array[
    'accounts', 'signing_sessions', 'delegate_user_shares', 'party_encryption_keys', 'audit_log', 'audit_unsealed'
  ] loop
    execute pg_catalog.format(
      'create policy erasure on dbr_signing.%I to dbr_erasure using (tenant_id = (select dbr_signing.tenant_id()))', name
    );
  end loop;
end
$$;
grant usage on schema dbr_signing to dbr_erasure;
grant select (tenant_id, owner_user_id, signing_config_updated_by, version),
  update (owner_user_id, signing_config_updated_by, version, updated_at) on dbr_signing.accounts to dbr_erasure;
grant select (tenant_id, created_by, state_version),
  update (created_by, idempotency_key, state_version) on dbr_signing.signing_sessions to dbr_erasure;
grant select (tenant_id, supplied_by), update (supplied_by)
  on dbr_signing.delegate_user_shares to dbr_erasure;
grant select (tenant_id, claimed_by), update (claimed_by)
  on dbr_signing.party_encryption_keys to dbr_erasure;
-- The audit log is append-only: the erasure appends its own entry.
grant select (tenant_id, actor, before, after),
  insert (tenant_id, actor, action, subject, before, after, remote_address) on dbr_signing.audit_log to dbr_erasure;
grant insert (audit_id, tenant_id) on dbr_signing.audit_unsealed to dbr_erasure;

-- Kept answers of the data API: those to tokens with the claims tenantId and sub belong to this user.

-- SHA-256, so that the table holds no name.
create function dbr_requests.subject(tenant_id text, user_id text) returns bytea
  language sql stable strict
  return pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.json_build_array(tenant_id, user_id)::text, 'UTF8'));

alter table dbr_requests.idempotent add column subject bytea;
comment on column dbr_requests.idempotent.subject is
  'SHA-256 of the claims tenantId and sub of the token; null if it lacks one of them.';
create index idempotent_subject on dbr_requests.idempotent (subject) where subject is not null;
grant usage on schema dbr_requests to dbr_erasure;
grant select (subject), delete on dbr_requests.idempotent to dbr_erasure;
