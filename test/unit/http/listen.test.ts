import { expect } from 'chai';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { listen } from '../../../src/http/listen.js';

const HOUR_MS = 3_600_000;

describe('a listening socket', () => {
  it('does not wait for connections without a request when it stops', async () => {
    const listening = await listen((_request, response) => response.end('ok'), {
      host: '127.0.0.1',
      port: 0,
    });
    const socket = createConnection({ host: '127.0.0.1', port: listening.port });
    await once(socket, 'connect');
    // A response on a second connection proves that the server has accepted the first one.
    await (await fetch(listening.url)).text();
    const closed = once(socket, 'close');
    await listening.stop(HOUR_MS);
    await closed;
  });

  it('lets a request in flight finish', async () => {
    let ask: (finish: () => void) => void = () => undefined;
    const asked = new Promise<() => void>((resolve) => (ask = resolve));
    const listening = await listen((_request, response) => ask(() => response.end('late')), {
      host: '127.0.0.1',
      port: 0,
    });
    const answer = fetch(listening.url);
    const finish = await asked;
    const stopped = listening.stop(HOUR_MS);
    finish();
    expect(await (await answer).text()).to.equal('late');
    await stopped;
  });
});
