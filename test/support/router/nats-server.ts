/** A NATS server of its own for a test, from the system's packages. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../postgres/database.js';

export interface NatsServer {
  readonly uri: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** The reason why no NATS server can be started; null if `nats-server` is installed. */
export const natsMissing = (): string | null =>
  spawnSync('nats-server', ['--version']).error === undefined
    ? null
    : 'nats-server is not installed (apt-get install nats-server)';

const START_MS = 10_000;

export const startNatsServer = (): Promise<NatsServer> => startServer([]);

/** Three servers with JetStream, whose streams may have three replicas. The address has all of them. */
export async function startNatsCluster(): Promise<Pick<NatsServer, 'uri' | 'stop'>> {
  const ports = [await findFreePort(), await findFreePort(), await findFreePort()];
  const routes = ports.map((port) => `nats://127.0.0.1:${String(port)}`);
  const servers = await Promise.all(
    routes.map((route, place) =>
      startServer([
        ...['--cluster_name', 'test', '-n', `n${String(place)}`],
        ...['--cluster', route, '--routes', routes.join()],
      ]),
    ),
  );
  return {
    uri: servers.map(({ uri }) => uri).join(),
    stop: async () => void (await Promise.all(servers.map((server) => server.stop()))),
  };
}

async function startServer(more: readonly string[]): Promise<NatsServer> {
  const directory = await mkdtemp(join(tmpdir(), 'dbr-nats-'));
  const process = spawn(
    'nats-server',
    ['-a', '127.0.0.1', '-p', '-1', '-js', '-sd', directory, '--ports_file_dir', directory, ...more],
    { stdio: 'ignore' },
  );
  const stop = async (): Promise<void> => {
    if (process.exitCode === null) {
      process.kill('SIGKILL');
      await once(process, 'exit');
    }
    await rm(directory, { recursive: true, force: true });
  };
  try {
    return { uri: await address(process, directory), pid: process.pid ?? 0, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Reads the address of the server from the file in which it writes its ports. */
async function address({ pid }: ChildProcess, directory: string): Promise<string> {
  const file = join(directory, `nats-server_${String(pid)}.ports`);
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline) {
    const text = await readFile(file, 'utf8').catch(() => '');
    const uri = /nats:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
    if (uri !== undefined) return uri;
    await delay(20);
  }
  throw new Error('nats-server did not start');
}
