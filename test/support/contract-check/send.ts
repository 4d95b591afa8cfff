/** Sends one request and reads its answer, within bounds of bytes and time. */
import { Agent, request as open, type IncomingMessage } from 'node:http';

export interface Answer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null for a stream of events and for a body that is longer than `LONGEST`: neither is read to its end. */
  readonly body: Buffer | null;
}

export interface Outgoing {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

export interface Sender {
  /** @throws Error if no answer arrives */
  send(request: Outgoing): Promise<Answer>;
  close(): void;
}

/** Longest body that is read, in bytes. */
const LONGEST = 4_194_304;
/** For a whole answer, in milliseconds. */
const TIMEOUT = 15_000;

/** @param origin of the service, of `http:` */
export function openSender(origin: string): Sender {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(origin);
  return {
    send: ({ method, target, headers, body }) =>
      new Promise((resolve, reject) => {
        const length = body === null ? {} : { 'Content-Length': String(body.length) };
        const request = open({
          ...{ agent, hostname, port, path: target, method, headers: { ...headers, ...length } },
        });
        const timer = setTimeout(
          () => request.destroy(new Error(`the answer is not complete after ${String(TIMEOUT)} ms`)),
          TIMEOUT,
        );
        request.on('close', () => clearTimeout(timer));
        request.on('error', reject);
        // Without this listener, status 101 gives neither a response nor an error.
        request.on('upgrade', (_response, socket) => {
          socket.destroy();
          reject(new Error('the answer switches to another protocol'));
        });
        request.on('response', (response) => readAnswer(response, resolve, reject));
        request.end(body ?? undefined);
      }),
    close: () => agent.destroy(),
  };
}

/** Events of the stream: an iterator over it takes as much time as the rest of a request. */
function readAnswer(
  response: IncomingMessage,
  resolve: (answer: Answer) => void,
  reject: (error: Error) => void,
): void {
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  const head = { status: response.statusCode ?? 0, headers };
  const leave = (): void => {
    resolve({ ...head, body: null });
    response.destroy();
  };
  const pieces: Buffer[] = [];
  let length = 0;
  response.on('error', reject);
  response.on('data', (piece: Buffer) => {
    pieces.push(piece);
    length += piece.length;
    if (length > LONGEST) leave();
  });
  response.on('end', () => resolve({ ...head, body: Buffer.concat(pieces) }));
  if ((headers['content-type'] ?? '').startsWith('text/event-stream')) leave();
}
