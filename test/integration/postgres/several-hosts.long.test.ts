import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { closeDatabase, openDatabase } from '../../../src/postgres/database.js';
import type { Batch } from '../../../src/postgres/batch.js';
import { listen } from '../../../src/postgres/listener.js';
import { openPool } from '../../../src/postgres/pool.js';
import { ConnectFailed } from '../../../src/postgres/postgres-error.js';
import { inSeparateTransactions, inTransaction, transactionRole } from '../../../src/postgres/transaction.js';
import { query as namedQuery } from '../../support/postgres/query.js';
import { withSession } from '../../../src/postgres/session.js';
import { bodies, POOL_OPTIONS, query, read, rejection, write } from '../../support/postgres/batches.js';
import {
  findFreePort,
  startStandby,
  startTestServer,
  type TestServer,
} from '../../support/postgres/database.js';
import { openRelay } from '../../support/postgres/relay.js';
import { until } from '../../support/until.js';

const NO_ROLE = { role: transactionRole(namedQuery('select where false').text), parameters: [] };
const PORT = query(`select current_setting('port')`);

describe('a connection string with several hosts', function () {
  this.timeout(120_000);
  let primary: TestServer;
  let standby: TestServer;
  let closedPort: number;
  const uriOf = (ports: readonly number[], parameters = ''): string => {
    const { username, password } = new URL(primary.uri);
    const hosts = ports.map((port) => `127.0.0.1:${String(port)}`).join(',');
    return `postgresql://${username}:${password}@${hosts}/postgres?${parameters}`;
  };
  /** The port of the server to which the connection of a pool goes. */
  async function portOf(uri: string): Promise<string> {
    const database = openDatabase(uri, { poolSize: 1 });
    const pool = openPool(database, { ...POOL_OPTIONS, size: 1 });
    try {
      return bodies(await pool.run(read(PORT)))[0] ?? '';
    } catch (error) {
      if (error instanceof ConnectFailed) return error.message;
      throw error;
    } finally {
      await pool.close();
      await closeDatabase(database);
    }
  }

  before(async () => {
    primary = await startTestServer();
    standby = await startStandby(primary, 'standby');
    closedPort = await findFreePort();
  });
  after(async () => {
    await standby.remove();
    await primary.remove();
  });

  it('uses the first server whose session is what target_session_attrs requires', async () => {
    const both = [primary.port, standby.port];
    const reversed = both.toReversed();
    for (const [target, ports, chosen] of [
      ['any', both, primary.port],
      ['any', reversed, standby.port],
      ['read-write', reversed, primary.port],
      ['primary', reversed, primary.port],
      ['read-only', both, standby.port],
      ['standby', both, standby.port],
      ['prefer-standby', both, standby.port],
      ['prefer-standby', [closedPort, primary.port], primary.port],
    ] as const)
      expect(
        await portOf(uriOf(ports, `target_session_attrs=${target}`)),
        `${target} of ${String(ports)}`,
      ).to.equal(String(chosen));
  });

  it('names every server and the reason for refusing it', async () => {
    const to = (port: number): string => `connection to server at "127.0.0.1", port ${String(port)} failed: `;
    const refused =
      'Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?';
    expect(await portOf(uriOf([closedPort, standby.port], 'target_session_attrs=read-write'))).to.equal(
      `${to(closedPort)}${refused}\n${to(standby.port)}session is read-only`,
    );
    for (const [target, port, reason] of [
      ['primary', standby.port, 'server is in hot standby mode'],
      ['standby', primary.port, 'server is not in hot standby mode'],
      ['read-only', primary.port, 'session is not read-only'],
    ] as const)
      expect(await portOf(uriOf([port], `target_session_attrs=${target}`))).to.equal(`${to(port)}${reason}`);
  });

  it('tries the next server when one is away or silent, and not when it refuses the login', async () => {
    expect(await portOf(uriOf([closedPort, primary.port]))).to.equal(String(primary.port));
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    expect(await portOf(uriOf([port, primary.port], 'connect_timeout=1'))).to.equal(String(primary.port));
    silent.close();
    const wrong = uriOf([closedPort, primary.port, standby.port]).replace(/:[^:@]*@/, ':wrong@');
    const message = await portOf(wrong);
    expect(message).to.contain(`port ${String(primary.port)} failed: FATAL:  password authentication failed`);
    expect(message).not.to.contain(String(standby.port));
  });

  it('tries again when the chosen server falls silent before its session is checked', async () => {
    let checks = 0;
    const relay = await openRelay(primary.uri, {
      // The first check is that of the connection for trial.
      fromClient: (send) => (chunk) => {
        if (!chunk.includes('pg_is_in_recovery') || ++checks !== 2) send(chunk);
      },
    });
    const uri = `${relay.uri}?target_session_attrs=read-write&connect_timeout=1`;
    const database = openDatabase(uri, { poolSize: 1 });
    const pool = openPool(database, { ...POOL_OPTIONS, size: 1 });
    try {
      expect(await rejection(pool.run(read(PORT)))).to.be.instanceOf(ConnectFailed);
      await until(() => pool.state.up);
      expect(bodies(await pool.run(read(PORT)))).to.deep.equal([String(primary.port)]);
    } finally {
      await pool.close();
      await closeDatabase(database);
      await relay.close();
    }
  });

  it('distributes connections with load_balance_hosts=random', async () => {
    const seen = new Set<string>();
    const uri = uriOf([primary.port, standby.port], 'load_balance_hosts=random');
    for (let attempt = 0; attempt < 60 && seen.size < 2; attempt++) seen.add(await portOf(uri));
    expect(seen.size).to.equal(2);
  });

  it('serves sessions and the pool of the driver likewise', async () => {
    const uri = uriOf([closedPort, standby.port, primary.port], 'target_session_attrs=primary');
    await withSession(uri, async (session) => {
      expect(await session.query(`select current_setting('port') as port`)).to.deep.equal([
        { port: String(primary.port) },
      ]);
    });
    const database = openDatabase(uri, { poolSize: 2 });
    expect(await database.one(`select current_setting('port') as port`)).to.deep.equal({
      port: String(primary.port),
    });
    await closeDatabase(database);
    const away = openDatabase(uriOf([closedPort, standby.port], 'target_session_attrs=primary'), {
      poolSize: 1,
    });
    expect(await rejection(away.any('select 1'))).to.be.instanceOf(ConnectFailed);
    await closeDatabase(away);
  });

  /** Fences the primary off with its connections open, as a failover manager may, and promotes the standby. */
  async function switchOver(): Promise<void> {
    await withSession(primary.uri, async (session) => {
      await session.script('create table public.moves (id int)');
    });
    await until(async () =>
      withSession(standby.uri, async (session) => {
        const [row] = await session.query(`select to_regclass('public.moves') is not null as exists`);
        return row?.['exists'] === true;
      }),
    );
    await withSession(standby.uri, (session) => session.query('select pg_promote()'));
    await withSession(primary.uri, async (session) => {
      await session.query('alter system set default_transaction_read_only = on');
      await session.query('select pg_reload_conf()');
    });
  }

  it('leaves a server that has become read-only: with writes, which are repeated, with reads and as a listener', async () => {
    const database = openDatabase(uriOf([primary.port, standby.port], 'target_session_attrs=read-write'), {
      poolSize: 3,
    });
    const pool = openPool(database, { ...POOL_OPTIONS, size: 3 });
    const readers = openPool(database, { ...POOL_OPTIONS, size: 1 });
    const heard: string[] = [];
    const listener = listen(database, {
      channels: ['moves'],
      onNotification: (_channel, payload) => heard.push(payload),
      onListening: () => undefined,
      observe: () => undefined,
      lostAs: 'reload-listener-lost',
    });
    await until(() => listener.isListening);
    const portsOf = async (batch: Batch): Promise<readonly (string | null)[]> =>
      (await Promise.all([pool.run(batch), pool.run(batch), pool.run(batch)])).flatMap(bodies);
    expect(await portsOf(write(PORT))).to.deep.equal(Array(3).fill(String(primary.port)));
    expect(bodies(await readers.run(read(PORT)))).to.deep.equal([String(primary.port)]);
    const inTransactions = async (text: string): Promise<readonly unknown[]> => {
      const run = (way: typeof inTransaction): Promise<readonly unknown[]> =>
        way(pool, NO_ROLE, (task) => task.any({ text: namedQuery(text).text, values: [] }));
      return (await Promise.all([run(inTransaction), run(inSeparateTransactions)])).flat();
    };
    const ports = await inTransactions(`select current_setting('port') as port`);
    expect(ports).to.deep.equal(Array(2).fill({ port: String(primary.port) }));
    await switchOver();
    const insert = write(query('insert into public.moves values (1) returning current_setting($1)', 'port'));
    // Each process of the former primary reads the configuration at its own time.
    await until(async () => (await portsOf(insert)).every((port) => port === String(standby.port)));
    expect(bodies(await pool.run(read(PORT)))).to.deep.equal([String(standby.port)]);
    const moved = await inTransactions(
      `insert into public.moves values (2) returning current_setting('port') as port`,
    );
    expect(moved).to.deep.equal(Array(2).fill({ port: String(standby.port) }));
    await until(async () => bodies(await readers.run(read(PORT)))[0] === String(standby.port));
    await until(async () => {
      await withSession(standby.uri, (session) => session.query(`notify moves, 'to the new primary'`));
      return heard.includes('to the new primary');
    });
    await listener.close();
    await pool.close();
    await readers.close();
    await closeDatabase(database);
  });

  it('reports a write that was refused twice because the server is read-only', async () => {
    const database = openDatabase(uriOf([primary.port], 'target_session_attrs=primary'), { poolSize: 1 });
    const pool = openPool(database, { ...POOL_OPTIONS, size: 1 });
    const error = await rejection(pool.run(write(query('insert into public.moves values (1)'))));
    expect(error).to.be.instanceOf(ConnectFailed);
    expect(error).to.have.property(
      'message',
      `connection to server at "127.0.0.1", port ${String(primary.port)} failed: session is read-only`,
    );
    await pool.close();
    await closeDatabase(database);
  });
});
