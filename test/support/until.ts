import { setTimeout as delay } from 'node:timers/promises';

/** Repeats a check every 20 ms until it is true; the timeout of the test bounds it. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await delay(20);
}
