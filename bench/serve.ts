/** The built service as a process of its own, with the data API alone, for measurements from outside. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageRoot } from '../src/base/package.js';

export interface Serving {
  readonly url: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the service for a database, on a free port.
 * @param settings further variables of its environment
 * @throws what it has printed, if it ends before it serves
 */
export async function serve(uri: string, settings: Readonly<Record<string, string>> = {}): Promise<Serving> {
  const child = spawn(process.execPath, [join(packageRoot(), 'dist', 'src', 'main.js'), 'serve'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      DBR_DB_URI: uri,
      DBR_AREAS: 'data-api',
      DBR_DB_ANON_ROLE: 'postgres',
      DBR_LOG_LEVEL: 'error',
      DBR_SERVER_HOST: '127.0.0.1',
      DBR_SERVER_PORT: '0',
      DBR_ADMIN_SERVER_PORT: '0',
      DBR_ROUTER_PORT: '0',
      ...settings,
    },
  });
  const closed = once(child, 'close');
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const found = /serves on (\S+),/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', () => reject(new Error(output)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await closed;
    },
  };
}
