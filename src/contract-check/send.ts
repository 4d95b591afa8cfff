/** Sends one request and reads its answer, within bounds of bytes and time. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

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

/** @param origin of the service, `http:` or `https:` */
export function openSender(origin: string): Sender {
  const isSecure = origin.startsWith('https:');
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const open = isSecure ? httpsRequest : httpRequest;
  return {
    send: ({ method, target, headers, body }) =>
      new Promise((resolve, reject) => {
        const length = body === null ? {} : { 'Content-Length': String(body.length) };
        const { hostname, port } = new URL(origin);
        const request = open({
          ...{ agent, hostname, port, path: target, method, headers: { ...headers, ...length } },
          signal: AbortSignal.timeout(TIMEOUT),
        });
        request.on('error', reject);
        request.on('response', (response) => void readAnswer(response).then(resolve, reject));
        request.end(body ?? undefined);
      }),
    close: () => agent.destroy(),
  };
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  const head = { status: response.statusCode ?? 0, headers };
  const isStream = (headers['content-type'] ?? '').startsWith('text/event-stream');
  const pieces: Buffer[] = [];
  let length = 0;
  if (!isStream)
    for await (const piece of response) {
      if (!Buffer.isBuffer(piece)) continue;
      pieces.push(piece);
      length += piece.length;
      if (length > LONGEST) break;
    }
  if (isStream || length > LONGEST) {
    response.destroy();
    return { ...head, body: null };
  }
  return { ...head, body: Buffer.concat(pieces) };
}
