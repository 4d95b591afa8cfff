/** The gRPC port: router.v1 with health and, outside production, reflection. */
import { setMaxListeners } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Server, type ServerCredentials } from '@grpc/grpc-js';
import { loadFileDescriptorSetFromBuffer } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';
import { RouterService } from '../../generated/proto/router/v1/router_pb.js';
import { createRateLimiter } from '../http/rate-limit.js';
import type { Logger } from '../observability/log.js';
import { packageRoot } from '../package-root.js';
import type { MailboxStore } from '../signing/mailbox/mailbox-store.js';
import type { SessionEnds } from '../signing/mailbox/session-ends.js';
import type { PartyRegistry, SigningSessions } from '../signing/ports.js';
import { openCredentials, type CredentialSettings } from './credentials.js';
import { createHandlers } from './handlers.js';
import { createIdentify } from './identity.js';
import { BURST_SECONDS, DEFAULT_DEADLINE_MS, MAX_DEADLINE_MS, MAX_REQUEST_BYTES } from './limits.js';
import { statusOf } from './refusal.js';
import { addTypedService } from './typed-service.js';

export interface RouterSettings extends CredentialSettings {
  readonly 'router-host': string;
  readonly 'router-port': number;
  /** Calls of one party a second; 0 sets no limit. */
  readonly 'router-call-limit': number;
}

export interface RouterParts {
  readonly sessions: SigningSessions;
  readonly parties: PartyRegistry;
  readonly mailboxes: MailboxStore;
  readonly ends: SessionEnds;
  readonly settings: RouterSettings;
  readonly log: Logger;
  readonly production: boolean;
}

export interface Router {
  readonly port: number;
  /** Says so in health and heartbeats, ends the streams, lets calls in flight finish. @param graceMs in milliseconds */
  stop(graceMs: number): Promise<void>;
}

/** HTTP/2 pings (https://grpc.io/docs/guides/keepalive/), and how long a connection lives before its client moves on. */
const CHANNEL_OPTIONS = {
  'grpc.keepalive_time_ms': 20_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.max_connection_age_ms': 3_600_000,
  'grpc.max_connection_age_grace_ms': 30_000,
  'grpc.max_concurrent_streams': 1000,
  'grpc.max_receive_message_length': MAX_REQUEST_BYTES,
};

/**
 * Where neither certificates nor development tokens are set up, nobody is known, and every call is UNAUTHENTICATED.
 * @throws when the settings contradict each other, a file cannot be read or the port is taken
 */
export async function openRouter(parts: RouterParts): Promise<Router> {
  const { settings, log, production, parties } = parts;
  const credentials = await openCredentials(settings, production);
  const server = new Server(CHANNEL_OPTIONS);
  const stopping = new AbortController();
  // Every open stream listens; the runtime would take more than ten for a leak.
  setMaxListeners(0, stopping.signal);
  const callLimit = settings['router-call-limit'];
  const limit = callLimit === 0 ? null : { requests: callLimit * BURST_SECONDS, seconds: BURST_SECONDS };
  const handlers = createHandlers({
    ...parts,
    identify: createIdentify(parties, settings['router-dev-tokens']),
    limiter: createRateLimiter(limit, () => performance.now()),
    stopping: stopping.signal,
  });
  addTypedService(server, RouterService, handlers, {
    defaultDeadlineMs: DEFAULT_DEADLINE_MS,
    maxDeadlineMs: MAX_DEADLINE_MS,
    statusOf: (error, method) => statusOf(error, method, log),
  });
  const health = new HealthImplementation({ '': 'SERVING', [RouterService.typeName]: 'SERVING' });
  health.addToServer(server);
  if (!production) await addReflection(server);
  const port = await bind(server, settings, credentials);
  return {
    port,
    async stop(graceMs) {
      for (const service of ['', RouterService.typeName]) health.setStatus(service, 'NOT_SERVING');
      stopping.abort();
      await shutDown(server, graceMs);
    },
  };
}

/** The address of the router cannot be had. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
}

async function addReflection(server: Server): Promise<void> {
  const image = await readFile(join(packageRoot(), 'generated', 'router.binpb'));
  new ReflectionService(loadFileDescriptorSetFromBuffer(image)).addToServer(server);
}

function bind(server: Server, settings: RouterSettings, credentials: ServerCredentials): Promise<number> {
  const host = hostOf(settings['router-host']);
  const address = `${host}:${String(settings['router-port'])}`;
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => {
      if (error === null) resolve(port);
      else reject(new PortTaken(`the router cannot listen on ${address}: ${error.message}`));
    });
  });
}

/** The names that the other ports know for any address, and IPv6 addresses in brackets. */
function hostOf(host: string): string {
  if (host === '!4') return '0.0.0.0';
  if (host === '!6' || host === '*') return '[::]';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

function shutDown(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.forceShutdown(), graceMs);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
