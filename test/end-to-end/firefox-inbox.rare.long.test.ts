/** The main stories of `<dbr-inbox>` in Firefox, by `make test-long`; inbox.long.test.ts has all of them in Chromium. */
import { expect } from 'chai';
import { SignJWT } from 'jose';
import type { Browser, Context } from '../support/firefox/firefox.mjs';
import { drive, firefoxPath, openFirefox, type FirefoxPage } from '../support/firefox.js';
import { serveInboxPage, type InboxPage } from '../support/inbox/inbox-page.js';
import {
  createNotificationsDatabase,
  type NotificationsDatabase,
} from '../support/notifications/notifications-database.js';
import { startTestService, untilReady, type TestService } from '../support/service/service.js';
import { until } from '../support/until.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';
const SETUP = `document.querySelector('dbr-inbox').token = () => new URLSearchParams(location.search).get('token');`;
const pageOf = (attributes: string): string =>
  `<script type="module" src="/dbr-inbox.js"></script><main><h1>Orders</h1><dbr-inbox ${attributes}></dbr-inbox></main><script type="module" src="/setup.js"></script>`;

describe('<dbr-inbox> in Firefox', function () {
  this.timeout(300_000);
  let database: NotificationsDatabase;
  let service: TestService;
  let site: InboxPage;
  let browser: Browser;
  let context: Context;
  let tab: FirefoxPage;
  let users = 0;
  let user: string;

  before(async function () {
    if (firefoxPath === undefined) return this.skip();
    database = await createNotificationsDatabase();
    service = await startTestService({
      areas: 'notifications',
      'db-uri': database.serviceUri,
      'service-jwt-secret': SECRET,
    });
    await untilReady(service);
    site = await serveInboxPage(service.url, { '/setup.js': SETUP });
    browser = await openFirefox();
  });
  after(async () => {
    if (firefoxPath === undefined) return;
    await browser.close();
    await site.close();
    await service.stop();
    await database.drop();
  });
  beforeEach(async () => {
    user = `user-${String(users++)}`;
    context = await browser.createBrowserContext();
  });
  afterEach(() => context.close());

  const tokenOf = (claims: Readonly<Record<string, string>>): Promise<string> =>
    new SignJWT({ tenantId: 'acme', sub: user, ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('2h')
      .sign(new TextEncoder().encode(SECRET));
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${service.url}/api/v1/notifications${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${await tokenOf({ scope: 'notifications:write' })}`,
        'Content-Type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.status, path).to.be.oneOf([200, 201]);
    return response.json();
  };
  const notify = (title: string, more: object = {}): Promise<unknown> =>
    call('POST', '', { userIds: [user], type: 'report.ready', title, ...more });
  async function open(attributes: string): Promise<FirefoxPage> {
    site.show(pageOf(attributes));
    const page = drive(await context.newPage());
    await page.page.setViewport({ width: 1280, height: 900 });
    await page.page.goto(`${site.url}?token=${await tokenOf({})}`);
    return page;
  }
  const untilTitles = async (page: FirefoxPage, ...expected: readonly string[]): Promise<void> => {
    const wanted = JSON.stringify(expected);
    await until(async () => JSON.stringify(await page.texts('li h3')) === wanted);
  };
  /** Presses a button of the notification at a place of the list. */
  const press = (at: number, name: string): Promise<void> =>
    tab.click(`li:nth-child(${String(at)}) button`, name);

  it('counts, reads, marks as unread, archives and deletes, and two tabs agree', async () => {
    await notify('one');
    await notify('two', { category: 'orders', severity: 'warning' });
    const other = await open('categories="orders"');
    tab = await open('categories="orders"');
    await tab.see('button', 'Notifications: 2 unread');
    await tab.click('[part=bell]');
    await untilTitles(tab, 'Unread: two', 'Unread: one');
    await press(2, 'Mark as read');
    await untilTitles(tab, 'Unread: two', 'one');
    await tab.see('button', 'Notifications: 1 unread');
    await other.see('button', 'Notifications: 1 unread');
    await press(2, 'Mark as unread');
    await untilTitles(tab, 'Unread: two', 'Unread: one');
    await press(1, 'Archive');
    await untilTitles(tab, 'Unread: one');
    await tab.click('[role=tab]', 'Archive');
    await untilTitles(tab, 'Unread: two');
    await press(1, 'Delete');
    await untilTitles(tab);
    await tab.see('.notice', 'No notifications here.');
    await tab.click('[role=tab]', 'Inbox');
    await tab.click('button', 'Mark all as read');
    await untilTitles(tab, 'one');
    await tab.see('button', 'Notifications');
    await other.see('button', 'Notifications');
  });

  it('reads further pages, and marks as seen what was shown', async () => {
    for (let index = 0; index < 45; index++) await notify(`item ${String(index)}`);
    tab = await open('embedded');
    await tab.click('button', 'Show more');
    await until(async () => (await tab.texts('li h3')).length === 40);
    await tab.click('button', 'Show more');
    await tab.miss('button', 'Show more');
    const expected = Array.from({ length: 45 }, (_, index) => `Unread: item ${String(44 - index)}`);
    expect(await tab.texts('li h3')).to.deep.equal(expected);
    await until(
      async () =>
        (await tab.page.evaluate(
          `document.querySelector('dbr-inbox').state.items.some(({ seenAt }) => seenAt)`,
        )) === true,
    );
  });

  it('is right again after a cut and after refusals', async () => {
    await notify('one');
    site.refuse(500);
    tab = await open('embedded');
    await tab.see('.banner', 'Connecting again…');
    site.refuse(null);
    await untilTitles(tab, 'Unread: one');
    site.cut();
    await notify('two');
    await untilTitles(tab, 'Unread: two', 'Unread: one');
    site.refuse(403);
    site.cut();
    await tab.see('[role=alert]', 'The notifications could not be loaded.');
    await notify('three');
    site.refuse(null);
    await tab.click('button', 'Try again');
    await untilTitles(tab, 'Unread: three', 'Unread: two', 'Unread: one');
    await notify('four');
    await untilTitles(tab, 'Unread: four', 'Unread: three', 'Unread: two', 'Unread: one');
  });

  it('switches a category off, and shows toasts', async () => {
    await notify('one', { category: 'orders' });
    tab = await open('categories="orders" toasts');
    await tab.see('button', 'Notifications: 1 unread');
    await notify('new', { severity: 'critical' });
    await tab.see('[part=toast] strong', 'new');
    await tab.click('[part=bell]');
    await tab.click('button', 'Settings');
    await tab.click('input[type=checkbox]', 'orders');
    const wanted = JSON.stringify({ categories: { orders: { inApp: false } } });
    await until(async () => JSON.stringify(await call('GET', '/me/preferences')) === wanted);
    await tab.click('button', 'Settings');
    await notify('not wanted', { category: 'orders' });
    await notify('last');
    await untilTitles(tab, 'Unread: last', 'Unread: new', 'Unread: one');
  });

  it('is used by keyboard alone', async () => {
    await notify('one');
    tab = await open('categories="orders"');
    await tab.see('button', 'Notifications: 1 unread');
    const reach = async (key: string, name: string): Promise<void> => {
      await tab.press(key);
      await until(async () => (await tab.focused()) === name);
    };
    await reach('Tab', 'Notifications: 1 unread');
    await reach('Enter', 'Notifications');
    await untilTitles(tab, 'Unread: one');
    for (const name of ['Mark all as read', 'Settings', 'Close', 'Inbox']) await reach('Tab', name);
    await reach('ArrowRight', 'orders');
    await untilTitles(tab);
    await reach('Home', 'Inbox');
    await untilTitles(tab, 'Unread: one');
    await tab.press('Tab');
    await reach('Tab', 'Mark as read');
    await reach('Enter', 'Mark as unread');
    await untilTitles(tab, 'one');
    await reach('Tab', 'Archive');
    await reach('Enter', 'Notifications');
    await untilTitles(tab);
    await tab.press('Escape');
    await tab.miss('[part=panel]');
    expect(await tab.focused()).to.equal('Notifications');
  });
});
