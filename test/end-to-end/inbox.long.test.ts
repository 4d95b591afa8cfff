import { expect } from 'chai';
import { SignJWT } from 'jose';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { violationsOf } from '../support/console/axe.js';
import {
  CHROMIUM_ARGUMENTS,
  chromiumPath,
  serveInboxPage,
  type InboxPage,
  type PageGlobals,
} from '../support/inbox/inbox-page.js';
import {
  createNotificationsDatabase,
  type NotificationsDatabase,
} from '../support/notifications/notifications-database.js';
import { startTestService, untilReady, type TestService } from '../support/service/service.js';
import { differenceFrom, TOLERANCE } from '../support/pictures.js';
import { some } from '../support/runs.js';
import { until } from '../support/until.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';
const SETUP = `
  document.querySelectorAll('dbr-inbox').forEach((inbox) => {
    inbox.token = () => new URLSearchParams(location.search).get('token');
  });
  window.opened = [];
  document.addEventListener('dbr-inbox-open', (event) => {
    window.opened.push(event.detail.notification.title);
    event.preventDefault();
  });
`;
const PAGE = (attributes: string): string =>
  `<script type="module" src="/dbr-inbox.js"></script><link rel="stylesheet" href="/page.css"><main><h1>Orders</h1><dbr-inbox ${attributes}></dbr-inbox></main><script type="module" src="/setup.js"></script>`;

/** The bell stands at the end of the page's head, as in most pages. */
const STYLE = `
  :root { color-scheme: light dark; font: 16px system-ui, sans-serif }
  main { display: flex; justify-content: space-between; align-items: center; padding: 0 16px }
  dbr-inbox[embedded] { flex: 1; min-width: 0 }
`;

const tokenOf = (claims: Readonly<Record<string, string>>): Promise<string> =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('2h')
    .sign(new TextEncoder().encode(SECRET));

describe('<dbr-inbox> in a browser', function () {
  this.timeout(180_000);
  let database: NotificationsDatabase;
  let service: TestService;
  let site: InboxPage;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let users = 0;
  let user: string;

  before(async function () {
    if (chromiumPath === undefined) return this.skip();
    database = await createNotificationsDatabase();
    service = await startTestService({
      areas: 'notifications',
      'db-uri': database.serviceUri,
      'service-jwt-secret': SECRET,
    });
    await untilReady(service);
    site = await serveInboxPage(service.url, { '/setup.js': SETUP, '/page.css': STYLE });
    browser = await chromium.launch({ executablePath: chromiumPath, args: CHROMIUM_ARGUMENTS });
    context = await browser.newContext({ reducedMotion: 'reduce' });
    page = await context.newPage();
  });
  after(async () => {
    if (chromiumPath === undefined) return;
    await browser.close();
    await site.close();
    await service.stop();
    await database.drop();
  });
  beforeEach(async () => {
    user = `user-${String(users++)}`;
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    site.refuse(null);
  });
  // The next test has the same page, and a user of its own.
  afterEach(async () => {
    for (const other of context.pages()) await (other === page ? page.goto('about:blank') : other.close());
  });

  const call = async (method: string, path: string, scope: string, body?: object): Promise<unknown> => {
    const token = await tokenOf({ tenantId: 'acme', sub: user, scope });
    const response = await fetch(`${service.url}/api/v1/notifications${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.status, path).to.be.oneOf([200, 201]);
    return response.json();
  };
  const notify = (title: string, more: object = {}): Promise<unknown> =>
    call('POST', '', 'notifications:write', { userIds: [user], type: 'report.ready', title, ...more });

  const open = async (attributes = 'categories="orders"'): Promise<void> => {
    site.show(PAGE(attributes));
    const token = await tokenOf({ tenantId: 'acme', sub: user });
    await page.goto(`${site.url}?token=${token}`);
  };
  const bell = () => page.locator('[part=bell]');
  const items = () => page.locator('li h3');
  const titles = (): Promise<readonly string[]> => items().allTextContents();
  const untilTitles = async (expected: readonly string[]): Promise<void> => {
    const wanted = JSON.stringify(expected);
    await until(async () => JSON.stringify(await titles()) === wanted);
  };
  const untilBell = (name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).waitFor();
  const press = (item: string, name: string): Promise<void> =>
    page.locator('li', { hasText: item }).getByRole('button', { name, exact: true }).click();

  it('shows the severity and the actor that a producer has changed', async () => {
    const { messageId } = (await notify('edited')) as { readonly messageId: string };
    await open();
    await untilBell('Notifications: 1 unread');
    await bell().click();
    await untilTitles(['Unread: edited']);
    const actor = { type: 'user', id: 'bob', name: 'Bob' };
    await call('PATCH', `/messages/${messageId}`, 'notifications:write', { severity: 'critical', actor });
    const edited = page.locator('li[data-severity=critical]');
    await edited.getByText('Critical', { exact: true }).waitFor({ timeout: 10_000 });
    await edited.getByText('Bob', { exact: true }).waitFor();
    await call('PATCH', `/messages/${messageId}`, 'notifications:write', { severity: 'info', actor: null });
    await page.locator('li[data-severity=info]').waitFor();
    expect(await page.locator('li .meta').innerText()).to.not.match(/Critical|Bob/);
  });

  it('counts, lists, reads, archives, snoozes and deletes, and two tabs agree', async () => {
    await notify('one');
    await notify('two', { category: 'orders', severity: 'warning', body: 'Line <b>1</b>' });
    await open();
    await untilBell('Notifications: 2 unread');
    const other = await context.newPage();
    await other.goto(page.url());
    await page.bringToFront();
    await bell().click();
    await untilTitles(['Unread: two', 'Unread: one']);
    await press('one', 'Mark as read');
    await untilTitles(['Unread: two', 'one']);
    await untilBell('Notifications: 1 unread');
    await other.getByRole('button', { name: 'Notifications: 1 unread', exact: true }).waitFor();
    await notify('three');
    await untilTitles(['Unread: three', 'Unread: two', 'one']);
    await press('three', 'Archive');
    await untilTitles(['Unread: two', 'one']);
    await page.locator('li', { hasText: 'one' }).locator('summary').click();
    await press('one', 'For an hour');
    await untilTitles(['Unread: two']);
    await page.getByRole('tab', { name: 'Snoozed' }).click();
    await untilTitles(['one']);
    await press('one', 'Move to the inbox');
    await untilTitles([]);
    await page.getByRole('tab', { name: 'Archive' }).click();
    await untilTitles(['Unread: three']);
    await press('three', 'Delete');
    await untilTitles([]);
    await page.getByText('No notifications here.').waitFor();
    await page.getByRole('tab', { name: 'orders' }).click();
    await untilTitles(['Unread: two']);
    await page.getByRole('tab', { name: 'Inbox' }).click();
    await untilTitles(['Unread: two', 'one']);
    await other.locator('[part=bell]').click();
    await other.locator('li h3', { hasText: 'two' }).waitFor();
    expect(await other.locator('li h3').allTextContents()).to.deep.equal(['Unread: two', 'one']);
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await untilBell('Notifications');
    await other.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
  });

  it('shows 99+ for more, with the number in the name of the bell', async () => {
    await Promise.all(Array.from({ length: 101 }, (_, index) => notify(`item ${String(index)}`)));
    await open();
    await untilBell('Notifications: 101 unread');
    expect(await page.locator('[part=badge]').innerText()).to.equal('99+');
    await bell().click();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await untilBell('Notifications');
    expect(await page.locator('[part=badge]').isVisible()).to.equal(false);
  });

  it('takes back what was archived and what was read', async () => {
    await notify('one');
    await open('embedded');
    await untilTitles(['Unread: one']);
    await press('one', 'Mark as read');
    await untilTitles(['one']);
    await press('one', 'Mark as unread');
    await untilTitles(['Unread: one']);
    await press('one', 'Archive');
    await untilTitles([]);
    await page.getByRole('tab', { name: 'Archive' }).click();
    await press('one', 'Move to the inbox');
    await untilTitles([]);
    await page.getByRole('tab', { name: 'Inbox' }).click();
    await untilTitles(['Unread: one']);
  });

  it('snoozes for an hour by the clock of the service, in a page whose clock is wrong', async () => {
    for (const hours of some([-2, 2], 2)) {
      user = `user-${String(users++)}`;
      await notify('later');
      site.show(PAGE(''));
      const wrong = await context.newPage();
      await wrong.addInitScript(`Date.now = ((now) => () => now() + ${String(hours * 3_600_000)})(Date.now)`);
      await wrong.goto(`${site.url}?token=${await tokenOf({ tenantId: 'acme', sub: user })}`);
      await wrong.locator('[part=bell]').click();
      await wrong.locator('li summary').click();
      const answered = wrong.waitForResponse((response) => response.url().endsWith('/snooze'));
      await wrong.getByRole('button', { name: 'For an hour', exact: true }).click();
      expect((await answered).status(), String(hours)).to.equal(200);
      const { items: snoozed } = (await call('GET', '/me?snoozed=only', '')) as {
        readonly items: readonly { readonly snoozedUntil: string }[];
      };
      const ahead = Date.parse(snoozed[0]?.snoozedUntil ?? '') - Date.now();
      expect(ahead / 60_000).to.be.within(59, 60.1);
      await wrong.close();
    }
  });

  it('is right again after a cut, a refusal and a list that fails', async () => {
    await notify('one');
    site.refuse(500);
    await open('embedded');
    await page.getByText('Connecting again…').waitFor();
    site.refuse(null);
    await untilTitles(['Unread: one']);
    site.cut();
    await notify('two');
    await untilTitles(['Unread: two', 'Unread: one']);
    site.refuse(403);
    site.cut();
    await page.getByRole('alert').filter({ hasText: 'could not be loaded' }).waitFor();
  });

  it('reads further pages, and marks as seen what was shown', async () => {
    for (let index = 0; index < 45; index++) await notify(`item ${String(index).padStart(2, '0')}`);
    await open('embedded');
    await page.getByRole('button', { name: 'Show more' }).click();
    // A click while a page is read asks for no further one.
    await page.locator('li').nth(39).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.locator('li').nth(44).waitFor();
    expect(await page.getByRole('button', { name: 'Show more' }).isVisible()).to.equal(false);
    const expected = Array.from(
      { length: 45 },
      (_, index) => `Unread: item ${String(44 - index).padStart(2, '0')}`,
    );
    expect(await titles()).to.deep.equal(expected);
    await until(() =>
      page.evaluate(() => {
        const { document } = globalThis as unknown as PageGlobals;
        return typeof document.querySelector('dbr-inbox').state?.items[0]?.seenAt === 'string';
      }),
    );
  });

  it('shows what is hostile as text, and follows no address but of http', async () => {
    const markup = '<img src=x onerror=alert(1)>"\'&amp;';
    await notify(markup, {
      body: `${markup} **strong** *weak* \`code\` [a](javascript:alert(1))`,
      actionUrl: '/orders/1',
    });
    await notify(`\u202Eright to left\u202C \u05D0\u05D1 ${'W'.repeat(180)}`, { body: 'x'.repeat(1500) });
    await open('embedded inline-formats');
    await items().nth(1).waitFor();
    expect((await titles())[1]).to.equal(`Unread: ${markup}`);
    expect(await page.locator('li img').count()).to.equal(0);
    const body = page.locator('li').nth(1).locator('p');
    expect(await body.textContent()).to.equal(`${markup} strong weak code [a](javascript:alert(1))`);
    expect(await body.innerHTML()).to.contain('<strong>strong</strong> <em>weak</em> <code>code</code>');
    expect(await page.locator('li h3 a').getAttribute('href')).to.equal(`${site.url}orders/1`);
    expect(await page.locator('li h3 a').getAttribute('rel')).to.equal('noopener noreferrer');
    await page.locator('li h3 a').click();
    expect(await page.evaluate('window.opened')).to.deep.equal([markup]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true);
  });

  it('is there in a page whose language has a name that Intl refuses', async () => {
    await notify('one');
    const token = await tokenOf({ tenantId: 'acme', sub: user });
    for (const [language, name] of [
      ['de_AT', 'Mitteilungen: 1 ungelesen'],
      ['e', 'Notifications: 1 unread'],
    ] as const) {
      site.show(PAGE(''), `lang="${language}"`);
      await page.goto(`${site.url}?token=${token}`);
      await untilBell(name);
    }
  });

  it('is used by keyboard alone', async () => {
    await notify('one');
    await open();
    await untilBell('Notifications: 1 unread');
    const focused = (): Promise<string | null | undefined> =>
      page.evaluate(() => {
        const { document } = globalThis as unknown as PageGlobals;
        const active = document.querySelector('dbr-inbox').shadowRoot.activeElement;
        return active?.getAttribute('aria-label') ?? active?.textContent;
      });
    await page.keyboard.press('Tab');
    expect(await focused()).to.equal('Notifications: 1 unread');
    await page.keyboard.press('Enter');
    expect(await focused()).to.equal('Notifications');
    await untilTitles(['Unread: one']);
    for (const name of ['Mark all as read', 'Settings', 'Close', 'Inbox']) {
      await page.keyboard.press('Tab');
      expect(await focused()).to.equal(name);
    }
    await page.keyboard.press('ArrowRight');
    expect(await focused()).to.equal('orders');
    await untilTitles([]);
    await page.keyboard.press('Home');
    expect(await focused()).to.equal('Inbox');
    await untilTitles(['Unread: one']);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused()).to.equal('Mark as read');
    await page.keyboard.press('Enter');
    await untilTitles(['one']);
    expect(await focused()).to.equal('Mark as unread');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await untilTitles([]);
    expect(await focused()).to.equal('Notifications');
    await page.keyboard.press('Escape');
    expect(await focused()).to.equal('Notifications');
    expect(await page.locator('[part=panel]').isVisible()).to.equal(false);
  });

  it('clears its toasts when the panel opens', async () => {
    await notify('one');
    await open('toasts');
    await untilBell('Notifications: 1 unread');
    await notify('new', { severity: 'critical' });
    await page.locator('[part=toast]', { hasText: 'new' }).waitFor();
    await bell().click();
    await untilTitles(['Unread: new', 'Unread: one']);
    expect(await page.locator('[part=toast]').count()).to.equal(0);
  });

  it('shows the text and the link of a toast, the day of each item, and an action of its address', async () => {
    await notify('one');
    await open('toasts');
    await untilBell('Notifications: 1 unread');
    await notify('new', {
      ...{ severity: 'critical', body: 'A text', actionUrl: '/exports/3' },
      actor: { type: 'user', id: 'ada', name: 'Ada King Lovelace' },
    });
    const toast = page.locator('[part=toast]', { hasText: 'new' });
    await toast.getByText('A text').waitFor();
    expect(await toast.getByRole('link', { name: 'new' }).getAttribute('href')).to.match(/\/exports\/3$/);
    await bell().click();
    await untilTitles(['Unread: new', 'Unread: one']);
    expect(await page.getByRole('heading', { name: 'Today' }).count()).to.equal(1);
    const item = page.locator('li', { hasText: 'new' });
    expect(await item.locator('[part=avatar]').innerText()).to.equal('AL');
    await item.getByRole('link', { name: 'Open' }).waitFor();
  });

  it('sets quiet hours, and labels categories', async () => {
    await open('categories="orders=Your orders"');
    await bell().click();
    await page.getByRole('tab', { name: 'Your orders' }).waitFor();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('checkbox', { name: 'Your orders' }).waitFor();
    const box = page.getByRole('checkbox', { name: 'Hold notifications every day' });
    await box.check();
    await page.getByLabel('to', { exact: true }).fill('06:30');
    const hours = async (): Promise<unknown> => call('GET', '/me/quiet-hours', '');
    await until(async () => JSON.stringify(await hours()).includes('"starts":"22:00","ends":"06:30"'));
    expect(await violationsOf(page, 'all')).to.deep.equal([]);
    await box.uncheck();
    await until(async () => JSON.stringify(await hours()) === '{"quietHours":[]}');
  });

  it('says that the token is refused, also in the console of the browser', async () => {
    const reported = page.waitForEvent('console', (message) => message.text().startsWith('dbr-inbox:'));
    site.show(PAGE('embedded'));
    await page.goto(`${site.url}?token=none`);
    await page.getByText('You are signed out.', { exact: false }).waitFor();
    expect((await reported).text()).to.contain('401');
  });

  it('switches categories off, shows toasts, and speaks other languages', async () => {
    await notify('one', { category: 'orders' });
    await open('categories="orders" toasts');
    await untilBell('Notifications: 1 unread');
    await notify('new', { severity: 'critical' });
    await page.locator('[part=toast]', { hasText: 'new' }).waitFor();
    await bell().click();
    await page.getByRole('button', { name: 'Settings' }).click();
    const box = page.getByRole('checkbox', { name: 'orders' });
    const shown = await box.elementHandle();
    await notify('later');
    await untilBell('Notifications: 3 unread');
    // A click that begins before an event and ends behind it is a click.
    expect(await shown?.isVisible()).to.equal(true);
    await box.uncheck();
    const wanted = JSON.stringify({ categories: { orders: { inApp: false } } });
    await until(async () => JSON.stringify(await call('GET', '/me/preferences', '')) === wanted);
    await page.getByRole('button', { name: 'Settings' }).click();
    await notify('not wanted', { category: 'orders' });
    await notify('last');
    await untilTitles(['Unread: last', 'Unread: later', 'Unread: new', 'Unread: one']);
    site.show(PAGE('embedded'), 'lang="de" dir="rtl"');
    await page.reload();
    await page.getByRole('tab', { name: 'Archiv' }).waitFor();
    await untilTitles(['Ungelesen: last', 'Ungelesen: later', 'Ungelesen: new', 'Ungelesen: one']);
  });

  it('has no findings of axe in any state, light and dark', async () => {
    await notify('one', { severity: 'warning', body: 'A body', actionUrl: '/x' });
    await notify('two', { severity: 'critical' });
    for (const scheme of some(['light', 'dark'] as const, 2)) {
      const checkAccessibility = async (): Promise<void> => {
        expect(await violationsOf(page, scheme === 'light' ? 'all' : 'colours')).to.deep.equal([]);
      };
      await page.emulateMedia({ colorScheme: scheme });
      await open('categories="orders" toasts');
      await untilBell('Notifications: 2 unread');
      await checkAccessibility();
      await bell().click();
      await untilTitles(['Unread: two', 'Unread: one']);
      await page.locator('li', { hasText: 'one' }).locator('summary').click();
      await checkAccessibility();
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByRole('checkbox').first().waitFor();
      await checkAccessibility();
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByRole('tab', { name: 'Archive' }).click();
      await page.getByText('No notifications here.').waitFor();
      await checkAccessibility();
    }
  });

  for (const width of some([1280, 390], 2))
    it(`looks as in the manual: ${String(width)}`, async () => {
      await notify('The export of March is ready', { body: 'It has 1,204 rows.', actionUrl: '/exports/3' });
      await notify('Order 17 was shipped', {
        category: 'orders',
        severity: 'success',
        actor: { type: 'user', id: 'ada', name: 'Ada' },
      });
      await notify('Your card expires in a week', {
        severity: 'warning',
        body: 'Change it before the next payment.',
      });
      await notify('A device signed in from Lima', { severity: 'critical' });
      await page.setViewportSize({ width, height: 640 });
      await open('categories="orders"');
      await bell().click();
      await press('Order 17', 'Mark as read');
      await page.locator('li:not([data-unread])', { hasText: 'Order 17' }).waitFor();
      await untilBell('Notifications: 3 unread');
      await page.mouse.move(0, 0);
      await page.evaluate('document.activeElement.blur()');
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        const taken = await page.screenshot({ animations: 'disabled', caret: 'hide' });
        expect(differenceFrom(`inbox/panel-${scheme}-${String(width)}`, taken)).to.be.at.most(TOLERANCE);
      }
    });
});
