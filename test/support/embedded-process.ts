/** A process that runs the embedded server as the service does: `node --import tsx embedded-process.ts FOLDER`. */
import { pino } from 'pino';
import { startEmbedded } from '../../src/postgres/embedded/start-embedded.js';

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

const [directory = '.dbr'] = process.argv.slice(2);
try {
  const server = await startEmbedded({ directory, log: pino({ enabled: false }) });
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
