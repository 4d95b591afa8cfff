/** Proposals of agents that a person applies (`mcp-apply = false`): kept for their caller, with a token that no agent sees. */
import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { sweepKept } from '../../../src/data-api/batch/idempotency.js';
import { closeDatabase, openDatabase } from '../../../src/postgres/database.js';
import { openPool } from '../../../src/postgres/pool.js';
import {
  type AgentShop,
  callTool,
  type CallResult,
  openAgentShop,
  SECRET,
} from '../../support/mcp/agent-shop.js';
import { POOL_OPTIONS } from '../../support/postgres/batches.js';

const parsed = (text = ''): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;
const remove = (id: number) => [{ method: 'DELETE', path: `/orders?id=eq.${String(id)}` }];

describe('proposals of agents that a person applies', function () {
  this.timeout(90_000);
  let shop: AgentShop;
  let agent: Client;

  before(async () => {
    shop = await openAgentShop({ 'mcp-apply': 'false' });
    agent = await shop.connect(await shop.tokenOf());
  });
  after(() => shop.close());
  afterEach(() => shop.session.script('truncate dbr_requests.proposed'));

  const propose = (changes: unknown, as = agent): Promise<CallResult> =>
    callTool(as, 'propose_change', { changes });
  const apply = (token: unknown, changes: unknown, as = agent): Promise<CallResult> =>
    callTool(as, 'apply_change', { token, changes });
  const waiting = () => shop.session.query('select token, changes, answer from dbr_requests.proposed');
  const ordersOf = async (id: number): Promise<number> => {
    const [row] = await shop.session.query('select count(*)::int as count from agent.orders where id = $1', [
      id,
    ]);
    return Number(row?.['count']);
  };

  it('are kept with their token, which the agent does not see', async () => {
    const { texts } = await propose(remove(1));
    expect(parsed(texts[0])).to.deep.include({ rows: [1], applied: false, kept: true });
    const [kept, ...others] = await waiting();
    expect(others).to.deep.equal([]);
    expect(JSON.parse(String(kept?.['changes']))).to.deep.equal(remove(1));
    expect(kept?.['answer']).to.equal(texts[1]);
    const token = String(kept?.['token']);
    for (const part of token.split('.').slice(1)) expect(texts.join()).to.not.contain(part);
    expect(await ordersOf(1)).to.equal(1);
    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name)).to.not.include('apply_change');
  });

  it('cannot be read by an agent', async () => {
    await propose(remove(1));
    const answered = await callTool(agent, 'read', { schema: 'dbr_requests', relation: 'proposed' });
    expect(answered.isError, answered.texts.join()).to.equal(true);
    const [row] = await shop.session.query(`
      select bool_or(has_table_privilege(r, 'dbr_requests.proposed', 'select, insert, update, delete')) as may
        from unnest(array['agent_clerk', 'agent_guest', 'agent_authenticator']) as r`);
    expect(row?.['may']).to.equal(false);
  });

  it('are applied once, by their caller alone', async () => {
    await propose(remove(2));
    const [kept] = await waiting();
    const bob = await shop.connect(await shop.tokenOf({ sub: 'bob' }));
    expect((await apply(kept?.['token'], remove(2), bob)).texts.join()).to.contain('token');
    expect((await apply(kept?.['token'], remove(3))).texts.join()).to.contain('token');
    expect([await ordersOf(2), (await waiting()).length]).to.deep.equal([1, 1]);
    // Another token of the same user, as a person has one.
    const person = await shop.connect(await shop.tokenOf({ jti: 'of the console', exp: 9_999_999_999 }));
    const applied = await apply(kept?.['token'], remove(2), person);
    expect(parsed(applied.texts[0])).to.deep.include({ rows: [1], applied: true });
    expect([await ordersOf(2), (await waiting()).length]).to.deep.equal([0, 0]);
    await shop.session.query('insert into agent.orders (id, customer_id, total) values (2, 1, 1)');
    expect((await apply(kept?.['token'], remove(2), person)).texts[1]).to.equal(applied.texts[1]);
    expect(await ordersOf(2)).to.equal(1);
  });

  it('are not applied after they were dismissed, or where an agent had the token before', async () => {
    await propose(remove(9));
    const [kept] = await waiting();
    await shop.session.script('truncate dbr_requests.proposed');
    expect((await apply(kept?.['token'], remove(9))).texts.join()).to.contain('does not wait');
    expect(await ordersOf(9)).to.equal(1);
  });

  it('are applied with a token that has the claims in another order', async () => {
    await propose(remove(10));
    const [kept] = await waiting();
    const claims = { tenantId: 'acme', sub: 'ada', role: 'agent_clerk' };
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(SECRET));
    const { isError, texts } = await apply(kept?.['token'], remove(10), await shop.connect(token));
    expect(isError, texts.join()).to.equal(false);
  });

  it('stay if they would concern other rows by now', async () => {
    await propose(remove(4));
    const [kept] = await waiting();
    await shop.session.query('delete from agent.orders where id = 4');
    expect((await apply(kept?.['token'], remove(4))).texts.join()).to.contain('other rows');
    expect(await waiting()).to.have.length(1);
  });

  it('are bounded in number, of a caller and of all, and in length', async () => {
    for (let count = 0; count < 20; count += 1) expect((await propose(remove(5))).isError).to.equal(false);
    const beyond = await propose(remove(5));
    expect([beyond.isError, beyond.texts.join()]).to.satisfy(
      ([isError, text]: readonly [boolean, string]) =>
        isError && text.includes('DBR403') && text.includes('20 of'),
    );
    expect(await waiting()).to.have.length(20);
    const session = await shop.connect(await shop.tokenOf({ sid: 'another session' }));
    expect((await propose(remove(5), session)).texts.join()).to.contain('20 of this caller');
    const bob = await shop.connect(await shop.tokenOf({ sub: 'bob' }));
    expect((await propose(remove(5), bob)).isError).to.equal(false);
    await shop.session.query(`
      insert into dbr_requests.proposed (id, caller, token, changes, answer, expires_at)
      select lpad(n::text, 16, '0'), sha256(n::text::bytea), 't', '[]', '[]', '2100-01-01' from generate_series(22, 950) n`);
    expect((await propose(remove(5), bob)).isError).to.equal(false);
    expect((await propose(remove(5), bob)).texts.join()).to.contain('too many of all callers');
    await shop.session.script('truncate dbr_requests.proposed');
    const long = [{ method: 'PATCH', path: '/orders?id=eq.5', body: { note: 'n'.repeat(140_000) } }];
    expect((await propose(long)).texts.join()).to.contain('longer than a person can review');
    expect(await waiting()).to.have.length(0);
  });

  it('are removed when their time is over', async () => {
    await propose(remove(6));
    await propose(remove(7));
    await shop.session.query(
      `update dbr_requests.proposed set expires_at = now() where changes like '%eq.6"%'`,
    );
    const database = openDatabase(shop.database.uriFor('agent_authenticator', 'agent'), { poolSize: 1 });
    const pool = openPool(database, POOL_OPTIONS);
    await sweepKept(pool);
    await pool.close();
    await closeDatabase(database);
    expect((await waiting()).map(({ changes }) => changes)).to.deep.equal([JSON.stringify(remove(7))]);
  });

  it('are not kept where answers are not', async () => {
    const other = await openAgentShop({ 'mcp-apply': 'false', 'db-idempotency': 'false' }, shop);
    try {
      const { texts } = await propose(remove(8), await other.connect(await other.tokenOf()));
      expect(parsed(texts[0])).to.not.have.any.keys('kept', 'token');
      expect(await waiting()).to.have.length(0);
    } finally {
      await other.close();
    }
  });
});
