import { expect } from 'chai';
import { findFreePort } from '../../support/postgres/database.js';
import { natsMissing, startNatsServer } from '../../support/router/nats-server.js';
import { createRouterProcesses, type RouterProcesses } from '../../support/router/router-processes.js';

const missing = natsMissing();

describe(`processes of one database${missing === null ? '' : `: skipped, ${missing}`}`, function () {
  this.timeout(120_000);
  let processes: RouterProcesses;
  before(async function () {
    if (missing !== null) this.skip();
    processes = await createRouterProcesses({ name: 'NATS JetStream', missing: null, bus: true });
  });
  after(async () => {
    if (missing === null) await processes.drop();
  });

  const refusal = (started: Promise<unknown>): Promise<string> =>
    started.then(
      () => 'started',
      (error: unknown) => String(error),
    );

  it('keep the mailboxes in one place: a process with another bus-uri does not start', async () => {
    const first = await processes.start();
    // Another name of the same server counts as the same place.
    await processes.start(undefined, processes.mailboxUri.replace('127.0.0.1', 'localhost'));
    // So does a list with a server that is away.
    const away = `nats://127.0.0.1:${String(await findFreePort())}`;
    await processes.start(undefined, `${away},${processes.mailboxUri.replace('nats://', '')}`);
    const elsewhere = await startNatsServer();
    const message = await refusal(processes.start(undefined, elsewhere.uri));
    expect(message).to.contain('dbr ended with 1');
    expect(message).to.contain(
      'bus-uri: this process keeps the mailboxes in the NATS stream DBR_ROUTER made at',
    );
    await first.stop();
    await elsewhere.stop();
  });
});
