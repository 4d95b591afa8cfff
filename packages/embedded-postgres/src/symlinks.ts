import { isObject } from '../../../src/embedded-face.js';
import { readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/**
 * Creates the symbolic links of the shared libraries, which npm cannot package. The package does so itself when it is
 * installed, but not under `npm ci --ignore-scripts`; `pg-symlinks.json` beside the binaries lists them. Existing
 * links are not changed, and a folder that cannot be written is not an error: the binaries are copied then.
 */
export async function restoreSymlinks(packageFolder: string): Promise<void> {
  for (const { source, target } of await readLinks(packageFolder)) {
    const link = join(packageFolder, target);
    await symlink(relative(dirname(target), source), link).catch(() => undefined);
  }
}

interface Link {
  readonly source: string;
  readonly target: string;
}

async function readLinks(packageFolder: string): Promise<readonly Link[]> {
  const text = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: unknown = JSON.parse(text);
  return Array.isArray(links) ? links.filter(isLink) : [];
}

const isLink = (value: unknown): value is Link =>
  isObject(value) && typeof value['source'] === 'string' && typeof value['target'] === 'string';
