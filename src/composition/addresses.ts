/** The addresses of the databases: from the settings, or of an embedded PostgreSQL that is started for them. */
import { DEVELOPMENT_JWT_SECRET } from '../auth/keys.js';
import type { Observe } from '../observability/observation.js';
import type { Settings } from '../settings/settings.js';

/** Imported where there is no `db-uri`. */
const importServer = () => import('../../packages/embedded-postgres/src/embedded-postgres.js');

type StartEmbedded = Awaited<ReturnType<typeof importServer>>['startEmbedded'];
type EmbeddedServer = Awaited<ReturnType<StartEmbedded>>;

export interface Addresses {
  /** Address for the authenticator of the data API. */
  readonly data: string;
  /** Address for the service role of notifications and signing. */
  readonly service: string;
  /** Address for the owner of the service's tables. */
  readonly migrate: string;
  /** Address for live reads: a role that may replicate and extend the publication. */
  readonly live: string;
  /** Address for the superuser of the embedded server; null for every other server. */
  readonly superuser: string | null;
  /** Defaults that come with the embedded server. */
  readonly defaults: Partial<Settings>;
  /** True if the service runs the migrations at its start: the embedded database has no other operator. */
  readonly ownsDatabase: boolean;
  stop(): Promise<void>;
}

/**
 * @param announce writes a line of progress for each step that takes time
 * @param start starts the embedded server
 */
export async function openAddresses(
  settings: Settings,
  observe: Observe,
  announce: (line: string) => void,
  start: StartEmbedded = async (options) => (await importServer()).startEmbedded(options),
): Promise<Addresses> {
  const data = settings['db-uri'];
  if (data === null) {
    for (const name of ['service-db-uri', 'migrate-db-uri', 'db-replica-uri', 'db-live-uri'] as const) {
      if (settings[name] !== null)
        throw new Error(`${name} is set but db-uri is not: the embedded PostgreSQL would be used beside it`);
    }
    announce(`starting the embedded PostgreSQL in ${settings['data-directory']}`);
    return embeddedAddresses(settings, await start({ directory: settings['data-directory'], observe }));
  }
  const service = settings['service-db-uri'] ?? data;
  return {
    data,
    service,
    migrate: settings['migrate-db-uri'] ?? service,
    live: settings['db-live-uri'] ?? data,
    superuser: null,
    defaults: {},
    ownsDatabase: false,
    stop: () => Promise.resolve(),
  };
}

const embeddedAddresses = async (settings: Settings, server: EmbeddedServer): Promise<Addresses> => ({
  data: server.uri('authenticator'),
  service: server.uri('service'),
  migrate: server.uri('owner'),
  live: server.uri('owner'),
  superuser: server.uri('superuser'),
  defaults: await embeddedDefaults(settings['sample-database']),
  ownsDatabase: true,
  stop: () => server.stop(),
});

/**
 * Returns the defaults of the embedded server. With the sample database: its schemas, its anonymous role, and tokens
 * of the development secret for all areas, and settings for trying what production leaves off.
 */
export async function embeddedDefaults(sample: boolean): Promise<Partial<Settings>> {
  if (!sample) return {};
  const { SAMPLE_SCHEMAS } = await importServer();
  const exposed = { 'db-schemas': [...SAMPLE_SCHEMAS], 'db-anon-role': 'anon' } as const;
  if (process.env['NODE_ENV'] === 'production') return { ...exposed, 'jwt-secret': null };
  return { ...exposed, ...FOR_TRYING, 'jwt-secret': DEVELOPMENT_JWT_SECRET };
}

/** What may be tried on the sample data: plans, aggregates, writes that are rolled back, live reads, and agents. */
const FOR_TRYING = {
  'db-plan-enabled': true,
  'db-explain-enabled': true,
  'db-explain-roles': ['anon', 'web_user'],
  'db-aggregates-enabled': true,
  'db-tx-end': 'commit-allow-override',
  'db-live': true,
  'mcp-enabled': true,
} as const;

/** Loads the schemas of the sample database that do not exist, with a line of progress for every table. */
export async function loadSample(ownerUri: string, announce: (line: string) => void): Promise<void> {
  const { loadSampleDatabase } = await importServer();
  let table = '';
  await loadSampleDatabase(ownerUri, (progress) => {
    if (progress.table === table) return;
    table = progress.table;
    announce(`loading sample data: ${table} (${progress.loadedRows} of ${progress.totalRows} rows)`);
  });
}
