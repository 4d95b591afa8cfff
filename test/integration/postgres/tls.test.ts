import { expect } from 'chai';
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeDatabase, openDatabase } from '../../../src/postgres/database.js';
import { openLanes } from '../../../src/postgres/pool.js';
import { BatchAborted, ConnectFailed } from '../../../src/postgres/postgres-error.js';
import { bodies, callerOf, LANES, read, rejection, slowRead, step } from '../../support/batches.js';
import { startTestServer, type TestServer } from '../../support/database.js';
import { selfSigned } from '../../support/self-signed.js';

describe('a connection with TLS', () => {
  let server: TestServer;
  let folder: string;
  const query = (parameters: string): string => {
    const uri = new URL(server.uri);
    uri.hostname = 'localhost';
    return `${uri.href}?${parameters}`;
  };
  /** `version` of the protocol that a batch went through, or the reason why there was none. */
  const through = async (uri: string): Promise<string> => {
    const database = openDatabase(uri, { poolSize: 1 });
    const lanes = openLanes(database, LANES);
    try {
      const cipher = step(
        'select coalesce(version, $1) from pg_stat_ssl where pid = pg_backend_pid()',
        'open',
      );
      return bodies(await lanes.run(read(cipher)))[0] ?? '';
    } catch (error) {
      if (error instanceof ConnectFailed) return error.message;
      throw error;
    } finally {
      await lanes.close();
      await closeDatabase(database);
    }
  };

  before(async () => {
    server = await startTestServer();
    folder = await mkdtemp(join(tmpdir(), 'dbr-tls-'));
    const [ours, other] = [selfSigned('localhost'), selfSigned('localhost')];
    await writeFile(join(folder, 'root.crt'), ours.certificate);
    await writeFile(join(folder, 'other.crt'), other.certificate);
    expect(await through(query('sslmode=require'))).to.match(
      / failed: The server does not support SSL connections$/,
    );
    const { uid, gid } = await stat(server.dataDirectory);
    for (const [file, content] of [
      ['server.crt', ours.certificate],
      ['server.key', ours.key],
    ] as const) {
      const path = join(server.dataDirectory, file);
      await writeFile(path, content, { mode: 0o600 });
      await chown(path, uid, gid);
    }
    const database = openDatabase(server.uri, { poolSize: 1 });
    await database.any('alter system set ssl = on');
    await database.any('select pg_reload_conf()');
    await closeDatabase(database);
    while ((await through(query('sslmode=require'))).includes('does not support SSL'));
  });
  after(async () => {
    await server.remove();
    await rm(folder, { recursive: true });
  });

  it('is encrypted as far as it was asked to be, and verified as far as it was asked to be', async () => {
    const root = `sslrootcert=${folder}/root.crt`;
    const other = `sslrootcert=${folder}/other.crt`;
    expect(await through(query(''))).to.equal('open');
    for (const parameters of ['sslmode=require', `sslmode=verify-ca&${root}`, `sslmode=verify-full&${root}`])
      expect(await through(query(parameters)), parameters).to.equal('TLSv1.3');
    for (const parameters of [
      `sslmode=require&${other}`,
      `sslmode=verify-ca&${other}`,
      `sslmode=verify-full&${other}`,
      'sslmode=verify-full',
    ])
      expect(await through(query(parameters)), parameters).to.match(/ failed: .*(certificate|signature)/i);
  });

  it('is refused under another name only where the name is verified', async () => {
    const root = `sslrootcert=${folder}/root.crt`;
    const byAddress = (parameters: string) => query(parameters).replace('@localhost', '@127.0.0.1');
    expect(await through(byAddress(`sslmode=verify-ca&${root}`))).to.equal('TLSv1.3');
    expect(await through(byAddress(`sslmode=verify-full&${root}`))).to.match(
      / failed: .*does not match certificate|IP: 127.0.0.1 is not in the cert/,
    );
  });

  it('carries large bodies both ways, and cancels', async () => {
    const database = openDatabase(query('sslmode=require'), { poolSize: 1 });
    const lanes = openLanes(database, LANES);
    const big = Buffer.alloc(3_000_000, 'né');
    const [result] = await lanes.run(read(step('select $1::text', big)));
    expect(Buffer.concat(result?.rows[0]?.body ?? []).equals(big)).to.equal(true);
    const caller = new AbortController();
    const sleeping = rejection(lanes.run(slowRead(step('select pg_sleep(60)')), callerOf(caller.signal)));
    const asleep = step(`select count(*) from pg_stat_activity where wait_event = 'PgSleep'`);
    while (bodies(await lanes.run(read(asleep)))[0] !== '1');
    caller.abort();
    expect(await sleeping).to.be.instanceOf(BatchAborted);
    await lanes.close();
    await closeDatabase(database);
  });
});
