/** The main stories of the console in Firefox, by `make test-long`; console.long.test.ts has all of them in Chromium. */
import { expect } from 'chai';
import type { Browser, Context } from '../support/firefox/firefox.mjs';
import {
  HOSTILE_COLUMN,
  HOSTILE_TABLE,
  MARKUP,
  startConsoleService,
  type ConsoleService,
} from '../support/console/console-service.js';
import { drive, firefoxPath, openFirefox, type FirefoxPage } from '../support/firefox.js';
import { until } from '../support/until.js';

const ROW = '.grid tbody tr[data-row]';

describe('the console in Firefox', function () {
  this.timeout(300_000);
  let running: ConsoleService;
  let browser: Browser;
  let context: Context;
  let tab: FirefoxPage;
  let problems: string[];

  before(async function () {
    if (firefoxPath === undefined) return this.skip();
    running = await startConsoleService();
    browser = await openFirefox();
  });
  after(async () => {
    if (firefoxPath === undefined) return;
    await browser.close();
    await running.stop();
  });
  beforeEach(async () => {
    context = await browser.createBrowserContext();
    tab = drive(await context.newPage());
    problems = [];
    tab.page.on('pageerror', ({ message }) => problems.push(message));
    await tab.page.setViewport({ width: 1280, height: 800 });
  });
  afterEach(async () => {
    await context.close();
    expect(problems).to.deep.equal([]);
  });

  async function signIn(): Promise<void> {
    // A page that differs by its fragment alone is not loaded again.
    await tab.page.goto('about:blank');
    await tab.page.goto(`${running.url}#token=${await running.tokenOf('ada')}`);
    await tab.see('nav a .name', 'items');
  }
  const go = async (hash: string): Promise<void> => {
    await tab.page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  };
  const table = (name: string): string => `#/table/shop/${encodeURIComponent(name)}`;
  const names = (): Promise<readonly string[]> => tab.texts(`${ROW} td:nth-of-type(2)`);
  async function filter(column: string, operator: string, value: string): Promise<void> {
    await tab.click('button', 'Add filter');
    await tab.select('select', 'Column', column);
    await tab.select('select', 'Operator', operator);
    await tab.fill('input', 'Value', value);
    await tab.click('button', 'Apply');
  }

  it('asks for a token, and keeps it out of the address', async () => {
    await tab.page.goto(running.url);
    await tab.fill('textarea', 'Token', await running.tokenOf('ada'));
    await tab.click('button', 'Sign in');
    await tab.see('nav a .name', 'items');
    await tab.click('button', 'Sign out');
    await tab.see('textarea', 'Token');
    await signIn();
    expect(await tab.page.evaluate('location.href')).to.equal(`${running.url}#/`);
    await tab.page.reload();
    await tab.see('nav a .name', 'items');
    await tab.click('button', 'Sign out');
    await tab.see('textarea', 'Token');
  });

  it('finds rows by filters, pages and sorts', async () => {
    await signIn();
    await tab.click('nav a .name', 'makers');
    await tab.see(`${ROW} td`, 'Maker 1');
    await tab.click('button', 'Next');
    await tab.see(`${ROW} td`, 'Maker 101');
    await tab.click('button', 'Previous');
    await tab.see(`${ROW} td`, 'Maker 1');
    await filter('country', 'eq', 'IS');
    await filter('name', 'ilike', '12');
    await until(async () => {
      const shown = await names();
      return shown.length === 10 && shown.every((name) => /Maker \d*12\d*/.test(name));
    });
    await tab.click('th button', 'id');
    await tab.see('th[aria-sort=ascending]');
  });

  it('edits a row, inserts one, and shows what PostgreSQL says of a wrong type', async () => {
    await signIn();
    await go(table('items'));
    await tab.click(`${ROW} td`, 'Lamp');
    await tab.fill('dialog input', 'stock', '42');
    await tab.select('dialog select', 'size', '=large');
    await tab.click('dialog button', 'Save');
    await tab.miss('dialog');
    await tab.see(`${ROW} td`, '42');
    await tab.click('button', 'Insert row');
    await tab.fill('dialog textarea', 'name', 'Shelf');
    await tab.fill('dialog input', 'stock', 'many');
    await tab.click('dialog button', 'Insert');
    await until(async () =>
      (await tab.texts('[role=alert]')).some((text) =>
        text.includes('invalid input syntax for type integer: "many"'),
      ),
    );
    await tab.fill('dialog input', 'stock', '5');
    await tab.click('dialog button', 'Insert');
    await tab.miss('dialog');
    await tab.see(`${ROW} td`, 'Shelf');
  });

  it('calls a function', async () => {
    await signIn();
    await go('#/function/shop/add_up');
    await tab.fill('input', 'one', '40');
    await tab.fill('input', 'other', '2');
    await tab.click('button', 'Call');
    await until(async () => (await tab.texts('pre[aria-label=Result]')).join('') === '42');
  });

  it('works by the keyboard', async () => {
    await signIn();
    await tab.press('Tab');
    expect(await tab.focused()).to.equal('Skip to the content');
    await tab.click('input', 'Find a table or function');
    await tab.page.keyboard.type('maker');
    await tab.press('Tab');
    expect(await tab.focused()).to.equal('makers');
    await tab.press('Enter');
    await tab.see(ROW);
    await tab.page.evaluate(`document.querySelector(${JSON.stringify(ROW)}).focus()`);
    await tab.press('ArrowDown', 'ArrowDown', 'End');
    const row = `document.activeElement?.getAttribute('data-row')`;
    await until(async () => (await tab.page.evaluate(row)) === '99');
    await tab.press('Home');
    await until(async () => (await tab.page.evaluate(row)) === '0');
    await tab.press('Enter');
    await tab.see('dialog');
    await tab.press('Escape');
    await tab.miss('dialog');
  });

  it('shows hostile names and values as text', async () => {
    await signIn();
    await go(table(HOSTILE_TABLE));
    await tab.see('h1', HOSTILE_TABLE);
    await tab.see('th button', HOSTILE_COLUMN);
    await tab.see(`${ROW} td`, MARKUP);
    expect(await tab.page.evaluate(`document.querySelectorAll('img, script:not([src])').length`)).to.equal(0);
  });

  it('fits a phone of 390 pixels', async () => {
    await tab.page.setViewport({ width: 390, height: 800 });
    await tab.page.goto(`${running.url}#token=${await running.tokenOf('ada')}`);
    const fits = async (): Promise<void> => {
      expect(await tab.page.evaluate('innerWidth')).to.equal(390);
      expect(await tab.page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(390);
    };
    await tab.click('button', 'Menu');
    await tab.see('nav a .name', 'items');
    await fits();
    await tab.click('nav a .name', 'items');
    await tab.see(ROW);
    await fits();
    await tab.click(`${ROW} td`, 'Lamp');
    await tab.see('dialog');
    await fits();
    await tab.press('Escape');
    for (const [hash, shown] of [
      ['#/policies/shop/items', 'h1'],
      ['#/function/shop/add_up', 'input'],
      ['#/lint', 'h1'],
      ['#/health', '.uplot canvas'],
      [table(HOSTILE_TABLE), ROW],
    ] as const) {
      await go(hash);
      await tab.see(shown);
      await fits();
    }
  });
});
