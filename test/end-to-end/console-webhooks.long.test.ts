import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { chromiumPath, openBrowser, openConsolePage, type OpenedPage } from '../support/console/browser.js';
import { LONG, MARKUP, RIGHT_TO_LEFT } from '../support/console/console-service.js';
import {
  accept,
  startWebhookReceiver,
  type Answer,
  type WebhookReceiver,
} from '../support/notifications/webhook-receiver.js';
import { differenceFrom, TOLERANCE } from '../support/pictures.js';
import { serveDbr, type ServingProcess } from '../support/service/built-service.js';
import { untilReady } from '../support/service/service.js';
import { some } from '../support/runs.js';
import { until } from '../support/until.js';

const test = chromiumPath === undefined ? it.skip : it;
const PATH = '/api/v1/notifications/webhooks';
const refuse: Answer = (response) => void response.writeHead(503).end();

describe('webhooks in the console', function () {
  this.timeout(240_000);
  let directory: string;
  let service: ServingProcess;
  let receiver: WebhookReceiver;
  let browser: Browser;
  let opened: OpenedPage | null = null;
  let page: Page;
  /** The address for a terminal, without and with its token. */
  let address: { readonly url: string; readonly token: string };

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'dbr-console-'));
    service = await serveDbr({
      DBR_DATA_DIRECTORY: join(directory, '.dbr'),
      DBR_AREAS: 'notifications',
      DBR_LOG_FORMAT: 'pretty',
      DBR_WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8',
      DBR_WEBHOOKS_ATTEMPTS: '1',
    });
    await untilReady(service);
    await until(() => service.output().includes('the console is at'));
    const [, url = '', token = ''] = /the console is at (\S+)#token=(\S+)/.exec(service.output()) ?? [];
    address = { url, token };
    if (chromiumPath !== undefined) browser = await openBrowser();
  });
  after(async () => {
    if (chromiumPath !== undefined) await browser.close();
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    receiver = await startWebhookReceiver(refuse);
  });
  afterEach(async function () {
    await receiver.close();
    if (chromiumPath === undefined) return;
    if (this.currentTest?.state === 'passed') expect(opened?.problems).to.deep.equal([]);
    await opened?.close();
    opened = null;
    const { items } = (await call('GET', PATH)) as {
      readonly items: readonly { readonly webhookId: string }[];
    };
    for (const { webhookId } of items) await call('DELETE', `${PATH}/${webhookId}`);
  });

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${address.token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expect(response.ok, text).to.equal(true);
    return text === '' ? undefined : JSON.parse(text);
  }
  async function register(): Promise<string> {
    const { webhookId } = (await call('POST', PATH, { url: receiver.url })) as { readonly webhookId: string };
    return webhookId;
  }
  const produce = (title: string, more: object = {}): Promise<unknown> =>
    call('POST', '/api/v1/notifications', { userIds: ['ann'], type: 'order.made', title, ...more });
  const arrived = (count: number): Promise<void> => until(() => receiver.received.length >= count);
  const titles = (): readonly unknown[] => receiver.received.map(({ event }) => event.data['title']);
  /** Waits until the service has recorded as many dead messages. */
  const untilDead = (count: number): Promise<void> =>
    until(async () => {
      const { items } = (await call('GET', PATH)) as { readonly items: readonly { readonly dead: number }[] };
      return items[0]?.dead === count;
    });

  async function open(options: Parameters<typeof openConsolePage>[3] = {}): Promise<void> {
    opened = await openConsolePage(browser, address.url, address.token, options);
    page = opened.page;
  }
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const link = (): Locator => page.getByRole('link', { name: receiver.url });
  const listed = (): Locator => page.getByRole('group', { name: 'Messages' }).locator('tbody tr');
  const panel = (): Locator => page.getByRole('dialog', { name: 'Message' });

  test('finds dead letters of a receiver that was down, and replays them when it is back', async () => {
    await register();
    for (const title of ['one', 'two', 'three']) await produce(title);
    await untilDead(3);
    await open();
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    const row = page.getByRole('group', { name: 'Webhooks' }).locator('tbody tr');
    await row.getByText('Responded with status 503.').waitFor();
    expect(await row.locator('td').allInnerTexts()).to.deep.equal([
      receiver.url,
      'active',
      '0',
      '3',
      'Responded with status 503.',
    ]);
    await opened?.checkAccessibility();
    await link().click();
    await listed().nth(2).waitFor();
    await opened?.checkAccessibility();
    await listed().first().getByRole('button').click();
    await panel().getByText('Responded with status 503.').waitFor();
    const payload = await panel().getByRole('region', { name: 'Body of the request' }).innerText();
    expect(payload).to.equal(receiver.received[0]?.body);
    await opened?.checkAccessibility();

    receiver.answer = accept;
    await panel().getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Sends 1 message again.').waitFor();
    await panel().waitFor({ state: 'detached' });
    await arrived(4);
    await button('Send all dead ones again').click();
    await page.getByText('Sends 2 messages again.').waitFor();
    await arrived(6);
    expect(titles()).to.deep.equal(['one', 'two', 'three', 'one', 'two', 'three']);
    await untilDead(0);
    await button('Refresh').click();
    await page.getByText('No messages are dead.').waitFor();
    await page.getByLabel('State of the messages').selectOption('sent');
    await listed().nth(2).waitFor();

    const second = receiver.received[1]?.headers['webhook-id'] ?? '';
    await page.getByLabel('All that were sent or are dead after').fill(second);
    await button('Send again').click();
    await page.getByText('Sends 1 message again.').last().waitFor();
    await arrived(7);
    expect(titles().at(-1)).to.equal('three');
    await page.locator('.request-line').getByText(PATH, { exact: false }).waitFor();
  });

  test('shows the request, and no secret', async () => {
    const webhookId = await register();
    await open();
    await opened?.go(`#/webhooks/${webhookId}`);
    await page.getByLabel('All that were sent or are dead after').fill('msg_0');
    await button('Send again').click();
    await page.getByText('Sends 0 messages again.').waitFor();
    await page.locator('.request-line').click();
    await page
      .getByRole('list', { name: 'Last requests' })
      .getByTitle(/\/replay$/)
      .first()
      .click();
    await page.getByRole('tab', { name: 'curl' }).click();
    const curl = await page.getByRole('region', { name: 'curl' }).innerText();
    expect(curl)
      .to.contain(`curl -X POST '${service.url}${PATH}/${webhookId}/replay'`)
      .and.to.contain(`-d '{"after":"msg_0"}'`);
    await page.getByRole('tab', { name: 'Typed client' }).click();
    const client = await page.getByRole('region', { name: 'openapi-fetch' }).innerText();
    // The path is that of the published document, so that the call has its types.
    expect(client.replaceAll(/\s+/g, ' ')).to.equal(
      `await client.POST("${PATH}/{webhookId}/replay", { params: { "path": { "webhookId": "${webhookId}" } }, body: { "after": "msg_0" }, });`,
    );
    expect(await page.content()).not.to.contain('whsec_');
  });

  test('pages through messages', async () => {
    receiver.answer = accept;
    const webhookId = await register();
    const userIds = Array.from({ length: 60 }, (_, index) => `user-${String(index)}`);
    await produce('for many', { userIds });
    await arrived(60);
    await open();
    await opened?.go(`#/webhooks/${webhookId}`);
    await page.getByLabel('State of the messages').selectOption('all');
    await listed().nth(49).waitFor();
    expect(await listed().count()).to.equal(50);
    await button('Next').click();
    await until(async () => (await listed().count()) === 10);
    expect(await button('Next').isDisabled()).to.equal(true);
    await button('Previous').click();
    await until(async () => (await listed().count()) === 50);
  });

  test('deletes a dead letter after a question', async () => {
    const webhookId = await register();
    await produce('unwanted');
    await untilDead(1);
    await open();
    await opened?.go(`#/webhooks/${webhookId}`);
    await listed().getByRole('button').click();
    await panel().getByRole('button', { name: 'Delete…' }).click();
    await panel().getByRole('button', { name: 'Delete this message' }).click();
    await page.getByText('1 message deleted.').waitFor();
    await page.getByText('No messages are dead.').waitFor();
    expect(receiver.received).to.have.length(1);
  });

  test('switches a webhook off and on, and keeps its settings', async () => {
    const webhookId = await register();
    const settings = { url: receiver.url, description: MARKUP, categories: ['orders'] };
    const before = await call('PUT', `${PATH}/${webhookId}`, settings);
    await open();
    await opened?.go(`#/webhooks/${webhookId}`);
    await button('Switch off').click();
    await page.locator('.tag', { hasText: 'switched off' }).waitFor();
    await button('Switch on').click();
    await page.locator('.tag', { hasText: 'active' }).waitFor();
    const { items } = (await call('GET', PATH)) as { readonly items: readonly unknown[] };
    expect(items).to.deep.equal([before]);
  });

  test('switches a webhook off with the settings that it has by then', async () => {
    const webhookId = await register();
    await open();
    await opened?.go(`#/webhooks/${webhookId}`);
    await button('Switch off').waitFor();
    const changed = { url: `${receiver.url}/new`, description: 'Changed meanwhile', categories: ['orders'] };
    const before = (await call('PUT', `${PATH}/${webhookId}`, changed)) as object;
    await button('Switch off').click();
    await page.locator('.tag', { hasText: 'switched off' }).waitFor();
    const { items } = (await call('GET', PATH)) as { readonly items: readonly unknown[] };
    expect(items).to.deep.equal([{ ...before, enabled: false, status: 'off' }]);
  });

  test('says which scope a token lacks', async () => {
    await open();
    await button('View as…').click();
    await page.getByRole('dialog').getByLabel('Scopes').fill('notifications:write');
    await page.getByRole('button', { name: 'View as this user' }).click();
    await page.getByText('Development: viewing as ada').waitFor();
    await opened?.go('#/webhooks');
    await page.getByRole('alert').getByText('DBR402').waitFor();
    expect(await page.getByRole('alert').innerText()).to.contain('notifications:webhooks');
    await opened?.checkAccessibility();
  });

  test('shows hostile messages as text', async () => {
    const webhookId = await register();
    const title = `${MARKUP} ${RIGHT_TO_LEFT}`;
    const userIds = [`${MARKUP}${RIGHT_TO_LEFT}`];
    await produce(title, { userIds, body: LONG, data: { note: '<script>alert(1)</script>' } });
    await untilDead(1);
    await open();
    await opened?.go(`#/webhooks/${webhookId}`);
    await listed().getByText(MARKUP).waitFor();
    await listed().getByRole('button').click();
    const payload = panel().getByRole('region', { name: 'Body of the request' });
    await payload.getByText(MARKUP).waitFor();
    await payload.getByText('<script>alert(1)</script>').waitFor();
    expect(await page.locator('img, script:not([src]), main b img').count()).to.equal(0);
    await opened?.checkAccessibility();
  });

  test('works by the keyboard alone', async () => {
    const webhookId = await register();
    await produce('by keys');
    await untilDead(1);
    await open();
    await opened?.go('#/webhooks');
    await link().focus();
    await page.keyboard.press('Enter');
    await listed().getByRole('button').focus();
    await page.keyboard.press('Enter');
    await panel().getByRole('button', { name: 'Send again' }).focus();
    await page.keyboard.press('Escape');
    await panel().waitFor({ state: 'detached' });
    const focused = (): Promise<string> => page.evaluate<string>("document.activeElement?.textContent ?? ''");
    expect(await focused()).to.equal('Open');
    receiver.answer = accept;
    await button('Send all dead ones again').focus();
    await page.keyboard.press('Enter');
    await arrived(2);
    expect(page.url()).to.contain(`#/webhooks/${webhookId}`);
  });

  /** What the service could respond, for pictures that do not change. */
  const ID = '0199a2f0-41c3-7d10-8f6e-2b7c9d0e1f26';
  const FAILED = { status: 503, error: null };
  const WEBHOOKS = [
    {
      webhookId: ID,
      url: 'https://mail.example.com/dbr',
      description: 'Mail of the shop',
      eventTypes: ['notification.created'],
      categories: ['orders', 'security'],
      delaySeconds: null,
      unlessRead: false,
      enabled: true,
      status: 'paused',
      failures: 7,
      lastFailure: { at: '2026-03-01T15:02:00.000Z', ...FAILED },
      waiting: 12,
      dead: 3,
      previousSecretUntil: null,
      createdAt: '2026-02-01T09:30:00.000Z',
    },
    {
      webhookId: '0199a2f0-41c3-7d10-8f6e-2b7c9d0e1f27',
      url: 'https://chat.example.com/hooks/7',
      description: null,
      eventTypes: null,
      categories: null,
      delaySeconds: null,
      unlessRead: false,
      enabled: true,
      status: 'active',
      failures: 0,
      lastFailure: null,
      waiting: 0,
      dead: 0,
      previousSecretUntil: null,
      createdAt: '2026-02-03T10:00:00.000Z',
    },
  ];
  const MESSAGES = [1024, 1031, 1040].map((seq, index) => ({
    messageId: `msg_${String(seq)}`,
    type: 'notification.created',
    notificationId: '0199a2f0-41c3-7d10-8f6e-2b7c9d0e1f23',
    userId: `u-${String(index + 7)}`,
    state: 'dead',
    attempts: 10,
    ...(index === 1 ? { status: null, error: 'timeout' } : FAILED),
    createdAt: `2026-03-01T0${String(index + 7)}:30:00.000Z`,
    attemptedAt: '2026-03-01T15:02:00.000Z',
  }));
  /** Answers in place of the service. Returns the bodies of changes. */
  async function answerFixed(): Promise<unknown[]> {
    const changes: unknown[] = [];
    await page.route(`**${PATH}**`, async (route) => {
      const request = route.request();
      if (request.method() === 'PUT') changes.push(request.postDataJSON());
      const body = request.url().includes('/messages')
        ? { items: MESSAGES, hasMore: false, nextCursor: null }
        : { items: WEBHOOKS };
      await route.fulfill({ json: body });
    });
    return changes;
  }

  test('ends a pause by a change that changes nothing', async () => {
    await open();
    const changes = await answerFixed();
    await opened?.go(`#/webhooks/${ID}`);
    await page.locator('.tag', { hasText: 'paused after failures' }).waitFor();
    await button('End the pause').click();
    await page.getByText('The webhook sends.').waitFor();
    const { url, description, eventTypes, categories, delaySeconds, unlessRead } = WEBHOOKS[0] ?? {};
    expect(changes).to.deep.equal([
      { url, description, eventTypes, categories, delaySeconds, unlessRead, enabled: true },
    ]);
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
    test(`looks as in the manual: webhook, ${String(width)}, ${scheme}`, async () => {
      await open({ width, scheme, height: 640 });
      await answerFixed();
      await opened?.go('#/webhooks');
      await page.getByText('https://chat.example.com/hooks/7').waitFor();
      const fits = async (): Promise<void> => {
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).to.be.at.most(width);
        await opened?.checkAccessibility(scheme === 'light' ? 'all' : 'colours');
      };
      await fits();
      await opened?.go(`#/webhooks/${ID}`);
      await page.getByText('The receiver did not respond in time.').waitFor();
      await fits();
      // The duration of the request.
      await page.evaluate(
        "document.querySelector('.request-line > .quiet')?.style.setProperty('visibility', 'hidden')",
      );
      const taken = await page.screenshot({ animations: 'disabled', caret: 'hide' });
      const difference = differenceFrom(`console/webhook-${String(width)}-${scheme}`, taken);
      expect(difference).to.be.at.most(TOLERANCE);
    });
});
