import { expect } from 'chai';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { packageRoot } from '../../../src/base/package.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { openSession, withSession } from '../../../src/postgres/session.js';
import { startTestIssuer, type TestIssuer } from '../../support/auth/test-issuer.js';
import {
  expectShown,
  manualBlocks,
  manualCommandsIn,
  runManualCommand,
  type ManualBlock,
  type ManualCommand,
} from '../../support/end-to-end/manual-commands.js';
import {
  createTestDatabase,
  startTestServer,
  type TestDatabase,
  type TestServer,
} from '../../support/postgres/database.js';
import { some } from '../../support/runs.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

const FOLDER = 'docs/recipes';
const RECIPES = readdirSync(join(packageRoot(), FOLDER)).filter((name) => name !== 'README.md');
const SECRET = 'a secret of the recipes that is long enough';
const ISSUER = 'https://login.example.org/realms/main';
/** What `dbr init` and `dbr migrate` make, as far as the recipes need it. */
const PROJECT = `
  create schema api;
  grant usage on schema api to anon, web_user;
`;
const ROLES = `
  create role anon nologin;
  create role web_user nologin;
  create role dbr_authenticator login noinherit password 'recipes';
  grant anon, web_user to dbr_authenticator;
`;

const token = (claims: Readonly<Record<string, string>>): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(SECRET));

describe('the recipes', function () {
  this.timeout(60_000);
  let server: TestServer;
  /** With the tables and roles of the service, to be copied. */
  let migrated: TestDatabase;
  let issuer: TestIssuer;
  let tokens: Readonly<Record<string, string>>;

  before(async () => {
    server = await startTestServer();
    await withSession(server.uri, (session) => session.script(ROLES));
    migrated = await createTestDatabase(server.uri);
    await migrate(migrated.uri, join(packageRoot(), 'migrations'));
    issuer = await startTestIssuer({ path: '/realms/main' });
    const atIssuer = { sub: 'ada', role: 'web_user', exp: Math.floor(Date.now() / 1000) + 3600 };
    tokens = {
      ADA: await token({ sub: 'ada', tenantId: 'home', role: 'web_user' }),
      BOB: await token({ sub: 'bob', tenantId: 'work', role: 'web_user' }),
      WORKER: await token({ role: 'worker' }),
      SCHEDULER: await token({ role: 'scheduler' }),
      TOKEN: await issuer.sign({ ...atIssuer, aud: 'shop' }),
      FOREIGN: await issuer.sign({ ...atIssuer, aud: 'blog' }),
    };
  });
  after(async () => {
    await issuer.close();
    await server.remove();
  });

  async function serve(
    database: TestDatabase,
    settings: Readonly<Record<string, string>>,
  ): Promise<TestService> {
    const service = await startTestService(
      {
        areas: 'data-api',
        'db-uri': database.uriFor('dbr_authenticator', 'recipes'),
        'db-schemas': 'api',
        'db-anon-role': 'anon',
        'db-channel-enabled': 'false',
        'db-pool': '2',
        'jwt-secret': SECRET,
        ...settings,
      },
      { logLevel: 'crit' },
    );
    await untilReady(service);
    return service;
  }

  async function expectAnswer({ command, shown }: ManualCommand, url: string): Promise<void> {
    const output = await runManualCommand(command, { url, variables: tokens });
    expectShown(output, shown, command);
  }

  it('are all on the first page', async () => {
    const first = await readFile(join(packageRoot(), FOLDER, 'README.md'), 'utf8');
    const linked = [...first.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => name);
    expect(linked).to.have.members(RECIPES);
  });

  for (const page of some(
    RECIPES.map((name) => join(FOLDER, name)),
    2,
  ))
    it(`do what they say: ${page}`, async () => {
      const blocks = await manualBlocks(page);
      const database = await createTestDatabase(server.uri, migrated.name);
      const session = await openSession(database.uri);
      try {
        await session.script('grant dbr_idempotency to dbr_authenticator');
        await session.script(PROJECT);
        let service: TestService | null = null;
        let answers = 0;
        try {
          for (const block of blocks) {
            if (block.language === 'sql') {
              // A service that starts reads the schema with what the block adds.
              await service?.stop();
              service = null;
              await session.script(block.text);
            }
            if (block.language !== 'sh') continue;
            service ??= await serve(database, settingsIn(blocks, issuer.issuer));
            for (const command of manualCommandsIn([block])) {
              await expectAnswer(command, service.url);
              answers += 1;
            }
          }
        } finally {
          await service?.stop();
        }
        expect(answers).to.be.greaterThan(0);
      } finally {
        await session.close();
        await database.drop();
      }
    });
});

/** The settings in the `ini` blocks of a page. The address of the manual's issuer stands for that of the test. */
function settingsIn(blocks: readonly ManualBlock[], issuer: string): Readonly<Record<string, string>> {
  const lines = blocks
    .filter(({ language }) => language === 'ini')
    .flatMap(({ text }) => text.trim().split('\n'));
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(' = ');
      return [line.slice(0, at), line.slice(at + 3).replaceAll(ISSUER, issuer)];
    }),
  );
}
