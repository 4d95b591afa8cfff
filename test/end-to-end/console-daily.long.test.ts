import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { withSession } from '../../src/postgres/session.js';
import { until } from '../support/until.js';
import { chromiumPath, openBrowser, openConsolePage, type OpenedPage } from '../support/console/browser.js';
import { startConsoleService, type ConsoleService } from '../support/console/console-service.js';

const test = chromiumPath === undefined ? it.skip : it;

describe('the console day by day', function () {
  this.timeout(240_000);
  let running: ConsoleService;
  let browser: Browser;
  let opened: OpenedPage;
  let page: Page;

  before(async () => {
    running = await startConsoleService(() => ({ 'db-live': 'true' }));
    if (chromiumPath !== undefined) browser = await openBrowser();
  });
  after(async () => {
    if (chromiumPath !== undefined) await browser.close();
    await running.stop();
  });
  beforeEach(async () => {
    if (chromiumPath === undefined) return;
    opened = await openConsolePage(browser, running.url, await running.tokenOf('ada'));
    page = opened.page;
  });
  afterEach(async function () {
    if (chromiumPath === undefined) return;
    if (this.currentTest?.state === 'passed') expect(opened.problems).to.deep.equal([]);
    await opened.close();
  });

  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const rows = (): Locator => page.locator('.grid tbody tr[data-row]');
  const panel = (): Locator => page.getByRole('dialog');
  const makers = '#/table/shop/makers';

  test('leads by keys from anywhere to a table', async () => {
    await page.locator('.cards').getByText('All findings', { exact: false }).waitFor();
    await page.getByRole('row', { name: /^makers/ }).waitFor();
    await opened.checkAccessibility();
    // At once: a key that follows in the same frame is part of the search.
    const focused = `dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true })), document.activeElement?.id`;
    expect(await page.evaluate(focused)).to.equal('find');
    await page.evaluate('document.activeElement?.blur()');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('mak');
    await page.keyboard.press('Enter');
    await rows().first().waitFor();
    expect(new URL(page.url()).hash).to.equal(makers);
    await rows().first().focus();
    await page.keyboard.press('/');
    await page.keyboard.type('health');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Health' }).waitFor();
  });

  test('gives a row an address, and writes the version that was read', async () => {
    await opened.go(`${makers}?row=${encodeURIComponent('["3"]')}`);
    const country = panel().getByLabel('country', { exact: true });
    await country.fill('DK');
    await withSession(running.databaseUri, (session) =>
      session.script(`update shop.makers set name = 'Renamed' where id = 3`),
    );
    await panel().getByRole('button', { name: 'Save' }).click();
    await panel().getByText('Nothing was written', { exact: false }).waitFor();
    await panel().getByRole('button', { name: 'Read it again, and keep the edits' }).click();
    await until(async () => (await panel().getByLabel('name', { exact: true }).inputValue()) === 'Renamed');
    expect(await country.inputValue()).to.equal('DK');
    await panel().getByRole('button', { name: 'Save' }).click();
    await panel().waitFor({ state: 'detached' });
    await rows().filter({ hasText: 'Renamed' }).getByText('DK', { exact: true }).waitFor();
    expect(new URL(page.url()).hash).to.equal(makers);
    await page.goBack();
    await panel().getByLabel('name', { exact: true }).waitFor();
  });

  test('keeps a page true, with what is selected on it, while it is live', async () => {
    await opened.go(makers);
    await rows().first().focus();
    await page.keyboard.press('Space');
    const selection = page.getByRole('group', { name: 'Selected rows' });
    await selection.getByText('1 row selected').waitFor();
    await button('Live').click();
    const rename = (name: string): Promise<unknown> =>
      withSession(running.databaseUri, (session) =>
        session.script(`update shop.makers set name = '${name}' where id = 2`),
      );
    await rename('Seen at once');
    await rows().getByText('Seen at once').waitFor();
    await selection.getByText('1 row selected').waitFor();
    expect(await button('Live').getAttribute('aria-pressed')).to.equal('true');
    await opened.checkAccessibility();
    await rename('Maker 2');
    await rows().getByText('Maker 2', { exact: true }).waitFor();
    await button('Live').click();
  });

  test('chooses a related row by its name, and marks required columns', async () => {
    await opened.go('#/table/shop/items?new=');
    await panel().getByText('required', { exact: true }).first().waitFor();
    expect(await panel().getByText('required', { exact: true }).count()).to.equal(1);
    await panel().getByRole('button', { name: 'Choose a row of makers' }).click();
    await page.keyboard.type('maker 12');
    await panel().getByRole('button', { name: 'Maker 120' }).waitFor();
    await opened.checkAccessibility();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await panel().getByLabel('maker_id', { exact: true }).inputValue()).to.equal('12');
    await panel().getByRole('link', { name: 'Maker 12' }).waitFor();
  });

  test('joins filters by or, hides and widens columns, and chooses the size of a page', async () => {
    await opened.go(makers);
    for (const value of ['Maker 7', 'Maker 9']) {
      await button('Add filter').click();
      await page.getByLabel('Column').selectOption('name');
      await page.getByLabel('Operator').selectOption({ label: '=' });
      await page.getByLabel('Value').fill(value);
      await button('Apply').click();
    }
    await page.getByLabel('A row fulfils').selectOption('any');
    await until(async () => (await rows().count()) === 2);
    await button('Columns').click();
    await page.getByLabel('country').uncheck();
    await opened.checkAccessibility();
    await page.keyboard.press('Escape');
    expect(await page.locator('.grid th[scope=col]').count()).to.equal(3);
    const head = page.locator('.grid th', { hasText: 'name' });
    const before = (await head.boundingBox())?.width ?? 0;
    await head.getByRole('button').press('Alt+ArrowRight');
    await until(async () => ((await head.boundingBox())?.width ?? 0) > before + 10);
    await opened.go(makers);
    await page.getByLabel('Rows a page').selectOption('25');
    await page.getByText('25 rows on this page').waitFor();
  });

  test('exports the rows of a view', async () => {
    const filter = encodeURIComponent(JSON.stringify(['id', 'lt', '3']));
    await opened.go(`${makers}?filter=${filter}`);
    await page.locator('.popover-place').getByRole('button', { name: 'Export' }).click();
    const exported = async (format: string): Promise<string> => {
      const [download] = await Promise.all([page.waitForEvent('download'), button(format).click()]);
      expect(download.suggestedFilename()).to.equal(`makers.${format.toLowerCase()}`);
      return readFile(await download.path(), 'utf8');
    };
    expect(await exported('CSV')).to.match(/^id,name,country\r\n1,"?Maker 1"?,NO\r\n2,"?Maker 2"?,IS\r\n$/);
    expect(JSON.parse(await exported('JSON'))).to.deep.equal([
      { id: 1, name: 'Maker 1', country: 'NO' },
      { id: 2, name: 'Maker 2', country: 'IS' },
    ]);
  });

  test('imports a file after a preview, reports its faults, and deletes the rows that are selected', async () => {
    const filter = encodeURIComponent(JSON.stringify(['id', 'gte', '900']));
    await opened.go(`${makers}?filter=${filter}`);
    const take = async (text: string): Promise<void> => {
      await panel()
        .getByLabel('File', { exact: true })
        .setInputFiles({ name: 'makers.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    };
    await page.locator('.tools').getByRole('button', { name: 'Import' }).click();
    await take('id,Name,other\r\n900,New,x\r\n1,Twice,y\r\n');
    expect(await panel().getByLabel('Column for Name').inputValue()).to.equal('=name');
    expect(await panel().getByLabel('Column for other').inputValue()).to.equal('');
    await panel().getByRole('button', { name: 'Import 2 rows' }).click();
    await panel().getByText('Nothing was written.').waitFor();
    await panel().getByRole('heading', { name: 'Row 2 of the file' }).waitFor();
    await opened.checkAccessibility();
    await take('id,name,country\r\n900,New,\r\n901,Newer,SE\r\n902,Newest,SE\r\n');
    await panel().getByRole('button', { name: 'Import 3 rows' }).click();
    await panel().getByText('3 rows were imported.').waitFor();
    await page.keyboard.press('Escape');
    await until(async () => (await rows().count()) === 3);
    await rows().first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    const selection = page.getByRole('group', { name: 'Selected rows' });
    await selection.getByText('2 rows selected').waitFor();
    await selection.getByRole('button', { name: 'Delete…' }).click();
    await selection.getByRole('button', { name: 'Delete these 2 rows' }).click();
    await page.getByText('2 rows deleted.').waitFor();
    await until(async () => (await rows().count()) === 1);
  });

  test('filters and edits an array in the same form', async () => {
    await opened.go('#/table/shop/items');
    await rows().filter({ hasText: 'Chair' }).locator('td').nth(1).click();
    await panel().getByRole('button', { name: 'Add to tags' }).click();
    await page.keyboard.type('blue, green');
    await page.keyboard.press('Control+Enter');
    await panel().waitFor({ state: 'detached' });
    await button('Add filter').click();
    await page.getByLabel('Column').selectOption('tags');
    await page.getByLabel('Value 1', { exact: true }).fill('blue, green');
    await button('Apply').click();
    await until(async () => (await rows().count()) === 1);
    await rows().first().getByText('["blue, green"]').waitFor();
  });
});
