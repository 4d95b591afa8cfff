/** The statements of webhooks: their management by the tenant, and the delivery of their messages. */
import { prepare } from '../postgres/batch.js';
import { WITH_POLICIES } from '../postgres/own-settings.js';
import { sql, type Sql } from '../postgres/sql.js';
import { instant } from './record-sql.js';

/** Webhooks of a tenant, and of all tenants. */
export const MAX_WEBHOOKS = 10;
const MAX_ALL_WEBHOOKS = 5000;
/** Messages that one request changes, and those that wait or are dead, or were sent, that one webhook keeps. */
const MAX_CHANGED = 10_000;
const MAX_KEPT = 50_000;

/** Sets role and tenant. `$1` tenant. */
export const AS_TENANT = prepare(sql`
  select pg_catalog.num_nulls(
    ${WITH_POLICIES},
    pg_catalog.set_config('role', 'dbr_notifications_producer', true),
    pg_catalog.set_config('app.tenant_id', $1, true)
  )`);

/** Messages of a webhook in some states, up to a number that stands for all beyond it. */
const MAX_COUNT = 10_001;
const countOf = (states: Sql): Sql => sql`(
    select pg_catalog.count(*) from (
      select from dbr_notifications.webhook_messages m
      where m.webhook_id = w.webhook_id and m.state in (${states})
      limit ${MAX_COUNT}
    ) as counted
  )`;

const RECORD = sql`pg_catalog.json_build_object(
  'webhookId', w.webhook_id,
  'url', w.url,
  'description', w.description,
  'eventTypes', w.event_types,
  'categories', w.categories,
  'delaySeconds', w.delay_seconds,
  'unlessRead', w.unless_read,
  'enabled', w.enabled,
  'status', case
    when not w.enabled then 'off'
    when w.overflowing then 'full'
    when w.paused_until > pg_catalog.now() then 'paused'
    else 'active'
  end,
  'failures', w.failures,
  'lastFailure', case when w.failed_at is not null then pg_catalog.json_build_object(
    'at', ${instant(sql`w.failed_at`)}, 'status', w.failed_status, 'error', w.failed_error
  ) end,
  'waiting', ${countOf(sql`'delayed', 'new', 'waiting'`)},
  'dead', ${countOf(sql`'dead'`)},
  'previousSecretUntil', ${instant(sql`case when w.previous_until > pg_catalog.now() then w.previous_until end`)},
  'createdAt', ${instant(sql`w.created_at`)}
)`;

/** One transaction at a time counts and creates webhooks. The number of the lock is arbitrary. */
export const LOCK_WEBHOOKS = prepare(sql`select pg_catalog.pg_advisory_xact_lock(5347121)`);

/** Notes how many webhooks all tenants have, which the role of a tenant does not see. */
export const COUNT_ALL_WEBHOOKS = prepare(sql`
select pg_catalog.set_config('dbr.webhooks', pg_catalog.count(*)::text, true) from dbr_notifications.webhooks`);

/** `$1` tenant, `$2` webhook, `$3` sealed secret, then those of `SETTINGS`. No row if there are as many as there may be. */
export const CREATE_WEBHOOK = prepare(sql`
insert into dbr_notifications.webhooks as w
  (tenant_id, webhook_id, secret, url, description, event_types, categories, enabled, delay_seconds, unless_read)
select $1, $2::uuid, pg_catalog.decode($3, 'base64'), s.*
from (select ${settings(4)}) as s
where (select pg_catalog.count(*) from dbr_notifications.webhooks) < ${MAX_WEBHOOKS}
  and pg_catalog.current_setting('dbr.webhooks')::bigint < ${MAX_ALL_WEBHOOKS}
returning ${RECORD}::text`);

/** The settings of a webhook as parameters: url, description, event types, categories (JSON), enabled, delay, whether unless read. */
function settings(first: number): Sql {
  const texts = (index: number): Sql => sql`
    case when $${index}::json is not null then array(select pg_catalog.json_array_elements_text($${index}::json)) end`;
  return sql`$${first}::text, $${first + 1}::text, ${texts(first + 2)}, ${texts(first + 3)}, $${first + 4}::boolean,
    $${first + 5}::integer, $${first + 6}::boolean`;
}

export const LIST_WEBHOOKS = prepare(sql`
select pg_catalog.json_build_object(
  'items', coalesce(pg_catalog.json_agg(${RECORD} order by w.webhook_id), '[]')
)::text
from dbr_notifications.webhooks w`);

/** `$1` webhook, then those of `settings`. A change ends a pause. */
export const REPLACE_WEBHOOK = prepare(sql`
update dbr_notifications.webhooks w
set (url, description, event_types, categories, enabled, delay_seconds, unless_read) = (select ${settings(2)}), failures = 0, paused_until = '-infinity'
where w.webhook_id = $1::uuid
returning ${RECORD}::text`);

/** `$1` webhook, `$2` sealed secret. */
export const ROTATE_SECRET = prepare(sql`
update dbr_notifications.webhooks w
set previous_secret = w.secret, previous_until = pg_catalog.now() + interval '24 hours', secret = pg_catalog.decode($2, 'base64')
where w.webhook_id = $1::uuid
returning ${RECORD}::text`);

/** `$1` webhook. */
export const DELETE_WEBHOOK = prepare(sql`
delete from dbr_notifications.webhooks w where w.webhook_id = $1::uuid returning true`);

/** The members of a message `m`. */
const MESSAGE = sql`
  'messageId', 'msg_' || m.seq,
  'type', 'notification.' || m.kind,
  'notificationId', m.notification_id,
  'userId', nullif(m.user_id, ''),
  'state', case when m.state in ('delayed', 'new') then 'waiting' else m.state end,
  'attempts', m.attempts,
  'status', m.status,
  'error', m.error,
  'createdAt', ${instant(sql`m.created_at`)},
  'attemptedAt', ${instant(sql`m.attempted_at`)}`;

/** `$1` webhook, `$2` message. No row for an unknown webhook, null for an unknown message. */
export const GET_MESSAGE = prepare(sql`
select (
  select pg_catalog.json_build_object(${MESSAGE}, 'payload', dbr_notifications.webhook_payload(m.seq))
  from dbr_notifications.webhook_messages m
  where m.seq = $2::bigint and m.webhook_id = w.webhook_id
)::text
from dbr_notifications.webhooks w
where w.webhook_id = $1::uuid`);

/** `$1` webhook, `$2` state or null, `$3` the last message before the page, `$4` length of the page. No row for an unknown webhook. */
export const LIST_MESSAGES = prepare(sql`
select coalesce((
  select pg_catalog.json_agg(pg_catalog.json_build_object(${MESSAGE}) order by m.seq)
  from (
    select m.*
    from pg_catalog.unnest(
      case coalesce($2, 'all') when 'all' then array['delayed', 'new', 'waiting', 'sent', 'dead']
        when 'waiting' then array['delayed', 'new', 'waiting']
        else array[$2] end
    ) as wanted (state)
    cross join lateral (
      select m.* from dbr_notifications.webhook_messages m
      where m.webhook_id = $1::uuid and m.state = wanted.state and m.seq > $3::bigint
      order by m.seq
      limit $4::integer + 1
    ) as m
    order by m.seq
    limit $4::integer + 1
  ) as m
), '[]')::text
from dbr_notifications.webhooks w
where w.webhook_id = $1::uuid`);

/** The messages that a request names: `$1` webhook, `$2` numbers as array or null for all after `$3`. */
const chosen = (states: Sql): Sql => sql`
chosen as materialized (
  select m.seq
  from dbr_notifications.webhook_messages m
  where m.webhook_id = $1::uuid and m.state in (${states}) and ($2::bigint[] is null or m.seq = any ($2::bigint[]))
    and m.seq > $3::bigint
  order by m.seq
  limit ${MAX_CHANGED}
)`;

/** One row for a known webhook: the number of messages, and the last of them if there may be more. */
const changed = (update: Sql): Sql => sql`
changed as (
  ${update}
  returning m.seq
)
select (select pg_catalog.count(*) from changed)::text as messages,
  (select pg_catalog.max(changed.seq) from changed having pg_catalog.count(*) = ${MAX_CHANGED})::text as last
from dbr_notifications.webhooks w
where w.webhook_id = $1::uuid`;

const replay = (states: Sql): Sql => sql`
with ${chosen(states)}, ${changed(sql`
  update dbr_notifications.webhook_messages m
  set state = 'new', attempts = 0, status = null, error = null, not_before = null
  from chosen
  where m.seq = chosen.seq and m.state in (${states})`)}`;

export const REPLAY = prepare(replay(sql`'sent', 'dead'`));
export const REPLAY_DEAD = prepare(replay(sql`'dead'`));

export const DROP_DEAD = prepare(sql`
with ${chosen(sql`'dead'`)}, ${changed(sql`
  delete from dbr_notifications.webhook_messages m
  using chosen
  where m.seq = chosen.seq and m.state = 'dead'`)}`);

/** Messages that are added to lanes at a time. */
export const INTAKE_BATCH = 1000;

/** Held by the process that takes messages in: those of a lane appear in their order. The number is arbitrary. */
const TURN = sql`turn as materialized (
  select pg_catalog.pg_try_advisory_xact_lock(5347122) as ours
)`;

/** Makes messages new whose delay has ended. One row: their number. */
export const END_DELAYS = prepare(sql`
with ${TURN}, due as materialized (
  select m.seq from dbr_notifications.webhook_messages m
  where m.state = 'delayed' and m.not_before <= pg_catalog.now() and (select turn.ours from turn)
  order by m.not_before, m.seq
  limit ${INTAKE_BATCH}
  for update skip locked
), ended as (
  update dbr_notifications.webhook_messages m set state = 'new' from due where m.seq = due.seq returning true
)
select pg_catalog.count(*)::text from ended`);

/**
 * Adds new messages to their lanes. A webhook that is being deleted is left out: its deletion waits for messages that are locked
 * here. One row: the number of messages.
 */
export const INTAKE = prepare(sql`
with ${TURN}, fresh as materialized (
  select m.seq from dbr_notifications.webhook_messages m
  join dbr_notifications.webhooks w on w.webhook_id = m.webhook_id
  where m.state = 'new' and (select turn.ours from turn)
  order by m.seq
  limit ${INTAKE_BATCH}
  for update of m skip locked
  for key share of w skip locked
), taken as (
  update dbr_notifications.webhook_messages m set state = 'waiting'
  from fresh
  where m.seq = fresh.seq
  returning m.webhook_id, m.tenant_id, m.user_id, m.urgent
), lanes as (
  insert into dbr_notifications.webhook_lanes as l (webhook_id, tenant_id, user_id, urgent, due_at)
  select distinct taken.webhook_id, taken.tenant_id, taken.user_id, taken.urgent, pg_catalog.now()
  from taken
  order by taken.webhook_id, taken.user_id, taken.urgent
  on conflict (webhook_id, user_id, urgent) do update set generation = l.generation + 1
)
select pg_catalog.count(*)::text from taken`);

/**
 * Takes lanes that are due, at most some of a tenant, and defers those in the quiet hours of their users. Random, so that no tenant
 * is always behind the others. `$1` tenants that have their share, `$2` lanes of a tenant, `$3` lanes in all, `$4` name of the
 * lease, `$5` its length in milliseconds, `$6` whether for receivers that answer in time. One row: the number of lanes taken or
 * deferred, those taken as JSON.
 */
export const CLAIM = prepare(sql`
with due as (
  select l.webhook_id, l.user_id, l.urgent,
    pg_catalog.row_number() over (partition by w.tenant_id order by pg_catalog.random()) as place
  from dbr_notifications.webhooks w
  cross join lateral (
    select l.webhook_id, l.user_id, l.urgent
    from dbr_notifications.webhook_lanes l
    where l.webhook_id = w.webhook_id and l.due_at <= pg_catalog.now()
    order by l.due_at
    limit $2::integer
    for update skip locked
  ) as l
  where w.enabled and w.paused_until <= pg_catalog.now() and w.prompt = $6::boolean
    and w.tenant_id <> all (array(select pg_catalog.json_array_elements_text($1::json)))
), chosen as materialized (
  select due.webhook_id, due.user_id, due.urgent
  from due where due.place <= $2::integer
  order by pg_catalog.random()
  limit $3::integer
), quiet as materialized (
  select chosen.webhook_id, chosen.user_id, chosen.urgent,
    dbr_notifications.quiet_until(q.time_zone, q.starts, q.ends) as until
  from chosen
  join dbr_notifications.webhooks w on w.webhook_id = chosen.webhook_id
  left join dbr_notifications.quiet_hours q
    on q.tenant_id = w.tenant_id and q.user_id = chosen.user_id and q.channel = 'webhook' and not chosen.urgent
), taken as (
  update dbr_notifications.webhook_lanes l
  set lease = case when quiet.until is null then $4::uuid end,
    due_at = coalesce(quiet.until, pg_catalog.now() + pg_catalog.make_interval(secs => $5::double precision / 1000))
  from quiet
  where l.webhook_id = quiet.webhook_id and l.user_id = quiet.user_id and l.urgent = quiet.urgent
  returning l.webhook_id, l.tenant_id, l.user_id, l.urgent, l.generation, l.lease
)
select pg_catalog.count(*)::text, coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
  'webhookId', taken.webhook_id, 'tenantId', taken.tenant_id, 'userId', taken.user_id, 'urgent', taken.urgent,
  'generation', taken.generation::text, 'lease', taken.lease
)) filter (where taken.lease is not null), '[]')::text
from taken`);

/** `$1` tenant, then a lane. One row: the message as JSON, or null. */
export const NEXT_MESSAGE = prepare(sql`
select dbr_notifications.next_webhook_message($1, $2::uuid, $3, $4::boolean)::text`);

/** A lane that this process holds: `$1` webhook, `$2` user, `$3` urgent, `$4` lease. */
const HELD = sql`l.webhook_id = $1::uuid and l.user_id = $2 and l.urgent = $3::boolean and l.lease = $4::uuid`;

/**
 * `$1` to `$4` the lane, `$5` its generation at the claim. Removes an empty lane, and returns one that has got messages meanwhile, or
 * whose messages wait because the webhook was switched off.
 */
export const FINISH_LANE = prepare(sql`
with removed as (
  delete from dbr_notifications.webhook_lanes l
  where ${HELD} and l.generation = $5::bigint and not exists (
    select from dbr_notifications.webhook_messages m
    where m.webhook_id = l.webhook_id and m.user_id = l.user_id and m.urgent = l.urgent and m.state = 'waiting'
  )
  returning true
)
update dbr_notifications.webhook_lanes l
set lease = null, due_at = pg_catalog.now()
where ${HELD} and not exists (select from removed)`);

/** `$1` to `$4` the lane. Returns a lane that may have more messages. */
export const RETURN_LANE = prepare(sql`
update dbr_notifications.webhook_lanes l set lease = null, due_at = pg_catalog.now() where ${HELD}`);

/** A webhook that fails this often in a row is paused, longer with each failure. */
const FAILURES_BEFORE_PAUSE = 5;
const LONGEST_PAUSE_SECONDS = 60;

/**
 * Records an attempt: `$1` to `$4` the lane, `$5` message, `$6` its state from now on, `$7` status and `$8` error, `$9` milliseconds
 * until the lane is due, `$10` whether the process keeps it, `$11` whether the receiver accepted it in time. Locks the webhook first, as its deletion does. One row: whether the
 * process still had the lane.
 */
export const SETTLE = prepare(sql`
with locked as materialized (
  select w.webhook_id from dbr_notifications.webhooks w
  where w.webhook_id = $1::uuid and ($6 <> 'sent' or w.failures > 0 or w.prompt <> $11::boolean)
  for no key update
), lane as (
  update dbr_notifications.webhook_lanes l
  set due_at = pg_catalog.now() + pg_catalog.make_interval(secs => $9::double precision / 1000),
    lease = case when $10::boolean then l.lease end
  where ${HELD} and (select pg_catalog.count(*) from locked) >= 0
  returning true
), message as (
  update dbr_notifications.webhook_messages m
  set state = $6, attempts = m.attempts + 1, attempted_at = pg_catalog.clock_timestamp(), status = $7::integer, error = $8
  where m.seq = $5::bigint and m.state = 'waiting' and exists (select from lane)
), webhook as (
  update dbr_notifications.webhooks w
  set failures = case when $6 = 'sent' then 0 else w.failures + 1 end,
    prompt = $11::boolean,
    paused_until = case when $6 <> 'sent' and w.failures + 1 >= ${FAILURES_BEFORE_PAUSE} then pg_catalog.now()
      + pg_catalog.make_interval(secs => least(${LONGEST_PAUSE_SECONDS}, 2 ^ least(w.failures + 1 - ${FAILURES_BEFORE_PAUSE}, 10)))
      else w.paused_until end,
    failed_at = case when $6 = 'sent' then w.failed_at else pg_catalog.clock_timestamp() end,
    failed_status = case when $6 = 'sent' then w.failed_status else $7::integer end,
    failed_error = case when $6 = 'sent' then w.failed_error else $8 end
  from locked
  where w.webhook_id = locked.webhook_id and exists (select from lane)
)
select exists (select from lane)::text`);

/** `$1` message. Its notification is gone. */
export const FORGET_MESSAGE = prepare(sql`
delete from dbr_notifications.webhook_messages m where m.seq = $1::bigint and m.state = 'waiting'`);

/** Rows that one batch deletes at most. */
export const TRIM_BATCH = 5000;

/** `$1` days that messages are kept. One row: the number of deleted messages. */
export const TRIM_MESSAGES = prepare(sql`
with old as (
  (select m.seq from dbr_notifications.webhook_messages m
   where m.created_at < pg_catalog.now() - pg_catalog.make_interval(days => $1::integer)
     and coalesce(m.not_before, '-infinity') < pg_catalog.now() - pg_catalog.make_interval(days => $1::integer)
   order by m.created_at
   limit ${TRIM_BATCH})
  union
  (select beyond.seq
   from dbr_notifications.webhooks w
   cross join lateral (
     select m.seq from dbr_notifications.webhook_messages m
     where m.webhook_id = w.webhook_id and m.state = 'sent'
     order by m.seq desc
     offset ${MAX_KEPT}
     limit ${TRIM_BATCH}
   ) as beyond
   limit ${TRIM_BATCH})
  limit ${TRIM_BATCH}
), removed as (
  delete from dbr_notifications.webhook_messages m using old where m.seq = old.seq returning true
)
select pg_catalog.count(*)::text from removed`);

/** Marks the webhooks that have too many messages that were not sent, and those that have no longer. */
export const MARK_OVERFLOWING = prepare(sql`
update dbr_notifications.webhooks w
set overflowing = counted.is_full
from (
  select w.webhook_id, exists (
    select from (
      select from dbr_notifications.webhook_messages m
      where m.webhook_id = w.webhook_id and m.state in ('delayed', 'new', 'waiting', 'dead')
      offset ${MAX_KEPT}
      limit 1
    ) as beyond
  ) as is_full
  from dbr_notifications.webhooks w
) as counted
where w.webhook_id = counted.webhook_id and w.overflowing <> counted.is_full`);
