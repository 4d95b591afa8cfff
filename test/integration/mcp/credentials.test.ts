/** How agents learn who issues tokens, and agents that have an API key. */
import { expect } from 'chai';
import { sha256 } from '../../../src/base/hash.js';
import { startTestIssuer, type TestIssuer } from '../../support/auth/test-issuer.js';
import {
  type AgentShop,
  callTool,
  headersOf,
  messageOf,
  openAgentShop,
  postCall,
} from '../../support/mcp/agent-shop.js';
import { exchange, type Exchanged } from '../../support/service/exchange.js';

const parsed = (text = ''): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const PUBLIC = 'https://api.example.org';
const KEY = `dbr_${'k'.repeat(43)}`;
const OTHER_KEY = `dbr_${'o'.repeat(43)}`;
const READ = '{"relation":"orders","select":"id","filters":{"id":"eq.1"}}';

describe('credentials of agents', function () {
  this.timeout(120_000);
  const issuers: TestIssuer[] = [];
  /** With issuers; with issuers, a public address, a prefix and an anonymous role; with API keys and no issuer. */
  let shop: AgentShop;
  let proxied: AgentShop;
  let keyed: AgentShop;

  before(async () => {
    issuers.push(await startTestIssuer(), await startTestIssuer({ path: '/realms/shop' }));
    const named = { 'jwt-issuers': issuers.map(({ issuer }) => issuer).join() };
    shop = await openAgentShop(named);
    proxied = await openAgentShop(
      {
        ...named,
        'server-path-prefix': '/rest/v1',
        'openapi-server-proxy-uri': `${PUBLIC}/rest/v1`,
        'db-anon-role': 'agent_guest',
      },
      shop,
    );
    for (const [id, key] of [
      ['00000000000a', KEY],
      ['00000000000b', OTHER_KEY],
    ] as const)
      await shop.session.query(
        `insert into dbr_keys.api_keys (id, hash, name, role) values ($1, $2::bytea, 'agent', 'agent_clerk')`,
        [id, `\\x${sha256(key).toString('hex')}`],
      );
    await shop.session.script(`
      grant usage on schema dbr_keys to agent_authenticator;
      grant select, update (last_used_at) on dbr_keys.api_keys to agent_authenticator;
      grant select on dbr_keys.revision to agent_authenticator`);
    keyed = await openAgentShop({ 'api-keys': 'true' }, shop);
  });
  after(async () => {
    await keyed.close();
    await proxied.close();
    await shop.close();
    for (const issuer of issuers) await issuer.close();
  });

  const post = (url: string, credentials: Readonly<Record<string, string>> = {}): Promise<Exchanged> =>
    exchange(url, 'POST', { headers: headersOf('read', credentials), body: messageOf('read', READ) });
  const challengeOf = ({ status, headers }: Exchanged): readonly unknown[] => [
    status,
    headers.get('www-authenticate'),
  ];
  /** Without a body, which a response to HEAD has not. */
  const metadataOf = async (url: string): Promise<unknown> => {
    const [got, head] = await Promise.all([exchange(url, 'GET'), exchange(url, 'HEAD')]);
    for (const { status, headers } of [got, head])
      expect([status, headers.get('content-type'), headers.get('cache-control')]).to.deep.equal([
        200,
        'application/json; charset=utf-8',
        'no-store',
      ]);
    expect([head.text, head.headers.get('content-length')]).to.deep.equal([
      '',
      got.headers.get('content-length'),
    ]);
    return got.json;
  };

  it('are asked for with the address of the metadata', async () => {
    const { url } = shop.service;
    const parameter = `resource_metadata="${url}${WELL_KNOWN}/mcp"`;
    const missing = await post(`${url}/mcp`);
    expect(challengeOf(missing)).to.deep.equal([401, `Bearer ${parameter}`]);
    expect(missing.json).to.deep.equal({
      code: 'DBR302',
      message: 'Anonymous access is disabled',
      details: null,
      hint: null,
    });
    const bad = await post(`${url}/mcp`, { Authorization: 'Bearer x' });
    const { message } = parsed(bad.text);
    expect(message).to.be.a('string').and.not.equal('');
    expect(challengeOf(bad)).to.deep.equal([
      401,
      `Bearer error="invalid_token", error_description=${JSON.stringify(message)}, ${parameter}`,
    ]);
    const [, issuer] = issuers;
    const token = await issuer?.sign({ role: 'agent_clerk' });
    expect((await post(`${url}/mcp`, { Authorization: `Bearer ${String(token)}` })).status).to.equal(200);
  });

  it('are asked for where the anonymous role may not do what a tool asks for', async () => {
    const parameter = `resource_metadata="${PUBLIC}${WELL_KNOWN}/rest/v1/mcp"`;
    const refused = await post(`${proxied.service.url}/rest/v1/mcp`);
    expect(challengeOf(refused)).to.deep.equal([401, `Bearer ${parameter}`]);
    expect(parsed(refused.text)['code']).to.equal('42501');
  });

  it('come from the issuers that the metadata names', async () => {
    const names = issuers.map(({ issuer }) => issuer);
    const { url } = shop.service;
    const metadata = (resource: string): unknown => ({
      resource,
      authorization_servers: names,
      bearer_methods_supported: ['header'],
      resource_name: 'dbr',
    });
    for (const path of [WELL_KNOWN, `${WELL_KNOWN}/mcp`])
      expect(await metadataOf(`${url}${path}`), path).to.deep.equal(metadata(`${url}/mcp`));
    for (const path of [WELL_KNOWN, `${WELL_KNOWN}/rest/v1/mcp`])
      expect(await metadataOf(`${proxied.service.url}${path}`), path).to.deep.equal(
        metadata(`${PUBLIC}/rest/v1/mcp`),
      );
    for (const [other, code] of [
      [`${proxied.service.url}${WELL_KNOWN}/mcp`, 'DBR125'],
      [`${url}${WELL_KNOWN}/rest/v1/mcp`, 'DBR302'],
      [`${url}${WELL_KNOWN}/`, 'DBR302'],
    ] as const)
      expect(parsed((await exchange(other, 'GET')).text), other).to.have.property('code', code);
    const posted = await exchange(`${url}${WELL_KNOWN}`, 'POST', { body: {} });
    expect(posted.status).to.equal(401);
  });

  it('are asked for without that address at other paths, and where no issuer is named', async () => {
    for (const path of ['/orders', '/%6Dcp', '/mcp/', '/rpc/mcp', '/api/v1/notifications/me'])
      expect(challengeOf(await exchange(`${shop.service.url}${path}`, 'GET')), path).to.deep.equal([
        401,
        'Bearer',
      ]);
    expect(challengeOf(await post(`${keyed.service.url}/mcp`))).to.deep.equal([401, 'Bearer']);
    for (const path of [WELL_KNOWN, `${WELL_KNOWN}/mcp`])
      expect(challengeOf(await exchange(`${keyed.service.url}${path}`, 'GET')), path).to.deep.equal([
        401,
        'Bearer',
      ]);
  });

  it('may be an API key, by which an agent reads, proposes and applies', async () => {
    const client = await keyed.connect(KEY);
    const order = { relation: 'orders', select: 'note', filters: { id: 'eq.1' } };
    expect((await callTool(client, 'read', order)).texts[1]).to.equal('[{"note":"note 1"}]');
    const changes = [{ method: 'PATCH', path: '/orders?id=eq.1', body: { note: 'by key' } }];
    const proposed = await callTool(client, 'propose_change', { changes });
    const { token, ...shown } = parsed(proposed.texts[0]);
    expect(shown, proposed.texts.join()).to.deep.include({ rows: [1], applied: false });
    const stored = async (): Promise<unknown> =>
      shop.session.query('select note from agent.orders where id = 1');
    expect(await stored()).to.deep.equal([{ note: 'note 1' }]);
    const other = await keyed.connect(OTHER_KEY);
    const refused = await callTool(other, 'apply_change', { token, changes });
    expect([refused.isError, parsed(refused.texts[0])['details']]).to.deep.equal([
      true,
      "'token' is not that of these changes and this caller",
    ]);
    expect(await stored()).to.deep.equal([{ note: 'note 1' }]);
    const applied = await callTool(client, 'apply_change', { token, changes });
    expect(parsed(applied.texts[0])).to.deep.include({ rows: [1], applied: true });
    expect(await stored()).to.deep.equal([{ note: 'by key' }]);
  });

  it('may be an API key in a header of its own, which the database does not see', async () => {
    const url = `${keyed.service.url}/mcp`;
    const callerOf = async (credentials: Readonly<Record<string, string>>): Promise<unknown> => {
      const { isError, texts } = await postCall(url, credentials, 'call', '{"function":"caller"}');
      expect(isError, texts.join()).to.equal(false);
      expect(texts.join()).to.not.contain(KEY);
      const { role, claims } = parsed(texts[1]);
      return { role, claims };
    };
    const ofKey = { role: 'agent_clerk', claims: { api_key_id: '00000000000a', role: 'agent_clerk' } };
    expect(await callerOf({ apikey: KEY })).to.deep.equal(ofKey);
    expect(await callerOf({ Authorization: `Bearer ${KEY}` })).to.deep.equal(ofKey);
    const user = `Bearer ${await keyed.tokenOf()}`;
    expect(await callerOf({ apikey: KEY, Authorization: user })).to.have.nested.property('claims.sub', 'ada');
    const unknown = await post(url, { apikey: `dbr_${'x'.repeat(43)}` });
    expect(challengeOf(unknown)).to.deep.equal([
      401,
      'Bearer error="invalid_token", error_description="Invalid API key"',
    ]);
    const inbox = await postCall(url, { Authorization: `Bearer ${KEY}` }, 'count_unread', '{}');
    expect([inbox.isError, parsed(inbox.texts[0])['code']]).to.deep.equal([true, 'DBR401']);
  });
});
