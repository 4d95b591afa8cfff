import { expect } from 'chai';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolderLock, FolderInUse, type FolderLock } from '../../src/folder-lock.js';
import { runningPostmaster, stopPostmaster } from '../../src/postmaster.js';
import { startEmbedded } from '../../src/start-embedded.js';
import { packageRoot } from '../../../../src/base/package.js';
import { withSession } from '../../../../src/postgres/session.js';
import type { Refused, Started } from '../../../../test/support/postgres/embedded-process.js';

const observe = (): void => undefined;
const UNSHARE = '/usr/bin/unshare';
const mayUnshare = process.getuid?.() === 0 && existsSync(UNSHARE);

describe('the lock of a folder', () => {
  let folder: string;
  const locks: FolderLock[] = [];
  const lock = (): FolderLock => {
    const made = createFolderLock(folder);
    locks.push(made);
    return made;
  };
  const refusal = async (work: Promise<unknown>): Promise<unknown> => {
    try {
      return await work;
    } catch (error) {
      return error;
    }
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dbr-lock-'));
  });
  afterEach(async () => {
    await Promise.all(locks.splice(0).map((each) => each.release()));
    await rm(folder, { recursive: true, force: true });
  });

  it('names the folder where it cannot be made', async function () {
    if (process.platform !== 'linux') return this.skip();
    const refused = await refusal(createFolderLock('/proc').take());
    expect(refused)
      .to.have.property('message')
      .that.matches(/ \/proc\/lock-draft\.[\w-]+$/);
  });

  it('is for one holder, which the refusal names, and free when it is released', async () => {
    const first = lock();
    expect(await first.take()).to.equal(true);
    expect(await first.take()).to.equal(true);
    const refused = await refusal(lock().take());
    expect(refused).to.be.instanceOf(FolderInUse);
    expect(refused).to.include({
      mayPass: true,
      message: `The data in ${folder} is in use by process ${String(process.pid)} on ${hostname()}: two servers would destroy it. Stop that one, or choose another data-directory`,
    });
    await first.release();
    expect(await lock().take()).to.equal(true);
  });

  it('may pass from a holder that ends before it names itself', async () => {
    const ending = createServer((socket) => socket.destroy()).listen(join(folder, 'lock.1'));
    await once(ending, 'listening');
    expect(await refusal(lock().take()))
      .to.be.instanceOf(FolderInUse)
      .with.property('mayPass', true);
    ending.close();
    expect(await lock().take()).to.equal(true);
  });

  it('is for one of many that find that its holder has died', async () => {
    for (let round = 1; round <= 20; round += 1) {
      const rivals = Array.from({ length: 12 }, lock);
      const outcomes = await Promise.all(rivals.map((rival) => refusal(rival.take())));
      expect(outcomes.filter((outcome) => outcome === true)).to.have.lengthOf(1);
      expect(outcomes.filter((outcome) => outcome instanceof FolderInUse)).to.have.lengthOf(11);
      await Promise.all(rivals.map((rival) => rival.release()));
    }
    expect((await readdir(folder)).length).to.be.lessThan(25);
    expect(await lock().take()).to.equal(true);
    expect(await readdir(folder)).to.have.lengthOf(1);
  });

  it('works in a folder whose path is longer than the address of a socket', async () => {
    if (process.platform !== 'linux') return;
    folder = join(folder, 'a'.repeat(120));
    await mkdir(folder);
    expect(await lock().take()).to.equal(true);
    expect(await refusal(lock().take())).to.be.instanceOf(FolderInUse);
  });
});

(mayUnshare ? describe : describe.skip)('the embedded server in two containers', function () {
  this.timeout(120_000);
  let directory: string;
  let stopped: string;
  const children: ChildProcess[] = [];

  before(async () => {
    stopped = await mkdtemp(join(tmpdir(), 'dbr-embedded-'));
    await (await startEmbedded({ directory: stopped, observe })).stop();
  });
  after(() => rm(stopped, { recursive: true, force: true }));
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'dbr-embedded-'));
    execFileSync('cp', ['-a', `${stopped}/.`, directory]);
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await ended;
    }
    await stopPostmaster(join(directory, 'postgres', 'data'));
    await rm(directory, { recursive: true, force: true });
  });

  /** Starts the server in a namespace of processes of its own, which ends with the child. */
  async function startInside(): Promise<[ChildProcess, Started | Refused]> {
    const script = join(packageRoot(), 'test/support/postgres/embedded-process.ts');
    const child = spawn(
      UNSHARE,
      [
        '--pid',
        '--fork',
        '--kill-child',
        '--mount-proc',
        process.execPath,
        '--import',
        'tsx',
        script,
        directory,
      ],
      { cwd: packageRoot(), stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
    );
    children.push(child);
    const [message] = (await once(child, 'message')) as [Started | Refused];
    return [child, message];
  }
  const started = (message: Started | Refused): Started => {
    if ('refused' in message) throw new Error(message.refused);
    return message;
  };
  const refused = (message: Started | Refused): string =>
    'refused' in message ? message.refused : 'started';
  const pidFile = (): Promise<string> =>
    readFile(join(directory, 'postgres', 'data', 'postmaster.pid'), 'utf8');
  const IN_USE =
    /^The data in \S+\/postgres is in use by process \d+ on \S+: two servers would destroy it\. /;

  it('runs in the first, the second is refused, and a third takes over when the first is gone', async () => {
    const [first, message] = await startInside();
    const { ownerUri } = started(message);
    await withSession(ownerUri, (session) => session.query('create table public.kept as select 1 as id'));
    const before = await pidFile();
    expect(refused((await startInside())[1])).to.match(IN_USE);
    let error = '';
    await startEmbedded({ directory, observe }).catch((thrown: unknown) => (error = String(thrown)));
    expect(error.replace(/^\w+( \[\w+\])?: /, '')).to.match(IN_USE);
    expect(await pidFile()).to.equal(before);
    expect(
      await withSession(ownerUri, (session) => session.query('select id from public.kept')),
    ).to.deep.equal([{ id: 1 }]);
    const ended = once(first, 'exit');
    first.kill('SIGKILL');
    await ended;
    // The container is gone with its processes: another one takes over.
    const [, next] = await startInside();
    expect(
      await withSession(started(next).ownerUri, (session) => session.query('select id from public.kept')),
    ).to.deep.equal([{ id: 1 }]);
  });

  it('stays with the container of a server that has outlived its service', async () => {
    // The server is a process of this namespace, and its service is killed.
    const script = join(packageRoot(), 'test/support/postgres/embedded-process.ts');
    const service = spawn(process.execPath, ['--import', 'tsx', script, directory], {
      cwd: packageRoot(),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    children.push(service);
    await once(service, 'message');
    const ended = once(service, 'exit');
    service.kill('SIGKILL');
    await ended;
    const running = await runningPostmaster(join(directory, 'postgres', 'data'));
    expect(running).not.to.equal(null);
    expect(refused((await startInside())[1])).to.match(
      /^The data in \S+\/postgres is in use by a PostgreSQL server of another container: /,
    );
    expect(await runningPostmaster(join(directory, 'postgres', 'data'))).to.deep.equal(running);
    const adopted = await startEmbedded({ directory, observe });
    expect(adopted.adopted).to.equal(true);
    await adopted.stop();
  });
});
