/** One open stream: where it stands, why it is woken, when it ends. */
import type { OpenTicket, Reader, StreamPosition } from './types.js';
import { KEEP_ALIVE_MS } from '../operations/event-stream.js';

export interface StreamClient {
  readonly reader: Reader;
  /** The ticket that opened the stream; null where a token did. */
  readonly ticket: OpenTicket | null;
  position: StreamPosition;
  /** The unread count that the client was told last, as JSON text. */
  count: string;
  /** There may be events after `position`. */
  due: boolean;
  /** Reading them failed; they are read again when the database answers. */
  failed: boolean;
  /** It missed events that cannot be read any more. */
  lost: boolean;
  ended: boolean;
  /** When something was last sent; milliseconds since the epoch. */
  sentAt: number;
  /** When the token ends, in milliseconds since the epoch. */
  readonly expiresAt: number | null;
  /** Wakes whoever waits in `nextTurn`. */
  wake: () => void;
}

/** Resolves when the client is due, has ended, or needs a sign of life. */
export async function nextTurn(client: StreamClient, now: number): Promise<void> {
  if (isTurn(client, now)) return;
  await new Promise<void>((resolve) => {
    client.wake = resolve;
  });
}

const isTurn = (client: StreamClient, now: number): boolean =>
  client.due || client.lost || client.ended || needsSignOfLife(client, now);

export const needsSignOfLife = (client: StreamClient, now: number): boolean =>
  now - client.sentAt >= KEEP_ALIVE_MS;

export function endClient(client: StreamClient): void {
  client.ended = true;
  client.wake();
}

export function markLost(client: StreamClient): void {
  client.lost = true;
  client.wake();
}

export function markDue(client: StreamClient): void {
  client.due = true;
  client.wake();
}

/** Clients by tenant and user, so that an event finds those it concerns. */
export interface StreamClients {
  readonly size: number;
  add(client: StreamClient): void;
  remove(client: StreamClient): void;
  /** Of one user, or with null of every user of the tenant. */
  of(tenantId: string, userId: string | null): readonly StreamClient[];
  all(): Iterable<StreamClient>;
}

export function createStreamClients(): StreamClients {
  const all = new Set<StreamClient>();
  const tenants = new Map<string, Map<string, Set<StreamClient>>>();
  return {
    get size() {
      return all.size;
    },
    add(client) {
      const { tenantId, userId } = client.reader;
      const users = tenants.get(tenantId) ?? new Map<string, Set<StreamClient>>();
      tenants.set(tenantId, users);
      const clients = users.get(userId) ?? new Set();
      users.set(userId, clients.add(client));
      all.add(client);
    },
    remove(client) {
      const { tenantId, userId } = client.reader;
      all.delete(client);
      const users = tenants.get(tenantId);
      const clients = users?.get(userId);
      clients?.delete(client);
      if (clients?.size === 0) users?.delete(userId);
      if (users?.size === 0) tenants.delete(tenantId);
    },
    of(tenantId, userId) {
      const users = tenants.get(tenantId);
      if (users === undefined) return [];
      return userId === null
        ? [...users.values()].flatMap((set) => [...set])
        : [...(users.get(userId) ?? [])];
    },
    all: () => all,
  };
}
