/** The PostgreSQL programs of the system, if installed: on PATH, or in the folders of Debian's packages. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Binaries } from '../../../packages/embedded-postgres/src/binaries.js';

const PACKAGES = '/usr/lib/postgresql';

/** Returns the first installation that runs; null if there is none. */
export function findSystemPrograms(): Binaries | null {
  for (const folder of folders()) {
    const postgres = join(folder, 'postgres');
    const version = versionOf(postgres);
    if (version !== null) return { initdb: join(folder, 'initdb'), postgres, major: version };
  }
  return null;
}

function folders(): readonly string[] {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...path, ...packageFolders()];
}

/** The newest first. */
function packageFolders(): readonly string[] {
  try {
    return readdirSync(PACKAGES)
      .toSorted((one, other) => Number(other) - Number(one))
      .map((version) => join(PACKAGES, version, 'bin'));
  } catch {
    return [];
  }
}

function versionOf(postgres: string): number | null {
  const { stdout } = spawnSync(postgres, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  const major = /\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1];
  return major === undefined ? null : Number(major);
}
