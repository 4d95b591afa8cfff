/** The statement that creates notifications through `dbr_notifications.produce`, which `notify` for triggers calls too. */
import { TENANT } from './record-sql.js';
import { prepare } from '../postgres/batch.js';
import type { DigestWindow, MessageChange, NotificationDraft, Schedule } from './types.js';
import { sql } from '../postgres/sql.js';

/** The arguments of both functions: `$1` to `$13`, the first of `produceParameters`. */
const CONTENT = sql`
  tenant_id => ${TENANT}::text,
  user_ids => case
    when $2::json is not null then array(select pg_catalog.json_array_elements_text($2::json))
  end,
  type => $3::text,
  title => $4::text,
  category => $5::text,
  severity => $6::text,
  body => $7::text,
  data => $8::json,
  actor => $9::json,
  action_url => $10::text,
  group_key => $11::text,
  dedupe_key => $12::text,
  expires_at => $13::timestamptz`;

/** One row: the numbers and the identifier of `Produced`. Parameters by `produceParameters`. */
export const PRODUCE_TEXT = sql`
select counts.created::text as created, counts.duplicates::text as duplicates, counts.suppressed::text as suppressed,
  counts.message_id::text as message_id
from dbr_notifications.produce(${CONTENT},
  topic => $14::text
) as counts`;

/** Digests of one user, and of one tenant, that are open at a time at most; `dbr_notifications.collect` has the same numbers. */
export const MAX_DIGESTS = { user: 100, tenant: 20_000 } as const;

/** One row: the numbers of `Collected`. Parameters by `collectParameters`. */
export const COLLECT = prepare(sql`
select counts.collected::text as collected, counts.duplicates::text as duplicates, counts.suppressed::text as suppressed
from dbr_notifications.collect(${CONTENT},
  digest_key => $14::text,
  window_seconds => $15::integer,
  sliding => $16::boolean
) as counts`);

/** What one tenant has scheduled at a time at most; `dbr_notifications.schedule` has the same numbers. */
export const MAX_SCHEDULED = { messages: 10_000, bytes: 33_554_432 } as const;

/** One row: the number of readers. Parameters by `scheduleParameters`. */
export const SCHEDULE = prepare(sql`
select dbr_notifications.schedule(${CONTENT},
  topic => $14::text,
  send_at => $15::timestamptz,
  cancel_key => $16::text
)::text`);

export const scheduleParameters = (draft: NotificationDraft, { sendAt, cancelKey }: Schedule) => [
  ...produceParameters(draft),
  sendAt,
  cancelKey,
];

/** `$1` tenant, `$2` key. One row: the number of readers who would have got something. */
export const CANCEL_SCHEDULED = prepare(sql`
select dbr_notifications.cancel_scheduled(${TENANT}, $2::text)::text`);

export const collectParameters = (draft: NotificationDraft, digest: DigestWindow): (string | null)[] => [
  ...produceParameters(draft).slice(0, -1),
  digest.key,
  String(digest.windowSeconds),
  String(digest.sliding),
];

export const produceParameters = (draft: NotificationDraft): (string | null)[] => [
  draft.tenantId,
  draft.userIds === null ? null : JSON.stringify(draft.userIds),
  draft.type,
  draft.title,
  draft.category,
  draft.severity,
  draft.body,
  draft.data,
  draft.actor,
  draft.actionUrl,
  draft.groupKey,
  draft.dedupeKey,
  draft.expiresAt,
  draft.topic ?? null,
];

/** `$1` tenant, `$2` message. One row: the number of removed notifications. */
export const RECALL = prepare(sql`
select dbr_notifications.recall(${TENANT}, $2::uuid)::text`);

/** `$1` tenant, `$2` message, then the parameters of `updateParameters`. One row: the number of changed notifications. */
export const UPDATE_MESSAGE = prepare(sql`
select dbr_notifications.update_message(
  tenant_id => ${TENANT}::text,
  message_id => $2::uuid,
  members => array(select pg_catalog.json_array_elements_text($3::json)),
  title => $4::text,
  body => $5::text,
  severity => $6::text,
  data => $7::json,
  actor => $8::json,
  action_url => $9::text,
  expires_at => $10::timestamptz
)::text`);

export const updateParameters = (change: MessageChange): (string | null)[] => [
  JSON.stringify(Object.keys(change)),
  change.title ?? null,
  change.body ?? null,
  change.severity ?? null,
  change.data ?? null,
  change.actor ?? null,
  change.actionUrl ?? null,
  change.expiresAt ?? null,
];

/** `$1` tenant, `$2` message, `$3` the user after whom the page begins, `$4` its length. One row: the page; null for an unknown message. */
export const RECEIPTS = prepare(sql`
select dbr_notifications.receipts(${TENANT}, $2::uuid, $3::text, $4::integer)::text`);

/** `$1` tenant. One row: the days; null for those of the service. */
export const RETENTION = prepare(sql`
select dbr_notifications.retention(${TENANT})::text`);

/** `$1` tenant, `$2` days. One row: the days. */
export const SET_RETENTION = prepare(sql`
select dbr_notifications.set_retention(${TENANT}, $2::integer)::text`);
