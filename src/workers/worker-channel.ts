/** The worker's end of the channel to the primary: its start, reloads, the stop, questions of the admin port, limits. */
import cluster from 'node:cluster';
import type { BodyLender } from '../http/body-memory.js';
import type { Limits } from '../operations/limits.js';
import type { Settings } from '../settings/settings.js';
import { createRemoteLimits, type RemoteLimits } from './remote-limits.js';
import type { WorkerService, Service } from './running-service.js';
import {
  isPrimaryMessage,
  type PrimaryMessage,
  type Question,
  type WorkerMessage,
  type WorkerStart,
  type WorkerStatus,
} from './worker-messages.js';

/** The start of a worker, with what the primary has once for all workers. */
export interface WorkerRole extends WorkerStart {
  readonly limits: Limits;
  /** The primary, which lends memory for request bodies. */
  readonly bodies: BodyLender;
  /** Reports the settings of file and environment that the worker has read again. */
  readonly onReread: (settings: Settings) => void;
}

export interface WorkerChannel {
  /** Resolves when the primary starts the worker. */
  readonly role: Promise<WorkerRole>;
  /** Resolves when the primary stops the worker. */
  readonly stopWanted: Promise<null>;
  /** Reports that the service runs; from now on the worker follows the primary. */
  serving(service: WorkerService): void;
  /** Reports why the worker ends. Resolves when the message is sent. */
  failed(message: string): Promise<void>;
  /** Reports the final metrics. Resolves when the message is sent. */
  stopped(service: WorkerService): Promise<void>;
}

/** The variable of the environment that marks a worker: other programs use node:cluster, too, and may start dbr. */
export const WORKER_MARK = 'NODE_DBR_WORKER';

/** Opens the channel of a process that a primary has forked; null in every other process. */
export function openWorkerChannel(): WorkerChannel | null {
  return cluster.isWorker && process.env[WORKER_MARK] !== undefined ? openChannel() : null;
}

interface ChannelState {
  readonly remote: RemoteLimits;
  readonly reloads: Reloads;
  service: WorkerService | null;
  /** True if the primary drains the service. */
  draining: boolean;
  readonly start: (role: WorkerRole) => void;
  readonly stop: (nothing: null) => void;
}

function openChannel(): WorkerChannel {
  let start: ChannelState['start'] = () => undefined;
  let stop: ChannelState['stop'] = () => undefined;
  const role = new Promise<WorkerRole>((resolve) => (start = resolve));
  const stopWanted = new Promise<null>((resolve) => (stop = resolve));
  const remote = createRemoteLimits((requests) => void send({ kind: 'limit', requests }));
  const state: ChannelState = {
    remote,
    reloads: createReloads(),
    service: null,
    draining: false,
    start,
    stop,
  };
  process.on('message', (message: unknown) => {
    if (isPrimaryMessage(message)) receive(state, message);
  });
  void send({ kind: 'booted' });
  return {
    role,
    stopWanted,
    serving(service) {
      state.service = service;
      state.reloads.follow(service);
      if (state.draining) service.drain();
      void send({ kind: 'serving', url: service.url, routerPort: service.routerPort });
    },
    failed: (message) => send({ kind: 'failed', message }),
    stopped: async ({ metricValues }) => send({ kind: 'stopped', metrics: await metricValues() }),
  };
}

function receive(state: ChannelState, message: PrimaryMessage): void {
  switch (message.kind) {
    case 'start':
      return state.start({
        ...message.start,
        limits: state.remote.limits,
        bodies: state.remote.bodies,
        onReread: (settings) => void send({ kind: 'reread', settings }),
      });
    case 'drain':
      state.draining = true;
      return state.service?.drain();
    case 'stop':
      return state.stop(null);
    case 'reload-schema':
      return state.reloads.request('schema');
    case 'reload-settings':
      return state.reloads.request('settings');
    case 'beat':
      return void send({ kind: 'alive' });
    case 'ask':
      if (state.service !== null) void reply(state.service, message.id, message.question);
      return;
    case 'limited':
      return state.remote.receive(message.results);
  }
}

/** Resolves when the message is written, or the primary has ended. */
const send = (message: WorkerMessage): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });

async function reply(service: WorkerService, id: number, question: Question): Promise<void> {
  const sendPart = (text: string): Promise<void> => send({ kind: 'replied-in-part', id, text });
  const value = await valueOf(service, question, sendPart).catch(() => null);
  await send({ kind: 'replied', id, value });
}

async function valueOf(
  { admin, metricValues }: WorkerService,
  question: Question,
  sendPart: (text: string) => Promise<void>,
): Promise<unknown> {
  switch (question.kind) {
    case 'status': {
      const [reachable, readiness] = await Promise.all([admin.isReachable(), admin.readiness()]);
      return { reachable, ...readiness } satisfies WorkerStatus;
    }
    case 'metrics':
      return await metricValues();
    case 'settings':
      return await admin.settingsText();
    case 'schema-cache': {
      const pieces = await admin.schemaCacheText();
      return pieces === null ? null : lastPart(pieces, sendPart);
    }
    case 'inspect':
      return await admin.inspect(question.inspection);
  }
}

/** Length of the parts of a long reply, in characters. */
const PART_LENGTH = 262_144;

/** Sends a long text in parts, between which requests are served. Returns the last part. */
async function lastPart(
  pieces: Iterable<string>,
  sendPart: (text: string) => Promise<void>,
): Promise<string> {
  let part = '';
  for (const piece of pieces) {
    part += piece;
    if (part.length < PART_LENGTH) continue;
    await sendPart(part);
    part = '';
  }
  return part;
}

// The reloads that the primary requests of a worker, also while the service of the worker starts.

type Reloadable = Pick<Service, 'reloadSchema' | 'reloadSettings'>;

interface Reloads {
  /** Reloads at once if the service runs, or else when it does. A reload of the settings includes the schema. */
  request(what: 'schema' | 'settings'): void;
  /** Starts to forward reloads to the service, and makes up for the one that was requested before. */
  follow(service: Reloadable): void;
}

export function createReloads(): Reloads {
  let service: Reloadable | null = null;
  let missed: 'schema' | 'settings' | null = null;

  function reload(running: Reloadable, what: 'schema' | 'settings'): void {
    if (what === 'schema') running.reloadSchema();
    else running.reloadSettings();
  }

  return {
    request(what) {
      if (service !== null) reload(service, what);
      else if (missed !== 'settings') missed = what;
    },
    follow(running) {
      service = running;
      if (missed !== null) reload(running, missed);
    },
  };
}
