/** The router of the paths of areas A and B, of the published document and of its page. */
import { Router } from '@koa/router';
import type { ExchangeState } from './operations.js';
import { mountRoutes, type MountParts } from './mount.js';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { acceptedCoding, codedTag, CODINGS, compress, type ContentCoding } from '../base/content-coding.js';
import { plainPage, START_SCRIPT, viewerPage } from '../documents/docs-page.js';
import { readPublishedDocument } from '../documents/published-document.js';
import { packageRoot } from '../base/package.js';
import { entityTag, matchesEntityTag } from '../operations/responses.js';
import type { Header, Reply } from '../contract/reply.js';

/** @param parts null if neither area runs @param withDocument whether the published document is served */
export function createRouter(parts: MountParts | null, withDocument: boolean): Router<ExchangeState> {
  const router = new Router<ExchangeState>();
  if (withDocument) mountDocumentRoutes(router);
  if (parts !== null) mountRoutes(router, parts);
  return router;
}

/** The viewer's single script, fetched by `make docs-viewer`; the version is part of its name. */
const VIEWER_FILE = join('viewer', 'scalar-1.46.4.js');

/** Scripts and styles come from this origin only; the viewer adds inline styles. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Files are read and compressed when they are first asked for. */
function mountDocumentRoutes(router: Router<ExchangeState>): void {
  const viewer = join(packageRoot(), VIEWER_FILE);
  const hasViewer = existsSync(viewer);
  const page = (): string => (hasViewer ? viewerPage : plainPage)(readPublishedDocument());
  serve(
    router,
    '/api/v1/openapi.json',
    'application/json; charset=utf-8',
    () => readPublishedDocument().text,
  );
  serve(router, '/api/v1/docs', 'text/html; charset=utf-8', page, [['Content-Security-Policy', POLICY]]);
  if (!hasViewer) return;
  serve(router, '/api/v1/docs/viewer.js', 'text/javascript; charset=utf-8', () => readFileSync(viewer));
  serve(router, '/api/v1/docs/start.js', 'text/javascript; charset=utf-8', () => START_SCRIPT);
}

/** A content with its codings, each made once. */
interface Content {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly coded: Map<ContentCoding, Promise<Buffer>>;
}

function contentOf(text: string | Buffer): Content {
  const bytes = Buffer.from(text);
  return { bytes, etag: entityTag(bytes), coded: new Map() };
}

function serve(
  router: Router<ExchangeState>,
  path: string,
  contentType: string,
  read: () => string | Buffer,
  more: readonly Header[] = [],
): void {
  let content: Content | null = null;
  const headers: readonly Header[] = [
    ['Content-Type', contentType],
    ['Cache-Control', 'no-cache'],
    CODING_VARY,
    ...more,
  ];
  router.get(path, async (ctx) => {
    content ??= contentOf(read());
    ctx.state.exchange.route = path;
    ctx.state.reply = await replyOf(content, headers, ctx.req);
  });
}

/** As other operations, and the coding. */
const CODING_VARY = ['Vary', 'Accept, Accept-Encoding, Authorization, Origin'] as const;

async function replyOf(
  content: Content,
  headers: readonly Header[],
  { method, headers: request }: Pick<IncomingMessage, 'method' | 'headers'>,
): Promise<Reply> {
  const coding = acceptedCoding(request['accept-encoding'], CODINGS);
  const etag = codedTag(content.etag, coding);
  const tagged: readonly Header[] = [...headers, ['ETag', etag]];
  if (matchesEntityTag(request['if-none-match'], etag))
    return { status: 304, headers: tagged.filter(([name]) => name !== 'Content-Type'), body: null };
  const bytes = coding === null ? content.bytes : await codedBytes(content, coding);
  const coded: readonly Header[] = coding === null ? tagged : [...tagged, ['Content-Encoding', coding]];
  if (method === 'HEAD')
    return { status: 200, headers: [...coded, ['Content-Length', String(bytes.length)]], body: null };
  return { status: 200, headers: coded, body: [bytes] };
}

function codedBytes({ bytes, coded }: Content, coding: ContentCoding): Promise<Buffer> {
  const known = coded.get(coding);
  if (known !== undefined) return known;
  const made = compress(bytes, coding);
  coded.set(coding, made);
  return made;
}
