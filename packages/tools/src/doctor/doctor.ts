/** `dbr doctor`: checks everything that the service needs, with the settings that it would start with. */
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type Addresses,
  ANY_HOSTS,
  checkEngine,
  readShapes,
  closeDatabase,
  cureOf,
  embeddedDefaults,
  hasKeys,
  type KeyAddress,
  loadSettings,
  migrationsFolder,
  openDatabase,
  openReplicaDatabases,
  openTokenKeys,
  readAuthorities,
  requireServiceKeys,
  type Session,
  type Settings,
  type Sources,
  StartError,
  withSession,
} from '../../../../src/face.js';
import { runningPostmaster } from '../../../embedded-postgres/src/embedded-postgres.js';
import { checkConnections, checkMemory } from './capacity-checks.js';
import { fault, ok, reasonOf, warning, type Check } from './check.js';
import {
  checkFunctions,
  checkApiKeys,
  checkIdempotency,
  checkReplicas,
  checkRestored,
} from './data-api-checks.js';
import { checkLive } from './live-checks.js';
import { checkBus, checkKeySets, checkPorts, type PortToCheck } from './network-checks.js';
import {
  checkAuthenticator,
  checkMigrations,
  checkOwner,
  checkServiceRole,
  type ServiceArea,
} from './role-checks.js';
import { checkServer, type Kept, type ServerFacts } from './server-checks.js';
import { checkTransactions } from './transaction-checks.js';
import { openInspected, settingsInDatabase } from '../inspected-database.js';

/** @param readyUrl of the admin port. @throws SettingsError, and Error without a database */
export async function examine(
  sources: Sources,
  readyUrl: (settings: Settings) => string | null,
): Promise<readonly Check[]> {
  const stopped = await stoppedEmbedded(sources);
  if (stopped !== null) {
    const remedy = 'start it with dbr serve, then look again: the database was not checked';
    const reason = `the embedded PostgreSQL in ${stopped['data-directory']} does not run`;
    return [fault('data-directory', reason, remedy), ...(await otherChecks(stopped, readyUrl))];
  }
  const inspected = await openInspected(sources);
  try {
    const { addresses, settings: given } = inspected;
    // An unreachable database is a finding below.
    const settings = await settingsInDatabase(addresses.data, given).catch(() => given);
    return [
      ...(await databaseChecks(addresses, settings)),
      ...(await serverChecks(addresses.data, settings)),
      ...(await otherChecks(settings, readyUrl)),
    ];
  } finally {
    await inspected.addresses.stop();
  }
}

/** The settings of an embedded PostgreSQL that exists and does not run; otherwise null. */
async function stoppedEmbedded(sources: Sources): Promise<Settings | null> {
  const given = loadSettings(sources);
  const folder = join(given['data-directory'], 'postgres');
  if (given['db-uri'] !== null || !existsSync(folder)) return null;
  if ((await runningPostmaster(join(folder, 'data'))) !== null) return null;
  return loadSettings({ ...sources, defaults: await embeddedDefaults(given['sample-database']) });
}

/** Checks that need no database. */
const otherChecks = async (
  settings: Settings,
  readyUrl: (settings: Settings) => string | null,
): Promise<readonly Check[]> => [
  ...startChecks(settings),
  ...secretChecks(settings),
  ...(await keySetChecks(settings)),
  ...(settings['bus-uri'] === null ? [] : [await checkBus(settings['bus-uri'])]),
  ...routerChecks(settings),
  ...(await checkPorts(portsOf(settings), readyUrl(settings))),
  checkMemory(settings, Math.min(totalmem(), process.constrainedMemory() || Infinity)),
];

/** @param setting the setting of the address */
function keptBy(
  setting: string,
  { 'db-prepared-statements': prepares, 'db-channel-enabled': listens }: Settings,
): readonly Kept[] {
  if (setting === 'migrate-db-uri') return ['the lock of the migrations'];
  const kept: Kept[] = [];
  if (prepares) kept.push('prepared statements');
  // Notifications and signing listen too, and poll for what is not reported to them.
  if (setting === 'db-uri' && listens) kept.push('notifications of schema changes');
  return kept;
}

const serviceAreasOf = ({ areas }: Settings): readonly ServiceArea[] =>
  areas.flatMap((area) => (area === 'data-api' ? [] : [area]));

/** Checks of the databases: connections, roles, schemas, migrations. */
export async function databaseChecks(addresses: Addresses, settings: Settings): Promise<readonly Check[]> {
  const areas = serviceAreasOf(settings);
  const facts = new Map<string, ServerFacts>();
  const migrations = migrationsFolder();
  const look = (
    setting: string,
    uri: string,
    needsMigrations: boolean,
    more: (session: Session, role: string) => Promise<readonly Check[]>,
  ): Promise<readonly Check[]> =>
    connected(setting, uri, async (session) => {
      const server = await checkServer(session, setting, {
        needsMigrations,
        keeps: keptBy(setting, settings),
      });
      if (setting !== 'migrate-db-uri') facts.set(setting, server.facts);
      return [...server.checks, ...(await more(session, server.facts.role))];
    });
  const checks: Check[] = [];
  if (settings.areas.includes('data-api'))
    checks.push(
      ...(await look('db-uri', addresses.data, false, async (session, role) => [
        ...(await checkAuthenticator(session, role, {
          schemas: settings['db-schemas'],
          anonymousRole: settings['db-anon-role'],
        })),
        ...(await checkFunctions(session, settings)),
        ...(settings['db-idempotency'] ? [await checkIdempotency(session, role)] : []),
        ...(settings['api-keys'] ? [await checkApiKeys(session, role)] : []),
      ])),
    );
  if (areas.length > 0) {
    checks.push(
      ...(await look('service-db-uri', addresses.service, true, async (session, role) => [
        await checkMigrations(session, migrations),
        ...(await checkTransactions(session, 'service-db-uri')),
        ...(await checkServiceRole(session, role, areas)),
        ...(await checkRestored(session)),
      ])),
    );
    if (settings['migrate-db-uri'] !== null || addresses.ownsDatabase)
      checks.push(
        ...(await look('migrate-db-uri', addresses.migrate, true, (session, role) =>
          checkOwner(session, role, 'migrate-db-uri'),
        )),
      );
  }
  const workers = settings['server-workers'] === 'auto' ? availableParallelism() : settings['server-workers'];
  if (settings.areas.includes('data-api') && settings['db-live'])
    checks.push(
      ...(await connected('db-live-uri', addresses.live, (session) => checkLive(session, settings, workers))),
    );
  return [...checks, ...checkConnections(settings, workers, facts)];
}

async function connected(
  setting: string,
  uri: string,
  work: (session: Session) => Promise<readonly Check[]>,
): Promise<readonly Check[]> {
  try {
    return await withSession(uri, work);
  } catch (error) {
    return [
      fault(
        setting,
        `no connection: ${reasonOf(error)}`,
        cureOf(error) ?? `correct the address of ${setting}`,
      ),
    ];
  }
}

/** The engine behind `db-uri`, as the start checks it, and the replicas. */
async function serverChecks(uri: string, settings: Settings): Promise<readonly Check[]> {
  if (!settings.areas.includes('data-api')) return [];
  const database = openDatabase(uri, { poolSize: 1, pipelined: true });
  const checks: Check[] = [];
  try {
    await checkEngine(database, (observation) => {
      if (observation.kind === 'engine-lacks')
        checks.push(
          warning(
            'db-uri',
            `the server lacks functions: ${observation.functions.join(', ')}`,
            'requests that need them fail; use PostgreSQL for all of the data API',
          ),
        );
    }).catch((error: unknown) => {
      // Without a connection there is a fault of `db-uri` already.
      if (error instanceof Error && error.message.startsWith('the server does not'))
        checks.push(fault('db-uri', error.message, 'use PostgreSQL'));
    });
    const replicaUri = settings['db-replica-uri'];
    if (replicaUri === null) return checks;
    const replicas = openReplicaDatabases(replicaUri);
    try {
      return [...checks, ...(await checkReplicas(database, replicas))];
    } finally {
      await Promise.all(replicas.map((replica) => closeDatabase(replica.database)));
    }
  } catch (error) {
    return [...checks, startFault(error, 'db-replica-uri')];
  } finally {
    await closeDatabase(database);
  }
}

/** What the start refuses before it connects: each check is that of the start. */
function startChecks(settings: Settings): readonly Check[] {
  const ofShapes = ['db-shapes', () => readShapes(settings)] as const;
  const all: readonly (readonly [subject: string, check: () => void])[] = [
    ...(settings.areas.includes('data-api') ? [ofShapes] : []),
    ['jwt-secret', () => openTokenKeys(settings, [], () => undefined).close()],
    ['server-unix-socket', () => checkSocket(settings['server-unix-socket'])],
  ];
  return all.flatMap(([subject, check]) => {
    try {
      check();
      return [];
    } catch (error) {
      return [startFault(error, subject)];
    }
  });
}

const startFault = (error: unknown, subject: string): Check =>
  fault(error instanceof StartError ? error.setting : subject, reasonOf(error), 'correct the setting');

/** @throws StartError if no socket can be opened at the path */
function checkSocket(path: string | null): void {
  if (path === null) return;
  const refuse = (reason: string): never => {
    throw new StartError('server-unix-socket', path, reason);
  };
  try {
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
  } catch {
    refuse('its folder does not exist, or permission is denied');
  }
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isSocket()) refuse('another file has the path');
}

/** Checks of the keys of tokens. */
export function secretChecks(settings: Settings): readonly Check[] {
  const checks: Check[] = [];
  try {
    const keys = requireServiceKeys(settings);
    if (keys?.isDevelopmentDefault === true)
      checks.push(
        warning(
          'JWT_SECRET',
          'not set: the development secret is used, which is public',
          'set JWT_SECRET to 32 random bytes or more',
        ),
      );
    else if (keys !== null) checks.push(ok('JWT_SECRET', 'verifies tokens of notifications and signing'));
  } catch (error) {
    checks.push(fault('JWT_SECRET', reasonOf(error), 'set JWT_SECRET to 32 random bytes or more'));
  }
  if (settings.areas.includes('data-api') && !hasKeys(settings))
    checks.push(
      warning(
        'jwt-secret',
        'the data API has no key: every token is refused with 500 (DBR300). `dbr dev` alone takes tokens of the development secret',
        'set JWT_SECRET or service-jwt-secret, or a key of the data API: jwt-secret, jwks-uri or jwt-issuers',
      ),
    );
  return checks;
}

async function keySetChecks(settings: Settings): Promise<readonly Check[]> {
  const { 'jwks-uri': uri, 'jwt-issuers': issuers } = settings;
  const keySet = (address: string): KeyAddress => ({ kind: 'key-set', uri: address });
  const sources = [
    ...(uri === null ? [] : [{ setting: 'jwks-uri', address: keySet(uri) }]),
    ...issuers.map(({ issuer, jwksUri }) => ({
      setting: 'jwt-issuers',
      address: jwksUri === null ? ({ kind: 'issuer', issuer } as const) : keySet(jwksUri),
    })),
  ];
  if (sources.length === 0) return [];
  try {
    const ca = await readAuthorities(settings['jwks-tls-ca']);
    return await checkKeySets(sources, settings['jwks-fetch-timeout'] * 1000, ca);
  } catch (error) {
    return [fault('jwks-tls-ca', reasonOf(error), 'correct the path of the certificates')];
  }
}

const TLS_FILES = ['router-tls-cert', 'router-tls-key', 'router-tls-ca'] as const;

function routerChecks(settings: Settings): readonly Check[] {
  if (!settings.areas.includes('signing')) return [];
  const given = TLS_FILES.filter((name) => settings[name] !== null);
  const unreadable = given.flatMap((name) => {
    try {
      readFileSync(settings[name] ?? '');
      return [];
    } catch (error) {
      return [fault(name, reasonOf(error), `correct the path, or let the user of the service read the file`)];
    }
  });
  if (unreadable.length > 0) return unreadable;
  if (given.length === TLS_FILES.length)
    return [ok('router-tls-cert', 'certificate, key and authority are readable')];
  if (given.length > 0)
    return [fault('router-tls-cert', `set alone: ${given.join(', ')}`, `set all of ${TLS_FILES.join(', ')}`)];
  return settings['router-dev-tokens']
    ? [
        warning(
          'router-dev-tokens',
          'parties connect without certificates',
          'set router-tls-cert, router-tls-key and router-tls-ca for production',
        ),
      ]
    : [warning('router-tls-cert', 'not set: the router accepts no party', `set ${TLS_FILES.join(', ')}`)];
}

function portsOf(settings: Settings): readonly PortToCheck[] {
  const port = (setting: string, hostSetting: string, host: string, number: number): PortToCheck => ({
    ...{ setting, hostSetting, port: number },
    host: ANY_HOSTS.get(host) ?? host,
  });
  const admin = settings['admin-server-port'];
  return [
    ...(settings['server-unix-socket'] === null
      ? [port('server-port', 'server-host', settings['server-host'], settings['server-port'])]
      : []),
    ...(admin === null
      ? []
      : [port('admin-server-port', 'admin-server-host', settings['admin-server-host'], admin)]),
    ...(settings.areas.includes('signing')
      ? [port('router-port', 'router-host', settings['router-host'], settings['router-port'])]
      : []),
  ];
}
