/** Parts of `bus-uri`. */
interface BusAddress {
  /** `host:port` of each server of a cluster; one that answers is used. */
  readonly servers: readonly string[];
  readonly username: string;
  readonly password: string;
  readonly protocol: string;
}

/**
 * Reads `nats://user:password@host:port,host:port`, or several addresses with the credentials of the first.
 * @throws TypeError if a part is not an address
 */
export function readBusAddress(uri: string): BusAddress {
  const begin = (uri.includes('@') ? uri.indexOf('@') : uri.indexOf('://') + 2) + 1;
  const [first = '', ...others] = uri.slice(begin).split(',');
  const { username, password, protocol, host } = new URL(`${uri.slice(0, begin)}${first}`);
  const more = others.map((other) => new URL(other.includes('://') ? other : `${protocol}//${other}`).host);
  const servers = [host, ...more];
  if (servers.includes('')) throw new TypeError('Invalid URL');
  return { servers, username, password, protocol };
}
