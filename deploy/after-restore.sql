-- Run this once, as a superuser, after a dump was restored and before dbr serves from it: docs/operating/backup.md.
\set ON_ERROR_STOP on
begin;

-- Events of streams are ordered by transaction ids, and those of the dump belong to another server. Clients list again.
delete from dbr_notifications.stream_events;
update dbr_notifications.stream_horizon set xid = pg_catalog.pg_current_xact_id(), event_id = 0;
update dbr_signing.session_events set xid = pg_catalog.pg_current_xact_id();

-- What was short-lived at the time of the dump.
delete from dbr_notifications.stream_tickets;
delete from dbr_signing.router_processes;

-- A one-time key that was used after the dump appears unused, and must not be used a second time. Parties register others.
delete from dbr_signing.party_encryption_keys where one_time;

-- The messages between the parties are not those of now, so no session of the dump can go on. The service lets them expire.
update dbr_signing.signing_sessions
  set ready_by = pg_catalog.now(), expires_at = pg_catalog.now()
  where ended_at is null;

commit;
