/** Server-sent events over `fetch` (HTML, section 9.2), and the pauses between two connections. */
import { textLines } from './send.js';

/** The service sends something at least every 15 seconds; after three times that, the connection is dead. */
export const SILENCE_MS = 45_000;
export const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Asked in a function, because it may change while another one waits. */
export const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true;

/** How far a stream has come. */
export interface Position {
  /** The id of the last event. */
  id: string | undefined;
  /** The pause before the next connection, in milliseconds. */
  pause: number;
}

export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/** Parses an event stream (HTML, section 9.2.6): fields of lines, and a blank line after each event. */
export async function* eventsOf(
  response: Response,
  at: Position,
  silence: AbortController,
): AsyncGenerator<StreamEvent> {
  let fields: Record<string, string> = {};
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    for await (const line of textLines(response)) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      if (line !== '') {
        const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
        fields[name] =
          name === 'data' && fields['data'] !== undefined ? `${fields['data']}\n${value}` : value;
        continue;
      }
      const { id, event, data, retry } = fields;
      fields = {};
      if (retry !== undefined) at.pause = Number(retry);
      if (id !== undefined) at.id = id;
      if (event !== undefined && data !== undefined) yield { event, data };
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Waits before the next connection, at most until the signal is aborted. Each pause is twice as long as the last one. */
export async function pauseBefore(at: Position, signal: AbortSignal | undefined): Promise<void> {
  await pause(at.pause * (0.5 + Math.random()), signal);
  at.pause = Math.min(at.pause * 2, LONGEST_PAUSE_MS);
}

const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
  });
