import { expect } from 'chai';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { exchange } from '../../support/service/exchange.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

const LIMIT = 65_536;
const TOO_LARGE_HEAD = /^HTTP\/1\.1 413 Payload Too Large\r\n/;

describe('the size of a body', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let service: TestService;
  let session: Session;

  before(async () => {
    database = await createTestDatabase();
    session = await openSession(database.uri);
    await session.script('create table public.pages (id int, text text)');
    service = await startTestService(
      {
        areas: 'data-api',
        'db-uri': database.uri,
        'db-anon-role': 'postgres',
        'server-max-body-size': String(LIMIT),
      },
      { logLevel: 'crit' },
    );
    await untilReady(service);
  });
  after(async () => {
    await service.stop();
    await session.close();
    await database.drop();
  });

  const rows = async (): Promise<number> => (await session.query('select from public.pages')).length;

  /** A request by hand, so that the body can end, or not end, as no client would have it. */
  async function begin(head: readonly string[]): Promise<Socket> {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(['POST /pages HTTP/1.1', `Host: ${hostname}`, ...head, '', ''].join('\r\n'));
    return socket;
  }

  /** Reads everything until the service closes the connection. */
  async function answerOf(socket: Socket): Promise<{ readonly head: string; readonly body: string }> {
    let text = '';
    // The service may reset the connection when more arrives than it wants to read.
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    await once(socket, 'close');
    const end = text.indexOf('\r\n\r\n');
    return { head: text.slice(0, end + 2), body: text.slice(end + 4) };
  }

  function expectTooLarge({ head, body }: { readonly head: string; readonly body: string }): void {
    expect(head).to.match(TOO_LARGE_HEAD);
    expect(head.toLowerCase()).to.include('\r\nconnection: close\r\n');
    expect(head.toLowerCase()).to.include('\r\ncontent-type: application/json; charset=utf-8\r\n');
    const json = JSON.parse(body) as unknown;
    expect(json).to.deep.equal({
      code: 'DBR408',
      message: 'Request body too large',
      details: `The limit is ${String(LIMIT)} bytes.`,
      hint: null,
    });
  }

  for (const type of ['application/json', 'text/csv', 'application/x-www-form-urlencoded'])
    it(`is refused by its Content-Length before any of it is received (${type})`, async () => {
      const socket = await begin([`Content-Type: ${type}`, `Content-Length: ${String(LIMIT + 1)}`]);
      expectTooLarge(await answerOf(socket));
      expect(await rows()).to.equal(0);
    });

  it('is refused without Content-Length once it exceeds the limit, before its end', async () => {
    const socket = await begin(['Content-Type: application/json', 'Transfer-Encoding: chunked']);
    const answer = answerOf(socket);
    const piece = `400\r\n${' '.repeat(1024)}\r\n`;
    for (let sent = 0; sent <= LIMIT; sent += 1024) socket.write(piece);
    // The last chunk, which would end the body, is never sent.
    expectTooLarge(await answer);
    expect(await rows()).to.equal(0);
  });

  it('may equal the limit', async () => {
    const frame = JSON.stringify({ id: 1, text: '' });
    const body = JSON.stringify({ id: 1, text: 'x'.repeat(LIMIT - frame.length) });
    expect(body).to.have.length(LIMIT);
    expect((await exchange(`${service.url}/pages`, 'POST', { body })).status).to.equal(201);
    expect(await session.query('select id, length(text) as length from public.pages')).to.deep.equal([
      { id: 1, length: LIMIT - frame.length },
    ]);
  });

  it('that is too large ends the connection: a request behind it is not handled', async () => {
    const before = await rows();
    const [large, row] = [' '.repeat(LIMIT + 1), '{"id": 3}'];
    const socket = await begin(['Content-Type: application/json', `Content-Length: ${String(large.length)}`]);
    const next = ['POST /pages HTTP/1.1', 'Host: x', `Content-Length: ${String(row.length)}`, '', row];
    socket.write(large + next.join('\r\n'));
    expectTooLarge(await answerOf(socket));
    expect(await rows()).to.equal(before);
    expect(await (await fetch(`${service.adminUrl}/metrics`)).text()).to.match(/^dbr_request_body_bytes 0$/m);
  });

  it('frees its memory when the client disconnects', async () => {
    const before = await rows();
    const socket = await begin(['Content-Type: application/json', 'Content-Length: 1000']);
    socket.write('{"id": 2}');
    socket.end();
    await answerOf(socket);
    expect((await exchange(`${service.url}/pages?id=eq.2`, 'GET')).json).to.deep.equal([]);
    expect(await rows()).to.equal(before);
  });
});
