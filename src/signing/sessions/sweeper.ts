/** Ends overdue sessions, and sessions whose share expired undelivered, every second. Processes skip sessions that another one has locked. */
import { workFailed } from '../../observability/observation.js';
import { repeat, type Repeated } from '../../observability/repeat.js';
import type { SigningContext } from '../context.js';
import { asSweeper } from '../transaction.js';
import { runTrigger } from './run-trigger.js';
import { overdueSessions } from './session-store.js';

const INTERVAL_MS = 1000;
/** Sessions of one sweep; the next one continues. */
const BATCH = 200;

/** Returns the number of sessions that ended. */
export async function sweep(context: SigningContext): Promise<number> {
  const overdue = await asSweeper(context.database, (transaction) => overdueSessions(transaction, BATCH));
  let ended = 0;
  for (const { tenantId, sessionId } of overdue) {
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
