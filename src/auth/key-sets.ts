/** The remote key sets of a process, one for each address. A reload of the settings keeps the loaded copies. */
import { textOf, type KeyAddress } from './key-address.js';
import { openRemoteKeySet, type RemoteKeySet, type RemoteKeySetOptions } from './remote-key-set.js';

export interface KeySets {
  /** Returns the key set at this address. The first call opens it. */
  at(address: KeyAddress): RemoteKeySet;
  /** Closes the key sets that are not among these. */
  retain(used: ReadonlySet<RemoteKeySet>): void;
  close(): void;
}

export function openKeySets(options: Omit<RemoteKeySetOptions, 'address'>): KeySets {
  const open = new Map<string, RemoteKeySet>();
  const retain = (used: ReadonlySet<RemoteKeySet>): void => {
    for (const [name, set] of open) {
      if (used.has(set)) continue;
      set.close();
      open.delete(name);
    }
  };
  return {
    at(address) {
      const name = `${address.kind} ${textOf(address)}`;
      const known = open.get(name);
      if (known !== undefined) return known;
      const set = openRemoteKeySet({ ...options, address });
      open.set(name, set);
      return set;
    },
    retain,
    close: () => retain(new Set()),
  };
}
