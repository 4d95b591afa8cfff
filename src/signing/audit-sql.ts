import { sql } from '../postgres/sql.js';

/** `$1` tenant, `$2` actor, `$3` action, `$4` subject, `$5` and `$6` JSON before and after or null, `$7` address of the client. */
export const APPEND_ENTRY = sql`
insert into dbr_signing.audit_log (tenant_id, actor, action, subject, before, after, remote_address)
values ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7)`;
