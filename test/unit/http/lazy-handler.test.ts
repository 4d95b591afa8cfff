import { expect } from 'chai';
import { IncomingMessage, ServerResponse, type RequestListener } from 'node:http';
import { Socket } from 'node:net';
import { lazyHandler } from '../../../src/http/lazy-handler.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a handler that is loaded with the first request', () => {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);

  it('is loaded once for requests that come together, and serves each of them', async () => {
    let loads = 0;
    let served = 0;
    const load = (): Promise<RequestListener> => {
      loads++;
      return Promise.resolve(() => void served++);
    };
    const handle = lazyHandler(load, () => expect.fail('it did not fail'));
    expect(loads).to.equal(0);
    for (let time = 0; time < 3; time++) handle(request, response);
    await turn();
    handle(request, response);
    expect([loads, served]).to.deep.equal([1, 4]);
  });

  it('reports a failure for each request, and is loaded again by the next one', async () => {
    const failures: unknown[] = [];
    let loads = 0;
    let served = 0;
    const load = (): Promise<RequestListener> =>
      ++loads === 1 ? Promise.reject(new Error('no such file')) : Promise.resolve(() => void served++);
    const handle = lazyHandler(load, (of, error) => failures.push(of === response ? error : null));
    handle(request, response);
    handle(request, response);
    await turn();
    expect(failures.map(String)).to.deep.equal(['Error: no such file', 'Error: no such file']);
    handle(request, response);
    await turn();
    expect([loads, served]).to.deep.equal([2, 1]);
  });
});
