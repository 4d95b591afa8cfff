/** The departure of those who wait for work: a client that disconnects, or a service that stops. */

/** The part of an `AbortSignal` that waiting work needs. */
export interface Gone {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Calls the listener when they leave; at once if they have left.
 * @param gone null for those that cannot leave
 * @returns a function that removes the listener
 */
export function whenGone(gone: Gone | null, listener: () => void): () => void {
  if (gone?.aborted === true) listener();
  if (gone === null || gone.aborted) return () => undefined;
  gone.addEventListener('abort', listener);
  return () => gone.removeEventListener('abort', listener);
}

/**
 * Costs less than an `AbortController`, which would take as much time as the rest of a quick request. It is a class, because
 * methods of a prototype cost nothing until they are used.
 */
export class Departure implements Gone {
  aborted = false;
  private listeners: Set<() => void> | null = null;

  addEventListener(_type: 'abort', listener: () => void): void {
    this.listeners ??= new Set();
    this.listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.listeners?.delete(listener);
  }

  /** Calls the listeners, once. */
  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    const listeners = this.listeners ?? [];
    this.listeners = null;
    for (const listener of listeners) listener();
  }
}

/** A signal of one piece of work. */
export interface LinkedGone {
  readonly signal: AbortSignal;
  readonly abort: () => void;
  /** Removes the listeners, and ends the time limit. */
  readonly release: () => void;
}

/** A reason for signals: without one, each abort makes an exception with its stack. */
const ENDED = 'the work has ended';

/**
 * Links the signal of one piece of work with those that live longer. `AbortSignal.any` would leave about 65 bytes in each of
 * them for each piece of work under Node.js 20.
 * @param timeoutMs the time after which the work is aborted, in milliseconds; undefined for no limit
 */
export function linkGone(longer: readonly Gone[], timeoutMs?: number): LinkedGone {
  const work = new AbortController();
  const abort = (): void => work.abort(ENDED);
  const unlink = longer.map((gone) => whenGone(gone, abort));
  const timer = timeoutMs === undefined ? undefined : setTimeout(abort, timeoutMs);
  return {
    signal: work.signal,
    abort,
    release: () => {
      clearTimeout(timer);
      for (const remove of unlink) remove();
    },
  };
}
