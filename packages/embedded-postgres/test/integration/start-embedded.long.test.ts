import { expect } from 'chai';
import { execFileSync, fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chooseAccount, type Account } from '../../src/account.js';
import { findBinaries } from '../../src/binaries.js';
import { EmbeddedServerError } from '../../src/embedded-server-error.js';
import { openCluster } from '../../src/cluster.js';
import { runningPostmaster, startPostmaster, stopPostmaster } from '../../src/postmaster.js';
import { startEmbedded, type EmbeddedServer } from '../../src/start-embedded.js';
import { packageRoot } from '../../../../src/base/package.js';
import { withSession } from '../../../../src/postgres/session.js';
import { findFreePort } from '../../../../test/support/postgres/database.js';
import type { Refused, Started } from '../../../../test/support/postgres/embedded-process.js';
import { findSystemPrograms } from '../../../../test/support/postgres/system-programs.js';
import { inAllRuns, some } from '../../../../test/support/runs.js';

const observe = (): void => undefined;
const asRoot = process.getuid?.() === 0;

describe('startEmbedded', () => {
  let directory: string;
  let stopped: string;
  const children: ChildProcess[] = [];

  /** The postmaster.pid of the server that was stopped. */
  let pidText: string;

  before(async () => {
    stopped = await mkdtemp(join(tmpdir(), 'dbr-embedded-'));
    const server = await startEmbedded({ directory: stopped, observe });
    pidText = await readFile(join(dataIn(stopped), 'postmaster.pid'), 'utf8');
    await server.stop();
  });
  after(async () => {
    await rm(stopped, { recursive: true, force: true });
  });
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'dbr-embedded-'));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await stopPostmaster(dataIn(directory));
    await rm(directory, { recursive: true, force: true });
  });

  const dataIn = (folder: string): string => join(folder, 'postgres', 'data');
  /** A copy of a cluster made before, for tests that do not test initialization; owners are kept. */
  const useStoppedServer = (): void => {
    execFileSync('cp', ['-a', `${stopped}/.`, directory]);
  };
  const start = async (): Promise<EmbeddedServer> => await startEmbedded({ directory, observe });
  const ask = async (uri: string, text: string): Promise<unknown> =>
    await withSession(uri, (session) => session.query(text));

  /** Starts the embedded server in a separate process, optionally as another user. */
  const startElsewhere = async (
    account: Account = null,
    program: readonly [string, ...string[]] = [process.execPath],
  ): Promise<[ChildProcess, Started | Refused]> => {
    // Below a folder closed to the account the package cannot be read, and a copy of it is on PATH instead.
    const { postgres } = await findBinaries(account);
    const ids = account === null ? [] : [String(account.uid), String(account.gid)];
    const child = fork(
      join(packageRoot(), 'test/support/postgres/embedded-process.ts'),
      [directory, ...ids],
      {
        execPath: program[0],
        execArgv: [...program.slice(1), '--import', 'tsx'],
        cwd: packageRoot(),
        env: { ...process.env, PATH: `${dirname(postgres)}:${process.env['PATH'] ?? ''}` },
      },
    );
    children.push(child);
    const [message] = (await once(child, 'message')) as [Started | Refused];
    return [child, message];
  };
  const started = (message: Started | Refused): Started => {
    if ('refused' in message) throw new Error(message.refused);
    return message;
  };

  it('creates the database and its three roles, and keeps data and port over a restart', async () => {
    const first = await start();
    expect(first.adopted).to.equal(false);
    await ask(first.uri('owner'), 'create table public.kept as select 1 as id');
    expect(
      await ask(
        first.uri('service'),
        `select current_user::text as me, current_database()::text as database,
                pg_catalog.current_setting('server_encoding') as encoding, 'Z' < 'a' as by_code_point,
                pg_catalog.pg_has_role('dbr_notifications_user', 'member') as notifies,
                pg_catalog.pg_has_role('dbr_signing_service', 'member') as signs,
                pg_catalog.pg_has_role('dbr_signing_sweeper', 'usage') as sees_every_tenant_unasked`,
      ),
    ).to.deep.equal([
      {
        me: 'dbr_service',
        database: 'dbr',
        encoding: 'UTF8',
        by_code_point: true,
        notifies: true,
        signs: true,
        sees_every_tenant_unasked: false,
      },
    ]);
    expect(
      await ask(
        first.uri('authenticator'),
        `select rolinherit, rolsuper, rolcreaterole, rolbypassrls from pg_catalog.pg_roles where rolname = current_user`,
      ),
    ).to.deep.equal([{ rolinherit: false, rolsuper: false, rolcreaterole: false, rolbypassrls: false }]);
    await first.stop();
    expect(await runningPostmaster(dataIn(directory))).to.equal(null);

    const second = await start();
    expect(second.port).to.equal(first.port);
    expect(second.uri('owner')).to.equal(first.uri('owner'));
    expect(await ask(second.uri('owner'), 'select id from public.kept')).to.deep.equal([{ id: 1 }]);
    await second.stop();
    expect(await readdir(directory)).to.deep.equal(['postgres']);
  });

  describe('while it runs', () => {
    let folder: string;
    let server: EmbeddedServer;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'dbr-embedded-'));
      execFileSync('cp', ['-a', `${stopped}/.`, folder]);
      server = await startEmbedded({ directory: folder, observe });
    });
    after(async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    });

    it('lets the owner create roles that the authenticator may switch to', async () => {
      await ask(server.uri('owner'), 'create role visitor nologin');
      await ask(server.uri('owner'), 'grant visitor to dbr_authenticator');
      expect(
        await withSession(server.uri('authenticator'), async (session) => {
          await session.query('set role visitor');
          return await session.query('select current_user::text as me');
        }),
      ).to.deep.equal([{ me: 'visitor' }]);
    });

    it('listens on loopback only, with passwords readable by the owner alone', async () => {
      const files = join(folder, 'postgres');
      const mode = async (file: string): Promise<number> => (await stat(join(files, file))).mode & 0o777;
      expect(await mode('.')).to.equal(0o700);
      expect(await mode('data')).to.equal(0o700);
      expect(await mode('passwords.json')).to.equal(0o600);
      expect(await mode('server.log')).to.equal(0o600);
      expect(
        await ask(
          server.uri('superuser'),
          `select pg_catalog.current_setting('listen_addresses') as addresses,
                  pg_catalog.current_setting('unix_socket_directories') as sockets,
                  pg_catalog.current_setting('fsync') as fsync,
                  (select count(*)::int from pg_catalog.pg_authid where rolcanlogin and rolpassword not like 'SCRAM-SHA-256%') as weak`,
        ),
      ).to.deep.equal([{ addresses: '127.0.0.1', sockets: '.', fsync: 'on', weak: 0 }]);
      const wrong = new URL(server.uri('owner'));
      wrong.password = 'wrong';
      const error: unknown = await ask(wrong.href, 'select 1').catch((reason: unknown) => reason);
      expect(error).to.have.property('code', '28P01');
    });

    it('writes no value of a statement into its log', async () => {
      await ask(server.uri('owner'), `select 'a secret value' from nowhere`).catch(() => undefined);
      // The line of an error is written before the answer.
      const log = await readFile(join(folder, 'postgres', 'server.log'), 'utf8');
      expect(log).not.to.contain('secret value');
    });

    it('is reached by its socket', async () => {
      const { hostname, username, pathname } = new URL(server.uri('service'));
      expect([decodeURIComponent(hostname), username, pathname]).to.deep.equal([
        dataIn(folder),
        'dbr_service',
        '/dbr',
      ]);
      expect(
        await ask(server.uri('service'), 'select pg_catalog.inet_client_addr()::text as address'),
      ).to.deep.equal([{ address: null }]);
    });

    if (asRoot)
      it('runs as the account nobody for root, below folders closed to others', async () => {
        const { uid } = await stat(dataIn(folder));
        const running = await runningPostmaster(dataIn(folder));
        expect((await stat(folder)).mode & 0o077).to.equal(0);
        expect(uid).not.to.equal(0);
        expect((await stat(`/proc/${String(running?.pid)}`)).uid).to.equal(uid);
      });
  });

  it('is reached on loopback where the path of the socket is too long', async () => {
    const long = join(directory, 'd'.repeat(100));
    execFileSync('cp', ['-a', stopped, long]);
    const far = await startEmbedded({ directory: long, observe });
    expect(new URL(far.uri('service')).host).to.equal(`127.0.0.1:${String(far.port)}`);
    expect(
      await ask(far.uri('service'), 'select pg_catalog.inet_client_addr()::text as address'),
    ).to.deep.equal([{ address: '127.0.0.1/32' }]);
    await far.stop();
  });

  it('adopts the server of a process that was killed', async () => {
    useStoppedServer();
    const [child, message] = await startElsewhere();
    const { port, ownerUri } = started(message);
    await ask(ownerUri, 'create table public.kept as select 1 as id');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await runningPostmaster(dataIn(directory))).to.include({ port, status: 'ready' });

    const server = await start();
    expect(server).to.include({ port, adopted: true });
    expect(await ask(server.uri('owner'), 'select id from public.kept')).to.deep.equal([{ id: 1 }]);
    await server.stop();
    expect(await runningPostmaster(dataIn(directory))).to.equal(null);
  });

  it('shares one server among the processes on one folder, and the last process stops it', async () => {
    const both = await Promise.all([startElsewhere(), start()]);
    const [[child, message], server] = both;
    expect(started(message).port).to.equal(server.port);
    expect([started(message).adopted, server.adopted]).to.have.members([true, false]);
    await server.stop();
    expect(await ask(started(message).ownerUri, 'select 1 as one')).to.deep.equal([{ one: 1 }]);
    child.send('stop');
    await once(child, 'exit');
    expect(await runningPostmaster(dataIn(directory))).to.equal(null);
    expect(await readdir(directory)).to.deep.equal(['postgres']);
  });

  it('joins and stops the server as root of a container, which cannot look at processes of others', async function () {
    if (!asRoot || process.platform !== 'linux') return this.skip();
    useStoppedServer();
    const inContainer = ['setpriv', '--bounding-set=-sys_ptrace', process.execPath] as const;
    const [first, message] = await startElsewhere(null, inContainer);
    const [second, joined] = await startElsewhere(null, inContainer);
    expect(started(joined)).to.deep.equal({ ...started(message), adopted: true });
    for (const child of [first, second]) {
      child.send('stop');
      await once(child, 'exit');
    }
    expect(await runningPostmaster(dataIn(directory))).to.equal(null);
  });

  it('starts while the initdb of a killed process still writes, and removes its folder later', async () => {
    useStoppedServer();
    const draft = join(directory, `postgres.${String(await deadPid())}.draft`);
    await mkdir(draft);
    const write = 'i=0; while echo > "$0/$i"; do i=$((i + 1)); done';
    const writer = spawn('/bin/sh', ['-c', write, draft], { stdio: 'ignore' });
    // It ends by itself where the first start removes the folder between two of its files.
    const ended = once(writer, 'exit');
    children.push(writer);
    await until(async () => (await readdir(draft))[0] ?? null);
    await (await start()).stop();
    writer.kill();
    await ended;
    await (await start()).stop();
    expect(await readdir(directory)).to.deep.equal(['postgres']);
  });

  it('waits for a server that is shutting down, and starts it again', async () => {
    useStoppedServer();
    const first = await start();
    const [second] = await Promise.all([start(), first.stop()]);
    expect(await ask(second.uri('owner'), 'select 1 as one')).to.deep.equal([{ one: 1 }]);
    await second.stop();
    expect(await runningPostmaster(dataIn(directory))).to.equal(null);
  });

  it('restarts a server that died, on the same port', async () => {
    useStoppedServer();
    const server = await start();
    await ask(server.uri('owner'), 'create table public.kept as select 1 as id');
    const before = await runningPostmaster(dataIn(directory));
    process.kill(before?.pid ?? 0, 'SIGKILL');
    const after = await until(async () => {
      const found = await runningPostmaster(dataIn(directory));
      return found !== null && found.pid !== before?.pid && found.status === 'ready' ? found : null;
    });
    expect(after.port).to.equal(server.port);
    expect(await ask(server.uri('owner'), 'select id from public.kept')).to.deep.equal([{ id: 1 }]);
    await until(async () => {
      const rows = await ask(
        server.uri('superuser'),
        `select from pg_locks where locktype = 'advisory' and granted`,
      );
      return Array.isArray(rows) && rows.length > 0 ? true : null;
    });
    await server.stop();
    expect(await runningPostmaster(dataIn(directory))).to.equal(null);
  });

  for (const [stranger, pidOf] of some(
    [
      ['of another program', () => liveStranger()],
      ['of no program', deadPid],
    ] as const,
    2,
  ))
    it(`recovers from a stale postmaster.pid whose process id is that ${stranger}`, async () => {
      useStoppedServer();
      const text = pidText.replace(/^\d+/, String(await pidOf())).replace(stopped, directory);
      await writeFile(join(dataIn(directory), 'postmaster.pid'), text);
      const again = await start();
      expect(again.adopted).to.equal(false);
      await again.stop();
    });

  /** A process of the same user as the server, for which PostgreSQL would take it to be running. */
  const liveStranger = async (): Promise<number> => {
    const ids = (await chooseAccount(dataIn(directory))) ?? {};
    const child = spawn('sleep', ['60'], { ...ids, stdio: 'ignore' });
    children.push(child);
    await once(child, 'spawn');
    return child.pid ?? 0;
  };

  it('reports why it cannot use a folder', async () => {
    useStoppedServer();
    const refusal = async (): Promise<string> =>
      await start().then(
        async (server) => {
          await server.stop();
          return 'started';
        },
        (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : ''),
      );
    const version = join(dataIn(directory), 'PG_VERSION');
    await writeFile(version, '9\n');
    expect(await refusal()).to.match(
      /^EmbeddedServerError: The data in .* was written by PostgreSQL 9, but .* is version 18: /,
    );
    await rm(version);
    expect(await refusal()).to.match(/^EmbeddedServerError: .* contains no PostgreSQL cluster: /);
    await writeFile(version, '18\n');
    await rm(join(dataIn(directory), 'global'), { recursive: true });
    expect(await refusal()).to.match(
      /^EmbeddedServerError: PostgreSQL did not start \(exit status \d+\): .*global/,
    );
    await writeFile(join(directory, 'postgres', 'passwords.json'), '{"owner": 1}');
    expect(await refusal()).to.match(
      /^EmbeddedServerError: The passwords of the embedded database .* are missing or damaged/,
    );
  });

  it('leaves no server running where its roles cannot be made', async () => {
    useStoppedServer();
    // As `alter system` writes it.
    await appendFile(
      join(dataIn(directory), 'postgresql.auto.conf'),
      `default_transaction_read_only = 'on'\n`,
    );
    const error: unknown = await start().catch((reason: unknown) => reason);
    expect(error).to.have.property('message').that.contains('in a read-only transaction');
    expect(await runningPostmaster(dataIn(directory))).to.equal(null);
  });

  it('uses the configured port', async () => {
    useStoppedServer();
    await rm(join(directory, 'postgres', 'port'));
    const port = await findFreePort();
    const started = await startEmbedded({ directory, port, observe });
    expect(started.port).to.equal(port);
    await started.stop();
  });

  it('reports a configured port that is in use', async () => {
    useStoppedServer();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const error: unknown = await startEmbedded({ directory, port, observe }).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(EmbeddedServerError);
    expect(error)
      .to.have.property('message')
      .that.matches(/Address already in use/);
    other.close();
    expect(await runningPostmaster(dataIn(directory))).to.equal(null);
  });

  it('chooses another port when the stored one is in use', async () => {
    useStoppedServer();
    const stored = async (): Promise<number> =>
      Number(await readFile(join(directory, 'postgres', 'port'), 'utf8'));
    const first = await stored();
    const other = createServer().listen(first, '127.0.0.1');
    await once(other, 'listening');
    const second = await start();
    expect(second.port).not.to.equal(first);
    expect(await ask(second.uri('owner'), 'select 1 as one')).to.deep.equal([{ one: 1 }]);
    await second.stop();
    other.close();
    // The next start takes the port that is stored.
    expect(await stored()).to.equal(second.port);
  });

  it('reports stored passwords that the server does not accept', async () => {
    useStoppedServer();
    const file = join(directory, 'postgres', 'passwords.json');
    const passwords: unknown = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify(Object.assign({}, passwords, { superuser: 'another' })));
    const error: unknown = await start().catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(EmbeddedServerError);
    expect(error)
      .to.have.property('message')
      .that.matches(/does not accept the password/)
      .and.does.not.contain('another');
    expect(await runningPostmaster(dataIn(directory))).to.equal(null);
  });

  if (asRoot) {
    inAllRuns('works with an older PostgreSQL of the system, or reports what it needs', async function () {
      const programs = findSystemPrograms();
      if (programs === null || programs.major >= 16) return this.skip();
      const path = process.env['PATH'] ?? '';
      process.env['PATH'] = `${dirname(programs.postgres)}:${path}`;
      const source = { packageFolder: null, cacheFolders: [] };
      try {
        const closed = join(directory, 'closed');
        await mkdir(closed, { mode: 0o700 });
        const error: unknown = await openCluster(join(closed, '.dbr'), source).catch(
          (reason: unknown) => reason,
        );
        expect(error).to.be.instanceOf(EmbeddedServerError);
        expect(String(error)).to.match(/cannot reach .*: let other users enter the folders above it/);

        await chmod(directory, 0o711);
        const open = join(directory, '.dbr');
        const cluster = await openCluster(open, source);
        const port = await findFreePort();
        await startPostmaster({ ...cluster, port, parameters: {} });
        const uri = `postgresql://postgres:${cluster.passwords.superuser}@127.0.0.1:${String(port)}/postgres`;
        expect(await ask(uri, 'select 1 as one')).to.deep.equal([{ one: 1 }]);
        await stopPostmaster(cluster.dataDirectory);
        expect((await stat(join(open, 'postgres', 'passwords.json'))).mode & 0o077).to.equal(0);
      } finally {
        process.env['PATH'] = path;
      }
    });

    it('runs as the calling user, and refuses a folder of another user', async () => {
      const nobody = (await chooseAccount('/nowhere')) ?? { uid: 0, gid: 0 };
      await chown(directory, nobody.uid, nobody.gid);
      const [child, message] = await startElsewhere(nobody);
      expect(started(message).adopted).to.equal(false);
      child.send('stop');
      await once(child, 'exit');
      expect((await stat(dataIn(directory))).uid).to.equal(nobody.uid);

      await chown(directory, 0, 0);
      const [, refused] = await startElsewhere(nobody);
      expect(refused).to.deep.equal({
        refused:
          `The data in ${directory} belongs to the user with id 0, but dbr runs as id ${String(nobody.uid)}: ` +
          'start dbr as its owner, or choose another data-directory',
      });
    });
  }
});

async function until<Result>(look: () => Promise<Result | null>): Promise<Result> {
  for (;;) {
    const found = await look().catch(() => null);
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function deadPid(): Promise<number> {
  const child = spawn('true', { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}
