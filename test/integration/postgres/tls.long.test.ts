import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '../../../examples/parties/certificates.js';
import { closeDatabase, openDatabase } from '../../../src/postgres/database.js';
import { openPool } from '../../../src/postgres/pool.js';
import { BatchAborted, ConnectFailed } from '../../../src/postgres/postgres-error.js';
import {
  bodies,
  callerOf,
  POOL_OPTIONS,
  read,
  rejection,
  longRead,
  query,
} from '../../support/postgres/batches.js';
import { startTestServer, type TestServer } from '../../support/postgres/database.js';
import { until } from '../../support/until.js';

describe('a connection with TLS', () => {
  let server: TestServer;
  let folder: string;
  const uriWith = (parameters: string): string => {
    const uri = new URL(server.uri);
    uri.hostname = 'localhost';
    return `${uri.href}?${parameters}`;
  };
  /** The TLS version of the connection of a batch, or the reason of its failure. */
  const through = async (uri: string): Promise<string> => {
    const database = openDatabase(uri, { poolSize: 1 });
    const pool = openPool(database, POOL_OPTIONS);
    try {
      const cipher = query(
        'select coalesce(version, $1) from pg_stat_ssl where pid = pg_backend_pid()',
        'open',
      );
      return bodies(await pool.run(read(cipher)))[0] ?? '';
    } catch (error) {
      if (error instanceof ConnectFailed) return error.message;
      throw error;
    } finally {
      await pool.close();
      await closeDatabase(database);
    }
  };

  before(async () => {
    server = await startTestServer();
    folder = await mkdtemp(join(tmpdir(), 'dbr-tls-'));
    const [ours, other] = [createAuthority('localhost'), createAuthority('localhost')];
    await writeFile(join(folder, 'root.crt'), ours.certificate);
    await writeFile(join(folder, 'other.crt'), other.certificate);
    expect(await through(uriWith('sslmode=require'))).to.match(
      / failed: The server does not support SSL connections$/,
    );
    expect(await through(uriWith('sslmode=prefer'))).to.equal('open');
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
    while ((await through(uriWith('sslmode=require'))).includes('does not support SSL'));
  });
  after(async () => {
    await server.remove();
    await rm(folder, { recursive: true });
  });

  it('is encrypted and verified as sslmode demands', async () => {
    const root = `sslrootcert=${folder}/root.crt`;
    const other = `sslrootcert=${folder}/other.crt`;
    expect(await through(uriWith(''))).to.equal('open');
    for (const parameters of ['sslmode=require', `sslmode=verify-ca&${root}`, `sslmode=verify-full&${root}`])
      expect(await through(uriWith(parameters)), parameters).to.equal('TLSv1.3');
    for (const parameters of [
      `sslmode=require&${other}`,
      `sslmode=verify-ca&${other}`,
      `sslmode=verify-full&${other}`,
      'sslmode=verify-full',
    ])
      expect(await through(uriWith(parameters)), parameters).to.match(/ failed: .*(certificate|signature)/i);
  });

  it('is refused with channel_binding=require where the login proves no certificate', async () => {
    const bound = uriWith('sslmode=require&channel_binding=require');
    expect(await through(bound)).to.equal('TLSv1.3');
    const rules = join(server.dataDirectory, 'pg_hba.conf');
    const before = await readFile(rules, 'utf8');
    const reload = (): void =>
      void process.kill(
        Number(readFileSync(join(server.dataDirectory, 'postmaster.pid'), 'utf8').split('\n')[0]),
        'SIGHUP',
      );
    try {
      for (const [method, reason] of [
        ['trust', 'server authenticated client without channel binding'],
        ['password', "not supported by server's authentication request"],
      ] as const) {
        await writeFile(rules, `hostssl all all all ${method}\n`);
        reload();
        await until(async () => (await through(bound)).endsWith(`channel binding required, but ${reason}`));
      }
    } finally {
      await writeFile(rules, before);
      reload();
      await until(async () => (await through(bound)) === 'TLSv1.3');
    }
  });

  it('is refused for another host name only with sslmode=verify-full', async () => {
    const root = `sslrootcert=${folder}/root.crt`;
    const byAddress = (parameters: string) => uriWith(parameters).replace('@localhost', '@127.0.0.1');
    expect(await through(byAddress(`sslmode=verify-ca&${root}`))).to.equal('TLSv1.3');
    expect(await through(byAddress(`sslmode=verify-full&${root}`))).to.match(
      / failed: .*does not match certificate|IP: 127.0.0.1 is not in the cert/,
    );
  });

  it('carries large bodies in both directions, and cancel requests', async () => {
    const database = openDatabase(uriWith('sslmode=require'), { poolSize: 1 });
    const pool = openPool(database, POOL_OPTIONS);
    const big = Buffer.alloc(3_000_000, 'né');
    const [result] = await pool.run(read(query('select $1::text', big)));
    expect(Buffer.concat(result?.rows[0]?.body ?? []).equals(big)).to.equal(true);
    const caller = new AbortController();
    const sleeping = rejection(pool.run(longRead(query('select pg_sleep(60)')), callerOf(caller.signal)));
    const asleep = query(`select count(*) from pg_stat_activity where wait_event = 'PgSleep'`);
    while (bodies(await pool.run(read(asleep)))[0] !== '1');
    caller.abort();
    expect(await sleeping).to.be.instanceOf(BatchAborted);
    await pool.close();
    await closeDatabase(database);
  });

  it('is used with sslmode=prefer and sslmode=allow wherever the server has it, also if it refuses the login', async () => {
    expect(await through(uriWith('sslmode=prefer'))).to.equal('TLSv1.3');
    expect(await through(uriWith('sslmode=allow'))).to.equal('TLSv1.3');
    const rules = join(server.dataDirectory, 'pg_hba.conf');
    const before = await readFile(rules, 'utf8');
    for (const [kind, refusal, accepted] of [
      ['hostssl', 'sslmode=disable', 'TLSv1.3'],
      ['hostnossl', 'sslmode=require', null],
    ] as const) {
      await writeFile(rules, before.replaceAll(/^host\b/gm, kind));
      process.kill(
        Number((await readFile(join(server.dataDirectory, 'postmaster.pid'), 'utf8')).split('\n')[0]),
        'SIGHUP',
      );
      await until(async () => (await through(uriWith(refusal))).includes('no pg_hba.conf entry'));
      for (const mode of ['prefer', 'allow'])
        expect(await through(uriWith(`sslmode=${mode}`)), `${mode} with ${kind}`).to.match(
          accepted === null ? /no pg_hba\.conf entry/ : new RegExp(`^${accepted}$`),
        );
    }
  });
});
