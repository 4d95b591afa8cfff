/** Puts what was built in place as a whole, so that a process which starts meanwhile finds no partial folder. */
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Fills a new folder beside `target` and puts it in its place. A `target` with the same files is left as it is, because
 * processes may be reading it.
 */
export async function replaceFolder(target: string, fill: (draft: string) => Promise<void>): Promise<void> {
  // With the rights of every new folder, which those of a temporary folder are not.
  const draft = `${target}.${String(process.pid)}`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  try {
    await fill(draft);
    if (await areEqual(draft, target)) return;
    const former = `${draft}.former`;
    await rename(target, former).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    await rename(draft, target);
    await rm(former, { recursive: true, force: true });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function areEqual(one: string, other: string): Promise<boolean> {
  const names = await filesIn(one);
  if (names.join('\n') !== (await filesIn(other)).join('\n')) return false;
  for (const name of names)
    if (!(await readFile(join(one, name))).equals(await readFile(join(other, name)))) return false;
  return true;
}

/** The paths of all files below a folder, sorted; none if it does not exist. */
async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
