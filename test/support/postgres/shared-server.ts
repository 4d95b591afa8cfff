/**
 * The servers that the tests of a run share, one for each process of `mocha --parallel`: roles belong to a whole server,
 * so two files of tests that run at a time would create the same ones. A server is started by the first test of its
 * process that asks for a database, and removed by the process that began the run.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopPostmaster } from '../../../src/embedded-postgres/postmaster.js';
import { isAlive } from '../../../src/embedded-postgres/server-process.js';
import { startServerIn } from './test-server.js';

/** Environment variable with the folder of the shared servers, for the processes of one run. */
const FOLDER_VARIABLE = 'TEST_SERVER_FOLDER';
const PREFIX = 'dbr-shared-test-';

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

/** Chosen once a run; worker processes inherit it. The process that chose it cleans up, at the latest when it exits. */
export function sharedFolder(): string {
  const inherited = process.env[FOLDER_VARIABLE];
  if (inherited !== undefined) return inherited;
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${String(process.pid)}-`));
  process.env[FOLDER_VARIABLE] = folder;
  process.once('exit', () => {
    endAtOnce(folder);
  });
  return folder;
}

/** The folder of the shared server of this process, whose data folder is `data` in it. */
export const sharedServerFolder = (): string =>
  join(sharedFolder(), process.env['MOCHA_WORKER_ID'] ?? 'main');

/** Stops the shared servers and removes their folder. */
export async function removeSharedServers(): Promise<void> {
  await removeRun(sharedFolder());
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

/** Cleans up synchronously after a run that ends without its teardown (process.exit, an uncaught error). */
function endAtOnce(folder: string): void {
  for (const data of dataFolders(folder)) {
    try {
      const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGQUIT');
    } catch {
      // It was never started, or has been stopped properly.
    }
  }
  rmSync(folder, { recursive: true, force: true });
}

function dataFolders(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return [folder, ...readdirSync(folder).map((name) => join(folder, name))]
    .map((parent) => join(parent, 'data'))
    .filter((data) => existsSync(join(data, 'postmaster.pid')));
}
