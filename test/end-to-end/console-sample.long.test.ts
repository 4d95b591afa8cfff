import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { Account } from '../../generated/types.js';
import { chromiumPath, openBrowser, openConsolePage, type OpenedPage } from '../support/console/browser.js';
import { accountBody, partyBody, sessionBody } from '../support/contract/signing-bodies.js';
import { differenceFrom, TOLERANCE } from '../support/pictures.js';
import { serveDbr, type ServingProcess } from '../support/service/built-service.js';
import { some } from '../support/runs.js';
import { untilReady } from '../support/service/service.js';

const test = chromiumPath === undefined ? it.skip : it;

describe('the console over the sample data', function () {
  this.timeout(240_000);
  let directory: string;
  let service: ServingProcess;
  let browser: Browser;
  let opened: OpenedPage | null = null;
  /** The address for a terminal, without and with its token. */
  let address: { readonly url: string; readonly token: string };

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'dbr-console-'));
    service = await serveDbr({
      DBR_DATA_DIRECTORY: join(directory, '.dbr'),
      DBR_SAMPLE_DATABASE: 'true',
      DBR_LOG_FORMAT: 'pretty',
    });
    await untilReady(service);
    for (let waits = 0; waits < 100 && !service.output().includes('the console is at'); waits += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    const [, url = '', token = ''] = /the console is at (\S+)#token=(\S+)/.exec(service.output()) ?? [];
    address = { url, token };
    if (chromiumPath !== undefined) browser = await openBrowser();
  });
  after(async () => {
    if (chromiumPath !== undefined) await browser.close();
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  });
  async function closePage(): Promise<void> {
    await opened?.close();
    opened = null;
  }
  afterEach(function () {
    if (this.currentTest?.state === 'passed') expect(opened?.problems ?? []).to.deep.equal([]);
  });

  async function open(options: Parameters<typeof openConsolePage>[3] = {}): Promise<Page> {
    opened = await openConsolePage(browser, address.url, address.token, options);
    return opened.page;
  }

  it('is announced to a terminal with a token in the fragment', () => {
    expect(address.url).to.equal(`${service.adminUrl}/console/`);
    expect(address.token.split('.')).to.have.length(3);
  });

  describe('in use', () => {
    afterEach(closePage);

    test('produces a notification and watches it arrive', async () => {
      const page = await open();
      await opened?.go('#/notifications');
      await page.getByRole('button', { name: 'Watch the stream' }).click();
      await page.getByText('unread-count').first().waitFor();
      await page.getByLabel('Title').fill('<b>Lunch</b> is ready');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('1 created, 0 duplicates, 0 suppressed').waitFor();
      const events = page.getByRole('list', { name: 'Events' });
      await events.getByText('<b>Lunch</b> is ready').waitFor();
      await page.locator('.inbox').getByText('<b>Lunch</b> is ready').waitFor();
      await opened?.checkAccessibility();
      await page.getByLabel('Title').fill('');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('alert').getByText('DBR404').waitFor();
    });

    test('shows parties, sessions and the audit log', async () => {
      const page = await open();
      await opened?.go('#/signing');
      await page.getByText('No parties are registered.').waitFor();
      await page.getByText('No sessions.').waitFor();
      await page.getByText('No entries.').waitFor();
      await opened?.checkAccessibility();
    });

    test('turns one page for two clicks, and shows the newest entries of the audit log alone', async () => {
      const page = await open();
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const asked: string[] = [];
      await page.route(/\/api\/v1\/parties/, async (route) => {
        const at = Number(new URL(route.request().url()).searchParams.get('cursor') ?? '0');
        asked.push(String(at));
        if (at === 1) await released;
        await route.fulfill({
          json: { items: [{ partyId: `party-${String(at)}` }], nextCursor: String(at + 1) },
        });
      });
      const exports: string[] = [];
      await page.route(/\/api\/v1\/audit-log/, async (route) => {
        exports.push(...new URL(route.request().url()).searchParams.keys());
        const lines = Array.from({ length: 250 }, (_, index) =>
          JSON.stringify({ subject: `line ${String(index)}` }),
        );
        await route.fulfill({ contentType: 'application/x-ndjson', body: `${lines.join('\n')}\n` });
      });
      await opened?.go('#/signing');
      const parties = page.getByRole('group', { name: 'Parties', exact: true });
      await parties.getByText('party-0').waitFor();
      const turn = (name: string): Promise<void> =>
        page.getByRole('group', { name: 'Pages of the parties' }).getByRole('button', { name }).click();
      await turn('Next');
      await turn('Next');
      release();
      await parties.getByText('party-1').waitFor();
      await turn('Previous');
      await parties.getByText('party-0').waitFor();
      expect(asked).to.deep.equal(['0', '1', '0']);
      const entries = page.getByRole('group', { name: 'Audit log' }).locator('tbody tr');
      await entries.first().getByText('line 249').waitFor();
      expect(await entries.count()).to.equal(200);
      expect(exports).to.deep.equal(['sealedFrom']);
    });

    test('ends a question with its screen, and asks for samples one after another', async () => {
      const page = await open();
      await page.route(/\/console\/(question|samples)$/, () => new Promise(() => undefined));
      const asked = page.waitForRequest(/question$/);
      await opened?.go('#/lint');
      await asked;
      const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('question'));
      let samples = 0;
      page.on('request', (request) => {
        if (request.url().endsWith('samples')) samples += 1;
      });
      await page.evaluate('const every = setInterval; window.setInterval = (work) => every(work, 10)');
      await opened?.go('#/health');
      await ended;
      await page.evaluate(`new Promise((resolve) => {
        let ticks = 0;
        const timer = setInterval(() => ++ticks === 20 && resolve(clearInterval(timer)));
      })`);
      expect(samples).to.equal(1);
    });

    test('shows a session with its events', async () => {
      const call = async (path: string, body: object): Promise<unknown> => {
        const headers = { Authorization: `Bearer ${address.token}`, 'Content-Type': 'application/json' };
        const response = await fetch(`${service.url}${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        expect(response.status, path).to.equal(201);
        return response.json();
      };
      for (const partyId of ['node-a', 'node-b', 'helper'])
        await call('/api/v1/parties', partyBody(partyId, partyId === 'helper' ? 'delegate' : 'server'));
      const account = { ...accountBody(), ownerUserId: 'ada' };
      const { accountId } = (await call('/api/v1/accounts', account)) as Account;
      await call(`/accounts/${accountId}/signing-sessions`, sessionBody());
      const page = await open();
      await opened?.go('#/signing');
      const sessions = page.getByRole('group', { name: 'Sessions', exact: true }).locator('tbody tr');
      await sessions.first().waitFor();
      await page.getByRole('group', { name: 'Parties', exact: true }).getByText('node-b').first().waitFor();
      await page
        .getByRole('group', { name: 'Audit log' })
        .getByText('ada', { exact: true })
        .first()
        .waitFor();
      await opened?.checkAccessibility();
      await sessions.getByRole('button', { name: 'Events' }).click();
      const event = page
        .getByRole('dialog')
        .getByRole('group', { name: 'Events' })
        .locator('tbody tr')
        .first();
      await event.waitFor();
      const [type, state, at = '', data] = await event.locator('td').allInnerTexts();
      expect([type, state]).to.deep.equal(['created', 'created']);
      expect(Date.parse(at)).to.be.greaterThan(0);
      expect(data).to.contain('all_active');
      await opened?.checkAccessibility();
    });

    test('writes a note, which another user does not see', async () => {
      const page = await open();
      await opened?.go('#/table/geo/user_notes');
      await page.getByRole('button', { name: 'Insert row' }).click();
      const panel = page.getByRole('dialog');
      await panel.getByLabel('body', { exact: true }).fill('Visit Reykjavík');
      await panel.getByLabel('country_code', { exact: true }).fill('IS');
      await panel.getByRole('button', { name: 'Insert' }).click();
      await panel.waitFor({ state: 'detached' });
      await page.getByText('Visit Reykjavík').waitFor();
      await page.getByRole('button', { name: 'View as…' }).click();
      await panel.getByLabel('User').fill('bob');
      await panel.getByRole('button', { name: 'View as this user' }).click();
      await page.getByText('Development: viewing as bob').waitFor();
      await page.getByText('No rows.', { exact: false }).waitFor();
      await opened?.go('#/policies/geo/user_notes');
      await page.getByLabel('id', { exact: true }).fill('1');
      await page.getByLabel('user_id', { exact: true }).fill('ada');
      await page.getByRole('button', { name: 'Evaluate' }).click();
      await page.getByText('may not read this row', { exact: false }).waitFor();
      // What a function returns is not shown: it may know more than its caller.
      expect(await page.locator('.evaluated').innerText())
        .to.contain('user_id is ada')
        .and.not.contain('is bob');
    });
  });

  /** The states that the manual shows. */
  const states: Readonly<Record<string, (page: Page) => Promise<void>>> = {
    async table(page) {
      const filter = ['rank', 'eq', 'national capital'];
      const query = new URLSearchParams({
        filter: JSON.stringify(filter),
        order: JSON.stringify(['population', true]),
      });
      await opened?.go(`#/table/geo/cities?${query.toString()}`);
      await page.getByText('Beijing').waitFor();
    },
    async row(page) {
      await opened?.go('#/table/geo/countries');
      await page.locator('.grid tr[data-row]').filter({ hasText: 'Andorra' }).locator('td').nth(3).click();
      await page.getByText('borders by country_code').first().click();
      await page.getByRole('dialog').getByRole('region', { name: 'Rows' }).first().waitFor();
    },
    async why(page) {
      await opened?.go('#/policies/geo/user_notes');
      await page.getByLabel('id', { exact: true }).fill('9');
      await page.getByLabel('user_id', { exact: true }).fill('bob');
      await page.getByRole('button', { name: 'Evaluate' }).click();
      await page.locator('.evaluated').scrollIntoViewIfNeeded();
    },
    async plan(page) {
      await opened?.go('#/table/geo/large_cities');
      await page.locator('.grid tr[data-row]').first().waitFor();
      await page.locator('.request-line').click();
      await page.getByRole('tab', { name: 'Plan' }).click();
      await page.getByRole('button', { name: 'Explain', exact: true }).click();
      await page.locator('[data-plan]').waitFor();
    },
  };

  for (const [at, width] of [1280, 390].entries())
    describe(`in a window ${String(width)} pixels wide`, () => {
      let page: Page;
      before(async () => {
        if (chromiumPath !== undefined) page = await open({ width, height: 640 });
      });
      after(closePage);

      // One in two of each width, half of them light and half dark.
      for (const [index, [name, reach]] of some(Object.entries(states).entries(), 2, at))
        test(`looks as in the manual: ${name}`, async () => {
          await reach(page);
          // The duration of the request.
          await page.evaluate(
            "document.querySelector('.request-line > .quiet')?.style.setProperty('visibility', 'hidden')",
          );
          for (const scheme of some(['light', 'dark'] as const, 2, index >> 1)) {
            await page.emulateMedia({ colorScheme: scheme });
            await opened?.checkAccessibility(scheme === 'light' ? 'all' : 'colours');
            const taken = await page.screenshot({ animations: 'disabled', caret: 'hide' });
            expect(differenceFrom(`console/${name}-${String(width)}-${scheme}`, taken)).to.be.at.most(
              TOLERANCE,
            );
          }
        });
    });
});
