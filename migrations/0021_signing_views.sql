-- How signing shows times and states, in one place for every statement that does.

-- RFC 3339 in UTC, in milliseconds.
create function dbr_signing.instant(at timestamptz) returns text
  language sql immutable
  return pg_catalog.to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- When an open session is over without having ended: before its start it must be ready in time.
create function dbr_signing.deadline(state dbr_signing.session_state, ready_by timestamptz, expires_at timestamptz)
  returns timestamptz
  language sql immutable
  return case when state = 'in_progress' then expires_at else least(ready_by, expires_at) end;

-- A session whose time has passed is expired for every reader, whether that was noted or not.
create function dbr_signing.effective_state(
  state dbr_signing.session_state, ready_by timestamptz, expires_at timestamptz, ended_at timestamptz
)
  returns dbr_signing.session_state
  language sql stable
  return case
    when ended_at is null and pg_catalog.now() >= dbr_signing.deadline(state, ready_by, expires_at) then 'expired'
    else state
  end;
