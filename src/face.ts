/** What the packages of tools and of the console use of the service. They import no other file of `src/`. */
export type { AdminParts, AdminServices } from './admin/admin.js';
export { isApiKey, type KeyKind, type KeyRate, newApiKey } from './auth/api-keys.js';
export { isReservedRole } from './auth/identity.js';
export { addressForLogs, type KeyAddress } from './auth/key-address.js';
export { DEVELOPMENT_JWT_SECRET } from './auth/keys.js';
export { mintToken, type TokenRequest } from './auth/mint-token.js';
export { loadKeySet } from './auth/remote-key-set.js';
export { readBusAddress } from './base/bus-address.js';
export { lengthPrefixed, unsigned32, utf8Text } from './base/bytes.js';
export { sha256, sha256Text } from './base/hash.js';
export { isObject, jsonIn, type JsonObject, listOf, objectOf, textOf } from './base/json.js';
export { lintAcceptanceOf, withoutAcceptances } from './base/lint-acceptance.js';
export { makeFolders } from './base/make-folders.js';
export { OWN_SCHEMAS, packageRoot, version } from './base/package.js';
export { randomOf } from './base/random.js';
export { quoteShell } from './base/shell.js';
export { cureOf } from './command-line/cure.js';
export { InputError } from './command-line/input-error.js';
export { createStatusLine, type StatusLine } from './command-line/status-line.js';
export {
  ACCEPTED_FILE,
  CONFIG_FILE,
  type DescriptionRequest,
  LEVELS,
  MIGRATIONS_FOLDER,
  type ReportFormat,
  ROLES_FILE,
  TESTS_FOLDER,
} from './command-line/tool-options.js';
export { type Addresses, embeddedDefaults, openAddresses } from './composition/addresses.js';
export { MOST_KEYS } from './composition/api-keys.js';
export type { Closers } from './composition/closers.js';
export type { InspectedDatabase } from './composition/data-api-part.js';
export { cacheOptions, dataPoolOptions, openStreams } from './composition/data-pool.js';
export { developer, SAMPLE_ROLE, userRole } from './composition/developer.js';
export { checkEngine } from './composition/engine.js';
export { requireFreePorts } from './composition/free-ports.js';
export { migrationSetting, migrationsFolder } from './composition/own-tables.js';
export { RELOAD_KEYS } from './composition/reload-listener.js';
export { openReplicaDatabases } from './composition/replica-databases.js';
export { readShapes } from './composition/shape-file.js';
export {
  hasIssuers,
  hasKeys,
  isServiceArea,
  requireServiceKeys,
  sharedSecretDefault,
} from './composition/shared-secret.js';
export { StartError, withConnectionString } from './composition/start-error.js';
export { openTokenKeys, readAuthorities } from './composition/token-keys.js';
export { errorReply, type Inspection, type InspectionReply } from './contract/inspection.js';
export { type BodyChunks, carriedBy, type Identity, readHeaders } from './contract/request.js';
export { createDescriptions } from './data-api/document/describe.js';
export { visibleFunctions, visibleTables } from './data-api/document/model.js';
export { describeAsOpenApi } from './data-api/document/openapi-document.js';
export { type Schema, sqlName, valueSchema } from './data-api/document/openapi.js';
export { type DataApi, openDataApi } from './data-api/pipeline.js';
export { AS_KEEPER, callerOf } from './data-api/batch/idempotency.js';
export type { CatalogueTransaction } from './data-api/schema-cache/catalogue.js';
export { loadSchemaCache } from './data-api/schema-cache/load.js';
export { find, fromText, mayHoldNull, toJson } from './data-api/schema-cache/lookups.js';
export { loadDatabaseSettings, queryRoleSettings } from './data-api/schema-cache/settings.js';
export type {
  Column,
  ColumnType,
  ForeignKeyRelationship,
  Relationship,
  Returns,
  Routine,
  SchemaCache,
  Table,
} from './data-api/schema-cache/types.js';
export { contextSql } from './data-api/sql/context.js';
export { databaseError, shownTexts } from './errors/database-error.js';
export { DbrError, dbrError } from './errors/dbr-error.js';
export { errorStyleOf } from './errors/error-style.js';
export { ANY_HOSTS } from './http/listen.js';
export { FORGET_PROPOSAL, LIST_PROPOSALS } from './mcp/proposals.js';
export { type Observation, type Observe, workFailed } from './observability/observation.js';
export { repeat } from './observability/repeat.js';
export {
  type Content,
  contentOf,
  contentReply,
  notBuilt,
  PAGE_FILES,
  PAGE_HEADERS,
  readPageFile,
} from './operations/static-content.js';
export { readConnectionString } from './postgres/connection-string.js';
export { databaseFailure } from './postgres/database-failure.js';
export { asPostgresError, closeDatabase, type Database, openDatabase } from './postgres/database.js';
export { classifyDriverError } from './postgres/driver-error.js';
export { migrate, type MigrationWatch, readHistory, tryMigrations } from './postgres/migrate.js';
export {
  type History,
  MigrationError,
  OWN_HISTORY,
  pendingMigrations,
  PROJECT_HISTORY,
  readMigrations,
} from './postgres/migration-files.js';
export { READ_CATALOGUE } from './postgres/own-settings.js';
export { openPool } from './postgres/pool.js';
export { ConnectFailed, ConnectionLost, PostgresError } from './postgres/postgres-error.js';
export { type Preceding, rolledBackPool, type RolledBackPool } from './postgres/rolled-back-pool.js';
export { type Session, type StatementResult, withSession } from './postgres/session.js';
export {
  catalogueSql,
  joinSql,
  quoteDotted,
  quoteIdentifier,
  quoteLiteral,
  quoteQualified,
  sql,
  type Sql,
} from './postgres/sql.js';
export { beginTrial } from './postgres/trial.js';
export { databasePrefixes } from './settings/compatibility.js';
export { loadSettings, type Sources, withDatabase } from './settings/load.js';
export type { Settings } from './settings/settings.js';
export { DATABASE_SETTINGS } from './settings/table.js';
export { signsRequest } from './signing/accounts/request-keys.js';
export { type ChainPosition, verifyLine } from './signing/audit/audit-chain.js';
export { readIdentityKey } from './signing/parties/identity-key.js';
