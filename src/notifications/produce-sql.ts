/** The statement that creates notifications through `dbr_notifications.notify`, the function that triggers call too. */
import { TENANT } from './record-sql.js';
import type { NotificationDraft } from './types.js';
import { sql } from '../postgres/sql.js';

/** One row: created, duplicates, suppressed. Parameters by `producedParameters`. */
export const PRODUCE_TEXT = sql`
select counts.created::text as created, counts.duplicates::text as duplicates, counts.suppressed::text as suppressed
from dbr_notifications.notify(
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
  expires_at => $13::timestamptz
) as counts`;

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
];
