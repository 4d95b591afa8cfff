/**
 * Writes a line to standard error when a process of the tests stands still. The line says whether the event loop, or the
 * machine, or the threads for `fs` and `crypto` held a test that has timed out.
 */
import { stat } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import type { Context, RootHookObject } from 'mocha';

const EVERY_MS = 1_000;
const LONG_MS = 10_000;

let lastTurn = performance.now();
let probe: { readonly since: number } | null = null;
let current = '';

export const mochaHooks: RootHookObject = {
  beforeEach(this: Context) {
    current = this.currentTest?.fullTitle() ?? '';
  },
};

function look(): void {
  const now = performance.now();
  if (now - lastTurn > LONG_MS) say(`no turn of the event loop for ${seconds(now - lastTurn)} s`);
  lastTurn = now;
  if (probe !== null) {
    const waits = now - probe.since;
    if (waits > LONG_MS && waits % LONG_MS < EVERY_MS) say(`no thread for fs for ${seconds(waits)} s`);
    return;
  }
  probe = { since: now };
  void stat('.').finally(() => (probe = null));
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1);

function say(what: string): void {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  console.error(
    `watchdog of process ${String(process.pid)}: ${what}, in or after: ${current}; open: ${JSON.stringify([...counts])}`,
  );
}

setInterval(look, EVERY_MS).unref();
