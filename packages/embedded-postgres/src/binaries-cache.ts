import { makeFolders, objectOf } from '../../../src/embedded-face.js';
import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedServerError } from './embedded-server-error.js';
import { restoreSymlinks } from './symlinks.js';

/** Root has its cache in /var/cache, other users below their home folder; the temporary folder is tried last. */
export function defaultCacheFolders(): readonly string[] {
  const uid = process.getuid?.() ?? 0;
  const home = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return [uid === 0 ? '/var/cache/dbr' : join(home, 'dbr'), join(tmpdir(), `dbr-cache-${String(uid)}`)];
}

/**
 * Copies the package's binaries so that every account may read and run them, once for each version (60 MB, a tenth of
 * a second). This is necessary if the package lies below a folder that other accounts cannot enter, such as root's
 * home.
 *
 * @returns the folder of the copy, in which `native/` lies as it does in the package
 * @throws EmbeddedServerError if each of the cache folders can be written by other accounts
 */
export async function copyReadable(packageFolder: string, cacheFolders: readonly string[]): Promise<string> {
  const cache = await chooseCache(cacheFolders);
  const copy = join(
    cache,
    `postgresql-${await versionOf(packageFolder)}-${process.platform}-${process.arch}`,
  );
  if (!(await exists(copy))) await publish(packageFolder, copy);
  return copy;
}

/** Writes the copy beside its final place and renames it, so that no process finds a partial copy. */
async function publish(packageFolder: string, copy: string): Promise<void> {
  const draft = await mkdtemp(`${copy}.`);
  try {
    await cp(join(packageFolder, 'native'), join(draft, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await restoreSymlinks(draft);
    await openToAll(draft);
    await rename(draft, copy).catch(async (error: unknown) => {
      if (!(await exists(copy))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function chooseCache(folders: readonly string[]): Promise<string> {
  for (const folder of folders) {
    if (await isSafe(folder)) return folder;
  }
  throw new EmbeddedServerError(
    `no folder is safe for a copy of PostgreSQL (owned by this user, not writable by others): tried ${folders.join(' and ')}`,
  );
}

/**
 * Programs are run from this folder, so it must belong to this account, be no symbolic link, and not be writable by
 * others.
 */
async function isSafe(folder: string): Promise<boolean> {
  try {
    await makeFolders(folder, 0o755);
    const found = await lstat(folder);
    return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
  } catch {
    return false;
  }
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, ((await stat(path)).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

async function versionOf(packageFolder: string): Promise<string> {
  const { version } = objectOf(JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')));
  if (typeof version !== 'string') throw new EmbeddedServerError(`no version in ${packageFolder}`);
  return version;
}

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
