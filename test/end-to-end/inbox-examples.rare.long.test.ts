import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { chromium, type Browser } from 'playwright-core';
import { packageRoot } from '../../src/base/package.js';
import { runProgram } from '../support/end-to-end/run-program.js';
import {
  CHROMIUM_ARGUMENTS,
  chromiumPath,
  serveInboxPage,
  type InboxPage,
} from '../support/inbox/inbox-page.js';
import {
  createNotificationsDatabase,
  type NotificationsDatabase,
} from '../support/notifications/notifications-database.js';
import { some } from '../support/runs.js';
import { startTestService, untilReady, type TestService } from '../support/service/service.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';
const FOLDER = join(packageRoot(), 'examples', 'inbox');
const EXAMPLES = ['plain', 'react', 'vue', 'svelte'] as const;

describe('the examples of <dbr-inbox>', function () {
  this.timeout(300_000);
  let database: NotificationsDatabase;
  let service: TestService;
  let site: InboxPage;
  let browser: Browser;
  let token: string;

  before(async function () {
    if (chromiumPath === undefined) return this.skip();
    await runProgram('make', ['--silent', 'inbox'], { cwd: packageRoot() });
    await runProgram('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: FOLDER });
    await runProgram('npm', ['run', '--silent', 'build'], { cwd: FOLDER });
    database = await createNotificationsDatabase();
    service = await startTestService({
      areas: 'notifications',
      'db-uri': database.serviceUri,
      'service-jwt-secret': SECRET,
    });
    await untilReady(service);
    token = await new SignJWT({ tenantId: 'acme', sub: 'ann', scope: 'notifications:write' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('2h')
      .sign(new TextEncoder().encode(SECRET));
    const answer = await fetch(`${service.url}/api/v1/notifications`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ userIds: ['ann'], type: 'report.ready', title: 'It works' }),
    });
    expect(answer.status).to.equal(201);
    const scripts = EXAMPLES.map(
      async (name) => [`/${name}.js`, await readFile(join(FOLDER, 'dist', `${name}.js`), 'utf8')] as const,
    );
    const files = Object.fromEntries(await Promise.all(scripts));
    site = await serveInboxPage(service.url, files, false);
    browser = await chromium.launch({ executablePath: chromiumPath, args: CHROMIUM_ARGUMENTS });
  });
  after(async () => {
    if (chromiumPath === undefined) return;
    await browser.close();
    await site.close();
    await service.stop();
    await database.drop();
  });

  for (const name of some(EXAMPLES, 2))
    it(`show a notification with ${name}`, async () => {
      site.show(`<div id="app"></div><script type="module" src="/${name}.js"></script>`);
      const page = await browser.newPage();
      await page.goto(`${site.url}?token=${token}`);
      await page.locator('li h3', { hasText: 'It works' }).waitFor();
      await page.close();
    });

  it('give their page what the element knows', async () => {
    site.show('<div id="app"></div><script type="module" src="/react.js"></script>');
    const page = await browser.newPage();
    await page.goto(`${site.url}?token=${token}`);
    await page.getByText('Unread: 1', { exact: true }).waitFor();
    await page.close();
  });
});
