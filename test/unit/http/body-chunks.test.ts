import { expect } from 'chai';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { receiveChunks } from '../../../src/http/data-endpoint.js';
import { createBodyMemory } from '../../../src/http/body-memory.js';
import { createUploadRate } from '../../../src/http/upload-rate.js';

describe('the chunks of a body', () => {
  it('leave no memory taken if the request ends while memory is borrowed for one', async () => {
    let lend: (bytes: number) => void = () => undefined;
    const loan = new Promise<number>((resolve) => (lend = resolve));
    const lender = { borrow: () => loan, repay: () => undefined };
    const memory = createBodyMemory({ own: 0, lent: 1000 }, lender);
    const request = new IncomingMessage(new Socket());
    request.push(Buffer.from('chunk'));
    const rate = createUploadRate(0, () => performance.now());
    const chunks = receiveChunks(request, new ServerResponse(request), { memory, rate });
    const next = chunks.next();
    await new Promise((resolve) => setImmediate(resolve));
    chunks.end();
    lend(1000);
    expect(await next).to.equal(null);
    expect(memory.used).to.equal(0);
  });
});
