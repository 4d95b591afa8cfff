/** A queue in which clients take turns, so that one with many items does not delay the others. */

export interface FairQueue<Item> {
  /** Items of all clients. */
  readonly length: number;
  lengthOf(client: string): number;
  /** The clients that have items, in the order of their turns. */
  clients(): Iterable<string>;
  /** The item that is served next. */
  first(): Item | null;
  /** The item of the client that is served next among its own. */
  firstOf(client: string): Item | null;
  add(client: string, item: Item): void;
  /** Adds an item ahead of the others of its client. A client without items has the next turn. */
  addFirst(client: string, item: Item): void;
  /** Removes the item that is served next, and passes the turn to the next client. */
  takeFirst(): Item | null;
  /** Removes the first item of the client, whose turn then comes after all others. */
  takeFirstOf(client: string): Item | null;
  /** Removes the last item of the client. */
  takeLastOf(client: string): Item | null;
  /** Returns false for an item that is not in the queue. */
  remove(client: string, item: Item): boolean;
  /** Empties the queue. Returns the items in the order in which they would have been served. */
  takeAll(): readonly Item[];
}

/** Creates an empty queue. Its user bounds its length. */
export function createFairQueue<Item>(): FairQueue<Item> {
  /** In the order of the clients' turns. A client without items has no entry. */
  const clients = new Map<string, Item[]>();
  let length = 0;

  function takeAt(client: string, index: number): Item | null {
    const own = clients.get(client);
    const [taken] = own?.splice(index, 1) ?? [];
    if (own?.length === 0) clients.delete(client);
    if (taken === undefined) return null;
    length--;
    return taken;
  }

  function takeFirstOf(client: string): Item | null {
    const taken = takeAt(client, 0);
    const rest = clients.get(client);
    if (rest !== undefined && clients.size > 1) {
      clients.delete(client);
      clients.set(client, rest);
    }
    return taken;
  }

  function takeFirst(): Item | null {
    for (const client of clients.keys()) return takeFirstOf(client);
    return null;
  }

  return {
    get length() {
      return length;
    },
    lengthOf: (client) => clients.get(client)?.length ?? 0,
    clients: () => clients.keys(),
    first() {
      for (const [item] of clients.values()) return item ?? null;
      return null;
    },
    firstOf: (client) => clients.get(client)?.[0] ?? null,
    add(client, item) {
      const own = clients.get(client);
      if (own === undefined) clients.set(client, [item]);
      else own.push(item);
      length++;
    },
    addFirst(client, item) {
      const own = clients.get(client);
      length++;
      if (own !== undefined) return void own.unshift(item);
      const others = [...clients];
      clients.clear();
      clients.set(client, [item]);
      for (const [other, items] of others) clients.set(other, items);
    },
    takeFirst,
    takeFirstOf,
    takeLastOf: (client) => takeAt(client, -1),
    remove(client, item) {
      const index = clients.get(client)?.indexOf(item) ?? -1;
      return index >= 0 && takeAt(client, index) !== null;
    },
    takeAll() {
      const all: Item[] = [];
      for (let item = takeFirst(); item !== null; item = takeFirst()) all.push(item);
      return all;
    },
  };
}
