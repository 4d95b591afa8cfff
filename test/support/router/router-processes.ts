/** The router as users run it: processes of the built service over the sessions of a fixture, and parties that call them. */
import type { ClientOptions } from '@grpc/grpc-js';
import {
  connectRouter,
  tokenCredentials,
  type RouterClient,
} from '../../../examples/parties/router-client.js';
import { serveDbr, type Environment, type ServingProcess } from '../service/built-service.js';
import { findFreePort } from '../postgres/database.js';
import { natsMissing, startNatsServer, type NatsServer } from './nats-server.js';
import { untilReady } from '../service/service.js';
import type { TestParty } from '../signing/signing-fixture.js';
import { createRouterFixture, type RouterFixture } from './router-fixture.js';

/** Storage of the mailboxes. */
export interface MailboxKind {
  readonly name: string;
  /** The reason why it cannot be tested here; null if it can. */
  readonly missing: string | null;
  readonly bus: boolean;
}

export const MAILBOX_KINDS: readonly MailboxKind[] = [
  { name: 'PostgreSQL', missing: null, bus: false },
  { name: 'NATS JetStream', missing: natsMissing(), bus: true },
];

/** Suffix of the name of a skipped test. */
export const skipNote = ({ missing }: MailboxKind): string =>
  missing === null ? '' : `: skipped, ${missing}`;

export interface RouterProcess extends ServingProcess {
  readonly port: number;
}

export interface RouterProcesses {
  readonly fixture: RouterFixture;
  /** The URI of the store of the mailboxes: the message bus or the database. */
  readonly mailboxUri: string;
  /** Starts another process, on a free port or a given one; it is ended with the others, where it still runs. */
  start(port?: number, mailboxUri?: string, environment?: Environment): Promise<RouterProcess>;
  connect(port: number, party: TestParty, options?: ClientOptions): RouterClient;
  drop(): Promise<void>;
}

/** Clients try again at once rather than after the seconds that are right in production. */
const SOON: ClientOptions = {
  'grpc.initial_reconnect_backoff_ms': 50,
  'grpc.min_reconnect_backoff_ms': 50,
  'grpc.max_reconnect_backoff_ms': 200,
  // Channels of one party are connections of their own.
  'grpc.use_local_subchannel_pool': 1,
};

export async function createRouterProcesses({ bus }: MailboxKind): Promise<RouterProcesses> {
  const fixture = await createRouterFixture();
  const nats: NatsServer | null = bus ? await startNatsServer() : null;
  const processes: ServingProcess[] = [];
  const clients: RouterClient[] = [];
  const databaseUri = fixture.database.serviceUri;
  return {
    fixture,
    mailboxUri: nats?.uri ?? databaseUri,
    async start(port, mailboxUri = nats?.uri ?? databaseUri, environment = {}) {
      const serveAt = (at: number): Promise<ServingProcess> =>
        serveDbr({
          ...environmentOf(at),
          ...(bus ? { DBR_DB_URI: databaseUri, DBR_BUS_URI: mailboxUri } : { DBR_DB_URI: mailboxUri }),
          ...environment,
        });
      let routerPort = port ?? (await findFreePort());
      const started = await serveAt(routerPort).catch(async (error: unknown) => {
        // Another test may take a free port before the process does.
        if (port !== undefined || !String(error).includes('EADDRINUSE')) throw error;
        routerPort = await findFreePort();
        return serveAt(routerPort);
      });
      processes.push(started);
      await untilReady(started);
      return { ...started, port: routerPort };
    },
    connect(port, { identity, privateKey }, options = {}) {
      const who = tokenCredentials(identity.tenantId, identity.partyId, privateKey);
      const client = connectRouter(`127.0.0.1:${String(port)}`, who, { ...SOON, ...options });
      clients.push(client);
      return client;
    },
    async drop() {
      for (const client of clients) client.close();
      await Promise.all(processes.map((started) => started.stop()));
      await nats?.stop();
      await fixture.drop();
    },
  };
}

const environmentOf = (port: number): Environment => ({
  DBR_AREAS: 'notifications,signing',
  DBR_SERVICE_JWT_SECRET: 'a secret for tests, of at least thirty-two bytes',
  DBR_ROUTER_DEV_TOKENS: 'true',
  DBR_ROUTER_CALL_LIMIT: '0',
  DBR_ROUTER_PORT: String(port),
  DBR_LOG_LEVEL: 'warn',
  DBR_LOG_FORMAT: 'json',
});
