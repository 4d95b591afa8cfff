import { expect } from 'chai';
import { openInbox } from '../../../inbox/inbox.js';
import { item } from '../../support/inbox/notification.js';
import { until } from '../../support/until.js';

describe('the inbox without its page', () => {
  it('reads the list again if its stream was lost before the first event', async () => {
    const lists = [[], [item(1)]];
    const streams = ['retry: 1\n\n', 'id: 5\nevent: unread-count\ndata: {"count":1}\n\n'];
    let listed = 0;
    let opened = 0;
    const inbox = openInbox({
      url: 'http://service.test',
      token: () => 'token',
      view: { place: 'inbox', category: null },
      onChange: () => undefined,
      onCreated: () => undefined,
      fetch: (input) => {
        if (typeof input !== 'string' || !input.includes('/stream'))
          return Promise.resolve(Response.json({ items: lists[listed++], nextCursor: null }));
        const text = streams[opened++];
        const body = new ReadableStream<Uint8Array>({
          async start(controller) {
            controller.enqueue(new TextEncoder().encode(text));
            // The first stream is lost after the list was read, the second one stays.
            await until(() => listed === opened);
            if (opened === 1) controller.close();
          },
        });
        return Promise.resolve(new Response(body));
      },
    });
    await until(() => inbox.state.unread === 1 && inbox.state.items.length === 1);
    inbox.close();
    expect([listed, opened]).to.deep.equal([2, 2]);
  });
});
