/**
 * Loaded into a service by NODE_OPTIONS: measures the turns of its event loop. On SIGWINCH, it writes what it has
 * measured since the last signal, and begins again.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setInterval } from 'node:timers';

const RESOLUTION_MS = 1;
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
histogram.enable();

/** Processor time of the main thread in nanoseconds (proc(5), schedstat): load of other programs does not count. */
const TIMES = `/proc/self/task/${String(process.pid)}/schedstat`;
const text = Buffer.alloc(64);
const descriptor = openSync(TIMES, 'r');
process.on('exit', () => closeSync(descriptor));
const usedMs = () =>
  Number.parseInt(text.toString('latin1', 0, readSync(descriptor, text, 0, 64, 0)), 10) / 1e6;

let longest = 0;
let last = usedMs();
let begun = last;
const note = () => {
  const now = usedMs();
  if (now - last > longest) longest = now - last;
  last = now;
};
setInterval(note, RESOLUTION_MS).unref();

/** A computation of the kind that parsers do: short texts are cut out of a long one. About 10 ms on a quiet machine. */
const SOURCE = 'id.eq.1,'.repeat(30_000);
function control() {
  const before = usedMs();
  const parts = [];
  for (let at = 0; at < SOURCE.length; at += 2) parts.push(SOURCE.slice(at, at + 2));
  return parts.join(',').length === 0 ? 0 : usedMs() - before;
}

process.on('SIGWINCH', () => {
  note();
  const times = { delayMs: histogram.max / 1e6 - RESOLUTION_MS, longestMs: longest, usedMs: last - begun };
  const turn = { ...times, controlMs: control() };
  histogram.reset();
  longest = 0;
  last = usedMs();
  begun = last;
  process.stderr.write(`turns: ${JSON.stringify(turn)}\n`);
});
