/** The gRPC port: router.v1 with health and, outside production, reflection. */
import { Departure } from '../base/gone.js';
import type { FixedSettings } from '../settings/settings.js';
import {
  logVerbosity,
  Server,
  ServerCredentials,
  setLogVerbosity,
  status,
  type ServerDuplexStream,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { RouterService } from '../../generated/proto/router/v1/router_pb.js';
import type { Limits } from '../operations/limits.js';
import type { MailboxStore } from '../mailbox/mailbox-store.js';
import type { RouterPorts } from '../signing/router-port.js';
import { createAdmission, createIdentities } from './identity.js';
import { checkDevTokens, readCredentials, type CredentialSettings, openPort } from './port.js';
import { createHandlers } from './handlers.js';
import { watchSessions } from './http2-sessions.js';
import { BURST_SECONDS, MAX_CONCURRENT_STREAMS, MAX_REQUEST_BYTES } from './limits.js';
import { statusOf } from './refusal.js';
import { createTypedService } from './typed-service.js';
import { type Observe, workFailed } from '../observability/observation.js';
import type { Traces } from '../observability/tracer.js';
import { HealthImplementation } from 'grpc-health-check';
import { repeat } from '../observability/repeat.js';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../base/package.js';

export type RouterSettings = CredentialSettings &
  Pick<
    FixedSettings,
    | 'router-host'
    | 'router-port'
    | 'router-call-limit'
    | 'router-max-connections'
    | 'router-max-connections-per-address'
  >;

export interface RouterParts extends RouterPorts {
  readonly mailboxes: MailboxStore;
  /** Counts the calls and the open streams of each party. */
  readonly limits: Limits;
  /** Whether the database can be reached and accepts writes; polled for the health of the service. */
  readonly isReady: () => Promise<boolean>;
  readonly settings: RouterSettings;
  readonly production: boolean;
  /** Called at the end of each call. */
  readonly observe: Observe;
  /** Null while traces are switched off. */
  readonly traces: Traces | null;
}

export interface Router {
  readonly port: number;
  readonly openStreams: number;
  /**
   * Reads the certificate files again, for new connections. If they cannot be used, the error is logged and the earlier
   * certificates stay in force.
   */
  reloadCredentials(): Promise<void>;
  /** Reports the coming stop in health; calls are still accepted. */
  drain(): void;
  /**
   * Reports the stop in health and heartbeats, ends the streams, and waits for calls in flight. @param graceMs in
   * milliseconds
   */
  stop(graceMs: number): Promise<void>;
}

/** HTTP/2 pings (https://grpc.io/docs/guides/keepalive/), and the maximum age of a connection. */
const CHANNEL_OPTIONS = {
  'grpc.keepalive_time_ms': 20_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.max_connection_age_ms': 3_600_000,
  'grpc.max_connection_age_grace_ms': 30_000,
  'grpc.max_concurrent_streams': MAX_CONCURRENT_STREAMS,
  'grpc.max_receive_message_length': MAX_REQUEST_BYTES,
  // Channelz statistics, which nothing reads.
  'grpc.enable_channelz': 0,
};

/**
 * If neither certificates nor development tokens are configured, every call is UNAUTHENTICATED.
 * @throws when the settings contradict each other, a file cannot be read or the port is taken
 */
export async function openRouter(parts: RouterParts): Promise<Router> {
  const { settings, observe, production, parties, limits } = parts;
  // Stops the library from writing to standard error; its errors are reported as exceptions and statuses.
  setLogVerbosity(logVerbosity.NONE);
  checkDevTokens(settings, production);
  const credentials = await readCredentials(settings);
  const stopping = new Departure();
  const callLimit = settings['router-call-limit'];
  const limit = callLimit === 0 ? null : { requests: callLimit * BURST_SECONDS, seconds: BURST_SECONDS };
  const identities = createIdentities(parties, settings['router-dev-tokens']);
  const service = createTypedService({
    admit: createAdmission(identities.identify, limits.rate('router-call', limit), observe),
    validUntil: identities.validUntil,
    observe,
    traces: parts.traces,
    statusOf: (error, method) => statusOf(error, method, observe),
  });
  const server = new Server({ ...CHANNEL_OPTIONS, interceptors: [service.interceptor] });
  service.addTo(server, createHandlers({ ...parts, stopping }));
  const health = serveHealth(server, RouterService.typeName, parts.isReady, observe);
  if (!production) serveReflection(server);
  // The port terminates TLS, so the server receives decrypted connections.
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const sessions = watchSessions(server);
  const port = await openPort({
    host: settings['router-host'],
    port: settings['router-port'],
    credentials,
    limits: {
      total: settings['router-max-connections'],
      perAddress: settings['router-max-connections-per-address'],
    },
    observe,
    onConnection: (socket) => injector.injectConnection(socket),
  }).catch(async (error: unknown) => {
    await health.close();
    throw error;
  });
  return {
    port: port.port,
    get openStreams() {
      return service.openStreams;
    },
    async reloadCredentials() {
      try {
        const renewed = await readCredentials(settings);
        if (renewed !== null) port.renew(renewed);
      } catch (error) {
        observe({ kind: 'router-credentials-refused', error });
      }
    },
    drain: () => health.drain(),
    async stop(graceMs) {
      await health.close();
      port.close();
      stopping.abort();
      const stopped = shutDown(server, () => sessions.destroy(), graceMs);
      // After GOAWAY, so that a client that repeats its call uses another connection.
      service.endOthers();
      await stopped;
    },
  };
}

function shutDown(server: Server, destroy: () => void, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      destroy();
      server.forceShutdown();
    }, graceMs);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

// Health of the router (grpc.health.v1): serving while the database can be written to, until the router stops.

interface Health {
  /** Reports NOT_SERVING from now on; calls are still accepted. */
  drain(): void;
  /** Reports NOT_SERVING from now on. */
  close(): Promise<void>;
}

const INTERVAL_MS = 1000;

/**
 * @param service name of the service in health checks, beside the empty name of the server
 * @param isReady called every second; an error counts as false
 */
function serveHealth(
  server: Server,
  service: string,
  isReady: () => Promise<boolean>,
  observe: Observe,
): Health {
  const health = new HealthImplementation({ '': 'SERVING', [service]: 'SERVING' });
  health.addToServer(server);
  let serving = true;
  let closed = false;

  function set(ready: boolean): void {
    if (ready === serving) return;
    serving = ready;
    for (const name of ['', service]) health.setStatus(name, ready ? 'SERVING' : 'NOT_SERVING');
  }

  const watch = repeat(
    async () => {
      const ready = await isReady().catch(() => false);
      if (!closed) set(ready);
    },
    { intervalMs: INTERVAL_MS, observe, failure: workFailed('health of the router') },
  );
  function drain(): void {
    closed = true;
    set(false);
  }

  return {
    drain,
    async close() {
      drain();
      await watch.close();
    },
  };
}

const VERSIONS = ['v1', 'v1alpha'] as const;
const METHOD = 'ServerReflectionInfo';

/** The part of a stream that the library uses, with decoded messages. */
interface MessageStream {
  on(event: 'data' | 'end', listener: (message: unknown) => void): void;
  write(message: unknown): void;
  end(): void;
}

// A type rather than an interface, so that it is one of the implementations that a server accepts.
type Implementation = { readonly [METHOD]: (stream: MessageStream) => void };

/** One version of the service, as the library adds it to a server. */
interface Service {
  readonly definition: ServiceDefinition;
  readonly implementation: Implementation;
}

/**
 * Adds both versions of server reflection (https://github.com/grpc/grpc/blob/master/doc/server-reflection.md). What the library
 * needs for it takes longer to build than the rest of the router, so that it is built with the first call.
 */
function serveReflection(server: Server): void {
  let services: Promise<readonly Service[]> | null = null;
  for (const [at, version] of VERSIONS.entries()) {
    const serve = async (call: ServerDuplexStream<Buffer, Buffer>): Promise<void> => {
      services ??= buildServices().catch((error: unknown) => {
        services = null;
        throw error;
      });
      const service = (await services)[at];
      if (service === undefined) throw new Error(`the library has no reflection ${version}`);
      service.implementation[METHOD](decoded(call, service.definition));
    };
    server.register(
      `/grpc.reflection.${version}.ServerReflection/${METHOD}`,
      (call: ServerDuplexStream<Buffer, Buffer>) => {
        serve(call).catch((error: unknown) => fail(call, error));
      },
      unchanged,
      unchanged,
      'bidi',
    );
  }
}

const unchanged = (bytes: Buffer): Buffer => bytes;

async function buildServices(): Promise<readonly Service[]> {
  const [{ ReflectionService }, { loadFileDescriptorSetFromBuffer }, image] = await Promise.all([
    import('@grpc/reflection'),
    import('@grpc/proto-loader'),
    readFile(join(packageRoot(), 'generated', 'router.binpb')),
  ]);
  const services: Service[] = [];
  new ReflectionService(loadFileDescriptorSetFromBuffer(image)).addToServer({
    addService(definition: ServiceDefinition, implementation: Implementation) {
      services.push({ definition, implementation });
    },
  });
  return services;
}

/** @param call whose messages are bytes */
function decoded(call: ServerDuplexStream<Buffer, Buffer>, definition: ServiceDefinition): MessageStream {
  const method = definition[METHOD];
  if (method === undefined) throw new Error(`the library has no ${METHOD}`);
  return {
    on(event, listener) {
      call.on(event, (bytes?: Buffer) => {
        try {
          listener(bytes === undefined ? undefined : method.requestDeserialize(bytes));
        } catch (error) {
          fail(call, error);
        }
      });
    },
    write: (message) => void call.write(method.responseSerialize(message)),
    end: () => void call.end(),
  };
}

function fail(call: ServerDuplexStream<Buffer, Buffer>, error: unknown): void {
  const details = error instanceof Error ? error.message : String(error);
  call.emit('error', { code: status.INTERNAL, details });
}
