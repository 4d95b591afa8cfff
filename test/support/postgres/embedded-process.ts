/**
 * A process that runs the embedded server as the service does: `node --import tsx embedded-process.ts FOLDER [UID GID]`.
 * Switches to the other account after its code is loaded, so that the account needs no access to the folder of the code.
 */
import { version } from '../../../src/base/package.js';
import { startEmbedded } from '../../../packages/embedded-postgres/src/start-embedded.js';

export interface Started {
  readonly port: number;
  readonly adopted: boolean;
  readonly ownerUri: string;
}
export interface Refused {
  readonly refused: string;
}

const report = (message: Started | Refused): void => {
  process.send?.(message);
};

const [directory = '.dbr', uid, gid] = process.argv.slice(2);
if (uid !== undefined && gid !== undefined) {
  // Read once, and from the folder of the code.
  version();
  process.chdir('/');
  process.setgroups?.([]);
  process.setgid?.(Number(gid));
  process.setuid?.(Number(uid));
}
try {
  const server = await startEmbedded({ directory, observe: () => undefined });
  process.once('message', () => {
    void server.stop().then(() => {
      process.disconnect();
    });
  });
  report({ port: server.port, adopted: server.adopted, ownerUri: server.uri('owner') });
} catch (error) {
  report({ refused: error instanceof Error ? error.message : String(error) });
  process.disconnect();
}
