/** PgBouncer before a server of a test, with pooling by transaction, from the system's packages. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseAccount } from '../../../packages/embedded-postgres/src/account.js';
import { findFreePort } from './test-server.js';

export interface Pgbouncer {
  /** Returns a URI of the server with the port of the pooler. */
  through(uri: string): string;
  /** What it has logged. */
  log(): string;
  stop(): Promise<void>;
}

/** The reason why PgBouncer cannot be started; null if it is installed. */
export const pgbouncerMissing = (): string | null =>
  spawnSync('pgbouncer', ['--version']).error === undefined
    ? null
    : 'pgbouncer is not installed (apt-get install pgbouncer)';

/**
 * @param uris of the roles that log in through it; all name one server
 * @param backends most connections to the server for each pair of role and database
 */
export async function startPgbouncer(uris: readonly string[], backends: number): Promise<Pgbouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'dbr-pgbouncer-'));
  const users = uris.map((uri) => new URL(uri));
  const port = await findFreePort();
  const file = (name: string): string => join(folder, name);
  // Root starts it as another account, because it refuses to run as root.
  const account = await chooseAccount(file('none'));
  await chmod(folder, 0o755);
  await writeFile(
    file('users'),
    users.map(({ username, password }) => `"${username}" "${password}"\n`).join(''),
  );
  await writeFile(
    file('ini'),
    [
      '[databases]',
      `* = host=127.0.0.1 port=${users[0]?.port ?? ''}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${String(port)}`,
      'unix_socket_dir =',
      'pool_mode = transaction',
      `default_pool_size = ${String(backends)}`,
      'max_client_conn = 200',
      'auth_type = scram-sha-256',
      `auth_file = ${file('users')}`,
      '',
    ].join('\n'),
  );
  const child = spawn('pgbouncer', [file('ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(account ?? {}),
  });
  let log = '';
  const listening = new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString('utf8');
      if (log.includes('process up')) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`pgbouncer ended: ${log}`)));
  });
  await listening;
  return {
    through(uri) {
      const through = new URL(uri);
      through.port = String(port);
      return through.href;
    },
    log: () => log,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
