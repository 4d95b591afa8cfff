/** Proposals of agents that wait for a person, whom the console shows them (`mcp-apply = false`). */
import type { Identity } from '../contract/request.js';
import { callerOf, claimFailure, valueAsKeeper } from '../data-api/batch/idempotency.js';
import { dbrError } from '../errors/dbr-error.js';
import { prepare } from '../postgres/batch.js';
import type { Pool } from '../postgres/pool.js';
import { PostgresError } from '../postgres/postgres-error.js';
import { sql } from '../postgres/sql.js';
import { invalid } from './ask.js';

interface Proposal {
  readonly id: string;
  readonly token: string;
  readonly schema: string | null;
  /** JSON of the changes, and of the answers to them. */
  readonly changes: string;
  readonly answer: string;
}

/** Longest texts of changes and answers together, in bytes. */
const LONGEST = 262_144;
const MOST_OF_CALLER = 20;
const MOST = 1000;
/** A caller may have one in so many of the places that are left, so that many callers leave places to others. */
const SHARE = 25;

/**
 * The bound of a caller counts all proposals of the same user, whatever other claims the sessions have. Proposals at the same time
 * may exceed the bounds by their number, which the number of connections bounds.
 */
const KEEP = prepare(sql`
with pending as (
  select pg_catalog.count(*) filter (where caller operator(pg_catalog.=) $2::pg_catalog.bytea
           or subject operator(pg_catalog.=) dbr_requests.subject($3, $4)) as own,
         pg_catalog.count(*) as every
  from dbr_requests.proposed
), checked as (
  select case when own operator(pg_catalog.>=) ${MOST_OF_CALLER} then 'own'
              when own operator(pg_catalog.>=) ((${MOST} operator(pg_catalog.-) every) operator(pg_catalog./) ${SHARE})
              then 'every' else 'none' end as reached
  from pending
), kept as (
  insert into dbr_requests.proposed (id, caller, subject, token, schema, changes, answer, expires_at)
  select $1, $2::pg_catalog.bytea, dbr_requests.subject($3, $4), $5, $6, $7, $8,
         pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(secs => $9::pg_catalog.float8)
  from checked where reached operator(pg_catalog.=) 'none'
)
select reached from checked`);

/** `$1` the caller. */
export const LIST_PROPOSALS = sql`
select id, token, schema, changes, answer, pg_catalog.floor(pg_catalog.date_part('epoch', created_at)) as "createdAt",
       pg_catalog.floor(pg_catalog.date_part('epoch', expires_at)) as "expiresAt"
from dbr_requests.proposed
where caller operator(pg_catalog.=) $1::pg_catalog.bytea and expires_at operator(pg_catalog.>) pg_catalog.now()
order by created_at, id`;

/** `$1` identifier, `$2` the caller. */
export const FORGET_PROPOSAL = sql`
delete from dbr_requests.proposed
where id operator(pg_catalog.=) $1 and caller operator(pg_catalog.=) $2::pg_catalog.bytea
returning id`;
const FORGET = prepare(FORGET_PROPOSAL);
const FIND = prepare(sql`
select id from dbr_requests.proposed
where id operator(pg_catalog.=) $1 and caller operator(pg_catalog.=) $2::pg_catalog.bytea`);

/**
 * @param seconds until it expires
 * @throws DbrError InvalidParameter beyond a bound, IdempotencyUnavailable; the errors of `Pool.run`
 */
export async function keepProposal(
  pool: Pool,
  { id, token, schema, changes, answer }: Proposal,
  identity: Identity,
  seconds: number,
): Promise<void> {
  if (Buffer.byteLength(changes) + Buffer.byteLength(answer) > LONGEST)
    invalid(
      'changes',
      `and their rows are longer than a person can review (${String(LONGEST)} bytes): propose fewer`,
    );
  const { digest, user } = callerOf(identity);
  const values = [id, digest, ...user, token, schema, changes, answer, String(seconds)];
  const reached = await valueAsKeeper(pool, KEEP, values).catch((error: unknown) => {
    if (!(error instanceof PostgresError) || claimFailure(error) !== 'not ready') throw error;
    throw dbrError('IdempotencyUnavailable', { reason: error.fields.message });
  });
  const most = reached === 'own' ? `${String(MOST_OF_CALLER)} of this caller` : 'too many of all callers';
  if (reached !== 'none')
    invalid('changes', `cannot wait for a person: ${most} wait already, to be applied or dismissed first`);
}

/** Empty if the caller has no such proposal. */
export const forgetProposal = (pool: Pool, id: string, identity: Identity): Promise<string> =>
  valueAsKeeper(pool, FORGET, [id, callerOf(identity).digest]);

/** Whether the caller has such a proposal. */
export const isWaiting = async (pool: Pool, id: string, identity: Identity): Promise<boolean> =>
  (await valueAsKeeper(pool, FIND, [id, callerOf(identity).digest])) !== '';
