/** The database of the data API for commands that inspect it: its address, and the settings that it adds. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Addresses,
  asPostgresError,
  closeDatabase,
  createStatusLine,
  DATABASE_SETTINGS,
  databasePrefixes,
  loadDatabaseSettings,
  loadSettings,
  openAddresses,
  openDatabase,
  type Settings,
  type Sources,
  type StatusLine,
  withDatabase,
} from '../../../src/face.js';
import { startForCommand } from './command-server.js';

/** A command has no log, and prints its findings alone. */
const IGNORED = (): void => undefined;

interface Inspected {
  readonly addresses: Addresses;
  /** Those of file, environment and the embedded server. */
  readonly settings: Settings;
  /** What the command does. It ends with the addresses. */
  readonly status: StatusLine;
}

/**
 * Opens the addresses of the settings. An embedded PostgreSQL is used if its cluster exists; it is started for the inspection
 * unless it runs.
 * @throws Error without a database
 */
export async function openInspected(sources: Sources): Promise<Inspected> {
  const given = loadSettings(sources);
  // Without a cluster in it, the folder would get one.
  if (given['db-uri'] === null && !existsSync(join(given['data-directory'], 'postgres')))
    throw new Error('db-uri is not set, and there is no embedded PostgreSQL in data-directory');
  const { addresses, status } = await openWithStatus(given);
  return { addresses, status, settings: loadSettings({ ...sources, defaults: addresses.defaults }) };
}

/** Opens the addresses for a command, which a signal ends, with a status line that ends before them. */
export async function openWithStatus(settings: Settings): Promise<Pick<Inspected, 'addresses' | 'status'>> {
  const status = createStatusLine();
  const announce = (line: string): void => status.show(() => `${line}…`);
  try {
    const addresses = await openAddresses(settings, IGNORED, announce, startForCommand);
    status.show(() => 'reading the database…');
    const stop = (): Promise<void> => {
      status.end();
      return addresses.stop();
    };
    return { addresses: { ...addresses, stop }, status };
  } catch (error) {
    status.end();
    throw error;
  }
}

/**
 * Runs work with the addresses, and with the settings under those of the database.
 * @throws Error without a database; the errors of the database and of the work
 */
export async function withInspected<Result>(
  sources: Sources,
  work: (addresses: Addresses, settings: Settings) => Promise<Result>,
): Promise<Result> {
  const { addresses, settings } = await openInspected(sources);
  try {
    return await work(addresses, await settingsInDatabase(addresses.data, settings));
  } finally {
    await addresses.stop();
  }
}

/** Applies the settings of the database. @throws the error of the database */
export async function settingsInDatabase(uri: string, settings: Settings): Promise<Settings> {
  if (!settings['db-config']) return settings;
  const database = openDatabase(uri, { poolSize: 1 });
  try {
    const entries = await loadDatabaseSettings(database, {
      names: DATABASE_SETTINGS,
      prefixes: databasePrefixes(settings.compatibility),
      preConfig: settings['db-pre-config'],
    });
    return withDatabase(settings, entries, settings).settings;
  } catch (error) {
    throw asPostgresError(error, database);
  } finally {
    await closeDatabase(database);
  }
}
