/** The state of a database for an area, as `/ready` reports it. */
import { isUnprepared } from '../errors/database-error.js';
import { databaseFailure } from '../postgres/database-failure.js';
import {
  MigrationError,
  readMigrations,
  requireSameHistory,
  type AppliedMigration,
} from '../postgres/migration-files.js';
import { asPostgresError, type Database } from '../postgres/database.js';
import { createProbe, type Probe } from '../postgres/probe.js';

/** `read-only` is a standby. */
type DatabaseState = 'up' | 'read-only' | 'not migrated';

/** The status of an area in `/ready`. */
export type AreaStatus = DatabaseState | 'loading' | 'down';

/** A result is valid for a second; a query that takes longer than two seconds has failed. */
const PROBE = { freshMs: 1000, patienceMs: 2000 };

const IS_STANDBY = 'select pg_catalog.pg_is_in_recovery() as standby';
const APPLIED = 'select number, file, sha256 from dbr_meta.migrations order by number';

export function probeDatabase(database: Database): Probe<DatabaseState> {
  return createProbe(() => stateOf(database), PROBE);
}

/**
 * Also checks that every migration in `directory` has been applied; after that, the check is not repeated.
 * @param onOther called if another build has migrated the database, with the reason and the cure
 */
export function probeMigratedDatabase(
  database: Database,
  directory: string,
  onOther: (reason: string) => void,
): Probe<DatabaseState> {
  let migrated = false;
  return createProbe(async () => {
    try {
      migrated ||= await isMigrated(database, directory);
    } catch (error) {
      if (error instanceof MigrationError) onOther(error.message);
      throw error;
    }
    return migrated ? stateOf(database) : 'not migrated';
  }, PROBE);
}

async function stateOf(database: Database): Promise<DatabaseState> {
  const { standby } = await database.one<{ readonly standby: boolean }>(IS_STANDBY);
  return standby ? 'read-only' : 'up';
}

async function isMigrated(database: Database, directory: string): Promise<boolean> {
  try {
    const rows = await database.any<AppliedMigration>(APPLIED);
    const migrations = await readMigrations(directory);
    requireSameHistory(migrations, rows);
    const applied = new Set(rows.map(({ number }) => number));
    return migrations.every(({ number }) => applied.has(number));
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    const failure = databaseFailure(asPostgresError(error, database));
    if (failure?.kind === 'refused' && isUnprepared(failure)) return false;
    throw error;
  }
}
