/** The router of the paths of areas A and B, of the published document and of its page. */
import { Router } from '@koa/router';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { packageRoot } from '../base/package.js';
import type { Header, Reply } from '../contract/reply.js';
import {
  contentOf,
  contentReply,
  notBuilt,
  PAGE_FILES,
  PAGE_HEADERS,
  readPageFile,
  type Content,
} from '../operations/static-content.js';
import { mountRoutes, type MountParts } from './mount.js';
import type { Exchange } from './exchange.js';
import type { ExchangeState } from './operations.js';

// With it, so that a start reads neither.
export { createLiveTicket } from './live-ticket.js';

/** What the reference page knows of the service before it asks. */
export interface ReferenceFacts {
  readonly areas: readonly string[];
  /** Prefix of the paths of the data API (`server-path-prefix`). */
  readonly prefix: string;
  /** Exposed schemas; the first one is the default. */
  readonly schemas: readonly string[];
  /** Whether there is a description of the database: `token` if only for callers with a token. */
  readonly description: 'served' | 'token' | 'disabled' | 'absent';
}

/**
 * @param parts null if neither area runs @param facts null if the published document is not served
 * @param tickets makes tickets of live reads; null without the data API
 */
export function createRouter(
  parts: MountParts | null,
  facts: (() => ReferenceFacts) | null,
  tickets: MakeTicket | null,
): Router<ExchangeState> {
  // Paths are case-sensitive (RFC 3986 §6.2.2.1): rules of a proxy, and the paths that no log has, compare them exactly.
  const router = new Router<ExchangeState>({ sensitive: true });
  if (facts !== null) mountDocumentRoutes(router, facts);
  if (tickets !== null)
    router.post(LIVE_TICKETS, async ({ state, req, res }) => {
      state.exchange.route = LIVE_TICKETS;
      state.reply = await tickets(state.exchange, req, res);
    });
  if (parts !== null) mountRoutes(router, parts);
  return router;
}

type MakeTicket = (exchange: Exchange, request: IncomingMessage, response: ServerResponse) => Promise<Reply>;

const LIVE_TICKETS = '/api/v1/live-tickets';

const PAGE = '/api/v1/docs';

function mountDocumentRoutes(router: Router<ExchangeState>, facts: () => ReferenceFacts): void {
  const document = join(packageRoot(), 'generated', 'openapi.json');
  serve(
    router,
    '/api/v1/openapi.json',
    [
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Cache-Control', 'no-cache'],
    ],
    () => readFile(document),
  );
  for (const [name, type] of PAGE_FILES)
    serve(
      router,
      name === '' ? PAGE : `${PAGE}/${name}`,
      [['Content-Type', type], ...PAGE_HEADERS],
      () => readPageFile('reference', name),
      name === '' ? () => escapeHtml(JSON.stringify(facts())) : undefined,
    );
}

/** The addresses in the page are relative to its path. */
const WITHOUT_SLASH: Reply = { status: 303, headers: [['Location', '../docs']], body: null };

/** Serves a file, which is read when it is first asked for. @param factsOf the text in place of `{{facts}}` */
function serve(
  router: Router<ExchangeState>,
  path: string,
  headers: readonly Header[],
  read: () => Promise<Buffer>,
  factsOf: () => string = () => '',
): void {
  let made: { readonly file: Buffer; readonly facts: string; readonly content: Content } | null = null;
  router.get(path, async (ctx) => {
    ctx.state.exchange.route = path;
    if (path === PAGE && ctx.path.endsWith('/')) {
      ctx.state.reply = WITHOUT_SLASH;
      return;
    }
    const file = made?.file ?? (await read().catch(() => null));
    if (file === null) {
      ctx.state.reply = notBuilt('reference');
      return;
    }
    const facts = factsOf();
    if (made?.facts !== facts)
      made = {
        file,
        facts,
        content: contentOf(facts === '' ? file : file.toString().replace('{{facts}}', () => facts)),
      };
    ctx.state.reply = contentReply(made.content, headers, ctx.req);
  });
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
