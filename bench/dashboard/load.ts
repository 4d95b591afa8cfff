/** A mixed load on a service with the sample database: every area, with errors and refusals, at a fixed rate. */
import { setTimeout as delay } from 'node:timers/promises';
import { credentials, Metadata } from '@grpc/grpc-js';
import { SignJWT } from 'jose';
import { connectRouter } from '../../examples/parties/router-client.js';

export interface LoadTarget {
  readonly url: string;
  readonly routerPort: number;
  readonly secret: string;
}

interface Step {
  /** Share of the requests. */
  readonly weight: number;
  readonly request: (turn: number) => readonly [path: string, init?: RequestInit];
}

const JSON_BODY = { 'Content-Type': 'application/json' };
const LINES = { 'Content-Type': 'application/x-ndjson' };
const STRIDE = 7919;
const CITIES = 5000;

const stepsOf = (token: string): readonly Step[] => {
  const headers = { Authorization: `Bearer ${token}`, ...JSON_BODY };
  const user = (turn: number): string => `user-${String(turn % 50)}`;
  return [
    { weight: 30, request: (turn) => [`/cities?id=eq.${String((turn * STRIDE) % CITIES)}`] },
    { weight: 15, request: (turn) => [`/cities?limit=20&offset=${String((turn * 20) % 1000)}`] },
    { weight: 10, request: () => ['/countries?select=name,regions(name)&limit=20'] },
    { weight: 5, request: () => ['/regions?limit=10', { headers: { Prefer: 'count=exact' } }] },
    { weight: 5, request: (turn) => [`/rpc/search_cities?query=${['ber', 'san', 'new'][turn % 3] ?? ''}`] },
    { weight: 2, request: () => ['/cities?limit=5000'] },
    { weight: 2, request: () => ['/cities?order=name&name=like.*an*'] },
    { weight: 2, request: () => ['/nowhere'] },
    { weight: 2, request: () => ['/cities?population=gt.many'] },
    { weight: 2, request: () => ['/cities', { method: 'POST', headers: JSON_BODY, body: '{"name":"x"}' }] },
    { weight: 3, request: () => ['/cities?limit=2000', { headers: { Accept: 'application/x-ndjson' } }] },
    {
      weight: 1,
      request: () => ['/cities', { method: 'POST', headers: LINES, body: '{"name":"x"}\n{"name":"y"}\n' }],
    },
    { weight: 8, request: () => ['/cities?limit=1', { headers: { Authorization: 'Bearer expired' } }] },
    {
      weight: 6,
      request: (turn) => [
        '/api/v1/notifications',
        {
          method: 'POST',
          headers,
          body: JSON.stringify({ userIds: [user(turn)], type: 'load.event', title: `event ${String(turn)}` }),
        },
      ],
    },
    { weight: 6, request: () => ['/api/v1/notifications/me?limit=20', { headers }] },
    { weight: 4, request: () => ['/api/v1/notifications/me/unread-count', { headers }] },
    { weight: 1, request: () => ['/accounts/none/signing-config', { headers }] },
  ];
};

/** @param perSecond requests a second, if the service takes them */
export async function mixedLoad(target: LoadTarget, seconds: number, perSecond: number): Promise<number> {
  const token = await new SignJWT({ tenantId: 'load', sub: 'user-1', scope: 'notifications:write' })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(target.secret));
  const order = stepsOf(token).flatMap((step) => Array<Step>(step.weight).fill(step));
  const streams = new AbortController();
  await openStreams(target, token, streams.signal);
  const until = performance.now() + seconds * 1000;
  let sent = 0;
  const client = async (own: number): Promise<void> => {
    for (let turn = own; performance.now() < until; turn += CLIENTS) {
      const step = order[(turn * STRIDE) % order.length];
      if (step === undefined) continue;
      const [path, init] = step.request(turn);
      const started = performance.now();
      await (await fetch(`${target.url}${path}`, init)).arrayBuffer();
      sent += 1;
      await delay(Math.max(0, (CLIENTS * 1000) / perSecond - (performance.now() - started)));
    }
  };
  await Promise.all([...Array.from({ length: CLIENTS }, (_, own) => client(own)), strangers(target, until)]);
  streams.abort();
  return sent;
}

const CLIENTS = 16;
const STREAMS = 3;

async function openStreams({ url }: LoadTarget, token: string, signal: AbortSignal): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' };
  for (let opened = 0; opened < STREAMS; opened += 1) {
    const { body } = await fetch(`${url}/api/v1/notifications/me/stream`, { headers, signal });
    if (body !== null) void body.pipeTo(new WritableStream(), { signal }).catch(() => undefined);
  }
}

/** Calls of a party that the router does not know, two a second. */
async function strangers({ routerPort }: LoadTarget, until: number): Promise<void> {
  const client = connectRouter(`127.0.0.1:${String(routerPort)}`, {
    channel: credentials.createInsecure(),
    metadata: () => Promise.resolve(new Metadata()),
  });
  while (performance.now() < until) {
    await client.heartbeat({ instanceId: 'load' }).catch(() => undefined);
    await delay(500);
  }
  client.close();
}
