-- A ticket opens its stream again while that lives: each opening takes the stream over, renewals keep the ticket, users revoke it.

alter table dbr_notifications.stream_tickets
  add column openings integer not null default 0;
comment on table dbr_notifications.stream_tickets is
  'Tickets that open a live stream, and open it again while it lives, in place of a token.';
comment on column dbr_notifications.stream_tickets.openings is
  'How often the ticket was used. The stream of an earlier opening ends.';
create index stream_tickets_user on dbr_notifications.stream_tickets (tenant_id, user_id);

grant select (tenant_id, user_id), delete on dbr_notifications.stream_tickets to dbr_notifications_user;
grant update (expires_at, openings) on dbr_notifications.stream_tickets to dbr_notifications_system;
