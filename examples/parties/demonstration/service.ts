/** The built service on an embedded PostgreSQL, with everything in one folder. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { packageRoot } from '../../../src/base/package.js';
import type { Authority } from '../certificates.js';
import type { Processes } from './processes.js';

export interface ServiceAddresses {
  readonly url: string;
  /** `host:port`, under the name that its certificate is for. */
  readonly router: string;
}

const SERVING = /serves on (\S+), admin on ([^\s"]+)/;
const ROUTER = /the router of signing parties serves on port (\d+)/;
const ROUTER_NAME = 'localhost';
const POLL_MS = 50;
const READY_MS = 60_000;

export interface ServiceOptions {
  readonly folder: string;
  /** Issues the router's certificate, and knows the parties'. */
  readonly authority: Authority;
  readonly jwtSecret: string;
}

/** On free ports; returns when it is ready. */
export async function startService(
  processes: Processes,
  { folder, authority, jwtSecret }: ServiceOptions,
): Promise<ServiceAddresses> {
  const certified = authority.issue(ROUTER_NAME);
  const paths = {
    DBR_ROUTER_TLS_CERT: join(folder, 'router.pem'),
    DBR_ROUTER_TLS_KEY: join(folder, 'router.key'),
    DBR_ROUTER_TLS_CA: join(folder, 'authority.pem'),
  };
  await writeFile(paths.DBR_ROUTER_TLS_CERT, certified.certificate);
  await writeFile(paths.DBR_ROUTER_TLS_KEY, certified.key, { mode: 0o600 });
  await writeFile(paths.DBR_ROUTER_TLS_CA, authority.certificate);
  const output = await processes.start('dbr', {
    args: [join(packageRoot(), 'dist', 'src', 'main.js'), 'serve'],
    environment: {
      ...paths,
      JWT_SECRET: jwtSecret,
      DBR_DATA_DIRECTORY: join(folder, 'service'),
      DBR_AREAS: 'notifications,signing',
      DBR_SERVER_HOST: '127.0.0.1',
      DBR_SERVER_PORT: '0',
      DBR_ADMIN_SERVER_PORT: '0',
      DBR_ROUTER_PORT: '0',
    },
    readyWhen: [SERVING, ROUTER],
  });
  const [, url = '', adminUrl = ''] = SERVING.exec(output) ?? [];
  const [, port = ''] = ROUTER.exec(output) ?? [];
  const signal = AbortSignal.timeout(READY_MS);
  while (!(await fetch(`${adminUrl}/ready`, { signal })).ok) await delay(POLL_MS);
  return { url, router: `${ROUTER_NAME}:${port}` };
}
