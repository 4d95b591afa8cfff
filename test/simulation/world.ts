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
import { databaseScripts, MOST_BODY_BYTES, SECRET } from './database.js';
import { clock, network } from './globals.js';
import type { Schedule } from './schedule.js';
import { ATTEMPTS, RECEIVERS, TIMEOUT_MS } from './webhooks.js';

/** Where a process listens; one that takes the place of another has the same ports. */
export interface Place {
  readonly number: number;
  readonly port: number;
  readonly adminPort: number;
  readonly routerPort: number;
}

const placeAt = (number: number, port: number): Place => ({
  number,
  port,
  adminPort: port + 1,
  routerPort: port + 2,
});

export const PLACES = [placeAt(0, 3000), placeAt(1, 3010)] as const;

export type DatabasePorts = Readonly<Record<ServerName, number>>;

/**
 * Each process reaches the database by ports of its own, so that its connections can be refused alone.
 * @param process number of the process, in the order of their starts
 */
const databasePortsOf = (process: number): DatabasePorts => ({
  first: 5432 + 10 * process,
  second: 5433 + 10 * process,
});

function addressOf(user: string, ports: DatabasePorts, hasStandby: boolean): string {
  const [first, second] = Object.values(ports).map((port) => `simulation:${String(port)}`);
  const hosts = hasStandby ? `${first ?? ''},${second ?? ''}` : (first ?? '');
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
  'router-dev-tokens': 'true',
  'webhooks-allowed-networks': RECEIVERS,
  'webhooks-attempts': String(ATTEMPTS),
  'webhooks-timeout': String(TIMEOUT_MS / 1000),
  'server-host': '127.0.0.1',
  'server-max-connections': '24',
  'server-max-body-size': String(MOST_BODY_BYTES),
} as const;

export interface World {
  readonly database: PGlite;
  readonly backends: Backends;
  /** Opens the ports by which a process reaches the database. */
  openDatabasePorts(process: number): DatabasePorts;
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
  return {
    database,
    backends,
    openDatabasePorts(process) {
      const ports = databasePortsOf(process);
      for (const server of ['first', 'second'] as const)
        network.accept(ports[server], (end) => backends.accept(end, server, process));
      return ports;
    },
  };
}

/** @param lines receives the lines of the log */
export function startSimulatedService(
  {
    areas = 'data-api',
    pool = 4,
    hasStandby,
    isLive,
  }: Pick<Schedule, 'areas' | 'pool' | 'hasStandby' | 'isLive'>,
  { port, adminPort, routerPort }: Place,
  databasePorts: DatabasePorts,
  lines: string[],
): Promise<Service> {
  const settings = {
    ...SETTINGS,
    'server-port': String(port),
    'admin-server-port': String(adminPort),
    'router-port': String(routerPort),
    'db-uri': addressOf('authenticator', databasePorts, hasStandby === true),
    'service-db-uri': addressOf('dbr_service', databasePorts, hasStandby === true),
    ...(isLive === true
      ? {
          'db-live': 'true',
          'db-live-uri': addressOf('postgres', databasePorts, hasStandby === true),
          'db-live-interval': '3600',
          'db-live-max-streams': '100',
          'server-max-connections': '64',
        }
      : {}),
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
