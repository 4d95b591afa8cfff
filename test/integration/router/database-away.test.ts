import { Client, credentials, status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { refusal } from '../../support/router/router-host.js';
import {
  createRouterProcesses,
  type RouterProcess,
  type RouterProcesses,
} from '../../support/router/router-processes.js';
import { until } from '../../support/until.js';

type Serving = 'SERVING' | 'NOT_SERVING';

const asBytes = (bytes: Buffer): Buffer => bytes;
/** `HealthCheckResponse.ServingStatus` as field 1. */
const STATUSES: ReadonlyMap<string, Serving> = new Map([
  ['0801', 'SERVING'],
  ['0802', 'NOT_SERVING'],
]);

interface HealthClient {
  check(): Promise<Serving>;
  /** Waits until health is as expected. */
  becomes(expected: Serving): Promise<void>;
  close(): void;
}

function openHealthClient(port: number): HealthClient {
  const client = new Client(`127.0.0.1:${String(port)}`, credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
  });
  const check = (): Promise<Serving> =>
    new Promise((resolve, reject) => {
      const path = '/grpc.health.v1.Health/Check';
      client.makeUnaryRequest(path, asBytes, asBytes, Buffer.alloc(0), (error, answer) => {
        const serving = STATUSES.get(answer?.toString('hex') ?? '');
        if (serving === undefined) reject(error ?? new Error('an unknown status of health'));
        else resolve(serving);
      });
    });
  return {
    check,
    async becomes(expected) {
      await until(async () => (await check()) === expected);
    },
    close: () => client.close(),
  };
}

describe('a router whose database', function () {
  this.timeout(60_000);
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
  const AWAY = [status.UNAVAILABLE, 'the database is away: try again'];

  it('refuses connections (53300) reports NOT_SERVING and answers UNAVAILABLE', async () => {
    await health.becomes('SERVING');
    await change('connection limit 0');
    await disconnect();
    await health.becomes('NOT_SERVING');
    expect(await refusal(heartbeat())).to.deep.equal(AWAY);
    await change('connection limit -1');
    await health.becomes('SERVING');
    expect((await heartbeat()).draining).to.equal(false);
  });

  it('is read-only (25006) answers UNAVAILABLE', async () => {
    await change('set default_transaction_read_only = on');
    await disconnect();
    expect(await refusal(heartbeat())).to.deep.equal(AWAY);
    expect(await refusal(heartbeat())).to.deep.equal(AWAY);
    await health.becomes('NOT_SERVING');
    await change('reset default_transaction_read_only');
    await disconnect();
    await health.becomes('SERVING');
  });
});
