/** The connection service file (PostgreSQL manual, 34.17): sections `[name]` with lines of `key=value`. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * @param file from `servicefile` or PGSERVICEFILE; null searches the home folder, then PGSYSCONFDIR
 * @returns the parameters of the service; null if no file defines it
 */
export function readService(
  name: string,
  file: string | null,
  environment: Environment,
): ReadonlyMap<string, string> | null {
  const system = environment['PGSYSCONFDIR'];
  const files =
    file === null
      ? [
          join(environment['HOME'] ?? homedir(), '.pg_service.conf'),
          ...(system === undefined ? [] : [join(system, 'pg_service.conf')]),
        ]
      : [file];
  for (const path of files) {
    const found = section(contentOf(path), name);
    if (found !== null) return found;
  }
  return null;
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function section(content: string, name: string): ReadonlyMap<string, string> | null {
  let found: Map<string, string> | null = null;
  for (const line of content.split(/\r?\n/).map((text) => text.trim())) {
    if (line.startsWith('[')) {
      if (found !== null) break;
      if (line === `[${name}]`) found = new Map();
    } else if (found !== null && line !== '' && !line.startsWith('#')) {
      const [, key = '', value = ''] = /^([^=]*?)\s*=\s*(.*)$/.exec(line) ?? [];
      found.set(key, value);
    }
  }
  return found;
}
