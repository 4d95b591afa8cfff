-- What the sweeper may besides: see which sessions have new events, and remove those that ended long ago.

grant select (event_sequence) on dbr_signing.signing_sessions to dbr_signing_sweeper;

-- The oldest first, in batches; open sessions are not in it.
create index signing_sessions_ended on dbr_signing.signing_sessions (ended_at) where ended_at is not null;

-- Only what has ended; participants, events, shares and messages go with their session. The audit log knows no sessions.
create policy every_tenant_remove on dbr_signing.signing_sessions for delete to dbr_signing_sweeper
  using (ended_at is not null);
grant delete on dbr_signing.signing_sessions to dbr_signing_sweeper;
