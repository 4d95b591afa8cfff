import { expect } from 'chai';
import fc from 'fast-check';
import { SignJWT } from 'jose';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Browser, type Page } from 'playwright-core';
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
import { runs } from '../support/runs.js';
import { startTestService, untilReady, type TestService } from '../support/service/service.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';
/** Steps in all; INBOX_STEPS=10000 takes an hour. */
const STEPS = Number(process.env['INBOX_STEPS'] ?? runs(400, 50));
const STEPS_OF_A_RUN = 25;
/** The service accepts a token for so long after its end. */
const LEEWAY_SECONDS = 30;
/** Tokens of the second tab are accepted for seven to eight seconds, so that its stream ends again and again. */
const SETUP = `
  const seconds = new URLSearchParams(location.search).get('seconds');
  document.querySelector('dbr-inbox').token = () => window.tokenFor(Number(seconds));
`;
const PAGE =
  '<script type="module" src="/dbr-inbox.js"></script><dbr-inbox embedded></dbr-inbox><script type="module" src="/setup.js"></script>';
const VIEWS = [
  ['Inbox', 'exclude', 'exclude'],
  ['Snoozed', 'include', 'only'],
  ['Archive', 'only', 'exclude'],
] as const;

type Step =
  | { readonly kind: 'produce'; readonly severity: 'info' | 'critical' }
  | { readonly kind: 'broadcast' }
  | { readonly kind: 'message'; readonly change: 'edit' | 'recall'; readonly pick: number }
  | { readonly kind: 'one'; readonly change: string; readonly pick: number }
  | { readonly kind: 'all'; readonly change: string }
  | { readonly kind: 'click'; readonly tab: 0 | 1; readonly button: number }
  | { readonly kind: 'clock'; readonly tab: 0 | 1; readonly seconds: number }
  | { readonly kind: 'cut' }
  | { readonly kind: 'view'; readonly tab: 0 | 1; readonly view: 0 | 1 | 2 }
  | { readonly kind: 'compare' };

const ONE = [
  'mark-read',
  'mark-unread',
  'mark-seen',
  'mark-interacted',
  'archive',
  'unarchive',
  'snooze',
  'snooze-briefly',
  'unsnooze',
  'delete',
];
const ALL = ['mark-read', 'mark-unread', 'mark-seen', 'archive', 'unarchive'];

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('produce' as const),
      severity: fc.constantFrom('info', 'critical'),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('one' as const),
      change: fc.constantFrom(...ONE),
      pick: fc.nat(30),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'broadcast' } as const) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('message' as const),
      change: fc.constantFrom('edit', 'recall'),
      pick: fc.nat(30),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('all' as const), change: fc.constantFrom(...ALL) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('click' as const),
      tab: fc.constantFrom(0, 1),
      button: fc.nat(200),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('clock' as const),
      tab: fc.constantFrom(0, 1),
      // A second timer of the page, the time after which a silent stream counts as dead, and a day of sleep.
      seconds: fc.constantFrom(1, 50, 86_400),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'cut' } as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('view' as const),
      tab: fc.constantFrom(0, 1),
      view: fc.constantFrom(0, 1, 2),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'compare' } as const) },
);

/** Clicks a button of the list: of an item, `Show more`, or `Mark all as read`. */
const CLICK = `(at) => {
  const { shadowRoot } = document.querySelector('dbr-inbox');
  const buttons = [...shadowRoot.querySelectorAll('header button, li .actions button, .more')].filter(
    (button) => !button.hidden && button.getAttribute('aria-label') !== 'Settings',
  );
  buttons[at % buttons.length]?.click();
}`;

/** Members in which what an inbox shows is compared with a new list. */
const SHOWN = `(item) => [item.notificationId, item.title, item.readAt, item.seenAt, item.archivedAt, item.snoozedUntil, item.interactedAt]`;

describe('what <dbr-inbox> shows and a new list', function () {
  this.timeout(7_200_000);
  let database: NotificationsDatabase;
  let service: TestService;
  let site: InboxPage;
  let browser: Browser;
  let users = 0;

  before(async function () {
    if (chromiumPath === undefined) return this.skip();
    database = await createNotificationsDatabase();
    service = await startTestService({
      areas: 'notifications',
      'db-uri': database.serviceUri,
      'service-jwt-secret': SECRET,
      ...{ 'notifications-change-limit': '100000', 'notifications-list-limit': '100000' },
    });
    await untilReady(service);
    site = await serveInboxPage(service.url, { '/setup.js': SETUP });
    site.show(PAGE);
    browser = await chromium.launch({ executablePath: chromiumPath, args: CHROMIUM_ARGUMENTS });
  });
  after(async () => {
    if (chromiumPath === undefined) return;
    await browser.close();
    await site.close();
    await service.stop();
    await database.drop();
  });

  it('are equal after any actions, marks of all, cuts, ends of tokens and leaps of the clock, in two tabs', async () => {
    const run = async (earlier: number, steps: readonly Step[]): Promise<void> => {
      const user = `user-${String(users++)}`;
      const tokenFor = (seconds: number): Promise<string> =>
        new SignJWT({ tenantId: `tenant of ${user}`, sub: user, scope: 'notifications:write' })
          .setProtectedHeader({ alg: 'HS256' })
          .setExpirationTime(Math.floor(Date.now() / 1000) + seconds - LEEWAY_SECONDS)
          .sign(new TextEncoder().encode(SECRET));
      const token = await tokenFor(7200);
      const call = async (method: string, path: string, body?: object): Promise<unknown> => {
        const response = await fetch(`${service.url}/api/v1/notifications${path}`, {
          method,
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        // A notification that is gone is 404, and too many marks of all 429: nothing has changed then.
        expect(response.status, path).to.be.oneOf([200, 201, 404, 429]);
        return response.json();
      };
      const ids: string[] = [];
      const messages: string[] = [];
      let produced = 0;
      const produce = async (readers: object, severity: string): Promise<void> => {
        const title = `item ${String(produced++)}`;
        const { messageId } = (await call('POST', '', {
          ...readers,
          type: 'report.ready',
          title,
          severity,
        })) as { readonly messageId: string };
        messages.push(messageId);
        const { items } = (await call('GET', '/me?limit=1')) as {
          readonly items: readonly { readonly notificationId: string }[];
        };
        if (items[0] !== undefined) ids.push(items[0].notificationId);
      };
      const change = (id: string, name: string): Promise<unknown> => {
        const [, briefly] = name.split('-');
        if (!name.startsWith('snooze')) return call('POST', `/me/${name}`, { notificationId: id });
        const until = new Date(Date.now() + (briefly === undefined ? 3_600_000 : 2000)).toISOString();
        return call('POST', '/me/snooze', { notificationId: id, until });
      };
      for (let count = 0; count < earlier; count++) await produce({ userIds: [user] }, 'info');
      const context = await browser.newContext({ bypassCSP: true });
      await context.exposeFunction('tokenFor', tokenFor);
      await context.clock.install();
      const tabs = [await context.newPage(), await context.newPage()];
      const views: [0 | 1 | 2, 0 | 1 | 2] = [0, 0];
      try {
        for (const [index, tab] of tabs.entries())
          await tab.goto(`${site.url}?seconds=${index === 0 ? '7200' : '8'}`);
        for (const one of [...steps, { kind: 'compare' } as const]) {
          switch (one.kind) {
            case 'produce':
              await produce({ userIds: [user] }, one.severity);
              break;
            case 'broadcast':
              await produce({ audience: 'tenant' }, 'info');
              break;
            case 'message': {
              const id = messages[one.pick % messages.length];
              if (id === undefined) break;
              if (one.change === 'recall') await call('DELETE', `/messages/${id}`);
              else await call('PATCH', `/messages/${id}`, { title: `edited ${String(produced++)}` });
              break;
            }
            case 'one': {
              const id = ids[one.pick % ids.length];
              if (id !== undefined) await change(id, one.change);
              break;
            }
            case 'all':
              await call('POST', `/me/${one.change}`, {});
              break;
            case 'click':
              await tabs[one.tab]?.evaluate(`(${CLICK})(${String(one.button)})`);
              break;
            case 'clock':
              await tabs[one.tab]?.clock.fastForward(one.seconds * 1000);
              break;
            case 'cut':
              site.cut();
              break;
            case 'view':
              views[one.tab] = one.view;
              await tabs[one.tab]?.getByRole('tab', { name: VIEWS[one.view][0] }).click();
              break;
            case 'compare':
              for (const [index, tab] of tabs.entries())
                await untilEqual(tab, views[index === 0 ? 0 : 1], call);
          }
        }
      } finally {
        await context.close();
      }
    };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0, 45),
        fc.array(step, { minLength: STEPS_OF_A_RUN, maxLength: STEPS_OF_A_RUN }),
        run,
      ),
      { numRuns: Math.ceil(STEPS / STEPS_OF_A_RUN), endOnFailure: true },
    );
  });

  /**
   * Waits until the tab shows what a list has that is read at that time, down to the end of the list or of what the tab
   * has read; showing an item marks it as seen. A user tries again where two tokens in a row have ended before the service
   * has seen them, which refuses the stream.
   */
  async function untilEqual(
    tab: Page,
    view: 0 | 1 | 2,
    call: (method: string, path: string) => Promise<unknown>,
  ): Promise<void> {
    const [name, archived, snoozed] = VIEWS[view];
    const ending = Date.now() + 30_000;
    for (;;) {
      const list = await call('GET', `/me?limit=100&archived=${archived}&snoozed=${snoozed}`);
      const [shown, wanted] = await tab.evaluate<readonly [string, string]>(`(({ items, unreadCount }) => {
        const { state, shadowRoot } = document.querySelector('dbr-inbox');
        shadowRoot.querySelector('.notice button')?.click();
        const length = state === null || state.cursor === null ? items.length : state.items.length;
        return [[state?.unread, state?.items.map(${SHOWN})], [unreadCount, items.slice(0, length).map(${SHOWN})]].map(JSON.stringify);
      })(${JSON.stringify(list)})`);
      if (shown === wanted) return;
      if (Date.now() > ending) {
        const notices = await tab.locator('.banner, .notice').allTextContents();
        throw new Error(`${name} shows ${shown}, a list has ${wanted}: ${notices.join(', ')}`);
      }
      await delay(100);
    }
  }
});
