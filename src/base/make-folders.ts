/** Folders with those above them. */
import { mkdir, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);

/**
 * Makes a folder and those above it that are missing, or none. `mkdir` of Node.js with `recursive` never returns below
 * /proc, where making a folder in an existing one fails with ENOENT.
 * @returns the folders that it made, the outermost first
 * @throws the error of the system, except where something already has the path
 */
export async function makeFolders(path: string, mode = 0o777): Promise<readonly string[]> {
  let above: readonly string[] = [];
  try {
    await mkdir(path, mode).catch(async (error: unknown) => {
      if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
      above = await makeFolders(dirname(path), mode);
      await mkdir(path, mode);
    });
    return [...above, path];
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return above;
    for (const folder of above.toReversed()) await rmdir(folder).catch(() => undefined);
    throw error;
  }
}
