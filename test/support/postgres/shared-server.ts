/**
 * The servers that the tests of a run share, one for each process of `mocha --parallel`: roles belong to a whole server,
 * so two files of tests that run at a time would create the same ones. A server is started by the first test of its
 * process that asks for a database, and removed by the process that began the run.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopPostmaster } from '../../../packages/embedded-postgres/src/postmaster.js';
import { isAlive } from '../../../packages/embedded-postgres/src/server-process.js';
import { openSession, withSession, type Session } from '../../../src/postgres/session.js';
import { dataFolders, runFolder } from './run-folder.js';
import { startServerIn } from './test-server.js';

/** The superuser's URI of the shared server of this process, which is started now if it does not run yet. */
export async function sharedServerUri(): Promise<string> {
  uri ??= openSharedServer();
  return await uri;
}

let uri: Promise<string> | null = null;

async function openSharedServer(): Promise<string> {
  const folder = sharedServerFolder();
  await mkdir(folder, { mode: 0o700 });
  return (await startServerIn(folder)).uri;
}

/**
 * Runs work with a session of the superuser in the database `postgres`. That of the shared server stays open: a new backend
 * costs more of the processor than most statements.
 * @param server the superuser's URI of a server of the test's own; without it the shared one
 */
export async function onServer<Result>(
  server: string | undefined,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  if (server !== undefined) return await withSession(server, work);
  kept ??= openKept();
  return await work(await kept);
}

let kept: Promise<Session> | null = null;

async function openKept(): Promise<Session> {
  const session = await openSession(await sharedServerUri());
  void session.lost.then(() => (kept = null));
  return session;
}

/** The folder of the shared server of this process, whose data folder is `data` in it. */
export const sharedServerFolder = (): string => join(runFolder(), process.env['MOCHA_WORKER_ID'] ?? 'main');

/** Stops the shared servers and removes their folder. */
export async function removeSharedServers(): Promise<void> {
  await removeRun(runFolder());
}

/** Removes the servers of runs that were killed before they could do so. */
export async function removeAbandonedServers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = /^dbr-(?:shared-)?test-(\d+)-/.exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) await removeRun(join(tmpdir(), name));
  }
}

/** A server of a test's own has its data in the folder itself, a shared one in a folder below it. */
async function removeRun(folder: string): Promise<void> {
  await Promise.all(dataFolders(folder).map((data) => stopPostmaster(data)));
  await rm(folder, { recursive: true, force: true });
}
