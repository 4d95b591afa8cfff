import { expect } from 'chai';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { openCountingProxy, type CountingProxy } from '../../support/postgres/counting-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { some } from '../../support/runs.js';
import { until } from '../../support/until.js';
import { serveDbr, type ServingProcess } from '../../support/service/built-service.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';
const SCHEMA = `
  create table public.directors (id int primary key, name text);
  create table public.films (id int primary key, title text, director_id int references public.directors);
  insert into public.directors select g, 'Director ' || g from generate_series(1, 20) g;
  insert into public.films select g, 'Film ' || g, 1 + g % 20 from generate_series(1, 200) g;
  create table public.notes (id bigint generated always as identity primary key, text text);
  create table public.roles (id int primary key, film_id int references public.films, name text);
  insert into public.roles select g, 1 + g % 200, 'Role ' || g from generate_series(1, 400) g;
  create function public.add_note(text text) returns void language sql as
    $$ insert into public.notes (text) values (text) $$;
  create function public.film_title(film int) returns text stable language sql as
    $$ select title from public.films where id = film $$;
  create role cost_anon;
  grant select, insert, update on public.films, public.directors, public.roles to cost_anon;
  grant select, insert, delete on public.notes to cost_anon;
  analyze;
`;
const POOL = 4;
const WARM_UP = 40;
const REQUESTS = 100;
/** Messages are counted exactly, so that fewer requests do. */
const FEW_REQUESTS = 40;
/** Work of the service itself, such as a probe, may fall into a measurement. */
const OTHER_TRIPS = 3;
/** Timers, signals between threads, and packets that arrive in parts. */
const OTHER_CALLS = 60;
/** A connection of the pool that no earlier request has used prepares the statements once. */
const mostParses = (statements: number): number => POOL * statements + OTHER_TRIPS;

const SEMI_SPACE_MB = 1;
const COUNT_COLLECTIONS = new URL('../../support/service/count-collections.mjs', import.meta.url).href;

interface Kind {
  readonly method: string;
  readonly path: (index: number) => string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const JSON_BODY = { 'content-type': 'application/json', prefer: 'return=representation' };
const READS: Readonly<Record<string, Kind>> = {
  'one row': { method: 'GET', path: (index) => `/films?id=eq.${String(1 + (index % 200))}&select=title` },
  'a page': { method: 'GET', path: () => '/films?order=id&limit=20' },
  'an embed': { method: 'GET', path: () => '/films?select=title,directors(name)&order=id&limit=5' },
  'an exact count': {
    method: 'GET',
    path: () => '/films?limit=5&order=id',
    headers: { prefer: 'count=exact' },
  },
  'a call': { method: 'GET', path: () => '/rpc/film_title?film=7' },
  'three levels': {
    method: 'GET',
    path: () => '/directors?select=name,films(title,roles(name))&order=id&limit=5',
  },
  'an embed that filters': {
    method: 'GET',
    path: () => '/directors?select=name,films!inner(title)&films.id=lt.20&order=id&limit=10',
  },
  'a read in the body': {
    method: 'QUERY',
    path: () => '/films',
    headers: JSON_BODY,
    body: '{"id":"in.(1,2,3)","select":"title"}',
  },
};
const WRITES: Readonly<Record<string, Kind>> = {
  'an insert': { method: 'POST', path: () => '/notes', headers: JSON_BODY, body: '{"text":"one"}' },
  'an insert of 100 rows': {
    method: 'POST',
    path: () => '/notes',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Array.from({ length: 100 }, (_, at) => ({ text: `note ${String(at)}` }))),
  },
  'an upsert': {
    method: 'POST',
    path: () => '/films',
    headers: { 'content-type': 'application/json', prefer: 'resolution=merge-duplicates' },
    body: '{"id":1,"title":"new"}',
  },
  'a delete': { method: 'DELETE', path: (index) => `/notes?id=eq.${String(-index)}` },
  'a call that writes': {
    method: 'POST',
    path: () => '/rpc/add_note',
    headers: { 'content-type': 'application/json' },
    body: '{"text":"one"}',
  },
  'an update': {
    method: 'PATCH',
    path: (index) => `/films?id=eq.${String(1 + (index % 200))}`,
    headers: JSON_BODY,
    body: '{"title":"new"}',
  },
};

/** Largest memory that a request allocates on the heap: about 1.4 times what it does. */
const ALLOCATED_KB: Readonly<Record<string, number>> = { 'one row': 40, 'a page': 48, 'an insert': 58 };

describe('the cost of a request', function () {
  this.timeout(240_000);
  let database: TestDatabase;
  let session: Session;
  let proxy: CountingProxy;
  let service: ServingProcess;
  let agent: Agent;

  before(async () => {
    database = await createTestDatabase();
    session = await openSession(database.uri);
    await session.script(SCHEMA);
    proxy = await openCountingProxy(database.uri);
    service = await serveDbr({
      DBR_AREAS: 'data-api',
      DBR_DB_URI: proxy.uri,
      DBR_DB_ANON_ROLE: 'cost_anon',
      DBR_JWT_SECRET: SECRET,
      DBR_DB_POOL: String(POOL),
      NODE_OPTIONS: `--max-semi-space-size=${String(SEMI_SPACE_MB)} --import=${COUNT_COLLECTIONS}`,
    });
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while ((await fetch(`${service.url}/films?limit=1`)).status !== 200) await delay(20);
  });
  after(async () => {
    agent.destroy();
    await service.stop();
    await proxy.close();
    await session.script('drop owned by cost_anon; drop role cost_anon');
    await session.close();
    await database.drop();
  });

  /** One request after another over one connection. */
  async function send({ method, path, headers = {}, body }: Kind, count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      const request = httpRequest(service.url + path(index), { agent, method, headers });
      request.end(body);
      const [response] = (await once(request, 'response')) as [
        NodeJS.ReadableStream & { statusCode: number },
      ];
      response.resume();
      await once(response, 'end');
      expect(response.statusCode).to.be.within(200, 299);
    }
  }

  /** Messages to PostgreSQL, by type. */
  async function messagesOf(kind: Kind): Promise<ReadonlyMap<string, number>> {
    await send(kind, 10);
    proxy.take();
    await send(kind, FEW_REQUESTS);
    return proxy.take();
  }

  /** System calls of the service, by name; null if strace may not attach to another process here. */
  async function systemCallsOf(kind: Kind): Promise<ReadonlyMap<string, number> | null> {
    await send(kind, WARM_UP);
    const strace = spawn('strace', ['-c', '-f', '-p', String(service.child.pid)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let text = '';
    strace.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    while (!text.includes('attached')) {
      if (strace.exitCode !== null) return null;
      await delay(10);
    }
    await send(kind, REQUESTS);
    const closed = once(strace, 'close');
    strace.kill('SIGINT');
    await closed;
    // % time, seconds, usecs/call, calls, errors (if any), syscall
    const rows = text.matchAll(/^ *[\d.]+ +[\d.]+ +\d+ +(\d+) +(?:\d+ +)?(\w+)$/gm);
    return new Map([...rows].map(([, calls, name]) => [name ?? '', Number(calls)]));
  }

  for (const [name, kind] of Object.entries(READS)) {
    it(`${name} is one round trip of two prepared statements`, async () => {
      const messages = await messagesOf(kind);
      expect(messages.get('S'), 'Sync').to.be.within(FEW_REQUESTS, FEW_REQUESTS + OTHER_TRIPS);
      expect(messages.get('B'), 'Bind').to.be.within(2 * FEW_REQUESTS, 2 * (FEW_REQUESTS + OTHER_TRIPS));
      expect(messages.get('P') ?? 0, 'Parse').to.be.at.most(mostParses(2));
    });
  }

  for (const [name, kind] of Object.entries(WRITES)) {
    it(`${name} is one round trip of two prepared statements, and one that resets the session`, async () => {
      const messages = await messagesOf(kind);
      expect(messages.get('S'), 'Sync').to.be.within(FEW_REQUESTS, 2 * (FEW_REQUESTS + OTHER_TRIPS));
      expect(messages.get('B'), 'Bind').to.be.within(2 * FEW_REQUESTS, 3 * (FEW_REQUESTS + OTHER_TRIPS));
      expect(messages.get('P') ?? 0, 'Parse').to.be.at.most(mostParses(3));
    });
  }

  /** Collections of the young generation so far. */
  async function collections(): Promise<number> {
    const counts = () => [...service.output().matchAll(/collections: (\d+)/g)];
    const before = counts().length;
    service.child.kill('SIGWINCH');
    await until(() => counts().length > before);
    return Number(counts().at(-1)?.[1]);
  }

  for (const [name, mostKilobytes] of some(Object.entries(ALLOCATED_KB), 3)) {
    it(`${name} allocates at most ${String(mostKilobytes)} kB`, async () => {
      const kind = READS[name] ?? WRITES[name];
      if (kind === undefined) throw new Error(`${name} is no kind of request`);
      // Code that is not compiled yet allocates more.
      await send(kind, WARM_UP * 25);
      const before = await collections();
      await send(kind, REQUESTS * 5);
      const kilobytes = (((await collections()) - before) * SEMI_SPACE_MB * 1024) / (REQUESTS * 5);
      expect(kilobytes).to.be.at.most(mostKilobytes);
    });
  }

  it('a read takes two socket writes and two socket reads: one of each for client and database', async function () {
    if (spawnSync('strace', ['-c', 'true']).status !== 0) return this.skip();
    for (const [name, kind] of some(Object.entries(READS), 2)) {
      const calls = await systemCallsOf(kind);
      if (calls === null) return this.skip();
      const sum = (names: readonly string[]): number =>
        names.reduce((total, call) => total + (calls.get(call) ?? 0), 0);
      const writes = sum(['write', 'writev', 'sendto', 'sendmsg']);
      const reads = sum(['read', 'readv', 'recvfrom', 'recvmsg']);
      expect(writes, `${name}: writes`).to.be.within(REQUESTS, 2 * REQUESTS + OTHER_CALLS);
      expect(reads, `${name}: reads`).to.be.within(REQUESTS, 2 * REQUESTS + OTHER_CALLS);
      expect(calls.get('writev') ?? 0, `${name}: writes of several pieces`).to.be.at.most(OTHER_CALLS);
    }
  });
});
