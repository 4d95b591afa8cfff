/** The built service with a probe that measures the turns of its event loop. */
import { createInterface } from 'node:readline';
import { SignJWT } from 'jose';
import { withSession } from '../../../src/postgres/session.js';
import { startTestServer } from '../postgres/database.js';
import { createSigningDatabase } from '../signing/signing-database.js';
import { openRawClient, targetOf } from './raw-client.js';
import { serveDbr, type Environment, type ServingProcess } from './built-service.js';
import { untilReady } from './service.js';
import type { WorstRequest } from './worst-requests.js';

const PROBE = new URL('turn-probe.mjs', import.meta.url).href;

/** What happened since the last report, in milliseconds. */
export interface Turns {
  /** Longest delay of a timer beyond its time (`monitorEventLoopDelay`). */
  readonly delayMs: number;
  /** Longest processor time of the main thread between two ticks of a timer of 1 ms. */
  readonly longestMs: number;
  /** Processor time of the main thread. */
  readonly usedMs: number;
  /** Processor time of a fixed computation, measured beside the others in the same thread. */
  readonly controlMs: number;
}

export interface ProbedService extends ServingProcess {
  turns(): Promise<Turns>;
}

/** A service with all areas, and a token of a user who may use their operations. */
export interface TurnService extends ProbedService {
  readonly token: string;
}

const SECRET = 'a secret for tests, of at least thirty-two bytes';

/**
 * Starts the service of this build, or of another one in the folder `root`, on a server of its own.
 * @param more settings beside those of the measurements
 */
export async function startTurnService(root?: string, more: Environment = {}): Promise<TurnService> {
  const server = await startTestServer();
  const areas = await createSigningDatabase(server.uri);
  await withSession(server.uri, (session) => session.script(TURN_SCHEMA));
  const service = await serveProbed(
    {
      DBR_DB_URI: server.uri,
      DBR_DB_ANON_ROLE: 'turns_anon',
      DBR_SERVICE_DB_URI: areas.serviceUri,
      DBR_AREAS: 'data-api,notifications,signing',
      DBR_JWT_SECRET: SECRET,
      DBR_SERVICE_JWT_SECRET: SECRET,
      DBR_ROUTER_DEV_TOKENS: 'true',
      DBR_SIGNING_SESSION_LIMIT: '0',
      DBR_LOG_LEVEL: 'crit',
      ...more,
    },
    root,
  );
  await untilReady(service);
  const claims = {
    sub: 'ann',
    tenantId: 'acme',
    scope: 'notifications:write sign:create',
    role: 'turns_anon',
  };
  return {
    ...service,
    token: await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(SECRET)),
    async stop(signal) {
      const code = await service.stop(signal);
      await areas.drop();
      await server.remove();
      return code;
    },
  };
}

async function serveProbed(environment: Environment, root?: string): Promise<ProbedService> {
  return probed(await serveDbr({ ...environment, ...PROBED }, [], root === undefined ? {} : { root }));
}

/** The environment of a service that is probed. */
export const PROBED: Environment = { NODE_OPTIONS: `--import=${PROBE}` };

/** @param service was started with the environment `PROBED` */
export function probed<Service extends ServingProcess>(
  service: Service,
): Service & Pick<ProbedService, 'turns'> {
  const lines = createInterface({ input: service.child.stderr ?? process.stdin });
  return {
    ...service,
    turns() {
      service.child.kill('SIGWINCH');
      return new Promise((resolve) => {
        const read = (line: string): void => {
          if (!line.startsWith(REPORT)) return;
          lines.off('line', read);
          resolve(JSON.parse(line.slice(REPORT.length)) as Turns);
        };
        lines.on('line', read);
      });
    },
  };
}

const REPORT = 'turns: ';

/** Sends a request as it is, on a connection of its own, and returns the status. 0: the connection was closed before. */
export async function sendWorst(url: string, request: WorstRequest): Promise<number> {
  const { method, target, headers, body } = request;
  const client = await openRawClient(targetOf(url));
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close'];
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  const bytes = body?.() ?? null;
  if (bytes !== null) lines.push(`Content-Length: ${String(bytes.length)}`);
  client.send(`${lines.join('\r\n')}\r\n\r\n`);
  if (bytes !== null) client.socket.write(bytes);
  const answer = await client.closed();
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, ''))?.[1] ?? 0);
}

/** What the worst requests name. */
const TURN_SCHEMA = `
  create role turns_anon nologin;
  create table public.pub (id int primary key, t text, j jsonb);
  create table public.children (id int primary key, pub_id int references public.pub);
  insert into public.pub select g, 'text ' || g from generate_series(1, 10) g;
  create function public.take(body json) returns int language sql stable as 'select 1';
  create function public.raw(bytea) returns int language sql stable as 'select 1';
  grant select, insert, update, delete on public.pub, public.children to turns_anon;
`;
