/**
 * Delivers the messages of webhooks. Messages of one webhook for one user form a lane, which is sent one after another by the process
 * that holds its lease; lanes run beside each other. A process that ends loses no message: its lanes are due when the leases end.
 */
import { Departure, type Gone } from '../base/gone.js';
import { randomInt, randomUUID } from 'node:crypto';
import { workFailed, type Observe } from '../observability/observation.js';
import { repeat, type Repeated } from '../observability/repeat.js';
import { type Statement, bodyText, type BatchQuery, type Parameter } from '../postgres/batch.js';
import { asProducer, asSystem } from './role-sql.js';
import { first, runBatches, runWrite, type Runner } from './store.js';
import { signatureHeaders, type SecretBox } from './webhook-secrets.js';
import type { Sender } from './webhook-send.js';
import {
  CLAIM,
  END_DELAYS,
  FINISH_LANE,
  FORGET_MESSAGE,
  INTAKE,
  INTAKE_BATCH,
  MARK_OVERFLOWING,
  NEXT_MESSAGE,
  RETURN_LANE,
  SETTLE,
  TRIM_BATCH,
  TRIM_MESSAGES,
} from './webhook-sql.js';

/**
 * Most lanes that a process works on at once, and most that it claims for one tenant at a time; a tenant has less than twice as many.
 * Receivers that have not accepted their last message in time (`PROMPT_MS`) share the second part, so that they delay no others.
 */
const PARTS = [
  { isPrompt: true, lanes: 64, ofTenant: 8 },
  { isPrompt: false, lanes: 32, ofTenant: 2 },
] as const;
/** An attempt that takes longer leaves the part of prompt receivers: another lane begins there. */
const PROMPT_MS = 1000;
/** Lanes in all: prompt receivers that fall silent at the same time have some beyond the parts. */
const MOST_LANES = 512;
/** Messages of a lane that are sent, and the time it takes, before another lane has its turn. */
const MESSAGES_IN_TURN = 100;
const TURN_MS = 1000;
const INTERVAL_MS = 1000;
const TRIM_INTERVAL_MS = 10_000;
/** The lease of a lane is longer than an attempt by this. */
const LEASE_MARGIN_MS = 20_000;

const FIRST_PAUSE_MS = 2000;
const PAUSE_FACTOR = 3;
const LONGEST_PAUSE_MS = 6 * 3_600_000;

/**
 * The pause after a failed attempt in milliseconds: exponential, of which up to half is left out at random, so that messages that
 * failed together do not return together.
 * @param attempts those made, from 1
 */
export function pauseAfter(attempts: number, random: () => number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * PAUSE_FACTOR ** (attempts - 1));
  return Math.round(longest * (1 - random() / 2));
}

export interface DeliveryParts {
  readonly pool: Runner;
  /** Null if there is no key: nothing is sent. */
  readonly box: SecretBox | null;
  readonly send: Sender;
  /** The time that one attempt takes at most. */
  readonly timeoutMs: number;
  /** Attempts before a message is dead. */
  readonly attempts: number;
  /** Days that messages are kept. */
  readonly retentionDays: number;
  readonly observe: Observe;
}

export interface Delivery {
  start(): void;
  /** Seconds from the making of a message to its first attempt, of the last one that was tried for the first time. */
  readonly lagSeconds: number;
  /** Ends the requests under way: their messages are sent again. */
  close(): Promise<void>;
}

interface Lane {
  readonly webhookId: string;
  readonly tenantId: string;
  readonly userId: string;
  readonly urgent: boolean;
  readonly generation: string;
  readonly lease: string;
}

interface RunningLane extends Lane {
  /** Whether it has a place of the lanes of prompt receivers. */
  isPrompt: boolean;
}

interface Message {
  readonly seq: string;
  readonly attempts: number;
  /** Seconds since the message was made. */
  readonly age: number;
  readonly url: string;
  readonly secret: string;
  readonly previousSecret: string | null;
  /** Null if the notification is gone, or read where the webhook leaves those out. */
  readonly payload: string | null;
}

const SPREAD = 1_000_000;
const random = (): number => randomInt(SPREAD) / SPREAD;

export function createDelivery(parts: DeliveryParts): Delivery {
  const { pool, box, observe } = parts;
  const stop = new Departure();
  const running = new Map<RunningLane, Promise<void>>();
  const leaseMs = String(parts.timeoutMs + LEASE_MARGIN_MS);
  let filling: Promise<void> | null = null;
  let lagSeconds = 0;
  let work: readonly Repeated[] = [];

  const run = (who: BatchQuery, statement: Statement, parameters: readonly Parameter[]) =>
    runWrite(pool, [who], statement, parameters);
  const textOf = async (statement: Statement, parameters: readonly Parameter[]): Promise<string> =>
    bodyText(first(await run(asSystem, statement, parameters)));

  /** Starts lanes that are due until there are no more or as many run as may. One call at a time. */
  async function fill(): Promise<void> {
    for (const part of PARTS) await fillPart(part);
  }

  async function fillPart({ isPrompt, lanes, ofTenant }: (typeof PARTS)[number]): Promise<void> {
    while (!stop.aborted) {
      const all = [...running.keys()];
      const beside = all.filter((lane) => lane.isPrompt === isPrompt);
      const free = Math.min(lanes - beside.length, MOST_LANES - all.length);
      if (free <= 0) return;
      // What a tenant has in the other part counts for prompt receivers: those that fall silent take no more than their share.
      const tenants = (isPrompt ? all : beside).map(({ tenantId }) => tenantId);
      const busy = [...new Set(tenants)].filter(
        (tenant) => tenants.filter((each) => each === tenant).length >= ofTenant,
      );
      const share = [JSON.stringify(busy), String(ofTenant), String(free)];
      const row = first(await run(asSystem, CLAIM, [...share, randomUUID(), leaseMs, String(isPrompt)]));
      for (const lane of JSON.parse(bodyText(row)) as readonly Lane[]) begin({ ...lane, isPrompt });
      // Lanes in quiet hours are deferred, and others may be behind them.
      if (row.columns[0] === '0') return;
    }
  }

  function begin(lane: RunningLane): void {
    const done = drain(lane)
      // The lease ends by itself, and another process continues.
      .catch((error: unknown) => observe(workFailed('delivery of webhooks')(error)))
      .finally(() => {
        running.delete(lane);
        if (!stop.aborted) refill().catch(() => undefined);
      });
    running.set(lane, done);
  }

  function refill(): Promise<void> {
    filling ??= fill().finally(() => {
      filling = null;
    });
    return filling;
  }

  async function drain(lane: RunningLane): Promise<void> {
    const end = performance.now() + TURN_MS;
    const held = [lane.webhookId, lane.userId, String(lane.urgent), lane.lease];
    for (let count = 0; count < MESSAGES_IN_TURN && !stop.aborted; count += 1) {
      if (count > 0 && performance.now() > end) break;
      const [row] = await run(asProducer, NEXT_MESSAGE, [lane.tenantId, ...held.slice(0, 3)]);
      const message = JSON.parse(bodyText(row) || 'null') as Message | null;
      if (message === null) {
        await run(asSystem, FINISH_LANE, [...held, lane.generation]);
        return;
      }
      if (message.payload === null) await run(asSystem, FORGET_MESSAGE, [message.seq]);
      else if (!(await attempt(lane, held, message, message.payload))) return;
    }
    await run(asSystem, RETURN_LANE, held);
  }

  /** Returns whether the next message of the lane may be sent. */
  async function attempt(lane: RunningLane, held: readonly string[], message: Message, body: string) {
    if (message.attempts === 0) lagSeconds = message.age;
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      lane.isPrompt = false;
      refill().catch(() => undefined);
    }, PROMPT_MS);
    const outcome = await deliver(lane, message, body);
    clearTimeout(late);
    if (outcome.error === 'stopped') {
      await run(asSystem, RETURN_LANE, held);
      return false;
    }
    const isSent = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
    const attempts = message.attempts + 1;
    const isDead = !isSent && attempts >= parts.attempts;
    const isOver = isSent || isDead;
    const due = isOver ? leaseMs : String(pauseAfter(attempts, random));
    const state = isSent ? 'sent' : isDead ? 'dead' : 'waiting';
    const result = [outcome.status === null ? null : String(outcome.status), outcome.error];
    const settled = [message.seq, state, ...result, due, String(isOver), String(isSent && !isLate)];
    const isHeld = await textOf(SETTLE, [...held, ...settled]);
    observe({ kind: 'webhook-attempted', outcome: isSent ? 'sent' : isDead ? 'dead' : 'failed' });
    return isOver && isHeld === 'true';
  }

  async function deliver({ webhookId }: Lane, message: Message, body: string) {
    const secrets: string[] = [];
    try {
      for (const sealed of [message.secret, message.previousSecret])
        if (sealed !== null && box !== null) secrets.push(box.open(sealed, webhookId));
    } catch {
      // The key is another one than that of the registration.
      return { status: null, error: 'secret-unreadable' } as const;
    }
    const signed = { id: `msg_${message.seq}`, seconds: Math.floor(Date.now() / 1000), body };
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'dbr-webhooks',
      ...signatureHeaders(secrets, signed),
    };
    return parts.send({ url: message.url, headers, body }, stop);
  }

  async function takeIn(signal: Gone): Promise<void> {
    await runBatches(pool, END_DELAYS, [], { batch: INTAKE_BATCH, signal });
    await runBatches(pool, INTAKE, [], { batch: INTAKE_BATCH, signal });
    await refill();
  }

  async function trim(signal: Gone): Promise<void> {
    await runBatches(pool, TRIM_MESSAGES, [String(parts.retentionDays)], { batch: TRIM_BATCH, signal });
    await run(asSystem, MARK_OVERFLOWING, []);
  }

  return {
    start() {
      const failure = workFailed('delivery of webhooks');
      work = [repeat(trim, { intervalMs: TRIM_INTERVAL_MS, observe, failure })];
      if (box !== null) work = [...work, repeat(takeIn, { intervalMs: INTERVAL_MS, observe, failure })];
    },
    get lagSeconds() {
      return lagSeconds;
    },
    async close() {
      stop.abort();
      await Promise.all(work.map((each) => each.close()));
      await filling?.catch(() => undefined);
      await Promise.all(running.values());
    },
  };
}
