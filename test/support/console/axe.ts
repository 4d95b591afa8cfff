/** The rules of axe-core on a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

interface Axe {
  run(options: unknown): Promise<{ readonly violations: readonly Violation[] }>;
}

/** Rules whose findings depend on colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * Empty without findings.
 * @param rules all of WCAG 2.2 A and AA and the best practices, or those that another colour scheme of the same
 * elements can break
 */
export async function violationsOf(page: Page, rules: 'all' | 'colours' = 'all'): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE);
  const options = {
    resultTypes: ['violations'],
    selectors: false,
    ...(rules === 'colours' ? { runOnly: OF_COLOURS } : {}),
  };
  return page.evaluate(async (given) => {
    const { axe } = globalThis as unknown as { readonly axe: Axe };
    const { violations } = await axe.run(given);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
    );
  }, options);
}
