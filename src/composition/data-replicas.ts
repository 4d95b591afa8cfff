/** The replicas of the data API: a pool for each server that `db-replica-uri` names. */
import type { Metrics } from '../observability/metrics.js';
import type { Observe } from '../observability/observation.js';
import { closeDatabase, openDatabase } from '../postgres/database.js';
import { openPool } from '../postgres/pool.js';
import { openReplicas, type Replicas } from '../replicas/replicas.js';
import type { LiveSettings } from '../settings/live-settings.js';
import type { FixedSettings } from '../settings/settings.js';
import { dataPoolOptions } from './data-pool.js';
import { reloadablePool } from './reloadable-pool.js';
import { openReplicaDatabases } from './replica-databases.js';
import { withConnectionString } from './start-error.js';

export interface DataReplicasOptions {
  /** Address of the primary. */
  readonly uri: string;
  readonly fixed: FixedSettings;
  readonly live: LiveSettings;
  readonly observe: Observe;
  readonly metrics: Metrics;
}

/**
 * Longest wait for the position of a server, in milliseconds. Servers are asked once a second at least, and respond within
 * milliseconds; one that is silent for this long is stopped, or its connection is lost.
 */
const QUESTION_TIMEOUT_MS = 5000;

/** Null without `db-replica-uri`. @throws StartError, as `openReplicaDatabases` */
export function openDataReplicas({
  uri,
  fixed,
  live,
  observe,
  metrics,
}: DataReplicasOptions): Replicas | null {
  const replicaUri = fixed['db-replica-uri'];
  if (replicaUri === null) return null;
  const databases = openReplicaDatabases(replicaUri);
  const primary = withConnectionString('db-uri', () => openDatabase(uri, { poolSize: 1 }));
  const servers = databases.map(({ name, database }) => {
    const pool = reloadablePool(live, (reloadable) =>
      openPool(database, { ...dataPoolOptions(fixed, reloadable, observe), name: 'replica' }),
    );
    return { name, pool, database };
  });
  const replicas = openReplicas({
    primary,
    replicas: servers,
    maxLagMs: fixed['db-replica-max-lag'],
    waitMs: fixed['db-replica-wait'],
    questionTimeoutMs: QUESTION_TIMEOUT_MS,
    observe,
  });
  const count = (member: 'size' | 'available' | 'waiting' | 'timeouts'): number =>
    servers.reduce((sum, { pool }) => sum + pool.state[member], 0);
  metrics.observePool('replica', () => ({
    max: fixed['db-pool'] * servers.length,
    size: count('size'),
    available: count('available'),
    waiting: count('waiting'),
    timeouts: count('timeouts'),
  }));
  metrics.observeReplicas(() => replicas.lags());
  return {
    ...replicas,
    async close() {
      await replicas.close();
      await Promise.all([primary, ...databases.map(({ database }) => database)].map(closeDatabase));
    },
  };
}
