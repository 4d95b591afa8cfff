/** Heads of audit chains that wait for their delivery, and what was delivered. The sweeper reads those of every tenant. */
import type { TenantId } from '../../base/identifiers.js';
import { query } from '../../postgres/query.js';
import { sql } from '../../postgres/sql.js';
import type { ChainPosition } from './audit-chain.js';
import { instant } from './audit-store.js';

export interface ClaimedHead extends ChainPosition {
  readonly tenantId: TenantId;
  /** Those of this head, with the one that the claim is for. */
  readonly attempts: number;
}

/** A claim is for longer than an attempt takes. Failed attempts double the pause, up to 16 minutes. */
const PAUSE = sql`30 * interval '1 second' * pg_catalog.power(2, least(due.attempts, 5))`;

/** Chains whose head the place does not have. */
const BEHIND = sql`
from dbr_signing.audit_chains as chain
left join dbr_signing.audit_heads as head on head.tenant_id = chain.tenant_id and head.place = $1
where chain.sequence > coalesce(head.sequence, 0)`;

/** Of two processes that claim a head at once, the second finds that it is not due. */
export const claimHeads = query.any<[place: Buffer, limit: number], ClaimedHead>(sql`
with due as (
  select chain.*, coalesce(head.attempts, 0) as attempts, coalesce(head.sequence, 0) as delivered
  ${BEHIND} and coalesce(head.due_at <= pg_catalog.now(), true)
  order by head.due_at nulls first
  limit $2
), claimed as (
  insert into dbr_signing.audit_heads as head (tenant_id, place, sequence, attempts, due_at)
  select due.tenant_id, $1, due.delivered, due.attempts + 1, pg_catalog.now() + ${PAUSE} from due
  on conflict (tenant_id) do update
  set place = $1, sequence = excluded.sequence, attempts = excluded.attempts, due_at = excluded.due_at
  where head.place <> $1 or head.due_at <= pg_catalog.now()
  returning head.tenant_id, head.attempts
)
select
  due.tenant_id as "tenantId",
  due.sequence::double precision as sequence,
  pg_catalog.encode(due.hash, 'hex') as hash,
  ${instant(sql`due.sealed_at`)} as "sealedAt",
  claimed.attempts
from due
join claimed using (tenant_id)`);

/** The next head of the tenant is sent a minute later at the earliest. */
export const storeSentHead = query.none<[tenantId: TenantId, sequence: number, place: Buffer]>(sql`
update dbr_signing.audit_heads
set sequence = $2::bigint, attempts = 0, due_at = pg_catalog.now() + interval '1 minute'
where tenant_id = $1 and place = $3 and sequence < $2::bigint`);

/** Seconds since the seal of the oldest entry that no delivered head covers; 0 if there is none. */
export const headLag = query.one<[place: Buffer], { readonly lagSeconds: number }>(sql`
select coalesce(
  pg_catalog.max(extract(epoch from pg_catalog.clock_timestamp() - seal.sealed_at)), 0
)::double precision as "lagSeconds"
from (select chain.tenant_id, coalesce(head.sequence, 0) + 1 as sequence ${BEHIND}) as behind
join dbr_signing.audit_seals as seal using (tenant_id, sequence)`);
