import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { connect, type AddressInfo, Socket } from 'node:net';
import { DbrError } from '../../../src/errors/dbr-error.js';
import { createBodyMemory, type BodyLender, type BodyMemory } from '../../../src/http/body-memory.js';
import { readBody, SHORT_BODY } from '../../../src/http/read-body.js';
import { createUploadRate } from '../../../src/http/upload-rate.js';
import { until } from '../../support/until.js';

const BODY = '{"text":"a short body"}';
const head = (length: number): string =>
  `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${String(length)}\r\n\r\n`;

/** Reads a body without a declared length that has arrived before it is read. */
function readArrived(
  pieces: readonly string[],
  memory: BodyMemory,
  admit?: () => Promise<boolean>,
): Promise<Buffer> {
  const request = new IncomingMessage(new Socket());
  request.headers = { 'transfer-encoding': 'chunked' };
  for (const piece of pieces) request.push(Buffer.from(piece));
  request.push(null);
  const rate = createUploadRate(0, () => performance.now());
  const options = { memory, rate, limit: 1_000_000, ...(admit === undefined ? {} : { admit }) };
  return readBody(request, new ServerResponse(request), options);
}

function describeError(error: unknown): string {
  if (!(error instanceof DbrError)) return String(error);
  return typeof error.details === 'string' ? `${error.name}: ${error.details}` : error.name;
}

describe('readBody', () => {
  let server: Server;
  let memory: BodyMemory;
  let usedBefore: number[];
  /** The events of requests to which listeners were added. */
  let listenedTo: Set<string | symbol>;
  let onServerClose: (nothing: null) => void = () => undefined;

  before(async () => {
    server = createServer((request, response) => {
      const options = { memory, rate: createUploadRate(0, () => performance.now()), limit: 1000 };
      request.on('newListener', (event: string | symbol) => listenedTo.add(event));
      response.once('close', () => onServerClose(null));
      readBody(request, response, options).then(
        (body) => {
          usedBefore.push(memory.used);
          response.end(`[${body.toString()}]`);
        },
        (error: unknown) => response.end(`[${describeError(error)}]`),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => {
    memory = createBodyMemory({ own: 100, lent: 0 }, null);
    usedBefore = [];
    listenedTo = new Set();
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
      // Listeners cost more than the rest of the reading.
      expect([...listenedTo]).not.to.include('data');
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

  it('refuses a body that is longer than the memory for bodies, with its length as the limit', () =>
    withClient(async (socket, seen) => {
      socket.write(head(101));
      await until(() => bodiesIn(seen()).length === 1);
      expect(bodiesIn(seen())).to.deep.equal(['PayloadTooLarge: The limit is 100 bytes.']);
    }));

  describe('with memory that is lent', () => {
    let asked: number[];
    let repaid: number;
    let lend: (bytes: number) => void;
    beforeEach(() => {
      asked = [];
      repaid = 0;
      const lender: BodyLender = {
        borrow(least) {
          asked.push(least);
          return new Promise((resolve) => (lend = resolve));
        },
        repay: (bytes) => void (repaid += bytes),
      };
      memory = createBodyMemory({ own: 10, lent: 990 }, lender);
    });

    it('waits for the loan, and repays it after the response', () =>
      withClient(async (socket, seen) => {
        socket.write(head(BODY.length) + BODY);
        await until(() => asked.length === 1);
        expect(asked).to.deep.equal([BODY.length]);
        lend(500);
        await until(() => bodiesIn(seen()).length === 1);
        expect(bodiesIn(seen())).to.deep.equal([BODY]);
        expect(usedBefore).to.deep.equal([BODY.length]);
        await until(() => repaid === 500);
        expect(memory.used).to.equal(0);
      }));

    it('receives no more of a body before the loan, and the rest of it afterwards', () =>
      withClient(async (socket, seen) => {
        socket.setNoDelay(true);
        socket.write(head(900));
        await once(server, 'request');
        for (let piece = 0; piece < 9; piece++) {
          const text = String(piece).repeat(100);
          socket.write(text);
          await until(() => asked.length === piece + 1);
          lend(100);
        }
        await until(() => bodiesIn(seen()).length === 1);
        expect(bodiesIn(seen())[0]).to.equal(
          Array.from({ length: 9 }, (_, piece) => String(piece).repeat(100)).join(''),
        );
        await until(() => repaid === 900);
      }));

    it('waits for the loan of the last bytes of a body that has arrived', async () => {
      const body = readArrived(['begin ', 'and the rest'], memory);
      await until(() => asked.length === 1);
      // The stream has reported its end by then.
      await new Promise((resolve) => setImmediate(resolve));
      lend(500);
      expect((await body).toString()).to.equal('begin and the rest');
      expect(memory.used).to.equal(18);
    });

    it('counts loans that are made at the same time', async () => {
      const loans: ((bytes: number) => void)[] = [];
      memory = createBodyMemory(
        { own: 10, lent: 990 },
        {
          borrow: () => new Promise((resolve) => loans.push(resolve)),
          repay: (bytes) => void (repaid += bytes),
        },
      );
      const both = Promise.all([memory.borrow(100), memory.borrow(200)]);
      for (const give of loans) give(300);
      await both;
      memory.release(100);
      memory.release(200);
      expect([memory.used, repaid]).to.deep.equal([0, 600]);
    });

    it('refuses a body for which nothing is lent', () =>
      withClient(async (socket, seen) => {
        socket.write(head(BODY.length) + BODY);
        await until(() => asked.length === 1);
        lend(0);
        await until(() => bodiesIn(seen()).length === 1);
        expect(bodiesIn(seen())).to.deep.equal(['BodyMemoryExhausted']);
        expect([memory.used, repaid]).to.deep.equal([0, 0]);
      }));

    for (const early of ['', BODY])
      it(`repays a loan for a client that has gone, ${early === '' ? 'while' : 'after'} its body arrives`, () =>
        withClient(async (socket) => {
          socket.setNoDelay(true);
          socket.write(head(BODY.length) + early);
          if (early === '') {
            await once(server, 'request');
            socket.write(BODY.slice(1));
          }
          await until(() => asked.length === 1);
          const closed = new Promise((resolve) => (onServerClose = resolve));
          socket.destroy();
          await closed;
          lend(500);
          await until(() => repaid === 500);
          expect(memory.used).to.equal(0);
        }));
  });

  it('reads a body that has ended before the request is admitted', async () => {
    memory = createBodyMemory({ own: 1_000_000, lent: 0 }, null);
    const long = 'x'.repeat(SHORT_BODY + 1);
    const body = await readArrived([long], memory, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return true;
    });
    expect(body.length).to.equal(long.length);
  });

  it('joins short pieces of a body while it arrives', async () => {
    memory = createBodyMemory({ own: 1_000_000, lent: 0 }, null);
    const pieces = Array.from({ length: 20_000 }, (_, index) => String(index % 10));
    const concat = Buffer.concat.bind(Buffer);
    let most = 0;
    Buffer.concat = (list, length) => {
      most = Math.max(most, list.length);
      return concat(list, length);
    };
    try {
      expect((await readArrived(pieces, memory)).toString()).to.equal(pieces.join(''));
    } finally {
      Buffer.concat = concat;
    }
    expect(most).to.be.lessThan(2048);
    expect(memory.used).to.equal(pieces.length);
  });

  it('refuses a body that arrives with its head when the memory for bodies is used up', () =>
    withClient(async (socket, seen) => {
      memory.take(100 - BODY.length + 1);
      socket.write(head(BODY.length) + BODY);
      await until(() => bodiesIn(seen()).length === 1);
      expect(bodiesIn(seen())).to.deep.equal(['BodyMemoryExhausted']);
      expect(memory.used).to.equal(100 - BODY.length + 1);
    }));
});
