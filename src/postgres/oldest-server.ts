import { MigrationError } from './migration-files.js';

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
