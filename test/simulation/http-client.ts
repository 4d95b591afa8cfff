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

interface Parsed {
  readonly answer: Answer;
  readonly length: number;
}

/** Reads a body in chunks (RFC 9112 §7.1). Returns null unless its last chunk has arrived. */
function readChunks(bytes: Buffer, from: number): { readonly body: string; readonly end: number } | null {
  const pieces: Buffer[] = [];
  for (let at = from; ;) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return null;
    const length = parseInt(bytes.toString('latin1', at, line), 16);
    const begin = line + 2;
    if (bytes.length < begin + length + 2) return null;
    if (length === 0) return { body: Buffer.concat(pieces).toString('utf8'), end: begin + 2 };
    pieces.push(bytes.subarray(begin, begin + length));
    at = begin + length + 2;
  }
}

/** Returns null unless the answer is whole. */
function parse(bytes: Buffer, method: string): Parsed | null {
  const head = bytes.indexOf('\r\n\r\n');
  if (head < 0) return null;
  const [first = '', ...lines] = bytes.toString('latin1', 0, head).split('\r\n');
  const status = Number(first.split(' ')[1]);
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const start = head + 4;
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304)
    return { answer: { status, headers, body: '' }, length: start };
  if (headers.get('transfer-encoding') === 'chunked') {
    const read = readChunks(bytes, start);
    return read === null ? null : { answer: { status, headers, body: read.body }, length: read.end };
  }
  const end = start + Number(headers.get('content-length') ?? NaN);
  if (!(bytes.length >= end)) return null;
  return { answer: { status, headers, body: bytes.toString('utf8', start, end) }, length: end };
}

export function openConnection(network: Network, port: number, random: Random): Connection {
  const waiting: { readonly method: string; readonly settle: (outcome: Outcome) => void }[] = [];
  let chunks: Buffer[] = [];
  let received = 0;
  let isOpen = true;

  function lose(): void {
    isOpen = false;
    for (const { settle } of waiting.splice(0)) settle(null);
  }

  function read(): void {
    let bytes = Buffer.concat(chunks);
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const parsed = parse(bytes, first.method);
      if (parsed === null) break;
      bytes = bytes.subarray(parsed.length);
      if (parsed.answer.status < 200) continue;
      waiting.shift();
      first.settle(parsed.answer);
    }
    chunks = [bytes];
  }

  const end = network.open(port, random, {
    data(chunk) {
      received += chunk.length;
      chunks.push(Buffer.from(chunk));
      read();
      return chunk.length;
    },
    end() {
      end.end();
      lose();
    },
    reset: lose,
  });
  end.setReading(true);
  return {
    end,
    get isOpen() {
      return isOpen;
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
