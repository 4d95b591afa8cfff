/** The admin port: liveness, readiness, metrics, settings in force, schema cache, console; of one process or of all workers. */
import type { RequestListener } from 'node:http';
import type { AdminServices, Readiness } from '../admin/admin.js';
import { lazyHandler } from '../http/lazy-handler.js';
import { listen, type Listening } from '../http/listen.js';
import type { FixedSettings } from '../settings/settings.js';
import type { AreaStatus } from './database-state.js';
import { listenAs } from './start-error.js';

/** Null if `admin-server-port` is not set. @throws StartError if the address cannot be used */
export async function openAdminPort(
  settings: FixedSettings,
  parts: AdminServices,
): Promise<Listening | null> {
  const port = settings['admin-server-port'];
  if (port === null) return null;
  const names = [settings['admin-server-host'], ...settings['admin-server-allowed-hosts']];
  const handle = lazyHandler(
    () => loadAdmin(parts, new Set(names.map((name) => name.toLowerCase()))),
    (response) => void response.destroy(),
  );
  return listenAs(
    () =>
      listen(handle, {
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

/** Imports Koa. */
async function loadAdmin(parts: AdminServices, names: ReadonlySet<string>): Promise<RequestListener> {
  const { createAdmin } = await import('../admin/admin.js');
  const handle = createAdmin(parts, names).callback();
  return (request, response) => void handle(request, response);
}

/** The readiness of a service that stops, or drains before it stops. */
export const STOPPING: Readiness = { ready: false, parts: { service: 'stopping' } };

const READY: ReadonlySet<AreaStatus> = new Set(['up', 'read-only']);

interface Area {
  status(): Promise<AreaStatus>;
}

/** @param dataApi null if the process does not serve it; the same for the areas */
export async function readReadiness(dataApi: Area | null, areas: Area | null): Promise<Readiness> {
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
