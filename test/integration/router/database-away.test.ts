import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { until } from '../../support/until.js';
import { openHealthClient, type HealthClient } from '../../support/router/health-client.js';
import { refusal } from '../../support/router/router-host.js';
import {
  createRouterProcesses,
  type RouterProcess,
  type RouterProcesses,
} from '../../support/router/router-processes.js';

describe('a router whose database', function () {
  this.timeout(120_000);
  let processes: RouterProcesses;
  let service: RouterProcess;
  let health: HealthClient;
  let role: string;
  before(async () => {
    processes = await createRouterProcesses({ name: 'PostgreSQL', missing: null, bus: false });
    service = await processes.start();
    health = openHealthClient(service.port);
    role = new URL(processes.fixture.database.serviceUri).username;
  });
  after(async () => {
    health.close();
    await processes.drop();
  });

  const change = (what: string) => processes.fixture.database.superuser.none(`alter role ${role} ${what}`);
  const disconnect = () =>
    processes.fixture.database.superuser.any(
      'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1',
      [role],
    );
  const heartbeat = () =>
    processes.connect(service.port, processes.fixture.parties[0]).heartbeat({ instanceId: 'i' });
  const refusedBy = (text: string) => [status.UNAVAILABLE, `the database refuses the call: ${text}`];

  it('refuses connections (53300) reports NOT_SERVING and answers UNAVAILABLE', async () => {
    await health.becomes('SERVING');
    await change('connection limit 0');
    await disconnect();
    await health.becomes('NOT_SERVING');
    expect(await refusal(heartbeat())).to.deep.equal([status.UNAVAILABLE, 'the database is away: try again']);
    await change('connection limit -1');
    await health.becomes('SERVING');
    // The pool waits before it connects again.
    await until(() =>
      heartbeat().then(
        ({ draining }) => !draining,
        () => false,
      ),
    );
  });

  it('is read-only (25006) answers UNAVAILABLE', async () => {
    await change('set default_transaction_read_only = on');
    await disconnect();
    const readOnly = refusedBy('cannot execute UPDATE in a read-only transaction (SQLSTATE 25006)');
    expect(await refusal(heartbeat())).to.deep.equal(readOnly);
    expect(await refusal(heartbeat())).to.deep.equal(readOnly);
    await health.becomes('NOT_SERVING');
    await change('reset default_transaction_read_only');
    await disconnect();
    await health.becomes('SERVING');
  });
});
