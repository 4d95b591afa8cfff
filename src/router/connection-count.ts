/** Counts of open connections, for each address and in total. */
import { clientNetwork } from '../client-network.js';

export interface ConnectionLimits {
  /** Most open connections in total. */
  readonly total: number;
  /** Most open connections of one address. */
  readonly perAddress: number;
}

export interface ConnectionCount {
  readonly total: number;
  /** Counts a connection. Returns a function that removes it from the count; null if a limit is reached. */
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
      const network = clientNetwork(address);
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
