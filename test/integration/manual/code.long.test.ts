import { createClient } from '@hey-api/openapi-ts';
import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { SignJWT } from 'jose';
import openapiTS, { astToString } from 'openapi-typescript';
import { asObject, type JsonValue } from '../../../codegen/json.js';
import { packageRoot } from '../../../src/base/package.js';
import { loadSampleDatabase } from '../../../packages/embedded-postgres/src/sample-database.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { FIRST_MIGRATION, projectFiles } from '../../../packages/tools/src/project/files.js';
import { describeDatabase } from '../../../packages/tools/src/types/describe-database.js';
import { startProgram } from '../../support/end-to-end/run-program.js';
import { codeException } from '../../support/end-to-end/manual-code.js';
import { manualBlocks } from '../../support/end-to-end/manual-commands.js';
import { manualPages } from '../../support/end-to-end/manual-page-paths.js';
import { startTestServer, type TestServer } from '../../support/postgres/database.js';
import { runs, some } from '../../support/runs.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

const run = promisify(execFile);
const FOLDER = join(packageRoot(), 'test/clients/manual');
const OUT = join(FOLDER, 'out');
/** The compiler that is fast in CI, the one that pages name in all runs. */
const COMPILER = ['typescript', 'typescript-native'][runs(0, 1)] ?? '';
const SECRET = 'a secret of the manual, of thirty-two bytes or more';
/** The folder of the guide has the types of its own project. */
const GUIDE = 'guide';

const ROLES = `
  create role anon nologin;
  create role web_user nologin;
  create role dbr_authenticator login noinherit password 'manual';
  create role dbr_service login noinherit password 'manual';
  grant anon, web_user to dbr_authenticator;
`;
const GROUPS =
  'grant dbr_notifications_user, dbr_notifications_producer, dbr_notifications_system to dbr_service;';
/** The tables of examples that are not of the sample database. */
const ORDERS = `
  create table geo.orders (id bigint generated always as identity primary key, customer text not null);
  create table geo.lines (
    order_id bigint not null references geo.orders,
    item     text   not null,
    amount   int    not null default 1 check (amount > 0)
  );
  grant select, insert on geo.orders, geo.lines to web_user;
`;

/** What the SQL of a page needs; it is undone with it. */
const NEEDS: Readonly<Record<string, string>> = {
  'docs/access/api-keys.md': 'create table api.exports (id integer primary key)',
  'docs/data-api/batches.md': 'create role web_anon; create role authenticator',
  'docs/notifications/overview.md':
    'create schema app; create role app_owner; drop owned by dbr_service; drop role dbr_service',
  'docs/operating/roles.md': 'drop owned by anon, dbr_service; drop role anon, dbr_service',
  'docs/access/tokens.md': 'create role authenticator',
};

const DATABASE =
  "import { database } from 'dbr-client/database';\nimport type { Database } from './database.js';\n";
/** What stands before a block in the same program: the page, a part of the block, the text. */
const BEFORE: readonly (readonly [path: string, part: string, text: string])[] = [
  ['docs/data-api/overview.md', 'getCountries', "import { getCountries } from './client/index.js';\n"],
  ['docs/guide/3-the-client.md', "database<Database>('/'", DATABASE],
  [
    'docs/data-api/typed-clients.md',
    'db.batch',
    `${DATABASE}const db = database<Database>('http://localhost:3000', { token });\n`,
  ],
];

/** Programs that run: the page, a part of the block, what follows it there, and what it prints. */
const PROGRAMS: readonly {
  readonly path: string;
  readonly part: string;
  readonly after: string;
  readonly prints: RegExp;
  /** Settings of the service that it calls. */
  readonly settings?: Readonly<Record<string, string>>;
}[] = [
  {
    path: 'docs/data-api/typed-clients.md',
    part: 'openapi-fetch',
    after: '',
    prints: /^(?:[A-Z][\w ]+ \d{9,}\n){5}$/,
  },
  {
    path: 'docs/data-api/typed-clients.md',
    part: '.embedded(',
    after: 'console.log(JSON.stringify([error, count, data]));',
    prints:
      /^\[null,\d+,\[\{"name":"[^"]+","area":\{"name":"[^"]+"\},"cities":\[\{"name":"[^"]+","population":\d+\},/,
  },
  {
    path: 'docs/data-api/typed-clients.md',
    part: 'db.batch',
    after: 'console.log(data?.order.data.id);',
    prints: /^1\n$/,
  },
  { path: 'docs/data-api/typed-clients.md', part: 'subscribe', after: '', prints: /^0\n/ },
  {
    path: 'docs/data-api/typed-clients.md',
    part: 'createClient<Database>',
    after: 'console.log(JSON.stringify(data?.[0]));',
    settings: { 'server-path-prefix': '/rest/v1' },
    prints: /^\{"name":"[^"]+","cities":\[\{"name":/m,
  },
];

interface Code {
  readonly path: string;
  readonly file: string;
  readonly text: string;
}

/** Holds the types that comments say, such as `// data: string | null`, against those of the compiler. */
const typesSaid = (text: string): string =>
  [...text.matchAll(/^\/\/ (data[\w.]*): (.+)$/gm)]
    .map(
      ([, value = '', type = '']) => `
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const said: Same<typeof ${value}, ${type}> = true;
void said;`,
    )
    .join('');

const scriptsIn = (html: string): string =>
  [...html.matchAll(/<script type="module">\n([^]*?)<\/script>/g)].map(([, text = '']) => text).join('\n');

/** The TypeScript, JavaScript and scripts of HTML of a page, each a file. */
async function codeOf(path: string): Promise<readonly Code[]> {
  const folder = path.startsWith('docs/guide/') ? GUIDE : '.';
  const name = path.replace(/\.md$/, '').replaceAll('/', '-');
  return (await manualBlocks(path)).flatMap(({ language, text }, index) => {
    if (!['ts', 'js', 'html'].includes(language) || codeException(path, language, text) !== null) return [];
    const before = BEFORE.find(([page, part]) => page === path && text.includes(part))?.[2] ?? '';
    const code = `${before}${language === 'html' ? scriptsIn(text) : text}`;
    const file = join(folder, `${name}-${String(index)}.${language === 'ts' ? 'ts' : 'js'}`);
    return [{ path, file, text: `${code}${language === 'ts' ? typesSaid(text) : ''}\nexport {};\n` }];
  });
}

describe('the code of the manual', function () {
  this.timeout(120_000);
  let server: TestServer;
  let session: Session;
  let service: TestService;
  let uri: string;
  let code: readonly Code[];

  const settings = (): Readonly<Record<string, string>> => {
    const as = (user: string): string => uri.replace(/\/\/[^@]*@/, `//${user}:manual@`);
    return {
      areas: 'notifications, data-api',
      'db-uri': as('dbr_authenticator'),
      'service-db-uri': as('dbr_service'),
      'db-schemas': 'geo, films, api',
      'db-anon-role': 'anon',
      'db-channel-enabled': 'false',
      'db-pool': '2',
      'service-jwt-secret': SECRET,
    };
  };
  const describeAs = (form: 'types' | '3.1', schema: string): Promise<string> =>
    describeDatabase(
      { environment: { DBR_DB_URI: uri, DBR_DB_SCHEMAS: schema } },
      { form, schemas: [], role: null },
    );
  const put = async (file: string, text: string): Promise<void> => {
    await mkdir(dirname(join(OUT, file)), { recursive: true });
    await writeFile(join(OUT, file), text);
  };

  before(async () => {
    await rm(OUT, { recursive: true, force: true });
    server = await startTestServer();
    const address = new URL(server.uri);
    const first = await openSession(server.uri);
    await first.script('create database app');
    await first.close();
    address.pathname = '/app';
    uri = address.href;
    session = await openSession(uri);
    await session.script(ROLES);
    await migrate(uri, join(packageRoot(), 'migrations'));
    await loadSampleDatabase(uri);
    await session.script(`${GROUPS}${ORDERS}`);
    const choices = {
      ...{ database: null, schema: 'api', existing: null, issuer: null, compose: false, deploy: null },
    };
    const secrets = { owner: '', authenticator: '', service: '', superuser: '', tokens: 't' };
    await session.script(
      projectFiles(choices, secrets).find(({ path }) => path === FIRST_MIGRATION)?.text ?? '',
    );
    for (const page of ['1-your-first-table', '2-who-may-see-what', '4-the-inbox-in-a-page'])
      for (const { language, text } of await manualBlocks(`docs/guide/${page}.md`))
        if (language === 'sql') await session.script(text);
    service = await startTestService(settings(), { logLevel: 'crit' });
    await untilReady(service);
    code = (await Promise.all(manualPages().map(codeOf))).flat();
  });
  after(async () => {
    await service.stop();
    await session.close();
    await server.remove();
    await rm(OUT, { recursive: true, force: true });
  });

  it('in SQL runs, and is undone', async () => {
    for (const path of manualPages()) {
      const blocks = (await manualBlocks(path)).filter(
        ({ language, text }) => language === 'sql' && codeException(path, language, text) === null,
      );
      for (const { text } of blocks) {
        const filled = text.replaceAll('…', '0199b0f0-0000-7000-8000-000000000000');
        await session.script(`begin; ${NEEDS[path] ?? ''}; ${filled}; rollback`).catch((error: unknown) => {
          throw new Error(`${path}: ${String(error)}\n${text}`);
        });
      }
    }
  });

  it('in TypeScript, JavaScript and HTML compiles, and runs where it is a program', async () => {
    for (const [folder, schema, file] of [
      ['.', 'geo', 'world.ts'],
      [GUIDE, 'api', 'api.ts'],
    ] as const) {
      await put(join(folder, 'database.ts'), await describeAs('types', schema));
      await put(join(folder, file), astToString(await openapiTS(await describeAs('3.1', schema))));
    }
    await createClient({
      input: { ...asObject(JSON.parse(await describeAs('3.1', 'geo')) as JsonValue, 'description') },
      output: { path: join(OUT, 'client'), tsConfigPath: null },
      logs: { level: 'silent', file: false },
    });
    for (const { file, text } of code) await put(file, text);
    const compiler = join(packageRoot(), 'node_modules', COMPILER, 'bin/tsc');
    const compile = (config: string): Promise<string> =>
      run(process.execPath, [compiler, '-p', join(FOLDER, config)]).then(
        ({ stdout }) => stdout,
        ({ stdout }: { readonly stdout: string }) => stdout,
      );
    expect(await compile('tsconfig.json')).to.equal('');
    expect(await compile('tsconfig.scripts.json')).to.equal('');
    const token = await new SignJWT({ tenantId: 'acme', sub: 'ada', role: 'web_user' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(SECRET));
    for (const { path, part, after: end, prints, settings: more } of some(PROGRAMS, 2)) {
      if (more !== undefined) {
        await service.stop();
        service = await startTestService({ ...settings(), ...more }, { logLevel: 'crit' });
        await untilReady(service);
      }
      const [found, ...others] = code.filter((each) => each.path === path && each.text.includes(part));
      expect([found === undefined, others], part).to.deep.equal([false, []]);
      const names = `const token = ${JSON.stringify(token)};
        const session = { token };
        const showCount = console.log, show = console.log, listAgain = async () => {};
        // supabase-js asks for it and does not use it here; Node.js 20 has none.
        Object.assign(globalThis, { WebSocket: class {} });\n`;
      await put(
        'program.ts',
        `${names}${found?.text.replaceAll('http://localhost:3000', service.url) ?? ''}\n${end}`,
      );
      const program = startProgram(process.execPath, ['--import', 'tsx/esm', join(OUT, 'program.ts')], {
        cwd: FOLDER,
        environment: { TSX_TSCONFIG_PATH: join(FOLDER, 'tsconfig.json') },
      });
      await program.until(prints);
      await program.stop();
    }
  });
});
