import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseAccount } from '../../src/account.js';
import { defaultCacheFolders } from '../../src/binaries-cache.js';
import { EMBEDDED_ROLES, makePasswords, readPasswords, writePasswords } from '../../src/passwords.js';
import { removeStaleFiles, runningPostmaster, stopPostmaster } from '../../src/postmaster.js';
import { isAlive, ownName } from '../../src/server-process.js';
import { restoreSymlinks } from '../../src/symlinks.js';

const isRoot = process.getuid?.() === 0;

async function failureOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'no failure';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('the files of the embedded PostgreSQL', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dbr-embedded-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  describe('passwords', () => {
    it('differ for each role, and are written once, for this account alone', async () => {
      const passwords = makePasswords();
      expect(new Set(Object.values(passwords)).size).to.equal(EMBEDDED_ROLES.length);
      for (const password of Object.values(passwords)) expect(password).to.match(/^[\w-]{32}$/);
      const file = join(folder, 'passwords.json');
      await writePasswords(file, passwords);
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
      expect(await readPasswords(file)).to.deep.equal(passwords);
      expect(await failureOf(writePasswords(file, makePasswords()))).to.match(/^EEXIST/);
      expect(await readPasswords(file)).to.deep.equal(passwords);
    });

    it('that are missing or damaged are refused without the text of the file', async () => {
      const file = join(folder, 'passwords.json');
      const refusal = `The passwords of the embedded database (${file}) are missing or damaged: restore the file, or remove its folder to begin with an empty database`;
      expect(await failureOf(readPasswords(file))).to.equal(refusal);
      const incomplete = { ...makePasswords(), service: undefined };
      for (const text of ['', '{"superuser":"secret', '"secret"', 'null', JSON.stringify(incomplete)]) {
        await writeFile(file, text);
        expect(await failureOf(readPasswords(file)), text).to.equal(refusal);
      }
    });
  });

  describe('the account of the server', () => {
    it('is that of this process, or for root the owner of the data, or nobody', async () => {
      if (!isRoot) {
        expect(await chooseAccount(folder)).to.equal(null);
        expect(await chooseAccount(join(folder, 'absent'))).to.equal(null);
        return;
      }
      const passwd = await readFile('/etc/passwd', 'utf8');
      const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+)/m.exec(passwd) ?? [];
      const nobody = { uid: Number(uid), gid: Number(gid) };
      expect(await chooseAccount(folder)).to.deep.equal(nobody);
      expect(await chooseAccount(join(folder, 'absent'))).to.deep.equal(nobody);
      await chown(folder, 12_345, 54_321);
      expect(await chooseAccount(folder)).to.deep.equal({ uid: 12_345, gid: 54_321 });
    });

    it('reaches the data by the working directory where root has given up its rights', () => {
      expect(ownName('/data', null)).to.equal('/data');
      const isLinux = process.platform === 'linux';
      expect(ownName('/data', { uid: 1, gid: 1 })).to.equal(isLinux ? '/proc/self/cwd' : '/data');
    });
  });

  describe('postmaster.pid', () => {
    const write = (lines: readonly (string | number)[]) =>
      writeFile(join(folder, 'postmaster.pid'), lines.join('\n'));

    it('is no proof of a server: its process must be one on this folder', async () => {
      expect(await runningPostmaster(folder)).to.equal(null);
      for (const first of ['', 'text', '0', '-1', '1.5', process.pid]) {
        await write([first, folder, '0', '5432', '', '127.0.0.1', '', 'ready   ']);
        expect(await runningPostmaster(folder), String(first)).to.equal(null);
      }
      await stopPostmaster(folder);
    });

    it('is removed with the sockets if another program has its number, and left if no process has', async () => {
      const file = join(folder, 'postmaster.pid');
      const ended = spawn('true');
      await once(ended, 'exit');
      expect(isAlive(ended.pid ?? 0)).to.equal(false);
      expect(isAlive(process.pid)).to.equal(true);
      await write([ended.pid ?? 0]);
      await writeFile(join(folder, '.s.PGSQL.5432'), '');
      await writeFile(join(folder, '.s.PGSQL.5432.lock'), '');
      await removeStaleFiles(folder);
      expect(existsSync(file)).to.equal(true);
      expect(existsSync(join(folder, '.s.PGSQL.5432'))).to.equal(false);
      expect(existsSync(join(folder, '.s.PGSQL.5432.lock'))).to.equal(false);
      await write([process.pid]);
      await removeStaleFiles(folder);
      expect(existsSync(file)).to.equal(false);
    });
  });

  describe('symbolic links of libraries', () => {
    it('are made as the package lists them, and existing ones stay', async () => {
      await mkdir(join(folder, 'native', 'lib'), { recursive: true });
      const links = [
        { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' },
        { source: 'native/lib/libpq.so.5', target: 'native/lib/kept' },
        { source: 'without a target' },
      ];
      await writeFile(join(folder, 'native', 'pg-symlinks.json'), JSON.stringify(links));
      await writeFile(join(folder, 'native', 'lib', 'kept'), 'file');
      await restoreSymlinks(folder);
      expect(await readlink(join(folder, 'native', 'lib', 'libpq.so.5'))).to.equal('libpq.so.5.18');
      expect(await readFile(join(folder, 'native', 'lib', 'kept'), 'utf8')).to.equal('file');
    });

    it('are none without a list', async () => {
      await restoreSymlinks(folder);
      expect(existsSync(join(folder, 'native'))).to.equal(false);
    });
  });

  it('are copied to a folder of the system for root, and of the user for others', () => {
    const [first = '', last = ''] = defaultCacheFolders();
    if (isRoot) expect(first).to.equal('/var/cache/dbr');
    else expect(first).to.match(/\/dbr$/);
    expect(last).to.equal(join(tmpdir(), `dbr-cache-${String(process.getuid?.() ?? 0)}`));
  });
});
