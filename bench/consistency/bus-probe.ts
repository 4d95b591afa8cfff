/** A client of NATS without dbr, which writes to the stream of the mailboxes: what it misses, NATS has lost. */
import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { setTimeout as delay } from 'node:timers/promises';
import { MAILBOX_STREAM, PROBE_SUBJECT } from './cluster.js';
import type { Run } from './requests.js';

const TIMEOUT_MS = 5000;
const PAUSE_MS = 100;
const READ_US = 60e6;

export interface BusProbe {
  /** Writes numbers until the run is over. */
  readonly produce: () => Promise<void>;
  /** Records what the stream has of them. */
  readonly settle: () => Promise<void>;
}

export async function openBusProbe(run: Run, uri: string): Promise<BusProbe> {
  const servers = uri.replace('nats://', '').split(',');
  const connection = await connect({ servers, maxReconnectAttempts: -1, reconnectTimeWait: 250 });
  const client = jetstream(connection, { timeout: TIMEOUT_MS });
  return {
    async produce() {
      for (let number = 1; !run.isOver(); number++) {
        await delay(run.random(2 * PAUSE_MS));
        try {
          const { seq: sequence } = await client.publish(PROBE_SUBJECT, String(number));
          run.record({ kind: 'bus-write', at: run.now(), number, sequence });
        } catch {
          // Without an answer it may be there or not.
        }
      }
    },
    async settle() {
      const manager = await jetstreamManager(connection, { timeout: TIMEOUT_MS });
      run.record({ kind: 'bus-at-rest', numbers: await readNumbers(run, manager) });
      await connection.close();
    },
  };
}

async function readNumbers(run: Run, manager: JetStreamManager): Promise<readonly number[]> {
  const numbers: number[] = [];
  const giveUp = run.now() + READ_US;
  for (let next = 1; ;) {
    try {
      const query = { seq: next, next_by_subj: PROBE_SUBJECT };
      const found = await manager.streams.getMessage(MAILBOX_STREAM, query);
      if (found === null) return numbers;
      numbers.push(Number(found.string()));
      next = found.seq + 1;
    } catch (error) {
      if (run.now() > giveUp) throw error;
      await delay(PAUSE_MS);
    }
  }
}
