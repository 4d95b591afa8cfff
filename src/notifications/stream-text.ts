/** The text of one live stream: reads the events of its client after each wake-up, from the position that it has reached. */
import type { Observe } from '../observability/observation.js';
import { eventText, KEEP_ALIVE_TEXT, RETRY_TEXT } from '../operations/responses.js';
import type { Gate } from '../base/gate.js';
import { beginsRead, needsKeepAlive, nextTurn, type StreamClient } from './stream-client.js';
import { BACKLOG } from './stream-sql.js';
import { positionText } from '../postgres/event-position.js';
import type { StreamPage, StreamStore } from './stream-store.js';

/** The event that makes a client read the list again: its stream has lost events. */
const RESET = 'reset';

export interface StreamReader {
  readonly store: Pick<StreamStore, 'open' | 'read'>;
  /** Bounds the reads of all streams. */
  readonly gate: Gate;
  readonly observe: Observe;
}

/** Yields the events of the client until it ends or has lost events. @param onEnd called once, however the stream ends */
export async function* streamText(
  reader: StreamReader,
  client: StreamClient,
  onEnd: () => void,
): AsyncGenerator<string, void> {
  try {
    yield RETRY_TEXT + eventText(positionText(client.position), 'unread-count', client.count);
    for (;;) {
      await nextTurn(client, performance.now());
      if (client.ended) return;
      if (beginsRead(client)) void read(reader, client);
      const { page } = client;
      client.page = null;
      if (client.lost || (page !== null && page.events.length > BACKLOG)) {
        yield await resetText(reader.store, client);
        return;
      }
      const text = page === null ? keepAliveText(client) : pageText(client, page);
      if (text === '') continue;
      client.sentAt = performance.now();
      yield text;
    }
  } finally {
    onEnd();
  }
}

/** Reads the next page. The stream does not wait for it, but sends keep-alives: proxies end a connection that is silent. */
async function read(reader: StreamReader, client: StreamClient): Promise<void> {
  client.reading = true;
  client.page = await reader.gate(() => readPage(reader, client));
  client.reading = false;
  client.wake();
}

/** Returns null if the database does not respond; the stream stays open at its position. */
async function readPage({ store, observe }: StreamReader, client: StreamClient): Promise<StreamPage | null> {
  client.due = false;
  if (client.ended) return null;
  try {
    const page = await store.read(client.reader, client.position);
    client.failed = false;
    return page;
  } catch (error) {
    if (!client.failed && !client.ended) observe({ kind: 'stream-failed', error });
    client.failed = true;
    return null;
  }
}

/** The event has the present position as its id, so that a client that reconnects does not resume where it lost events. */
async function resetText(store: StreamReader['store'], { reader }: StreamClient): Promise<string> {
  try {
    return eventText(positionText((await store.open(reader)).position), RESET, '{}');
  } catch {
    return eventText(null, RESET, '{}');
  }
}

const keepAliveText = (client: StreamClient): string =>
  needsKeepAlive(client, performance.now()) ? KEEP_ALIVE_TEXT : '';

/** The events in order, then the unread count if it has changed. Advances the position of the client. */
function pageText(client: StreamClient, { events, position: end, count }: StreamPage): string {
  let text = '';
  for (const { position, event, data } of events)
    if (data !== null) text += eventText(positionText(position), event, data);
  client.position = end;
  if (count !== client.count) {
    client.count = count;
    text += eventText(positionText(client.position), 'unread-count', count);
  }
  return text;
}
