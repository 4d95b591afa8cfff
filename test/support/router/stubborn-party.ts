/** A party that continues after failures: it repeats a send until it has a response, and reads again from its last acknowledgement. */
import { status, type ServiceError } from '@grpc/grpc-js';
import { randomUUID } from 'node:crypto';
import type { RouterClient } from '../../../examples/parties/router-client.js';
import type { Delivery } from '../../../generated/proto/router/v1/router_pb.js';
import type { TestParty } from '../signing/signing-fixture.js';
import { envelope } from './router-host.js';

/** Statuses after which a call is made again with the same content. */
const AGAIN: ReadonlySet<status> = new Set([status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED]);

const codeOf = (error: unknown): status | null => (error as Partial<ServiceError>).code ?? null;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

export type SignedEnvelope = ReturnType<typeof envelope>;

export interface Sent {
  readonly duplicate: boolean;
  /** How often the call failed before. */
  readonly failures: number;
}

/** @throws the error of a call that the router refused for good */
export async function sendUntilAnswered(client: RouterClient, message: SignedEnvelope): Promise<Sent> {
  for (let failures = 0; ; failures += 1) {
    try {
      const options = { deadline: Date.now() + 5000 };
      const { results } = await client.sendMessages({ envelopes: [message] }, options);
      return { duplicate: results[0]?.duplicate === true, failures };
    } catch (error) {
      const code = codeOf(error);
      if (code === null || !AGAIN.has(code)) throw error;
      await pause();
    }
  }
}

export interface StubbornReader {
  /** The first of each position, in the order in which they came. */
  readonly deliveries: readonly Delivery[];
  /** How many came again. */
  readonly repeated: number;
  /** Waits until positions up to this one have come. @throws what ended the reading */
  upTo(sequence: number): Promise<void>;
  /** Ends the reading, as if its process was gone. */
  stop(): Promise<void>;
}

export interface ReadingOptions {
  /** Acknowledges when so many have come since the last time; the others are as good as lost acknowledgements. */
  readonly ackEvery: number;
  /** The reader before its restart, with the messages that it had read. */
  readonly before?: StubbornReader;
}

/**
 * Reads a mailbox until it is stopped, again from the last acknowledgement when its stream breaks.
 * A delivery that leaves a gap, or comes again with other content, is an error.
 */
export function readStubbornly(
  client: RouterClient,
  sessionId: string,
  { ackEvery, before }: ReadingOptions,
): StubbornReader {
  const deliveries: Delivery[] = [...(before?.deliveries ?? [])];
  let repeated = before?.repeated ?? 0;
  let failure: Error | null = null;
  let gone = new AbortController();
  let stopped = false;
  let wake = (): void => undefined;

  function take(delivery: Delivery): void {
    const known = deliveries[Number(delivery.sequence) - 1];
    if (known === undefined) {
      if (delivery.sequence !== BigInt(deliveries.length + 1))
        throw new Error(`position ${String(delivery.sequence)} after ${String(deliveries.length)}`);
      deliveries.push(delivery);
      return;
    }
    repeated += 1;
    if (known.envelope?.messageId !== delivery.envelope?.messageId)
      throw new Error(`another message at position ${String(delivery.sequence)}`);
    if (delivery.redeliveryCount === 0) throw new Error('delivered again without saying so');
  }

  async function readOnce(): Promise<void> {
    gone = new AbortController();
    const request = { sessionId, instanceId: randomUUID() };
    for await (const item of client.subscribeMessages(request, { signal: gone.signal })) {
      for (const delivery of item.deliveries) {
        take(delivery);
        if (Number(delivery.sequence) % ackEvery === 0)
          await client.ackMessages({ sessionId, upToSequence: delivery.sequence });
      }
      wake();
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      try {
        await readOnce();
      } catch (error) {
        const code = codeOf(error);
        if (code === null || !AGAIN.has(code)) {
          failure = error as Error;
          break;
        }
      }
      await pause();
    }
    wake();
  }

  const running = run();
  return {
    deliveries,
    get repeated() {
      return repeated;
    },
    async upTo(sequence) {
      while (deliveries.length < sequence) {
        if (failure !== null) throw failure;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    async stop() {
      stopped = true;
      gone.abort();
      await running;
    },
  };
}

export const broadcast = (sender: TestParty, sessionId: string, senderSequence: number, payload: Buffer) =>
  envelope(sender, sessionId, { senderSequence, payload, round: senderSequence });
