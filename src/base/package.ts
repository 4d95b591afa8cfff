/** The installed package: its folder, its version and the schemas of its migrations. */
import { objectOf } from './json.js';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The schemas of the migrations, whose tables belong to the service. */
export const OWN_SCHEMAS: readonly string[] = [
  'dbr_notifications',
  'dbr_signing',
  'dbr_keys',
  'dbr_requests',
  'dbr_meta',
];

let knownVersion: string | undefined;

/**
 * The folder of dbr's package.json, as an absolute path. It holds the migrations and the published documents.
 * It is searched upwards from this file, which runs from `src/` and, compiled, from `dist/src/`.
 *
 * @throws Error if no folder above holds a package.json, as in a broken installation
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

/** The version in package.json, as `Server`, `application_name` and `--version` show it. */
export function version(): string {
  knownVersion ??= readVersion();
  return knownVersion;
}

function readVersion(): string {
  const content = objectOf(JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')));
  if (typeof content['version'] === 'string') return content['version'];
  throw new Error('package.json names no version');
}
