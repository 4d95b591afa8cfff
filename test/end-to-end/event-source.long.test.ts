import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { SignJWT } from 'jose';
import { chromium, type Browser } from 'playwright-core';
import {
  createNotificationsDatabase,
  type NotificationsDatabase,
} from '../support/notifications/notifications-database.js';
import { startTestService, untilReady, type TestService } from '../support/service/service.js';
import { until } from '../support/until.js';
import { openSeveringProxy, type SeveringProxy } from '../support/postgres/severing-proxy.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const browserPath = BROWSERS.find((path) => existsSync(path));

const tokenOf = (claims: Readonly<Record<string, string>>): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(SECRET));

describe('the EventSource of a browser', function () {
  this.timeout(180_000);
  let database: NotificationsDatabase;
  let service: TestService;
  let proxy: SeveringProxy;
  let browser: Browser;

  before(async function () {
    if (browserPath === undefined) return this.skip();
    database = await createNotificationsDatabase();
    service = await startTestService({
      areas: 'notifications',
      'db-uri': database.serviceUri,
      'service-jwt-secret': SECRET,
    });
    await untilReady(service);
    proxy = await openSeveringProxy(service.url);
    browser = await chromium.launch({
      executablePath: browserPath,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    });
  });
  after(async () => {
    if (browserPath === undefined) return;
    await browser.close();
    await proxy.close();
    await service.stop();
    await database.drop();
  });

  it('opened by a ticket continues after a lost connection, without loss or repetition', async () => {
    const producer = await tokenOf({ tenantId: 'acme', sub: 'machine', scope: 'notifications:write' });
    const notify = async (title: string): Promise<void> => {
      const answer = await fetch(`${service.url}/api/v1/notifications`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${producer}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ userIds: ['ann'], type: 'report.ready', title }),
      });
      expect(answer.status).to.equal(201);
    };
    const page = await browser.newPage();
    const origin = proxy.uri.replace(/\/$/, '');
    await page.goto(`${origin}/api/v1/openapi.json`);
    const token = await tokenOf({ tenantId: 'acme', sub: 'ann' });
    await page.evaluate(async (bearer) => {
      const answer = await fetch('/api/v1/notifications/me/stream-ticket', {
        method: 'POST',
        headers: { Authorization: `Bearer ${bearer}` },
      });
      const { ticket } = (await answer.json()) as { readonly ticket: string };
      const source = new EventSource(`/api/v1/notifications/me/stream?ticket=${ticket}`);
      const seen: string[] = [];
      Object.assign(globalThis, { seen });
      source.onopen = () => seen.push('open');
      source.onerror = () => seen.push('error');
      source.addEventListener('notification.created', (event) => {
        const text = 'data' in event ? String(event.data) : '{}';
        seen.push((JSON.parse(text) as { readonly title: string }).title);
      });
    }, token);
    const seenUntil = async (last: string, times = 1): Promise<readonly string[]> => {
      let seen: readonly string[] = [];
      await until(async () => {
        seen = await page.evaluate(() => (globalThis as { readonly seen?: readonly string[] }).seen ?? []);
        return seen.filter((one) => one === last).length >= times;
      });
      return seen;
    };
    await seenUntil('open');
    await notify('first');
    await seenUntil('first');
    proxy.sever();
    await seenUntil('error');
    await notify('while it was away');
    expect(await seenUntil('while it was away')).to.deep.equal([
      'open',
      'first',
      'error',
      'open',
      'while it was away',
    ]);
    await notify('and after');
    expect((await seenUntil('and after')).slice(4)).to.deep.equal(['while it was away', 'and after']);

    const revoked = await fetch(`${service.url}/api/v1/notifications/me/stream-ticket`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(revoked.status).to.equal(204);
    // The stream ends; the browser comes back once more, is refused, and gives up.
    expect((await seenUntil('error', 3)).slice(6)).to.deep.equal(['error', 'error']);
    await page.close();
  });
});
