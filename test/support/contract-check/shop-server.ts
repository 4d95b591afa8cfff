/** A small service with its document, into which faults are planted. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Check } from './judge.js';

const ERROR = { type: 'object', required: ['code'], properties: { code: { type: 'string' } } };
const refusals = Object.fromEntries(
  ['400', '401', '404', '405', '415'].map((status) => [
    status,
    { description: 'Refused.', content: { 'application/json': { schema: ERROR } } },
  ]),
);
const json = (schema: object) => ({ 'application/json': { schema } });

export const SHOP_DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'shop', version: '1' },
  servers: [{ url: '/v1' }],
  security: [{ token: [] }],
  paths: {
    '/items': {
      get: {
        operationId: 'listItems',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50 } },
          {
            name: 'Shop',
            in: 'header',
            required: true,
            schema: { type: 'string', enum: ['north', 'south'] },
          },
        ],
        responses: {
          '200': {
            description: 'Items.',
            headers: { 'X-Count': { required: true, schema: { type: 'integer' } } },
            content: json({ type: 'array', items: { $ref: '#/components/schemas/Item' } }),
          },
          ...refusals,
        },
      },
      post: {
        operationId: 'createItem',
        requestBody: { required: true, content: json({ $ref: '#/components/schemas/NewItem' }) },
        responses: {
          '201': {
            description: 'Created.',
            content: json({ $ref: '#/components/schemas/Item' }),
            links: { read: { operationId: 'getItem', parameters: { id: '$response.body#/id' } } },
          },
          ...refusals,
        },
      },
    },
    '/items/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
      get: {
        operationId: 'getItem',
        responses: {
          '200': { description: 'An item.', content: json({ $ref: '#/components/schemas/Item' }) },
          ...refusals,
        },
      },
      delete: { operationId: 'deleteItem', responses: { '204': { description: 'Deleted.' }, ...refusals } },
    },
  },
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: {
      NewItem: {
        type: 'object',
        required: ['name', 'count'],
        additionalProperties: false,
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 30 },
          count: { type: 'integer', minimum: 0, maximum: 100 },
          colour: { enum: ['red', 'blue'] },
        },
      },
      Item: {
        type: 'object',
        required: ['id', 'name', 'count'],
        properties: { id: { type: 'string' }, name: { type: 'string' }, count: { type: 'integer' } },
      },
    },
  },
};

export const FAULTS = [
  'crashes',
  'hangs up',
  'other status',
  'other media type',
  'header of another type',
  'body of another type',
  'refuses valid data',
  'accepts unknown members',
  'accepts other types',
  'accepts text that is not JSON',
  'needs no header',
  'no Allow',
  'other methods succeed',
  'needs no token',
  'no challenge',
  'forgets what was created',
  'keeps what was deleted',
] as const;
export type Fault = (typeof FAULTS)[number];

/** The check that must find the fault. */
export const FINDERS: Readonly<Record<Fault, Check>> = {
  crashes: 'server-error',
  'hangs up': 'server-error',
  'other status': 'undocumented-status',
  'other media type': 'undocumented-media-type',
  'header of another type': 'wrong-header',
  'body of another type': 'wrong-body',
  'refuses valid data': 'valid-refused',
  'accepts unknown members': 'invalid-accepted',
  'accepts other types': 'invalid-accepted',
  'accepts text that is not JSON': 'invalid-accepted',
  'needs no header': 'missing-header-accepted',
  'no Allow': 'unsupported-method',
  'other methods succeed': 'unsupported-method',
  'needs no token': 'authentication-ignored',
  'no challenge': 'authentication-ignored',
  'forgets what was created': 'created-missing',
  'keeps what was deleted': 'deleted-present',
};

export interface ShopServer {
  readonly url: string;
  stop(): void;
}

export const SHOP_TOKEN = 'shop-token';

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const refusal = (status: number, headers: Readonly<Record<string, string>> = {}): Answer => ({
  ...{ status, headers },
  body: { code: `E${String(status)}` },
});

/** @param fault null for a service that does what its document says */
export async function startShop(fault: Fault | null): Promise<ShopServer> {
  const items = new Map<string, object>();
  const server = createServer((request, response) => {
    void answer(request).then((given) => {
      if (given === null) {
        request.socket.destroy();
        return;
      }
      const { status, headers = {}, body } = given;
      const type = fault === 'other media type' && status === 200 ? 'text/plain' : 'application/json';
      response.writeHead(status, { ...(body === undefined ? {} : { 'Content-Type': type }), ...headers });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${String(port)}/openapi.json`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };

  async function answer(request: IncomingMessage): Promise<Answer | null> {
    const url = new URL(request.url ?? '/', 'http://shop');
    if (url.pathname === '/openapi.json') return { status: 200, body: SHOP_DOCUMENT };
    const content = await text(request);
    if (request.headers.authorization !== `Bearer ${SHOP_TOKEN}` && fault !== 'needs no token')
      return refusal(401, fault === 'no challenge' ? {} : { 'WWW-Authenticate': 'Bearer' });
    const [, , segment = '', id] = url.pathname.split('/');
    if (segment !== 'items') return refusal(404);
    return id === undefined ? collection(request, url, content) : item(request, id);
  }

  function collection(request: IncomingMessage, url: URL, content: string): Answer | null {
    if (request.method === 'GET') return list(request, url);
    if (request.method === 'POST') return create(request, content);
    if (fault === 'other methods succeed' && request.method === 'PATCH') return { status: 204 };
    return refusal(405, fault === 'no Allow' ? {} : { Allow: 'GET, HEAD, POST' });
  }

  function list({ headers }: IncomingMessage, url: URL): Answer | null {
    const limit = url.searchParams.get('limit');
    if (fault === 'crashes' && limit === '-1') return refusal(500);
    if (fault === 'hangs up' && limit === '1.5') return null;
    if (limit !== null && !(/^\d{1,2}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 50))
      return refusal(400);
    const shop = headers['shop'];
    if (shop === undefined && fault === 'needs no header')
      return { status: 200, headers: { 'X-Count': '0' }, body: [] };
    if (shop !== 'north' && shop !== 'south') return refusal(400);
    if (fault === 'refuses valid data' && limit === '50') return refusal(400);
    if (fault === 'other status' && limit === '1') return { status: 202, body: [] };
    const count = fault === 'header of another type' ? 'many' : String(items.size);
    return {
      status: 200,
      headers: { 'X-Count': count },
      body: [...items.values()].slice(0, Number(limit ?? 50)),
    };
  }

  function create({ headers }: IncomingMessage, content: string): Answer {
    if (headers['content-type'] !== 'application/json') return refusal(415);
    const body = objectIn(content);
    if (body === null) return refusal(400);
    const { name, count, colour, ...others } = body;
    const isCount = Number.isInteger(count) && Number(count) >= 0 && Number(count) <= 100;
    if (!isCount && !(fault === 'accepts other types' && typeof count === 'string')) return refusal(400);
    if (typeof name !== 'string' || [...name].length < 1 || [...name].length > 30) return refusal(400);
    if (colour !== undefined && colour !== 'red' && colour !== 'blue') return refusal(400);
    if (Object.keys(others).length > 0 && fault !== 'accepts unknown members') return refusal(400);
    const id = crypto.randomUUID();
    if (fault !== 'forgets what was created') items.set(id, { id, name, count: Number(count) || 0 });
    return {
      status: 201,
      body: { id, name: fault === 'body of another type' ? null : name, count: Number(count) || 0 },
    };
  }

  function objectIn(content: string): Readonly<Record<string, unknown>> | null {
    try {
      const body = JSON.parse(content) as unknown;
      return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : null;
    } catch {
      return fault === 'accepts text that is not JSON' ? { name: 'x', count: 1 } : null;
    }
  }

  function item({ method }: IncomingMessage, id: string): Answer {
    const known = items.get(id);
    if (method !== 'GET' && method !== 'DELETE') return refusal(405, { Allow: 'GET, HEAD, DELETE' });
    if (known === undefined) return refusal(404);
    if (method === 'GET') return { status: 200, body: known };
    if (fault !== 'keeps what was deleted') items.delete(id);
    return { status: 204 };
  }
}
