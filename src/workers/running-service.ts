/** A running service. */
import type { AdminParts } from '../admin/admin.js';
import type { MetricValues } from '../observability/metric-sum.js';

export interface Service {
  readonly url: string;
  /** Null if `admin-server-port` is not set. */
  readonly adminUrl: string | null;
  /** Null if the process serves no router. */
  readonly routerPort: number | null;
  reloadSchema(): void;
  reloadSettings(): void;
  /** Resolves with the reason when the service cannot continue. The caller then stops it. */
  readonly failed: Promise<Error>;
  /**
   * Reports that the service is not ready from now on, for the time until `stop`. Requests are still accepted; until the last second
   * each response ends its connection.
   */
  drain(): void;
  /** Stops accepting requests, waits for those in flight, then closes everything. */
  stop(): Promise<void>;
}

/** The service of one worker. Its primary has the admin port. */
export interface WorkerService extends Omit<Service, 'adminUrl'> {
  readonly admin: Omit<AdminParts, 'metrics'>;
  /** Until the last second of the time to drain, each response ends its connection. */
  retireConnections(): void;
  readonly metricValues: () => Promise<MetricValues>;
}
