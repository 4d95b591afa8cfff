import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { packageRoot } from '../../src/base/package.js';
import { chromiumPath, openBrowser } from '../support/console/browser.js';
import { openLiveReader, type LiveReader } from '../support/live/live-reader.js';
import { findFreePort } from '../support/postgres/test-server.js';
import { openSeveringProxy, type SeveringProxy } from '../support/postgres/severing-proxy.js';
import { developmentToken, serveDbr, type ServingProcess } from '../support/service/built-service.js';
import { untilReady } from '../support/service/service.js';
import { until } from '../support/until.js';

const EXAMPLE = join(packageRoot(), 'examples', 'live');
const PAGE_URL = '127.0.0.1:8000';

describe('live reads in Chromium', function () {
  this.timeout(300_000);
  let directory: string;
  let service: ServingProcess;
  let site: ChildProcess;
  let siteUrl: string;
  let proxy: SeveringProxy;
  let browser: Browser;
  let other: LiveReader | null = null;

  const tokenOf = (user: string): Promise<string> =>
    developmentToken({ tenant: 'acme', user, role: 'web_user' });

  before(async function () {
    if (chromiumPath === undefined) return this.skip();
    directory = await mkdtemp(join(tmpdir(), 'dbr-live-'));
    service = await serveDbr({
      DBR_DATA_DIRECTORY: join(directory, '.dbr'),
      DBR_SAMPLE_DATABASE: 'true',
    });
    await untilReady(service);
    site = await startSite();
    proxy = await openSeveringProxy(service.url);
    browser = await openBrowser();
  });
  after(async () => {
    if (chromiumPath === undefined) return;
    other?.close();
    await browser.close();
    await proxy.close();
    const ended = once(site, 'exit');
    site.stdin?.end();
    await ended;
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** Builds and serves the page of the example by the command of its README, on a free port. */
  async function startSite(): Promise<ChildProcess> {
    const readme = await readFile(join(EXAMPLE, 'README.md'), 'utf8');
    const [, command = ''] = /^npx (esbuild .*)$/m.exec(readme) ?? [];
    const address = `127.0.0.1:${String(await findFreePort())}`;
    siteUrl = `http://${address}/`;
    expect(command).to.contain(PAGE_URL);
    const [, ...args] = command.replace(PAGE_URL, address).split(' ');
    const esbuild = join(packageRoot(), 'node_modules', '.bin', 'esbuild');
    // It serves until its standard input ends.
    const child = spawn(esbuild, args, { cwd: EXAMPLE, stdio: ['pipe', 'ignore', 'ignore'] });
    await until(async () => {
      expect(child.exitCode).to.equal(null);
      return await fetch(siteUrl).then(
        ({ ok }) => ok,
        () => false,
      );
    });
    return child;
  }

  async function openWindow(user: string) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(`${siteUrl}#token=${await tokenOf(user)}&service=${service.url}`);
    return { page, problems, rows: page.locator('tbody tr') };
  }

  it('show the example what another window types, without a reload', async () => {
    const [ada, bob] = [await openWindow('ada'), await openWindow('bob')];
    await bob.page.evaluate(() => Object.assign(globalThis, { isFirst: true }));
    await ada.page.getByLabel('Remark').pressSequentially('Hot wat');
    await bob.rows.getByText('Hot wat', { exact: true }).waitFor();
    await ada.page.getByLabel('Remark').pressSequentially('er and snow');
    await bob.rows.getByText('Hot water and snow', { exact: true }).waitFor();
    await ada.page.getByLabel('Stars').fill('5');
    await bob.page.getByLabel('Country').fill('CH');
    for (const { rows } of [ada, bob]) {
      await rows.nth(1).getByText('★★★★★', { exact: true }).waitFor();
      expect(await rows.allInnerTexts()).to.deep.equal([
        'bob\tSwitzerland\t★★★★\t',
        'ada\tIceland\t★★★★★\tHot water and snow',
      ]);
    }
    // The user of a refused write alone sees the error, and the table stays as it is.
    await bob.page.getByLabel('Country').fill('C');
    await until(async () => (await bob.page.getByRole('alert').innerText()) !== '');
    expect(await bob.rows.count()).to.equal(2);
    expect(await bob.page.evaluate(() => 'isFirst' in globalThis)).to.equal(true);
    expect([...ada.problems, ...bob.problems]).to.deep.equal([]);
    await ada.page.context().close();
    await bob.page.context().close();
  });

  it('continue with EventSource and a ticket after a lost connection', async () => {
    const path = '/ratings?select=user_id,country_code,stars&user_id=eq.eve&order=country_code';
    const token = await tokenOf('eve');
    const headers = { Authorization: `Bearer ${token}` };
    const rate = async (country: string): Promise<void> => {
      const answer = await fetch(`${service.url}/ratings`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ country_code: country, stars: 3 }),
      });
      expect(answer.status).to.equal(201);
    };
    // The service forgets an answer that none has followed for ten seconds.
    other = openLiveReader({ url: `${service.url}${path}`, headers });
    await other.opened;
    const page = await browser.newPage();
    await page.goto(`${proxy.uri.replace(/\/$/, '')}/api/v1/openapi.json`);
    await page.evaluate(
      async ([bearer, read]) => {
        const answer = await fetch('/api/v1/live-tickets', {
          method: 'POST',
          headers: { Authorization: `Bearer ${String(bearer)}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ path: read }),
        });
        const { ticket } = (await answer.json()) as { readonly ticket: string };
        const source = new EventSource(`${String(read)}&dbr-ticket=${ticket}`);
        const seen: string[] = [];
        Object.assign(globalThis, { seen });
        source.onopen = () => seen.push('open');
        source.onerror = () => seen.push('error');
        for (const name of ['snapshot', 'change', 'end'])
          source.addEventListener(name, (event) =>
            seen.push(`${name} ${'data' in event ? String(event.data) : ''}`),
          );
      },
      [token, path],
    );
    const seenUntil = async (count: number): Promise<readonly string[]> => {
      let seen: readonly string[] = [];
      await until(async () => {
        seen = await page.evaluate(() => (globalThis as { readonly seen?: readonly string[] }).seen ?? []);
        return seen.length >= count;
      });
      return seen;
    };
    await seenUntil(2);
    await rate('IS');
    await seenUntil(3);
    proxy.sever();
    await seenUntil(4);
    await rate('CH');
    await rate('PE');
    await until(() => other?.state.rows.length === 3);
    await until(async () => (await seenUntil(6)).join('').includes('PE'));
    const seen = await seenUntil(6);
    expect(seen.slice(0, 5).map((event) => event.replace(/ \{.*/, ''))).to.deep.equal([
      'open',
      'snapshot []',
      'change',
      'error',
      'open',
    ]);
    // Changes that came close together may be one event.
    expect(seen.slice(5).join(''))
      .to.match(/^change .*CH.*PE/)
      .and.not.match(/snapshot|"country_code":"IS"/);
    await page.close();
  });
});
