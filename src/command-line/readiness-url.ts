import { isIPv6 } from 'node:net';
import { ANY_HOSTS } from '../http/listen.js';
import type { Settings } from '../settings/settings.js';

/**
 * Addresses at which a server can listen but to which no client can connect, each with the loopback address of its
 * family.
 */
const LOOPBACKS: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** The address of `/ready` for a client on the same machine; null without an admin port. */
export function readinessUrl(
  settings: Pick<Settings, 'admin-server-host' | 'admin-server-port'>,
): string | null {
  const port = settings['admin-server-port'];
  if (port === null) return null;
  const listening = ANY_HOSTS.get(settings['admin-server-host']) ?? settings['admin-server-host'];
  const host = LOOPBACKS.get(listening) ?? listening;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${String(port)}/ready`;
}
