/** Pages of the service in Chromium: with axe, and with everything that a page must not do noted. */
import { violationsOf } from './axe.js';
import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Undefined where no Chromium is installed: tests of pages are skipped then. */
export const chromiumPath = BROWSERS.find((path) => existsSync(path));

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
];

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath ?? '', args: ARGUMENTS });

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  readonly reducedMotion?: boolean;
  /** Whether responses with an error are no problem: the browser notes them as errors. */
  readonly expectsRefusals?: boolean;
}

export interface OpenedPage {
  readonly page: Page;
  /** Errors of scripts and of the content security policy, dialogs, and requests to other hosts. */
  readonly problems: readonly string[];
  /** Opens a screen. @param hash such as `#/health` */
  go(hash: string): Promise<void>;
  /** Fails with the findings of axe, if it has any. */
  checkAccessibility(rules?: 'all' | 'colours'): Promise<void>;
  close(): Promise<void>;
}

/** Opens the console, signed in. @param url of the console */
export async function openConsolePage(
  browser: Browser,
  url: string,
  token: string | null,
  options: PageOptions = {},
): Promise<OpenedPage> {
  const opened = await openPage(browser, token === null ? url : `${url}#token=${token}`, {
    expectsRefusals: true,
    ...options,
  });
  if (token !== null)
    await opened.page
      .locator('nav[aria-label="Tables, functions and service"] a')
      .first()
      .waitFor({ state: 'attached' });
  return opened;
}

/** The page that the next test of a browser takes: another context and its processes cost a second of the processor. */
const kept = new WeakMap<Browser, Page>();

async function takePage(browser: Browser): Promise<Page> {
  const page = kept.get(browser);
  kept.delete(browser);
  if (page !== undefined) return page;
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC' });
  return await context.newPage();
}

/** Empties the page and what its origin has stored, for the next test. */
async function keepPage(browser: Browser, page: Page): Promise<void> {
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.context().clearCookies();
  await page.unrouteAll();
  await page.goto('about:blank');
  kept.set(browser, page);
}

/** Opens a page. One at a time of a browser keeps its context after it is closed. */
export async function openPage(
  browser: Browser,
  url: string,
  {
    width = 1280,
    height = 800,
    scheme = 'light',
    reducedMotion = true,
    expectsRefusals = false,
  }: PageOptions = {},
): Promise<OpenedPage> {
  const page = await takePage(browser);
  await page.setViewportSize({ width, height });
  await page.emulateMedia({
    colorScheme: scheme,
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
  });
  page.setDefaultTimeout(20_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && !(expectsRefusals && isRefusal))
      problems.push(message.text());
  });
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin && !request.url().startsWith('data:'))
      problems.push(`foreign request: ${request.url()}`);
  });
  await page.goto(url);
  return {
    page,
    problems,
    async go(hash) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await page.locator('h1').first().waitFor();
    },
    async checkAccessibility(rules) {
      const violations = await violationsOf(page, rules);
      expect(violations, page.url()).to.deep.equal([]);
    },
    async close() {
      for (const event of ['pageerror', 'console', 'dialog', 'request']) page.removeAllListeners(event);
      await keepPage(browser, page).catch(() => page.context().close());
    },
  };
}
