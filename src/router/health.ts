/** Health of the router (grpc.health.v1): serving while the database can be written to, until the router stops. */
import type { Server } from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import { workFailed, type Observe } from '../observability/observation.js';
import { repeat } from '../repeat.js';

export interface Health {
  /** Reports NOT_SERVING from now on; calls are still accepted. */
  drain(): void;
  /** Reports NOT_SERVING from now on. */
  close(): Promise<void>;
}

const INTERVAL_MS = 1000;

/**
 * @param service name of the service in health checks, beside the empty name of the server
 * @param isReady called every second; an error counts as false
 */
export function serveHealth(
  server: Server,
  service: string,
  isReady: () => Promise<boolean>,
  observe: Observe,
): Health {
  const health = new HealthImplementation({ '': 'SERVING', [service]: 'SERVING' });
  health.addToServer(server);
  let serving = true;
  let closed = false;

  function set(ready: boolean): void {
    if (ready === serving) return;
    serving = ready;
    for (const name of ['', service]) health.setStatus(name, ready ? 'SERVING' : 'NOT_SERVING');
  }

  const watch = repeat(
    async () => {
      const ready = await isReady().catch(() => false);
      if (!closed) set(ready);
    },
    { intervalMs: INTERVAL_MS, observe, failure: workFailed('health of the router') },
  );
  function drain(): void {
    closed = true;
    set(false);
  }

  return {
    drain,
    async close() {
      drain();
      await watch.close();
    },
  };
}
