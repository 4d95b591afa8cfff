/** The built service with the most verbose log, and everything that it and its database write. */
import { readFile } from 'node:fs/promises';
import { SignJWT } from 'jose';
import { withSession } from '../../../src/postgres/session.js';
import { createContractClient, type ContractClient } from '../contract/contract-client.js';
import { serveDbr } from '../service/built-service.js';
import { startTestServer } from '../postgres/database.js';
import { untilReady } from '../service/service.js';
import { createSigningDatabase, type SigningDatabase } from './signing-database.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';

export interface CanaryService {
  readonly url: string;
  readonly routerAddress: string;
  /** Checks every response against the document. The default token is the owner's. */
  readonly client: ContractClient;
  token(claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** The output of the service and the responses of its admin port, by name. */
  outputs(): Promise<ReadonlyMap<string, string>>;
  /** All rows of all tables as text, by the name of the table. */
  rows(): Promise<ReadonlyMap<string, string>>;
  databaseLog(): Promise<string>;
  stop(): Promise<void>;
}

/** All statements are logged. Their text has no values, and the server is configured not to log parameters. */
const LOG_EVERY_STATEMENT = [
  `alter system set log_statement = 'all'`,
  `alter system set log_min_error_statement = 'debug5'`,
  `alter system set log_error_verbosity = 'verbose'`,
  `alter system set log_parameter_max_length = 0`,
  'select pg_reload_conf()',
];

export async function startCanaryService(ownerToken: string): Promise<CanaryService> {
  const server = await startTestServer();
  await withSession(server.uri, async (session) => {
    for (const statement of LOG_EVERY_STATEMENT) await session.query(statement);
  });
  const database = await createSigningDatabase(server.uri);
  const service = await serveDbr({
    DBR_DB_URI: database.serviceUri,
    DBR_AREAS: 'data-api,notifications,signing',
    DBR_SERVICE_JWT_SECRET: SECRET,
    DBR_JWT_SECRET: SECRET,
    DBR_LOG_LEVEL: 'debug',
    DBR_LOG_FORMAT: 'json',
    DBR_ROUTER_DEV_TOKENS: 'true',
    DBR_PARTY_KEY_DELAY: '0',
    DBR_SIGNING_SESSION_LIMIT: '0',
    DBR_NOTIFICATIONS_LIST_LIMIT: '0',
    DBR_NOTIFICATIONS_MARK_ALL_LIMIT: '0',
    DBR_SERVER_TIMING_ENABLED: 'true',
  });
  await untilReady(service);
  const admin = async (path: string): Promise<string> => (await fetch(`${service.adminUrl}${path}`)).text();
  return {
    url: service.url,
    routerAddress: `127.0.0.1:${await routerPort(() => service.output())}`,
    client: createContractClient(() => service.url, ownerToken),
    token,
    async outputs() {
      return new Map([
        ['standard output and error', service.output()],
        ['/metrics', await admin('/metrics')],
        ['/config', await admin('/config')],
        ['/schema_cache', await admin('/schema_cache')],
        ['/ready', await admin('/ready')],
      ]);
    },
    rows: () => rowsOf(database),
    databaseLog: () => readFile(server.logFile, 'utf8'),
    async stop() {
      await service.stop();
      await database.drop();
      await server.remove();
    },
  };
}

export const token = (claims: Readonly<Record<string, unknown>>): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(SECRET));

async function routerPort(output: () => string): Promise<string> {
  for (;;) {
    const port = /router of signing parties serves on port (\d+)/.exec(output())?.[1];
    if (port !== undefined) return port;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name
  from pg_catalog.pg_class as c
  join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema')
  order by name`;

/** Read in one transaction by the superuser, whom row security does not concern. */
const rowsOf = ({ superuser }: SigningDatabase): Promise<ReadonlyMap<string, string>> =>
  superuser.tx(async (transaction) => {
    const tables = await transaction.any<{ readonly name: string }>(TABLES);
    const contents = new Map<string, string>();
    for (const { name } of tables) {
      const statement = `select coalesce(string_agg(t::text, E'\\n'), '') as text from ${name} as t`;
      contents.set(name, (await transaction.one<{ readonly text: string }>(statement)).text);
    }
    const activity = `select coalesce(string_agg(query, E'\\n'), '') as text from pg_catalog.pg_stat_activity`;
    contents.set('pg_stat_activity', (await transaction.one<{ readonly text: string }>(activity)).text);
    return contents;
  });
