import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of dbr's package.json, as an absolute path: where migrations and the published documents lie.
 * Searched upwards from this very file, since it runs both from `src/` and, compiled, from `dist/src/`.
 *
 * @throws Error when no folder above holds a package.json, which only a broken installation can cause.
 */
export function packageRoot(): string {
  return searchUpwards(dirname(fileURLToPath(import.meta.url)));
}

function searchUpwards(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('dbr is not installed properly: no package.json above its code');
  return searchUpwards(parent);
}
