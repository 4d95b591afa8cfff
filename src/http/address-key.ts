import { isIPv6 } from 'node:net';

/** Key of the count by address: the first 64 bits of an IPv6 address, since one client usually has all that share them. */
export function addressKey(address: string | undefined): string | null {
  if (address === undefined || address === '') return null;
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice('::ffff:'.length);
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%', 1).join('').split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':');
    while (groups.length + rest.length < 8) groups.push('0');
    groups.push(...rest);
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}
