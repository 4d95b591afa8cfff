/**
 * Processor time of a read by an agent (`POST /mcp`) and of the same read as a request of the data API, in turns, to one compiled
 * service; and of that request to a service without agents.
 *   tsx bench/agents.ts [requests of a round, default 4000]
 */
import { Agent, request as httpRequest } from 'node:http';
import { withSession } from '../src/postgres/session.js';
import { startTestServer } from '../test/support/postgres/database.js';
import { serveDbr, type ServingProcess } from '../test/support/service/built-service.js';
import { untilReady } from '../test/support/service/service.js';
import { median } from './median.js';
import { TICK_US, ticksOf } from './process-time.js';

const PER_ROUND = Number(process.argv[2] ?? 4000);
const ROUNDS = 9;
const CONNECTIONS = 8;

const SCHEMA = `
  create role agent_bench nologin;
  create table public.films (id int primary key, title text, year int);
  insert into public.films select i, 'film ' || i, 1900 + i % 100 from generate_series(1, 10000) as i;
  grant select on public.films to agent_bench; analyze;
`;

interface Message {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const request = (key: number): Message => ({
  method: 'GET',
  path: `/films?id=eq.${String(key)}&select=id,title&limit=100`,
  headers: { Accept: 'application/json' },
});

const PREFIX = 'io.modelcontextprotocol/';
const call = (key: number): Message => ({
  method: 'POST',
  path: '/mcp',
  headers: {
    Accept: 'application/json, text/event-stream',
    'Content-Type': 'application/json',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
    'Mcp-Name': 'read',
  },
  body: JSON.stringify({
    ...{ jsonrpc: '2.0', id: key, method: 'tools/call' },
    params: {
      name: 'read',
      arguments: {
        relation: 'films',
        filters: { id: `eq.${String(key)}` },
        select: 'id,title',
        limit: 100,
      },
      _meta: {
        [`${PREFIX}protocolVersion`]: '2026-07-28',
        [`${PREFIX}clientInfo`]: { name: 'bench', version: '1' },
        [`${PREFIX}clientCapabilities`]: {},
      },
    },
  }),
});

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

function send(url: string, { method, path, headers, body }: Message): Promise<void> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const sent = httpRequest(
      { agent, hostname, port, method, path, headers: { ...headers, ...length } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => void (text += part));
        response.on('end', () =>
          response.statusCode === 200 && text.includes('film ') ? resolve() : reject(new Error(text)),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

interface Contender {
  readonly name: string;
  readonly serving: ServingProcess;
  readonly message: (key: number) => Message;
  readonly times: number[];
}

let sent = 0;

/** @returns microseconds of the process for each request */
async function round({ serving, message }: Contender): Promise<number> {
  const pid = serving.child.pid ?? 0;
  const before = await ticksOf(pid);
  let left = PER_ROUND;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) await send(serving.url, message(1 + (sent++ % 10_000)));
    }),
  );
  return (((await ticksOf(pid)) - before) * TICK_US) / PER_ROUND;
}

const server = await startTestServer();
const processes: ServingProcess[] = [];
try {
  await withSession(server.uri, (session) => session.script(SCHEMA));
  const common = {
    ...{ DBR_DB_URI: server.uri, DBR_AREAS: 'data-api', DBR_LOG_LEVEL: 'crit' },
    ...{ DBR_DB_ANON_ROLE: 'agent_bench', DBR_DB_MAX_ROWS: '1000' },
  };
  for (const isOn of ['false', 'true']) {
    const serving = await serveDbr({ ...common, DBR_MCP_ENABLED: isOn });
    processes.push(serving);
    await untilReady(serving);
  }
  const [without, withAgents] = processes;
  if (without === undefined || withAgents === undefined) throw new Error('no service');
  const contenders: readonly Contender[] = [
    { name: 'request, without agents', serving: without, message: request, times: [] },
    { name: 'request, with agents', serving: withAgents, message: request, times: [] },
    { name: 'call of read', serving: withAgents, message: call, times: [] },
  ];
  for (let number = 0; number <= ROUNDS; number += 1)
    for (const contender of number % 2 === 0 ? contenders : contenders.toReversed()) {
      const time = await round(contender);
      // The first round warms up.
      if (number > 0) contender.times.push(time);
    }
  const base = median(contenders[1]?.times ?? []);
  for (const { name, times } of contenders) {
    const time = median(times);
    console.log(`${name}: ${time.toFixed(1)} µs (${(time - base).toFixed(1)} more)`);
  }
} finally {
  agent.destroy();
  for (const serving of processes) await serving.stop();
  await server.remove();
}
