/** The wait of a replacement before it accepts connections, since other workers serve in the meantime. */
import type { Readiness } from '../admin/admin.js';

/** A process whose ports are not open yet. */
export interface Starting {
  readonly readiness: () => Promise<Readiness>;
  readonly failed: Promise<Error>;
}

/** Longest time that a replacement waits for its database and schema cache before it accepts connections. */
const READY_WAIT_MS = 10_000;
const READY_POLL_MS = 50;

/** Resolves when the areas are ready, or when it takes too long: then responses give the reason. @throws the failure */
export async function untilReady({ readiness, failed }: Starting): Promise<void> {
  const until = performance.now() + READY_WAIT_MS;
  const next = (): Promise<Error | null> =>
    Promise.race([failed, new Promise<null>((resolve) => setTimeout(resolve, READY_POLL_MS, null))]);
  while (performance.now() < until && !(await readiness()).ready) {
    const reason = await next();
    if (reason !== null) throw reason;
  }
}
