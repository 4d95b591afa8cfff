-- Snoozing, deleting and interacting: more marks of a user on a notification.
-- Nullable columns and small partial indexes alone: the large indexes of the list and of the count stay as they are.

do $$
declare
  name text;
begin
  foreach name in array array['user_notifications', 'tenant_receipts'] loop
    execute pg_catalog.format(
      'alter table dbr_notifications.%I
         add column interacted_at timestamptz, add column snoozed_until timestamptz, add column deleted_at timestamptz',
      name
    );
    -- What has left the inbox has archived_at, whatever made it leave.
    execute pg_catalog.format(
      $check$
        alter table dbr_notifications.%1$I add constraint %1$s_place check (
          (archived_at is not null or (snoozed_until is null and deleted_at is null))
          and (snoozed_until is null or deleted_at is null)
        ) not valid
      $check$,
      name
    );
    execute pg_catalog.format(
      'comment on column dbr_notifications.%I.archived_at is
         ''When the notification left the inbox. It was snoozed if snoozed_until is set, deleted if deleted_at is set, else archived.''',
      name
    );
    execute pg_catalog.format(
      'create index %1$s_due on dbr_notifications.%1$I (snoozed_until) where snoozed_until is not null', name
    );
    execute pg_catalog.format(
      'grant update (interacted_at, snoozed_until, deleted_at) on dbr_notifications.%I to dbr_notifications_user', name
    );
    execute pg_catalog.format(
      'grant select (tenant_id, user_id, notification_id, snoozed_until), update (archived_at, snoozed_until)
         on dbr_notifications.%I to dbr_notifications_system',
      name
    );
  end loop;
end
$$;
grant insert (interacted_at, snoozed_until, deleted_at) on dbr_notifications.tenant_receipts to dbr_notifications_user;
create policy system on dbr_notifications.tenant_receipts to dbr_notifications_system using (true);

create index user_notifications_snoozed on dbr_notifications.user_notifications (tenant_id, user_id, seq desc)
  include (expires_at) where snoozed_until is not null;
drop index dbr_notifications.user_notifications_archived;
create index user_notifications_archived on dbr_notifications.user_notifications (tenant_id, user_id, seq desc)
  include (expires_at) where archived_at is not null and snoozed_until is null and deleted_at is null;

alter table dbr_notifications.stream_events drop constraint stream_events_kind_check;
alter table dbr_notifications.stream_events add constraint stream_events_kind_check check (kind in (
  'created', 'read', 'unread', 'seen', 'interacted', 'archived', 'unarchived', 'snoozed', 'unsnoozed', 'deleted', 'expired',
  'all-read', 'all-unread', 'all-seen', 'all-archived', 'all-unarchived', 'preferences', 'recount'
));
alter table dbr_notifications.stream_events add column snapshot pg_snapshot;
comment on column dbr_notifications.stream_events.snapshot is
  'The snapshot of a mark of all notifications, which left out those of transactions that it did not see.';
grant insert (snapshot) on dbr_notifications.stream_events to dbr_notifications_user;

-- Whether data contain a JSON object. False for data that jsonb cannot hold, such as a NUL in a text.
create function dbr_notifications.contains(data json, part jsonb) returns boolean
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return data::jsonb @> part;
exception when data_exception then
  return false;
end
$$;
revoke execute on function dbr_notifications.contains from public;
grant execute on function dbr_notifications.contains to dbr_notifications_user;
