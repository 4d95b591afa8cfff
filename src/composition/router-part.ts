/** The router with its dependencies: connections, mailboxes, and the watch for ends of sessions. */
import { readBusAddress } from '../base/bus-address.js';
import type { Observe } from '../observability/observation.js';
import type { Traces } from '../observability/tracer.js';
import { closeDatabase, openDatabase, type Database } from '../postgres/database.js';
import { openPool } from '../postgres/pool.js';
import { createProbe } from '../postgres/probe.js';
import { recognitionOf, PortTaken } from '../router/port.js';
import { openRouter, type Router } from '../router/router.js';
import type { FixedSettings } from '../settings/settings.js';
import { SETTINGS } from '../settings/table.js';
import { createMailboxStore } from '../mailbox/log-mailbox-store.js';
import { noteMailboxPlace } from '../mailbox/mailbox-place.js';
import type { MailboxStore } from '../mailbox/mailbox-store.js';
import { postgresMailboxLog } from '../mailbox/postgres-mailbox-log.js';
import type { SigningPorts } from './service-areas-part.js';
import { poolOptions } from './data-pool.js';
import type { PartContext } from './part-context.js';
import { reloadablePool } from './reloadable-pool.js';
import { listenError, StartError } from './start-error.js';
import { createClosers } from './closers.js';

export type RouterPart = Omit<Router, 'openStreams'>;

interface RouterPartOptions extends Omit<PartContext, 'fail'> {
  /** Null while traces are switched off. */
  readonly traces: Traces | null;
  readonly signing: SigningPorts;
}

/**
 * Opens the router. If several processes of one machine use the default port, only the first one serves the router.
 * @returns null if the default port is taken
 * @throws StartError, also when the bus cannot be reached
 * @throws as `openRouter`
 */
export async function openRouterPart(options: RouterPartOptions): Promise<RouterPart | null> {
  const { 'router-host': host, 'router-port': port } = options.fixed;
  try {
    return await openPart(options);
  } catch (error) {
    if (!(error instanceof PortTaken)) throw certificateError(error, options.fixed);
    if (error.code !== 'EADDRINUSE' || port !== SETTINGS['router-port'].default)
      throw listenError(error, {
        host: ['router-host', host],
        port: ['router-port', port],
        unixSocket: null,
      });
    options.observe({ kind: 'router-port-taken', host, port });
    return null;
  }
}

async function openPart({
  uri,
  fixed,
  live,
  metrics,
  observe,
  traces,
  limits,
  signing,
}: RouterPartOptions): Promise<RouterPart> {
  // Its own connection is for the readiness.
  const database = openDatabase(uri, { poolSize: 1 });
  const closers = createClosers();
  closers.add(() => closeDatabase(database));
  try {
    const mailboxes = await openMailboxes();
    closers.add(() => mailboxes.close());
    const place = await noteMailboxPlace(signing.pool, mailboxes, observe);
    closers.add(() => place.close());
    const production = process.env['NODE_ENV'] === 'production';
    const isDatabaseReady = readinessOf(database);
    const isReady = async (): Promise<boolean> => place.isAgreed && (await isDatabaseReady());
    const router = await openRouter({
      ...signing,
      mailboxes,
      isReady,
      settings: fixed,
      observe,
      traces,
      limits,
      production,
    });
    metrics.observeGauge('routerStreams', () => router.openStreams);
    if (recognitionOf(fixed) === 'nothing') observe({ kind: 'no-party-recognition' });
    return {
      port: router.port,
      reloadCredentials: () => router.reloadCredentials(),
      drain: () => router.drain(),
      async stop(graceMs) {
        await router.stop(graceMs);
        await closers.closeAll();
      },
    };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }

  function openMailboxes(): Promise<MailboxStore> {
    const bus = fixed['bus-uri'];
    if (bus !== null) return openBusMailboxes(bus, fixed, signing, observe);
    const pool = reloadablePool(live, (reloadable) =>
      openPool(database, {
        ...poolOptions(fixed, reloadable, observe),
        name: 'router',
        size: fixed['service-db-pool'],
        // Almost all batches of the router write, and each has a connection to itself.
        depth: 1,
      }),
    );
    metrics.observePool('router', () => ({ ...pool.state, max: fixed['service-db-pool'] }));
    closers.add(() => pool.close());
    return Promise.resolve(
      createMailboxStore({ ...signing, open: postgresMailboxLog(pool, signing.feed), observe }),
    );
  }
}

/** Longest time for the query of the readiness check, in milliseconds. */
const ANSWER_MS = 2000;

/**
 * Returns a check whether the database can be reached and accepts writes, which a standby does not. While a query is
 * pending, no second one is sent.
 */
function readinessOf(database: Database): () => Promise<boolean> {
  const probe = createProbe(
    async () => {
      const { ready } = await database.one<{ readonly ready: boolean }>(
        "select pg_catalog.current_setting('transaction_read_only') = 'off' as ready",
      );
      return ready;
    },
    { patienceMs: ANSWER_MS, freshMs: 0 },
  );
  return async () => (await probe.read()) ?? false;
}

async function openBusMailboxes(
  uri: string,
  fixed: Pick<FixedSettings, 'bus-max-bytes' | 'bus-replicas'>,
  signing: SigningPorts,
  observe: Observe,
): Promise<MailboxStore> {
  const { connectNatsMailboxLog } = await import('../mailbox/nats-mailbox-log.js');
  const stream = { maxBytes: fixed['bus-max-bytes'], replicas: fixed['bus-replicas'] };
  const open = await connectNatsMailboxLog(uri, stream, observe).catch((error: unknown) => {
    throw busError(uri, error);
  });
  return createMailboxStore({ ...signing, open, observe });
}

/** Returns an error that names the host only, because the value of the setting is a secret. */
function busError(uri: string, error: unknown): StartError {
  const reason = error instanceof Error ? error.message : String(error);
  const host = hostsOf(uri);
  return new StartError(
    'bus-uri',
    null,
    host === ''
      ? 'is not an address such as nats://host:4222'
      : `the bus at ${host} cannot be used: ${reason}`,
  );
}

/** Empty for what is not an address. */
function hostsOf(uri: string): string {
  try {
    return readBusAddress(uri).servers.join();
  } catch {
    return '';
  }
}

/** Beginning of OpenSSL's messages about a certificate or key that it cannot use. */
const OPENSSL = /^error:[0-9A-F]{8}:/;
const CERTIFICATES = ['router-tls-cert', 'router-tls-key', 'router-tls-ca'] as const;

/** Adds the name of the setting to the error of a file that cannot be read or used. Returns other errors unchanged. */
function certificateError(error: unknown, settings: FixedSettings): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (OPENSSL.test(error.message))
    return new StartError('router-tls-cert', settings['router-tls-cert'], error.message);
  const unread = CERTIFICATES.find((name) => 'path' in error && settings[name] === error.path);
  return unread === undefined ? error : new StartError(unread, settings[unread], error.message);
}
