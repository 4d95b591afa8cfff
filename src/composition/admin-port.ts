/** The admin port: liveness, readiness, metrics, settings in force, schema cache. */
import { createAdmin, type Readiness } from '../admin/admin.js';
import { listen, type Listening } from '../http/listen.js';
import type { Metrics } from '../observability/metrics.js';
import { dumpSettings } from '../settings/dump.js';
import type { LiveSettings } from '../settings/live-settings.js';
import type { FixedSettings } from '../settings/settings.js';
import type { DataApiPart } from './data-api-part.js';
import type { AreaStatus } from './database-state.js';
import type { ServiceAreasPart } from './service-areas-part.js';
import { listenAs } from './start-error.js';

export interface AdminPort {
  readonly fixed: FixedSettings;
  readonly live: LiveSettings;
  readonly metrics: Metrics;
  readonly dataApi: DataApiPart | null;
  readonly areas: ServiceAreasPart | null;
  readonly listening: Listening;
  /** A process that stops is alive and not ready. */
  readonly state: { readonly stopping: boolean };
}

/** Null if `admin-server-port` is not set. @throws StartError if the address cannot be used */
export async function openAdminPort({
  fixed: settings,
  live,
  metrics,
  dataApi,
  areas,
  listening,
  state,
}: AdminPort): Promise<Listening | null> {
  const port = settings['admin-server-port'];
  if (port === null) return null;
  const admin = createAdmin({
    isReachable: () => (state.stopping ? Promise.resolve(true) : listening.isReachable()),
    readiness: () => (state.stopping ? Promise.resolve(STOPPING) : readiness(dataApi, areas)),
    metrics,
    settingsText: () => dumpSettings(live.inForce()),
    schemaCacheText: () => dataApi?.schemaCacheText() ?? null,
  });
  const handle = admin.callback();
  return listenAs(
    () =>
      listen((request, response) => void handle(request, response), {
        host: settings['admin-server-host'],
        port,
        maxConnections: settings['admin-server-max-connections'],
      }),
    {
      host: ['admin-server-host', settings['admin-server-host']],
      port: ['admin-server-port', port],
      unixSocket: null,
    },
  );
}

const STOPPING: Readiness = { ready: false, parts: { service: 'stopping' } };

const READY: ReadonlySet<AreaStatus> = new Set(['up', 'read-only']);

async function readiness(dataApi: DataApiPart | null, areas: ServiceAreasPart | null): Promise<Readiness> {
  const states = await Promise.all([dataApi?.status() ?? null, areas?.status() ?? null]);
  const [data, service] = states;
  return {
    ready: states.every((status) => status === null || READY.has(status)),
    parts: {
      ...(data === null ? {} : { 'data-api': data }),
      ...(service === null ? {} : { 'notifications and signing': service }),
    },
  };
}
