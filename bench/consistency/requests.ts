/** Requests of clients to one of several instances. A request that gets no answer within the limit is given up. */
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { HistoryRecord, Outcome } from './records.js';

/** An instance of the service. */
export interface Instance {
  readonly url: string;
  /** `host:port` of its router. */
  readonly router: string;
}

/** What all clients of a run share. */
export interface Run {
  readonly instances: readonly Instance[];
  /** Whole numbers below a bound. */
  readonly random: (below: number) => number;
  readonly record: (record: HistoryRecord) => void;
  /** Microseconds since the beginning of the run. */
  readonly now: () => number;
  readonly isOver: () => boolean;
  readonly send: (method: string, path: string, init?: RequestInit) => Promise<Answer>;
}

export interface RequestInit {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Answer {
  /** 0 if there is no answer. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const TIMEOUT_MS = 10_000;
const NO_ANSWER: Answer = { status: 0, headers: {}, body: '' };
/** How long a client repeats a request whose outcome is unknown. */
const PERSEVERE_MS = 90_000;
const PAUSE_MS = 200;

/** @param count is called with the status of each answer */
export function createSender(
  instances: readonly Instance[],
  random: (below: number) => number,
  count: (status: number) => void,
): Run['send'] {
  const agents = instances.map(() => new Agent({ keepAlive: true }));
  return (method, path, { headers = {}, body } = {}) =>
    new Promise((resolve) => {
      const place = random(instances.length);
      const finish = (answer: Answer): void => {
        clearTimeout(timer);
        count(answer.status);
        resolve(answer);
      };
      const text = body === undefined ? null : JSON.stringify(body);
      const type = text === null ? {} : { 'Content-Type': 'application/json' };
      const sent = request(
        new URL(path, instances[place]?.url),
        { agent: agents[place], method, headers: { ...type, ...headers } },
        (response) => {
          let received = '';
          response.setEncoding('utf8').on('data', (piece: string) => (received += piece));
          response.on('end', () =>
            finish({ status: response.statusCode ?? 0, headers: response.headers, body: received }),
          );
          response.on('error', () => finish(NO_ANSWER));
        },
      );
      const timer = setTimeout(() => sent.destroy(new Error('no answer')), TIMEOUT_MS);
      sent.on('error', () => finish(NO_ANSWER)).end(text);
    });
}

/** What an answer says of a write. 5xx, and no answer, say nothing. */
export function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return 'done';
  return status >= 400 && status < 500 && !PASSING.has(status) ? 'refused' : 'unknown';
}

/** Timeout, a key in progress, too many requests. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 429]);

/** Waits after an answer that a client would not follow up at once. */
export async function afterwards({ random }: Run, { status }: Answer): Promise<void> {
  if (outcomeOf(status) === 'unknown') await delay(PAUSE_MS / 2 + random(PAUSE_MS));
}

/** Repeats a request until its outcome is known, or the client gives up. @returns the last answer */
export async function persevere(run: Run, attempt: () => Promise<Answer>): Promise<Answer> {
  const giveUp = run.now() + PERSEVERE_MS * 1000;
  for (;;) {
    const answer = await attempt();
    if (outcomeOf(answer.status) !== 'unknown' || run.now() > giveUp) return answer;
    await afterwards(run, answer);
  }
}
