import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asObject, asString, objectMember, type JsonValue } from '../../codegen/json.js';
import { packageRoot } from '../../src/base/package.js';
import { developmentToken, serveDbr, type ServingProcess } from '../support/service/built-service.js';
import { untilReady } from '../support/service/service.js';
import { exampleRequests } from '../support/end-to-end/data-api-examples.js';
import { manualCommands } from '../support/end-to-end/manual-commands.js';
import { runProgram } from '../support/end-to-end/run-program.js';
import { inAllRuns } from '../support/runs.js';

const CONSUMER = join(packageRoot(), 'examples', 'consumer');
const TOOLS = join(packageRoot(), 'node_modules', '.bin');
/** It needs a twentieth of the time; packages.long.test.ts compiles with the other one. */
const NATIVE_COMPILER = '../typescript-native/bin/tsc';

/** The version that package.json pins. */
function installedVersion(name: string): string {
  const manifest = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as JsonValue;
  const pinned = objectMember(asObject(manifest, 'package.json'), 'devDependencies', 'package.json');
  return asString(pinned[name], name);
}

async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(join(TOOLS, command), args, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command} ended with ${String(code)}: ${output}`);
  return output;
}

describe('dbr serve on an embedded PostgreSQL with sample data', function () {
  this.timeout(240_000);
  let directory: string;
  let service: ServingProcess;

  const serve = (): Promise<ServingProcess> =>
    serveDbr({
      DBR_DATA_DIRECTORY: join(directory, '.dbr'),
      DBR_SAMPLE_DATABASE: 'true',
      DBR_LOG_LEVEL: 'info',
      DBR_LOG_FORMAT: 'json',
    });
  const tokenOf = (user: string): Promise<string> =>
    developmentToken({ tenant: 'acme', user, role: 'web_user', scope: 'notifications:write' });

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'dbr-serve-'));
    service = await serve();
    await untilReady(service);
  });
  after(async () => {
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('serves the sample data and an empty inbox', async () => {
    const countries = await fetch(`${service.url}/countries?select=name,capital(name)&name=eq.Iceland`);
    expect(countries.status).to.equal(200);
    expect(await countries.json()).to.deep.equal([{ name: 'Iceland', capital: { name: 'Reykjavík' } }]);
    const inbox = await fetch(`${service.url}/api/v1/notifications/me`, {
      headers: { Authorization: `Bearer ${await tokenOf('nobody')}` },
    });
    expect(inbox.status).to.equal(200);
    expect(await inbox.json()).to.include({ total: 0, limit: 50, offset: 0, unreadCount: 0 });
  });

  it('lets one try upserts, plans, aggregates and writes that are rolled back', async () => {
    const ratings = `${service.url}/ratings`;
    const headers = {
      Authorization: `Bearer ${await tokenOf('trying')}`,
      'Content-Type': 'application/json',
    };
    const rate = (stars: number, prefer: string): Promise<Response> =>
      fetch(ratings, {
        method: 'POST',
        headers: { ...headers, Prefer: `return=representation, resolution=merge-duplicates${prefer}` },
        body: JSON.stringify({ country_code: 'IS', stars }),
      });
    const stars = async (): Promise<unknown> =>
      (await fetch(`${ratings}?select=stars&country_code=eq.IS&user_id=eq.trying`, { headers })).json();
    expect((await rate(4, '')).status).to.equal(201);
    expect((await rate(5, '')).status).to.equal(200);
    expect(await stars()).to.deep.equal([{ stars: 5 }]);
    const rolledBack = await rate(1, ', tx=rollback');
    expect(rolledBack.headers.get('preference-applied')).to.contain('tx=rollback');
    expect(await stars()).to.deep.equal([{ stars: 5 }]);
    const average = await fetch(`${ratings}?select=stars.avg()&user_id=eq.trying`, { headers });
    expect(await average.json()).to.deep.equal([{ avg: 5 }]);
    const plan = await fetch(`${service.url}/countries?select=name`, {
      headers: { Accept: 'application/vnd.pgrst.plan+json' },
    });
    expect(plan.status).to.equal(200);
    expect(JSON.stringify(await plan.json())).to.contain('"Plan"');
  });

  it('supports a consumer that uses the client package and a generated client', async () => {
    await runProgram('make', ['--silent', 'client'], { cwd: packageRoot() });
    const link = join(CONSUMER, 'node_modules', 'dbr-client');
    await rm(link, { recursive: true, force: true });
    await mkdir(join(CONSUMER, 'node_modules'), { recursive: true });
    // As npm installs a folder.
    await symlink(join(packageRoot(), 'dist', 'client'), link);
    const environment = { SERVICE_URL: service.url, TOKEN: await tokenOf('ada') };
    await run('openapi-ts', [], CONSUMER, environment);
    await run(NATIVE_COMPILER, ['--noEmit'], CONSUMER, environment);
    const output = await run('tsx', ['src/main.ts'], CONSUMER, environment);
    const [first, second, third, ...rest] = output.trim().split('\n');
    expect(first).to.equal('* Good morning, Ada');
    expect(second).to.equal('unread: 0');
    expect(JSON.parse(third ?? '')).to.deep.equal([
      { name: 'Lima', population: 7737002 },
      { name: 'Arequipa', population: 841130 },
      { name: 'Callao', population: 813264 },
    ]);
    expect(rest).to.deep.equal(['Lima: 7737002', 'London: 7556900', 'ZRH']);
  });

  it('accepts every example of the data API in the published document', async () => {
    const document = asObject(await (await fetch(`${service.url}/api/v1/openapi.json`)).json(), '');
    const token = await tokenOf('ada');
    const refused: string[] = [];
    const requests = exampleRequests(document);
    expect(requests).to.have.length.greaterThan(60);
    for (const { name, method, path, headers, body } of requests) {
      const authorization = { Authorization: `Bearer ${token}` };
      const response = await fetch(`${service.url}${path}`, {
        method,
        headers: { ...authorization, ...headers },
        body,
      });
      // The example of an entity tag is that of no row.
      const isExpected = headers['If-Match'] === undefined ? response.ok : response.status === 412;
      if (!isExpected)
        refused.push(`${name}: ${method} ${path} ${String(response.status)} ${await response.text()}`);
      // The next example finds no ratings, as the first one did.
      await fetch(`${service.url}/ratings?user_id=eq.ada`, { method: 'DELETE', headers: authorization });
    }
    expect(refused).to.deep.equal([]);
  });

  it('is named by the manual with the versions of generators that the project has', async () => {
    const commands = (await manualCommands('docs/data-api/overview.md')).map(({ command }) => command);
    expect(commands.find((command) => command.includes('openapi-ts'))).to.equal(
      `npx --package @hey-api/openapi-ts@${installedVersion('@hey-api/openapi-ts')} ` +
        `--package typescript@${installedVersion('typescript')} openapi-ts -i http://127.0.0.1:3000/openapi.json -o world`,
    );
  });

  inAllRuns('makes a typed client by the options of the manual', async () => {
    const folder = join(directory, 'typed-client');
    await mkdir(folder);
    await run('openapi-ts', ['-i', `${service.url}/openapi.json`, '-o', 'world'], folder, {});
    expect(await readFile(join(folder, 'world', 'sdk.gen.ts'), 'utf8')).to.contain(
      'export const getCountries',
    );
  });

  it('reloads the schema on SIGUSR1', async () => {
    service.child.kill('SIGUSR1');
    while (!service.output().includes('"generation":2'))
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await fetch(`${service.url}/countries?limit=1`)).status).to.equal(200);
  });

  it('keeps its data after it was killed', async () => {
    const token = await tokenOf('keeper');
    const produced = await fetch(`${service.url}/api/v1/notifications`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ userIds: ['keeper'], type: 'test.event', title: 'kept' }),
    });
    expect(produced.status).to.equal(201);
    service.child.kill('SIGKILL');
    await once(service.child, 'close');
    service = await serve();
    await untilReady(service);
    expect(service.output()).to.contain('embedded PostgreSQL was running already');
    const inbox = await fetch(`${service.url}/api/v1/notifications/me`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(await inbox.json()).to.include({ total: 1, unreadCount: 1 });
  });

  it('ends streams and exits with 0 on SIGTERM', async () => {
    const stream = await fetch(`${service.url}/api/v1/notifications/me/stream`, {
      headers: { Authorization: `Bearer ${await tokenOf('ada')}` },
    });
    expect(stream.headers.get('content-type')).to.equal('text/event-stream');
    const text = stream.text();
    expect(await service.stop('SIGTERM')).to.equal(0);
    expect(await text).to.contain('event: unread-count');
  });
});
