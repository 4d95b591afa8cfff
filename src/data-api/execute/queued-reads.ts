/**
 * Equal reads that wait for a connection. A read joins those of its client that wait already. Each client waits in its own
 * turn; as soon as the turn of one has come, its statement serves the equal reads of all.
 */
import type { Caller, CallerSignal } from '../../postgres/batch.js';
import { BatchAborted } from '../../postgres/postgres-error.js';
import type { EqualReads, SharedRead } from './shared-groups.js';

/** The groups that wait, by statement and parameters. */
export type QueuedReads = Map<string, QueuedGroup[]>;

export interface QueuedGroup {
  readonly client: string;
  readonly group: EqualReads;
  /** Fires when nothing is left to wait for. */
  readonly signal: GroupSignal;
  isSent: boolean;
}

interface GroupSignal extends CallerSignal {
  readonly abort: () => void;
}

function groupSignal(): GroupSignal {
  const listeners = new Set<() => void>();
  let aborted = false;
  return {
    get aborted() {
      return aborted;
    },
    addEventListener: (_type, listener) => void listeners.add(listener),
    removeEventListener: (_type, listener) => void listeners.delete(listener),
    abort() {
      aborted = true;
      for (const listener of listeners) listener();
    },
  };
}

/**
 * Adds the reads of one client to its group that waits already, and returns null. If there is none, returns a new group,
 * which others join until its batch is sent.
 * @param group of one client
 */
export function joinOrQueue(queued: QueuedReads, client: string, group: EqualReads): QueuedGroup | null {
  const waiting = queued.get(group.key) ?? [];
  const own = waiting.find((each) => each.client === client);
  if (own !== undefined) {
    for (const read of group.reads) {
      read.hasJoined = true;
      join(queued, own, read);
    }
    return null;
  }
  const added = { client, group: { ...group, reads: [] }, signal: groupSignal(), isSent: false };
  queued.set(group.key, [...waiting, added]);
  for (const read of group.reads) join(queued, added, read);
  return added;
}

function join(queued: QueuedReads, own: QueuedGroup, read: SharedRead): void {
  own.group.reads.push(read);
  const { signal } = read.caller;
  if (signal === null) return;
  const onAbort = (): void => leave(queued, own, read);
  read.unwatch = () => signal.removeEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort);
}

/** A read whose client has disconnected waits no longer. A statement that nothing waits for is dropped or cancelled. */
function leave(queued: QueuedReads, own: QueuedGroup, read: SharedRead): void {
  unwatch(read);
  const { reads } = own.group;
  const at = reads.indexOf(read);
  if (at >= 0) reads.splice(at, 1);
  read.reject(new BatchAborted());
  if (reads.length > 0) return;
  removeQueued(queued, own);
  own.signal.abort();
}

/** Ends the wait of a read, which has a result or runs alone. */
export function unwatch(read: SharedRead): void {
  read.unwatch?.();
  read.unwatch = null;
}

/** The caller of the batch of a group. @param onClosed called when the batch is sent, and no read joins it any more */
export const callerOfQueued = (queued: QueuedReads, own: QueuedGroup, onClosed: () => void): Caller => ({
  client: own.client,
  signal: own.signal,
  onSent: () => sent(queued, own, onClosed),
});

/** Ends the joining of a group when its batch is sent. Equal reads of other clients join it, and wait no longer. */
function sent(queued: QueuedReads, own: QueuedGroup, onClosed: () => void): void {
  if (!own.isSent) {
    own.isSent = true;
    const others = removeQueued(queued, own);
    queued.delete(own.group.key);
    for (const { group, signal } of others) {
      for (const read of group.reads.splice(0)) {
        unwatch(read);
        // The batch may have to wait again, in what is left of the time of this client.
        read.hasJoined = true;
        join(queued, own, read);
      }
      signal.abort();
    }
    onClosed();
  }
  for (const { caller } of own.group.reads) caller.onSent?.();
}

/** Removes a group that does not wait any more. @returns those of other clients with equal reads */
export function removeQueued(queued: QueuedReads, own: QueuedGroup): readonly QueuedGroup[] {
  const { key } = own.group;
  const others = (queued.get(key) ?? []).filter((each) => each !== own);
  if (others.length === 0) queued.delete(key);
  else queued.set(key, others);
  return others;
}
