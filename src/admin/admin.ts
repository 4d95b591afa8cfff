/** The admin port: probes, metrics, settings, schema cache and console. */
import Koa from 'koa';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Inspection, InspectionReply } from '../contract/inspection.js';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { METRICS_TYPE } from '../observability/metric-sum.js';

/** `ready` gives 200; `pending` gives 503: a part is loading, or its database cannot be reached. */
export interface Readiness {
  readonly ready: boolean;
  /** One word for each part: `up`, `read-only`, `loading`, `not migrated`, `down`. */
  readonly parts: Readonly<Record<string, string>>;
}

export interface AdminParts {
  isReachable(): Promise<boolean>;
  readiness(): Promise<Readiness>;
  /** The text exposition format of Prometheus. */
  metrics(): Promise<string>;
  /** The settings in force, secrets redacted. */
  settingsText(): string | Promise<string>;
  /** The schema cache as JSON, in pieces; null before the first load. */
  schemaCacheText(): Iterable<string> | null | Promise<Iterable<string> | null>;
  /** Answers what the console asks about the database. */
  inspect(inspection: Inspection): Promise<InspectionReply>;
}

/** The services behind the admin port. */
export interface AdminServices extends Omit<AdminParts, 'inspect'> {
  /** Serves the console. @param path below its path, with the query */
  readonly console: (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>;
}

/** Path of the console. */
const CONSOLE = '/console';

/** Errors of a client that has gone, such as a page with a live table that was closed. */
const ABANDONED: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE']);

const JSON_TYPE = 'application/json; charset=utf-8';

/** @param names of the host by which clients may reach the port, in lower case, beside addresses and names of loopback */
export function createAdmin(parts: AdminServices, names: ReadonlySet<string>): Koa {
  const app = new Koa();
  app.on('error', (error: NodeJS.ErrnoException) => {
    if (!ABANDONED.has(error.code)) app.onerror(error);
  });
  app.use(async (ctx) => {
    if (!isOwnHost(ctx.get('Host'), names)) {
      ctx.status = 421;
      ctx.body = 'The admin port is not served under this name of the host (admin-server-allowed-hosts).';
      return;
    }
    if (ctx.url === CONSOLE) {
      ctx.redirect(`${CONSOLE.slice(1)}/`);
      return;
    }
    if (ctx.url.startsWith(`${CONSOLE}/`)) {
      ctx.respond = false;
      await parts.console(ctx.req, ctx.res, ctx.url.slice(CONSOLE.length));
      return;
    }
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.status = 405;
      ctx.set('Allow', 'GET, HEAD');
      return;
    }
    switch (ctx.path) {
      case '/live':
        ctx.status = (await parts.isReachable()) ? 200 : 500;
        ctx.body = '';
        return;
      case '/ready':
        return ready(ctx, parts);
      case '/metrics':
        ctx.type = METRICS_TYPE;
        ctx.body = await parts.metrics();
        return;
      case '/config':
        ctx.type = 'text/plain; charset=utf-8';
        ctx.body = await parts.settingsText();
        return;
      case '/schema_cache': {
        const text = await parts.schemaCacheText();
        ctx.status = text === null ? 503 : 200;
        ctx.type = JSON_TYPE;
        ctx.body = text === null ? 'null' : Readable.from(text);
        return;
      }
      default:
        ctx.status = 404;
        ctx.body = 'Not Found';
    }
  });
  return app;
}

/**
 * Whether a page of another origin cannot have caused the request: a name of its own that it lets resolve to this
 * machine (DNS rebinding) is in the header Host, and an address is none. Clients of HTTP/1.0 may send no header.
 */
function isOwnHost(header: string, names: ReadonlySet<string>): boolean {
  const host = header.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
  const isLoopback = host === 'localhost' || host.endsWith('.localhost');
  return host === '' || isLoopback || isIP(host.replace(/^\[(.*)\]$/, '$1')) > 0 || names.has(host);
}

async function ready(ctx: Koa.Context, parts: AdminServices): Promise<void> {
  const { ready: isReady, parts: states } = await parts.readiness();
  ctx.status = (await parts.isReachable()) ? (isReady ? 200 : 503) : 500;
  ctx.type = JSON_TYPE;
  ctx.body = JSON.stringify({ ready: ctx.status === 200, parts: states });
}
