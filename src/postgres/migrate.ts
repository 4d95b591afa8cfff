import { setTimeout as delay } from 'node:timers/promises';
import { beginTrial, checkDeferred, endTrial } from './trial.js';
import {
  MigrationError,
  OWN_HISTORY,
  pendingMigrations,
  readMigrations,
  type AppliedMigration,
  type History,
  type Migration,
} from './migration-files.js';
import { WITHOUT_LIMITS } from './own-settings.js';
import { withSession, type Session } from './session.js';

const LOCK_POLL_MS = 100;

/**
 * Called before each file, and with null before the lock of the migrations is waited for.
 * @param processId of the session, whose locks may be waited for
 */
export type MigrationWatch = (file: string | null, processId: number) => void;

const UNWATCHED: MigrationWatch = () => undefined;

/**
 * Applies the migrations of `directory` that a database lacks, each in its own transaction together with the record
 * that it was applied. A file whose first line is `-- dbr: no transaction` runs outside a transaction and therefore
 * contains a single statement. A second process waits for the first, and then has nothing to apply.
 *
 * @param uri connects as the role that owns dbr's tables, without a pooler, because the lock belongs to the session
 * @returns the names of the applied files, in order
 * @throws MigrationError if a file fails (it is rolled back) or the applied migrations do not match the files
 */
export async function migrate(
  uri: string,
  directory: string,
  history = OWN_HISTORY,
  watch = UNWATCHED,
): Promise<{ readonly applied: readonly string[] }> {
  const migrations = await readMigrations(directory);
  return await withLock(uri, history, watch, async (session) => {
    const pending = await pendingOf(session, migrations, history);
    for (const migration of pending) {
      watch(migration.file, session.processId);
      await apply(session, migration, history);
    }
    return { applied: pending.map(({ file }) => file) };
  });
}

/** The result of a dry run. */
export interface Trial {
  /** The files that ran without an error, in order. Nothing of them stays. */
  readonly tried: readonly string[];
  /** The files from the first one on that runs outside a transaction: it cannot be rolled back. */
  readonly untried: readonly string[];
}

/**
 * Runs the migrations that a database lacks in one transaction and rolls it back. The transaction has the locks of the
 * statements until its end, as the migrations would.
 * @throws MigrationError as `migrate`
 */
export async function tryMigrations(
  uri: string,
  directory: string,
  history: History,
  watch = UNWATCHED,
): Promise<Trial> {
  const migrations = await readMigrations(directory);
  return await withLock(uri, history, watch, async (session) => {
    await beginTrial(session);
    const pending = await pendingOf(session, migrations, history);
    const first = pending.findIndex(({ inTransaction }) => !inTransaction);
    const tried = first < 0 ? pending : pending.slice(0, first);
    for (const migration of tried) {
      watch(migration.file, session.processId);
      await runInTransaction(session, migration, history);
      await atCommit(migration, checkDeferred(session));
    }
    await endTrial(session);
    const names = pending.map(({ file }) => file);
    return { tried: names.slice(0, tried.length), untried: names.slice(tried.length) };
  });
}

/** Does work while no other process migrates. */
const withLock = <Result>(
  uri: string,
  history: History,
  watch: MigrationWatch,
  work: (session: Session) => Promise<Result>,
): Promise<Result> =>
  withSession(uri, async (session) => {
    if (history === OWN_HISTORY) await requireServer(session);
    watch(null, session.processId);
    await session.script(WITHOUT_LIMITS);
    await takeLock(session, history.lock);
    return await work(session);
  });

async function pendingOf(
  session: Session,
  migrations: readonly Migration[],
  history: History,
): Promise<readonly Migration[]> {
  await session.script(historyTable(history.table));
  return pendingMigrations(migrations, await readHistory(session, history), history);
}

async function requireServer(session: Session): Promise<void> {
  const [row] = await session.query(
    `select pg_catalog.current_setting('server_version') as name, pg_catalog.current_setting('server_version_num') as number`,
  );
  refuseOldServer(String(row?.['name']), Number(row?.['number']));
}

/**
 * Tries the lock repeatedly instead of waiting for it: a waiting statement holds a snapshot, and the process with the
 * lock may run `create index concurrently`, which waits for every snapshot to end.
 */
async function takeLock(session: Session, lock: number): Promise<void> {
  for (;;) {
    const [row] = await session.query('select pg_catalog.pg_try_advisory_lock($1) as taken', [lock]);
    if (row?.['taken'] === true) return;
    await delay(LOCK_POLL_MS);
  }
}

const historyTable = (table: History['table']): string => `
  set client_min_messages = warning;
  create schema if not exists dbr_meta;
  create table if not exists dbr_meta.${table} (
    number     integer     primary key,
    file       text        not null,
    sha256     text        not null,
    applied_at timestamptz not null default pg_catalog.now()
  );
  comment on table dbr_meta.${table} is 'The migrations ${table === 'migrations' ? 'of dbr' : 'of the project'} that this database has had.';
  -- The service role looks here for whether it can begin.
  grant usage on schema dbr_meta to public;
  grant select on dbr_meta.${table} to public;
`;

/** The applied migrations. */
export async function readHistory(
  session: Session,
  { table }: History,
): Promise<readonly AppliedMigration[]> {
  const rows = await session.query(`select number, file, sha256 from dbr_meta.${table} order by number`);
  return rows.map((row) => ({
    number: Number(row['number']),
    file: String(row['file']),
    sha256: String(row['sha256']),
  }));
}

async function apply(session: Session, migration: Migration, history: History): Promise<void> {
  if (!migration.inTransaction) {
    await runFile(session, migration, history);
    await remember(session, migration, history);
    return;
  }
  await session.script('begin');
  try {
    await runInTransaction(session, migration, history);
    await remember(session, migration, history);
    await atCommit(migration, session.script('commit'));
  } catch (error) {
    // If the connection was lost, so is the transaction; the first error is reported.
    await session.script('rollback').catch(() => undefined);
    throw error;
  }
}

/** @throws MigrationError if a file fails, or rolls the transaction back: it would be recorded without its effects */
async function runInTransaction(session: Session, migration: Migration, history: History): Promise<void> {
  const [begun] = await session.query('select pg_catalog.txid_current()::text as id');
  await runFile(session, migration, history);
  const [ended] = await session.query('select pg_catalog.txid_status($1::bigint) as status', [begun?.['id']]);
  if (ended?.['status'] === 'aborted')
    throw new MigrationError(
      `The migration ${migration.file} contains a rollback, which undoes what is before it: remove it`,
    );
}

/** @param work checks the deferred constraints */
async function atCommit({ file }: Migration, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw new MigrationError(`The migration ${file} failed at its commit${describeError(error, '')}`, {
      cause: error,
    });
  }
}

/** Resets the settings of the session after each file. */
const END_OF_FILE_SETTINGS = `reset role; reset all; set client_min_messages = warning; ${WITHOUT_LIMITS}`;

async function runFile(session: Session, { file, sql }: Migration, { settings }: History): Promise<void> {
  try {
    // Of its own: PostgreSQL reads the strings of a whole script before it runs the first statement.
    await session.script(settings);
    await session.script(sql);
    await session.script(END_OF_FILE_SETTINGS);
  } catch (error) {
    throw new MigrationError(`The migration ${file} failed${describeError(error, sql)}`, { cause: error });
  }
}

async function remember(
  session: Session,
  { number, file, sha256 }: Migration,
  { table }: History,
): Promise<void> {
  await session.query(`insert into dbr_meta.${table} (number, file, sha256) values ($1, $2, $3)`, [
    number,
    file,
    sha256,
  ]);
}

/** Adds the line number: PostgreSQL reports the position as a character of the script. */
function describeError(error: unknown, sql: string): string {
  if (!(error instanceof Error)) return '';
  const position = 'position' in error ? Number(error.position) : NaN;
  const line = Number.isInteger(position)
    ? ` at line ${String(sql.slice(0, position).split('\n').length)}`
    : '';
  const code = 'code' in error && typeof error.code === 'string' ? ` (SQLSTATE ${error.code})` : '';
  return `${line}: ${error.message}${code}`;
}

/** The migrations contain function bodies that PostgreSQL parses at creation, which is new in version 14. */
const OLDEST_SERVER = 140_000;

/**
 * Refuses a server that is too old for the migrations.
 * @param name `server_version`
 * @param number `server_version_num`
 * @throws MigrationError
 */
export function refuseOldServer(name: string, number: number): void {
  if (number < OLDEST_SERVER)
    throw new MigrationError(
      `Notifications and signing need PostgreSQL 14 or newer, and this server is ${name}. The data API alone (areas = data-api) needs no migrations, and runs on 12 and newer.`,
    );
}
