/** The servers of the benchmark, each a process of its own on one database, with the same number of connections. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/base/package.js';
import { ROLE, TOKEN_SECRET } from './films.js';
import { JSON_BODY, type HttpLoad, type Load } from './loads.js';

const run = promisify(execFile);
const POOL = 10;
const LONGEST_START_MS = 60_000;

const PEERS = join(packageRoot(), 'bench', 'peers');

export interface Contender {
  readonly name: string;
  /** What it is, with versions. */
  readonly about: string;
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
 * `BASELINE`: folder of another build of dbr. `REFERENCE`: the reference's binary, if it is not on the PATH as `postgrest`;
 * `REFERENCE_BUILD`: its compiler and its origin, for the page.
 * @param databaseUri of the authenticator; not among the arguments, because the process list is public
 */
export async function startContenders(
  databaseUri: string,
  wanted: readonly string[],
): Promise<readonly Contender[]> {
  const baseline = process.env['BASELINE'];
  const reference = process.env['REFERENCE'] ?? findOnPath('postgrest');
  const hasPeers = existsSync(join(PEERS, 'node_modules', 'fastify'));
  const starts: readonly (readonly [string, (() => Promise<Contender>) | null])[] = [
    ['dbr', () => startDbr('dbr', packageRoot(), databaseUri)],
    [
      'earlier dbr',
      baseline === undefined ? null : () => startDbr('earlier dbr', resolve(baseline), databaseUri),
    ],
    ['PostgREST', reference === null ? null : () => startReference(reference, databaseUri)],
    ['Express', hasPeers ? () => startByHand('Express', 'express', databaseUri) : null],
    ['Fastify', hasPeers ? () => startByHand('Fastify', 'fastify', databaseUri) : null],
    ['PostGraphile', hasPeers ? () => startPostgraphile(databaseUri) : null],
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
  const about = `revision ${await revisionOf(folder)}: role, claims and settings of each request in its transaction`;
  return { ...server, name, about, requestOf: restRequest };
}

async function revisionOf(folder: string): Promise<string> {
  const { stdout } = await run('git', ['-C', folder, 'describe', '--always', '--dirty']).catch(() => ({
    stdout: 'unknown',
  }));
  return stdout.trim();
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
  const { stdout } = await run(binary, ['--version']);
  const build = process.env['REFERENCE_BUILD'];
  const about = build === undefined ? stdout.trim() : `${stdout.trim()}, ${build}`;
  return { ...server, name: 'PostgREST', about, requestOf: restRequest };
}

/** @param peer the name of a program of bench/peers, and of the package that it uses */
async function startByHand(name: string, peer: string, databaseUri: string): Promise<Contender> {
  const port = await freePort();
  const address = new URL(databaseUri);
  address.searchParams.set('options', `-c role=${ROLE.anonymous}`);
  const server = await start({
    command: process.execPath,
    args: [join(PEERS, `${peer}.mjs`)],
    environment: {
      NODE_ENV: 'production',
      BENCH_DB_URI: address.href,
      BENCH_PORT: String(port),
      BENCH_POOL: String(POOL),
      BENCH_SECRET: TOKEN_SECRET,
    },
    port,
    probe: '/films/1',
  });
  const about = `${versionOf(peer)} with ${versionOf('pg')}: queries as text with values, no roles in the database`;
  return {
    ...{ ...server, name, about },
    requestOf: (load, token) =>
      load.byHand === null ? null : restRequest({ ...load, paths: load.byHand, headers: JSON_BODY }, token),
  };
}

/** The name and the version of a package of bench/peers. */
function versionOf(name: string): string {
  const text = readFileSync(join(PEERS, 'node_modules', name, 'package.json'), 'utf8');
  return `${name} ${/"version": "([^"]+)"/.exec(text)?.[1] ?? ''}`;
}

async function startPostgraphile(databaseUri: string): Promise<Contender> {
  const port = await freePort();
  const server = await start({
    command: process.execPath,
    args: [join(PEERS, 'postgraphile.mjs')],
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
    about: `${versionOf('postgraphile')}, the same data as GraphQL`,
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
