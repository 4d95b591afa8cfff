/** Settings of the databases of all areas. */
import { boolean, integer, optionalText, text } from './kinds.js';
import { setting } from './setting.js';

export const DATABASES_SETTINGS = {
  'db-uri': setting(
    optionalText,
    null,
    'Connection string of the data API, for the authenticator role; `postgresql://` alone uses the PG… environment variables. Unset: dbr starts an embedded PostgreSQL.',
    { secret: true, fromFile: true },
  ),
  'db-replica-uri': setting(
    optionalText,
    null,
    'Connection string of the replicas of the data API; it may name several hosts. Reads go to replicas within `db-replica-max-lag`, and responses to writes carry `Dbr-Position`. Unset: the primary serves all requests.',
    { secret: true, fromFile: true },
  ),
  'db-replica-max-lag': setting(
    integer(100, 3_600_000),
    1000,
    'Maximum lag of a replica that serves reads, in milliseconds. While the lag is longer or unknown, the primary serves them.',
  ),
  'db-replica-wait': setting(
    integer(0, 60_000),
    1000,
    'Maximum time that a read with `Dbr-Position` waits for a replica to reach the position, in milliseconds; then the primary serves it.',
  ),
  'service-db-uri': setting(
    optionalText,
    null,
    'Connection string of notifications and signing, for the service role. Unset: `db-uri`.',
    { secret: true, fromFile: true },
  ),
  'migrate-db-uri': setting(
    optionalText,
    null,
    'Connection string of `dbr migrate`, for the owner of the tables of the service. Unset: `service-db-uri`.',
    { secret: true, fromFile: true },
  ),
  'data-directory': setting(text, '.dbr', 'Folder of the embedded PostgreSQL.'),
  'sample-database': setting(
    boolean,
    true,
    'Load the sample database into the embedded PostgreSQL, and expose it. Without effect where db-uri is set.',
  ),

  'service-db-pool': setting(
    integer(2, 10_000),
    10,
    'Maximum number of connections of signing, and of those of notifications (`notifications-db-pool`), without the few for background work.',
  ),
  'notifications-db-pool': setting(
    integer(1, 10_000),
    5,
    'Maximum number of connections of notifications, so that their load leaves the database to signing. At most `service-db-pool`.',
  ),
} as const;
