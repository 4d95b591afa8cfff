/** A server for each recorded configuration, all on one database, each on a port of its own. */
import { readFile } from 'node:fs/promises';
import { createAuthenticator } from '../../src/auth/identity.js';
import { openDataApi } from '../../src/data-api/data-api.js';
import { loadSchemaCache } from '../../src/data-api/schema-cache/load.js';
import { createApplication } from '../../src/http/application.js';
import { corsPolicy } from '../../src/http/cors.js';
import { listen } from '../../src/http/listen.js';
import { createRouter } from '../../src/http/router.js';
import { createLogger } from '../../src/observability/log.js';
import { createMetrics } from '../../src/observability/metrics.js';
import { closeDatabase, openDatabase } from '../../src/postgres/database.js';
import { openLanes } from '../../src/postgres/lanes.js';
import { loadSettings } from '../../src/settings/load.js';
import { environmentName, type Settings } from '../../src/settings/settings.js';

export interface RunningServer {
  readonly url: string;
  stop(): Promise<void>;
}

type Configs = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Starts one server for each configuration of `configs.json`; by name. */
export async function startConfiguredServers(uri: string): Promise<ReadonlyMap<string, RunningServer>> {
  const configs = JSON.parse(await readFile(new URL('configs.json', import.meta.url), 'utf8')) as Configs;
  const servers = new Map<string, RunningServer>();
  for (const [name, config] of Object.entries(configs)) servers.set(name, await startServer(uri, config));
  return servers;
}

/** Starts the data API with these settings, spelled as in a configuration. */
export async function startServer(
  uri: string,
  config: Readonly<Record<string, string>>,
): Promise<RunningServer> {
  const environment = Object.fromEntries(
    Object.entries(config).map(([name, value]) => [environmentName(name), value]),
  );
  return serve(uri, loadSettings({ environment }));
}

async function serve(uri: string, settings: Settings): Promise<RunningServer> {
  const database = openDatabase(uri, { poolSize: 1 });
  const lanes = openLanes(database, {
    size: 2,
    depth: 8,
    prepared: true,
    acquisitionTimeoutMs: 10_000,
    maxLifetimeMs: 3_600_000,
    maxIdleMs: 1_000,
    queueLimit: 1_000,
  });
  const cache = await loadSchemaCache(database, {
    generation: 1,
    schemas: settings['db-schemas'],
    extraSearchPath: settings['db-extra-search-path'],
    hoistedSettings: settings['db-hoisted-tx-settings'],
    roleSettings: settings['db-config'],
    previous: null,
  });
  const api = openDataApi({
    lanes,
    cache: () => cache,
    settings: () => settings,
    retryAfterSeconds: () => 1,
  });
  const authenticator = createAuthenticator(settings);
  const application = createApplication({
    log: createLogger({ level: 'crit', format: 'json' }),
    metrics: createMetrics(),
    cors: corsPolicy(settings['server-cors-allowed-origins']),
    dataApi: { api, authenticator: () => authenticator },
    routes: createRouter(null),
    maxBodySize: settings['server-max-body-size'],
    serverHeader: 'dbr/test',
    live: () => settings,
  });
  const handle = application.callback();
  const listening = await listen((request, response) => void handle(request, response), {
    host: '127.0.0.1',
    port: 0,
  });
  return {
    url: `http://127.0.0.1:${listening.port}`,
    async stop() {
      await listening.stop(0);
      await lanes.close();
      await closeDatabase(database);
    },
  };
}
