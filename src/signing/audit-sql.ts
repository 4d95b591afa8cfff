import { sql } from '../postgres/sql.js';

/**
 * `$1` tenant, `$2` actor, `$3` whether it is a user, `$4` action, `$5` subject, `$6` and `$7` JSON before and after or null,
 * `$8` address of the client. Pseudonyms replace users.
 */
export const APPEND_ENTRY = sql`
insert into dbr_signing.audit_log (tenant_id, actor, action, subject, before, after, remote_address)
values (
  $1,
  case when $3::boolean then dbr_signing.audit_pseudonym($1, $2) else $2 end,
  $4,
  $5,
  dbr_signing.audit_view($1, $6::jsonb),
  dbr_signing.audit_view($1, $7::jsonb),
  $8
)`;
