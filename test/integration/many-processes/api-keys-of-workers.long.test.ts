import { expect } from 'chai';
import type { Agent } from 'node:http';
import { newApiKey } from '../../../src/auth/api-keys.js';
import { sha256 } from '../../../src/base/hash.js';
import { createServiceProcesses, type ServiceProcesses } from '../../support/service/service-processes.js';
import { connectToAll, send } from '../../support/service/worker-connections.js';
import { until } from '../../support/until.js';

const KEY = newApiKey('own');

describe('API keys of several workers', function () {
  this.timeout(120_000);
  let processes: ServiceProcesses;
  let url = '';
  let agents: readonly Agent[] = [];
  before(async () => {
    processes = await createServiceProcesses();
    const { superuser, serviceUri } = processes.database;
    const { username } = new URL(serviceUri);
    await superuser.none(`
      create function public.backend() returns integer language sql volatile as 'select pg_catalog.pg_backend_pid()';
      grant execute on function public.backend() to ${processes.anonymousRole};
      grant usage on schema dbr_keys to ${username};
      grant select, update (last_used_at) on dbr_keys.api_keys to ${username};
      grant select on dbr_keys.revision to ${username}`);
    const service = await processes.start({
      DBR_SERVER_WORKERS: '2',
      DBR_DB_POOL: '2',
      DBR_API_KEYS: 'true',
      DBR_API_KEYS_REFRESH: '1',
      DBR_LOG_LEVEL: 'crit',
    });
    url = service.url;
    ({ agents } = await connectToAll(url, 2));
    await superuser.none(
      `insert into dbr_keys.api_keys (id, hash, name, rate_requests, rate_seconds)
       values ('0123456789ab', $1, 'workers', 6, 60)`,
      [sha256(KEY)],
    );
  });
  after(async () => {
    for (const agent of agents) agent.destroy();
    await processes.drop();
  });

  const statusAt = async (agent: Agent, apikey: string): Promise<number> =>
    (await send(`${url}/rpc/backend`, { agent, method: 'POST', headers: { apikey } })).status;

  it('have one rate for all, and are refused by all once they are revoked', async () => {
    const answers: number[] = [];
    for (const agent of agents)
      await until(async () => {
        const status = await statusAt(agent, KEY);
        if (status !== 401) answers.push(status);
        return status !== 401;
      });
    for (let turn = 0; turn < 4; turn += 1)
      for (const agent of agents) answers.push(await statusAt(agent, KEY));
    expect(answers).to.deep.equal([...Array<number>(6).fill(200), ...Array<number>(4).fill(429)]);
    await processes.database.superuser.none('update dbr_keys.api_keys set revoked_at = now()');
    for (const agent of agents) await until(async () => (await statusAt(agent, KEY)) === 401);
  });
});
