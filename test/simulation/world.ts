/** The service as it is composed for users, in the simulated world. */
import { PGlite } from '@electric-sql/pglite';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { openLog } from '../../src/observability/log.js';
import { startService, type Service } from '../../src/service.js';
import { loadSettings } from '../../src/settings/load.js';
import { environmentName } from '../../src/settings/settings.js';
import { openBackends, type Backends, type ServerName } from './backends.js';
import { databaseScripts, SECRET } from './database.js';
import { clock, network } from './globals.js';
import type { Schedule } from './schedule.js';

export const PORT = 3000;
export const ADMIN_PORT = 3001;
export const ROUTER_PORT = 3002;
export const DATABASE_PORTS: Readonly<Record<ServerName, number>> = { first: 5432, second: 5433 };

const HOSTS = Object.values(DATABASE_PORTS).map((port) => `simulation:${String(port)}`);

function addressOf(user: string, hasStandby: boolean): string {
  const hosts = hasStandby ? HOSTS.join(',') : HOSTS[0];
  const target = hasStandby ? '&target_session_attrs=read-write' : '';
  return `postgres://${user}@${hosts}/simulation?sslmode=disable${target}`;
}

const SETTINGS = {
  'db-schemas': 'api',
  'db-pool-acquisition-timeout': '2',
  'db-max-streams': '2',
  'db-idempotency': 'true',
  'admin-server-allowed-hosts': 'simulation',
  'jwt-secret': SECRET,
  'service-jwt-secret': SECRET,
  'notifications-count-limit': '0',
  'notifications-list-limit': '0',
  'notifications-mark-all-limit': '0',
  'signing-config-limit': '0',
  'signing-session-limit': '0',
  'signing-ready-time': '2',
  'router-port': String(ROUTER_PORT),
  'router-dev-tokens': 'true',
  'server-host': '127.0.0.1',
  'server-port': String(PORT),
  'admin-server-port': String(ADMIN_PORT),
  'server-compression': 'off',
  'server-max-connections': '24',
} as const;

export interface World {
  readonly database: PGlite;
  readonly backends: Backends;
}

/** A new database takes seconds, so that it is kept for later processes, by the digest of its scripts. */
async function openDatabase(root: string): Promise<PGlite> {
  const scripts = databaseScripts(root);
  const digest = createHash('sha256').update(scripts.join('\0')).digest('hex').slice(0, 16);
  const folder = join(root, 'dist/simulation');
  const file = join(folder, `database-${digest}.tar`);
  if (existsSync(file)) return clock.awaited(PGlite.create({ loadDataDir: new Blob([readFileSync(file)]) }));
  const database = await clock.awaited(PGlite.create());
  for (const script of scripts) await clock.awaited(database.exec(script));
  const dump = await clock.awaited(database.dumpDataDir('none'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.${String(process.pid)}`, Buffer.from(await clock.awaited(dump.arrayBuffer())));
  renameSync(`${file}.${String(process.pid)}`, file);
  return database;
}

export async function openWorld(root: string): Promise<World> {
  const database = await openDatabase(root);
  const backends = openBackends(database, clock);
  for (const server of ['first', 'second'] as const)
    network.accept(DATABASE_PORTS[server], (end) => backends.accept(end, server));
  return { database, backends };
}

/** @param lines receives the lines of the log */
export function startSimulatedService(
  { areas = 'data-api', pool = 4, hasStandby }: Pick<Schedule, 'areas' | 'pool' | 'hasStandby'>,
  lines: string[],
): Promise<Service> {
  const settings = {
    ...SETTINGS,
    'db-uri': addressOf('authenticator', hasStandby === true),
    'service-db-uri': addressOf('dbr_service', hasStandby === true),
    areas,
    'db-pool': String(pool),
  };
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString('utf8'));
      done();
    },
  });
  const sources = {
    environment: Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [environmentName(name), value]),
    ),
  };
  return startService({
    sources: { ...sources, file: undefined },
    settings: loadSettings({ ...sources, file: undefined }),
    log: openLog({ level: areas.includes('signing') ? 'debug' : 'error', format: 'json', destination }),
    announce: () => undefined,
  });
}
