/** Settings of the data API. Names, defaults and meanings follow the reference data-access layer. */
import {
  boolean,
  integer,
  list,
  listOf,
  nonEmpty,
  oneOf,
  optionalInteger,
  optionalText,
  optionalTextThat,
  optionalUrl,
  text,
} from './kinds.js';
import { DAY, live, seconds, setting } from './setting.js';
import { OWN_SCHEMAS } from '../base/package.js';

/** The catalogues of PostgreSQL are readable by every role, and name every object, role and setting. */
const EXPOSABLE_SCHEMAS = listOf(
  (name) => !OWN_SCHEMAS.includes(name) && name !== 'pg_catalog' && name !== 'information_schema',
  `schemas other than ${OWN_SCHEMAS.join(', ')}, pg_catalog and information_schema, which cannot be exposed`,
);

/** The tables of the service have operations with rules of their own, and are never exposed as tables. */
const SEARCHABLE_SCHEMAS = listOf(
  (name) => !OWN_SCHEMAS.includes(name),
  `schemas other than ${OWN_SCHEMAS.join(', ')}, which belong to the service and cannot be exposed`,
);

export const DATA_API_SETTINGS = {
  'app.settings': setting(
    list,
    [],
    'Each `app.settings.<name>` is a setting of every transaction of the data API.',
    { reloadable: true },
  ),
  'db-schemas': setting(
    nonEmpty(EXPOSABLE_SCHEMAS),
    ['public'],
    'Exposed schemas; the first one is the default.',
    {
      ...live,
      aliases: ['db-schema'],
    },
  ),
  'db-extra-search-path': setting(
    SEARCHABLE_SCHEMAS,
    ['public'],
    'Schemas of the search path that are not exposed.',
    live,
  ),
  'db-anon-role': setting(
    optionalTextThat(
      (role) => role !== 'none',
      'a role other than `none`, which is the authenticator and may become every role',
    ),
    null,
    'Role of requests without a token. Unset: such requests are refused.',
    live,
  ),
  'db-pool': setting(integer(1, 10_000), 10, 'Maximum number of connections of the data API.'),
  'db-pool-acquisition-timeout': setting(
    seconds(),
    10,
    'Maximum time to wait for a connection, in seconds; then DBR003.',
  ),
  'db-pool-max-lifetime': setting(
    seconds(DAY * 30),
    1800,
    'Maximum age of a connection, in seconds; then it is replaced.',
  ),
  'db-pool-max-idletime': setting(
    seconds(DAY * 30),
    30,
    'Maximum idle time of a connection, in seconds; then it is closed, except for the first few.',
    { aliases: ['db-pool-timeout'] },
  ),
  'db-pool-automatic-recovery': setting(
    boolean,
    true,
    'Reconnect when the database is unreachable; `false` ends the process instead.',
  ),
  'db-pre-request': setting(
    optionalText,
    null,
    'Function called in each transaction before the main statement.',
    { ...live, aliases: ['pre-request'] },
  ),
  'db-prepared-statements': setting(
    boolean,
    true,
    'Use named prepared statements, in all areas. Set `false` behind a pooler of transactions, such as PgBouncer.',
    live,
  ),
  'db-root-spec': setting(optionalText, null, 'Function whose result is the response of the root path.', {
    ...live,
    aliases: ['root-spec'],
  }),
  'db-tx-end': setting(
    oneOf('commit', 'commit-allow-override', 'rollback', 'rollback-allow-override'),
    'commit',
    'End of transactions, and whether `Prefer: tx=` may change it.',
    live,
  ),
  'db-max-rows': setting(
    optionalInteger(0, 1_000_000_000),
    null,
    'Maximum number of rows of a response and of each embed; also the threshold of `count=estimated`. `Dbr-Truncated` names lists of related rows that it cuts; `handling=strict` refuses them (DBR133).',
    { ...live, aliases: ['max-rows'] },
  ),
  'db-max-result-bytes': setting(
    integer(65_536, 1_073_741_824),
    134_217_728,
    'Maximum size of the body of a read, in bytes; a larger body gives DBR131. PostgreSQL uses about four times the memory while it makes and sends it.',
  ),
  'db-max-cost': setting(
    optionalInteger(1, 1_000_000_000_000),
    null,
    'Greatest cost that the planner of PostgreSQL may estimate for the statement of a request; a costlier one gives DBR190 and does not run. Unset: no ceiling. `dbr.db_max_cost` of a role replaces it.',
    live,
  ),
  'db-estimates-under-policies': setting(
    boolean,
    true,
    'Give estimates of the planner (`count=planned`, `count=estimated`, `Prefer: max-cost`, execution plans) to roles that row security binds; estimates count rows that policies hide. `false`: DBR194.',
    live,
  ),
  'db-stream-timeout': setting(
    seconds(),
    300,
    'Maximum time for a client to read a long body or a stream of rows, in seconds; then the connection to the client is closed.',
  ),
  'db-stream-minimum-rate': setting(
    integer(0, 1_000_000_000),
    131_072,
    'Minimum rate at which a client reads a body that exceeds the memory for bodies and therefore occupies a connection to the database, in bytes per second over ten seconds; 0: no minimum.',
  ),
  'db-max-streams': setting(
    integer(1, 10_000),
    8,
    'Maximum number of streams of rows at a time, in both directions. Each has a connection to the database of its own beside `db-pool`; further streams wait as for a connection of the pool.',
  ),
  'db-max-streams-per-client': setting(
    integer(1, 10_000),
    4,
    'Maximum number of streams of rows at a time from one IPv4 address or one IPv6 network of 64 bits; further ones wait.',
  ),
  'db-max-depth': setting(
    integer(1, 1000),
    64,
    'Maximum depth of embeds and of logic in a query string.',
    live,
  ),
  'db-max-embeds': setting(
    integer(0, 10_000),
    50,
    'Maximum number of embedded resources of one request, at all levels together; more give DBR100.',
    live,
  ),
  'db-max-conditions': setting(
    integer(1, 100_000),
    1000,
    'Maximum number of conditions in the query string of one request, with those inside `and` and `or`; more give DBR100, as do more than twice as many parameters.',
    live,
  ),
  'db-max-fields': setting(
    integer(1, 100_000),
    1664,
    'Maximum number of names in `select`, `order`, `columns` and `on_conflict` of one request together; more give DBR100. PostgreSQL returns at most 1664 columns.',
    live,
  ),
  'db-max-keys': setting(
    integer(1, 1_000_000),
    10_000,
    'Maximum number of different keys of a request body: of the objects of JSON, of the header of CSV, or of a form.',
    live,
  ),
  'db-max-batch': setting(
    integer(0, 10_000),
    100,
    'Maximum number of requests in one batch (`application/vnd.dbr.batch+json`); 0: no batches.',
    live,
  ),
  'db-max-batch-bytes': setting(
    integer(65_536, 1_073_741_824),
    67_108_864,
    'Maximum size of the bodies in the answers to one batch together, in bytes; larger ones give DBR131 and undo the batch.',
    live,
  ),
  'db-shapes': setting(
    oneOf('off', 'record', 'enforce'),
    'off',
    'List of allowed requests (`db-shapes-file`). `record` logs each shape of a request that succeeds and is not on the list, once, at level info; `enforce` serves the shapes of the list alone, others give DBR191. `dbr.db_shapes` of a role replaces it.',
    live,
  ),
  'db-shapes-file': setting(
    optionalText,
    null,
    'File with the list of `db-shapes`, one shape a line. It is read again with the settings.',
    { reloadable: true },
  ),
  'db-cursor-secret': setting(
    optionalText,
    null,
    'Secret that signs the cursors of keyset pagination for roles whose `dbr.operators` do not allow `gt` and `lt`. Unset: the password of `db-uri`; without one, each start makes one for its workers.',
    { secret: true, fromFile: true },
  ),
  'db-idempotency': setting(
    boolean,
    false,
    'Keep the answers of batches and of `POST` with `Idempotency-Key`, so that a repetition gets the same answer and writes once. Needs `dbr migrate` on the database of `db-uri`.',
    live,
  ),
  'db-idempotency-time': setting(
    seconds(DAY * 30),
    DAY,
    'How long an answer is kept for its `Idempotency-Key`, in seconds.',
    live,
  ),
  'db-idempotency-claims': setting(
    list,
    [],
    'Claims that an `Idempotency-Key` belongs to, with the role. Unset: all but `exp`, `iat`, `nbf` and `jti`, which change when a token is renewed.',
    live,
  ),
  'db-idempotency-headers': setting(
    list,
    ['cookie'],
    'Request headers that belong to a request with an `Idempotency-Key`, beside those that select its answer (`Accept`, `Prefer` and the like): all by which `db-pre-request`, policies or functions distinguish callers.',
    live,
  ),
  'db-idempotency-bytes': setting(
    integer(1_048_576, 1_099_511_627_776),
    268_435_456,
    'Greatest size of the answers that are kept for all keys together, in bytes; then requests with a new key get DBR168.',
    live,
  ),
  'compatibility-level': setting(
    oneOf('12', '16'),
    '12',
    'Release of PostgREST whose behaviour the data API has where releases contradict each other: 12.2.8, or 16. The manual lists the differences (Migrating from PostgREST, Releases 13 to 16).',
    live,
  ),
  'url-use-legacy-target-names': setting(
    boolean,
    true,
    'Filters, orders and ranges may name an embedded resource that has an alias by its own name. `false`: by its alias alone.',
    live,
  ),
  'client-error-verbosity': setting(
    oneOf('verbose', 'minimal'),
    'verbose',
    'Members of the errors of the data API. `minimal`: `code` and `message`, without `details` and `hint`, which may name objects and values of the database.',
    live,
  ),
  'db-etag': setting(
    boolean,
    true,
    'Send an entity tag with reads of up to 64 kB, answer 304 to `If-None-Match`, and compare `If-Match` of writes.',
    live,
  ),
  'db-plan-enabled': setting(
    boolean,
    false,
    'Serve execution plans (media type `application/vnd.pgrst.plan`).',
    live,
  ),
  'db-explain-enabled': setting(
    boolean,
    false,
    'Serve `Prefer: explain` to the roles of `db-explain-roles`: the response with its statement, plan, times, policies and missing indexes.',
    live,
  ),
  'db-explain-roles': setting(
    list,
    [],
    'Roles that `db-explain-enabled` applies to. The preference of other roles is unknown: ignored, or refused with `handling=strict`.',
    live,
  ),
  'db-aggregates-enabled': setting(boolean, false, 'Allow aggregate functions in `select`.', live),
  'db-hoisted-tx-settings': setting(
    list,
    ['statement_timeout', 'plan_filter.statement_cost_limit', 'default_transaction_isolation'],
    'Settings of functions that apply to the whole transaction of their call.',
    live,
  ),
  'db-channel': setting(
    text,
    'dbr',
    'Channel on which `NOTIFY` with `reload schema`, `reload config` or `reload keys` reloads.',
  ),
  'db-channel-enabled': setting(boolean, true, 'Listen on `db-channel`.', { reloadable: true }),
  'db-standby-reload-interval': setting(
    seconds(),
    60,
    'Interval of reloads on a server that refuses LISTEN (a standby, some distributed engines), in seconds.',
  ),
  'db-config': setting(boolean, true, 'Read settings from the database, and apply settings of roles.', {
    reloadable: true,
  }),
  'db-pre-config': setting(
    optionalText,
    null,
    'Function called before settings are read from the database.',
    { reloadable: true, inDatabase: true },
  ),
  'openapi-mode': setting(
    oneOf('follow-privileges', 'ignore-privileges', 'disabled'),
    'follow-privileges',
    'Description at the root path: what the role may use, the whole schema, or none.',
    live,
  ),
  'openapi-version': setting(
    oneOf('2.0', '3.1'),
    '2.0',
    'Version of OpenAPI of the description at the root path. `Accept: application/vnd.oai.openapi+json` always gives 3.1.',
    live,
  ),
  'openapi-security-active': setting(
    boolean,
    false,
    'Describe the authentication by JWT in the description at the root path.',
    live,
  ),
  'openapi-server-proxy-uri': setting(
    optionalUrl,
    null,
    'Public address of the service in the description at the root path, and of `/mcp`.',
    live,
  ),
  'mcp-enabled': setting(
    boolean,
    false,
    'Serve agents at `/mcp` by the Model Context Protocol, with the rights of the token that they send.',
  ),
  'mcp-apply': setting(
    boolean,
    true,
    'Let agents apply the changes that they have proposed. `false`: they show what would change, and a person applies it in the console.',
  ),
  'mcp-max-rows': setting(
    integer(1, 10_000),
    100,
    'Maximum number of rows of an answer to an agent, and of its changes; `db-max-rows` may be lower.',
    live,
  ),
} as const;
