import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { DbrError } from '../../../src/errors/dbr-error.js';
import { createBodyMemory, type BodyMemory } from '../../../src/http/body-memory.js';
import { readBody } from '../../../src/http/read-body.js';
import { createUploadRate } from '../../../src/http/upload-rate.js';
import { until } from '../../support/until.js';

const BODY = '{"text":"a short body"}';
const head = (length: number): string =>
  `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${String(length)}\r\n\r\n`;

describe('readBody', () => {
  let server: Server;
  let memory: BodyMemory;
  let usedBefore: number[];

  before(async () => {
    server = createServer((request, response) => {
      const options = { memory, rate: createUploadRate(0, () => performance.now()), limit: 1000 };
      readBody(request, response, options).then(
        (body) => {
          usedBefore.push(memory.used);
          response.end(`[${body.toString()}]`);
        },
        (error: unknown) => response.end(`[${error instanceof DbrError ? error.name : String(error)}]`),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => {
    memory = createBodyMemory(100);
    usedBefore = [];
  });
  after(() => server.close());

  async function withClient(work: (socket: Socket, seen: () => string) => Promise<void>): Promise<void> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
    await work(socket, () => text);
    socket.destroy();
  }
  const bodiesIn = (text: string): readonly string[] =>
    [...text.matchAll(/\[(.*?)\]/g)].map(([, body]) => body ?? '');

  it('reads a body that arrives with its head, beside others of one connection', () =>
    withClient(async (socket, seen) => {
      const second = BODY.replace('short', 'other');
      socket.write(head(BODY.length) + BODY + head(second.length) + second);
      await until(() => bodiesIn(seen()).length === 2);
      expect(bodiesIn(seen())).to.deep.equal([BODY, second]);
      expect(usedBefore).to.deep.equal([BODY.length, BODY.length]);
      await until(() => memory.used === 0);
    }));

  it('reads a body that arrives after its head, in pieces', () =>
    withClient(async (socket, seen) => {
      socket.setNoDelay(true);
      socket.write(head(BODY.length));
      await once(server, 'request');
      for (const character of BODY) socket.write(character);
      await until(() => bodiesIn(seen()).length === 1);
      expect(bodiesIn(seen())).to.deep.equal([BODY]);
      expect(usedBefore).to.deep.equal([BODY.length]);
      await until(() => memory.used === 0);
    }));

  it('refuses a body that arrives with its head when the memory for bodies is used up', () =>
    withClient(async (socket, seen) => {
      memory.take(100 - BODY.length + 1);
      socket.write(head(BODY.length) + BODY);
      await until(() => bodiesIn(seen()).length === 1);
      expect(bodiesIn(seen())).to.deep.equal(['BodyMemoryExhausted']);
      expect(memory.used).to.equal(100 - BODY.length + 1);
    }));
});
