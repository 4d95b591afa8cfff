/** Requests to a service of several workers, over connections that are known to be accepted by one worker or another. */
import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import type { ServingProcess } from './built-service.js';

export interface Response {
  readonly status: number;
  readonly body: string;
  /** True if the server closes the connection after the response. */
  readonly isLast: boolean;
}

export interface Sent {
  /** Absent: a connection for this request alone. */
  readonly agent?: Agent;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly socketPath?: string;
}

export function send(url: string, sent: Sent = {}): Promise<Response> {
  const { agent = new Agent(), method = 'GET', headers = {}, body, socketPath } = sent;
  return new Promise((resolve, reject) => {
    const options = { agent, headers, method, ...(socketPath === undefined ? {} : { socketPath }) };
    const request = httpRequest(url, options, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: text,
          isLast: response.headers.connection === 'close',
        }),
      );
      response.once('error', reject);
    });
    request.once('error', reject);
    request.end(body);
  });
}

export interface EventStream {
  readonly status: number;
  /** What was received so far. */
  readonly text: () => string;
  /** Whether the server has ended it. */
  readonly isClosed: () => boolean;
  readonly leave: () => void;
}

/** Opens a stream of server-sent events, on a connection of its own or that of the agent. */
export function openEventStream(
  url: string,
  { agent = new Agent(), headers = {} }: Pick<Sent, 'agent' | 'headers'>,
): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { agent, headers }, (response) => {
      let text = '';
      let closed = false;
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('error', () => undefined);
      response.once('close', () => (closed = true));
      resolve({
        status: response.statusCode ?? 0,
        text: () => text,
        isClosed: () => closed,
        leave: () => request.destroy(),
      });
    });
    request.on('error', reject);
    request.end();
  });
}

/** Process ids of the workers of a primary (proc(5)). */
export const workersOf = ({ child }: Pick<ServingProcess, 'child'>): readonly number[] =>
  readFileSync(`/proc/${String(child.pid)}/task/${String(child.pid)}/children`, 'utf8')
    .split(' ')
    .filter((pid) => pid !== '')
    .map(Number);

/**
 * Opens connections until there is one to each worker. The pool of a worker has one connection to the database, whose
 * backend identifies the worker.
 * @param backend path of a function that returns `pg_backend_pid()`
 * @returns agents with one connection each, by backend, and the number of requests that were sent
 */
export async function connectToAll(
  url: string,
  count: number,
  backend = '/rpc/backend',
): Promise<{ readonly agents: readonly Agent[]; readonly sent: number }> {
  const agents = new Map<string, Agent>();
  let sent = 0;
  while (agents.size < count) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { status, body } = await send(`${url}${backend}`, { agent });
    if (status !== 200) throw new Error(`${backend} returned ${String(status)}: ${body}`);
    sent += 1;
    if (agents.has(body)) agent.destroy();
    else agents.set(body, agent);
  }
  return { agents: [...agents.values()], sent };
}
