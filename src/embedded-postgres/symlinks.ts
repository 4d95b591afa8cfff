import { readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/**
 * Makes the symbolic links of the shared libraries that npm cannot carry. The package does so itself when it is
 * installed, but not under `npm ci --ignore-scripts`; `pg-symlinks.json` beside the binaries lists them.
 * Links that are there are left alone, and a folder that we cannot write to is no error: a copy is made then.
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

function isLink(value: unknown): value is Link {
  return (
    typeof value === 'object' &&
    value !== null &&
    'source' in value &&
    'target' in value &&
    typeof value.source === 'string' &&
    typeof value.target === 'string'
  );
}
