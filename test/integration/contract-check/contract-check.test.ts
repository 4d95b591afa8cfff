import { expect } from 'chai';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { createServer, type Server } from 'node:http';
import { readContract, type Contract } from '../../../src/contract-check/document.js';
import { runContract, type RunOptions, type RunResult } from '../../../src/contract-check/run.js';
import { runDbr } from '../../support/service/built-service.js';
import {
  FINDERS,
  SHOP_DOCUMENT,
  SHOP_TOKEN,
  startShop,
  type Fault,
  type ShopServer,
} from '../../support/contract-check/shop-server.js';

const OPTIONS: RunOptions = {
  ...{ requests: 1500, seconds: 60, seed: 1, token: SHOP_TOKEN, headers: {} },
  ...{ writes: true, refusals: [] },
};

/** Lets the server listen. */
async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('generated requests against a document', function () {
  this.timeout(60_000);
  let shop: ShopServer | null = null;
  afterEach(() => shop?.stop());

  async function run(fault: Fault | null, options: Partial<RunOptions> = {}): Promise<RunResult> {
    shop = await startShop(fault);
    return runContract(contractOf(shop.url), { ...OPTIONS, ...options });
  }

  const contractOf = (url: string): Contract => readContract(SHOP_DOCUMENT, url);

  it('find nothing in a service that does what its document says, with each check made', async () => {
    const { disagreements, requests, unsuccessful, checks, statuses } = await run(null);
    expect(disagreements).to.deep.equal([]);
    expect(requests).to.equal(1500);
    expect(unsuccessful).to.deep.equal([]);
    expect(new Set(checks.keys())).to.deep.equal(new Set(Object.values(FINDERS)));
    expect(Object.keys(statuses).toSorted()).to.deep.equal(['2xx', '4xx']);
  });

  it('are the same for the same seed, and a failing one is made smaller', async () => {
    const shown = ({ disagreements }: RunResult) =>
      disagreements.map(
        ({ check, request }) => `${check} ${request.method} ${request.target} ${String(request.body)}`,
      );
    const first = shown(await run('accepts unknown members', { requests: 300 }));
    shop?.stop();
    expect(shown(await run('accepts unknown members', { requests: 300 }))).to.deep.equal(first);
    expect(first).to.deep.equal([
      'invalid-accepted POST /v1/items {"name":" ","count":0,"unknown member":1}',
    ]);
  });

  it('leave out operations that write unless they may @long', async () => {
    const { unsuccessful, statuses, checks } = await run(null, { writes: false });
    expect(unsuccessful).to.deep.equal(['createItem', 'getItem', 'deleteItem']);
    expect(statuses['5xx']).to.equal(undefined);
    expect(checks.get('invalid-accepted')).to.be.greaterThan(50);
  });

  it('end with the time', async () => {
    const { requests } = await run(null, { seconds: 0 });
    expect(requests).to.equal(0);
  });
});

describe('a body that its schema says too little of', () => {
  let server: Server;
  afterEach(() => server.close());

  it('is met by examples of the document, and made invalid from them', async () => {
    const bodies: string[] = [];
    server = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
      response.writeHead(200).end();
    });
    const port = await portOf(server);
    const schema = { type: 'object', properties: { zone: { type: 'string' } }, additionalProperties: false };
    const content = { 'application/json': { schema, example: { zone: 'Europe/Vienna' } } };
    const put = { requestBody: { required: true, content }, responses: { '200': { description: 'Done.' } } };
    const document = { openapi: '3.1.0', paths: { '/zone': { put } } };
    const contract = readContract(document, `http://127.0.0.1:${String(port)}/`);
    await runContract(contract, { ...OPTIONS, token: null, requests: 60 });
    expect(bodies).to.include('{"zone":"Europe/Vienna"}');
    expect(bodies).to.include('{"zone":"Europe/Vienna","unknown member":1}');
  });
});

describe('requests that may not write', () => {
  let server: Server;
  afterEach(() => server.close());

  it('have safe methods alone, whatever the service accepts', async () => {
    const seen = new Set<string>();
    server = createServer(({ method = '', url = '' }, response) => {
      seen.add(`${method} ${url.replace(/\?.*/s, '')}`);
      response.writeHead(201, { Location: '/things', 'Content-Type': 'application/json' }).end('{}');
    });
    const port = await portOf(server);
    const responses = { '201': { description: 'Done.', content: { 'application/json': {} } } };
    const content = { 'application/json': { schema: { type: 'object' } } };
    const write = { requestBody: { required: true, content }, responses };
    const security = [{ token: [] }];
    const document = {
      ...{ openapi: '3.1.0', security },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      paths: {
        '/things': { get: { responses }, post: write, put: write, patch: write, delete: { responses } },
        '/rpc/charge': { post: write },
      },
    };
    const contract = readContract(document, `http://127.0.0.1:${String(port)}/`);
    await runContract(contract, { ...OPTIONS, token: 'a', writes: false, requests: 400 });
    expect([...seen].toSorted()).to.deep.equal([
      'GET /things',
      'PROPFIND /rpc/charge',
      'PROPFIND /things',
      'TRACE /rpc/charge',
      'TRACE /things',
    ]);
  });
});

describe('what a thing has once', () => {
  let server: Server;
  afterEach(() => server.close());

  it('may be read in its first state after it was deleted', async () => {
    const methods = new Set<string | undefined>();
    server = createServer(({ method, url }, response) => {
      methods.add(method);
      response.writeHead(method === 'POST' ? 201 : 200, {
        Location: url,
        'Content-Type': 'application/json',
      });
      response.end('{}');
    });
    const port = await portOf(server);
    const responses = Object.fromEntries(
      ['200', '201'].map((status) => [status, { description: 'Done.', content: { 'application/json': {} } }]),
    );
    const parameters = [{ name: 'id', in: 'path', required: true, schema: { const: 'a' } }];
    const path = { parameters, get: { responses }, post: { responses }, delete: { responses } };
    const document = { openapi: '3.1.0', paths: { '/things/{id}/config': path } };
    const contract = readContract(document, `http://127.0.0.1:${String(port)}/`);
    const { disagreements } = await runContract(contract, { ...OPTIONS, token: null, requests: 60 });
    expect([...methods]).to.include('DELETE');
    expect(disagreements.map(({ check }) => check)).to.not.include('deleted-present');
  });
});

describe('a link to a query', () => {
  let server: Server;
  afterEach(() => server.close());

  /** The requests with a filter to a service whose POST has this response. */
  async function requestsAfter(
    body: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<readonly string[]> {
    const requests = new Set<string>();
    server = createServer(({ method, url }, response) => {
      if (url?.includes('=eq.') === true) requests.add(`${method ?? ''} ${url}`);
      response.writeHead(method === 'POST' ? 201 : 200, { 'Content-Type': 'application/json' });
      response.end(body);
    });
    const port = await portOf(server);
    const rows = { '200': { description: 'Rows.' } };
    const links = { get: { operationId: 'getRows', parameters } };
    const paths = {
      '/rows': {
        post: { operationId: 'postRows', responses: { '201': { description: 'Created.', links } } },
        get: {
          operationId: 'getRows',
          parameters: [{ name: 'key', in: 'query', schema: { const: 'never' } }],
          responses: rows,
        },
      },
    };
    const contract = readContract({ openapi: '3.1.0', paths }, `http://127.0.0.1:${String(port)}/`);
    await runContract(contract, { ...OPTIONS, token: null, requests: 60 });
    return [...requests];
  }

  it('is followed with the values of the body, encoded', async () => {
    const link = { 'query.key': 'eq.{$response.body#/0/a~1b},{$response.body#/0/n}' };
    expect(await requestsAfter('[{"a/b":"x&y","n":7}]', link)).to.deep.equal(['GET /rows?key=eq.x%26y%2C7']);
  });

  it('is followed to a PUT with what was created, which must not be refused', async () => {
    const bodies = new Set<string>();
    server = createServer((request, response) => {
      void text(request).then((body) => {
        if (request.method === 'PUT') bodies.add(`${request.url ?? ''} ${body}`);
        response.writeHead(request.method === 'POST' ? 201 : request.method === 'PUT' ? 422 : 200, {
          'Content-Type': 'application/json',
        });
        response.end('[{"id":7,"name":"a/b"}]');
      });
    });
    const port = await portOf(server);
    const parameters = { 'query.id': 'eq.{$response.body#/0/id}' };
    const links = {
      get: { operationId: 'getRows', parameters },
      put: { operationId: 'putRow', parameters, requestBody: '$response.body#/0' },
    };
    const filters = [{ name: 'id', in: 'query', schema: { const: 'never' } }];
    const rows = { '200': { description: 'Rows.' } };
    const requestBody = { content: { 'application/json': { schema: { const: 'never' } } } };
    const paths = {
      '/rows': {
        post: { operationId: 'postRows', responses: { '201': { description: 'Created.', links } } },
        get: { operationId: 'getRows', parameters: filters, responses: rows },
        put: {
          ...{ operationId: 'putRow', parameters: filters, requestBody },
          responses: { ...rows, '422': { description: 'Refused.' } },
        },
      },
    };
    const contract = readContract({ openapi: '3.1.0', paths }, `http://127.0.0.1:${String(port)}/`);
    const { disagreements } = await runContract(contract, { ...OPTIONS, token: null, requests: 60 });
    expect([...bodies]).to.include('/rows?id=eq.7 {"id":7,"name":"a/b"}');
    const refused = disagreements.filter(({ check }) => check === 'valid-refused');
    expect(refused.map(({ operation, status }) => [operation, status])).to.deep.equal([['putRow', 422]]);
  });

  it('is not followed if a value is absent, no text, or a number that may be rounded', async () => {
    for (const body of [
      '[]',
      '{"id":1}',
      '[{"id":null}]',
      '[{"id":{}}]',
      '[{"id":12345678901234567}]',
      '[{"id":1e21}]',
    ])
      expect(await requestsAfter(body, { 'query.key': 'eq.{$response.body#/0/id}' }), body).to.deep.equal([]);
  });
});

describe('dbr contract', function () {
  this.timeout(60_000);
  let shop: ShopServer;
  afterEach(() => shop.stop());

  it('prints a curl command for each disagreement, without the token, and exits with 1', async () => {
    shop = await startShop('no challenge');
    const options = ['--token', SHOP_TOKEN, '--header', 'X-Trace: secret-value', '--requests', '200'];
    const { code, stdout } = await runDbr(['contract', shop.url, ...options]);
    expect(code).to.equal(1);
    expect(stdout).to.include('authentication-ignored  listItems\n');
    expect(stdout).to.include(`curl -g '${new URL('/v1/items', shop.url).href}`);
    expect(stdout).to.include('-H "X-Trace: $X_TRACE"');
    expect(stdout).to.match(/^\d disagreements in \d+ requests, [\d.]+ s, seed 1$/m);
    expect(stdout).to.not.include(SHOP_TOKEN).and.not.include('secret-value');
  });

  it('prints JSON, and exits with 0 without disagreements', async () => {
    shop = await startShop(null);
    const { code, stdout, stderr } = await runDbr(
      ['contract', shop.url, '--writes', '--format', 'json', '--requests', '300', '--seed', '4'],
      { DBR_CONTRACT_TOKEN: SHOP_TOKEN },
    );
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    const report = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
    expect(report).to.include({ seed: 4, requests: 300 });
    expect(report['disagreements']).to.deep.equal([]);
    expect(report['checks']).to.have.property('server-error').that.is.greaterThan(200);
  });

  it('exits with 2 where there is no document', async () => {
    shop = await startShop(null);
    const wrong: readonly (readonly [string, string])[] = [
      [new URL('/v1/items', shop.url).href, 'gives 401'],
      ['http://127.0.0.1:1/openapi.json', 'cannot be read'],
    ];
    for (const [url, message] of wrong) {
      const { code, stdout, stderr } = await runDbr(['contract', url]);
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr).to.include(message);
    }
  });
});
