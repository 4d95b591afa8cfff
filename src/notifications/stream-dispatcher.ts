/** The one reader of a process: looks at what happened in every tenant, when woken and every two seconds. */
import type { Logger } from '../observability/log.js';
import type { Dispatch, StreamStore } from './stream-store.js';
import type { StreamPosition } from './types.js';

const POLL_MS = 2000;

/** While a transaction is about to end before events that wait for it, in milliseconds: first and longest pause. */
const FIRST_PAUSE_MS = 10;

export interface Dispatcher {
  /** Begins to look, from now on. @throws the database's error, when the present position cannot be read */
  resume(): Promise<void>;
  /** Nobody listens: stops looking, and forgets the position. */
  pause(): void;
  /** Looks at once; calls while it is looking become one more look. */
  look(): void;
}

export function createDispatcher(
  store: Pick<StreamStore, 'dispatchStart' | 'dispatch'>,
  log: Logger,
  told: {
    /** Who has something to read. */
    readonly onReaders: (readers: Dispatch['readers']) => void;
    /** Nobody knows what everybody missed. */
    readonly onLost: () => void;
  },
): Dispatcher {
  let position: StreamPosition | null = null;
  let starting: Promise<void> | null = null;
  let poll: NodeJS.Timeout | null = null;
  let soon: NodeJS.Timeout | null = null;
  let pauseMs = FIRST_PAUSE_MS;
  let looking = false;
  let again = false;
  let failing = false;

  async function start(): Promise<void> {
    try {
      position = await store.dispatchStart();
      poll ??= setInterval(look, POLL_MS);
    } finally {
      starting = null;
    }
  }

  function look(): void {
    again = true;
    if (!looking) void lookAll();
  }

  async function lookAll(): Promise<void> {
    looking = true;
    try {
      while (again && position !== null) {
        again = false;
        await lookFrom(position);
      }
      failing = false;
    } catch (error) {
      if (!failing)
        log.warn(
          { error: error instanceof Error ? error.message : String(error) },
          'streams wait for the database',
        );
      failing = true;
    } finally {
      looking = false;
    }
  }

  async function lookFrom(from: StreamPosition): Promise<void> {
    const found = await store.dispatch(from);
    if (position !== from) return; // paused, and perhaps resumed elsewhere, in the meantime
    if (found.ahead === 'lost') {
      position = await store.dispatchStart();
      told.onLost();
      return;
    }
    position = found.position;
    told.onReaders(found.readers);
    pauseMs = found.readers.length > 0 ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, POLL_MS);
    if (found.ahead === 'more') soon ??= setTimeout(lookSoon, pauseMs);
    else pauseMs = FIRST_PAUSE_MS;
  }

  function lookSoon(): void {
    soon = null;
    look();
  }

  return {
    async resume() {
      if (position === null) await (starting ??= start());
    },
    pause() {
      position = null;
      if (poll !== null) clearInterval(poll);
      if (soon !== null) clearTimeout(soon);
      poll = null;
      soon = null;
    },
    look,
  };
}
