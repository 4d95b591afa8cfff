/** Messages of the Model Context Protocol: one POST is one message, one answer in JSON, and nothing is kept between them. */
import type * as Protocol from '@modelcontextprotocol/server';
import { costOf, isObject, jsonIn, type JsonObject, objectOf, textOf } from '../base/json.js';
import { version } from '../base/package.js';
import type { Reply } from '../contract/reply.js';
import { headerOf, type Request } from '../contract/request.js';
import type { AgentApi, Call } from './ask.js';
import { protocolError } from './endpoint.js';
import { INSTRUCTIONS, listResources, PROMPTS, readResource, RESOURCE_TEMPLATE } from './guidance.js';
import type { Library, Tool, ToolAnswer } from './tool.js';
import { createTools, type Tools } from './tools.js';

interface AgentOptions {
  readonly api: AgentApi;
  /** Origins of pages that may send messages (`server-cors-allowed-origins`). */
  readonly origins: readonly string[];
  readonly tools: readonly Tool[];
}

const SERVER_INFO = { name: 'dbr', version: version() };
const REVISION = '2026-07-28';
const JSON_TYPE = 'application/json';
/** Most commas and opening brackets of a message: the library and the tools walk through all values at once, some recursively. */
const MOST_MARKS = 5000;

/** Returns what answers the messages of agents. */
export function serveAgents(library: Library, options: AgentOptions): (request: Request) => Promise<Reply> {
  const { ParseError, InvalidRequest } = library.ProtocolErrorCode;
  const { api } = options;
  const tools = createTools(library, options.tools);
  const allowed = new Set(options.origins);
  const calls = new WeakMap<globalThis.Request, Call>();
  const modern = library.createMcpHandler(
    ({ requestInfo }) => {
      const call = requestInfo === undefined ? undefined : calls.get(requestInfo);
      if (call === undefined) throw new Error('the message has no call');
      return serverOf(library, call, tools);
    },
    { legacy: 'reject', maxSubscriptions: 0 },
  );

  /** @param message a JSON value */
  async function respond(call: Call, message: unknown): Promise<Reply> {
    const { received } = call.request.headers;
    const head = (name: string): string | undefined => headerOf(received, name);
    const usual = usualCall(message, head);
    const answer = usual === null ? null : await tools.call(usual.name, usual.args, call);
    if (usual !== null && answer !== null) return usualReply(usual.id, answer);
    const { kind } = library.classifyInboundRequest({
      httpMethod: 'POST',
      body: message,
      ...given('protocolVersionHeader', head('mcp-protocol-version')),
      ...given('mcpMethodHeader', head('mcp-method')),
      ...given('mcpNameHeader', head('mcp-name')),
    });
    const headers = READ_BY_LIBRARY.flatMap((name): [string, string][] => {
      const value = head(name);
      return value === undefined ? [] : [[name, value]];
    });
    const request = new globalThis.Request('http://dbr/mcp', { method: 'POST', headers });
    calls.set(request, call);
    if (kind !== 'legacy') return replyOf(await modern.fetch(request, { parsedBody: message }));
    const transport = new library.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await serverOf(library, call, tools).connect(transport);
    return replyOf(await transport.handleRequest(request, { parsedBody: message }));
  }

  return async (request) => {
    const origin = headerOf(request.headers.received, 'origin');
    // A page must not send messages by a name that its host has given to this address (DNS rebinding).
    if (origin !== undefined && !LOOPBACK.test(origin) && !allowed.has(origin))
      return protocolError(403, InvalidRequest, 'server-cors-allowed-origins does not name the origin');
    if (request.method !== 'POST') {
      const refusal = protocolError(405, InvalidRequest, 'Messages are sent by POST; there are no sessions');
      return { ...refusal, headers: [...refusal.headers, ['Allow', 'POST']] };
    }
    const text = request.body.toString('utf8');
    const cost = costOf(text, MOST_MARKS);
    if (cost !== null) return protocolError(400, InvalidRequest, `The message ${cost}`);
    const message = jsonIn(text);
    if (message === undefined) return protocolError(400, ParseError, 'The body is not JSON');
    if (Array.isArray(message))
      return protocolError(400, InvalidRequest, 'A body is one message, not a list');
    const call: Call = { request, api, refusal: null, fault: null };
    const reply = await respond(call, message);
    if (call.fault !== null) throw call.fault.error;
    return call.refusal ?? reply;
  };
}

const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** Headers of the protocol, which the library reads. */
const READ_BY_LIBRARY = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

function given<Name extends string>(name: Name, value: string | undefined): Partial<Record<Name, string>> {
  const made: Partial<Record<Name, string>> = {};
  if (value !== undefined) made[name] = value;
  return made;
}

async function replyOf(response: Response): Promise<Reply> {
  const body = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get('content-type');
  return jsonReply(response.status, type ?? JSON_TYPE, body);
}

const jsonReply = (status: number, type: string, body: Buffer): Reply => ({
  status,
  headers: [['Cache-Control', 'no-store'], ...(body.length === 0 ? [] : [['Content-Type', type] as const])],
  body: body.length === 0 ? null : [body],
});

interface UsualCall {
  readonly id: string | number;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const USUAL_MEMBERS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

/**
 * Most messages are calls of tools whose headers say the same as the body. They are answered without a server of the library,
 * which takes several times as long as a short read; null for all others.
 */
function usualCall(message: unknown, head: (name: string) => string | undefined): UsualCall | null {
  const { jsonrpc, id, method, params } = objectOf(message);
  if ((typeof id !== 'string' && typeof id !== 'number') || method !== 'tools/call' || !isObject(params))
    return null;
  const { name, arguments: args = {}, _meta: meta } = params;
  const isUsual =
    jsonrpc === '2.0' &&
    isObject(meta) &&
    isUsualMeta(meta) &&
    head('mcp-protocol-version') === REVISION &&
    head('mcp-method') === method &&
    head('content-type') === JSON_TYPE &&
    typeof name === 'string' &&
    head('mcp-name') === name &&
    Object.keys(params).every((member) => USUAL_MEMBERS.has(member));
  return isUsual && isObject(args) ? { id, name, args } : null;
}

/** What the protocol requires of each message: revision, client and capabilities. */
function isUsualMeta(meta: JsonObject): boolean {
  const { name, version: release } = objectOf(meta[`${PREFIX}clientInfo`]);
  return (
    meta[`${PREFIX}protocolVersion`] === REVISION &&
    isObject(meta[`${PREFIX}clientCapabilities`]) &&
    typeof name === 'string' &&
    typeof release === 'string' &&
    Object.keys(meta).every((member) => member.startsWith(PREFIX))
  );
}

const PREFIX = 'io.modelcontextprotocol/';
const META = { 'io.modelcontextprotocol/serverInfo': SERVER_INFO };

/** As the library writes it. */
function usualReply(id: string | number, answer: ToolAnswer): Reply {
  const { content, isError } = answer;
  const result = { content, isError, resultType: 'complete', _meta: META };
  const message = { result, jsonrpc: '2.0', id };
  return jsonReply(200, JSON_TYPE, Buffer.from(JSON.stringify(message)));
}

/** A server of the library, for one message. */
function serverOf(library: Library, call: Call, tools: Tools): Protocol.Server {
  const { ProtocolError, ResourceNotFoundError, ProtocolErrorCode } = library;
  const capabilities = { tools: {}, resources: {}, prompts: {} };
  const server = new library.Server(SERVER_INFO, { capabilities, instructions: INSTRUCTIONS });
  /** A fault must not become a text for the client. */
  async function guarded<T>(work: () => Promise<T | null>, absent: () => Error): Promise<T> {
    const made = await work().catch((error: unknown) => {
      call.fault = { error };
      throw error;
    });
    if (made === null) throw absent();
    return made;
  }
  const unknown = (what: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown ${what}`);
  server.setRequestHandler('tools/list', () => ({ tools: [...tools.list] }));
  server.setRequestHandler('tools/call', ({ params: { name, arguments: args = {} } }) =>
    guarded(
      () => tools.call(name, args, call),
      () => unknown(`tool: ${name}`),
    ),
  );
  server.setRequestHandler('resources/list', ({ params }) => listResources(params?.cursor ?? null, call));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [RESOURCE_TEMPLATE] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    guarded(
      () => readResource(uri, call),
      () => new ResourceNotFoundError(uri),
    ),
  );
  server.setRequestHandler('prompts/list', () => ({
    prompts: PROMPTS.map(({ name, title, argument }) => ({
      ...{ name, title, description: title },
      arguments: [{ name: argument, required: true }],
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: args } }) => {
    const prompt = PROMPTS.find((each) => each.name === name);
    const value = textOf(objectOf(args)[prompt?.argument ?? '']);
    if (prompt === undefined || value === '') throw unknown('prompt, or its argument is missing');
    const text = prompt.text(value);
    return { description: prompt.title, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
  return server;
}
