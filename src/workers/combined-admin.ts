/** The admin port of several workers, which shows them as one service. */
import type { AdminParts, Readiness } from '../admin/admin.js';
import { STOPPING } from '../composition/admin-port.js';
import { errorReply } from '../console/inspection-error.js';
import { dbrError } from '../errors/dbr-error.js';
import { renderSum, type MetricValues } from '../observability/metric-sum.js';
import {
  isInspectionReply,
  isMetricValues,
  isWorkerStatus,
  type Question,
  type WorkerStatus,
} from './worker-messages.js';
import { post, type Slot, type Slots } from './worker-slots.js';

/** @param ownMetrics the metrics of the primary itself */
export function combinedAdmin(slots: Slots, ownMetrics: () => Promise<MetricValues>): AdminParts {
  return {
    async isReachable() {
      return slots.stopping || (await statuses(slots)).some((status) => status?.reachable === true);
    },
    readiness: async () => (slots.stopping ? STOPPING : readinessOf(await statuses(slots))),
    async metrics() {
      await Promise.all(slots.all.map(readMetrics));
      return renderSum([await ownMetrics(), slots.endedMetrics, ...slots.all.map(({ metrics }) => metrics)]);
    },
    async settingsText() {
      for (const slot of slots.all) {
        const text = await ask(slot, { kind: 'settings' });
        if (typeof text === 'string') return text;
      }
      return '';
    },
    async schemaCacheText() {
      for (const slot of slots.all) {
        const pieces: string[] = [];
        const last = await ask(slot, { kind: 'schema-cache' }, (text) => pieces.push(text));
        if (typeof last === 'string') return [...pieces, last];
      }
      return null;
    },
    async inspect(inspection) {
      for (const slot of slots.all) {
        const reply = await ask(slot, { kind: 'inspect', inspection }, undefined, INSPECTION_REPLY_MS);
        if (isInspectionReply(reply)) return reply;
      }
      return errorReply(dbrError('ServiceUnavailable'));
    },
  };
}

/** Time for the reply of a worker, or for the next part of a long one, in milliseconds. */
const REPLY_MS = 3000;
/** The same for a question about the database. */
const INSPECTION_REPLY_MS = 30_000;
/** Beats without a response after which a worker is not asked: its reply would not come in time. */
const MOST_UNANSWERED = 3;
let nextQuestion = 0;

/**
 * Resolves with null if the worker does not serve, hangs, ends, or does not reply in time.
 * @param onPart called for each part of a long reply but the last one
 */
function ask(
  { worker, serving, unanswered, asked }: Slot,
  question: Question,
  onPart: (text: string) => void = () => undefined,
  replyMs = REPLY_MS,
): Promise<unknown> {
  if (worker === null || !serving || (unanswered ?? MOST_UNANSWERED) >= MOST_UNANSWERED)
    return Promise.resolve(null);
  const id = nextQuestion++;
  return new Promise((resolve) => {
    const done = (value: unknown): void => {
      clearTimeout(timer);
      asked.delete(id);
      resolve(value);
    };
    const part = (text: string): void => {
      timer.refresh();
      onPart(text);
    };
    const timer = setTimeout(done, replyMs, null);
    asked.set(id, { part, done });
    post(worker, { kind: 'ask', id, question });
  });
}

/** Reads the metrics of a worker. If it does not reply, its last metrics stay, so that counters never fall. */
async function readMetrics(slot: Slot): Promise<void> {
  const { worker } = slot;
  const values = await ask(slot, { kind: 'metrics' });
  if (isMetricValues(values) && slot.worker === worker) slot.metrics = values;
}

const statuses = ({ all }: Slots): Promise<readonly (WorkerStatus | null)[]> =>
  Promise.all(
    all.map(async (slot) => {
      const status = await ask(slot, { kind: 'status' });
      return isWorkerStatus(status) ? status : null;
    }),
  );

/** Ready if all workers are ready. Each part has the state of a worker that is not ready, or else of any worker. */
function readinessOf(found: readonly (WorkerStatus | null)[]): Readiness {
  const known = found.flatMap((status) => (status === null ? [] : [status]));
  const ready = known.filter((status) => status.ready);
  const notReady = known.filter((status) => !status.ready);
  const parts = [...ready, ...notReady].map((status) => status.parts);
  return {
    ready: ready.length === found.length,
    parts: {
      ...parts.reduce((before, after) => ({ ...before, ...after }), {}),
      workers: `${String(ready.length)} of ${String(found.length)} ready`,
    },
  };
}
