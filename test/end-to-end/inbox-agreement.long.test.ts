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
import { startTestService, untilReady, type TestService } from '../support/service/service.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';
/** Steps in all; INBOX_STEPS=10000 takes an hour. */
const STEPS = Number(process.env['INBOX_STEPS'] ?? '400');
const STEPS_OF_A_RUN = 25;
const SETUP = `document.querySelector('dbr-inbox').token = () => new URLSearchParams(location.search).get('token');`;
const PAGE =
  '<script type="module" src="/dbr-inbox.js"></script><dbr-inbox embedded></dbr-inbox><script type="module" src="/setup.js"></script>';
const VIEWS = [
  ['Inbox', 'exclude', 'exclude'],
  ['Snoozed', 'include', 'only'],
  ['Archive', 'only', 'exclude'],
] as const;

type Step =
  | { readonly kind: 'produce'; readonly severity: 'info' | 'critical' }
  | { readonly kind: 'one'; readonly change: string; readonly pick: number }
  | { readonly kind: 'all'; readonly change: string }
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
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('all' as const), change: fc.constantFrom(...ALL) }) },
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

/** Members in which what an inbox shows is compared with a new list. */
const SHOWN = `(item) => [item.notificationId, item.readAt, item.seenAt, item.archivedAt, item.snoozedUntil, item.interactedAt]`;

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

  it('are equal after any actions, marks of all, and cuts, in two tabs', async () => {
    const run = async (steps: readonly Step[]): Promise<void> => {
      const user = `user-${String(users++)}`;
      const token = await new SignJWT({ tenantId: 'acme', sub: user, scope: 'notifications:write' })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime('2h')
        .sign(new TextEncoder().encode(SECRET));
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
      const context = await browser.newContext({ bypassCSP: true });
      const tabs = [await context.newPage(), await context.newPage()];
      const views: [0 | 1 | 2, 0 | 1 | 2] = [0, 0];
      const ids: string[] = [];
      let produced = 0;
      try {
        for (const tab of tabs) await tab.goto(`${site.url}?token=${token}`);
        for (const one of [...steps, { kind: 'compare' } as const]) {
          switch (one.kind) {
            case 'produce': {
              const title = `item ${String(produced++)}`;
              await call('POST', '', {
                userIds: [user],
                type: 'report.ready',
                title,
                severity: one.severity,
              });
              const { items } = (await call('GET', '/me?limit=1')) as {
                readonly items: readonly { readonly notificationId: string }[];
              };
              if (items[0] !== undefined) ids.push(items[0].notificationId);
              break;
            }
            case 'one': {
              const id = ids[one.pick % ids.length];
              const until =
                one.change === 'snooze' ? { until: new Date(Date.now() + 3_600_000).toISOString() } : {};
              if (id !== undefined) await call('POST', `/me/${one.change}`, { notificationId: id, ...until });
              break;
            }
            case 'all':
              await call('POST', `/me/${one.change}`, {});
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
      fc.asyncProperty(fc.array(step, { minLength: STEPS_OF_A_RUN, maxLength: STEPS_OF_A_RUN }), run),
      { numRuns: Math.ceil(STEPS / STEPS_OF_A_RUN), endOnFailure: true },
    );
  });

  /** Waits until the tab shows what a list has that is read at that time; showing an item marks it as seen. */
  async function untilEqual(
    tab: Page,
    view: 0 | 1 | 2,
    call: (method: string, path: string) => Promise<unknown>,
  ): Promise<void> {
    const [name, archived, snoozed] = VIEWS[view];
    const ending = Date.now() + 30_000;
    for (;;) {
      const list = await call('GET', `/me?limit=20&archived=${archived}&snoozed=${snoozed}`);
      const [shown, wanted] = await tab.evaluate<readonly [string, string]>(`(({ items, unreadCount }) => {
        const { state } = document.querySelector('dbr-inbox');
        return [[state?.unread, state?.items.slice(0, 20).map(${SHOWN})], [unreadCount, items.map(${SHOWN})]].map(JSON.stringify);
      })(${JSON.stringify(list)})`);
      if (shown === wanted) return;
      if (Date.now() > ending) throw new Error(`${name} shows ${shown}, a list has ${wanted}`);
      await delay(100);
    }
  }
});
