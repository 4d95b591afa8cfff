/**
 * The process of a simulation: `run` draws schedules from seeds for some seconds of the processor, `replay` runs kept ones,
 * `both` runs kept ones and draws others behind them. Writes a line of JSON for each kept schedule, for each drawn one that
 * fails, and one at the end of those drawn; exits with 1 if a schedule failed.
 */
import './globals.js';
import { readFileSync, writeSync } from 'node:fs';
import { createCover } from './cover.js';
import { runSchedule } from './run.js';
import type { Schedule } from './schedule.js';
import { shrink } from './shrink.js';
import { drawSchedule } from './themes.js';
import { openWorld } from './world.js';

const [mode, root = process.cwd(), ...given] = process.argv.slice(2);

/** `process.stdout` may be a socket, and sockets are simulated. */
const print = (value: unknown): void => void writeSync(1, `${JSON.stringify(value)}\n`);

const isSchedule = (value: unknown): value is Schedule =>
  typeof value === 'object' &&
  value !== null &&
  'seed' in value &&
  'operations' in value &&
  'faults' in value;

function scheduleOf(file: string): Schedule {
  const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const schedule: unknown =
    typeof kept === 'object' && kept !== null && 'schedule' in kept ? kept.schedule : null;
  if (!isSchedule(schedule)) throw new Error(`${file} is no schedule`);
  return schedule;
}

const world = await openWorld(root);

/** Time of the processor: others use the machine, too. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

let hasFailed = false;

async function fails(schedule: Schedule): Promise<boolean> {
  return (await runSchedule(world, schedule)).failures.length > 0;
}

interface Run {
  readonly seed: number;
  /** From one seed to the next: a multiple of the number of themes stays with one theme. */
  readonly step: number;
  /** Limit of processor time. */
  readonly seconds: number;
  /** Schedules that may fail before the run ends. */
  readonly most: number;
  readonly isShrunk: boolean;
}

async function run({ seed: first, step, seconds, most, isShrunk }: Run): Promise<void> {
  const cover = createCover();
  const began = cpuSeconds();
  let [schedules, requests, events, failed] = [0, 0, 0, 0];
  for (let seed = first; cpuSeconds() < began + seconds && failed < most; seed += step) {
    const schedule = drawSchedule(seed);
    const result = await runSchedule(world, schedule);
    cover.add(schedule);
    schedules++;
    requests += result.requests;
    events += result.events;
    if (result.failures.length === 0) continue;
    failed++;
    hasFailed = true;
    const cpuMs = Math.round((cpuSeconds() - began) * 1000);
    const smallest = isShrunk ? await shrink(schedule, fails) : schedule;
    print({ seed, failures: result.failures, schedules, cpuMs, schedule: smallest });
  }
  print({
    ...{ schedules, requests, events, failed, cover: cover.text() },
    perMinuteOfOneCore: Math.round((schedules / (cpuSeconds() - began)) * 60),
  });
}

async function replay(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const { failures, milliseconds, digest } = await runSchedule(world, scheduleOf(file));
    if (failures.length > 0) hasFailed = true;
    print({ file, failures, milliseconds: Math.round(milliseconds), digest });
  }
}

if (mode === 'replay') await replay(given);
else if (mode === 'both') {
  const [seed, seconds, ...files] = given;
  await replay(files);
  await run({ seed: Number(seed), step: 1, seconds: Number(seconds), most: 1, isShrunk: true });
} else {
  const [seed = '1', seconds = '30', most = '1', shrunk = 'shrink', step = '1'] = given;
  await run({
    ...{ seed: Number(seed), step: Number(step), seconds: Number(seconds), most: Number(most) },
    isShrunk: shrunk === 'shrink',
  });
}
process.exit(hasFailed ? 1 : 0);
