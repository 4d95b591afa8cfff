/** A client of HTTP over simulated connections. It writes and reads bytes itself, so that nothing hides what arrives. */
import type { End, Network } from './network.js';
import type { Random } from './random.js';

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** What became of a request; null without an answer that looks whole. */
export type Outcome = Answer | null;

export interface Wire {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Connection {
  /** Sends a request, behind those that wait for their answer. */
  send(wire: Wire): Promise<Outcome>;
  readonly end: End;
  readonly isOpen: boolean;
  /** Whether an answer was the last one: later requests have none (RFC 9112 §9.6). */
  readonly hasLast: boolean;
  /** Number of bytes received. */
  readonly received: number;
  close(): void;
}

export function bytesOf({ method, path, headers, body }: Wire): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: simulation',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${String(Buffer.byteLength(body))}`]),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`, 'utf8');
}

/** The head of an answer whose body has not arrived whole. */
interface Open extends Omit<Answer, 'body'> {
  /** Null for a body in chunks (RFC 9112 §7.1). */
  readonly length: number | null;
  readonly pieces: Buffer[];
}

function openAnswer(head: string, method: string): Open {
  const [first = '', ...lines] = head.split('\r\n');
  const status = Number(first.split(' ')[1]);
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const isEmpty = method === 'HEAD' || status < 200 || status === 204 || status === 304;
  const isChunked = headers.get('transfer-encoding') === 'chunked';
  const length = Number(headers.get('content-length') ?? NaN);
  return { status, headers, length: isEmpty ? 0 : isChunked ? null : length, pieces: [] };
}

/** Reads answers from bytes in pieces of any size. @param methodOf the method of the request that is answered next */
function createReader(methodOf: () => string | undefined, onAnswer: (answer: Answer) => void) {
  let waiting: Buffer[] = [];
  let received = 0;
  /** Fewest bytes with which reading goes on. */
  let needed = 1;
  let open: Open | null = null;

  function end({ status, headers, pieces }: Open): void {
    open = null;
    onAnswer({ status, headers, body: Buffer.concat(pieces).toString('utf8') });
  }

  /** Returns the number of bytes read, or 0 if `needed` have to arrive first. */
  function readPart(bytes: Buffer): number {
    needed = bytes.length + 1;
    if (open === null) {
      const method = methodOf();
      const head = method === undefined ? -1 : bytes.indexOf('\r\n\r\n');
      if (method === undefined || head < 0) return 0;
      open = openAnswer(bytes.toString('latin1', 0, head), method);
      if (open.length === 0) end(open);
      return head + 4;
    }
    if (open.length !== null) {
      needed = open.length;
      // A length that is no number never arrives.
      if (!(bytes.length >= needed)) return 0;
      open.pieces.push(bytes.subarray(0, needed));
      end(open);
      return needed;
    }
    const line = bytes.indexOf('\r\n');
    if (line < 0) return 0;
    const length = parseInt(bytes.toString('latin1', 0, line), 16);
    needed = line + length + 4;
    if (!(bytes.length >= needed)) return 0;
    const read = needed;
    if (length === 0) end(open);
    else open.pieces.push(bytes.subarray(line + 2, line + 2 + length));
    return read;
  }

  return (chunk: Buffer): void => {
    waiting.push(chunk);
    received += chunk.length;
    if (!(received >= needed)) return;
    let bytes = Buffer.concat(waiting);
    for (let read = readPart(bytes); read > 0; read = readPart(bytes)) bytes = bytes.subarray(read);
    waiting = [bytes];
    received = bytes.length;
  };
}

/** @param address of the client */
export function openConnection(network: Network, port: number, random: Random, address?: string): Connection {
  const waiting: { readonly method: string; readonly settle: (outcome: Outcome) => void }[] = [];
  let received = 0;
  let isOpen = true;
  let hasLast = false;

  function lose(): void {
    isOpen = false;
    for (const { settle } of waiting.splice(0)) settle(null);
  }

  const read = createReader(
    () => waiting[0]?.method,
    (answer) => {
      // An interim response (RFC 9110 §15.2).
      if (answer.status < 200) return;
      if (answer.headers.get('connection') === 'close') hasLast = true;
      waiting.shift()?.settle(answer);
    },
  );

  const end = network.open(
    port,
    random,
    {
      data(chunk) {
        received += chunk.length;
        read(chunk);
        return chunk.length;
      },
      end() {
        end.end();
        lose();
      },
      reset: lose,
    },
    address,
  );
  end.setReading(true);
  return {
    end,
    get isOpen() {
      return isOpen;
    },
    get hasLast() {
      return hasLast;
    },
    get received() {
      return received;
    },
    send(wire) {
      if (!isOpen) return Promise.resolve(null);
      return new Promise((settle) => {
        waiting.push({ method: wire.method, settle });
        end.write(bytesOf(wire));
      });
    },
    close() {
      end.end();
    },
  };
}
