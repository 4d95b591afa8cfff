/** The migrations of the service's own tables, and the sample data of the embedded server. */
import { join } from 'node:path';
import { packageRoot } from '../package.js';
import { readConnectionString } from '../postgres/connection-string.js';
import { migrate } from '../postgres/migrate.js';
import type { FixedSettings, Settings } from '../settings/settings.js';
import { loadSample, type Addresses } from './addresses.js';
import { withConnectionString } from './start-error.js';

/** Returns the folder of the migrations. */
export const migrationsFolder = (): string => join(packageRoot(), 'migrations');

/** Brings the service's own tables up to date and returns the files applied. */
export async function migrateDatabase(settings: Settings): Promise<readonly string[]> {
  const names = ['migrate-db-uri', 'service-db-uri', 'db-uri'] as const;
  const name = names.find((candidate) => settings[candidate] !== null) ?? 'db-uri';
  const uri = settings[name];
  if (uri === null) throw new Error('db-uri is not set: the embedded PostgreSQL is migrated by `dbr serve`');
  withConnectionString(name, () => readConnectionString(uri));
  return (await migrate(uri, migrationsFolder())).applied;
}

/** Only this service uses the embedded server, so the start applies the migrations and loads the sample data. */
export async function prepareOwnDatabase(
  addresses: Addresses,
  settings: FixedSettings,
  announce: (line: string) => void,
): Promise<void> {
  if (!addresses.ownsDatabase) return;
  const { applied } = await migrate(addresses.migrate, migrationsFolder());
  for (const file of applied) announce(`applied migration ${file}`);
  if (settings['sample-database']) await loadSample(addresses.migrate, announce);
}
