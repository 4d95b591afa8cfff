import type { Reply } from '../../../src/contract/reply.js';
import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { sendReply } from '../../../src/http/reply.js';
import { until } from '../../support/until.js';

/** More than the sockets of both sides hold. */
const LONG = 16_777_216;
const PIECE = 65_536;

const bodyOf = (length: number): Buffer => Buffer.alloc(length, 'a body whose bytes must not change');
const piecesOf = (body: Buffer): readonly Buffer[] =>
  Array.from({ length: Math.ceil(body.length / PIECE) }, (_, at) =>
    Buffer.from(body.subarray(at * PIECE, (at + 1) * PIECE)),
  );

describe('sendReply', () => {
  let server: Server;
  let reply: Reply;
  let released: number;

  before(async () => {
    server = createServer((request, response) => void sendReply(response, reply, [], request.method ?? ''));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => (released = 0));
  after(() => server.close());

  /** What a new owner of the memory does to it. */
  function release(piece: Buffer): void {
    released++;
    piece.fill('!');
  }

  async function begin(body: Reply['body']): Promise<IncomingMessage> {
    reply = { status: 200, headers: [], body, release };
    const { port } = server.address() as AddressInfo;
    const [response] = (await once(get({ port, agent: false }), 'response')) as [IncomingMessage];
    return response;
  }

  for (const [length, title] of [
    [100, 'short'],
    [20_000, 'medium'],
    [LONG, 'long'],
  ] as const)
    it(`releases the memory of a ${title} body once it is written, and not before`, async () => {
      const pieces = piecesOf(bodyOf(length));
      const response = await begin(pieces);
      expect((await buffer(response)).equals(bodyOf(length))).to.equal(true);
      await until(() => released === pieces.length);
    });

  it('lets no document act as a page of this origin, whatever its type, unless it says so', async () => {
    const policyOf = async (headers: Reply['headers']): Promise<unknown> => {
      reply = { status: 200, headers, body: [Buffer.from('<p>')] };
      const { port } = server.address() as AddressInfo;
      const [response] = (await once(get({ port, agent: false }), 'response')) as [IncomingMessage];
      response.resume();
      return response.headers['content-security-policy'];
    };
    for (const type of [
      'text/html',
      'Text/HTML; charset=utf-8',
      ' text/html',
      'application/json, text/html',
      'application/xhtml+xml',
      'image/svg+xml',
      'text/xml',
    ])
      expect(await policyOf([['content-type', type]]), type).to.equal("sandbox; frame-ancestors 'none'");
    expect(await policyOf([['Content-Type', 'application/json; charset=utf-8']])).to.equal(undefined);
    const own = ['content-security-policy', "default-src 'self'"] as const;
    expect(await policyOf([['Content-Type', 'text/html'], own])).to.equal("default-src 'self'");
  });

  it('releases the memory of a streamed body piece by piece, each once it is written', async () => {
    const pieces = piecesOf(bodyOf(LONG));
    const response = await begin(Readable.from(pieces));
    await until(() => released > 0);
    expect(released).to.be.lessThan(pieces.length);
    expect((await buffer(response)).equals(bodyOf(LONG))).to.equal(true);
    await until(() => released === pieces.length);
  });
});
