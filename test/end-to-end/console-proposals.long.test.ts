import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { chromiumPath, openBrowser, openConsolePage } from '../support/console/browser.js';
import { MARKUP } from '../support/console/console-service.js';
import { type AgentShop, callTool, openAgentShop } from '../support/mcp/agent-shop.js';

const test = chromiumPath === undefined ? it.skip : it;

describe('proposals of agents in the console', function () {
  this.timeout(120_000);
  let shop: AgentShop;
  let browser: Browser;

  before(async () => {
    shop = await openAgentShop({ 'mcp-apply': 'false' });
    if (chromiumPath !== undefined) browser = await openBrowser();
  });
  after(async () => {
    if (chromiumPath !== undefined) await browser.close();
    await shop.close();
  });

  test('are seen, with what an agent would hide, and applied or dismissed', async () => {
    const agent = await shop.connect(await shop.tokenOf({ jti: 'of the agent' }));
    const note = `${MARKUP} \u202edesrever\u3164`;
    const changes = [
      { method: 'PATCH', path: '/orders?id=eq.1', body: { note } },
      { method: 'DELETE', path: '/orders?id=in.(2,3)' },
    ];
    await callTool(agent, 'propose_change', { changes });
    await callTool(agent, 'propose_change', { changes: [{ method: 'DELETE', path: '/orders?id=eq.4' }] });
    await callTool(agent, 'propose_change', { changes: [{ method: 'DELETE', path: '/orders?id=eq.5' }] });
    await shop.session.query('delete from agent.orders where id = 5');

    const opened = await openConsolePage(
      browser,
      `${shop.service.adminUrl}/console/`,
      await shop.tokenOf({ exp: 9_999_999_999 }),
    );
    const { page } = opened;
    const proposal = (number: number) =>
      page.getByRole('region', { name: `Proposal ${String(number)}`, exact: true });
    await page.getByRole('link', { name: 'Proposals', exact: true }).click();
    await proposal(3).waitFor();
    expect(await proposal(1).getByRole('heading', { level: 3 }).allInnerTexts()).to.deep.equal([
      'PATCH /orders?id=eq.1 1 row',
      'DELETE /orders?id=in.(2,3) 2 rows',
    ]);
    const body = await page.getByRole('region', { name: 'Body of change 1 of proposal 1' }).innerText();
    expect(body).to.contain(MARKUP).and.to.contain('\\u{202e}desrever\\u{3164}');
    await opened.checkAccessibility();

    await proposal(3).getByRole('button', { name: 'Apply…' }).click();
    await proposal(3).getByRole('button', { name: 'Apply these changes' }).click();
    await page.getByRole('alert').getByText('concern other rows than were proposed').waitFor();
    await proposal(2).getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('The proposal was dismissed.').waitFor();
    await proposal(1).getByRole('button', { name: 'Apply…' }).click();
    await proposal(1).getByRole('button', { name: 'Apply these changes' }).click();
    await page.getByText('Applied: 1 row, 2 rows.').waitFor();
    const [row] = await shop.session.query(
      'select max(note) filter (where id = 1) as note, count(*) filter (where id <= 5)::int as left from agent.orders',
    );
    expect(row).to.deep.equal({ note, left: 2 });
    expect(opened.problems).to.deep.equal([]);
    await opened.close();
  });
});
