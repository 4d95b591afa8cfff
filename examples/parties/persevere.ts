/** Calls that are repeated until they are answered: the router takes the same request twice as one. */
import { status } from '@grpc/grpc-js';
import { setTimeout as delay } from 'node:timers/promises';

const PASSING: ReadonlySet<number> = new Set([
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.RESOURCE_EXHAUSTED,
]);

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5000;

/** The gRPC code of a failed call; null for other errors. */
export const codeOf = (error: unknown): number | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : null;

/** Whether the same call may succeed later. */
export const isPassing = (error: unknown): boolean => PASSING.has(codeOf(error) ?? status.OK);

/** Twice as long each time, and not the same for all parties. Ends early when the signal is aborted. */
export async function pause(attempt: number, signal: AbortSignal): Promise<void> {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
  await delay(longest * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
}

/** @throws what the call throws, where repeating it is of no use, or once the signal is aborted */
export async function persevere<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (!isPassing(error) || signal.aborted) throw error;
    }
    await pause(attempt, signal);
  }
}
