/** Server-sent events (WHATWG HTML §9.2): the text of events and the response that carries them. */
import { NO_STORE } from './cache-control.js';

export const EVENT_STREAM = 'text/event-stream';

/** The first text of a stream: the client waits 3 s before it connects again. */
export const RETRY_TEXT = 'retry: 3000\n\n';

/** A comment, which keeps intermediaries from closing an idle connection. */
export const KEEP_ALIVE_TEXT = ': keep-alive\n\n';

/** Longest silence of a stream, in milliseconds. */
export const KEEP_ALIVE_MS = 15_000;

/**
 * One event.
 * @param id where the client resumes; null keeps the id of the event before
 * @param data each of its lines becomes a `data:` field
 */
export function eventText(id: string | null, event: string, data: string): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `${id === null ? '' : `id: ${id}\n`}event: ${event}\n${lines.join('')}\n`;
}

/** `X-Accel-Buffering` keeps nginx from buffering the events. */
export const EVENT_STREAM_HEADERS = { ...NO_STORE, 'X-Accel-Buffering': 'no' } as const;

/** The response with a stream of events. */
export const eventStreamResponse = (body: AsyncIterable<string>) =>
  ({ status: 200, type: EVENT_STREAM, headers: EVENT_STREAM_HEADERS, body }) as const;
