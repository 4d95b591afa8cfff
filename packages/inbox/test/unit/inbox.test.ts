import { expect } from 'chai';
import { openInbox, type Inbox } from '../../src/inbox.js';
import { item } from '../../../../test/support/inbox/notification.js';
import { until } from '../../../../test/support/until.js';

const SERVICE = 'http://service.test';
const COUNT = 'id: 5\nevent: unread-count\ndata: {"count":1}\n\n';

const isStream = (input: Parameters<typeof fetch>[0]): boolean =>
  typeof input === 'string' && input.includes('/stream');

/** Returns a stream that sends the text and stays open until `end` is called. */
const streamOf = (text: string, ended: () => Promise<void> = () => new Promise(() => undefined)): Response =>
  new Response(
    new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode(text));
        await ended();
        controller.close();
      },
    }),
  );

const open = (send: typeof fetch, onCreated: (title: string) => void = () => undefined): Inbox =>
  openInbox({
    url: SERVICE,
    token: () => 'token',
    view: { place: 'inbox', category: null },
    onChange: () => undefined,
    onCreated: ({ title }) => onCreated(title),
    fetch: send,
  });

describe('the inbox without its page', () => {
  it('reads the list again if its stream was lost before the first event', async () => {
    const lists = [[], [item(1)]];
    let listed = 0;
    let opened = 0;
    const inbox = open((input) => {
      if (!isStream(input))
        return Promise.resolve(Response.json({ items: lists[listed++], nextCursor: null }));
      opened += 1;
      if (opened > 1) return Promise.resolve(streamOf(COUNT));
      return Promise.resolve(streamOf('retry: 1\n\n', () => until(() => listed === 1)));
    });
    await until(() => inbox.state.unread === 1 && inbox.state.items.length === 1);
    inbox.close();
    expect([listed, opened]).to.deep.equal([2, 2]);
  });

  it('opens a refused stream again when its user tries again', async () => {
    let allowed = false;
    const inbox = open((input) => {
      if (!allowed) return Promise.resolve(new Response(null, { status: 403 }));
      return Promise.resolve(
        isStream(input) ? streamOf(COUNT) : Response.json({ items: [item(1)], nextCursor: null }),
      );
    });
    await until(() => inbox.connection === 'refused');
    expect(inbox.list).to.equal('failed');
    allowed = true;
    await inbox.reload();
    await until(() => inbox.connection === 'open' && inbox.state.unread === 1);
    expect(inbox.state.items).to.have.length(1);
    inbox.close();
  });

  it('opens a refused stream again when it reads the list of another view', async () => {
    let allowed = false;
    const inbox = open((input) => {
      if (!allowed) return Promise.resolve(new Response(null, { status: 401 }));
      return Promise.resolve(
        isStream(input) ? streamOf(COUNT) : Response.json({ items: [], nextCursor: null }),
      );
    });
    await until(() => inbox.connection === 'refused');
    allowed = true;
    inbox.show({ place: 'archive', category: null });
    await until(() => inbox.connection === 'open' && inbox.list === 'ready');
    inbox.close();
  });

  it('reports what was created in the inbox, but nothing that quiet hours hold', async () => {
    const held = item(1, { snoozedUntil: '2026-03-02T06:00:00.000Z' });
    const events = [held, item(2, { archivedAt: '2026-03-01T09:30:00.000Z' }), item(3)].map(
      (data) => `event: notification.created\ndata: ${JSON.stringify(data)}\n\n`,
    );
    const created: string[] = [];
    const inbox = open(
      (input) =>
        Promise.resolve(
          isStream(input)
            ? streamOf(COUNT + events.join(''))
            : Response.json({ items: [item(3)], nextCursor: null }),
        ),
      (title) => created.push(title),
    );
    await until(() => created.includes('item 3'));
    inbox.close();
    expect(created).to.deep.equal(['item 3']);
  });

  it('ends its requests when it is closed', async () => {
    const signals: (AbortSignal | null | undefined)[] = [];
    const inbox = open((input, init) => {
      if (isStream(input)) return Promise.resolve(streamOf(COUNT));
      signals.push(init?.signal);
      return new Promise(() => undefined);
    });
    await until(() => signals.length === 1);
    expect(signals[0]?.aborted).to.equal(false);
    inbox.close();
    expect(signals[0]?.aborted).to.equal(true);
  });
});
