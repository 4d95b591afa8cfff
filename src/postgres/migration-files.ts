import { isUtf8 } from 'node:buffer';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OWN_SCHEMAS } from '../base/package.js';
import { sha256Text } from '../base/hash.js';
import { withoutMark } from '../base/bytes.js';

/** A migration that cannot be applied. The message names the file, the problem and the remedy. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/** The owner of the migrations: dbr or a project. Both kinds have a table and a lock of their own, and may be in one database. */
export interface History {
  /** The table in the schema `dbr_meta` that records the applied ones. */
  readonly table: 'migrations' | 'project_migrations';
  /** Key of the advisory lock. The numbers are arbitrary; every version of dbr uses the same. */
  readonly lock: number;
  /** Sets what the files depend on, whatever the database prescribes; empty where they take its settings. */
  readonly settings: string;
  /** The remedy if the database has a migration whose file is missing, renamed or changed. */
  readonly missing: string;
  readonly renamed: string;
  readonly changed: string;
}

/** The migrations of dbr. */
export const OWN_HISTORY: History = {
  table: 'migrations',
  lock: 5_347_114,
  settings: 'set standard_conforming_strings = on',
  missing: 'it was migrated by another version of dbr',
  renamed: `an earlier build migrated it. Drop the schemas ${OWN_SCHEMAS.join(', ')}, or use a new database`,
  changed: 'restore it, and put the change into a new one',
};

/** The migrations of the user's project. */
export const PROJECT_HISTORY: History = {
  table: 'project_migrations',
  lock: 5_347_118,
  settings: '',
  missing: 'restore the file, or name the folder that has it',
  renamed: 'restore the name of the file',
  changed: 'restore it, and put the change into a new one',
};

/** One step of the schema: the file `NNNN_name.sql`. */
export interface Migration {
  readonly number: number;
  /** The file's name. */
  readonly file: string;
  readonly sql: string;
  /** Whether the file is text in UTF-8: other characters have become U+FFFD. */
  readonly isUtf8: boolean;
  /** Digest of the text with normalised line ends, because version control may change them. */
  readonly sha256: string;
  /** False for the few statements that PostgreSQL runs outside a transaction only, such as `create index concurrently`. */
  readonly inTransaction: boolean;
}

/** The record of a migration in the database. */
export type AppliedMigration = Pick<Migration, 'number' | 'file' | 'sha256'>;

const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;
const NO_TRANSACTION = /^-- dbr: no transaction\s*$/;

/**
 * Reads a folder of migrations, in the order of their numbers. Files that are not SQL are ignored.
 *
 * @throws MigrationError for a badly named file and for two files of one number.
 */
export async function readMigrations(directory: string): Promise<readonly Migration[]> {
  const files = (await readdir(directory)).filter((file) => /\.sql$/i.test(file)).sort();
  const migrations = await Promise.all(files.map(async (file) => await readMigration(directory, file)));
  migrations.forEach((migration, index) => {
    const previous = migrations[index - 1];
    if (previous?.number === migration.number) {
      throw new MigrationError(`The migrations ${previous.file} and ${migration.file} have the same number`);
    }
  });
  return migrations;
}

async function readMigration(directory: string, file: string): Promise<Migration> {
  const number = FILE_NAME.exec(file)?.[1];
  if (number === undefined) {
    throw new MigrationError(`The migration ${file} is not named NNNN_name.sql, in lower case`);
  }
  const bytes = await readFile(join(directory, file));
  const sql = withoutMark(bytes.toString('utf8')).replaceAll('\r\n', '\n');
  return {
    number: Number(number),
    file,
    sql,
    isUtf8: isUtf8(bytes),
    sha256: sha256Text(sql, 'hex'),
    inTransaction: !NO_TRANSACTION.test(sql.split('\n', 1)[0] ?? ''),
  };
}

/**
 * Returns the migrations that a database lacks, in order. Applied migrations must exist unchanged, no new migration may
 * precede an applied one, and none may be empty or no text.
 *
 * @throws MigrationError that names the file that violates this
 */
export function pendingMigrations(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
  history = OWN_HISTORY,
): readonly Migration[] {
  const byNumber = new Map(migrations.map((migration) => [migration.number, migration]));
  for (const old of applied) checkUnchanged(old, byNumber.get(old.number), history);
  const appliedNumbers = new Set(applied.map(({ number }) => number));
  const newest = Math.max(0, ...appliedNumbers);
  const pending = migrations.filter(({ number }) => !appliedNumbers.has(number));
  const late = pending.find(({ number }) => number < newest);
  if (late !== undefined) {
    throw new MigrationError(
      `The migration ${late.file} comes before number ${String(newest)}, which this database has already: give it a higher number`,
    );
  }
  const empty = pending.find(({ sql }) => sql.trim() === '');
  // An editor or a shell makes a file before it writes it. Once applied as empty, it could not be written any more.
  if (empty !== undefined)
    throw new MigrationError(`The migration ${empty.file} is empty: write its statements first`);
  const unread = pending.find((migration) => !migration.isUtf8);
  if (unread !== undefined)
    throw new MigrationError(`The migration ${unread.file} is not text in UTF-8: save it in UTF-8`);
  return pending;
}

/**
 * Checks that a database has the migrations of this version under their numbers. It may have later ones, of the version
 * that takes over in a rolling upgrade, and may lack some.
 * @throws MigrationError that names the file that differs
 */
export function requireSameHistory(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): void {
  const byNumber = new Map(migrations.map((migration) => [migration.number, migration]));
  for (const old of applied) {
    const file = byNumber.get(old.number);
    if (file !== undefined) checkUnchanged(old, file, OWN_HISTORY);
  }
}

function checkUnchanged(old: AppliedMigration, file: Migration | undefined, history: History): void {
  if (file === undefined) {
    throw new MigrationError(
      `This database has the migration ${old.file}, which is missing here: ${history.missing}`,
    );
  }
  if (file.file !== old.file) {
    throw new MigrationError(
      `This database has the migration ${old.file}, and here its number is that of ${file.file}: ${history.renamed}`,
    );
  }
  if (file.sha256 !== old.sha256) {
    throw new MigrationError(
      `The migration ${file.file} was changed after this database had applied it: ${history.changed}`,
    );
  }
}
