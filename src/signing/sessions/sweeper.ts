/** Ends sessions whose time has passed, or whose share expired undelivered, every second; processes skip what another holds. */
import type { Logger } from '../../observability/log.js';
import { runTrigger, type SigningContext } from '../context.js';
import { repeat, type Repeated } from '../../repeat.js';
import { asSweeper } from '../transaction.js';

const INTERVAL_MS = 1000;
/** Sessions of one sweep; the rest follows in the next. */
const BATCH = 200;

interface OverdueRow {
  readonly tenant_id: string;
  readonly session_id: string;
}

/**
 * The first condition of each part is the index's. The second of the first part leaves out sessions that began in time; a share
 * that was neither delivered nor erased belongs to an open session.
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

/** @returns how many sessions were ended */
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

/** Sweeps now, and each second after the end of the sweep before. */
export const startSweeper = (context: SigningContext, log: Logger): Repeated =>
  repeat(
    async () => {
      const ended = await sweep(context);
      if (ended > 0) log.info({ ended }, 'signing sessions ended by time');
    },
    INTERVAL_MS,
    (error) =>
      log.warn({ error: error instanceof Error ? error.message : String(error) }, 'the sweep failed'),
  );
