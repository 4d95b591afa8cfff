/** Processor time and memory of processes, as Linux counts them (proc(5)). */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Clock ticks of /proc, in microseconds (USER_HZ is 100 on every Linux that Node runs on). */
export const TICK_US = 10_000;

interface ProcessTimes {
  readonly parent: number;
  /** User and system time, in ticks. */
  readonly ticks: number;
  /** That of its processes that have ended, in ticks. */
  readonly endedTicks: number;
}

async function timesOf(pid: number): Promise<ProcessTimes> {
  const fields = (await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => ''))
    .replace(/^.*\) /, '')
    .split(' ');
  return {
    parent: Number(fields[1]),
    ticks: Number(fields[11] ?? 0) + Number(fields[12] ?? 0),
    endedTicks: Number(fields[13] ?? 0) + Number(fields[14] ?? 0),
  };
}

export const ticksOf = async (pid: number): Promise<number> => (await timesOf(pid)).ticks;

/** Ticks of a process and of all processes that it started, such as workers, also of those that have ended. */
export async function treeTicks(pid: number): Promise<number> {
  let sum = 0;
  for (const member of await treeOf(pid)) {
    const { ticks, endedTicks } = await timesOf(member);
    sum += ticks + endedTicks;
  }
  return sum;
}

/** Resident memory of a process and of all processes that it started, in bytes. */
export async function treeBytes(pid: number): Promise<number> {
  let sum = 0;
  for (const member of await treeOf(pid)) {
    const status = await readFile(`/proc/${String(member)}/status`, 'utf8').catch(() => '');
    sum += Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  }
  return sum;
}

async function treeOf(pid: number): Promise<readonly number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc'))
    if (/^\d+$/.test(name)) parents.set(Number(name), (await timesOf(Number(name))).parent);
  const descends = (member: number): boolean => {
    for (let at: number | undefined = member; at !== undefined && at > 1; at = parents.get(at))
      if (at === pid) return true;
    return false;
  };
  return [...parents.keys()].filter(descends);
}

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
