/** Ends overdue sessions, and sessions whose share expired undelivered, every second. Processes skip sessions that another one has locked. */
import type { SessionId, TenantId } from '../../identifiers.js';
import { workFailed } from '../../observability/observation.js';
import { repeat, type Repeated } from '../../repeat.js';
import type { SigningContext } from '../context.js';
import { asSweeper } from '../transaction.js';
import { runTrigger } from './run-trigger.js';

const INTERVAL_MS = 1000;
/** Sessions of one sweep; the next one continues. */
const BATCH = 200;

interface OverdueRow {
  readonly tenant_id: TenantId;
  readonly session_id: SessionId;
}

/**
 * The first conditions use an index. `deadline` then excludes sessions that started in time. A share that is neither delivered
 * nor erased belongs to an open session.
 */
const OVERDUE = `
(
  select tenant_id, session_id
  from dbr_signing.signing_sessions
  where ended_at is null
    and least(ready_by, expires_at) <= pg_catalog.now()
    and dbr_signing.deadline(state, ready_by, expires_at) <= pg_catalog.now()
  order by least(ready_by, expires_at)
  limit ${String(BATCH)}
)
union
(
  select tenant_id, session_id
  from dbr_signing.delegate_user_shares
  where erased_at is null and delivered_at is null and expires_at <= pg_catalog.now()
  order by expires_at
  limit ${String(BATCH)}
)`;

/** Returns the number of sessions that ended. */
export async function sweep(context: SigningContext): Promise<number> {
  const overdue = await asSweeper(context.database, (transaction) =>
    transaction.any<OverdueRow>({ text: OVERDUE, values: [] }),
  );
  let ended = 0;
  for (const { tenant_id: tenantId, session_id: sessionId } of overdue) {
    const applied = await runTrigger(context, tenantId, sessionId, () => ({ kind: 'clock' }), {
      wait: false,
    });
    if (applied.kind === 'applied') ended += applied.transitions.length;
  }
  return ended;
}

/** Sweeps once now, then one second after the end of each sweep. */
export function startSweeper(context: SigningContext): Repeated {
  const { observe } = context;
  return repeat(
    async () => {
      const ended = await sweep(context);
      if (ended > 0) observe({ kind: 'sessions-expired', ended });
    },
    { intervalMs: INTERVAL_MS, observe, failure: workFailed('expiry of signing sessions') },
  );
}
