/**
 * Replaces time, timers, randomness and sockets of this process by those of the simulation. It is imported before the
 * service, whose modules then see nothing else; the simulation has a process of its own for this reason.
 */
import crypto from 'node:crypto';
import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { createClock, EPOCH_MS, type Event } from './clock.js';
import { createNetwork } from './network.js';
import { randomOf, type Random } from './random.js';

export const clock = createClock();
export const realNow: () => number = performance.now.bind(performance);
export const network = createNetwork(clock);

let random: Random = randomOf('boot');

/** Replaces the source of all random numbers of the service. */
export function seedProcess(seed: string): void {
  random = randomOf(seed);
}

interface Timer {
  ref(): Timer;
  unref(): Timer;
  hasRef(): boolean;
  refresh(): Timer;
  cancel(): void;
  [Symbol.toPrimitive](): number;
}

type Callback = (...values: readonly unknown[]) => void;

function timerOf(begin: () => Event): Timer {
  let event = begin();
  const timer: Timer = {
    ref: () => timer,
    unref: () => timer,
    hasRef: () => false,
    refresh() {
      event.cancelled = true;
      event = begin();
      return timer;
    },
    cancel: () => void (event.cancelled = true),
    [Symbol.toPrimitive]: () => event.order,
  };
  return timer;
}

const after = (run: Callback, milliseconds = 1, ...values: readonly unknown[]): Timer =>
  timerOf(() => clock.after(Math.max(1, Number(milliseconds) || 1), () => run(...values)));

function every(run: Callback, milliseconds = 1, ...values: readonly unknown[]): Timer {
  const timer = after(() => {
    timer.refresh();
    run(...values);
  }, milliseconds);
  return timer;
}

const immediately = (run: Callback, ...values: readonly unknown[]): Timer =>
  timerOf(() => clock.immediate(() => run(...values)));

const isTimer = (value: unknown): value is Timer =>
  typeof value === 'object' && value !== null && 'cancel' in value && typeof value.cancel === 'function';

const clear = (timer: unknown): void => {
  if (isTimer(timer)) timer.cancel();
};

const SIMULATED_TIMERS = {
  setTimeout: after,
  setInterval: every,
  setImmediate: immediately,
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: clear,
};

interface DelayOptions {
  readonly signal?: AbortSignal;
}

const delay = <Value>(milliseconds: number, value: Value, { signal }: DelayOptions = {}): Promise<Value> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
    if (signal?.aborted === true) return abort();
    const timer = after(() => resolve(value), milliseconds);
    signal?.addEventListener('abort', () => {
      timer.cancel();
      abort();
    });
  });

const RealDate = Date;
const dateNow = (): number => Math.floor(EPOCH_MS + clock.now());

class SimulatedDate extends RealDate {
  constructor(...given: readonly [] | readonly [number | string | Date]) {
    super(given[0] ?? dateNow());
  }

  static override now(): number {
    return dateNow();
  }
}

const IDLE = { idle: 1, active: 0, utilization: 0 };

const uuidOf = (bytes: Buffer): string => {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

const SIMULATED_CRYPTO = {
  randomBytes: (length: number) => random.bytes(length),
  randomInt: (first: number, limit?: number) =>
    limit === undefined ? random.below(first) : first + random.below(limit - first),
  randomUUID: () => uuidOf(random.bytes(16)),
};

/**
 * Counts the work of WebCrypto, which threads do. One piece of work begins when the one before it has ended, so that they
 * end in their order.
 */
function countWebCrypto(): void {
  const prototype: unknown = Object.getPrototypeOf(crypto.webcrypto.subtle);
  if (typeof prototype !== 'object' || prototype === null) throw new Error('there is no WebCrypto');
  let last: Promise<unknown> = Promise.resolve();
  for (const name of ['digest', 'importKey', 'sign', 'verify']) {
    const method: unknown = Reflect.get(prototype, name);
    if (typeof method !== 'function') throw new Error(`WebCrypto has no ${name}`);
    Reflect.set(prototype, name, function (this: unknown, ...given: readonly unknown[]) {
      const work = last.then((): unknown => Reflect.apply(method, this, given));
      last = work.catch(() => undefined);
      return clock.awaited(work);
    });
  }
}

const realVerify = crypto.verify;

/** `crypto.verify`, also with a callback without a thread. */
function verify(...given: readonly unknown[]): unknown {
  const [callback] = given.slice(4);
  const valid: unknown = Reflect.apply(realVerify, crypto, given.slice(0, 4));
  if (typeof callback !== 'function') return valid;
  return queueMicrotask(() => void Reflect.apply(callback, null, [null, valid]));
}

/** Files are read without a thread. */
const SIMULATED_FILES = {
  readFile: (path: string, options: BufferEncoding) =>
    Promise.resolve().then(() => fs.readFileSync(path, options)),
  readdir: (path: string) => Promise.resolve().then(() => fs.readdirSync(path)),
};

Object.assign(globalThis, SIMULATED_TIMERS, { Date: SimulatedDate });
Object.assign(timers, SIMULATED_TIMERS);
Object.assign(timersPromises, { setTimeout: delay });
Object.assign(crypto, SIMULATED_CRYPTO, { verify });
Object.defineProperty(performance, 'now', { value: () => clock.now() });
Object.defineProperty(performance, 'eventLoopUtilization', { value: () => IDLE });
Math.random = () => random.below(2 ** 30) / 2 ** 30;
countWebCrypto();
Object.assign(fsPromises, SIMULATED_FILES);
Object.assign(net, { Socket: network.Socket, connect: network.connect, createConnection: network.connect });
// The agent keeps the function of `node:net` that it finds at the start of the process.
Object.assign(http.Agent.prototype, {
  createConnection: (target: { readonly port: number }) => network.connect(target),
});
syncBuiltinESMExports();
