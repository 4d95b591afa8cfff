import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { openSender, type Sender } from '../../support/contract-check/send.js';

const OUTGOING = { method: 'GET', target: '/', headers: {}, body: null };

describe('a sender', () => {
  let server: Server;
  let sender: Sender;
  let connections: number;

  async function start(listener: RequestListener): Promise<void> {
    connections = 0;
    server = createServer(listener).on('connection', () => (connections += 1));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    sender = openSender(
      `http://127.0.0.1:${String(typeof address === 'object' && address !== null ? address.port : 0)}`,
    );
  }

  afterEach(() => {
    sender.close();
    server.close();
    server.closeAllConnections();
  });

  it('sends requests one after another on one connection', async () => {
    await start((request, response) => {
      response.setHeader('X-Names', ['a', 'b']);
      response.end(`${request.method ?? ''} ${request.url ?? ''} ${request.headers['content-length'] ?? ''}`);
    });
    const first = await sender.send({ ...OUTGOING, target: '/a?b=c' });
    expect(String(first.body)).to.equal('GET /a?b=c ');
    expect(first).to.deep.include({ status: 200 });
    expect(first.headers).to.include({ 'x-names': 'a, b' });
    const second = await sender.send({ ...OUTGOING, method: 'POST', body: Buffer.from('é') });
    expect(String(second.body)).to.equal('POST / 2');
    expect(connections).to.equal(1);
  });

  it('leaves a stream of events, and a body that is too long, before their end', async () => {
    await start((request, response) => {
      const isStream = request.url === '/stream';
      response.writeHead(200, {
        'Content-Type': isStream ? 'text/event-stream; charset=utf-8' : 'text/plain',
      });
      response.write(isStream ? ': open\n\n' : Buffer.alloc(4_194_305));
    });
    for (const target of ['/stream', '/long'])
      expect(await sender.send({ ...OUTGOING, target }), target).to.deep.include({ status: 200, body: null });
  });

  it('fails where the answer switches to another protocol', async () => {
    await start((_request, response) =>
      response.writeHead(101, { Connection: 'Upgrade', Upgrade: 'other' }).flushHeaders(),
    );
    const error: unknown = await sender.send(OUTGOING).catch((refusal: unknown) => refusal);
    expect(error).to.have.property('message', 'the answer switches to another protocol');
  });

  it('reads a body of the longest length to its end', async () => {
    await start((_request, response) => response.end(Buffer.alloc(4_194_304)));
    expect((await sender.send(OUTGOING)).body).to.have.length(4_194_304);
  });

  it('fails if an answer ends too early, before or in its body', async () => {
    await start((request, response) => {
      if (request.url === '/none') request.socket.destroy();
      else response.writeHead(200, { 'Content-Length': '10' }).write('part', () => request.socket.destroy());
    });
    for (const target of ['/none', '/part']) {
      const failure = await sender
        .send({ ...OUTGOING, target })
        .then(String, (error: Error) => error.message);
      expect(failure, target).to.match(/hang up|ECONNRESET|aborted/);
    }
  });
});
