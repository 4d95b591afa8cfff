/** What the console asks about proposals of agents, and how it applies them. */
import { expect } from 'chai';
import { type AgentShop, callTool, openAgentShop } from '../../../../test/support/mcp/agent-shop.js';
import type { Proposal } from '../../server/answers.js';

const OWN = { 'X-Dbr-Console': '1' };
const CHANGES = [{ method: 'PATCH', path: '/orders?id=eq.1', body: { note: 'seen' } }];

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

describe('proposals of agents in the console', function () {
  this.timeout(60_000);
  let shop: AgentShop;
  let ada: string;
  let bob: string;

  before(async () => {
    shop = await openAgentShop({ 'mcp-apply': 'false' });
    [ada, bob] = [await shop.tokenOf({ jti: 'of the console' }), await shop.tokenOf({ sub: 'bob' })];
    const agent = await shop.connect(await shop.tokenOf({ jti: 'of the agent' }));
    await callTool(agent, 'propose_change', { changes: CHANGES });
    await callTool(agent, 'propose_change', { changes: CHANGES, schema: 'agent' });
  });
  after(() => shop.close());

  async function call(
    path: string,
    token: string | null,
    body: object | null,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const response = await fetch(`${shop.service.adminUrl}/console/${path}`, {
      method: body === null ? 'GET' : 'POST',
      headers: { ...OWN, ...headers, ...(token === null ? {} : { Authorization: `Bearer ${token}` }) },
      body: body === null ? null : JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }
  const listed = async (token: string): Promise<readonly Proposal[]> => {
    const { status, body } = await call('question', token, { kind: 'proposals' });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body['proposals'] as readonly Proposal[];
  };
  const dismiss = (token: string, id: string): Promise<Answer> =>
    call('question', token, { kind: 'dismiss-proposal', id });

  it('have a screen', async () => {
    expect((await call('information', null, null)).body).to.include({ proposals: true });
  });

  it('are listed for their caller alone', async () => {
    const [first, second, ...others] = await listed(ada);
    expect(others).to.deep.equal([]);
    expect(JSON.parse(first?.changes ?? '')).to.deep.equal(CHANGES);
    expect(first?.answer).to.contain('seen');
    expect([first?.schema, second?.schema]).to.deep.equal([null, 'agent']);
    const seconds = Date.now() / 1000;
    expect(first?.createdAt).to.be.within(seconds - 60, seconds + 1);
    expect(first?.expiresAt).to.be.within(seconds + 86_000, seconds + 86_500);
    expect(await listed(bob)).to.deep.equal([]);
    for (const question of [{ kind: 'proposals' }, { kind: 'dismiss-proposal', id: first?.id }])
      expect((await call('question', null, question)).status).to.be.within(401, 403);
    expect((await call('question', ada, { kind: 'dismiss-proposal' })).body).to.include({ code: 'DBR404' });
  });

  it('are applied through the forwarded path, and dismissed by their caller', async () => {
    const [first, second] = await listed(ada);
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'apply_change',
        arguments: { token: first?.token, changes: CHANGES },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'dbr console', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    };
    const { body } = await call('api/mcp', ada, message, {
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'apply_change',
    });
    expect(JSON.stringify(body)).to.contain('\\"applied\\":true');
    const [row] = await shop.session.query('select note from agent.orders where id = 1');
    expect(row).to.deep.equal({ note: 'seen' });
    expect((await listed(ada)).map(({ id }) => id)).to.deep.equal([second?.id]);
    await dismiss(bob, second?.id ?? '');
    expect(await listed(ada)).to.have.length(1);
    await dismiss(ada, second?.id ?? '');
    expect(await listed(ada)).to.deep.equal([]);
  });
});
