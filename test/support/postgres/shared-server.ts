/**
 * The one server that the tests of a run share. It is started by the first test that asks for a database, in whichever
 * process of `mocha --parallel` that is, and removed by the process that began the run.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stopPostmaster } from '../../../src/embedded-postgres/postmaster.js';
import { isAlive } from '../../../src/embedded-postgres/process-alive.js';
import { startServerIn } from './test-server.js';

/** Environment variable with the folder of the shared server, for the processes of one run. */
const FOLDER_VARIABLE = 'TEST_SERVER_FOLDER';
const PREFIX = 'dbr-shared-test-';

/** The superuser's URI of the shared server, which is started now if it does not run yet. */
export async function sharedServerUri(): Promise<string> {
  uri ??= openSharedServer();
  return await uri;
}

let uri: Promise<string> | null = null;

async function openSharedServer(): Promise<string> {
  const folder = sharedFolder();
  const claimed = await mkdir(join(folder, 'claim')).then(
    () => true,
    () => false,
  );
  if (!claimed) return await waitForUri(folder);
  const server = await startServerIn(folder);
  await writeFile(join(folder, 'uri.draft'), server.uri, { mode: 0o600 });
  await rename(join(folder, 'uri.draft'), join(folder, 'uri'));
  return server.uri;
}

async function waitForUri(folder: string): Promise<string> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const found = await readFile(join(folder, 'uri'), 'utf8').catch(() => null);
    if (found !== null) return found;
    await delay(20);
  }
  throw new Error(`the shared test server in ${folder} was claimed by another process but never came up`);
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

/** Stops the shared server and removes its folder. */
export async function removeSharedServer(): Promise<void> {
  await removeServer(sharedFolder());
}

/** Removes the servers of runs that were killed before they could do so. */
export async function removeAbandonedServers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = /^dbr-(?:shared-)?test-(\d+)-/.exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) await removeServer(join(tmpdir(), name));
  }
}

async function removeServer(folder: string): Promise<void> {
  await stopPostmaster(join(folder, 'data'));
  await rm(folder, { recursive: true, force: true });
}

/** Cleans up synchronously after a run that ends without its teardown (process.exit, an uncaught error). */
function endAtOnce(folder: string): void {
  try {
    const [pid] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGQUIT');
  } catch {
    // It was never started, or has been stopped properly.
  }
  rmSync(folder, { recursive: true, force: true });
}
