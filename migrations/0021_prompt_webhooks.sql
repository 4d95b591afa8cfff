-- Receivers that answer have lanes of their own, which those that are slow or fail do not take.

alter table dbr_notifications.webhooks add column prompt boolean not null default false;
comment on column dbr_notifications.webhooks.prompt is 'Whether the receiver accepted the last message in time for the lanes of such receivers.';
grant select (prompt), update (prompt) on dbr_notifications.webhooks to dbr_notifications_system;
