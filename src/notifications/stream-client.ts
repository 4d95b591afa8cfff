/** One open stream: its position, what wakes it, and when it ends. */
import type { EventPosition } from '../postgres/event-position.js';
import type { StreamPage } from './stream-store.js';
import type { OpenTicket, Reader } from './types.js';
import { KEEP_ALIVE_MS } from '../operations/responses.js';
import type { Leave } from '../operations/limits.js';

export interface StreamClient {
  readonly reader: Reader;
  /** The ticket that opened the stream; null if a token did. */
  readonly ticket: OpenTicket | null;
  position: EventPosition;
  /** The unread count that was sent last, as JSON text. */
  count: string;
  /** True if there may be events after `position`. */
  due: boolean;
  /** True while a read waits for its turn or for the database. */
  reading: boolean;
  /** What was read and is not yet sent; null for nothing. */
  page: StreamPage | null;
  /** True if the last read failed; it is repeated when the database responds. */
  failed: boolean;
  /** True if the client missed events that no longer exist. */
  lost: boolean;
  ended: boolean;
  /** When text was last sent, by `performance.now()`: a change of the clock must delay no keep-alive. */
  sentAt: number;
  /** When the token expires, in milliseconds since the epoch; null for no expiry. */
  readonly expiresAt: number | null;
  /** Ends the stream in the count of the user's streams. */
  readonly leave: Leave;
  /** Resolves `nextTurn`. */
  wake: () => void;
}

export const newClient = (
  reader: Reader,
  ticket: OpenTicket | null,
  after: EventPosition | null,
  expiresAt: number | null,
  leave: Leave,
): StreamClient => ({
  reader,
  ticket,
  position: after ?? { xid: '0', eventId: '0', open: [] },
  count: '',
  due: false,
  reading: false,
  page: null,
  failed: false,
  lost: false,
  ended: false,
  sentAt: performance.now(),
  expiresAt,
  leave,
  wake: () => undefined,
});

/** Resolves when a read can begin or has found something, or when the client has lost events, has ended, or needs a keep-alive. */
export async function nextTurn(client: StreamClient, now: number): Promise<void> {
  if (isTurn(client, now)) return;
  await new Promise<void>((resolve) => {
    client.wake = resolve;
  });
}

const isTurn = (client: StreamClient, now: number): boolean =>
  beginsRead(client) || client.page !== null || client.lost || client.ended || needsKeepAlive(client, now);

export const beginsRead = ({ due, reading, page }: StreamClient): boolean => due && !reading && page === null;

export const needsKeepAlive = (client: StreamClient, now: number): boolean =>
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

/** The open streams, indexed by tenant and user. */
export interface StreamClients {
  readonly size: number;
  add(client: StreamClient): void;
  remove(client: StreamClient): void;
  /** The streams of a user; with null, those of every user of the tenant. */
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
