/** The password file (PostgreSQL manual, 34.16): lines of `host:port:database:user:password`. */
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The connection for which a password is searched. */
export interface PasswordKey {
  /** As the connection string names it; the folder of a Unix-domain socket. */
  readonly host: string;
  readonly port: string;
  readonly database: string;
  readonly user: string;
}

/** Permissions of the group and of others: libpq ignores a file that has any. */
const OTHERS = 0o077;
/** The folder that `localhost` stands for in the file. */
const SOCKET_FOLDERS: ReadonlySet<string> = new Set(['/tmp', '/var/run/postgresql']);

/**
 * @param file from `passfile` or PGPASSFILE; empty for `.pgpass` in the home folder
 * @returns the password of the first matching line; null if there is none, or if the file is absent or readable for
 * other accounts
 */
export function findPassword(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
  key: PasswordKey,
): string | null {
  const path = file === '' ? join(environment['HOME'] ?? homedir(), '.pgpass') : file;
  const host = SOCKET_FOLDERS.has(key.host) ? 'localhost' : key.host;
  const wanted = [host, key.port, key.database, key.user];
  for (const line of linesOf(path)) {
    const fields = fieldsOf(line);
    const password = fields[wanted.length];
    if (password === undefined || password === '') continue;
    if (wanted.every((value, index) => fields[index] === '*' || unescape(fields[index]) === value))
      return unescape(password);
  }
  return null;
}

function linesOf(path: string): readonly string[] {
  try {
    const { mode } = statSync(path);
    if ((mode & OTHERS) !== 0) return [];
    return readFileSync(path, 'utf8')
      .split(/\r?\n/)
      .filter((line) => line !== '' && !line.startsWith('#'));
  } catch {
    return [];
  }
}

/** Splits a line at colons that no backslash precedes. */
const fieldsOf = (line: string): readonly string[] =>
  [...line.matchAll(/((?:[^:\\]|\\.?)*)(?::|$)/gsu)].map(([, field = '']) => field);

const unescape = (field: string | undefined): string => (field ?? '').replaceAll(/\\(.)/gsu, '$1');
