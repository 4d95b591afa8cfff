/** Agents in a schema of ten thousand tables. */
import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { type AgentShop, callTool, openAgentShop, postCall } from '../../support/mcp/agent-shop.js';
import { exchange } from '../../support/service/exchange.js';

const TABLES = 10_000;
const PAGE = 100;

/** The locks of one transaction are fewer than the tables. */
const CREATED = `do $$
begin
  create schema many;
  grant usage on schema many to public;
  for number in 1..${String(TABLES)} loop
    execute format('create table many.item_%s (id int, size int)', number);
    execute format('grant select on many.item_%s to public', number);
    if number % 500 = 0 then commit; end if;
  end loop;
  comment on table many.item_7777 is 'The needle of the haystack';
  insert into many.item_7777 values (1, 2);
end $$`;

const parsed = (text = ''): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

describe('agents in a schema of 10,000 tables', function () {
  this.timeout(300_000);
  let shop: AgentShop;
  let many: AgentShop;
  let client: Client;

  before(async () => {
    shop = await openAgentShop();
    await shop.session.script(CREATED);
    many = await openAgentShop({ 'db-schemas': 'many' }, shop);
    client = await many.connect(await many.tokenOf());
  });
  after(async () => {
    await many.close();
    await shop.close();
  });

  it('list as few tools as in a small one', async () => {
    const { text } = await exchange(`${many.service.url}/mcp`, 'POST', {
      headers: {
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${await many.tokenOf()}`,
      },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    expect(text).to.contain('"propose_change"').and.not.contain('item_');
    expect(Buffer.byteLength(text)).to.be.at.most(20_000);
  });

  it('find tables by words, and say how many there are', async () => {
    const needle = await callTool(client, 'search', { words: 'Haystack needle' });
    expect(parsed(needle.texts[0])).to.include({ found: 1, shown: 1 });
    expect(JSON.parse(needle.texts[1] ?? '')).to.deep.equal([
      { relation: 'item_7777', schema: 'many', comment: 'The needle of the haystack' },
    ]);
    const names = Array.from({ length: TABLES }, (_, at) => `item_${String(at + 1)}`);
    const some = await callTool(client, 'search', { words: '77 size', limit: 50 });
    const found = names.filter((name) => name.includes('77'));
    expect(parsed(some.texts[0])).to.include({ found: found.length, shown: 50 });
    for (const { relation } of JSON.parse(some.texts[1] ?? '') as readonly { readonly relation: string }[])
      expect(found).to.include(relation);
    expect(parsed((await callTool(client, 'search')).texts[0])).to.include({ found: TABLES, shown: 20 });
    expect(parsed((await callTool(client, 'search', { words: 'absent' })).texts[0])).to.include({
      found: 0,
      shown: 0,
    });
  });

  it('describe and read one of them', async () => {
    const { texts } = await callTool(client, 'describe', { name: 'item_7777' });
    expect(JSON.parse(texts[1] ?? '')).to.deep.equal([
      {
        relation: 'item_7777',
        schema: 'many',
        kind: 'table',
        comment: 'The needle of the haystack',
        primaryKey: [],
        uniqueKeys: [],
        may: ['select'],
        columns: [
          { name: 'id', type: 'integer', nullable: true },
          { name: 'size', type: 'integer', nullable: true },
        ],
        related: [],
        rows: 'No row security: the role sees every row of a table that it may read.',
      },
    ]);
    const rows = await postCall(
      `${many.service.url}/mcp`,
      { Authorization: `Bearer ${await many.tokenOf()}` },
      'read',
      '{"relation":"item_7777"}',
    );
    expect(rows.texts[1]).to.equal('[{"id":1,"size":2}]');
  });

  it('list each of them once as a resource, in pages', async () => {
    const uris: string[] = [];
    let cursor: string | undefined = '0';
    while (cursor !== undefined) {
      const page: Awaited<ReturnType<Client['listResources']>> = await client.listResources({ cursor });
      expect(page.resources.length).to.be.at.most(PAGE);
      uris.push(...page.resources.map(({ uri }) => uri));
      cursor = page.nextCursor;
    }
    const wanted = Array.from({ length: TABLES }, (_, at) => `dbr://many/item_${String(at + 1)}`);
    expect(uris.toSorted()).to.deep.equal(wanted.toSorted());
    const beyond = await client.listResources({ cursor: String(TABLES) });
    expect([beyond.resources, beyond.nextCursor]).to.deep.equal([[], undefined]);
  });
});
