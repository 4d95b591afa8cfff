import { expect } from 'chai';
import { tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import { createGate } from '../../../src/base/gate.js';
import {
  endClient,
  markDue,
  newClient,
  type StreamClient,
} from '../../../src/notifications/stream-client.js';
import type { StreamPage, StreamStore } from '../../../src/notifications/stream-store.js';
import { streamText } from '../../../src/notifications/stream-text.js';
import { KEEP_ALIVE_MS, KEEP_ALIVE_TEXT } from '../../../src/operations/responses.js';
import type { EventPosition } from '../../../src/postgres/event-position.js';
import type { Observation } from '../../../src/observability/observation.js';

const at = (eventId: number): EventPosition => ({ xid: '1', eventId: String(eventId), open: [] });
const ANN = { tenantId: tenantIdOf('acme'), userId: userIdOf('ann') };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A page with one event, up to a position. */
const pageOf = (eventId: number): StreamPage => ({
  events: [{ position: at(eventId), event: 'notification.created', data: String(eventId) }],
  position: at(eventId),
  count: '{"count":1}',
});
const textOf = (eventId: number): string =>
  `id: 1.${String(eventId)}\nevent: notification.created\ndata: ${String(eventId)}\n\n`;

interface Read {
  readonly from: EventPosition;
  readonly succeed: (page: StreamPage) => void;
  readonly fail: (error: Error) => void;
}

/** A stream whose reads end when the test says so. */
function openText(width = 16) {
  const reads: Read[] = [];
  const observed: Observation[] = [];
  const store: Pick<StreamStore, 'read' | 'open'> = {
    read: (_reader, from) =>
      new Promise((succeed, fail) => {
        reads.push({ from, succeed, fail });
      }),
    open: () => Promise.resolve({ position: at(9), count: '{"count":0}' }),
  };
  const gate = createGate(width);
  const client: StreamClient = newClient(ANN, null, at(0), null, () => undefined);
  client.count = '{"count":1}';
  let ends = 0;
  const reader = { store, gate, observe: (observation: Observation) => observed.push(observation) };
  const text = streamText(reader, client, () => (ends += 1));
  return { reads, observed, client, gate, text, ends: () => ends };
}

/** The first text of a stream: its position and its count. */
const FIRST = 'retry: 3000\n\nid: 1.0\nevent: unread-count\ndata: {"count":1}\n\n';
const next = async (text: AsyncGenerator<string, void>): Promise<string | undefined> => {
  const result = await text.next();
  return result.done === true ? undefined : result.value;
};

describe('the text of a stream of notifications', () => {
  it('sends keep-alives while its read waits for the database', async () => {
    const { reads, client, text } = openText();
    expect(await next(text)).to.equal(FIRST);
    markDue(client);
    const second = next(text);
    await turn();
    expect(reads.map(({ from }) => from)).to.deep.equal([at(0)]);
    client.sentAt = -Infinity;
    client.wake();
    expect(await second).to.equal(KEEP_ALIVE_TEXT);
    const third = next(text);
    reads[0]?.succeed(pageOf(1));
    expect(await third).to.equal(textOf(1));
    expect(reads).to.have.length(1);
  });

  it('sends keep-alives after the clock of the machine was set back', async () => {
    const { client, text } = openText();
    expect(await next(text)).to.equal(FIRST);
    const realNow = Date.now;
    try {
      Date.now = () => realNow() - 3_600_000;
      client.sentAt -= KEEP_ALIVE_MS;
      client.wake();
      expect(await next(text)).to.equal(KEEP_ALIVE_TEXT);
    } finally {
      Date.now = realNow;
    }
  });

  it('sends keep-alives while its read waits behind those of others', async () => {
    const { reads, client, gate, text } = openText(1);
    let endOther = (): void => undefined;
    void gate(() => new Promise<void>((resolve) => (endOther = resolve)));
    expect(await next(text)).to.equal(FIRST);
    markDue(client);
    client.sentAt = -Infinity;
    expect(await next(text)).to.equal(KEEP_ALIVE_TEXT);
    expect(reads).to.deep.equal([]);
    const third = next(text);
    endOther();
    await turn();
    reads[0]?.succeed(pageOf(1));
    expect(await third).to.equal(textOf(1));
  });

  it('reads again, from the new position, what was reported while it read', async () => {
    const { reads, client, text } = openText();
    expect(await next(text)).to.equal(FIRST);
    markDue(client);
    const second = next(text);
    await turn();
    markDue(client);
    await turn();
    expect(reads).to.have.length(1);
    reads[0]?.succeed(pageOf(1));
    expect(await second).to.equal(textOf(1));
    const third = next(text);
    await turn();
    expect(reads.map(({ from }) => from)).to.deep.equal([at(0), at(1)]);
    reads[1]?.succeed(pageOf(2));
    expect(await third).to.equal(textOf(2));
  });

  it('reads nothing before its reader has taken what was read', async () => {
    const { reads, client, text } = openText();
    expect(await next(text)).to.equal(FIRST);
    markDue(client);
    const second = next(text);
    await turn();
    reads[0]?.succeed(pageOf(1));
    expect(await second).to.equal(textOf(1));
    markDue(client);
    await turn();
    expect(reads).to.have.length(1);
  });

  it('reports the first of several reads that fail, and reads again from its position', async () => {
    const { reads, observed, client, text } = openText();
    expect(await next(text)).to.equal(FIRST);
    const second = next(text);
    const error = new Error('no answer');
    for (const count of [1, 2]) {
      markDue(client);
      await turn();
      expect(reads).to.have.length(count);
      reads[count - 1]?.fail(error);
      await turn();
      expect([client.failed, client.due, client.reading]).to.deep.equal([true, false, false]);
    }
    expect(observed).to.deep.equal([{ kind: 'stream-failed', error }]);
    markDue(client);
    await turn();
    expect(reads[2]?.from).to.deep.equal(at(0));
    reads[2]?.succeed(pageOf(1));
    expect(await second).to.equal(textOf(1));
    expect(client.failed).to.equal(false);
  });

  it('ends while it reads, without a report of a read that fails afterwards', async () => {
    const { reads, observed, client, text, ends } = openText();
    expect(await next(text)).to.equal(FIRST);
    markDue(client);
    const second = next(text);
    await turn();
    endClient(client);
    expect(await second).to.equal(undefined);
    expect(ends()).to.equal(1);
    reads[0]?.fail(new Error('no answer'));
    await turn();
    expect(observed).to.deep.equal([]);
  });

  it('does not read for a client that has ended before its turn', async () => {
    const { reads, client, gate, text } = openText(1);
    let endOther = (): void => undefined;
    void gate(() => new Promise<void>((resolve) => (endOther = resolve)));
    expect(await next(text)).to.equal(FIRST);
    markDue(client);
    const second = next(text);
    await turn();
    endClient(client);
    expect(await second).to.equal(undefined);
    endOther();
    await turn();
    expect(reads).to.deep.equal([]);
  });
});
