/** Pages in Firefox: what stands in them is found by its text or accessible name, in shadow trees too. */
import { existsSync } from 'node:fs';
import type { Browser, Page } from './firefox/firefox.mjs';
import { until } from './until.js';

const BROWSERS = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** Undefined where no Firefox is installed: its tests are skipped then. */
export const firefoxPath = BROWSERS.find((path) => existsSync(path));

/** The package is loaded where a browser is installed alone. */
export async function openFirefox(): Promise<Browser> {
  const { launchFirefox } = await import('./firefox/firefox.mjs');
  return launchFirefox(firefoxPath ?? '');
}

export interface FirefoxPage {
  readonly page: Page;
  /** Waits for a visible element, and clicks it. @param name its text or label, in full; absent for any */
  click(selector: string, name?: string): Promise<void>;
  /** Replaces the text of a field. */
  fill(selector: string, name: string | undefined, text: string): Promise<void>;
  select(selector: string, name: string, value: string): Promise<void>;
  press(...keys: readonly string[]): Promise<void>;
  /** Waits until an element of this text or label is visible. */
  see(selector: string, name?: string): Promise<void>;
  /** Waits until no such element is visible. */
  miss(selector: string, name?: string): Promise<void>;
  /** The texts of the visible elements. */
  texts(selector: string): Promise<readonly string[]>;
  /** The text or label of what has the focus. */
  focused(): Promise<string>;
}

/** Expressions of the page. A field is named by its label too. */
const FOUND = `(selector, name) => {
  const roots = [document, ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
  const names = (element) => [
    element.getAttribute('aria-label'), element.textContent.trim(),
    ...[...(element.labels ?? [])].map((label) => (label.querySelector('span') ?? label).textContent.trim()),
  ];
  return roots.flatMap((root) => [...root.querySelectorAll(selector)])
    .filter((element) => element.checkVisibility() && (name === undefined || names(element).includes(name)));
}`;
const FOCUSED = `(() => {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active?.getAttribute('aria-label') ?? active?.textContent ?? '';
})()`;

export function drive(page: Page): FirefoxPage {
  const found = (selector: string, name: string | undefined): string =>
    `(${FOUND})(${JSON.stringify(selector)}, ${JSON.stringify(name)})`;
  const count = async (selector: string, name?: string): Promise<number> =>
    Number(await page.evaluate(`${found(selector, name)}.length`));
  async function element(selector: string, name: string | undefined) {
    await until(async () => (await count(selector, name)) > 0);
    const handle = (await page.evaluateHandle(`${found(selector, name)}[0]`)).asElement();
    if (handle === null) throw new Error(`${selector} ${name ?? ''} is gone`);
    return handle;
  }
  return {
    page,
    click: async (selector, name) => (await element(selector, name)).click(),
    fill: async (selector, name, text) => {
      await (await element(selector, name)).click();
      await page.evaluate(`${found(selector, name)}[0].select()`);
      await page.keyboard.type(text);
    },
    select: async (selector, name, value) => {
      await (await element(selector, name)).select(value);
    },
    press: async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    },
    see: (selector, name) => until(async () => (await count(selector, name)) > 0),
    miss: (selector, name) => until(async () => (await count(selector, name)) === 0),
    texts: async (selector) =>
      (await page.evaluate(
        `${found(selector, undefined)}.map(({ textContent }) => textContent)`,
      )) as readonly string[],
    focused: async () => String(await page.evaluate(FOCUSED)),
  };
}
