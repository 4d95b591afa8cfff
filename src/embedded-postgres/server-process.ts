import { spawn, type ChildProcess } from 'node:child_process';
import type { Account } from './account.js';

export interface ServerProcess {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly account: Account;
  readonly dataDirectory: string;
  /** Descriptors 1, 2 and 3 of the process; `pipe` or an open descriptor of ours. */
  readonly output: 'pipe' | number;
  readonly extra?: number;
  /** In a session of its own, so that Ctrl-C on a terminal reaches us alone and the server outlives our drain. */
  readonly detached: boolean;
}

/**
 * The name by which a server process knows its data folder. Its working directory is set before it steps down from
 * root, so it may live below folders closed to it (root's home); by their path it could not reach it. Linux offers
 * the working directory as a path, which passes by the folders above.
 */
export function ownName(dataDirectory: string, account: Account): string {
  return account !== null && process.platform === 'linux' ? '/proc/self/cwd' : dataDirectory;
}

/** Starts a PostgreSQL program in its data folder with next to nothing of our environment: no secret is passed on. */
export function spawnInData(process_: ServerProcess): ChildProcess {
  return spawn(process_.command, process_.arguments, {
    ...process_.account,
    cwd: process_.dataDirectory,
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    detached: process_.detached,
    stdio: ['ignore', process_.output, process_.output, process_.extra ?? 'ignore'],
  });
}
