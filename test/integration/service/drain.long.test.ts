import { expect } from 'chai';
import { once } from 'node:events';
import { openHealthClient } from '../../support/router/health-client.js';
import {
  createServiceProcesses,
  type OneOfMany,
  type ServiceProcesses,
} from '../../support/service/service-processes.js';
import { send } from '../../support/service/worker-connections.js';
import { until } from '../../support/until.js';
import { some } from '../../support/runs.js';

/** Longer than a test: only a signal ends it. */
const UNENDING = { DBR_SERVER_DRAIN_TIME: '3600' };

const statusOf = async (url: string): Promise<number> => (await send(url)).status;

const readiness = async ({ adminUrl }: OneOfMany): Promise<readonly [number, unknown]> => {
  const { status, body } = await send(`${adminUrl}/ready`);
  return [status, JSON.parse(body)];
};

/** Sends requests one after another, each on a connection of its own, until it is ended; returns the statuses. */
function requestAllTheTime(url: string): () => Promise<readonly number[]> {
  const statuses: number[] = [];
  let ended = false;
  const sending = (async () => {
    while (!ended) statuses.push(await statusOf(url).catch(() => 0));
  })();
  return async () => {
    ended = true;
    await sending;
    return statuses;
  };
}

describe('a service with server-drain-time', function () {
  this.timeout(240_000);
  let processes: ServiceProcesses;
  before(async () => {
    processes = await createServiceProcesses();
    await processes.database.superuser.none(`create table public.drained (id integer);
      create function public.hold() returns integer language sql volatile
        as 'select 1 from pg_catalog.pg_sleep(600)';
      grant select on public.drained to ${processes.anonymousRole};
      grant execute on function public.hold() to ${processes.anonymousRole}`);
  });
  after(() => processes.drop());

  for (const workers of some(['1', '2'], 2, 1))
    it(`accepts requests while /ready is 503, until a second signal: ${workers} worker(s)`, async () => {
      const service = await processes.start({ ...UNENDING, DBR_SERVER_WORKERS: workers });
      const [, port] = /router of signing parties serves on port (\d+)/.exec(service.output()) ?? [];
      const health = openHealthClient(Number(port));
      await health.becomes('SERVING');
      const endRequests = requestAllTheTime(`${service.url}/drained`);
      const ended = once(service.child, 'close');
      service.child.kill('SIGTERM');
      await until(async () => (await statusOf(`${service.adminUrl}/ready`)) === 503);
      expect(await readiness(service)).to.deep.equal([503, { ready: false, parts: { service: 'stopping' } }]);
      expect(await statusOf(`${service.adminUrl}/live`)).to.equal(200);
      await health.becomes('NOT_SERVING');
      for (let request = 0; request < 50; request += 1)
        expect(await statusOf(`${service.url}/drained`)).to.equal(200);
      const statuses = await endRequests();
      expect(statuses).to.not.be.empty;
      expect(statuses.filter((status) => status !== 200)).to.deep.equal([]);
      expect(service.output()).to.contain('draining: the service stops in 3600 s, or at the next signal');
      service.child.kill('SIGTERM');
      expect((await ended)[0]).to.equal(0);
      health.close();
    });

  it('stops by itself after the time', async () => {
    const service = await processes.start({ DBR_SERVER_DRAIN_TIME: '1' });
    const ended = once(service.child, 'close');
    const begin = performance.now();
    service.child.kill('SIGTERM');
    expect((await ended)[0]).to.equal(0);
    // The timer of the process may be a little ahead of this clock.
    expect(performance.now() - begin).to.be.greaterThan(900);
  });

  it('begins the stop at the second signal, and ends at the third', async () => {
    const service = await processes.start({ ...UNENDING, DBR_SERVER_SHUTDOWN_TIMEOUT: '3600' });
    const ended = once(service.child, 'close');
    const held = send(`${service.url}/rpc/hold`, { method: 'POST' }).catch(() => null);
    await until(async () => {
      const { held: count } = await processes.database.superuser.one<{ held: number }>(
        `select count(*)::integer as held from pg_catalog.pg_stat_activity
          where wait_event = 'PgSleep' and datname = pg_catalog.current_database()`,
      );
      return count > 0;
    });
    service.child.kill('SIGTERM');
    await until(() => service.output().includes('draining'));
    service.child.kill('SIGINT');
    await until(() =>
      send(service.url).then(
        () => false,
        () => true,
      ),
    );
    service.child.kill('SIGINT');
    expect((await ended)[0]).to.equal(1);
    expect(await held).to.equal(null);
  });
});
