/** The command-line work on the service's own tables: migrations, the erasure of a person, the sample data of the embedded server. */
import { join } from 'node:path';
import type { UserErasure } from '../../generated/types.js';
import { eraseUser } from '../erasure/erase-user.js';
import { tenantIdOf, userIdOf } from '../base/identifiers.js';
import { packageRoot } from '../base/package.js';
import { readConnectionString } from '../postgres/connection-string.js';
import { closeDatabase, openDatabase } from '../postgres/database.js';
import { migrate } from '../postgres/migrate.js';
import { openPool } from '../postgres/pool.js';
import type { FixedSettings, Settings } from '../settings/settings.js';
import { poolOptions } from './data-pool.js';
import { loadSample, type Addresses } from './addresses.js';
import { withConnectionString } from './start-error.js';

export const migrationsFolder = (): string => join(packageRoot(), 'migrations');

/** The setting whose role runs migrations, with its address. */
export function migrationSetting(settings: Settings) {
  const names = ['migrate-db-uri', 'service-db-uri', 'db-uri'] as const;
  const name = names.find((candidate) => settings[candidate] !== null) ?? 'db-uri';
  return { name, uri: settings[name] };
}

/** Brings the service's own tables up to date and returns the files applied. */
export async function migrateDatabase(settings: Settings): Promise<readonly string[]> {
  const { name, uri } = migrationSetting(settings);
  if (uri === null) throw new Error('db-uri is not set: the embedded PostgreSQL is migrated by `dbr serve`');
  withConnectionString(name, () => readConnectionString(uri));
  return (await migrate(uri, migrationsFolder())).applied;
}

/**
 * Erases a user with the role of the service. Streams of the user that a token opened end with the token.
 * @throws StartError, and as `eraseUser`
 */
export async function eraseByCommand(
  settings: Settings,
  { tenant, user }: { readonly tenant: string; readonly user: string },
): Promise<UserErasure> {
  const name = settings['service-db-uri'] === null ? 'db-uri' : 'service-db-uri';
  const uri = settings[name];
  if (uri === null)
    throw new Error('db-uri is not set: with the embedded PostgreSQL, use DELETE /api/v1/users/{id}');
  const database = withConnectionString(name, () => openDatabase(uri, { poolSize: 1 }));
  const actor = { tenantId: tenantIdOf(tenant), userId: null, name: 'dbr erase', remoteAddress: '' };
  const pool = openPool(database, {
    ...poolOptions(settings, settings, () => undefined),
    name: 'service',
    size: 1,
  });
  try {
    return await eraseUser(pool, actor, userIdOf(user));
  } finally {
    await pool.close();
    await closeDatabase(database);
  }
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
