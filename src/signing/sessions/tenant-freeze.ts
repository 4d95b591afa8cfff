/** Freezing of a tenant: no session begins from the first moment on, and the open ones end, in as many transactions as there are. */
import type { SigningHandlers } from '../../../generated/operations.js';
import type { TenantFreeze } from '../../../generated/types.js';
import type { Gone } from '../../base/gone.js';
import type { SessionId, TenantId } from '../../base/identifiers.js';
import type { RequestContext } from '../../contract/principal.js';
import { repeat, type Repeated } from '../../observability/repeat.js';
import { workFailed } from '../../observability/observation.js';
import { PRIVATE, jsonResponse } from '../../operations/responses.js';
import { requireStorableBody } from '../../operations/storable-text.js';
import { query } from '../../postgres/query.js';
import { sql } from '../../postgres/sql.js';
import { actorOf, type Actor } from '../access.js';
import { audit } from '../audit.js';
import type { SigningContext } from '../context.js';
import { runTrigger } from './apply-trigger.js';
import type { Trigger } from './session-machine.js';
import { asSweeper, inTenant, queryInTenant } from '../transaction.js';

/** Longest time that a call ends sessions; the sweeper of every process continues. */
const LONGEST_MS = 5000;
const SWEEP_INTERVAL_MS = 1000;

export const createFreezeHandlers = (context: SigningContext) =>
  ({
    async getTenantFreeze(_, request) {
      return jsonResponse(PRIVATE, await freezeOf(context, actorOf(request).tenantId));
    },
    async freezeTenant({ body }, request) {
      requireStorableBody(body);
      const actor = actorOf(request);
      const { reason = null } = body;
      await inTenant(context.pool, actor.tenantId, async (transaction) => {
        await freeze(transaction, actor.tenantId, actor.userId, reason);
        const after = { frozen: true, reason };
        await audit(transaction, actor, { action: 'tenant.freeze', subject: 'tenant', before: null, after });
      });
      await endFrozen(context, actor.tenantId, request.signal);
      return jsonResponse(PRIVATE, await freezeOf(context, actor.tenantId));
    },
    async unfreezeTenant(_, request) {
      const actor = actorOf(request);
      await release(context, actor);
      return jsonResponse(PRIVATE, await freezeOf(context, actor.tenantId));
    },
  }) satisfies Partial<SigningHandlers<RequestContext>>;

/** The first user asks for the release, and another one gives it. */
const release = (context: SigningContext, actor: Actor): Promise<void> =>
  inTenant(context.pool, actor.tenantId, async (transaction) => {
    await lockFreeze(transaction);
    const frozen = await findFreeze(transaction);
    if (frozen === null || frozen.releasedBy === actor.userId) return;
    const isFirst = frozen.releasedBy === null;
    await (isFirst ? askForRelease(transaction, actor.tenantId, actor.userId) : unfreeze(transaction));
    await audit(transaction, actor, {
      action: isFirst ? 'tenant.ask-to-unfreeze' : 'tenant.unfreeze',
      subject: 'tenant',
      before: { frozen: true },
      after: { frozen: isFirst },
    });
  });

async function freezeOf({ pool }: SigningContext, tenantId: TenantId): Promise<TenantFreeze> {
  return await queryInTenant(pool, tenantId, async (transaction) => ({
    ...((await findFreeze(transaction)) ?? NOT_FROZEN),
    ...(await countOpen(transaction)),
  }));
}

const NOT_FROZEN = { frozen: false, frozenAt: null, frozenBy: null, reason: null, releasedBy: null };

/** Ends sessions that were open, or in creation, when their tenant was frozen, in every process. */
export const startFrozenSweep = (context: SigningContext): Repeated =>
  repeat((signal) => endFrozen(context, null, signal), {
    intervalMs: SWEEP_INTERVAL_MS,
    observe: context.observe,
    failure: workFailed('expiry of signing sessions'),
  });

const DENY = (): Trigger => ({ kind: 'deny' });
const BATCH = 200;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Ends the open sessions of a frozen tenant, or of all, each in a transaction of its own. Those that another process has locked
 * are left out.
 * @param signal ends the work before its time
 * @throws Error that names the first session that could not be ended, after the others
 */
async function endFrozen(context: SigningContext, only: TenantId | null, signal: Gone): Promise<void> {
  const until = performance.now() + LONGEST_MS;
  let after = BEFORE_ALL;
  const failures: Error[] = [];
  for (;;) {
    const sessions = await asSweeper(context.pool, (task) => frozenSessions(task, only, after, BATCH));
    for (const { tenantId, sessionId } of sessions) {
      if (signal.aborted || performance.now() >= until) return;
      after = sessionId;
      await runTrigger(context, tenantId, sessionId, DENY, { wait: false }).catch((cause: unknown) => {
        failures.push(new Error(`session ${sessionId} cannot be ended: ${String(cause)}`, { cause }));
      });
    }
    if (sessions.length < BATCH) break;
  }
  const [failure] = failures;
  if (failure !== undefined) throw failure;
}

// The statements on `dbr_signing.tenant_freezes`. The pseudonym of an erased user counts as no vote.

const findFreeze = query.oneOrNone<[], Omit<TenantFreeze, 'openSessions'>>(sql`
select
  true as frozen,
  dbr_signing.instant(frozen.frozen_at) as "frozenAt",
  freezer.user_id as "frozenBy",
  frozen.reason,
  releaser.user_id as "releasedBy"
from dbr_signing.tenant_freezes as frozen
left join dbr_signing.audit_names as freezer
  on freezer.tenant_id = frozen.tenant_id and freezer.pseudonym = frozen.frozen_by
left join dbr_signing.audit_names as releaser
  on releaser.tenant_id = frozen.tenant_id and releaser.pseudonym = frozen.released_by`);

/** Taken before the freeze is read, so that the second of two users sees the vote of the first. */
const lockFreeze = query.any<[], object>(sql`
select tenant_id from dbr_signing.tenant_freezes for update`);

/** Freezing again takes back the first of two releases. */
const freeze = query.none<[tenantId: TenantId, userId: string, reason: string | null]>(sql`
insert into dbr_signing.tenant_freezes (tenant_id, frozen_by, reason)
values ($1, dbr_signing.audit_pseudonym($1, $2), $3)
on conflict (tenant_id) do update set released_by = null`);

const askForRelease = query.none<[tenantId: TenantId, userId: string]>(sql`
update dbr_signing.tenant_freezes set released_by = dbr_signing.audit_pseudonym($1, $2) where tenant_id = $1`);

const unfreeze = query.none<[]>(sql`delete from dbr_signing.tenant_freezes`);

const countOpen = query.one<[], { readonly openSessions: number }>(sql`
select pg_catalog.count(*)::integer as "openSessions"
from dbr_signing.signing_sessions
where ended_at is null`);

/** Sessions live for an hour at most, so that older freezes have none. */
const frozenSessions = query.any<
  [only: TenantId | null, after: string, limit: number],
  { readonly sessionId: SessionId; readonly tenantId: TenantId }
>(sql`
select session.session_id as "sessionId", session.tenant_id as "tenantId"
from dbr_signing.signing_sessions as session
join dbr_signing.tenant_freezes as frozen using (tenant_id)
where session.ended_at is null and session.session_id > $2::uuid
  and frozen.frozen_at > pg_catalog.now() - interval '2 hours' and ($1::text is null or frozen.tenant_id = $1)
order by session.session_id
limit $3`);
