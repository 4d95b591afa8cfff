import { expect } from 'chai';
import { once } from 'node:events';
import {
  Agent,
  IncomingMessage,
  request as httpRequest,
  type RequestListener,
  ServerResponse,
} from 'node:http';
import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { turnOfTheEventLoop } from '../../../src/base/turns.js';
import { clientAddresses } from '../../../src/http/client-address.js';
import { createConnections } from '../../../src/http/connections.js';
import { renderError } from '../../../src/http/error-reply.js';
import { listen, type Listening, type ListenOptions } from '../../../src/http/listen.js';
import { openRawClient, targetOf, type RawClient } from '../../support/service/raw-client.js';
import type { Observation } from '../../../src/observability/observation.js';
import { runs } from '../../support/runs.js';
import { until } from '../../support/until.js';

const get = (path: string, headers: readonly string[] = []): string =>
  [`GET ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');

/** Waits until the condition holds; the test's own timeout bounds it. */
async function serving(
  handler: RequestListener,
  options: Partial<ListenOptions>,
  work: (listening: Listening, open: () => Promise<RawClient>) => Promise<void>,
): Promise<void> {
  const listening = await listen(handler, {
    host: '127.0.0.1',
    port: 0,
    renderError: (error) => renderError(error, 'dbr/test', 'DBR'),
    ...options,
  });
  try {
    await work(listening, () => openRawClient(targetOf(listening.url)));
  } finally {
    await listening.stop(0);
  }
}

describe('the requests of one connection', () => {
  it('start one after another, when the previous response has been written', async () => {
    const started: string[] = [];
    const answers: ServerResponse[] = [];
    await serving(
      (request, response) => {
        started.push(request.url ?? '');
        answers.push(response);
      },
      {},
      async (_listening, open) => {
        const client = await open();
        client.send(get('/1') + get('/2') + get('/3'));
        await until(() => started.length === 1);
        answers[0]?.end('one');
        await until(() => started.length === 2);
        // The third request does not start before the second response is written.
        await client.until(/one$/);
        expect(started).to.deep.equal(['/1', '/2']);
        answers[1]?.end('two');
        await until(() => started.length === 3);
        answers[2]?.end('three');
        expect(await client.until(/three$/)).to.match(/one[^]*two[^]*three/);
        client.socket.destroy();
      },
    );
  });

  it('do not start while the client leaves a response unread', async () => {
    const started: string[] = [];
    const answer = Buffer.alloc(16 * 1_048_576, 'x');
    await serving(
      (request, response) => {
        started.push(request.url ?? '');
        response.end(answer);
      },
      {},
      async (listening, open) => {
        const client = await open();
        client.socket.pause();
        client.send(Array.from({ length: 9 }, (_, index) => get(`/${String(index)}`)).join(''));
        await until(() => started.length === 1);
        // Another connection is served meanwhile, several times.
        for (let round = 0; round < 3; round += 1) {
          const other = await open();
          other.send(get('/', ['Connection: close']));
          expect((await other.closed()).length).to.be.greaterThan(answer.length);
        }
        expect(started.filter((path) => path !== '/')).to.deep.equal(['/0']);
        client.socket.destroy();
        await until(() => listening.connections === 0);
        expect(started.filter((path) => path !== '/')).to.deep.equal(['/0']);
      },
    );
  });

  it('get their responses in order, also thousands of them', async () => {
    await serving(
      (request, response) => setImmediate(() => response.end(`<${request.url ?? ''}>`)),
      {},
      async (_listening, open) => {
        const client = await open();
        const count = runs(4000, 2000);
        client.send(Array.from({ length: count }, (_, index) => get(`/${String(index)}`)).join(''));
        // A pattern would read all that came with each piece of it.
        await until(() => client.received().endsWith(`</${String(count - 1)}>`));
        const text = client.received();
        const order = [...text.matchAll(/<\/(\d+)>/g)].map(([, number]) => Number(number));
        expect(order).to.deep.equal(Array.from({ length: count }, (_, index) => index));
        client.socket.destroy();
      },
    );
  }).timeout(120_000);
});

describe('pipelined requests of several connections', () => {
  const CLIENTS = 4;
  const REQUESTS = 40;
  const WORK_MS = 3;

  /** A request that needs no I/O, and a fixed time of the thread. */
  function work(): void {
    const end = performance.now() + WORK_MS;
    while (performance.now() < end);
  }

  it('begin within the time of a turn, and the connections take turns', async () => {
    const firsts: ServerResponse[] = [];
    const begun: string[] = [];
    const ofTurn: number[] = [];
    let turns = 0;
    let isCounting = true;
    const count = (): void => {
      turns += 1;
      if (isCounting) setImmediate(count);
    };
    await serving(
      (request, response) => {
        const [, name = '', number = ''] = (request.url ?? '').split('/');
        if (number === '0') return void firsts.push(response);
        begun.push(name);
        ofTurn[turns] = (ofTurn[turns] ?? 0) + 1;
        work();
        response.end('ok');
      },
      {},
      async (_listening, open) => {
        const clients = await Promise.all(Array.from({ length: CLIENTS }, open));
        const closed = clients.map((client, name) => {
          const paths = Array.from({ length: REQUESTS }, (_, number) => `/${String(name)}/${String(number)}`);
          const last = paths.pop() ?? '';
          client.send(paths.map((path) => get(path)).join('') + get(last, ['Connection: close']));
          return client.closed();
        });
        await until(() => firsts.length === CLIENTS);
        count();
        for (const response of firsts) response.end('ok');
        for (const text of await Promise.all(closed))
          expect(text.match(/HTTP\/1\.1 200 OK/g)).to.have.length(REQUESTS);
        isCounting = false;
      },
    );
    expect(begun).to.have.length(CLIENTS * (REQUESTS - 1));
    // Two pieces of work fill a turn. One more may begin when input is read in it.
    expect(Math.max(...ofTurn.filter((number) => number > 0))).to.be.at.most(4);
    const counts = new Map<string, number>();
    for (const name of begun) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      const numbers = Array.from({ length: CLIENTS }, (_, client) => counts.get(String(client)) ?? 0);
      expect(Math.max(...numbers) - Math.min(...numbers)).to.be.at.most(3);
    }
  });

  const silently = { refusal: { raw: () => '', send: () => undefined }, observe: () => undefined };
  const unlimited = {
    limits: { all: Infinity, perAddress: 0 },
    clients: clientAddresses({ trusted: [], header: 'none' }),
  };

  it('stop the reading of all connections for the rest of a turn whose time is used up', async () => {
    const connections = createConnections(work, { ...silently, ...unlimited });
    const [pipelining, other] = [new Socket(), new Socket()];
    for (const socket of [pipelining, other]) connections.add(socket);
    const arrive = (): void => {
      const request = new IncomingMessage(pipelining);
      connections.take(request, new ServerResponse(request));
    };
    arrive();
    expect(other.isPaused()).to.equal(false);
    work();
    arrive();
    expect([pipelining.isPaused(), other.isPaused()]).to.deep.equal([true, true]);
    await turnOfTheEventLoop();
    expect([pipelining.isPaused(), other.isPaused()]).to.deep.equal([true, false]);
  });

  it('stop it for short chunks of a body too, also where the body is read meanwhile', async () => {
    const connections = createConnections(() => undefined, { ...silently, ...unlimited });
    const [sending, other] = [new Socket(), new Socket()];
    for (const socket of [sending, other]) connections.add(socket);
    const request = new IncomingMessage(sending);
    request.headers['transfer-encoding'] = 'chunked';
    connections.take(request, new ServerResponse(request));
    const arrived: number[] = [];
    request.on('data', (chunk: Buffer) => arrived.push(chunk.length));
    const arePaused = (): readonly boolean[] => [sending.isPaused(), other.isPaused()];
    const useUp = async (): Promise<void> => {
      await turnOfTheEventLoop();
      // The time of a turn begins with its first short chunk.
      request.push(Buffer.alloc(1));
      work();
      work();
    };
    await useUp();
    request.push(Buffer.alloc(1024));
    expect(arePaused()).to.deep.equal([false, false]);
    request.push(Buffer.alloc(1));
    expect(arePaused()).to.deep.equal([true, true]);
    sending.resume();
    await new Promise((resolve) => process.nextTick(resolve));
    expect(arePaused()).to.deep.equal([true, true]);
    await turnOfTheEventLoop();
    expect(arePaused()).to.deep.equal([false, false]);
    expect(arrived).to.deep.equal([1, 1024, 1]);
    // What is not taken is not read: the one who takes it resumes.
    request.pause();
    request.push(Buffer.alloc(request.readableHighWaterMark));
    await useUp();
    request.push(Buffer.alloc(1));
    await turnOfTheEventLoop();
    expect(arePaused()).to.deep.equal([true, false]);
  });
});

describe('the last response of a connection', () => {
  it('is followed by none of the pipelined requests, and none of them is handled', async () => {
    const started: string[] = [];
    const answers: ServerResponse[] = [];
    await serving(
      (request, response) => {
        started.push(request.url ?? '');
        answers.push(response);
      },
      {},
      async (listening, open) => {
        for (const closing of ['by a header', 'by its property']) {
          const client = await open();
          client.send(get('/1') + get('/2') + get('/3'));
          await until(() => answers.length === 1);
          const [response] = answers.splice(0);
          if (closing === 'by a header') response?.setHeader('Connection', 'close');
          else if (response !== undefined) response.shouldKeepAlive = false;
          response?.end('one');
          expect(await client.closed(), closing).to.match(/Connection: close\r\n[^]*\r\n\r\none$/);
          await until(() => listening.connections === 0);
          expect(started.splice(0), closing).to.deep.equal(['/1']);
        }
      },
    );
  });
});

describe('a client that does not read its response', () => {
  const answer = Buffer.alloc(32 * 1_048_576, 'x');

  it('loses its connection, which frees the memory of the response', async () => {
    const observations: Observation[] = [];
    await serving(
      (_request, response) => response.end(answer),
      { stallTimeoutMs: 100, observe: (observation) => void observations.push(observation) },
      async (listening, open) => {
        const client = await open();
        client.socket.pause();
        client.send(get('/'));
        await until(() => listening.connections === 0);
        expect(observations).to.deep.equal([{ kind: 'client-refused', reason: 'answer not read' }]);
        client.socket.destroy();
      },
    );
  });

  it('keeps its connection while the response is prepared, and while it reads slowly', async () => {
    const answers: ServerResponse[] = [];
    const observations: Observation[] = [];
    await serving(
      (_request, response) => answers.push(response),
      { stallTimeoutMs: 2000, observe: (observation) => void observations.push(observation) },
      async (_listening, open) => {
        const client = await open();
        client.send(get('/', ['Connection: close']));
        await until(() => answers.length === 1);
        // Several timeouts pass without a byte in either direction.
        await delay(5000);
        answers[0]?.end(answer);
        expect((await client.closed()).length).to.be.greaterThan(answer.length);
        expect(observations).to.deep.equal([]);
      },
    );
  });
});

describe('a client that has closed its sending side', () => {
  it('gets the responses to all its requests', async () => {
    const answers: ServerResponse[] = [];
    await serving(
      (_request, response) => answers.push(response),
      {},
      async (_listening, open) => {
        const client = await open();
        client.socket.end(get('/1') + get('/2'));
        await until(() => answers.length === 1);
        answers[0]?.end('one');
        await until(() => answers.length === 2);
        answers[1]?.end('two');
        expect(await client.closed()).to.match(/^HTTP\/1.1 200 [^]*one[^]*two$/);
      },
    );
  });

  it('is detected when it has closed the whole connection', async () => {
    let gone = false;
    await serving(
      (_request, response) => response.once('close', () => (gone = true)),
      {},
      async (_listening, open) => {
        const client = await open();
        client.send(get('/'));
        client.socket.destroySoon();
        await until(() => gone);
      },
    );
  });
});

/** The whole response, before the connection is closed. */
const REFUSED =
  /^HTTP\/1\.1 503 Service Unavailable\r\n[^]*Retry-After: 1\r\n[^]*Connection: close\r\n\r\n\{"code":"DBR434","message":"Too many connections","details":null,"hint":null\}$/;

describe('connections', () => {
  const ok: RequestListener = (_request, response) => response.end('ok');

  it('beyond the limit of one address get 503, and are counted down again', async () => {
    const observations: Observation[] = [];
    const observe = (observation: Observation): void => void observations.push(observation);
    const options = { maxConnectionsPerAddress: 2, observe };
    await serving(ok, options, async (listening, open) => {
      const first = await open();
      const second = await open();
      const third = await open();
      expect(await third.closed()).to.match(REFUSED);
      expect(observations).to.deep.equal([
        {
          kind: 'connection-refused',
          reason: 'too many connections of one address',
          client: '127.0.0.1',
        },
      ]);
      first.socket.destroy();
      await until(() => listening.connections === 1);
      const fourth = await open();
      fourth.send(get('/'));
      await fourth.until(/ok$/);
      second.socket.destroy();
      fourth.socket.destroy();
    });
  });

  it('beyond the limit of all get 503', async () => {
    const observations: Observation[] = [];
    await serving(
      ok,
      { maxConnections: 1, observe: (observation) => void observations.push(observation) },
      async (_listening, open) => {
        const first = await open();
        first.send(get('/'));
        await first.until(/ok$/);
        expect(await (await open()).closed()).to.match(REFUSED);
        expect(observations).to.deep.equal([
          { kind: 'connection-refused', reason: 'too many connections', client: '127.0.0.1' },
        ]);
        first.socket.destroy();
      },
    );
  });

  it('of a proxy are not limited: its requests in progress count for their clients', async () => {
    const observations: Observation[] = [];
    const answers: ServerResponse[] = [];
    await serving(
      (_request, response) => void answers.push(response),
      {
        maxConnectionsPerAddress: 1,
        clients: clientAddresses({ trusted: ['127.0.0.0/8'], header: 'x-forwarded-for' }),
        observe: (observation) => void observations.push(observation),
      },
      async (_listening, open) => {
        const [first, second, third] = [await open(), await open(), await open()];
        first.send(get('/', ['X-Forwarded-For: 203.0.113.5']));
        await until(() => answers.length === 1);
        second.send(get('/', ['X-Forwarded-For: 203.0.113.5']));
        expect(await second.closed()).to.match(/^HTTP\/1\.1 503 [^]*"code":"DBR434"[^]*$/);
        expect(observations).to.deep.equal([
          {
            kind: 'connection-refused',
            reason: 'too many connections of one address',
            client: '203.0.113.5',
          },
        ]);
        third.send(get('/', ['X-Forwarded-For: 203.0.113.6']));
        await until(() => answers.length === 2);
        answers[0]?.end('one');
        await first.until(/one$/);
        first.send(get('/', ['X-Forwarded-For: 203.0.113.5']));
        await until(() => answers.length === 3);
        for (const client of [first, third]) client.socket.destroy();
      },
    );
  });
});

describe('malformed input', () => {
  const ok: RequestListener = (_request, response) => response.end('ok');

  const cases: readonly (readonly [
    about: string,
    text: string,
    status: string,
    code: string,
    allow: string | null,
  ])[] = [
    [
      'an unknown method',
      get('/items').replace('GET', 'FOO'),
      '405 Method Not Allowed',
      'DBR117',
      'OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE',
    ],
    [
      'an unknown method of a function',
      get('/rpc/f?a=1').replace('GET', 'FOO'),
      '405 Method Not Allowed',
      'DBR101',
      'OPTIONS, GET, HEAD, POST',
    ],
    [
      'a method in lower case of a function, by its absolute target',
      get('http://x/rpc/f').replace('GET', 'get'),
      '405 Method Not Allowed',
      'DBR101',
      'OPTIONS, GET, HEAD, POST',
    ],
    [
      'CONNECT to a function',
      get('/rpc/f').replace('GET', 'CONNECT'),
      '405 Method Not Allowed',
      'DBR101',
      'OPTIONS, GET, HEAD, POST',
    ],
    [
      'an unknown method of an operation',
      get('/api/v1/notifications/me').replace('GET', 'FOO'),
      '405 Method Not Allowed',
      'DBR406',
      'OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE',
    ],
    [
      'CONNECT',
      'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
      '405 Method Not Allowed',
      'DBR117',
      'OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE',
    ],
    ...Object.entries({
      'characters beyond ASCII in the target': get('/café'),
      'two hosts': get('/', ['Host: y']),
      'two equal hosts': get('/', ['host: x']),
      'no host': 'GET / HTTP/1.1\r\n\r\n',
      'no host beside an absolute target': 'GET http://x/ HTTP/1.1\r\n\r\n',
      'a host that is none': get('/').replace('Host: x', 'Host: a b'),
      'a host with a path': get('/').replace('Host: x', 'Host: x/y'),
      'a host with a user': get('/').replace('Host: x', 'Host: me@x'),
      'two hosts in HTTP/1.0': get('/', ['Host: y']).replace('HTTP/1.1', 'HTTP/1.0'),
      'HTTP/0.9': get('/').replace('HTTP/1.1', 'HTTP/0.9'),
      'HTTP/0.9 without a version': 'GET /\r\n\r\n',
      'HTTP/1.2': get('/').replace('HTTP/1.1', 'HTTP/1.2'),
      'HTTP/2.0': get('/').replace('HTTP/1.1', 'HTTP/2.0'),
      'HTTP/3.0': get('/').replace('HTTP/1.1', 'HTTP/3.0'),
      'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'Content-Length beside Transfer-Encoding': get('/', [
        'Content-Length: 1',
        'Transfer-Encoding: chunked',
      ]),
      'Transfer-Encoding in HTTP/1.0': get('/', ['Transfer-Encoding: chunked']).replace(
        'HTTP/1.1',
        'HTTP/1.0',
      ),
      'two lengths': get('/', ['Content-Length: 1', 'Content-Length: 2']),
      'chunked twice': get('/', ['Transfer-Encoding: chunked, chunked']),
      'chunked that is not the last coding': get('/', ['Transfer-Encoding: chunked, gzip']),
      'a folded header': get('/', ['X: a', ' b']),
      'a blank before the colon': get('/', ['X : a']),
      'lines that end without a carriage return': get('/').replaceAll('\r', ''),
      'a NUL in a header': get('/', ['X: a\0b']),
      'a target without a slash': get('items'),
    }).map(([about, text]): readonly [string, string, string, string, null] => [
      about,
      text,
      '400 Bad Request',
      'DBR430',
      null,
    ]),
    ['garbage', '\x16\x03\x01\x02\r\n\r\n', '400 Bad Request', 'DBR430', null],
    ['a header without a colon', get('/', ['nonsense']), '400 Bad Request', 'DBR430', null],
    [
      'headers longer than the limit',
      get('/', [`X: ${'x'.repeat(70_000)}`]),
      '431 Request Header Fields Too Large',
      'DBR431',
      null,
    ],
    [
      'more than 2000 header lines',
      get(
        '/',
        Array.from({ length: 2000 }, (_, index) => `a${String(index)}: b`),
      ),
      '431 Request Header Fields Too Large',
      'DBR431',
      null,
    ],
  ];
  for (const [about, text, status, code, allow] of cases)
    it(`${about} is answered by ${status.slice(0, 3)}, and the connection closed`, async () => {
      await serving(ok, {}, async (_listening, open) => {
        const client = await open();
        client.send(text);
        const answer = await client.closed();
        const [head = '', body = ''] = answer.split('\r\n\r\n');
        expect(head.split('\r\n')[0]).to.equal(`HTTP/1.1 ${status}`);
        expect(head)
          .to.include('\r\nContent-Type: application/json; charset=utf-8')
          .and.include('\r\nConnection: close');
        expect(/\r\nAllow: (.*)/.exec(head)?.[1] ?? null).to.equal(allow);
        expect((JSON.parse(body) as { readonly code: string }).code).to.equal(code);
      });
    });

  const sound: Readonly<Record<string, string>> = {
    'a name with a port': get('/').replace('Host: x', 'Host: Shop_1.example:3000'),
    'an address of IPv6': get('/').replace('Host: x', 'Host: [::ffff:10.0.0.1]:80'),
    'an empty host': get('/').replace('Host: x', 'Host:'),
    'an absolute target with another host': get('http://y/'),
    'HTTP/1.0 without a host': 'GET / HTTP/1.0\r\n\r\n',
  };
  for (const [about, text] of Object.entries(sound))
    it(`does not include ${about}`, async () => {
      await serving(ok, {}, async (_listening, open) => {
        const client = await open();
        client.send(text);
        expect(await client.until(/ok/)).to.match(/^HTTP\/1\.1 200 OK\r\n/);
        client.socket.destroy();
      });
    });

  it('gets its response after those of earlier requests', async () => {
    const answers: ServerResponse[] = [];
    await serving(
      (_request, response) => answers.push(response),
      {},
      async (_listening, open) => {
        const client = await open();
        client.send(get('/1') + get('/2') + get('/3').replace('GET', 'FOO'));
        await until(() => answers.length === 1);
        answers[0]?.end('one');
        await until(() => answers.length === 2);
        answers[1]?.end('two');
        expect(await client.closed()).to.match(/one[^]*two[^]*HTTP\/1.1 405 [^]*DBR117/);
      },
    );
  });

  it('may have 2000 header lines', async () => {
    await serving(ok, {}, async (_listening, open) => {
      const client = await open();
      // Host is one of them.
      client.send(
        get(
          '/',
          Array.from({ length: 1999 }, (_, index) => `a${String(index)}: b`),
        ),
      );
      expect(await client.until(/ok$/)).to.match(/^HTTP\/1.1 200 OK/);
      client.socket.destroy();
    });
  });

  it('in the body of a request ends only that request', async () => {
    await serving(
      (request, response) => {
        request.on('error', () => undefined);
        request.resume().once('end', () => response.end('ok'));
      },
      {},
      async (listening, open) => {
        const client = await open();
        client.send('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnot a length\r\n');
        expect(await client.closed()).to.match(/^HTTP\/1.1 400 Bad Request\r\n/);
        expect(await (await fetch(listening.url)).text()).to.equal('ok');
      },
    );
  });

  it('ends the connection after the time for headers', async () => {
    await serving(ok, { headerTimeoutMs: 100 }, async (_listening, open) => {
      const client = await open();
      client.send('GET / HTTP/1.1\r\nHost:');
      expect(await client.closed()).to.match(/^HTTP\/1.1 408 Request Timeout\r\n/);
    });
  });

  it('counts no time in which the connection is not read for a request', async () => {
    const answers: ServerResponse[] = [];
    const hold: RequestListener = (request, response) => {
      request.resume();
      answers.push(response);
    };
    await serving(hold, { headerTimeoutMs: 100, requestTimeoutMs: 100 }, async (_listening, open) => {
      const rests = ['', 'x\r\n\r\n', 'x\r\nContent-Length: 2\r\n\r\n3'];
      const clients = await Promise.all(rests.map(open));
      const pipelined = `${get('/1')}${get('/2')}GET /3 HTTP/1.1\r\nHost: `;
      for (const client of clients) client.send(pipelined);
      await until(() => answers.length === clients.length);
      // The server judges all requests at one time, the youngest last.
      const youngest = await open();
      youngest.send('GET / HTTP/1.1\r\nHost:');
      expect(await youngest.closed()).to.match(/^HTTP\/1.1 408 Request Timeout\r\n/);
      for (const [index, client] of clients.entries()) {
        client.send(rests[index] ?? '');
        answers[index]?.end('one');
      }
      await until(() => answers.length === 6);
      for (const answer of answers.slice(3)) answer.end('two');
      await until(() => answers.length === 8);
      const [lateHead, whole, lateBody] = clients;
      const third = answers.slice(6).find(({ req }) => req.headers['content-length'] === undefined);
      third?.end('three');
      expect(await whole?.until(/three$/)).to.match(/one[^]*two[^]*three$/);
      for (const slow of [lateHead, lateBody])
        expect(await slow?.closed()).to.match(/one[^]*two[^]*HTTP\/1.1 408 Request Timeout\r\n/);
    });
  });
});

describe('stopping', () => {
  it('sends Connection: close with the last response of a connection', async () => {
    const answers: ServerResponse[] = [];
    const listening = await listen((_request, response) => answers.push(response), {
      host: '127.0.0.1',
      port: 0,
    });
    const client = await openRawClient(targetOf(listening.url));
    client.send(get('/1') + get('/2'));
    await until(() => answers.length === 1);
    const stopped = listening.stop(60_000);
    answers[0]?.end('one');
    await until(() => answers.length === 2);
    answers[1]?.end('two');
    const text = await client.closed();
    await stopped;
    expect(text).to.match(
      /^HTTP\/1.1 200 OK\r\n[^]*Connection: keep-alive[^]*one[^]*Connection: close[^]*two$/,
    );
  });

  it('serves requests that arrive on open connections shortly after, and resets none', async () => {
    const listening = await listen((_request, response) => response.end('ok'), {
      host: '127.0.0.1',
      port: 0,
    });
    const client = await openRawClient(targetOf(listening.url));
    client.send(get('/'));
    await client.until(/ok$/);
    const idle = await openRawClient(targetOf(listening.url));
    const stopped = listening.stop(60_000);
    await delay(10);
    client.send(get('/'));
    expect(await client.closed()).to.match(/ok[^]*Connection: close[^]*ok$/);
    expect(await idle.closed()).to.equal('');
    await stopped;
  });

  it('waits for the rest of heads that have begun', async () => {
    const listening = await listen((_request, response) => response.end('ok'), {
      host: '127.0.0.1',
      port: 0,
    });
    const text = get('/');
    const [fresh, kept, idle] = await Promise.all(
      Array.from({ length: 3 }, () => openRawClient(targetOf(listening.url))),
    );
    for (const client of [kept, idle]) client?.send(text);
    for (const client of [kept, idle]) await client?.until(/ok$/);
    for (const client of [fresh, kept]) client?.send(text.slice(0, 8));
    const stopped = listening.stop(60_000);
    // Idle connections are closed by then.
    await idle?.closed();
    for (const client of [fresh, kept]) client?.send(text.slice(8));
    expect(await fresh?.closed()).to.match(/^HTTP\/1\.1 200 OK\r\n[^]*Connection: close[^]*ok$/);
    expect(await kept?.closed()).to.match(/ok[^]*Connection: close[^]*ok$/);
    await stopped;
  });

  it('is announced with each response before, while connections are accepted', async () => {
    const listening = await listen((_request, response) => response.end('ok'), {
      host: '127.0.0.1',
      port: 0,
    });
    const kept = await openRawClient(targetOf(listening.url));
    kept.send(get('/'));
    expect(await kept.until(/ok$/)).to.contain('Connection: keep-alive');
    listening.retireConnections(60_000);
    kept.send(get('/'));
    expect(await kept.closed()).to.match(/Connection: close[^]*ok$/);
    const later = await openRawClient(targetOf(listening.url));
    later.send(get('/'));
    expect(await later.closed()).to.match(/Connection: close[^]*ok$/);
    await listening.stop(0);
  });

  it('is no longer announced after the given time', async () => {
    const listening = await listen((_request, response) => response.end('ok'), {
      host: '127.0.0.1',
      port: 0,
    });
    listening.retireConnections(1);
    await until(async () => {
      const client = await openRawClient(targetOf(listening.url));
      client.send(get('/'));
      return (await client.until(/ok$/)).includes('Connection: keep-alive');
    });
    await listening.stop(0);
  });

  it('interrupts no exchange of clients that keep their connections', async () => {
    let served = 0;
    const listening = await listen(
      (request, response) => {
        served += 1;
        request.resume().once('end', () => setImmediate(() => response.end('ok')));
      },
      { host: '127.0.0.1', port: 0 },
    );
    const { host, port } = targetOf(listening.url);
    const agent = new Agent({ keepAlive: true, maxSockets: 32 });
    let answered = 0;
    const faults: string[] = [];
    const post = (): Promise<boolean> =>
      new Promise((resolve) => {
        const sent = httpRequest({ host, port, agent, method: 'POST' }, (response) => {
          response.resume().once('end', () => {
            answered += 1;
            resolve(true);
          });
        });
        sent.once('error', (error: NodeJS.ErrnoException) => {
          // The kernel resets new connections that wait in the queue of a port when it is closed.
          const isUnaccepted = error.code === 'ECONNRESET' && !sent.reusedSocket;
          if (error.code !== 'ECONNREFUSED' && !isUnaccepted) faults.push(error.code ?? error.message);
          resolve(false);
        });
        sent.end('body');
      });
    const clients = Array.from({ length: 32 }, async () => {
      while (await post());
    });
    await until(() => answered > 200);
    await listening.stop(60_000);
    await Promise.all(clients);
    agent.destroy();
    expect(faults).to.deep.equal([]);
    expect(answered).to.equal(served);
  });

  it('closes the remaining connections at the end of the grace period', async () => {
    const listening = await listen(() => undefined, { host: '127.0.0.1', port: 0 });
    const client = await openRawClient(targetOf(listening.url));
    client.send(get('/'));
    await until(() => listening.connections === 1);
    const closed = once(client.socket, 'close');
    await listening.stop(50);
    await closed;
  });
});
