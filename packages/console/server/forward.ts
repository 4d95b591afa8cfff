/** Sends a request of the page to the public port of the same service, and its response back to the page. */
import {
  request as send,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';

/**
 * Headers of one connection (RFC 9110 §7.6.1), those by which a browser describes the page, and those in which the public port
 * believes a proxy on this machine.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...[
    'connection',
    'keep-alive',
    'proxy-connection',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
    'host',
  ],
  ...['forwarded', 'x-forwarded-for', 'x-forwarded-proto'],
  ...['cookie', 'origin', 'referer', 'x-dbr-console', 'expect', 'set-cookie'],
  // Those of `CONFINED`.
  ...['content-security-policy', 'x-content-type-options', 'cross-origin-resource-policy'],
]);
const isLeftOut = (name: string): boolean => LEFT_OUT.has(name) || name.startsWith('sec-');

/** No response of the data API may act as a page of the console's origin, whatever type a function gives it. */
const CONFINED = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * @param target address of the public port, `http://…` or `unix:<path>`
 * @param path with the query, as on the request line
 */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  path: string,
): void {
  const outgoing = send({
    ...addressOf(target),
    method: request.method,
    path,
    headers: {
      ...kept(request.headers),
      // Without it, Node.js sends the body of a DELETE without an end that the public port could find.
      ...(request.headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }),
    },
    setHost: true,
    agent: false,
  });
  outgoing.on('response', (incoming) => {
    response.writeHead(incoming.statusCode ?? 502, { ...kept(incoming.headers), ...CONFINED });
    incoming.pipe(response);
    incoming.on('error', () => void response.destroy());
  });
  outgoing.on('error', () => {
    if (response.headersSent) return void response.destroy();
    response.writeHead(502, { 'Content-Type': 'application/json; charset=utf-8' });
    const message = 'The public port does not respond';
    response.end(JSON.stringify({ code: 'DBR412', message, details: null, hint: null }));
  });
  response.on('close', () => void outgoing.destroy());
  request.pipe(outgoing);
}

function addressOf(
  target: string,
): { readonly socketPath: string } | { readonly host: string; readonly port: string } {
  if (target.startsWith('unix:')) return { socketPath: target.slice('unix:'.length) };
  const { hostname, port } = new URL(target);
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port };
}

const kept = (headers: IncomingHttpHeaders): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || isLeftOut(name) ? [] : [[name, value]],
    ),
  );
