import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/package-root.js';
import { runDbr, serveDbr, type ServingProcess } from '../support/built-service.js';
import { untilReady } from '../support/service.js';

const CONSUMER = join(packageRoot(), 'examples', 'consumer');
const TOOLS = join(packageRoot(), 'node_modules', '.bin');

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
  this.timeout(120_000);
  let directory: string;
  let service: ServingProcess;

  const serve = (): Promise<ServingProcess> =>
    serveDbr({
      DBR_DATA_DIRECTORY: join(directory, '.dbr'),
      DBR_SAMPLE_DATABASE: 'true',
      DBR_LOG_LEVEL: 'info',
      DBR_LOG_FORMAT: 'json',
    });
  const tokenOf = async (user: string): Promise<string> =>
    (
      await runDbr([
        'token',
        '--tenant',
        'acme',
        '--user',
        user,
        '--role',
        'web_user',
        '--scope',
        'notifications:write',
      ])
    ).stdout.trim();

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

  it('lets a consumer generate its client from the published document and use it', async () => {
    const environment = { SERVICE_URL: service.url, TOKEN: await tokenOf('ada') };
    await run('openapi-ts', [], CONSUMER, environment);
    await run('tsc', ['--noEmit'], CONSUMER, environment);
    const output = await run('tsx', ['src/main.ts'], CONSUMER, environment);
    const [first, second, third] = output.trim().split('\n');
    expect(first).to.equal('* Good morning, Ada');
    expect(second).to.equal('unread: 0');
    expect(JSON.parse(third ?? '')).to.have.length(3);
  });

  it('reloads the schema on SIGUSR1', async () => {
    service.child.kill('SIGUSR1');
    while (!service.output().includes('"generation":2'))
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await fetch(`${service.url}/countries?limit=1`)).status).to.equal(200);
  });

  it('finds its data again after it was killed', async () => {
    const token = await tokenOf('ada');
    service.child.kill('SIGKILL');
    await once(service.child, 'close');
    service = await serve();
    await untilReady(service);
    expect(service.output()).to.contain('embedded PostgreSQL was running already');
    const inbox = await fetch(`${service.url}/api/v1/notifications/me`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(await inbox.json()).to.include({ total: 1, unreadCount: 0 });
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
