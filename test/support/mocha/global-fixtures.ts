/** Mocha's global fixtures. They fix where the shared test server will live; the first test to need it starts it. */
import { removeAbandonedServers, removeSharedServer, sharedFolder } from '../postgres/shared-server.js';

export async function mochaGlobalSetup(): Promise<void> {
  await removeAbandonedServers();
  sharedFolder();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await removeSharedServer();
}
