/** The servers of the benchmark, each a process of its own on one database, with the same number of connections. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { packageRoot } from '../../src/base/package.js';
import { ROLE, TOKEN_SECRET } from './films.js';
import type { HttpLoad, Load } from './loads.js';

const POOL = 10;
const LONGEST_START_MS = 60_000;

export interface Contender {
  readonly name: string;
  readonly pid: number;
  readonly url: string;
  /** The load as this server takes it; null if it does not serve it. */
  readonly requestOf: (load: Load, token: string) => HttpLoad | null;
  stop(): Promise<void>;
}

interface StartOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly port: number;
  /** A path that is served when the server is ready. */
  readonly probe: string;
}

/**
 * Starts every contender that this machine has. Tables and plots have their names.
 * `BASELINE`: folder of another build of dbr. `REFERENCE`: the reference's binary, if it is not on the PATH as `postgrest`.
 * @param databaseUri of the authenticator; not among the arguments, because the process list is public
 */
export async function startContenders(
  databaseUri: string,
  wanted: readonly string[],
): Promise<readonly Contender[]> {
  const baseline = process.env['BASELINE'];
  const reference = process.env['REFERENCE'] ?? findOnPath('postgrest');
  const peers = join(packageRoot(), 'bench', 'peers');
  const hasPeers = existsSync(join(peers, 'node_modules', 'postgraphile'));
  const starts: readonly (readonly [string, (() => Promise<Contender>) | null])[] = [
    ['dbr', () => startDbr('dbr', packageRoot(), databaseUri)],
    [
      'earlier dbr',
      baseline === undefined ? null : () => startDbr('earlier dbr', resolve(baseline), databaseUri),
    ],
    ['PostgREST', reference === null ? null : () => startReference(reference, databaseUri)],
    ['Koa', () => startNaive(databaseUri)],
    ['PostGraphile', hasPeers ? () => startPostgraphile(join(peers, 'postgraphile.mjs'), databaseUri) : null],
  ];
  const contenders: Contender[] = [];
  for (const [name, start] of starts) {
    if (start === null || (wanted.length > 0 && !wanted.includes(name))) continue;
    contenders.push(await start());
  }
  return contenders;
}

function findOnPath(name: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

async function startDbr(name: string, folder: string, databaseUri: string): Promise<Contender> {
  const port = await freePort();
  const server = await start({
    command: process.execPath,
    args: [join(folder, 'dist', 'src', 'main.js'), 'serve'],
    environment: {
      DBR_DB_URI: databaseUri,
      DBR_DB_ANON_ROLE: ROLE.anonymous,
      DBR_JWT_SECRET: TOKEN_SECRET,
      DBR_AREAS: 'data-api',
      DBR_SERVER_HOST: '127.0.0.1',
      DBR_SERVER_PORT: String(port),
      DBR_ADMIN_SERVER_PORT: '0',
      DBR_ROUTER_PORT: '0',
      DBR_DB_POOL: String(POOL),
      // Settings of the caller, such as a number of workers, reach this build alone.
      ...(name === 'dbr' ? settingsOf(process.env['BENCH_SETTINGS']) : {}),
    },
    port,
    probe: '/films?limit=1',
  });
  return { ...server, name, requestOf: restRequest };
}

/** `A=1,B=2` as environment variables. */
const settingsOf = (text: string | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries((text ?? '').split(',').flatMap((pair) => (pair === '' ? [] : [splitOnce(pair)])));

function splitOnce(pair: string): readonly [string, string] {
  const at = pair.indexOf('=');
  return [pair.slice(0, at), pair.slice(at + 1)];
}

async function startReference(binary: string, databaseUri: string): Promise<Contender> {
  const port = await freePort();
  const server = await start({
    command: binary,
    args: [],
    environment: {
      PGRST_DB_URI: databaseUri,
      PGRST_DB_SCHEMAS: 'public',
      PGRST_DB_ANON_ROLE: ROLE.anonymous,
      PGRST_JWT_SECRET: TOKEN_SECRET,
      PGRST_SERVER_HOST: '127.0.0.1',
      PGRST_SERVER_PORT: String(port),
      PGRST_DB_POOL: String(POOL),
      PGRST_LOG_LEVEL: 'crit',
    },
    port,
    probe: '/films?limit=1',
  });
  return { ...server, name: 'PostgREST', requestOf: restRequest };
}

async function startNaive(databaseUri: string): Promise<Contender> {
  const port = await freePort();
  const server = await start({
    command: process.execPath,
    args: ['--import', 'tsx/esm', join(packageRoot(), 'bench', 'data-api', 'naive-server.ts')],
    environment: { BENCH_DB_URI: databaseUri, BENCH_PORT: String(port), BENCH_POOL: String(POOL) },
    port,
    probe: '/films?id=eq.1',
  });
  return {
    ...server,
    name: 'Koa',
    requestOf: (load, token) => (load.naive ? restRequest(load, token) : null),
  };
}

async function startPostgraphile(program: string, databaseUri: string): Promise<Contender> {
  const port = await freePort();
  const server = await start({
    command: process.execPath,
    args: [program],
    environment: {
      NODE_ENV: 'production',
      BENCH_DB_URI: databaseUri,
      BENCH_PORT: String(port),
      BENCH_POOL: String(POOL),
      BENCH_ROLE: ROLE.anonymous,
    },
    port,
    probe: '/graphql?probe',
  });
  return {
    ...server,
    name: 'PostGraphile',
    requestOf: ({ graphql }) => (graphql === null ? null : graphqlRequest(graphql)),
  };
}

const graphqlRequest = (queries: readonly string[]): HttpLoad => ({
  method: 'POST',
  paths: ['/graphql'],
  headers: { 'Content-Type': 'application/json' },
  bodies: queries.map((query) => JSON.stringify({ query })),
});

const restRequest = ({ method, paths, headers, bodies, withToken }: Load, token: string): HttpLoad => ({
  method,
  paths,
  headers: { ...headers, ...(withToken ? { Authorization: `Bearer ${token}` } : {}) },
  bodies,
});

/** Starts a server and waits until it responds without a fault of its own. @throws Error if it ends, or takes a minute */
async function start(options: StartOptions): Promise<Pick<Contender, 'pid' | 'url' | 'stop'>> {
  const { command, args, environment, port, probe } = options;
  const child = spawn(command, args, {
    cwd: packageRoot(),
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${String(port)}`;
  const stop = () => stopChild(child);
  const deadline = performance.now() + LONGEST_START_MS;
  for (;;) {
    const status = await fetch(url + probe).then(
      (response) => response.status,
      () => null,
    );
    if (status !== null && status < 500) return { pid: child.pid ?? 0, url, stop };
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`${command} ${args.join(' ')} does not serve`);
    }
    await delay(50);
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill();
  await ended;
}

function freePort(): Promise<number> {
  return new Promise((done, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
