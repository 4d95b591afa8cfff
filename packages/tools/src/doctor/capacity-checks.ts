/** Checks of sizes: connections against the limits of the server, memory against that of the machine. */
import type { Settings } from '../../../../src/face.js';
import { ok, warning, type Check } from './check.js';
import type { ServerFacts } from './server-checks.js';

/** Connections of one process beside its pools: catalogue, listening, background work. */
const BACKGROUND_CONNECTIONS = 12;

/** @param facts of each address that is connected to, by setting; all may be of one server */
export function checkConnections(
  settings: Settings,
  workers: number,
  facts: ReadonlyMap<string, ServerFacts>,
): readonly Check[] {
  const pools = settings['db-pool'] + (facts.has('service-db-uri') ? settings['service-db-pool'] : 0);
  const needed = pools + workers * BACKGROUND_CONNECTIONS;
  return [...facts].map(([setting, { role, maxConnections, roleLimit }]) => {
    const limit = Math.min(maxConnections, roleLimit ?? Infinity);
    const message = `the service opens up to about ${String(needed)} connections, and ${role} may have ${String(limit)}`;
    return needed <= limit
      ? ok(setting, message)
      : warning(
          setting,
          message,
          'raise max_connections or the CONNECTION LIMIT of the role, or lower db-pool, service-db-pool and server-workers',
        );
  });
}

/** @param totalBytes memory of the machine, or of the control group */
export function checkMemory(settings: Settings, totalBytes: number): Check {
  const megabytes = (bytes: number): string => `${String(Math.round(bytes / 1_048_576))} MiB`;
  const bodies = settings['server-max-body-memory'];
  const message = `request bodies may take ${megabytes(bodies)} of ${megabytes(totalBytes)}`;
  return bodies * 2 <= totalBytes
    ? ok('server-max-body-memory', message)
    : warning('server-max-body-memory', message, 'lower server-max-body-memory, or add memory');
}
