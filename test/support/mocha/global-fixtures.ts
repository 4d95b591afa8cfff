/** Mocha's global fixtures. They fix where the shared test servers will live; the first test to need one starts it. */
import { runFolder } from '../postgres/run-folder.js';
import { removeAbandonedServers, removeSharedServers } from '../postgres/shared-server.js';

export async function mochaGlobalSetup(): Promise<void> {
  await removeAbandonedServers();
  runFolder();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await removeSharedServers();
}
