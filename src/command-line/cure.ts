/** What to do about an error of PostgreSQL that ends a command or the start of the service. */
import { existsSync } from 'node:fs';
import { MigrationError } from '../postgres/migration-files.js';
import { ConnectFailed, PostgresError } from '../postgres/postgres-error.js';
import { ROLES_FILE } from './tool-options.js';

/** The server cannot be reached (codes of the system). */
const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ETIMEDOUT'];
/** The login is refused (PostgreSQL manual, appendix A). */
const REFUSED = ['28P01', '28000'];
const NO_PASSWORD = /no password supplied|client password must be a string/;

/** Returns the cure of the first error, or cause of one, that has one; otherwise null. */
export function cureOf(error: unknown): string | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    const first: unknown = each instanceof AggregateError ? each.errors[0] : each;
    const code = codeOf(first);
    if (REFUSED.includes(code) || NO_PASSWORD.test(each.message)) return cureOfLogin();
    if (UNREACHABLE.includes(code) || (each instanceof ConnectFailed && each.code === null))
      return 'start the server, or correct host and port of its address';
    if (code === '3D000') return 'create the database, or correct its name in the address';
    if (error instanceof MigrationError && code !== '') return cureOfMigration(code);
  }
  return null;
}

function codeOf(error: unknown): string {
  if (error instanceof PostgresError) return error.fields.code;
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function cureOfLogin(): string {
  if ((process.env['PGPASSWORD'] ?? '') !== '')
    return 'PGPASSWORD is set, and comes before the passwords of a file: unset it, or correct it';
  return existsSync(ROLES_FILE)
    ? `run ${ROLES_FILE} and passwords.sql of the project in the database, as a superuser, or restore .pgpass`
    : 'correct role and password of the address';
}

function cureOfMigration(code: string): string | null {
  if (code === '42501')
    return `the role of migrate-db-uri runs migrations. For a schema that others own, run the ${ROLES_FILE} of \`dbr init --existing --database ADDRESS\` as a superuser`;
  return code === '42704' ? `a role or another object is missing: run ${ROLES_FILE} as a superuser` : null;
}
