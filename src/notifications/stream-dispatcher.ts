/** Reads the events of all tenants once for all streams of a process, after each report of a change and every two seconds. */
import type { Observe } from '../observability/observation.js';
import type { ChangeFeed } from '../postgres/change-feed.js';
import type { Dispatch, StreamStore } from './stream-store.js';
import type { EventPosition } from '../postgres/event-position.js';

const TOPIC = 'notification';
/** One query reads the events of all tenants, so they share one key. */
const KEY = 'all';

/** Longest delay of an event whose report was lost, in milliseconds. */
const POLL_MS = 2000;
/** Pause between two reads while there are more events than one returns, in milliseconds. */
const PAUSE_MS = 10;

export interface Dispatcher {
  /** Begins to read at the present position. @throws the database's error when the position cannot be read */
  resume(): Promise<void>;
  /** Stops reading and forgets the position. */
  pause(): void;
  /** Seconds from the writing of an event until it was read, the longest of the last read that found events. */
  readonly lagSeconds: number;
  close(): Promise<void>;
}

interface DispatchListener {
  /** Called with the readers that have new events. */
  readonly onReaders: (readers: Dispatch['readers']) => void;
  /** Called when events may have been missed, for whichever reader. */
  readonly onLost: () => void;
}

/** Wakes the dispatchers of all processes. Called after the commit. */
export const publishNotifications = (feed: Pick<ChangeFeed, 'publish'>): void => feed.publish(TOPIC, [KEY]);

export function createDispatcher(
  store: Pick<StreamStore, 'dispatchStart' | 'dispatch'>,
  feed: Pick<ChangeFeed, 'open'>,
  observe: Observe,
  { onReaders, onLost }: DispatchListener,
): Dispatcher {
  let position: EventPosition | null = null;
  let starting: Promise<void> | null = null;
  let stopWatching: (() => void) | null = null;
  let soon: NodeJS.Timeout | null = null;
  let lagSeconds = 0;
  const watches = feed.open<null, never>({
    topic: TOPIC,
    pollMs: POLL_MS,
    onReport: 'query',
    work: 'events of notifications',
    async query() {
      if (position !== null) await readFrom(position);
      return [];
    },
  });

  async function start(): Promise<void> {
    try {
      position = await store.dispatchStart();
      stopWatching ??= watches.add({ key: KEY, seen: null, notify: () => undefined });
    } finally {
      starting = null;
    }
  }

  async function readFrom(from: EventPosition): Promise<void> {
    const found = await store.dispatch(from);
    // Paused, and perhaps resumed elsewhere, in the meantime.
    if (position !== from) return;
    if (found.ahead === 'lost') {
      const start = await store.dispatchStart();
      if (position !== from) return;
      position = start;
      onLost();
      return;
    }
    position = found.position;
    onReaders(found.readers);
    lagSeconds = found.lagSeconds ?? lagSeconds;
    if (found.ahead === 'more') soon ??= setTimeout(readSoon, PAUSE_MS);
  }

  function readSoon(): void {
    soon = null;
    watches.report([KEY]);
  }

  function pause(): void {
    position = null;
    stopWatching?.();
    stopWatching = null;
    if (soon !== null) clearTimeout(soon);
    soon = null;
  }

  return {
    async resume() {
      if (position === null) await (starting ??= start());
    },
    pause,
    get lagSeconds() {
      return lagSeconds;
    },
    async close() {
      pause();
      await watches.close();
    },
  };
}
