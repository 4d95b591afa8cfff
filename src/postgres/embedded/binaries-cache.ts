import { chmod, cp, lstat, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { EmbeddedServerError } from './embedded-server-error.js';
import { restoreSymlinks } from './symlinks.js';

/**
 * A copy of the package's binaries that every account may read and run, made once a version (60 MB, a tenth of a
 * second). Needed when the package lies below a folder closed to others, such as root's home.
 *
 * @returns the folder of the copy, which holds bin/, lib/ and share/.
 */
export async function copyReadable(native: string, version: string, platform: string): Promise<string> {
  const cache = await openCache();
  // The package puts `native/` into the paths of its links, so the copy keeps that name.
  const copy = join(cache, `postgresql-${version}-${platform}`);
  if (!(await exists(copy))) await publish(native, copy);
  return join(copy, 'native');
}

/** Written beside its final place and renamed, so that nobody ever sees half a copy. */
async function publish(native: string, copy: string): Promise<void> {
  const draft = await mkdtemp(`${copy}.`);
  try {
    await cp(native, join(draft, basename(native)), { recursive: true, verbatimSymlinks: true });
    await restoreSymlinks(join(draft, basename(native)));
    await openToAll(draft);
    await rename(draft, copy).catch(async (error: unknown) => {
      if (!(await exists(copy))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Root keeps caches in /var/cache, everybody else below their own home; the temporary folder is the last resort. */
async function openCache(): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const home = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const places = [
    uid === 0 ? '/var/cache/dbr' : join(home, 'dbr'),
    join(tmpdir(), `dbr-cache-${String(uid)}`),
  ];
  for (const place of places) {
    if (await isSafe(place, uid)) return place;
  }
  throw new EmbeddedServerError(`no folder for a copy of PostgreSQL: tried ${places.join(' and ')}`);
}

/** We run what lies there, so it must be ours, a real folder, and closed to the pens of others. */
async function isSafe(folder: string, uid: number): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o755 });
    const found = await lstat(folder);
    return found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0;
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

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
