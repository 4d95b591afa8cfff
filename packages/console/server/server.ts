/**
 * The console over HTTP: its page, what it asks about the database, samples of metrics, tokens for development, and the
 * way to the public port. All is of one origin, so that neither port grants anything to other origins (no CORS), and the
 * page needs no other address.
 *
 * A request that does more than load the page needs the header `X-Dbr-Console`. A page of another origin cannot send it
 * without a preflight request, which is never granted, and a form cannot send it at all (Fetch standard, 4.9): together
 * with tokens that no browser adds by itself, no other page can act for the user (CSRF).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Content,
  contentOf,
  contentReply,
  dbrError,
  DbrError,
  errorReply,
  type Inspection,
  type InspectionReply,
  isObject,
  notBuilt,
  PAGE_FILES,
  PAGE_HEADERS,
  readPageFile,
  type TokenRequest,
} from '../../../src/face.js';
import type { MetricSample } from './answers.js';
import { forward } from './forward.js';
import { serveManual } from './manual.js';

export interface ConsoleParts {
  readonly version: string;
  readonly areas: readonly string[];
  /** Prefix of the paths of the data API (`server-path-prefix`). */
  readonly pathPrefix: string;
  /** Whether the public port has the reference page. */
  readonly hasReference: boolean;
  /** `db-live` */
  readonly hasLive: boolean;
  /** Whether people apply what agents propose (`mcp-apply = false`). */
  readonly hasProposals: boolean;
  /** Address of the public port, to which requests below `api` are forwarded. */
  readonly target: string;
  readonly inspect: (inspection: Inspection) => Promise<InspectionReply>;
  readonly samples: () => readonly MetricSample[];
  /** Signs tokens of any user and role; null outside of development. */
  readonly mint: ((request: TokenRequest) => Promise<string>) | null;
}

/** Longest body of a question, in bytes. */
const LONGEST_QUESTION = 1_048_576;

/** @param path below the path of the console, with the query: `/`, `/app.js`, `/api/cities?limit=1` */
export async function serveConsole(
  parts: ConsoleParts,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  try {
    await serve(parts, request, response, path);
  } catch (error) {
    reply(response, errorReply(error instanceof DbrError ? error : dbrError('InternalError')));
  }
}

async function serve(
  parts: ConsoleParts,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const method = request.method ?? 'GET';
  const isRead = method === 'GET' || method === 'HEAD';
  const name = path.slice(1).replace(/\?.*$/s, '');
  if (isRead && ((await servePage(name, request, response)) || (await serveManual(name, response)))) return;
  if (!isOwnPage(request)) throw dbrError('Forbidden', { details: 'the header X-Dbr-Console is missing' });
  if (path.startsWith('/api/')) return forward(request, response, parts.target, path.slice('/api'.length));
  switch (`${isRead ? 'GET' : method} ${path}`) {
    case 'GET /information':
      return json(response, informationOf(parts));
    case 'GET /samples':
      return json(response, parts.samples());
    case 'POST /question':
      return reply(response, await parts.inspect(inspectionOf(request, await bodyOf(request))));
    case 'POST /token':
      if (parts.mint === null)
        throw dbrError('Forbidden', { details: 'tokens are made in development only' });
      return json(response, { token: await parts.mint(tokenRequestOf(await bodyOf(request))) });
    default:
      throw dbrError('InvalidPath');
  }
}

/** Whether the page of the console sent the request. */
function isOwnPage({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  return headers['x-dbr-console'] === '1' && (site === undefined || site === 'same-origin');
}

const informationOf = ({
  version,
  areas,
  pathPrefix,
  hasReference,
  hasLive,
  hasProposals,
  target,
  mint,
}: ConsoleParts) => ({
  version,
  areas,
  pathPrefix,
  api: 'api',
  publicUrl: target,
  reference: hasReference && !target.startsWith('unix:') ? `${target}/api/v1/docs` : null,
  development: mint !== null,
  live: hasLive,
  proposals: hasProposals,
});

const inspectionOf = ({ headers }: IncomingMessage, question: unknown): Inspection => ({
  authorization: headers.authorization ?? null,
  question,
});

/** @throws DbrError InvalidBody */
function tokenRequestOf(body: unknown): TokenRequest {
  const { tenant, user, role, scope } = isObject(body) ? body : {};
  const optional = (value: unknown): value is string | undefined =>
    value === undefined || typeof value === 'string';
  if (typeof tenant !== 'string' || typeof user !== 'string' || !optional(role) || !optional(scope))
    throw dbrError('InvalidBody', { details: 'a token needs tenant and user' });
  return { tenant, user, role, scope, expiresIn: TOKEN_SECONDS };
}

/** Tokens of the console end within an hour. */
const TOKEN_SECONDS = 3600;

/** @throws DbrError PayloadTooLarge, InvalidBody */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > LONGEST_QUESTION) throw dbrError('PayloadTooLarge', { limit: LONGEST_QUESTION });
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    throw dbrError('InvalidBody', { details: 'the body is no JSON' });
  }
}

const json = (response: ServerResponse, value: unknown): void =>
  reply(response, { status: 200, body: JSON.stringify(value) });

function reply(response: ServerResponse, { status, body }: InspectionReply): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
}

/** The files of the page, as `make build` has made them. They are read when they are first asked for. */
const files = new Map<string, Promise<Content>>();

const fileOf = (name: string): Promise<Content> => {
  const known = files.get(name);
  if (known !== undefined) return known;
  const read = readPageFile('console', name).then(contentOf);
  files.set(name, read);
  read.catch(() => files.delete(name));
  return read;
};

/** Serves a file. False if the console has none of this name. */
async function servePage(name: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const type = PAGE_FILES.get(name);
  if (type === undefined) return false;
  const file = await fileOf(name).catch(() => null);
  const { status, headers, body } =
    file === null
      ? notBuilt('console')
      : contentReply(file, [...PAGE_HEADERS, ['Content-Type', type]], request);
  response.statusCode = status;
  for (const [header, value] of headers) response.setHeader(header, value);
  response.end(Array.isArray(body) ? body[0] : undefined);
  return true;
}
