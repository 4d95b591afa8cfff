/** The embedded PostgreSQL of a command that does not serve: a signal stops it, and ends the command. */
import { startEmbedded, type EmbeddedServer } from '../../embedded-postgres/src/embedded-postgres.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const INTERRUPTED = 130;

/**
 * Starts the server. The first signal stops it and ends the process, unless something else handles signals by then, as
 * `dbr dev` does when it serves.
 * @param cleanUp called when the server has stopped, or could not be started
 * @throws EmbeddedServerError
 */
export async function startForCommand(
  options: Parameters<typeof startEmbedded>[0],
  cleanUp: () => Promise<void> = () => Promise.resolve(),
): Promise<EmbeddedServer> {
  let starting: Promise<EmbeddedServer> | null = null;
  let stopping: Promise<void> | null = null;
  async function end(): Promise<void> {
    for (const name of SIGNALS) process.off(name, interrupted);
    await starting?.then(
      (server) => server.stop(),
      () => undefined,
    );
    await cleanUp();
  }
  const stop = (): Promise<void> => (stopping ??= end());
  function interrupted(name: NodeJS.Signals): void {
    if (process.listenerCount(name) === 0) void stop().finally(() => process.exit(INTERRUPTED));
  }
  for (const name of SIGNALS) process.once(name, interrupted);
  starting = startEmbedded(options);
  const server = await starting.catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { ...server, stop };
}
