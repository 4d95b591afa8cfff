/** Reads a stream as a client does (WHATWG HTML §9.2.6). */
import type { StreamRequest, Streams } from '../../../src/notifications/stream.js';
import { parsePosition, type EventPosition } from '../../../src/postgres/event-position.js';
import type { Reader } from '../../../src/notifications/types.js';

export interface ReceivedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

export interface StreamReader {
  /** The next event; null at the end of the stream. */
  next(): Promise<ReceivedEvent | null>;
  /** Comments and other lines that are no events, so far. */
  readonly others: readonly string[];
  /** The client goes away. */
  leave(): void;
}

export function readStream(chunks: AsyncIterable<string>, leave: () => void): StreamReader {
  const iterator = chunks[Symbol.asyncIterator]();
  const others: string[] = [];
  let buffer = '';
  async function next(): Promise<ReceivedEvent | null> {
    for (;;) {
      const end = buffer.indexOf('\n\n');
      if (end < 0) {
        const chunk = await iterator.next();
        if (chunk.done === true) return null;
        buffer += chunk.value;
        continue;
      }
      const block = buffer.slice(0, end);
      buffer = buffer.slice(end + 2);
      const event = parse(block);
      if (event !== null) return event;
      others.push(block);
    }
  }
  return { next, others, leave };
}

function parse(block: string): ReceivedEvent | null {
  const lines = block.split('\n');
  const field = (name: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
  const [event] = field('event');
  if (event === undefined) return null;
  return { id: field('id')[0] ?? '', event, data: JSON.parse(field('data').join('\n')) };
}

export async function openStream(
  streams: Streams,
  reader: Reader,
  more: Partial<Pick<StreamRequest, 'ticket' | 'after' | 'expiresAt'>> = {},
): Promise<StreamReader> {
  const gone = new AbortController();
  const { ticket = null, after = null, expiresAt = null } = more;
  const chunks = await streams.open({ reader, ticket, after, expiresAt, signal: gone.signal });
  return readStream(chunks, () => gone.abort());
}

/** The next event that has this name; those before it are passed over. */
export async function nextNamed(stream: StreamReader, name: string): Promise<ReceivedEvent> {
  for (;;) {
    const event = await stream.next();
    if (event === null) throw new Error(`the stream ended before an event ${name}`);
    if (event.event === name) return event;
  }
}

export function positionOf({ id }: ReceivedEvent): EventPosition {
  const position = parsePosition(id);
  if (position === null) throw new Error(`${id} is no position`);
  return position;
}
