/** SQL of the stream tickets. What is stored is the hash alone, so that reading the table opens nothing. */
import { prepare } from '../postgres/statement.js';
import { instant, TENANT, USER } from './record-sql.js';

/** Seconds that a ticket is good for. */
export const TICKET_SECONDS = 30;

/** `$3`: SHA-256 of the ticket in hexadecimal; `$4`: when the caller's token ends, or null. One row: until when it is good. */
export const CREATE_TICKET = prepare(`
insert into dbr_notifications.stream_tickets (ticket_sha256, tenant_id, user_id, expires_at, token_expires_at)
values (
  pg_catalog.decode($3, 'hex'), ${TENANT}, ${USER},
  dbr_notifications.clock() + interval '${String(TICKET_SECONDS)} seconds', $4::timestamptz
)
returning ${instant('expires_at')}`);

/** `$1`: the hash. Removes the ticket, so that it opens nothing again. One row, or none: tenant, user, end of the token. */
export const REDEEM_TICKET = prepare(`
with taken as (
  delete from dbr_notifications.stream_tickets t
  where t.ticket_sha256 = pg_catalog.decode($1, 'hex')
  returning t.tenant_id, t.user_id, t.expires_at, t.token_expires_at
)
select taken.tenant_id, taken.user_id, ${instant('taken.token_expires_at')}
from taken
where taken.expires_at > pg_catalog.now()`);
