/** The published document and its page: `/api/v1/openapi.json`, `/api/v1/docs`. */
import type Router from '@koa/router';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainPage, START_SCRIPT, viewerPage } from '../documents/docs-page.js';
import { readPublishedDocument } from '../documents/published-document.js';
import { packageRoot } from '../package.js';
import type { ExchangeState } from './application.js';
import { entityTag, matchesEntityTag } from '../operations/entity-tag.js';
import type { HeaderList, Reply } from './reply.js';

/** The viewer's single script, fetched by `make docs-viewer`; the version is part of its name. */
const VIEWER_FILE = join('viewer', 'scalar-1.46.4.js');

/** Scripts and styles come from this origin only; the viewer adds inline styles. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function mountDocumentRoutes(router: Router<ExchangeState>): void {
  const document = readPublishedDocument();
  const viewer = readViewer();
  const page = viewer === null ? plainPage(document) : viewerPage(document);
  serve(router, '/api/v1/openapi.json', 'application/json; charset=utf-8', Buffer.from(document.text));
  serve(router, '/api/v1/docs', 'text/html; charset=utf-8', Buffer.from(page), [
    ['Content-Security-Policy', POLICY],
  ]);
  if (viewer === null) return;
  serve(router, '/api/v1/docs/viewer.js', 'text/javascript; charset=utf-8', viewer);
  serve(router, '/api/v1/docs/start.js', 'text/javascript; charset=utf-8', Buffer.from(START_SCRIPT));
}

function readViewer(): Buffer | null {
  try {
    return readFileSync(join(packageRoot(), VIEWER_FILE));
  } catch {
    return null;
  }
}

function serve(
  router: Router<ExchangeState>,
  path: string,
  contentType: string,
  content: Buffer,
  more: HeaderList = [],
): void {
  const etag = entityTag(content);
  const headers: HeaderList = [['ETag', etag], ['Cache-Control', 'no-cache'], ...more];
  const found: Reply = { status: 200, headers: [['Content-Type', contentType], ...headers], body: [content] };
  const unchanged: Reply = { status: 304, headers, body: null };
  router.get(path, (ctx) => {
    ctx.state.reply = matchesEntityTag(ctx.req.headers['if-none-match'], etag) ? unchanged : found;
  });
}
