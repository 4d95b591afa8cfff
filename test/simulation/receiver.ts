/** A receiver of webhooks: a server of HTTP that reads and writes bytes itself, and responds well or badly. */
import type { Clock } from './clock.js';
import type { End, Network } from './network.js';
import type { Random } from './random.js';

/** A request that has arrived whole. */
export interface Delivery {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** When it arrived, in milliseconds. */
  readonly at: number;
  /** Whether the response accepts it. */
  readonly isAccepted: boolean;
  /** When the response was sent, or the connection has ended without one, in milliseconds. */
  endedAt: number;
}

export interface Receiver {
  readonly port: number;
  /** In the order of their arrival. */
  readonly deliveries: readonly Delivery[];
  /** Whether each request is accepted at once. */
  readonly isGood: boolean;
}

/** Time after which no receiver refuses a request any more, in milliseconds from its start. */
export const HEALED_MS = 10_000;

/** The probability that a receiver refuses a request before. */
const MOODS = { good: 0, flaky: 0.4, failing: 0.9 } as const;
type Mood = keyof typeof MOODS;

/** Longest time of a late response, which is within `webhooks-timeout`, in milliseconds. */
const LATE_MS = 600;

const LONG_BODY = 'x'.repeat(40_000);

const head = (status: string, more = ''): string => `HTTP/1.1 ${status}\r\nConnection: close\r\n${more}\r\n`;

interface Response {
  readonly text: string;
  /** Time from the request to the response; 0 by default. */
  readonly afterMs?: number;
  /** How the connection ends. `open`: the sender ends it. */
  readonly ending: 'end' | 'reset' | 'open';
}

const acceptance = (random: Random): Response =>
  random.pick<Response>([
    { text: head('200 OK', 'Content-Length: 2\r\n') + 'ok', ending: 'end' },
    { text: head('204 No Content'), ending: 'end' },
    { text: head('202 Accepted'), ending: 'end', afterMs: random.below(LATE_MS) },
    { text: `HTTP/1.1 103 Early Hints\r\n\r\n${head('200 OK', 'Content-Length: 0\r\n')}`, ending: 'end' },
    // Its status counts, whatever becomes of the body.
    { text: head('200 OK', 'Content-Length: 500\r\n') + 'a part', ending: 'reset', afterMs: 1 },
    { text: head('200 OK', `Content-Length: ${String(LONG_BODY.length)}\r\n`) + LONG_BODY, ending: 'end' },
    { text: head('200 OK', 'Content-Length: 500\r\n') + 'a part', ending: 'open' },
  ]);

const REFUSALS: readonly [Response, ...Response[]] = [
  { text: head('500 Internal Server Error', 'Content-Length: 4\r\n') + 'down', ending: 'end' },
  { text: head('302 Found', 'Location: /elsewhere\r\nContent-Length: 0\r\n'), ending: 'end' },
  { text: head('410 Gone', 'Content-Length: 0\r\n'), ending: 'end', afterMs: 300 },
  {
    text: 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: none\r\nConnection: Upgrade\r\n\r\n',
    ending: 'open',
  },
  { text: 'HTTP/1.1 200 O', ending: 'end' },
  { text: 'no protocol\r\n\r\n', ending: 'end' },
  { text: '', ending: 'end' },
  { text: '', ending: 'reset' },
  { text: '', ending: 'open' },
];

/** Returns the head and the body of a request; null if it has not arrived whole. */
function requestOf(bytes: Buffer): Pick<Delivery, 'headers' | 'body'> | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [, ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = bytes.subarray(end + 4);
  const isWhole = body.length >= Number(headers.get('content-length'));
  return isWhole ? { headers, body: body.toString('utf8') } : null;
}

interface ReceiverOptions {
  readonly network: Network;
  readonly clock: Clock;
  readonly port: number;
  readonly random: Random;
}

/** Listens from now on. */
export function openReceiver({ network, clock, port, random }: ReceiverOptions): Receiver {
  const mood = random.pick<Mood>(['good', 'good', 'flaky', 'failing']);
  const healedAt = clock.now() + random.below(HEALED_MS);
  const deliveries: Delivery[] = [];

  function respond(end: End, request: Pick<Delivery, 'headers' | 'body'>): Delivery {
    const own = random.of(`delivery ${String(deliveries.length)}`);
    const isAccepted = clock.now() >= healedAt || !own.chance(MOODS[mood]);
    const { text, afterMs = 0, ending } = isAccepted ? acceptance(own) : own.pick(REFUSALS);
    const delivery = { ...request, at: clock.now(), isAccepted, endedAt: Infinity };
    deliveries.push(delivery);
    clock.after(afterMs, () => {
      if (text !== '') end.write(Buffer.from(text));
      if (isAccepted || ending !== 'open') delivery.endedAt = Math.min(delivery.endedAt, clock.now());
      if (ending === 'end') end.end();
      // What was sent before arrives.
      if (ending === 'reset') clock.after(text === '' ? 0 : LATE_MS, () => end.reset());
    });
    return delivery;
  }

  network.accept(port, (end) => {
    let bytes = Buffer.alloc(0);
    let delivery: Delivery | null = null;
    function isOver(): void {
      if (delivery !== null) delivery.endedAt = Math.min(delivery.endedAt, clock.now());
    }
    return {
      data(chunk) {
        bytes = Buffer.concat([bytes, chunk]);
        const request = delivery === null ? requestOf(bytes) : null;
        if (request !== null) delivery = respond(end, request);
        return chunk.length;
      },
      end() {
        isOver();
        end.end();
      },
      reset: isOver,
    };
  });
  return {
    ...{ port, deliveries },
    isGood: mood === 'good',
  };
}
