/** The frame of every stream of a party: counted, and ended with its client, the router or a change of the party. */
import {
  refuseChanged,
  type PartyChange,
  type PartyIdentity,
  type PartyWatch,
} from '../signing/router-port.js';
import { linkGone, whenGone, type Gone } from '../base/gone.js';
import type { Leave, OpenCount } from '../operations/limits.js';
import { partyKey, credentialExpired } from './identity.js';
import { Refused } from './refusal.js';
import type { StreamContext } from './typed-service.js';
import { STREAM_KEEPALIVE_MS, STREAM_LIFETIME_MS } from './limits.js';

interface PartyStreamParts {
  readonly watch: PartyWatch;
  /** Aborted when the router stops. */
  readonly stopping: Gone;
}

/**
 * @param count of the open streams of this kind
 * @param serve sends the messages of the stream until it has ended or the signal is aborted
 * @throws Refused UNAVAILABLE when the router stops, UNAUTHENTICATED when the certificate or the token expires, RESOURCE_EXHAUSTED for too many streams, PartyRefused when the party changes
 */
export async function partyStream<Item>(
  { watch, stopping }: PartyStreamParts,
  { party, signal, validUntil }: StreamContext<Item>,
  count: OpenCount,
  serve: (party: PartyIdentity, signal: Gone) => Promise<void>,
): Promise<void> {
  if (stopping.aborted) throw new Refused('stopping', 'the router is stopping: try another one');
  const link = linkGone([signal, stopping]);
  let changed: PartyChange | null = null;
  const unwatch = watch.watch(party, (change) => {
    changed = change;
    link.abort();
  });
  const changeSoFar = (): PartyChange | null => changed;
  const expiry = atTime(validUntil, link.abort);
  let leave: Leave | null = null;
  try {
    leave = await count.enter(partyKey(party));
    if (leave === null) throw new Refused('too-many-streams', 'too many open streams');
    await serve(party, link.signal);
    refuseChanged(changeSoFar());
    if (expiry.isOver) throw credentialExpired();
  } finally {
    unwatch();
    expiry.cancel();
    link.release();
    leave?.();
  }
}

// Wakes the loop of a stream: at a change, at its end, and for keepalives of a silent stream.

export interface StreamLoop {
  /** The signal was aborted, or the lifetime of a stream is over. */
  readonly ended: boolean;
  /** Nothing was sent for a while: a keepalive is due. */
  readonly silent: boolean;
  /** Something was sent. */
  sent(): void;
  readonly wake: () => void;
  /** Resolves when the loop was woken since the last call. */
  next(): Promise<void>;
  close(): void;
}

const NOW = Promise.resolve();

export function openStreamLoop(signal: Gone): StreamLoop {
  let [ended, woken] = [false, false];
  let silentTicks = 0;
  let resume: (() => void) | null = null;
  const wake = (): void => {
    const resolve = resume;
    resume = null;
    if (resolve === null) woken = true;
    else resolve();
  };
  const end = (): void => {
    ended = true;
    wake();
  };
  const unlink = whenGone(signal, end);
  const lifetime = setTimeout(end, STREAM_LIFETIME_MS);
  // Twice as often as keepalives are due, so that a stream is never silent for longer.
  const ticks = setInterval(() => {
    silentTicks += 1;
    wake();
  }, STREAM_KEEPALIVE_MS / 2);
  return {
    get ended() {
      return ended;
    },
    get silent() {
      return silentTicks > 1;
    },
    sent() {
      silentTicks = 0;
    },
    wake,
    next() {
      const isDue = woken || ended;
      woken = false;
      return isDue ? NOW : new Promise((resolve) => (resume = resolve));
    },
    close() {
      clearTimeout(lifetime);
      clearInterval(ticks);
      unlink();
    },
  };
}

/** The longest time of a timer of Node.js, in milliseconds; it would run at once after a longer one. */
const MAX_TIMER_MS = 2 ** 31 - 1;

interface Deadline {
  readonly isOver: boolean;
  cancel(): void;
}

/** Calls back once the time has passed. The caller cancels it. @param at in milliseconds since the epoch, however far away */
export function atTime(at: number, onOver: () => void): Deadline {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const left = at - Date.now();
    if (left >= 0) {
      // The time itself is still valid.
      timer = setTimeout(wait, Math.min(left + 1, MAX_TIMER_MS));
      return;
    }
    isOver = true;
    onOver();
  };
  wait();
  return {
    get isOver() {
      return isOver;
    },
    cancel: () => clearTimeout(timer),
  };
}
