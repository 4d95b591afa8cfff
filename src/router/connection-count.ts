/** Open connections, of each address and in all. */
import { isIPv6 } from 'node:net';

export interface ConnectionLimits {
  /** Most open connections in all. */
  readonly total: number;
  /** Most open connections of one address. */
  readonly perAddress: number;
}

export interface ConnectionCount {
  readonly total: number;
  /** Counts a connection. Returns a function that takes it off the count again; null where a limit is reached. */
  enter(address: string): (() => void) | null;
}

export function createConnectionCount(limits: ConnectionLimits): ConnectionCount {
  const byNetwork = new Map<string, number>();
  let total = 0;
  return {
    get total() {
      return total;
    },
    enter(address) {
      const network = networkOf(address);
      const count = byNetwork.get(network) ?? 0;
      if (total >= limits.total || count >= limits.perAddress) return null;
      total += 1;
      byNetwork.set(network, count + 1);
      return () => {
        total -= 1;
        const left = (byNetwork.get(network) ?? 1) - 1;
        if (left === 0) byNetwork.delete(network);
        else byNetwork.set(network, left);
      };
    },
  };
}

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const IPV6_NETWORK_GROUPS = 4;

/** An IPv4 address as it is; of an IPv6 address its network of 64 bits, which one site has to itself (RFC 4291 §2.5.4). */
export function networkOf(address: string): string {
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const groups = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].slice(0, IPV6_NETWORK_GROUPS).join(':');
}
