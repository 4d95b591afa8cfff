import { expect } from 'chai';
import { brotliCompressSync } from 'node:zlib';
import type { Browser, Locator, Page } from 'playwright-core';
import { chromiumPath, openBrowser, openPage, type OpenedPage } from '../support/console/browser.js';
import {
  HOSTILE_TABLE,
  MARKUP,
  RIGHT_TO_LEFT,
  startConsoleService,
  type ConsoleService,
} from '../support/console/console-service.js';
import { differenceFrom, TOLERANCE } from '../support/pictures.js';
import { some } from '../support/runs.js';
import { startTestService, type TestService } from '../support/service/service.js';
import { until } from '../support/until.js';

const test = chromiumPath === undefined ? it.skip : it;

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

describe('the reference page', function () {
  this.timeout(120_000);
  let browser: Browser;
  let opened: OpenedPage;
  let page: Page;

  before(async () => {
    if (chromiumPath !== undefined) browser = await openBrowser();
  });
  after(async () => {
    if (chromiumPath !== undefined) await browser.close();
  });

  async function open(url: string, options: Parameters<typeof openPage>[2] = {}): Promise<void> {
    opened = await openPage(browser, url, options);
    page = opened.page;
  }
  async function close(): Promise<void> {
    expect(opened.problems).to.deep.equal([]);
    await opened.close();
  }

  const navigation = (): Locator =>
    page.getByRole('navigation', { name: 'Operations, tables and functions', includeHidden: true });
  const entry = (name: string): Locator => navigation().getByRole('link', { name, includeHidden: true });
  const heading = (name: string, level = 1): Locator =>
    page.getByRole('heading', { name, level, exact: true });
  const titles = (): Promise<string[]> => navigation().locator('h2').allTextContents();
  const namesIn = (group: string): Promise<string[]> =>
    navigation().locator(`section[aria-label="${group}"] .name`).allTextContents();

  async function useToken(token: string): Promise<void> {
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Use', exact: true }).click();
  }

  describe('of notifications alone', () => {
    let service: TestService;
    before(async () => {
      service = await startTestService({
        areas: 'notifications',
        'db-uri': 'postgresql://nobody@127.0.0.1:1/nothing',
      });
    });
    after(() => service.stop());

    test('is where a browser is led, and shows the operations that are served', async () => {
      await open(service.url);
      expect(page.url()).to.equal(`${service.url}/api/v1/docs`);
      await heading('dbr 0.1.0').waitFor();
      await entry("List the caller's notifications").waitFor();
      expect(await titles()).to.deep.equal(['notifications', 'users', 'service']);
      expect(await page.title()).to.equal('dbr reference');
      await page.getByText('This service has no data API.').waitFor();
      await close();
    });

    test('shows what an operation takes and gives', async () => {
      await open(`${service.url}/api/v1/docs#/operations/createNotifications`);
      await heading('Notify users, the followers of a topic, or a whole tenant').waitFor();
      expect(await page.title()).to.equal(
        'Notify users, the followers of a topic, or a whole tenant · dbr reference',
      );
      await page.getByText('A token is required. Scope: notifications:write.').waitFor();
      await page.locator('.members code', { hasText: 'dedupeKey' }).first().waitFor();
      await page.getByText('The body is not JSON or does not match').click();
      await page.getByText('Invalid request body').first().waitFor();
      expect(await page.getByLabel('curl').textContent()).to.match(
        /^curl -X POST 'http:\/\/[^']*\/api\/v1\/notifications' -H 'Content-Type: application\/json' -d '\{/,
      );
      expect(await page.getByLabel('Typed client').textContent()).to.match(
        /^await createNotifications\(\{\n {2}body: \{/,
      );
      await opened.checkAccessibility();
      await close();
    });

    it('allows scripts and styles of its own alone, and no text to become markup', async () => {
      const { status, headers } = await fetch(`${service.url}/api/v1/docs`);
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).to.equal(POLICY);
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
    });

    it('says without JavaScript where the document is', async () => {
      const text = await (await fetch(`${service.url}/api/v1/docs`)).text();
      const [, without = ''] = /<noscript>(.*)<\/noscript>/s.exec(text) ?? [];
      expect(without).to.include('<a href="openapi.json">/api/v1/openapi.json</a>');
      expect(text).to.include(
        'data-facts="{&quot;areas&quot;:[&quot;notifications&quot;],&quot;prefix&quot;:&quot;&quot;,&quot;schemas&quot;:[],&quot;description&quot;:&quot;absent&quot;}"',
      );
    });

    it('has three files with entity tags, of less than 25 kB together where a proxy compresses them', async () => {
      let bytes = 0;
      for (const [path, type] of [
        ['/api/v1/docs', 'text/html; charset=utf-8'],
        ['/api/v1/docs/app.js', 'text/javascript; charset=utf-8'],
        ['/api/v1/docs/app.css', 'text/css; charset=utf-8'],
      ] as const) {
        const first = await fetch(`${service.url}${path}`);
        expect(first.status).to.equal(200);
        expect(first.headers.get('content-type')).to.equal(type);
        bytes += brotliCompressSync(Buffer.from(await first.arrayBuffer())).length;
        const etag = first.headers.get('etag') ?? '';
        expect(etag).to.match(/^"[\w-]{27}"$/);
        const second = await fetch(`${service.url}${path}`, { headers: { 'If-None-Match': etag } });
        expect({ status: second.status, text: await second.text() }).to.deep.equal({ status: 304, text: '' });
      }
      expect(bytes).to.be.lessThan(25_000);
    });

    it('serves the document with an entity tag', async () => {
      const url = `${service.url}/api/v1/openapi.json`;
      const first = await fetch(url);
      expect(first.status).to.equal(200);
      expect(first.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      const document: unknown = await first.json();
      expect(document).to.have.nested.property('openapi', '3.1.0');
      const etag = first.headers.get('etag') ?? '';
      expect(etag).to.match(/^"[\w-]{27}"$/);
      const second = await fetch(url, { headers: { 'If-None-Match': etag } });
      expect(second.status).to.equal(304);
      expect(await second.text()).to.equal('');
    });

    it('names the allowed methods, and has no other path', async () => {
      const wrongVerb = await fetch(`${service.url}/api/v1/docs`, { method: 'DELETE' });
      expect(wrongVerb.status).to.equal(405);
      expect(wrongVerb.headers.get('allow')).to.equal('HEAD, GET, OPTIONS');
      expect(await wrongVerb.json()).to.deep.equal({
        code: 'DBR406',
        message: 'Method DELETE is not allowed here',
        details: null,
        hint: null,
      });
      for (const path of ['/api/v1/nothing', '/api/v1/docs/viewer.js', '/api/v1/docs/index.html']) {
        const wrongPath = await fetch(`${service.url}${path}`);
        expect(wrongPath.status).to.equal(404);
        expect(await wrongPath.json()).to.include({ code: 'DBR125' });
      }
    });
  });

  describe('of a database', () => {
    let running: ConsoleService;
    let token: string;
    let docs: string;
    before(async () => {
      running = await startConsoleService();
      token = await running.tokenOf('ada');
      docs = `${running.service.url}/api/v1/docs`;
    });
    after(() => running.stop());

    const FUNCTIONS = ['add_up', 'echo', 'headers', 'page', 'says', 'who'];

    test('shows the tables of a request without a token, and with a token those of its role', async () => {
      await open(docs);
      // The operations and the tables come with two requests.
      await entry('makers').waitFor();
      await until(async () => (await titles()).includes('users'));
      expect(await titles()).to.deep.equal([
        'Your tables and views',
        'Your functions',
        'users',
        'data-api',
        'service',
      ]);
      expect(await namesIn('Your tables and views')).to.deep.equal(['makers']);
      expect(await namesIn('Your functions')).to.deep.equal(FUNCTIONS);
      await page
        .getByText('The list has the 7 tables, views and functions that a request without a token may use.')
        .waitFor();
      await useToken(token);
      await entry('items').waitFor();
      expect(await namesIn('Your tables and views')).to.have.members([
        HOSTILE_TABLE,
        'cheap',
        'items',
        'makers',
        'patterns',
      ]);
      await page
        .getByText('The list has the 11 tables, views and functions that the role of the token may use.')
        .waitFor();
      const kept = await page.evaluate(
        'JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])',
      );
      expect(kept).to.equal(JSON.stringify([{}, {}, '', docs]));
      expect(await page.getByLabel('Token').getAttribute('type')).to.equal('password');
      await useToken('');
      await entry('items').waitFor({ state: 'detached' });
      await close();
    });

    test('shows the columns of a table, with links to those of its foreign keys', async () => {
      await open(`${docs}#/tables/items`);
      await useToken(token);
      await heading('items').waitFor();
      await page
        .getByText("'small'")
        .or(page.getByRole('cell', { name: 'small', exact: true }))
        .first()
        .waitFor();
      const rows = await page.getByLabel('Columns').locator('tbody tr').allInnerTexts();
      const cells = rows.map((row) => row.split('\t').map((cell) => cell.trim()));
      expect(cells.map(([name, type, nullable, absent]) => [name, type, nullable, absent])).to.deep.equal([
        ['id primary key', 'bigint', 'no', 'generated'],
        ['name', 'text', 'no', ''],
        ['maker_id', 'integer → makers.id', 'yes', 'null'],
        ['size', 'shop.size, one of small, large', 'no', 'small'],
        ['price', 'numeric', 'yes', 'null'],
        ['stock', 'integer', 'no', '0'],
        ['sold', 'boolean', 'no', 'false'],
        ['tags', 'text[]', 'no', 'by the database'],
        ['details', 'json', 'yes', 'null'],
        ['owner', 'text', 'no', 'shop.who()'],
      ]);
      expect(
        await page
          .getByRole('navigation', { name: 'Operations', exact: true })
          .getByRole('link')
          .allInnerTexts(),
      ).to.deep.equal(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
      await page.getByRole('link', { name: 'makers.id' }).click();
      await heading('makers').waitFor();
      expect(page.url()).to.equal(`${docs}#/tables/makers`);
      await close();
    });

    test('sends a request, and shows status, headers, body and time', async () => {
      await open(`${docs}#/tables/makers`);
      await page.getByLabel('select').fill('id,name');
      await page.getByLabel('limit').fill('2');
      await page.getByText('Filters by column').click();
      await page.getByLabel('country').fill('eq.IS');
      expect(await page.getByLabel('curl').textContent()).to.equal(
        `curl '${running.service.url}/makers?country=eq.IS&limit=2&select=id,name'`,
      );
      await page.getByRole('button', { name: 'Send' }).click();
      await page.locator('.status.good').waitFor();
      expect(await page.locator('.status').innerText()).to.equal('200 OK');
      await page.getByText(/^\d+ ms, \d+ ms with the body$/).waitFor();
      await page.getByLabel('Headers of the response').getByText('content-range: 0-1/*').waitFor();
      const body = page.getByLabel('Body of the response');
      await until(async () => (await body.textContent())?.startsWith('[\n') === true);
      expect(JSON.parse((await body.textContent()) ?? '')).to.deep.equal([
        { id: 2, name: 'Maker 2' },
        { id: 4, name: 'Maker 4' },
      ]);
      await close();
    });

    test('shows a refusal in its words, of a request and of the description', async () => {
      await open(`${docs}#/tables/makers`, { expectsRefusals: true });
      await page.getByLabel('limit').fill('none');
      await page.getByLabel('select').fill('nothing');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.locator('.status.bad').waitFor();
      await page
        .getByLabel('Body of the response')
        .getByText('column makers.nothing does not exist')
        .waitFor();
      await useToken('wrong.token.here');
      await page.getByRole('alert').waitFor();
      expect(await page.getByRole('alert').innerText()).to.match(/^DBR30\d /);
      await opened.checkAccessibility();
      await close();
    });

    test('shows names, comments and values that are markup as text', async () => {
      await open(`${docs}#/tables/${encodeURIComponent(HOSTILE_TABLE)}`);
      await useToken(token);
      await heading(HOSTILE_TABLE).waitFor();
      await page.locator('.screen-head .comment', { hasText: MARKUP }).waitFor();
      expect(await page.locator('.screen-head .comment').textContent()).to.equal(
        `${RIGHT_TO_LEFT} ${MARKUP}`,
      );
      await page.getByRole('button', { name: 'Send' }).click();
      const body = page.getByLabel('Body of the response');
      await until(async () => (await body.textContent())?.includes(JSON.stringify(MARKUP)) === true);
      await page.goto(`${docs}#/tables/items`);
      await page.locator('td .comment', { hasText: MARKUP }).waitFor();
      expect(await page.locator('main img, main script').count()).to.equal(0);
      await opened.checkAccessibility();
      await close();
    });

    test('sends a body, and calls a function', async () => {
      await open(`${docs}#/functions/add_up/post`);
      await heading('POST /rpc/add_up', 2).waitFor();
      expect(JSON.parse(await page.getByLabel('Body', { exact: true }).inputValue())).to.deep.equal({
        one: 0,
      });
      await page.getByLabel('Body', { exact: true }).fill('{"one":41}');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByLabel('Body of the response').getByText('42').waitFor();
      await close();
    });

    test('is found and used by the keyboard alone', async () => {
      await open(docs);
      await entry('makers').waitFor();
      const press = async (...keys: readonly string[]): Promise<void> => {
        for (const key of keys) await page.keyboard.press(key);
      };
      await press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).to.equal('Skip to the content');
      // The name of the service, the token, its button, the search.
      await press('Tab', 'Tab', 'Tab', 'Tab');
      await page.keyboard.type('makers');
      await until(async () => (await titles()).length === 1);
      await press('Tab', 'Enter');
      await heading('makers').waitFor();
      await page.getByLabel('limit').focus();
      await page.keyboard.type('1');
      await press('Enter');
      await page.getByLabel('Body of the response').getByText('Maker 1').waitFor();
      await close();
    });

    for (const [width, scheme] of some(
      [
        [1280, 'dark'],
        [1280, 'light'],
        [390, 'light'],
        [390, 'dark'],
      ] as const,
      4,
      2,
    ))
      test(`looks as in the manual, without findings of axe, at ${String(width)} px, ${scheme}`, async () => {
        await open(docs, { width, scheme });
        const checkAccessibility = (): Promise<void> =>
          opened.checkAccessibility(scheme === 'light' ? 'all' : 'colours');
        await useToken(token);
        await entry('items').waitFor({ state: 'attached' });
        await checkAccessibility();
        if (width === 390) {
          await page.getByRole('button', { name: 'Menu' }).click();
          await entry('items').waitFor();
          await checkAccessibility();
        }
        await entry('items').click();
        await heading('items').waitFor();
        await page.getByRole('cell', { name: 'shop.who()' }).waitFor();
        const taken = await page.screenshot({ animations: 'disabled', caret: 'hide' });
        expect(differenceFrom(`reference/table-${String(width)}-${scheme}`, taken)).to.be.at.most(TOLERANCE);
        await page.getByRole('button', { name: 'Send' }).click();
        await page.locator('.status.good').waitFor();
        await checkAccessibility();
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect(overflow).to.equal(0);
        for (const operation of some(['insertRows', 'readRows', 'sendBatch'], 3)) {
          await page.goto(`${docs}#/operations/${operation}`);
          await page.getByRole('heading', { name: 'Responses' }).waitFor();
          await checkAccessibility();
        }
        await close();
      });

    test('opens schemas that contain themselves one level at a time', async () => {
      await open(docs);
      await entry('makers').waitFor();
      await page.route('**/openapi.json', async (route) => {
        if (route.request().url().includes('/api/v1/')) return route.fallback();
        const answer = await route.fetch();
        const document = (await answer.json()) as {
          paths: Record<string, { put?: { requestBody: unknown } }>;
          components: { schemas: Record<string, unknown> };
        };
        const schema = { $ref: '#/components/schemas/Node' };
        document.components.schemas['Node'] = {
          type: 'object',
          required: ['next'],
          properties: { next: { anyOf: [schema] } },
        };
        const put = document.paths['/items']?.put;
        if (put !== undefined) put.requestBody = { content: { 'application/json': { schema } } };
        return route.fulfill({ json: document });
      });
      await useToken(token);
      await entry('items').waitFor();
      await page.goto(`${docs}#/tables/items/put`);
      await page.locator('.members').getByText('next', { exact: true }).waitFor();
      await page.locator('.members summary').click();
      await page.getByText('Node, as above').waitFor();
      await close();
    });

    test('shows one operation of many tables', async () => {
      await open(docs);
      await entry('makers').waitFor();
      await page.route('**/openapi.json', async (route) => {
        if (route.request().url().includes('/api/v1/')) return route.fallback();
        const answer = await route.fetch();
        const document = (await answer.json()) as { paths: Record<string, unknown> };
        const item = document.paths['/items'];
        document.paths = Object.fromEntries(
          Array.from({ length: 500 }, (_, at) => [`/table_${String(at)}`, item]),
        );
        return route.fulfill({ json: document });
      });
      await useToken(token);
      await entry('table_499').waitFor({ state: 'attached' });
      expect(await namesIn('Your tables and views')).to.have.length(500);
      await page.goto(`${docs}#/tables/table_250/post`);
      await heading('table_250').waitFor();
      expect(await page.getByRole('heading', { name: 'Responses' }).count()).to.equal(1);
      await close();
    });
  });

  describe('of another service', () => {
    let running: ConsoleService;
    afterEach(() => running.stop());

    test('says that the description is disabled', async () => {
      running = await startConsoleService(() => ({ 'openapi-mode': 'disabled' }));
      await open(`${running.service.url}/api/v1/docs`);
      await page
        .getByText('This service does not describe its database: openapi-mode is disabled.')
        .waitFor();
      expect(await titles()).to.deep.equal(['users', 'data-api', 'service']);
      await close();
    });

    test('asks for a token where requests without one are refused', async () => {
      running = await startConsoleService(() => ({ 'db-anon-role': '', 'db-schemas': 'public,shop' }));
      const text = await (await fetch(`${running.service.url}/api/v1/docs`)).text();
      expect(text).to.include('&quot;schemas&quot;:[],&quot;description&quot;:&quot;token&quot;');
      await open(`${running.service.url}/api/v1/docs#/?schema=shop`);
      await page.getByText('Requests without a token are refused.').waitFor();
      await useToken(await running.tokenOf('ada'));
      await entry('items').waitFor();
      await close();
    });

    test('shows each schema, below a prefix', async () => {
      running = await startConsoleService(() => ({
        'db-schemas': 'public,shop',
        'server-path-prefix': '/data',
      }));
      await open(`${running.service.url}/api/v1/docs`);
      await page.getByLabel('Schema').selectOption('shop');
      await entry('makers').click();
      expect(page.url()).to.equal(`${running.service.url}/api/v1/docs#/tables/makers?schema=shop`);
      await page.getByLabel('limit').fill('1');
      expect(await page.getByLabel('curl').textContent()).to.equal(
        `curl '${running.service.url}/data/makers?limit=1&select=id,name,country' -H 'Accept-Profile: shop'`,
      );
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByLabel('Body of the response').getByText('Maker 1').waitFor();
      await page.getByLabel('Schema').selectOption('public');
      await entry('makers').waitFor({ state: 'detached' });
      await close();
    });
  });
});
