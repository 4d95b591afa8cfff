import { spawn, type ChildProcess } from 'node:child_process';
import type { Account } from './account.js';

interface ServerProcess {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly account: Account;
  readonly dataDirectory: string;
  /** Descriptors 1, 2 and 3 of the process; `pipe` or an open descriptor of ours. */
  readonly output: 'pipe' | number;
  readonly extra?: number;
}

/**
 * Returns the path by which a server process refers to its data folder. Its working directory is set before it gives
 * up the account of root, so the folder may lie below folders that its account cannot enter (root's home). Linux
 * provides the working directory as a path that does not pass through these folders.
 */
export function ownName(dataDirectory: string, account: Account): string {
  return account !== null && process.platform === 'linux' ? '/proc/self/cwd' : dataDirectory;
}

/**
 * Starts a PostgreSQL program in its data folder with few variables of this process's environment, so that no secret
 * is passed on. It has a session of its own: Ctrl-C on a terminal reaches this process only, and the server runs until this
 * process has finished its requests.
 */
export function spawnInData(process_: ServerProcess): ChildProcess {
  return spawn(process_.command, process_.arguments, {
    ...process_.account,
    cwd: process_.dataDirectory,
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    detached: true,
    stdio: ['ignore', process_.output, process_.output, process_.extra ?? 'ignore'],
  });
}

/** Returns whether a process with this number exists, of any owner. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
