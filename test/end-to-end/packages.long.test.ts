import { expect } from 'chai';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { asObject, asString, objectMember, type JsonObject, type JsonValue } from '../../codegen/json.js';
import { listFiles } from '../../codegen/writer.js';
import { packageRoot, version } from '../../src/base/package.js';
import { runProgram, startProgram, type RunningProgram } from '../support/end-to-end/run-program.js';
import { inAllRuns, some } from '../support/runs.js';
import { untilReady } from '../support/service/service.js';

const ROOT = packageRoot();
const FREE_PORTS = {
  DBR_SERVER_HOST: '127.0.0.1',
  DBR_SERVER_PORT: '0',
  DBR_ADMIN_SERVER_PORT: '0',
  DBR_ROUTER_PORT: '0',
};

const readJson = async (path: string): Promise<JsonObject> =>
  asObject(JSON.parse(await readFile(path, 'utf8')) as JsonValue, path);

/** Where npx has installed the package in `folder`, in npm's cache. */
async function installedByNpx(folder: string): Promise<readonly string[]> {
  const cache = join(homedir(), '.npm', '_npx');
  const found: string[] = [];
  for (const name of await readdir(cache).catch(() => [])) {
    const manifest = await readFile(join(cache, name, 'package.json'), 'utf8').catch(() => '');
    // The address of the package is relative to the cache.
    if (manifest.includes(basename(folder))) found.push(join(cache, name));
  }
  return found;
}

const filesOfBuild = async (name: string): Promise<readonly string[]> =>
  (await listFiles(join(ROOT, 'dist', name))).map((path) => `dist/${name}/${path}`);

describe('the packages', function () {
  this.timeout(600_000);
  let folder: string;
  let service: string;
  let client: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dbr-packages-'));
    await runProgram('make', ['--silent', 'pack'], { cwd: ROOT });
    const built = join(ROOT, 'dist', 'packages');
    const names = await readdir(built);
    service = names.find((name) => name.startsWith('dbr-server-')) ?? '';
    client = names.find((name) => name.startsWith('dbr-client-')) ?? '';
    const inbox = names.find((name) => name.startsWith('dbr-inbox-')) ?? '';
    expect([...names].sort()).to.deep.equal([client, inbox, service]);
    for (const name of names) await cp(join(built, name), join(folder, name));
  });
  after(async () => {
    for (const installed of await installedByNpx(folder)) await rm(installed, { recursive: true });
    await rm(folder, { recursive: true, force: true });
  });

  const contentsOf = async (name: string): Promise<readonly string[]> => {
    const listed = await runProgram('tar', ['tzf', name], { cwd: folder });
    return listed
      .trim()
      .split('\n')
      .map((path) => path.replace(/^package\//, ''))
      .sort();
  };

  it('contain exactly the files that run', async () => {
    const bundle = (await listFiles(join(ROOT, 'dist', 'src'))).filter((path) => !path.endsWith('.map'));
    expect(bundle).to.include.members(['main.js', 'THIRD-PARTY-NOTICES.txt']);
    const expected = [
      ...bundle.map((path) => `dist/src/${path}`),
      ...(await Promise.all(['console', 'reference', 'client'].map(filesOfBuild))).flat(),
      ...(await listFiles(join(ROOT, 'migrations'))).map((path) => `migrations/${path}`),
      ...(await listFiles(join(ROOT, 'proto'))).map((path) => `proto/${path}`),
      ...(await listFiles(join(ROOT, 'examples/sample-database/data'))).map(
        (path) => `examples/sample-database/data/${path}`,
      ),
      ...['schema.sql', 'films.sql', 'CREDITS.md'].map((path) => `examples/sample-database/${path}`),
      ...['generated/openapi.json', 'generated/router.binpb'],
      ...(await listFiles(join(ROOT, 'docs'))).map((path) => `docs/${path}`),
      ...(await listFiles(join(ROOT, 'generated', 'docs'))).map((path) => `generated/docs/${path}`),
      ...(await listFiles(join(ROOT, 'deploy'))).map((path) => `deploy/${path}`),
      ...['consumer', 'inbox', 'live', 'sample-database'].map((name) => `examples/${name}/README.md`),
      ...(await listFiles(join(ROOT, 'examples/parties'))).map((path) => `examples/parties/${path}`),
      ...['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'package.json'],
    ];
    expect(await contentsOf(service)).to.deep.equal([...expected].sort());
    const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
    const linked = [...readme.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = '']) => target);
    expect(expected).to.include.members(linked);
    const folders = [join(ROOT, 'generated', 'client'), join(ROOT, 'packages', 'client', 'src')];
    const sources = (await Promise.all(folders.map(listFiles))).flat().filter((path) => path.endsWith('.ts'));
    const compiled = sources.flatMap((path) => ['.js', '.d.ts'].map((end) => path.replace(/\.ts$/, end)));
    expect(await contentsOf(client)).to.deep.equal(
      [...compiled, 'LICENSE', 'README.md', 'package.json'].sort(),
    );
  });

  it('have names, versions and entry points', async () => {
    const manifest = await readJson(join(ROOT, 'package.json'));
    expect(manifest['name']).to.equal('dbr-server');
    expect(manifest['bin']).to.deep.equal({ dbr: 'dist/src/main.js' });
    expect(manifest).not.to.have.any.keys('overrides');
    const document = await readJson(join(ROOT, 'generated', 'openapi.json'));
    const api = asString(objectMember(document, 'info', '')['version'], 'info.version');
    const ofClient = await readJson(join(ROOT, 'packages', 'client', 'package.json'));
    expect(ofClient).to.include({ name: 'dbr-client', version: api });
    expect(ofClient).not.to.have.any.keys('dependencies', 'scripts');
  });

  inAllRuns('are refused by npm publish until they name their repository', async () => {
    for (const path of ['package.json', 'packages/client/package.json', 'packages/inbox/package.json']) {
      const manifest = await readJson(join(ROOT, path));
      if (manifest['private'] !== true)
        expect(manifest, path).to.include.keys('repository', 'homepage', 'bugs');
    }
    if ((await readJson(join(ROOT, 'package.json')))['private'] !== true) return;
    for (const name of some([service, client], 2)) {
      // Nothing listens there; npm asks for a token of the registry before it looks at the package.
      const nowhere = [
        '--registry=http://127.0.0.1:9/',
        '--//127.0.0.1:9/:_authToken=none',
        '--fetch-retries=0',
      ];
      const refusal = await runProgram('npm', ['publish', `./${name}`, ...nowhere], { cwd: folder }).catch(
        String,
      );
      expect(refusal).to.contain('EPRIVATE');
    }
  });

  describe('in an empty folder, by `npx ./dbr-server-….tgz serve`', () => {
    let served: RunningProgram;
    let url: string;

    before(async () => {
      served = startProgram('npx', ['--yes', `./${service}`, 'serve'], {
        cwd: folder,
        environment: { ...FREE_PORTS, npm_config_prefer_offline: 'true' },
      });
      const [, publicUrl = '', adminUrl = ''] = await served.until(/serves on (\S+), admin on ([^\s"]+)/);
      url = publicUrl;
      await untilReady({ adminUrl });
    });
    after(async () => {
      await served.stop();
    });

    it('serves sample data', async () => {
      const response = await fetch(`${url}/countries?select=name,capital(name)&name=eq.Iceland`);
      expect(response.status).to.equal(200);
      expect(await response.json()).to.deep.equal([{ name: 'Iceland', capital: { name: 'Reykjavík' } }]);
    });

    it('installs no package that refuses this Node', () => {
      expect(served.output()).not.to.contain('EBADENGINE');
    });

    it('serves the document and its page', async () => {
      const document = await fetch(`${url}/api/v1/openapi.json`);
      expect(await document.text()).to.equal(await readFile(join(ROOT, 'generated', 'openapi.json'), 'utf8'));
      expect(await (await fetch(`${url}/api/v1/docs`)).text()).to.contain('docs/app.js');
      expect((await fetch(`${url}/api/v1/docs/app.js`)).status).to.equal(200);
    });

    it('lets a program use both packages', async () => {
      const consumer = join(folder, 'consumer');
      await mkdir(consumer);
      await writeFile(join(consumer, 'package.json'), '{"private": true, "type": "module"}');
      const options = ['--prefer-offline', '--no-audit', '--no-fund'];
      await runProgram('npm', ['install', ...options, `../${client}`], { cwd: consumer });
      // npx has installed the service as `npm install` does.
      const [installed = ''] = await installedByNpx(folder);
      await symlink(
        join(installed, 'node_modules', 'dbr-server'),
        join(consumer, 'node_modules', 'dbr-server'),
      );
      const dbr = join(installed, 'node_modules', '.bin', 'dbr');
      expect(await runProgram(dbr, ['--version'], { cwd: consumer })).to.equal(`${version()}\n`);
      await writeFile(join(consumer, 'main.ts'), CONSUMER);
      const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
      const compilerOptions = { strict: true, module: 'NodeNext', target: 'ES2023', types: [] };
      await writeFile(
        join(consumer, 'tsconfig.json'),
        JSON.stringify({ compilerOptions, files: ['main.ts'] }),
      );
      await runProgram(process.execPath, [compiler, '--project', '.'], { cwd: consumer });
      const printed = await runProgram(process.execPath, ['main.js', url], { cwd: consumer });
      expect(printed).to.equal('Lima,Arequipa\nDBR400 401\nPeru function\ntrue\n');
    });
  });
});

/** Uses the client by its own name and as a part of the service's package; a wrong type does not compile. */
const CONSUMER = `
import { client, getUnreadCount, readRows, createClient, createConfig, type Notification } from 'dbr-client';
import { database } from 'dbr-client/database';
import { subscribe } from 'dbr-server/client/inbox';
import { readRows as sameReadRows } from 'dbr-server/client';
import document from 'dbr-server/openapi.json' with { type: 'json' };

declare const process: { readonly argv: readonly string[] };

client.setConfig({ baseUrl: process.argv[2] ?? '' });
const cities = await readRows({
  path: { resource: 'cities' },
  query: { select: 'name', and: '(country_code.eq.PE)', order: 'population.desc.nullslast', limit: 2 },
});
console.log(cities.data?.map((row) => row['name']).join());

const anonymous = createClient(createConfig({ baseUrl: process.argv[2] ?? '' }));
const refused = await getUnreadCount({ client: anonymous });
console.log(refused.error?.code, refused.response?.status);

interface Database {
  public: {
    Tables: { countries: { Row: { name: string; code: string }; Relationships: [] } };
    Views: Record<never, never>;
    Functions: Record<never, never>;
  };
}
const rows = await database<Database>(process.argv[2] ?? '').from('countries').select('name').where('code', 'eq', 'PE');
console.log(rows.data?.map(({ name }) => name).join(), typeof subscribe);

// @ts-expect-error a title is a text
const notification: Pick<Notification, 'title'> = { title: 1 };
console.log(typeof sameReadRows === 'function' && document.openapi === '3.1.0' && notification.title !== '');
`;
