/** The project of a folder with its database: roles, migrations, and what development needs. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  type Addresses,
  createStatusLine,
  DEVELOPMENT_JWT_SECRET,
  hasKeys,
  isServiceArea,
  migrate,
  type MigrationWatch,
  migrationSetting,
  migrationsFolder,
  openAddresses,
  PROJECT_HISTORY,
  readConnectionString,
  requireFreePorts,
  ROLES_FILE,
  type Settings,
  sharedSecretDefault,
  tryMigrations,
  userRole,
  utf8Text,
  withConnectionString,
  withSession,
} from '../../../../src/face.js';
import { startForCommand } from '../command-server.js';
import { openWithStatus } from '../inspected-database.js';
import { withMigrationStatus } from './migration-status.js';

const IGNORED = (): void => undefined;

export interface Project {
  /**
   * Applies the migrations of the project that the database lacks, and returns their files.
   * @throws MigrationError
   */
  migrate(): Promise<readonly string[]>;
  /** The role of the requests of users; null if requests can only be anonymous. */
  userRole(): Promise<string | null>;
  stop(): Promise<void>;
}

/**
 * Opens the database of a project, and applies the migrations of dbr if it is not the embedded one, whose migrations the
 * start of the service applies.
 * @param folder of the project's migrations
 */
export async function openProject(
  settings: Settings,
  folder: string,
  announce: (line: string) => void,
): Promise<Project> {
  requireFolder(folder);
  if (settings['db-uri'] === null) await requireFreePorts(settings);
  const addresses = await openAddresses(settings, IGNORED, announce, startForCommand);
  const status = createStatusLine();
  try {
    await prepareRoles(addresses);
    if (!addresses.ownsDatabase && settings.areas.some(isServiceArea))
      for (const file of (await migrate(addresses.migrate, migrationsFolder())).applied)
        announce(`applied migration ${file}`);
  } catch (error) {
    await addresses.stop();
    throw error;
  }
  return {
    migrate: () =>
      withMigrationStatus(addresses.migrate, status, PROJECT_HISTORY, async (watch) => {
        return (await migrate(addresses.migrate, folder, PROJECT_HISTORY, watch)).applied;
      }),
    userRole: () => userRole(addresses.data, settings['db-anon-role']),
    stop: () => addresses.stop(),
  };
}

function requireFolder(folder: string): void {
  if (!existsSync(folder))
    throw new Error(
      `there is no folder ${folder}: \`dbr init\` makes a project, --folder names another folder`,
    );
}

/**
 * Applies the migrations of a folder, or tries them.
 * @returns lines for the terminal
 * @throws MigrationError, StartError
 */
export async function migrateFolder(
  settings: Settings,
  { folder, dryRun }: { readonly folder: string; readonly dryRun: boolean },
): Promise<readonly string[]> {
  requireFolder(folder);
  const { name, uri } = migrationSetting(settings);
  if (uri !== null) withConnectionString(name, () => readConnectionString(uri));
  // Like the migrations of dbr, those of a project need the address of their role alone.
  const { addresses, status } = await openWithStatus({ ...settings, 'db-uri': settings['db-uri'] ?? uri });
  const run = <Result>(work: (watch: MigrationWatch) => Promise<Result>): Promise<Result> =>
    withMigrationStatus(addresses.migrate, status, PROJECT_HISTORY, work);
  try {
    await prepareRoles(addresses);
    if (!dryRun) {
      const { applied } = await run((watch) => migrate(addresses.migrate, folder, PROJECT_HISTORY, watch));
      return applied.map((file) => `applied ${file}`);
    }
    const { tried, untried } = await run((watch) =>
      tryMigrations(addresses.migrate, folder, PROJECT_HISTORY, watch),
    );
    return [
      ...tried.map((file) => `would apply ${file}`),
      ...untried.map(
        (file) =>
          `would apply ${file}, not tried: a file from ${untried[0] ?? ''} on runs outside a transaction`,
      ),
    ];
  } finally {
    await addresses.stop();
  }
}

/** Creates the roles of the project, because the embedded server has no other administrator. */
async function prepareRoles({ superuser }: Addresses): Promise<void> {
  if (superuser === null || !existsSync(ROLES_FILE)) return;
  const script = utf8Text(await readFile(ROLES_FILE));
  if (script === null) throw new Error(`${ROLES_FILE} is not text in UTF-8`);
  await withSession(superuser, (session) => session.script(script));
}

/** In development, a person reads the log, agents are served, and the public secret verifies tokens where no other key is set. */
export const developmentDefaults = (settings: Settings): Partial<Settings> => ({
  'log-format': 'pretty',
  'log-level': 'warn',
  'mcp-enabled': true,
  ...(hasKeys(settings) ? sharedSecretDefault(settings) : { 'jwt-secret': DEVELOPMENT_JWT_SECRET }),
});
