/** A port that is taken ends the start before an embedded PostgreSQL has been made and filled, which takes seconds. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ANY_HOSTS } from '../http/listen.js';
import type { Settings } from '../settings/settings.js';
import { listenAs } from './start-error.js';

/**
 * Opens the public port and the admin port and closes them again.
 * @throws StartError that names the port that is taken
 */
export async function requireFreePorts(settings: Settings): Promise<void> {
  const admin = settings['admin-server-port'];
  if (settings['server-unix-socket'] === null)
    await requireFreePort(['server-host', settings['server-host']], ['server-port', settings['server-port']]);
  if (admin !== null)
    await requireFreePort(['admin-server-host', settings['admin-server-host']], ['admin-server-port', admin]);
}

async function requireFreePort(
  host: readonly ['server-host' | 'admin-server-host', string],
  port: readonly ['server-port' | 'admin-server-port', number],
): Promise<void> {
  const open = async (): Promise<void> => {
    const server = createServer().listen(port[1], ANY_HOSTS.get(host[1]) ?? host[1]);
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
  };
  await listenAs(open, { host, port, unixSocket: null });
}
