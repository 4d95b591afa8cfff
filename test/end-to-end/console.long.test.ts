import { expect } from 'chai';
import { brotliCompressSync } from 'node:zlib';
import type { Browser, Locator, Page } from 'playwright-core';
import { some } from '../support/runs.js';
import { until } from '../support/until.js';
import { chromiumPath, openBrowser, openConsolePage, type OpenedPage } from '../support/console/browser.js';
import {
  HOSTILE_COLUMN,
  HOSTILE_TABLE,
  LONG,
  MARKUP,
  RIGHT_TO_LEFT,
  startConsoleService,
  type ConsoleService,
} from '../support/console/console-service.js';

const test = chromiumPath === undefined ? it.skip : it;
const PRODUCER = 'notifications:write';

describe('the console in a browser', function () {
  this.timeout(120_000);
  let running: ConsoleService;
  let browser: Browser;
  let ada: string;
  let opened: OpenedPage;
  let page: Page;

  before(async () => {
    running = await startConsoleService();
    ada = await running.tokenOf('ada', { scope: PRODUCER });
    if (chromiumPath !== undefined) browser = await openBrowser();
  });
  after(async () => {
    if (chromiumPath !== undefined) await browser.close();
    await running.stop();
  });

  async function open(
    options: Parameters<typeof openConsolePage>[3] = {},
    token: string | null = ada,
  ): Promise<void> {
    opened = await openConsolePage(browser, running.url, token, options);
    page = opened.page;
  }
  afterEach(async function () {
    if (chromiumPath === undefined) return;
    if (this.currentTest?.state === 'passed') expect(opened.problems).to.deep.equal([]);
    await opened.close();
  });

  const navigation = (): Locator => page.getByRole('navigation', { name: 'Tables, functions and service' });
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const rows = (): Locator => page.locator('.grid tbody tr[data-row]');
  const table = (name: string): string => `#/table/shop/${encodeURIComponent(name)}`;
  const cells = async (): Promise<string[]> => rows().locator('td:nth-of-type(2)').allInnerTexts();

  async function filter(column: string, operator: string, value: string): Promise<void> {
    await button('Add filter').click();
    await page.getByLabel('Column').selectOption(column);
    await page.getByLabel('Operator').selectOption({ label: operator });
    await page.getByLabel('Value').fill(value);
    await button('Apply').click();
  }

  test('is small, and its page runs no script but its own', async () => {
    await open();
    let bytes = 0;
    for (const name of ['', 'app.js', 'app.css']) {
      const response = await fetch(`${running.url}${name}`);
      bytes += brotliCompressSync(Buffer.from(await response.arrayBuffer())).length;
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).to.contain("default-src 'none'").and.not.to.contain('unsafe');
    }
    expect(bytes).to.be.at.most(250_000);
  });

  test('asks for a token, and keeps it out of the address', async () => {
    await open({}, null);
    await opened.checkAccessibility();
    await page.getByLabel('Token').fill(ada);
    await button('Sign in').click();
    await navigation().getByText('items', { exact: true }).waitFor();
    // The page stays open when its address changes after the `#` alone.
    await page.goto(`${running.url}#token=${await running.tokenOf('bob')}`);
    await page.locator('.who', { hasText: 'bob' }).waitFor();
    expect(page.url()).to.equal(`${running.url}#/`);
    await button('Sign out').click();
    await page.goto(`${running.url}#token=${ada}`);
    await page.locator('.who', { hasText: 'ada' }).waitFor();
    expect(page.url()).to.equal(`${running.url}#/`);
    await button('Sign out').click();
    await page.getByLabel('Token').waitFor();
  });

  test('refuses what is not a token, and a token that the service refuses, where it is entered', async () => {
    await open({}, null);
    const alert = page.getByRole('alert');
    await page.getByLabel('Token').fill('a.b.c');
    await button('Sign in').click();
    await alert.getByText('This is not a token', { exact: false }).waitFor();
    await opened.checkAccessibility();
    await page.getByLabel('Token').fill(ada.replace(/[^.]+$/, 'c2ln'));
    await alert.waitFor({ state: 'detached' });
    await button('Sign in').click();
    await alert.getByText('DBR301').waitFor();
    await page.getByLabel('Token').fill(`Bearer ${ada}`);
    await button('Sign in').click();
    await page.locator('.who', { hasText: `ada as ${running.role}` }).waitFor();
    await page.locator('.who').getByText('until', { exact: false }).waitFor();
  });

  test('finds a row by filters, and shows the request', async () => {
    await open();
    await navigation().getByText('makers', { exact: true }).click();
    await rows().first().waitFor();
    await filter('country', '=', 'IS');
    await filter('name', 'contains', '12');
    await page.locator('.request-line .target', { hasText: 'ilike' }).waitFor();
    expect((await cells()).every((name) => /Maker \d*12\d*/.test(name))).to.equal(true);
    await button('Count').click();
    await page.getByText('10 rows in all').waitFor();
    await page.locator('.request-line').click();
    await page.getByRole('tab', { name: 'curl' }).click();
    const curl = await page.getByRole('region', { name: 'curl' }).innerText();
    expect(curl).to.contain(`curl '${running.service.url}/makers?country=eq.IS&name=ilike.%2512%25`);
    expect(curl).to.contain('$TOKEN').and.not.to.contain(ada);
    await page.getByRole('tab', { name: 'Typed client' }).click();
    expect(await page.getByRole('region', { name: 'dbr-client/database' }).innerText()).to.contain(
      ".from('makers')\n  .select()\n  .where('country', 'eq', 'IS')\n  .where('name', 'ilike', '%12%')",
    );
    expect(await page.getByRole('region', { name: 'openapi-fetch' }).innerText()).to.contain(
      'client.GET("/makers"',
    );
    await opened.checkAccessibility();
  });

  test('pages by key and sorts', async () => {
    await open();
    await opened.go(table('makers'));
    await rows().first().waitFor();
    expect((await cells())[0]).to.equal('Maker 1');
    await button('Next').click();
    await page.getByText('Maker 101', { exact: true }).waitFor();
    await button('Previous').click();
    await page.getByText('Maker 1', { exact: true }).waitFor();
    await page.locator('th').getByRole('button', { name: 'id' }).click();
    await page.locator('th[aria-sort="ascending"]').waitFor();
    await page.locator('th').getByRole('button', { name: 'id' }).click();
    await page.locator('th[aria-sort="descending"]').waitFor();
    await page.getByText('Maker 500', { exact: true }).waitFor();
  });

  test('edits a row and follows a foreign key', async () => {
    await open();
    await opened.go(table('items'));
    await rows().filter({ hasText: 'Lamp' }).locator('td').nth(1).click();
    const panel = page.getByRole('dialog');
    await panel.getByLabel('stock', { exact: true }).fill('42');
    await panel.getByLabel('size', { exact: true }).selectOption('large');
    await opened.checkAccessibility();
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.waitFor({ state: 'detached' });
    await rows().filter({ hasText: 'Lamp' }).getByText('42', { exact: true }).waitFor();
    await rows().filter({ hasText: 'Lamp' }).locator('td').nth(1).click();
    await panel.getByText('makers by maker_id').click();
    const related = panel.getByRole('region', { name: 'Rows', exact: true });
    await related.getByText('Maker 7', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await rows().filter({ hasText: 'Lamp' }).getByRole('link', { name: '7' }).click();
    await page.getByRole('heading', { name: 'makers' }).waitFor();
    await page.getByText('Maker 7', { exact: true }).waitFor();
    expect(await cells()).to.deep.equal(['Maker 7']);
  });

  test('keeps the field while its text grows, shrinks and is replaced', async () => {
    await open();
    await opened.go(table('items'));
    await rows().filter({ hasText: 'Chair' }).locator('td').nth(1).click();
    const field = page.getByRole('dialog').getByLabel('name', { exact: true });
    await field.focus();
    await page.keyboard.press('End');
    await page.keyboard.type(' and what belongs to it'.repeat(4));
    expect(await field.inputValue()).to.equal(`Chair${' and what belongs to it'.repeat(4)}`);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Stool');
    expect(await field.inputValue()).to.equal('Stool');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Chair');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('asks before Escape and Back discard edits', async () => {
    await open();
    await opened.go(table('items'));
    await opened.go(table('makers'));
    await rows().filter({ hasText: 'Maker 11' }).first().locator('td').nth(1).click();
    const panel = page.getByRole('dialog');
    const country = panel.getByLabel('country', { exact: true });
    await country.fill('Iceland');
    page.removeAllListeners('dialog');
    const answers = ['dismiss', 'dismiss', 'dismiss', 'accept'] as const;
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      // A key that is pressed while the question is open is lost.
      void dialog[answers[asked.length] ?? 'accept']().then(() => asked.push(dialog.message()));
    });
    const askedTimes = (times: number): Promise<void> => until(() => asked.length === times);
    // The browser closes a dialog at the second Escape, whatever its `cancel` answers.
    for (const times of [1, 2]) {
      await page.keyboard.press('Escape');
      await askedTimes(times);
    }
    await page.evaluate('history.back()');
    await askedTimes(3);
    await until(() => page.url().includes(`${table('makers')}?row=`));
    expect(await country.inputValue()).to.equal('Iceland');
    await page.evaluate('history.back()');
    await panel.waitFor({ state: 'detached' });
    expect(new Set(asked)).to.deep.equal(new Set(['Discard the changes that are not saved?']));
    expect(asked).to.have.length(4);
    // Without edits nothing is asked.
    await rows().first().locator('td').nth(1).click();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(asked).to.have.length(4);
  });

  test('keeps the digits of numbers', async () => {
    await open();
    await opened.go(table('items'));
    await rows().filter({ hasText: 'Lamp' }).getByText('12.50').waitFor();
    await rows().filter({ hasText: 'Lamp' }).getByText('"volts":230.0', { exact: false }).waitFor();
  });

  test('inserts a row, and shows what PostgreSQL says of a wrong type', async () => {
    await open();
    await opened.go(table('items'));
    await button('Insert row').click();
    const panel = page.getByRole('dialog');
    await panel.getByLabel('name', { exact: true }).fill('Shelf');
    await panel.getByLabel('stock', { exact: true }).fill('many');
    await panel.getByRole('button', { name: 'Insert' }).click();
    const alert = panel.getByRole('alert');
    await alert.getByText('invalid input syntax for type integer: "many"').waitFor();
    expect(await alert.innerText()).to.contain('22P02');
    await panel.getByLabel('stock', { exact: true }).fill('5');
    await panel.getByLabel('price', { exact: true }).fill('-1');
    await panel.getByRole('button', { name: 'Insert' }).click();
    await alert.getByText('violates check constraint', { exact: false }).waitFor();
    await panel.getByLabel('price', { exact: true }).fill('19.90');
    await panel.getByRole('button', { name: 'Add to tags' }).click();
    await page.keyboard.type('a');
    await page.keyboard.press('Enter');
    await page.keyboard.type('b c');
    await panel.getByRole('button', { name: 'Insert' }).click();
    await panel.waitFor({ state: 'detached' });
    await rows().filter({ hasText: 'Shelf' }).getByText('["a","b c"]').waitFor();
    await rows().filter({ hasText: 'Shelf' }).locator('td').nth(1).click();
    await panel.getByRole('button', { name: 'Delete…' }).click();
    await panel.getByRole('button', { name: 'Delete this row' }).click();
    await panel.waitFor({ state: 'detached' });
    await rows().filter({ hasText: 'Shelf' }).waitFor({ state: 'detached' });
  });

  test('finds an asterisk, and not what stands where a pattern has one', async () => {
    await open();
    for (const [operator, value, found] of some(
      [
        ['contains', 'a*', ['a*b']],
        ['begins with', 'A.*', ['A.*c']],
        ['contains', '%', ['a%b']],
      ] as const,
      2,
    )) {
      await opened.go('#/');
      await opened.go(table('patterns'));
      await rows().nth(2).waitFor();
      await filter('text', operator, value);
      await until(async () => JSON.stringify(await cells()) === JSON.stringify(found));
    }
  });

  test('gives a function texts that read as filters, and arguments named as parameters', async () => {
    await open();
    await opened.go('#/function/shop/says');
    await page.getByLabel('text', { exact: true }).fill('eq.x');
    await page.getByLabel('limit', { exact: true }).fill('y');
    await button('Call').click();
    await page.getByRole('region', { name: 'Result' }).getByText('"eq.xy"').waitFor();
  });

  test('calls a function', async () => {
    await open();
    await opened.go('#/function/shop/add_up');
    await page.getByLabel('one', { exact: true }).fill('40');
    await page.getByLabel('other', { exact: true }).fill('two');
    await button('Call').click();
    await page.getByRole('alert').getByText('invalid input syntax', { exact: false }).waitFor();
    await page.getByLabel('other', { exact: true }).fill('2');
    await button('Call').click();
    await page.getByRole('region', { name: 'Result' }).getByText('42').waitFor();
    await opened.checkAccessibility();
  });

  test('calls a function that takes a whole body, and lists no computed column', async () => {
    await open();
    expect(await navigation().getByText('label', { exact: true }).count()).to.equal(0);
    await navigation().getByText('echo', { exact: true }).click();
    await page.getByLabel('body', { exact: true }).fill('[1, {"a": 230.0}]');
    await button('Call').click();
    await page.getByRole('region', { name: 'Result' }).getByText('230.0').waitFor();
    await opened.checkAccessibility();
  });

  test('names what it cannot open', async () => {
    await open();
    for (const hash of some(['#/table/shop/none', '#/policies/shop/none', '#/function/shop/none'], 2)) {
      await opened.go(hash);
      await page.locator('h1', { hasText: 'none' }).waitFor();
      await opened.checkAccessibility();
    }
  });

  test('says why a row is not visible', async () => {
    await open();
    await opened.go('#/policies/shop/items');
    await page.getByText(`Items of their owner ${MARKUP}`).waitFor();
    await page.getByText(`Lets ${running.anonymous} read any row.`).waitFor();
    await page.getByLabel('id', { exact: true }).fill('6');
    await page.getByLabel('owner', { exact: true }).fill('ada');
    await page.getByLabel('sold', { exact: true }).selectOption('true');
    await button('Evaluate').click();
    const verdict = page.locator('.verdict');
    await verdict.waitFor();
    expect(await verdict.innerText()).to.equal(
      `The role ${running.role} may not read this row: no policy lets it pass. No row with this key is found.`,
    );
    expect(await page.locator('.evaluated').innerText()).to.contain('NOT sold');
    expect(await page.locator('.evaluated .mark.false').count()).to.equal(2);
    await opened.checkAccessibility();
  });

  test('explains a request: statement and plan', async () => {
    await open();
    await opened.go(table('items'));
    await rows().first().waitFor();
    await page.locator('.request-line').click();
    await page.getByRole('tab', { name: 'SQL' }).click();
    await page.getByRole('region', { name: 'SQL' }).getByText('"shop"."items"', { exact: false }).waitFor();
    await page.getByRole('tab', { name: 'Plan' }).click();
    await button('Explain and run').click();
    await page.getByText('Executed in', { exact: false }).waitFor();
    await page.locator('[data-plan]').getByText('Scan', { exact: false }).first().waitFor();
    await opened.checkAccessibility();
  });

  test('lists findings with their cures', async () => {
    await open();
    await opened.go('#/lint');
    await page.getByText('foreign-key-without-index').click();
    await page
      .getByRole('region', { name: /^Cure of/ })
      .getByText('create index', { exact: false })
      .first()
      .waitFor();
    // What the console answers itself is in no document, so that no typed client has it.
    await page.locator('.request-line').getByText('question').click();
    expect(await page.getByRole('tab').allInnerTexts()).to.deep.equal(['URL', 'curl']);
    await page.getByRole('tab', { name: 'curl' }).click();
    const curl = page.getByRole('region', { name: 'curl' });
    await curl.getByText('X-Dbr-Console: 1', { exact: false }).waitFor();
    await curl.getByText('{"kind":"lint"}', { exact: false }).waitFor();
    await opened.checkAccessibility();
  });

  test('plots the last hour', async () => {
    await open({ scheme: 'dark' });
    await opened.go('#/health');
    await page.locator('.uplot canvas').first().waitFor();
    expect(await page.locator('.plot').count()).to.equal(8);
    await opened.checkAccessibility();
  });

  test('views as another user in development, and says so', async () => {
    await open();
    await opened.go(table('items'));
    await button('View as…').click();
    const panel = page.getByRole('dialog');
    await panel.getByLabel('User').fill('bob');
    await opened.checkAccessibility();
    await panel.getByRole('button', { name: 'View as this user' }).click();
    const warning = page.getByText('Development: viewing as bob');
    await warning.waitFor();
    const colour = await page.evaluate<string>(
      "getComputedStyle(document.querySelector('.viewing-as')).backgroundColor",
    );
    const [red, green, blue] = (colour.match(/\d+/g) ?? []).map(Number);
    expect(red).to.be.greaterThan(2 * Math.max(green ?? 0, blue ?? 0));
    await page.getByText('Table of bob').waitFor();
    expect(await cells()).to.deep.equal(['Table of bob']);
    await opened.checkAccessibility();
    await button('Back to yourself').click();
    await page.getByText('Lamp', { exact: true }).waitFor();
  });

  test('works by the keyboard alone', async () => {
    await open();
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const focused = (): Promise<string> => page.evaluate<string>("document.activeElement?.textContent ?? ''");
    await press('Tab');
    expect(await focused()).to.equal('Skip to the content');
    await page.getByLabel('Find a table or function').focus();
    await page.keyboard.type('maker');
    await press('Tab');
    expect(await focused()).to.equal('makers');
    await press('Enter');
    await rows().first().waitFor();
    await rows().first().focus();
    await press('ArrowDown', 'ArrowDown', 'End');
    const untilRow = (row: string): Promise<void> =>
      until(async () => (await page.evaluate("document.activeElement?.getAttribute('data-row')")) === row);
    await untilRow('99');
    await press('Home');
    await untilRow('0');
    await press('ArrowDown', 'Enter');
    const panel = page.getByRole('dialog');
    await panel.waitFor();
    expect(await panel.getByLabel('id', { exact: true }).inputValue()).to.equal('2');
    await panel.getByLabel('country', { exact: true }).focus();
    await press('Control+A');
    await page.keyboard.type('SE');
    await press('Control+Enter');
    await panel.waitFor({ state: 'detached' });
    await rows().nth(1).getByText('SE', { exact: true }).waitFor();
  });

  test('shows hostile names, values and comments as text', async () => {
    await open();
    await navigation().getByText(HOSTILE_TABLE).click();
    await page.getByRole('heading', { name: HOSTILE_TABLE }).waitFor();
    await page.locator('th', { hasText: HOSTILE_COLUMN }).waitFor();
    await rows().first().getByText(MARKUP).waitFor();
    expect(await page.locator('.screen-head .comment').innerText()).to.equal(`${RIGHT_TO_LEFT} ${MARKUP}`);
    await filter(HOSTILE_COLUMN, 'contains', '<img');
    await rows().first().getByText(MARKUP).waitFor();
    await page.locator('th', { hasText: HOSTILE_COLUMN }).getByRole('button').click();
    await page.locator('th[aria-sort="ascending"]').waitFor();
    await rows().first().locator('td').nth(1).click();
    const panel = page.getByRole('dialog');
    await panel.getByLabel(HOSTILE_COLUMN, { exact: true }).fill(`${MARKUP}${MARKUP}`);
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.waitFor({ state: 'detached' });
    await rows().first().getByText(`${MARKUP}${MARKUP}`).waitFor();
    await opened.checkAccessibility();
    await opened.go(table('items'));
    await rows().getByText(MARKUP).waitFor();
    await rows().getByText(RIGHT_TO_LEFT).waitFor();
    await rows().getByText('a\\u0000b', { exact: false }).waitFor();
    await rows().getByText(LONG.slice(0, 100), { exact: false }).waitFor();
    expect(await page.locator('img, script:not([src]), main b img').count()).to.equal(0);
    await opened.go('#/function/shop/page');
    await button('Call').click();
    await page
      .getByRole('region', { name: 'Result' })
      .getByText('<script>alert(1)</script>', { exact: false })
      .waitFor();
  });

  for (const scheme of some(['light', 'dark'] as const, 2))
    test(`fits a phone of 390 pixels, ${scheme}`, async () => {
      await open({ width: 390, scheme });
      const fits = async (isChecked = true): Promise<void> => {
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).to.be.at.most(390);
        if (isChecked) await opened.checkAccessibility(scheme === 'light' ? 'all' : 'colours');
      };
      await fits();
      await button('Menu').click();
      await navigation().getByText('items', { exact: true }).waitFor();
      await fits();
      await navigation().getByText('items', { exact: true }).click();
      await rows().first().waitFor();
      await fits();
      await rows().first().locator('td').nth(1).click();
      await page.getByRole('dialog').waitFor();
      await fits();
      await page.keyboard.press('Escape');
      const screens = [
        '#/policies/shop/items',
        '#/function/shop/add_up',
        '#/lint',
        '#/health',
        table(HOSTILE_TABLE),
      ];
      // Axe has seen each of them in a wide window.
      const checked = some(screens, 4);
      for (const hash of screens) {
        await opened.go(hash);
        await page.locator('.loading').first().waitFor({ state: 'detached' });
        await fits(checked.includes(hash));
      }
    });
});
