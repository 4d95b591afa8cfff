/** The composition root: settings → parts → start, stop. The only file that knows all parts. */
import { join } from 'node:path';
import { KeyError } from './auth/keys.js';
import { serviceKeys, type ServiceKeys } from './auth/service-keys.js';
import { openAdminPort } from './composition/admin-port.js';
import { loadSample, openAddresses, type Addresses } from './composition/addresses.js';
import { openDataApiPart } from './composition/data-api-part.js';
import { openPublicPort } from './composition/public-port.js';
import { withConnectionString, type StartError } from './composition/start-error.js';
import { createMetrics } from './observability/metrics.js';
import { LOCAL_LIMITS } from './operations/limits.js';
import type { Logger } from './observability/log.js';
import { createObserver } from './observability/observer.js';
import { packageRoot, version } from './package.js';
import { readConnectionString } from './postgres/connection-string.js';
import { migrate } from './postgres/migrate.js';
import { ignoredSettings, loadSettings, type Sources } from './settings/load.js';
import { liveSettings } from './settings/live-settings.js';
import type { FixedSettings, Settings } from './settings/settings.js';

export interface ServiceOptions {
  readonly sources: Sources;
  readonly settings: Settings;
  readonly log: Logger;
  /** Writes one line of progress: an address, a migration, a step that takes time. */
  readonly announce: (line: string) => void;
}

export interface Service {
  readonly url: string;
  /** Null if `admin-server-port` is not set. */
  readonly adminUrl: string | null;
  reloadSchema(): void;
  reloadSettings(): void;
  /** Resolves with the reason when the service cannot continue. The caller then stops the service. */
  readonly failed: Promise<StartError>;
  /** Stops accepting requests, waits for those in flight, then closes everything. */
  stop(): Promise<void>;
}

/** Imported when they are served: together they take longer to import than the rest of the service. */
const importServiceAreas = () => import('./composition/service-areas-part.js');
const importRouter = () => import('./composition/router-part.js');

const MIGRATIONS = 'migrations';
const ADMIN_GRACE_MS = 1000;

/** Brings the service's own tables up to date and returns the files applied. */
export async function migrateDatabase(settings: Settings): Promise<readonly string[]> {
  const names = ['migrate-db-uri', 'service-db-uri', 'db-uri'] as const;
  const name = names.find((candidate) => settings[candidate] !== null) ?? 'db-uri';
  const uri = settings[name];
  if (uri === null) throw new Error('db-uri is not set: the embedded PostgreSQL is migrated by `dbr serve`');
  withConnectionString(name, () => readConnectionString(uri));
  return (await migrate(uri, join(packageRoot(), MIGRATIONS))).applied;
}

/**
 * Starts the service. If the database cannot be reached, the service starts and waits for it.
 * @throws StartError when a setting cannot be used, for example because its port is taken; everything opened before
 * is closed again
 */
export async function startService({
  sources,
  settings: given,
  log,
  announce,
}: ServiceOptions): Promise<Service> {
  const ignored = ignoredSettings(sources);
  if (ignored !== null) announce(ignored);
  const keys = given.areas.some(isServiceArea) ? requireServiceKeys(given, announce) : null;
  const { failed, fail } = failure();
  const metrics = createMetrics(version());
  const observe = createObserver(log, metrics);
  const addresses = await openAddresses(given, observe, announce);
  const closers: (() => Promise<void>)[] = [() => addresses.stop()];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.reverse()) await close();
  };
  try {
    const effective: Sources = {
      ...sources,
      defaults: { ...addresses.defaults, ...sharedSecretDefault(given) },
    };
    const settings = loadSettings(effective);
    const live = liveSettings(settings, effective, observe);
    const fixed: FixedSettings = settings;
    const migrations = join(packageRoot(), MIGRATIONS);
    await prepareOwnDatabase(addresses, fixed, announce);
    const dataApi = settings.areas.includes('data-api')
      ? openDataApiPart({ uri: addresses.data, fixed, live, observe, metrics, announce, fail })
      : null;
    if (dataApi !== null) closers.push(() => dataApi.close());
    const areas = settings.areas.some(isServiceArea)
      ? (await importServiceAreas()).openServiceAreas({
          uri: addresses.service,
          fixed,
          live,
          migrations,
          observe,
          metrics,
          limits: LOCAL_LIMITS,
          fail,
        })
      : null;
    // The background work of the areas uses the connections, so it ends first, also if no port could be opened.
    if (areas !== null) closers.push(() => areas.close());
    // Closed last: probes and metrics report until the end.
    let stopAdmin = (): Promise<void> => Promise.resolve();
    closers.unshift(() => stopAdmin());
    const listening = await openPublicPort({ fixed, live, observe, metrics, dataApi, areas, keys });
    closers.push(() => listening.stop(settings['server-shutdown-timeout'] * 1000));
    if (areas !== null) closers.push(() => areas.endStreams());
    const signing = areas?.signing ?? null;
    const router =
      signing === null
        ? null
        : await (
            await importRouter()
          ).openRouterPart({
            uri: addresses.service,
            fixed,
            live,
            metrics,
            observe,
            limits: LOCAL_LIMITS,
            signing,
          });
    if (router !== null) closers.push(() => router.stop(settings['server-shutdown-timeout'] * 1000));
    const state = { stopping: false };
    const admin = await openAdminPort({ fixed, live, metrics, dataApi, areas, listening, state });
    if (admin !== null) stopAdmin = () => admin.stop(ADMIN_GRACE_MS);
    const adminUrl = admin?.url ?? null;
    announce(servesLine(listening.url, adminUrl));
    if (router !== null) announce(`the router of signing parties serves on port ${String(router.port)}`);
    return {
      url: listening.url,
      adminUrl,
      reloadSchema: () => dataApi?.reload(),
      reloadSettings() {
        live.reread();
        if (dataApi === null) live.replace(live.candidate(new Map()));
        else dataApi.reload();
        void router?.reloadCredentials();
      },
      failed,
      stop() {
        state.stopping = true;
        return closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

const servesLine = (url: string, adminUrl: string | null): string =>
  `dbr ${version()} serves on ${url}${adminUrl === null ? '' : `, admin on ${adminUrl}`}`;

/** `fail` keeps the first reason, because later ones follow from it. The caller of `startService` reports it. */
function failure() {
  let fail: (reason: StartError) => void = () => undefined;
  const failed = new Promise<StartError>((resolve) => (fail = resolve));
  return { failed, fail };
}

/**
 * The data API verifies with the shared secret too, unless it has a key of its own (contract, Authentication) or takes
 * the place of PostgREST, which knows no such secret.
 */
const sharedSecretDefault = (settings: Settings): Partial<Settings> =>
  settings['service-jwt-secret'] === null || settings.compatibility === 'postgrest'
    ? {}
    : { 'jwt-secret': settings['service-jwt-secret'] };

/** Notifications and signing, whose tokens the shared secret verifies. */
const isServiceArea = (area: Settings['areas'][number]): boolean => area !== 'data-api';

/** @throws StartError for a missing secret in production, and for a secret that cannot be used */
function requireServiceKeys(settings: Settings, announce: ServiceOptions['announce']): ServiceKeys {
  const keys = readServiceKeys(settings['service-jwt-secret']);
  if (keys === null)
    throw new Error(
      'JWT_SECRET must be set if NODE_ENV is production: anyone can sign tokens with the development secret',
    );
  if (keys.isDevelopmentDefault)
    announce('JWT_SECRET is not set: tokens are verified with the development secret, which is public');
  return keys;
}

function readServiceKeys(secret: string | null): ServiceKeys | null {
  try {
    return serviceKeys(secret, process.env['NODE_ENV'] === 'production');
  } catch (error) {
    if (error instanceof KeyError)
      throw new Error(`service-jwt-secret (JWT_SECRET): ${error.message}`, { cause: error });
    throw error;
  }
}

/** Only this service uses the embedded server, so the start applies the migrations and loads the sample data. */
async function prepareOwnDatabase(
  addresses: Addresses,
  settings: FixedSettings,
  announce: (line: string) => void,
): Promise<void> {
  if (!addresses.ownsDatabase) return;
  const { applied } = await migrate(addresses.migrate, join(packageRoot(), MIGRATIONS));
  for (const file of applied) announce(`applied migration ${file}`);
  if (settings['sample-database']) await loadSample(addresses.migrate, announce);
}
