-- Counts of notifications with many readers read indexes alone: what the tenant or the topic has, without what the reader has put away.

drop index dbr_notifications.tenant_notifications_feed;
create index tenant_notifications_feed on dbr_notifications.tenant_notifications (tenant_id, seq desc)
  include (notification_id, category, expires_at) where topic is null;
drop index dbr_notifications.tenant_notifications_topic;
create index tenant_notifications_topic on dbr_notifications.tenant_notifications (tenant_id, topic, seq desc)
  include (notification_id, category, expires_at) where topic is not null;
create index tenant_receipts_away on dbr_notifications.tenant_receipts (tenant_id, user_id, notification_id)
  include (archived_at) where archived_at is not null or read_at is not null;

-- As those of one reader, since migration 11.
alter table dbr_notifications.tenant_notifications set (
  autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_vacuum_scale_factor = 0.01
);
alter table dbr_notifications.tenant_receipts set (
  autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_vacuum_scale_factor = 0.01
);
