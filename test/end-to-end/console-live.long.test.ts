import { expect } from 'chai';
import type { Browser, Locator, Page } from 'playwright-core';
import { withSession } from '../../src/postgres/session.js';
import { chromiumPath, openBrowser, openConsolePage, type OpenedPage } from '../support/console/browser.js';
import { startConsoleService, type ConsoleService } from '../support/console/console-service.js';
import { openSeveringProxy, type SeveringProxy } from '../support/postgres/severing-proxy.js';

const test = chromiumPath === undefined ? it.skip : it;

describe('the live switch of the console', function () {
  this.timeout(240_000);
  let running: ConsoleService;
  let proxy: SeveringProxy;
  let browser: Browser;
  let opened: OpenedPage;
  let page: Page;

  before(async () => {
    running = await startConsoleService(() => ({ 'db-live': 'true' }));
    proxy = await openSeveringProxy(running.url);
    if (chromiumPath !== undefined) browser = await openBrowser();
  });
  after(async () => {
    if (chromiumPath !== undefined) await browser.close();
    await proxy.close();
    await running.stop();
  });
  beforeEach(async () => {
    if (chromiumPath === undefined) return;
    opened = await openConsolePage(browser, proxy.uri, await running.tokenOf('ada'));
    page = opened.page;
    await opened.go('#/table/shop/makers');
    await live().click();
    await rename(2, 'Followed');
    await rows().getByText('Followed', { exact: true }).waitFor();
  });
  afterEach(async () => {
    if (chromiumPath === undefined) return;
    await rename(2, 'Maker 2');
    await opened.close();
  });

  const live = (): Locator => page.getByRole('button', { name: 'Live', exact: true });
  const rows = (): Locator => page.locator('.grid tbody tr[data-row]');
  const panel = (): Locator => page.getByRole('dialog');
  const script = (text: string): Promise<void> =>
    withSession(running.databaseUri, (session) => session.script(text));
  const rename = (id: number, name: string): Promise<void> =>
    script(`update shop.makers set name = '${name}' where id = ${String(id)}`);

  test('connects again after a lost connection, and says that it has none', async () => {
    proxy.pause();
    proxy.sever();
    await page.getByText('The connection is lost', { exact: false }).waitFor();
    await rename(2, 'While it was away');
    expect(await rows().getByText('Followed', { exact: true }).count()).to.equal(1);
    proxy.resume();
    await rows().getByText('While it was away', { exact: true }).waitFor();
    await page.getByText('The connection is lost', { exact: false }).waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).to.equal(0);
  });

  test('says why it has ended, and follows again when it is switched off and on', async () => {
    await script(`revoke select on shop.makers from ${running.role}`);
    await page.getByRole('alert').getByText('The live read has ended: rights', { exact: true }).waitFor();
    await script(`grant select on shop.makers to ${running.role}`);
    await live().click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await live().click();
    await rename(2, 'Followed again');
    await rows().getByText('Followed again', { exact: true }).waitFor();
  });

  test('leaves an edit of a row that changes as it is', async () => {
    await opened.go(`#/table/shop/makers?row=${encodeURIComponent('["2"]')}`);
    const country = panel().getByLabel('country', { exact: true });
    await country.fill('DK');
    await rename(2, 'Changed meanwhile');
    await rows().getByText('Changed meanwhile', { exact: true }).waitFor();
    expect(await country.inputValue()).to.equal('DK');
    expect(await panel().locator(':focus').inputValue()).to.equal('DK');
    // What was not seen is not overwritten.
    await panel().getByRole('button', { name: 'Save' }).click();
    await panel().getByText('Nothing was written', { exact: false }).waitFor();
  });

  test('leaves the place to which the table was scrolled', async () => {
    const grid = page.locator('.grid');
    const top = (): Promise<number> =>
      grid.evaluate(({ scrollTop }: { readonly scrollTop: number }) => scrollTop);
    await rows().first().waitFor();
    await grid.evaluate((element: { scrollTop: number }) => (element.scrollTop = 1600));
    await rows().getByText('Maker 60', { exact: true }).waitFor();
    const before = await top();
    await rename(60, 'Still in view');
    await rows().getByText('Still in view', { exact: true }).waitFor();
    expect(await top()).to.equal(before);
    await rename(60, 'Maker 60');
    // Rows that leave the page move the others, and not the table.
    await script('delete from shop.makers where id = 1');
    expect(await top()).to.equal(before);
    await script(`insert into shop.makers values (1, 'Maker 1', 'NO')`);
  });
});
