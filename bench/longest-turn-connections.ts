/**
 * The longest turns of the event loop under what connections send: pipelined requests, bodies in chunks of one byte, long
 * lists with a fault, long bodies and long `Forwarded`, without and with a trusted proxy, and calls of the router that are
 * reset at once, against the compiled service
 * (BASELINE=folder of another build).  tsx bench/longest-turn-connections.ts [pattern of names]
 */
import { once } from 'node:events';
import { constants } from 'node:http2';
import { findFreePort } from '../test/support/postgres/test-server.js';
import { beginsAndResets, openRaw } from '../test/support/router/raw-http2.js';
import { openRawClient, targetOf } from '../test/support/service/raw-client.js';
import { startTurnService, type TurnService } from '../test/support/service/turns.js';

interface Sent {
  readonly name: string;
  readonly connections: number;
  /** Requests of each connection. */
  readonly requests: number;
  readonly text: string;
}

const RESET = 'calls of the router, reset at once';

const wanted = new RegExp(process.argv[2] ?? '');

const CONNECTIONS = 20;
const REQUESTS = 1000;
const BODY_BYTES = 90_000_000;
const LISTED = 1600;

const head = (line: string, ...headers: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');

const PIPELINED: readonly (readonly [string, string])[] = [
  ['400', head('GET /pub?id=x')],
  ['401', head('GET /api/v1/notifications/me')],
  ['303', head('GET /docs')],
  ['preflight', head('OPTIONS /pub', 'Origin: http://a.b', 'Access-Control-Request-Method: GET')],
  ['a row', head('GET /pub?id=eq.1')],
];

const chunked = (chunks: number): string =>
  `${head('POST /rpc/take', 'Content-Type: application/json', 'Transfer-Encoding: chunked')}1\r\n"\r\n${'1\r\na\r\n'.repeat(chunks)}1\r\n"\r\n0\r\n\r\n`;

const NAMES = 'a,'.repeat(LISTED);
const FORWARDED = `Forwarded: for="${'\\"'.repeat(2040)}`;

function* sent(): Generator<Sent, void, undefined> {
  for (const [name, text] of PIPELINED)
    for (const connections of [1, CONNECTIONS])
      yield { name: `pipelined ${name}`, connections, requests: REQUESTS, text };
  yield { name: 'chunks of one byte', connections: 1, requests: 1, text: chunked(700_000) };
  yield { name: 'chunks of one byte', connections: CONNECTIONS, requests: 1, text: chunked(35_000) };
  for (const key of ['select', 'order', 'columns', 'on_conflict'])
    for (const connections of [1, CONNECTIONS])
      yield { name: key, connections, requests: 1, text: head(`GET /pub?${key}=${NAMES}`) };
  yield { name: 'Forwarded', connections: 1, requests: 20, text: head('GET /pub?id=x', FORWARDED) };
  const declared = head('POST /pub', 'Content-Type: application/json', `Content-Length: ${BODY_BYTES}`);
  const [begin, end] = ['[{"id":1,"t":"', '"}]'];
  const value = 'x'.repeat(BODY_BYTES - begin.length - end.length);
  yield { name: 'a long body', connections: 1, requests: 1, text: declared + begin + value + end };
}

async function send(service: TurnService, { requests, text }: Sent): Promise<void> {
  const client = await openRawClient(targetOf(service.url));
  client.send(text.repeat(requests - 1) + text.replace('Host: x', 'Host: x\r\nConnection: close'));
  await client.closed();
}

async function reset(port: number): Promise<void> {
  const client = await openRaw(port);
  const closed = once(client, 'close');
  client.resume();
  client.write(beginsAndResets('/router.v1.RouterService/JoinSession', REQUESTS, constants.NGHTTP2_CANCEL));
  await closed;
}

async function measure(title: string, more: Readonly<Record<string, string>>): Promise<void> {
  const router = await findFreePort();
  const service = await startTurnService(process.env['BASELINE'], {
    DBR_ROUTER_PORT: String(router),
    ...more,
  });
  console.log(`\n${title}\n cpu ms  all cpu  control`);
  const report = async (name: string, connections: number, requests: number, act: () => Promise<void>) => {
    if (!wanted.test(name)) return;
    await service.turns();
    await Promise.all(Array.from({ length: connections }, act));
    const { longestMs, usedMs, controlMs } = await service.turns();
    const figures = [longestMs, usedMs, controlMs].map((ms) => ms.toFixed(1).padStart(8)).join(' ');
    console.log(`${figures}  ${String(connections)} × ${String(requests)} ${name}`);
  };
  for (const one of sent()) await report(one.name, one.connections, one.requests, () => send(service, one));
  for (const connections of [1, CONNECTIONS]) await report(RESET, connections, REQUESTS, () => reset(router));
  await service.stop();
}

await measure('By default', {});
await measure('Behind a proxy', {
  DBR_SERVER_TRUSTED_PROXIES: '127.0.0.1',
  DBR_SERVER_FORWARDED_HEADER: 'forwarded',
});
