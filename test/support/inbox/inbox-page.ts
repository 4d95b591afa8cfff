/** A page with `<dbr-inbox>` for tests in a browser, behind one origin with the service, whose connections can be cut. */
import { build } from 'esbuild';
import { existsSync } from 'node:fs';
import { createServer, request as requestOf, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
export const chromiumPath = BROWSERS.find((path) => existsSync(path));
export const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A strict policy: what the element needs beyond it would not work on pages that have it. */
const POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'";
const TRUSTED_TYPES = "; require-trusted-types-for 'script'; trusted-types 'none'";

/** What functions that run in the page use of it; tests have no types of browsers. */
export interface PageGlobals {
  readonly document: {
    querySelector(name: 'dbr-inbox'): {
      readonly state: { readonly items: readonly { readonly seenAt: string | null }[] } | null;
      readonly shadowRoot: {
        querySelectorAll(selector: string): Iterable<{ readonly textContent: string | null }>;
        readonly activeElement: {
          getAttribute(name: string): string | null;
          readonly textContent: string | null;
        } | null;
      };
    };
  };
}

export interface InboxPage {
  readonly url: string;
  /** Ends all connections to the service. */
  cut(): void;
  /** Refuses requests to the service with this status until it is null. */
  refuse(status: number | null): void;
  /** The body of the page from now on. */
  show(body: string, attributes?: string): void;
  close(): Promise<void>;
}

/**
 * @param scripts further files of the page by their paths
 * @param hasTrustedTypes false for frameworks that set `innerHTML`
 */
export async function serveInboxPage(
  serviceUrl: string,
  scripts: Readonly<Record<string, string>> = {},
  hasTrustedTypes = true,
): Promise<InboxPage> {
  const { outputFiles } = await build({
    entryPoints: ['packages/inbox/src/element.ts'],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const files: Readonly<Record<string, string>> = { '/dbr-inbox.js': outputFiles[0]?.text ?? '', ...scripts };
  const target = new URL(serviceUrl);
  const open = new Set<ServerResponse>();
  const policy = hasTrustedTypes ? POLICY + TRUSTED_TYPES : POLICY;
  let body = '';
  let htmlAttributes = 'lang="en"';
  let refused: number | null = null;

  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const file = files[path];
    if (file !== undefined) {
      const type = path.endsWith('.css') ? 'text/css' : 'text/javascript';
      return void response.writeHead(200, { 'Content-Type': type }).end(file);
    }
    if (!path.startsWith('/api/')) {
      const head = {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': policy,
      };
      return void response
        .writeHead(200, head)
        .end(`<!doctype html><html ${htmlAttributes}><title>Inbox</title>${body}`);
    }
    if (refused !== null) return void response.writeHead(refused).end('{}');
    open.add(response);
    response.on('close', () => open.delete(response));
    const { hostname, port } = target;
    const headers = { ...request.headers, host: target.host };
    const passed = requestOf({ hostname, port, path, method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    cut: () => {
      for (const response of open) response.destroy();
    },
    refuse: (status) => {
      refused = status;
    },
    show: (shown, attributes = 'lang="en"') => {
      body = shown;
      htmlAttributes = attributes;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
