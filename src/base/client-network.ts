import { isIPv6 } from 'node:net';

const GROUPS = 8;
const NETWORK_GROUPS = 4;
/** The beginning of an IPv4 address in the form of IPv6 (RFC 4291 §2.5.5.2). */
const MAPPED = '0:0:0:0:0:ffff';
/** The form that a socket for both versions of IP has, once for each request. */
const USUAL_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * Returns an IPv4 address unchanged, also one in the form of IPv6, and the /64 network of any other IPv6 address: one site
 * owns all addresses of such a network (RFC 4291 §2.5.4).
 */
export function clientNetwork(address: string): string {
  if (!address.includes(':')) return address;
  const usual = USUAL_MAPPED.exec(address)?.[1];
  if (usual !== undefined) return usual;
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address.split('%')[0] ?? '');
  const hexadecimal = groups.map((group) => group.toString(16));
  if (hexadecimal.slice(0, -2).join(':') === MAPPED)
    return groups
      .slice(-2)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  return hexadecimal.slice(0, NETWORK_GROUPS).join(':');
}

/** The eight groups of an IPv6 address in any of its spellings (RFC 4291 §2.2). */
function groupsOf(address: string): readonly number[] {
  const [before = [], after = []] = address.split('::').map(writtenGroups);
  const zeros = Array<number>(Math.max(0, GROUPS - before.length - after.length)).fill(0);
  return [...before, ...zeros, ...after];
}

/** The last two groups may be written as an IPv4 address. */
const writtenGroups = (text: string): readonly number[] =>
  text
    .split(':')
    .filter((group) => group !== '')
    .flatMap((group) => {
      const [first = 0, second = 0, third = 0, fourth = 0] = group.split('.').map(Number);
      return group.includes('.')
        ? [(first << 8) | second, (third << 8) | fourth]
        : [Number.parseInt(group, 16)];
    });
