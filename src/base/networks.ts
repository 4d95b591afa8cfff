/** Sets of addresses and of networks, as `10.0.0.0/8` (RFC 4632), of IPv4 and IPv6. */
import { BlockList, isIP } from 'node:net';

interface Network {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  /** Bits of the network; null for one address. */
  readonly prefix: number | null;
}

const LONGEST_PREFIX = { ipv4: 32, ipv6: 128 } as const;

function readNetwork(text: string): Network | null {
  const [, address = '', digits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return null;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const prefix = digits === undefined ? null : Number(digits);
  return prefix !== null && prefix > LONGEST_PREFIX[family] ? null : { address, family, prefix };
}

export const isNetwork = (text: string): boolean => readNetwork(text) !== null;

/** Returns whether an address is in one of the networks, also an IPv4 address in the form of IPv6. */
export function networkSet(texts: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const text of texts) {
    const network = readNetwork(text);
    if (network === null) continue;
    const { address, family, prefix } = network;
    if (prefix === null) list.addAddress(address, family);
    else list.addSubnet(address, prefix, family);
  }
  return (address) => {
    const plain = address.split('%', 1)[0] ?? '';
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  };
}
