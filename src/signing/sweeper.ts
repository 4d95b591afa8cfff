/** Notes sessions whose time has passed as expired, every second; of several processes each takes what no other holds. */
import type { Logger } from '../observability/log.js';
import { runTrigger, type SigningContext } from './context.js';
import { repeat, type Repeated } from '../repeat.js';
import { asSweeper } from './transaction.js';

const INTERVAL_MS = 1000;
/** Sessions of one sweep; the rest follows in the next. */
const BATCH = 200;

interface OverdueRow {
  readonly tenant_id: string;
  readonly session_id: string;
}

/** The first condition is the index's; the second leaves out those that began in time. */
const OVERDUE = `
select tenant_id, session_id
from dbr_signing.signing_sessions
where ended_at is null
  and least(ready_by, expires_at) <= pg_catalog.now()
  and dbr_signing.deadline(state, ready_by, expires_at) <= pg_catalog.now()
order by least(ready_by, expires_at)
limit ${String(BATCH)}`;

/** @returns how many sessions were noted as expired */
export async function sweep(context: SigningContext): Promise<number> {
  const overdue = await asSweeper(context.database, (transaction) =>
    transaction.any<OverdueRow>({ text: OVERDUE, values: [] }),
  );
  let expired = 0;
  for (const { tenant_id: tenantId, session_id: sessionId } of overdue) {
    const applied = await runTrigger(context, tenantId, sessionId, () => ({ kind: 'clock' }), {
      wait: false,
    });
    if (applied.kind === 'applied') expired += applied.transitions.length;
  }
  return expired;
}

/** Sweeps now, and each second after the end of the sweep before. */
export const startSweeper = (context: SigningContext, log: Logger): Repeated =>
  repeat(
    async () => {
      const expired = await sweep(context);
      if (expired > 0) log.info({ expired }, 'signing sessions expired');
    },
    INTERVAL_MS,
    (error) =>
      log.warn({ error: error instanceof Error ? error.message : String(error) }, 'the sweep failed'),
  );
