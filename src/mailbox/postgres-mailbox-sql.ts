/**
 * The statements of mailboxes in PostgreSQL. Their plans are made once on each connection, perhaps while the tables are
 * empty: each statement has the form that makes the index of its key the only cheap plan, whatever the statistics are. Rows of
 * several keys are read by a LATERAL query with a limit, which cannot become a hash join.
 */
import { sql, type Sql } from '../postgres/sql.js';
import { prepare } from '../postgres/batch.js';
import { partyChangeSql } from '../signing/router-port.js';

/**
 * The row of a session, locked. Only the indexes of its key give the order: those of a tenant and of the open sessions, which
 * look as cheap while the table is empty, would need a sort. The key is a range, because PostgreSQL ignores the order of a
 * column that equals a value.
 * @param key the identifier, as SQL
 * @param lock `skip locked`, or nothing
 */
const lockedSession = (key: Sql, lock: Sql): Sql => sql`(
    select session_id, tenant_id, state, ready_by, expires_at, ended_at
    from dbr_signing.signing_sessions
    where session_id between ${key} and ${key}
    order by session_id
    limit 1
    for share ${lock}
  )`;

/**
 * Writes entries of sessions, at most one of each. `$1` sessions, `$2` positions, `$3` entries, separated by line feeds,
 * `$4` their payloads, separated by commas within an entry and by line feeds among entries, `-` for an entry without
 * messages, `=` for a single empty payload; `$5` to `$7` the parties that receive messages with their acceptance, their
 * identity keys and certificates.
 *
 * A row is an entry that was written: its session, and the places of the receivers that are no longer the parties that were
 * identified. Long texts are split rather than read as arrays, which takes several times as long.
 * @param lock how the rows of the sessions are locked, so that the sessions do not end meanwhile
 */
const appendSql = (lock: Sql): Sql => sql`
with session as (
  select session.session_id, session.tenant_id, added.position, added.entry, added.payloads
  from rows from (
    pg_catalog.unnest($1::uuid[]),
    pg_catalog.unnest($2::bigint[]),
    pg_catalog.unnest(pg_catalog.string_to_array($3, E'\\n')),
    pg_catalog.unnest(pg_catalog.string_to_array($4, E'\\n', '-'))
  ) as added (session_id, position, entry, payloads)
  cross join lateral ${lockedSession(sql`added.session_id`, lock)} as session
  where session.ended_at is null
    and pg_catalog.now() < dbr_signing.deadline(session.state, session.ready_by, session.expires_at)
),
written as (
  insert into dbr_signing.router_log (session_id, position, tenant_id, entry, payloads)
  select
    session_id,
    position,
    tenant_id,
    entry,
    case
      when payloads is null then '{}'
      when payloads = '=' then array['']
      else pg_catalog.string_to_array(payloads, ',')
    end
  from session
  order by session_id
  on conflict do nothing
  returning session_id
)
select session_id, (
  select pg_catalog.string_agg(receiver.place::text, ',')
  from rows from (
    pg_catalog.unnest($5::text[]),
    pg_catalog.unnest($6::bytea[]),
    pg_catalog.unnest($7::bytea[])
  ) with ordinality as receiver (party_id, identity_key, certificate, place)
  left join dbr_signing.parties as party
    on party.tenant_id = (select dbr_signing.tenant_id()) and party.party_id = receiver.party_id
  where party.party_id is null
    or ${partyChangeSql(sql`party`, sql`receiver.identity_key`, sql`receiver.certificate`)} is not null
)
from written`;

/**
 * A session has no row if its position is taken, it has ended, or its row is locked: a group waits for no lock of a session. It
 * waits for an entry that another process writes at the same position, which that process commits at once.
 */
export const APPEND = prepare(appendSql(sql`skip locked`));
/** A session has no row if its position is taken, or it has ended. */
export const APPEND_WAITING = prepare(appendSql(sql``));

export const READ_ENTRY = prepare(sql`
select entry
from dbr_signing.router_log
where session_id = $1::uuid and position = $2::bigint`);

/** The entries of `$1` after the positions `$2`, at most `$3` in all; their payloads only up to a length of `$4`. */
export const READ_LOGS = prepare(sql`
select
  log.session_id,
  log.position,
  case when pg_catalog.pg_column_size(log.payloads) <= $4::integer
    then pg_catalog.array_to_string(log.payloads, ',')
  end,
  log.entry
from rows from (
  pg_catalog.unnest($1::uuid[]),
  pg_catalog.unnest($2::bigint[])
) as known (session_id, position)
cross join lateral (
  select session_id, position, payloads, entry
  from dbr_signing.router_log
  where session_id = known.session_id and position > known.position
  order by position
  limit $3::integer
) as log
order by log.session_id, log.position
limit $3::integer`);

/** `$1` session, `$2` position of the entry, `$3` index of the message in it, from 1. */
export const READ_PAYLOAD = prepare(sql`
select payloads[$3::integer]
from dbr_signing.router_log
where session_id = $1::uuid and position = $2::bigint`);

export const READ_POSITIONS = prepare(sql`
select session_id, party_id, acked, delivered
from dbr_signing.router_readers
where session_id = any ($1::uuid[])`);

/**
 * Gives each participant of an open session its row, which the end of the session erases: the session does not end meanwhile.
 * Returns one row for each session whose participants now have a row.
 * @param lock how the row of the session is locked
 */
const prepareReadersSql = (lock: Sql): Sql => sql`
with session as (
  select session.session_id, session.tenant_id
  from ${lockedSession(sql`$1::uuid`, lock)} as session
  where session.ended_at is null
),
added as (
  insert into dbr_signing.router_readers (session_id, party_id, tenant_id)
  select session.session_id, participant.party_id, session.tenant_id
  from session
  cross join lateral (
    select party_id
    from dbr_signing.session_participants
    where session_id between session.session_id and session.session_id
    order by session_id, party_id
    limit 1000
  ) as participant
  order by participant.party_id
  on conflict do nothing
)
select session_id from session`;

/** A session has no row if it has ended, or its row is locked: a group waits for no lock of a session. */
export const PREPARE_READERS = prepare(prepareReadersSql(sql`skip locked`));
/** A session has no row if it has ended. */
export const PREPARE_READERS_WAITING = prepare(prepareReadersSql(sql``));

/**
 * Records a delivery before it is sent, unless the party is no longer the one that was identified or the session has ended.
 * The first column is null where the party is unchanged. No row: there is no such party.
 */
export const DELIVER = prepare(sql`
with party as (
  select ${partyChangeSql(sql`party`, sql`$4::bytea`, sql`$5::bytea`)} as change
  from dbr_signing.parties as party
  where party.tenant_id = (select dbr_signing.tenant_id()) and party.party_id = $2
),
delivered as (
  update dbr_signing.router_readers
  set delivered = greatest(delivered, $3::bigint)
  where session_id = $1::uuid and party_id = $2 and exists (select from party where change is null)
  returning party_id
)
select change, exists (select from delivered) as is_open
from party`);

/** The column is the position acknowledged. No row: the session has ended. */
export const ACK = prepare(sql`
update dbr_signing.router_readers
set acked = greatest(acked, $3::bigint)
where session_id = $1::uuid and party_id = $2
returning acked`);
