/** The composition root: settings → parts → start, stop. The only file that knows all parts. */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AdminParts, Readiness } from './admin/admin.js';
import { openAdminPort, readReadiness, STOPPING } from './composition/admin-port.js';
import { openAddresses, type Addresses } from './composition/addresses.js';
import { createClosers, type Closers } from './composition/closers.js';
import { openDataApiPart } from './composition/data-api-part.js';
import { requireFreePorts } from './composition/free-ports.js';
import { migrationsFolder, prepareOwnDatabase } from './composition/own-tables.js';
import { openPublicPort } from './composition/public-port.js';
import type { RouterPart } from './composition/router-part.js';
import type { SigningPorts } from './composition/service-areas-part.js';
import {
  isServiceArea,
  requireServiceKeys,
  sharedSecretDefault,
  usesDevelopmentSecret,
} from './composition/shared-secret.js';
import type { StartError } from './composition/start-error.js';
import { openTokenKeys } from './composition/token-keys.js';
import type { ServiceKeys } from './auth/keys.js';
import { errorReply } from './contract/inspection.js';
import { dbrError } from './errors/dbr-error.js';
import { ignoredParameters } from './postgres/connection-string.js';
import { createBodyMemory, type BodyMemory } from './http/body-memory.js';
import { LOCAL_LIMITS, type Limits } from './operations/limits.js';
import type { ReloadableLog } from './observability/log.js';
import { dumpSettings } from './settings/dump.js';
import { ignoredSettings, loadSettings, type Sources } from './settings/load.js';
import { liveSettings, type LiveSettings } from './settings/live-settings.js';
import type { FixedSettings, Settings } from './settings/settings.js';
import { bodyMemoryShares, dividedSettings } from './workers/divided-settings.js';
import type { Service, WorkerService } from './workers/running-service.js';
import type { WorkerRole } from './workers/worker-channel.js';
import { startWorkers } from './workers/workers.js';
import { createMetrics, type Metrics } from './observability/metrics.js';
import type { Observe } from './observability/observation.js';
import { createObserver, type Shows } from './observability/observer.js';
import { createTracer, type Tracer } from './observability/tracer.js';
import { version } from './base/package.js';

export type { Service } from './workers/running-service.js';
export { developer, SAMPLE_ROLE } from './composition/developer.js';
export { eraseByCommand, migrateDatabase } from './composition/own-tables.js';
export { StartStopped } from './workers/workers.js';

export interface ServiceOptions {
  readonly sources: Sources;
  readonly settings: Settings;
  readonly log: ReloadableLog;
  /** Writes one line of progress: an address, a migration, a step that takes time. */
  readonly announce: (line: string) => void;
  /** Whether `dbr dev` serves: its console makes tokens. */
  readonly isDevelopment?: boolean;
  /** Called at the start, with the settings in force, for what is wrong with the databases. */
  readonly examine?: (addresses: Addresses, settings: Settings) => void;
  /** Shows observations of the process in another way than the log. */
  readonly shows?: Shows;
}

/** Imported when they are served: together they take longer to import than the rest of the service. */
const importServiceAreas = () => import('./composition/service-areas-part.js');
const importRouter = () => import('./composition/router-part.js');
const importConsole = () => import('../packages/console/server/console.js');

const ADMIN_GRACE_MS = 1000;

const NOTHING_SHOWN: Shows = () => false;

/**
 * Starts a service of one process. If the database cannot be reached, the service starts and waits for it.
 * @throws StartError when a setting cannot be used, for example because its port is taken; everything opened before
 * is closed again
 */
export const startService = (options: ServiceOptions): Promise<Service> =>
  startWith(options, async ({ start, effective, addresses, ...common }) => {
    const parts = await openParts({
      ...common,
      fixed: start,
      live: liveSettings(start, effective, common.observe),
      uris: addresses,
      startSecret: newStartSecret(),
      limits: LOCAL_LIMITS,
      bodyMemory: createBodyMemory(bodyMemoryShares(start, 1), null),
      isShared: false,
      beforeListening: null,
    });
    return { service: parts, admin: { ...parts.admin, metrics: () => common.metrics.render() } };
  });

/**
 * Starts a service of several worker processes; this process becomes their primary.
 * @param stopWanted resolves when the service is to stop, also during its start
 * @throws StartError as `startService`, and the reason of a worker that cannot start; StartStopped
 */
export const startPrimary = (
  options: ServiceOptions,
  count: number,
  stopWanted: Promise<null>,
): Promise<Service> =>
  startWith(options, async ({ start, effective, addresses, observe, metrics, tracer, log, closers }) => {
    // The workers read the settings again, and report what they have read and what is wrong in it.
    const live = liveSettings(start, effective, () => undefined);
    followObservability(live, { log, tracer });
    const workers = await startWorkers({
      ...{ count, settings: start, defaults: effective.defaults, addresses, observe, stopWanted },
      startSecret: newStartSecret(),
      current: () => live.inForce,
      onReread: (settings) => live.replace(settings),
      metricValues: () => metrics.values(),
    });
    closers.add(() => workers.stop());
    const stop = (): Promise<void> => closers.closeAll();
    return { service: { ...workers, stop }, admin: workers.admin };
  });

interface Common extends ProcessObservability, Pick<ServiceOptions, 'log' | 'announce'> {
  /** The settings of the start. */
  readonly start: Settings;
  readonly effective: EffectiveSources;
  readonly addresses: Addresses;
  /** Null if no area that verifies tokens with them is served. */
  readonly keys: ServiceKeys | null;
  /** Closes the parts; the caller has added what is closed after them. */
  readonly closers: Closers;
}

const ADDRESSES = ['db-uri', 'db-replica-uri', 'service-db-uri'] as const;

function observeIgnoredParameters(settings: Settings, observe: Observe): void {
  for (const setting of ADDRESSES) {
    const parameters = ignoredParameters(settings[setting] ?? '');
    if (parameters.length > 0) observe({ kind: 'parameters-ignored', setting, parameters });
  }
}

interface Opened {
  readonly service: Omit<Service, 'adminUrl'>;
  readonly admin: AdminParts;
}

/** Opens what a service has once, then what serves, then the admin port. The admin port reports until the end. */
async function startWith(
  { sources, settings, log, announce, isDevelopment = false, examine, shows = NOTHING_SHOWN }: ServiceOptions,
  open: (common: Common) => Promise<Opened>,
): Promise<Service> {
  for (const line of ignoredSettings(sources)) announce(line);
  const keys = requireServiceKeys(settings);
  const { metrics, observe, tracer } = openObservability(settings, log, shows);
  if (settings['db-uri'] === null) await requireFreePorts(settings);
  const addresses = await openAddresses(settings, observe, announce);
  const closers = createClosers();
  if (tracer !== null) closers.add(() => tracer.close());
  let stopAdmin = (): Promise<void> => Promise.resolve();
  closers.add(() => stopAdmin());
  closers.add(() => addresses.stop());
  try {
    const effective = withinReach(effectiveSources(sources, settings, addresses));
    const start = loadSettings(effective);
    if (usesDevelopmentSecret(start)) observe({ kind: 'development-secret', host: start['server-host'] });
    observeIgnoredParameters(start, observe);
    await prepareOwnDatabase(addresses, start, announce);
    examine?.(addresses, start);
    const common = { start, effective, addresses, keys, metrics, observe, tracer, log, announce, closers };
    const { service, admin } = await open(common);
    let draining = false;
    const { openConsole } = await importConsole();
    const adminPort = await openAdminPort(start, {
      ...admin,
      console: openConsole({
        settings: start,
        isDevelopment,
        admin,
        target: service.url,
        observe,
        closers,
      }),
      readiness: () => (draining ? Promise.resolve(STOPPING) : admin.readiness()),
    });
    if (adminPort !== null) stopAdmin = () => adminPort.stop(ADMIN_GRACE_MS);
    return {
      ...service,
      adminUrl: adminPort?.url ?? null,
      drain() {
        draining = true;
        service.drain();
      },
    };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

/**
 * Starts one of several workers. The primary has opened what exists once.
 * @throws StartError as `startService`
 */
export async function startWorker(
  { sources, log, announce }: Omit<ServiceOptions, 'settings'>,
  { place, settings, defaults, addresses, startSecret, limits, bodies, onReread, isReplacement }: WorkerRole,
): Promise<WorkerService> {
  const keys = requireServiceKeys(settings);
  const { metrics, observe, tracer } = openObservability(settings, log);
  const closers = createClosers();
  if (tracer !== null) closers.add(() => tracer.close());
  try {
    const live = liveSettings(settings, { ...sources, defaults }, observe, onReread);
    // The file may have changed since the primary read it. Without the data API nothing else puts it into force.
    if (isReplacement) {
      live.reread();
      live.replace(live.candidate(new Map()));
    }
    const fixed = dividedSettings(settings, place);
    const parts = await openParts({
      ...{ live, fixed, uris: addresses, keys, limits, metrics, observe, tracer, log, announce, closers },
      startSecret,
      bodyMemory: createBodyMemory(bodyMemoryShares(settings, place.count), bodies),
      isShared: true,
      beforeListening: isReplacement ? untilReady : null,
    });
    return { ...parts, metricValues: () => metrics.values() };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

const SECRET_BYTES = 32;

const newStartSecret = (): Buffer => randomBytes(SECRET_BYTES);

interface EffectiveSources extends Sources {
  readonly defaults: Partial<Settings>;
}

/** The sources of settings, with the defaults that depend on other settings. */
const effectiveSources = (sources: Sources, given: Settings, addresses: Addresses): EffectiveSources => ({
  ...sources,
  defaults: { ...sources.defaults, ...addresses.defaults, ...sharedSecretDefault(given) },
});

/** Where anyone can sign tokens, other machines reach the public port only if `server-host` is set by hand. */
const withinReach = (sources: EffectiveSources): EffectiveSources =>
  usesDevelopmentSecret(loadSettings(sources))
    ? { ...sources, defaults: { ...sources.defaults, 'server-host': '127.0.0.1' } }
    : sources;

interface ProcessContext extends Omit<Common, 'start' | 'effective' | 'addresses'> {
  readonly fixed: FixedSettings;
  readonly live: LiveSettings;
  readonly uris: Pick<Addresses, 'data' | 'service' | 'live'>;
  readonly startSecret: Buffer;
  readonly limits: Limits;
  readonly bodyMemory: BodyMemory;
  /** True if other processes share the ports. */
  readonly isShared: boolean;
  /** Awaited before the ports open; null opens them at once. */
  readonly beforeListening: ((parts: Starting) => Promise<void>) | null;
}

type ProcessParts = Omit<WorkerService, 'metricValues'>;

/** Opens the parts that serve requests, and adds their closers. */
async function openParts(context: ProcessContext): Promise<ProcessParts> {
  const { fixed, live, uris, keys, metrics, observe, tracer, closers, isShared } = context;
  const { failed, fail } = failure();
  followObservability(live, context);
  const tokenKeys = openTokenKeys(live.inForce, keys?.keys ?? [], observe);
  closers.add(() => Promise.resolve(tokenKeys.close()));
  const dataApi = fixed.areas.includes('data-api')
    ? openDataApiPart({
        ...{ uri: uris.data, liveUri: uris.live, fixed, live, tokenKeys, observe, metrics, fail },
        traces: tracer,
        announce: context.announce,
        inspect: async (database, inspection) => (await importConsole()).inspect(database, inspection),
        startSecret: context.startSecret,
        limits: context.limits,
      })
    : null;
  if (dataApi !== null) closers.add(() => dataApi.close());
  const areas = fixed.areas.some(isServiceArea)
    ? (await importServiceAreas()).openServiceAreas({
        uri: uris.service,
        migrations: migrationsFolder(),
        ...{ fixed, live, observe, metrics, limits: context.limits, fail },
      })
    : null;
  // The background work of the areas uses the connections, so it ends first, also if no port could be opened.
  if (areas !== null) closers.add(() => areas.close());
  const readiness = (): Promise<Readiness> => readReadiness(dataApi, areas);
  await context.beforeListening?.({ readiness, failed });
  if (dataApi !== null)
    await Promise.race([dataApi.attempted, failed, delay(FIRST_LOAD_MS, null, { ref: false })]);
  const listening = await openPublicPort({
    ...{ fixed, live, observe, metrics, dataApi, areas, tokenKeys, isShared },
    bodyMemory: context.bodyMemory,
    traces: tracer,
  });
  const graceMs = fixed['server-shutdown-timeout'] * 1000;
  closers.add(() => listening.stop(graceMs));
  if (areas !== null) closers.add(() => areas.endStreams());
  const signing = areas?.signing ?? null;
  const router = signing === null ? null : await openRouter(context, signing);
  if (router !== null) closers.add(() => router.stop(graceMs));
  let stopping = false;
  const retireConnections = (): void => {
    const retiringMs = 1000 * fixed['server-drain-time'] - LAST_DRAIN_MS;
    if (retiringMs > 0) listening.retireConnections(retiringMs);
  };
  return {
    url: listening.url,
    routerPort: router?.port ?? null,
    admin: {
      isReachable: () => (stopping ? Promise.resolve(true) : listening.isReachable()),
      readiness: () => (stopping ? Promise.resolve(STOPPING) : readiness()),
      settingsText: () => dumpSettings(live.inForce),
      schemaCacheText: () => dataApi?.schemaCacheText() ?? null,
      inspect: (inspection) =>
        dataApi?.inspect(inspection) ?? Promise.resolve(errorReply(dbrError('InvalidPath'))),
    },
    reloadSchema: () => dataApi?.reload(),
    reloadSettings() {
      live.reread();
      if (dataApi !== null) dataApi.reload();
      else {
        live.replace(live.candidate(new Map()));
        tokenKeys.use(tokenKeys.renewed(live.inForce, null));
      }
      void router?.reloadCredentials();
    },
    failed,
    retireConnections,
    drain() {
      retireConnections();
      router?.drain();
    },
    stop() {
      stopping = true;
      return closers.closeAll();
    },
  };
}

/**
 * The end of the time to drain, in milliseconds, in which connections are kept: closing the port resets those that are being
 * opened, and a client without a connection opens one for each request.
 */
const LAST_DRAIN_MS = 1000;

/**
 * The longest time that the ports wait for the first load of the schema, in milliseconds: a proxy sends requests as soon as it can
 * connect, and without the schema they get 503. Without a database the service serves, and says so.
 */
const FIRST_LOAD_MS = 5000;

const openRouter = async (
  { uris, fixed, live, metrics, observe, tracer, limits }: ProcessContext,
  signing: SigningPorts,
): Promise<RouterPart | null> =>
  (await importRouter()).openRouterPart({
    uri: uris.service,
    ...{ fixed, live, metrics, observe, limits, signing },
    traces: tracer,
  });

/** `fail` keeps the first reason, because later ones follow from it. The caller of the start reports it. */
function failure() {
  let fail: (reason: StartError) => void = () => undefined;
  const failed = new Promise<StartError>((resolve) => (fail = resolve));
  return { failed, fail };
}

/** A process whose ports are not open yet. */
interface Starting {
  readonly readiness: () => Promise<Readiness>;
  readonly failed: Promise<Error>;
}

/** Longest time that a replacement waits for its database and schema cache before it accepts connections. */
const READY_WAIT_MS = 10_000;
const READY_POLL_MS = 50;

/** Resolves when the areas are ready, or when it takes too long: then responses give the reason. @throws the failure */
export async function untilReady({ readiness, failed }: Starting): Promise<void> {
  const until = performance.now() + READY_WAIT_MS;
  const next = (): Promise<Error | null> =>
    Promise.race([failed, new Promise<null>((resolve) => setTimeout(resolve, READY_POLL_MS, null))]);
  while (performance.now() < until && !(await readiness()).ready) {
    const reason = await next();
    if (reason !== null) throw reason;
  }
}

interface ProcessObservability {
  readonly metrics: Metrics;
  readonly observe: Observe;
  /** Null while traces are switched off. */
  readonly tracer: Tracer | null;
}

function openObservability(
  settings: Settings,
  { log }: ReloadableLog,
  shows: Shows = NOTHING_SHOWN,
): ProcessObservability {
  const metrics = createMetrics(version());
  const tracer = createTracer(settings, version(), metrics, (reason) =>
    observe({ kind: 'traces-not-exported', reason }),
  );
  const observe = createObserver(log, metrics, { tracer, shows });
  return { metrics, observe, tracer };
}

/** Applies reloaded settings of log and traces. */
function followObservability(
  live: LiveSettings,
  { log, tracer }: { readonly log: ReloadableLog; readonly tracer: Tracer | null },
): void {
  let { 'log-level': level, 'log-format': format } = live.current;
  live.subscribe((settings) => {
    tracer?.resample(settings);
    if (settings['log-level'] === level && settings['log-format'] === format) return;
    level = settings['log-level'];
    format = settings['log-format'];
    log.reload({ level, format });
  });
}
