/**
 * A client of server-sent events over simulated connections. It connects again with the position of its last whole event,
 * as `EventSource` does, until it is closed or refused.
 */
import type { Clock } from './clock.js';
import { bytesOf } from './http-client.js';
import type { End, Network } from './network.js';
import type { Random } from './random.js';

export interface FollowedEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
  /** When it arrived, in milliseconds. */
  readonly at: number;
}

export interface Follower {
  /** In the order of their arrival, over all connections. */
  readonly events: readonly FollowedEvent[];
  /** When the first event arrived, in milliseconds; null before. */
  readonly since: number | null;
  /** The status that has ended it; null while it goes on. */
  readonly refusedWith: number | null;
  /** The present connection; null between two. */
  readonly end: End | null;
  /** Whether the present connection has a stream. */
  readonly isOpen: boolean;
  /** When connections were lost before the end of their response, in milliseconds. */
  readonly cuts: readonly number[];
  /** When the stream was opened again, in milliseconds. */
  readonly reopenings: readonly number[];
  close(): void;
}

export interface FollowerOptions {
  readonly network: Network;
  readonly clock: Clock;
  /** Returns the port for the next connection. @param attempt from 0 */
  readonly portOf: (attempt: number) => number;
  readonly random: Random;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the stream ends with this event, so that it is not opened again. */
  readonly isLast?: (event: FollowedEvent) => boolean;
}

/** Longest time after which the client connects again, in milliseconds. */
const AGAIN_MS = 500;

/** Statuses after which a client tries again. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 503, 504]);

function eventOf(text: string): Omit<FollowedEvent, 'at'> | null {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  const data = fields.get('data');
  return data === undefined
    ? null
    : { id: fields.get('id') ?? null, event: fields.get('event') ?? 'message', data };
}

/** Reads the head and the chunks of one response. Its end need not be that of the connection. */
function createReader(
  onStatus: (status: number) => void,
  onEvent: (event: Omit<FollowedEvent, 'at'>) => void,
  onEnd: () => void,
) {
  let bytes = Buffer.alloc(0);
  let text = '';
  let isInBody = false;
  function readHead(): boolean {
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0) return false;
    onStatus(Number(bytes.toString('latin1', 9, 12)));
    bytes = bytes.subarray(end + 4);
    isInBody = true;
    return true;
  }
  function readChunk(): boolean {
    const line = bytes.indexOf('\r\n');
    if (line < 0) return false;
    const length = parseInt(bytes.toString('latin1', 0, line), 16);
    if (!(bytes.length >= line + 4 + length)) return false;
    text += bytes.toString('utf8', line + 2, line + 2 + length);
    bytes = bytes.subarray(line + 4 + length);
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = eventOf(text.slice(0, end));
      text = text.slice(end + 2);
      if (event !== null) onEvent(event);
    }
    if (length === 0) onEnd();
    return true;
  }
  return (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    if (!isInBody && !readHead()) return;
    while (readChunk());
  };
}

export function follow(options: FollowerOptions): Follower {
  const { network, clock, portOf, random, path, headers } = options;
  const cuts: number[] = [];
  const reopenings: number[] = [];
  const events: FollowedEvent[] = [];
  let end: End | null = null;
  let since: number | null = null;
  let lastId: string | null = null;
  let refusedWith: number | null = null;
  let isClosed = false;
  let isOpen = false;
  let connections = 0;

  function again(left: End | null, isWhole = false): void {
    // The end of a response comes before that of its connection, which may come when there is another one.
    if (left === null || left !== end) return;
    end = null;
    if (isOpen && !isWhole && !isClosed) cuts.push(clock.now());
    isOpen = false;
    if (!isClosed && refusedWith === null) clock.after(random.below(AGAIN_MS), connect);
  }

  function connect(): void {
    const port = portOf(connections);
    if (isClosed || !network.isListening(port)) return;
    const read = createReader(
      (status) => {
        isOpen = status === 200;
        if (isOpen) {
          if (connections > 1) reopenings.push(clock.now());
          return;
        }
        if (!PASSING.has(status)) refusedWith = status;
        end?.reset();
      },
      (received) => {
        const event = { ...received, at: clock.now() };
        since ??= clock.now();
        lastId = event.id ?? lastId;
        events.push(event);
        if (options.isLast?.(event) === true) isClosed = true;
      },
      () => {
        const left = end;
        left?.end();
        again(left, true);
      },
    );
    const own = network.open(port, random.of(`connection ${String(connections++)}`), {
      data(chunk) {
        read(chunk);
        return chunk.length;
      },
      end() {
        own.end();
        again(own);
      },
      reset: () => again(own),
    });
    end = own;
    own.setReading(true);
    const resumed: Record<string, string> = lastId === null ? {} : { 'Last-Event-ID': lastId };
    own.write(
      bytesOf({ method: 'GET', path, headers: { ...headers, ...resumed, Accept: 'text/event-stream' } }),
    );
  }

  connect();
  return {
    events,
    get since() {
      return since;
    },
    get refusedWith() {
      return refusedWith;
    },
    get end() {
      return end;
    },
    get isOpen() {
      return isOpen;
    },
    cuts,
    reopenings,
    close() {
      isClosed = true;
      end?.end();
    },
  };
}
