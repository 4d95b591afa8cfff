/** What spans, log and metrics say of the messages of agents, and what they do not. */
import { expect } from 'chai';
import {
  attributesOf,
  openCollector,
  type CollectedSpan,
  type Collector,
} from '../../support/observability/collector.js';
import { type AgentShop, headersOf, messageOf, openAgentShop } from '../../support/mcp/agent-shop.js';
import { exchange } from '../../support/service/exchange.js';
import { until } from '../../support/until.js';

const SERVER = 2;
const CLIENT = 3;
const INTERNAL = 1;
const PARENT = 'b7ad6b7169203331';
/** In arguments and rows alone. */
const SECRET = 'customer 12';

describe('messages of agents are observed', function () {
  this.timeout(60_000);
  let collector: Collector;
  let shop: AgentShop;
  let credentials: Readonly<Record<string, string>>;

  before(async () => {
    collector = await openCollector();
    shop = await openAgentShop({ 'traces-endpoint': collector.url }, null, 'info');
    credentials = { Authorization: `Bearer ${await shop.tokenOf()}` };
  });
  after(async () => {
    await shop.close();
    await collector.close();
  });

  async function spansOf(trace: string): Promise<readonly CollectedSpan[]> {
    const own = (): readonly CollectedSpan[] => collector.spans.filter(({ traceId }) => traceId === trace);
    await until(() => own().length > 0);
    return own();
  }
  const headersIn = (trace: string): Readonly<Record<string, string>> => ({
    ...credentials,
    traceparent: `00-${trace}-${PARENT}-01`,
  });
  async function send(name: string, args: object, trace: string): Promise<readonly CollectedSpan[]> {
    const { status, text } = await exchange(`${shop.service.url}/mcp`, 'POST', {
      headers: headersOf(name, headersIn(trace)),
      body: messageOf(name, JSON.stringify(args)),
    });
    expect(status).to.equal(200);
    expect(text).to.contain(SECRET);
    return spansOf(trace);
  }
  const logged = (path: string): readonly Record<string, unknown>[] =>
    shop.service.logs
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line['path'] === path);
  const counts = async (metric: string): Promise<readonly string[]> => {
    const text = await (await fetch(`${shop.service.adminUrl}/metrics`)).text();
    expect(text).to.not.contain(SECRET);
    return text.split('\n').filter((line) => line.startsWith(`${metric}_count{`));
  };

  const READ = { relation: 'customers', filters: { name: `eq.${SECRET}` } };

  it('by the spans of a request of the data API, below that of the client', async () => {
    const trace = 'a'.repeat(32);
    const [request, ...steps] = await send('read', READ, trace);
    expect(request).to.include({ name: 'POST /mcp', kind: SERVER, parentSpanId: PARENT });
    const { 'dbr.request_id': requestId, ...attributes } = attributesOf(request ?? { attributes: [] });
    expect(requestId).to.match(/^[0-9a-f]{12}-/);
    expect(attributes).to.deep.equal({
      'http.request.method': 'POST',
      'url.path': '/mcp',
      'url.scheme': 'http',
      'client.address': '127.0.0.1',
      'http.route': '/mcp',
      'http.response.status_code': '200',
      'dbr.area': 'data-api',
      'dbr.operation': 'mcp',
    });
    const kinds = (spans: readonly CollectedSpan[]): unknown => spans.map(({ name, kind }) => [name, kind]);
    expect(kinds(steps)).to.deep.equal([
      ['authenticate', INTERNAL],
      ['receive body', INTERNAL],
      ['parse', INTERNAL],
      ['plan', INTERNAL],
      ['wait for connection', INTERNAL],
      ['postgresql', CLIENT],
      ['respond', INTERNAL],
      ['send', INTERNAL],
    ]);
    for (const step of steps) expect(step.parentSpanId, step.name).to.equal(request?.spanId);
    const statement = steps.find(({ kind }) => kind === CLIENT);
    expect(attributesOf(statement ?? { attributes: [] })).to.deep.equal({ 'db.system.name': 'postgresql' });
    // The same read by REST has the same steps, but for the body.
    const rest = 'b'.repeat(32);
    const path = `/customers?name=eq.${encodeURIComponent(SECRET)}`;
    await exchange(`${shop.service.url}${path}`, 'GET', { headers: headersIn(rest) });
    const [, ...restSteps] = await spansOf(rest);
    const isShared = ({ name, kind }: CollectedSpan): boolean => name !== 'receive body' && kind !== CLIENT;
    expect(kinds(restSteps.filter(isShared))).to.deep.equal(kinds(steps.filter(isShared)));
  });

  it('by a line of the log, and by the metric of requests', async () => {
    const trace = 'c'.repeat(32);
    const before = logged('/mcp').length;
    await send('read', READ, trace);
    await send(
      'propose_change',
      {
        changes: [{ method: 'PATCH', path: '/orders?id=eq.1', body: { note: SECRET } }],
      },
      'd'.repeat(32),
    );
    await until(() => logged('/mcp').length === before + 2);
    const line = logged('/mcp').find(({ traceId }) => traceId === trace) ?? {};
    expect(line).to.include({ method: 'POST', status: 200, who: 'agent_clerk', client: '127.0.0.1' });
    expect(line['requestId']).to.match(/^[0-9a-f]{12}-/);
    expect(line['durationMs']).to.be.above(0);
    expect(await counts('dbr_http_request_duration_seconds')).to.include(
      `dbr_http_request_duration_seconds_count{area="data-api",operation="mcp",method="POST",status="200"} ${String(before + 2)}`,
    );
    const resources = await counts('dbr_data_api_duration_seconds');
    expect(resources.filter((each) => !each.includes('resource="customers"'))).to.deep.equal([]);
  });

  it('without values of arguments, rows and tokens', async () => {
    await send('read', READ, 'e'.repeat(32));
    const refused = await exchange(`${shop.service.url}/mcp`, 'POST', {
      headers: headersOf('read', headersIn('f'.repeat(32))),
      body: messageOf('read', JSON.stringify({ relation: 'customers', filters: { id: `eq.${SECRET}` } })),
    });
    expect(refused.text).to.contain('22P02');
    await spansOf('f'.repeat(32));
    const seen = [collector.text(), ...shop.service.logs].join('\n');
    for (const value of [SECRET, encodeURIComponent(SECRET), credentials['Authorization']?.slice(7) ?? ''])
      expect(seen).to.not.contain(value);
  });
});
