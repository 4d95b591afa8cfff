-- A count of unread notifications reads an index alone, except for pages that were written since the last vacuum.
-- By default an inbox of 50,000 notifications can be such pages in a table of 250,000.
alter table dbr_notifications.user_notifications set (
  autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_vacuum_scale_factor = 0.01
);
