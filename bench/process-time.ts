/** Processor time as Linux counts it (proc(5)). */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Clock ticks of /proc, in microseconds (USER_HZ is 100 on every Linux that Node runs on). */
export const TICK_US = 10_000;

interface ProcessTimes {
  readonly parent: number;
  /** User and system time, in ticks. */
  readonly ticks: number;
}

async function timesOf(pid: number): Promise<ProcessTimes> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
    .replace(/^.*\) /, '')
    .split(' ');
  return { parent: Number(fields[1]), ticks: Number(fields[11] ?? 0) + Number(fields[12] ?? 0) };
}

export const ticksOf = async (pid: number): Promise<number> => (await timesOf(pid)).ticks;

/** Ticks of every backend that a role has on one server, by process. */
export async function backendTicks(
  dataDirectory: string,
  role: string,
): Promise<ReadonlyMap<number, number>> {
  const postmaster = Number.parseInt(await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8'), 10);
  const found = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (!command.startsWith(`postgres: ${role} `)) continue;
    const { parent, ticks } = await timesOf(Number(name));
    if (parent === postmaster) found.set(Number(name), ticks);
  }
  return found;
}

/** Ticks spent between two counts, also by backends that began in between. */
export function ticksBetween(
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
): number {
  let spent = 0;
  for (const [pid, ticks] of after) spent += ticks - (before.get(pid) ?? 0);
  return spent;
}
