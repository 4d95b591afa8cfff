/** Mocha's global fixtures. They fix where the shared test servers will live; the first test to need one starts it. */
import process from 'node:process';
import { runFolder } from '../postgres/run-folder.js';
import { removeAbandonedServers, removeSharedServers } from '../postgres/shared-server.js';

// Some tests read the modes of files, and the server of another account reads what tests write.
process.umask(0o022);

export async function mochaGlobalSetup(): Promise<void> {
  await removeAbandonedServers();
  runFolder();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await removeSharedServers();
}
