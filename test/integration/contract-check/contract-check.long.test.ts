import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { readContract, type Contract } from '../../support/contract-check/document.js';
import { runContract, type RunOptions, type RunResult } from '../../support/contract-check/run.js';
import {
  FINDERS,
  SHOP_DOCUMENT,
  SHOP_TOKEN,
  startShop,
  type Fault,
  type ShopServer,
} from '../../support/contract-check/shop-server.js';

const OPTIONS: RunOptions = {
  ...{ requests: 1500, seconds: 60, seed: 1, token: SHOP_TOKEN },
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

describe('a link to what was created', () => {
  let server: Server;
  afterEach(() => server.close());

  /** The requests for one row to a service whose POST has this response. */
  async function requestsAfter(body: string): Promise<readonly string[]> {
    const requests = new Set<string>();
    server = createServer(({ method = '', url = '' }, response) => {
      if (url.startsWith('/rows/')) requests.add(`${method} ${url}`);
      response.writeHead(method === 'POST' ? 201 : 200, { 'Content-Type': 'application/json' });
      response.end(body);
    });
    const port = await portOf(server);
    const responses = { '200': { description: 'A row.' } };
    const links = { get: { operationId: 'getRow', parameters: { id: '$response.body#/row/id' } } };
    const parameters = [{ name: 'id', in: 'path', required: true, schema: { const: '' } }];
    const paths = {
      '/rows': {
        post: { operationId: 'postRows', responses: { '201': { description: 'Created.', links } } },
      },
      '/rows/{id}': { get: { operationId: 'getRow', parameters, responses } },
    };
    const contract = readContract({ openapi: '3.1.0', paths }, `http://127.0.0.1:${String(port)}/`);
    await runContract(contract, { ...OPTIONS, token: null, requests: 60 });
    server.close();
    return [...requests];
  }

  // Wrong values of the parameter are sent, whatever the body has.
  it('is followed with the value of the body, encoded', async () => {
    expect(await requestsAfter('{"row":{"id":"x&/y"}}')).to.include('GET /rows/x%26%2Fy');
  });

  it('is not followed if a value is absent, no text, or a number that may be rounded', async () => {
    for (const id of ['{}', '12345678901234567', '1e21'])
      for (const line of await requestsAfter(`{"row":{"id":${id}}}`))
        expect(line).to.not.match(/undefined|object|1234|1e(%2B)?21$/i);
  });
});
