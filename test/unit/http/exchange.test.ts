import { expect } from 'chai';
import { once } from 'node:events';
import {
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { connect } from 'node:net';
import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DbrError } from '../../../src/errors/dbr-error.js';
import { listen, type Listening } from '../../../src/http/listen.js';
import { createBodyMemory } from '../../../src/http/body-memory.js';
import { ClientGone, readBody, type BodyBounds } from '../../../src/http/read-body.js';
import { createUploadRate } from '../../../src/http/upload-rate.js';
import { openRawClient } from '../../support/service/raw-client.js';
import { jsonReply, sendReply } from '../../../src/http/reply.js';

interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

function ask(listening: Listening, options: RequestOptions, body?: Buffer | string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port: listening.port, agent: false, ...options },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            reason: response.statusMessage ?? '',
            headers: response.headers,
            rawHeaders: response.rawHeaders,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

async function serving(
  handler: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  work: (listening: Listening) => Promise<void>,
): Promise<void> {
  const listening = await listen((request, response) => void handler(request, response), {
    host: '127.0.0.1',
    port: 0,
  });
  try {
    await work(listening);
  } finally {
    await listening.stop(0);
  }
}

describe('replies', () => {
  it('have length, reason and headers, also repeated ones', async () => {
    await serving(
      (request, response) =>
        sendReply(
          response,
          {
            status: 404,
            reason: 'Not Here',
            headers: [
              ['Set-Cookie', 'a=1'],
              ['Set-Cookie', 'b=2'],
            ],
            body: [Buffer.from('né'), Buffer.from('!')],
          },
          [['Server', 'dbr/x']],
          request.method ?? '',
        ),
      async (listening) => {
        const answer = await ask(listening, {});
        expect(answer).to.include({ status: 404, reason: 'Not Here', body: 'né!' });
        expect(answer.headers).to.include({ 'content-length': '4', server: 'dbr/x' });
        expect(answer.headers['set-cookie']).to.deep.equal(['a=1', 'b=2']);
      },
    );
  });

  it('replace common headers by their own, in any case of the name', async () => {
    await serving(
      (_request, response) =>
        sendReply(
          response,
          {
            status: 200,
            headers: [
              ['server', 'teapot'],
              ['Access-Control-Allow-Origin', 'https://tea.example'],
            ],
            body: null,
          },
          [
            ['Server', 'dbr/x'],
            ['Access-Control-Allow-Origin', '*'],
            ['X-Request-Id', 'r1'],
          ],
          'GET',
        ),
      async (listening) => {
        const { rawHeaders } = await ask(listening, {});
        const given = rawHeaders.slice(0, rawHeaders.indexOf('Date'));
        expect(given).to.deep.equal([
          ...['X-Request-Id', 'r1', 'server', 'teapot'],
          ...['Access-Control-Allow-Origin', 'https://tea.example', 'Content-Length', '0'],
        ]);
      },
    );
  });

  it('to HEAD have the length of GET and no content, those of 204 and 304 neither', async () => {
    await serving(
      (request, response) =>
        sendReply(
          response,
          { ...jsonReply(200, { a: 1 }), status: Number(request.url?.slice(1)) },
          [],
          request.method ?? '',
        ),
      async (listening) => {
        for (const [method, path, length] of [
          ['HEAD', '/200', '7'],
          ['GET', '/204', undefined],
          ['GET', '/304', undefined],
        ] as const) {
          const answer = await ask(listening, { method, path });
          expect(answer).to.include({ body: '' });
          expect(answer.headers['content-length']).to.equal(length);
        }
        const empty = await ask(listening, { path: '/200' });
        expect(empty.headers).to.include({
          'content-length': '7',
          'content-type': 'application/json; charset=utf-8',
        });
      },
    );
  });

  it('stream with back-pressure until the client disconnects', async () => {
    const { promise: generatorEnded, resolve: stopped } = withResolvers<void>();
    const turn = () => new Promise(setImmediate);
    let pieces = 0;
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) {
          pieces += 1;
          yield 'x'.repeat(65_536);
          await turn();
        }
      } finally {
        stopped();
      }
    }
    await serving(
      (_request, response) => sendReply(response, { status: 200, headers: [], body: endless() }, [], 'GET'),
      async (listening) => {
        const socket = connect(listening.port, '127.0.0.1');
        socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
        await once(socket, 'data');
        socket.pause();
        // No piece is asked for once the client, which does not read, and the system have as many bytes as they take.
        for (let before = -1; before !== pieces;) {
          before = pieces;
          for (let turns = 0; turns < 100; turns += 1) await turn();
          expect(pieces).to.be.below(2000);
        }
        socket.destroy();
        await generatorEnded;
      },
    );
  });
});

const bounds = (memory = createBodyMemory({ own: 1_048_576, lent: 0 }, null)): BodyBounds => ({
  memory,
  rate: createUploadRate(0, () => 0),
});

describe('request bodies', () => {
  const echo = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await sendReply(
        response,
        { status: 200, headers: [], body: [await readBody(request, response, { ...bounds(), limit: 10 })] },
        [],
        'POST',
      );
    } catch (error) {
      if (!(error instanceof DbrError)) return;
      await sendReply(
        response,
        jsonReply(error.status, { code: error.code, message: error.message }, Object.entries(error.headers)),
        [],
        'POST',
      );
    }
  };

  it('are read as bytes up to the limit', async () => {
    await serving(echo, async (listening) => {
      for (const body of ['', '0123456789'])
        expect((await ask(listening, { method: 'POST' }, body)).body).to.equal(body);
    });
  });

  it('over the limit are refused, declared or not, without being read', async () => {
    await serving(echo, async (listening) => {
      const declared = await ask(
        listening,
        { method: 'POST', headers: { 'Content-Length': '1000000000' } },
        undefined,
      ).catch((error: Error) => error);
      const chunked = await ask(
        listening,
        { method: 'POST', headers: { 'Transfer-Encoding': 'chunked' } },
        '0123456789a',
      );
      expect(chunked).to.include({ status: 413 });
      expect(chunked.headers.connection).to.equal('close');
      expect(declared).to.include({ status: 413 });
    });
  });

  it('use the shared memory until the response, and are refused if it is exhausted', async () => {
    const memory = createBodyMemory({ own: 15, lent: 0 }, null);
    const { promise: released, resolve: release } = withResolvers<void>();
    const outcomes: string[] = [];
    await serving(
      async (request, response) => {
        const body = await readBody(request, response, { ...bounds(memory), limit: 100 }).catch(
          (error: unknown) => error,
        );
        if (body instanceof DbrError) outcomes.push(`${body.code} ${body.headers['Retry-After'] ?? ''}`);
        else await released;
        await sendReply(response, jsonReply(200, {}), [], 'POST');
      },
      async (listening) => {
        const first = ask(listening, { method: 'POST' }, '0123456789');
        while (memory.used < 10) await delay(5);
        await ask(listening, { method: 'POST' }, '012345');
        expect(outcomes).to.deep.equal(['DBR433 1']);
        release();
        await first;
        while (memory.used > 0) await delay(5);
        await ask(listening, { method: 'POST' }, '012345678901234');
        expect(outcomes).to.have.length(1);
      },
    );
  });

  it('that are long are received, and requested by 100 Continue, after their admission', async () => {
    const { promise: admitted, resolve: admit } = withResolvers<boolean>();
    let asked = 0;
    await serving(
      async (request, response) => {
        const body = await readBody(request, response, {
          ...bounds(),
          limit: 1_000_000,
          admit() {
            asked += 1;
            return admitted;
          },
        });
        await sendReply(response, jsonReply(200, body.length), [], 'POST');
      },
      async (listening) => {
        const short = await ask(listening, { method: 'POST' }, Buffer.alloc(65_536));
        expect({ asked, body: short.body }).to.deep.equal({ asked: 0, body: '65536' });
        const client = await openRawClient({ host: '127.0.0.1', port: listening.port });
        client.send('POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 65537\r\n\r\n');
        while (asked === 0) await delay(5);
        expect(client.received()).to.equal('');
        admit(true);
        await client.until(/^HTTP\/1.1 100 Continue\r\n\r\n$/);
        client.send('x'.repeat(65_537));
        await client.until(/HTTP\/1.1 200 OK[^]*65537$/);
        client.socket.destroy();
        const chunked = await ask(
          listening,
          { method: 'POST', headers: { 'Transfer-Encoding': 'chunked' } },
          Buffer.alloc(500_000),
        );
        expect({ asked, body: chunked.body }).to.deep.equal({ asked: 2, body: '500000' });
      },
    );
  });

  it('are received whatever else the client expects', async () => {
    await serving(
      async (request, response) => {
        const body = await readBody(request, response, { ...bounds(), limit: 100 });
        await sendReply(response, jsonReply(200, body.length), [], 'POST');
      },
      async (listening) => {
        const client = await openRawClient({ host: '127.0.0.1', port: listening.port });
        client.send('POST / HTTP/1.1\r\nHost: x\r\nExpect: a-parrot\r\nContent-Length: 5\r\n\r\nhello');
        await client.until(/^HTTP\/1\.1 200 OK[^]*\r\n\r\n5$/);
        client.socket.destroy();
      },
    );
  });

  it('of HTTP/1.0 are received without 100 Continue, which would be taken for the response', async () => {
    let hasBegun = false;
    await serving(
      async (request, response) => {
        hasBegun = true;
        const body = await readBody(request, response, { ...bounds(), limit: 100 });
        await sendReply(response, jsonReply(200, body.length), [], 'POST');
      },
      async (listening) => {
        const client = await openRawClient({ host: '127.0.0.1', port: listening.port });
        client.send('POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n');
        while (!hasBegun) await delay(5);
        client.send('hello');
        expect(await client.closed()).to.match(/^HTTP\/1\.1 200 OK[^]*\r\n\r\n5$/);
      },
    );
  });

  it('that arrive too slowly are refused', async () => {
    const time = { now: 0 };
    const rate = createUploadRate(1000, () => time.now, 20);
    const { promise: outcome, resolve } = withResolvers<unknown>();
    await serving(
      async (request, response) => {
        const reading = readBody(request, response, { ...bounds(), rate, limit: 1_000_000 });
        time.now = 1000;
        resolve(await reading.catch((error: unknown) => error));
      },
      async (listening) => {
        const client = await openRawClient({ host: '127.0.0.1', port: listening.port });
        client.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nabc');
        expect(await outcome).to.include({ code: 'DBR432', status: 408 });
        client.socket.destroy();
      },
    );
  });

  it('fail with ClientGone if the client disconnects before their end', async () => {
    const { promise: outcome, resolve } = withResolvers<unknown>();
    const { promise: begun, resolve: begin } = withResolvers<void>();
    await serving(
      async (request, response) => {
        const reading = readBody(request, response, { ...bounds(), limit: 1000 });
        begin();
        resolve(await reading.catch((error: unknown) => error));
      },
      async (listening) => {
        const socket = connect(listening.port, '127.0.0.1');
        socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc');
        await begun;
        socket.destroy();
        expect(await outcome).to.be.instanceOf(ClientGone);
      },
    );
  });
});

describe('listening', () => {
  it('lets a request in flight finish when it stops', async () => {
    const { promise: released, resolve: finish } = withResolvers<void>();
    const { promise: inFlight, resolve: arrived } = withResolvers<void>();
    const listening = await listen(
      (_request, response) => {
        arrived();
        void released.then(() => response.end('done'));
      },
      { host: '127.0.0.1', port: 0 },
    );
    const answer = ask(listening, {});
    await inFlight;
    const stopped = listening.stop(10_000);
    expect(await listening.isReachable()).to.equal(false);
    finish();
    expect((await answer).body).to.equal('done');
    await stopped;
  });

  it('serves on a Unix socket with the given mode, over a stale one', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'dbr-socket-')), 'dbr.sock');
    for (let round = 0; round < 2; round++) {
      const listening = await listen((_request, response) => response.end('ok'), {
        host: '',
        port: 0,
        unixSocket: { path, mode: 0o600 },
      });
      expect(statSync(path).mode & 0o777).to.equal(0o600);
      expect((await ask(listening, { socketPath: path })).body).to.equal('ok');
      expect(await listening.isReachable()).to.equal(true);
      await listening.stop(0);
    }
  });
});
