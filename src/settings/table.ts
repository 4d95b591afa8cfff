/**
 * The one table of settings. Everything else (sources, defaults, `--example`, `--dump`, the manual page) is derived from it.
 * Names, defaults and meanings of the data API's settings follow the reference data-access layer.
 */
import { parseRolePath } from '../auth/role-claim.js';
import {
  boolean,
  integer,
  list,
  listWithout,
  nonEmpty,
  octal,
  oneOf,
  optionalInteger,
  optionalList,
  optionalText,
  optionalTextExcept,
  optionalUrl,
  someOf,
  text,
  textThat,
  type Kind,
} from './kinds.js';

export interface Setting<T> {
  readonly kind: Kind<T>;
  readonly default: T;
  readonly doc: string;
  /** The value never appears in dumps, logs or errors. */
  readonly secret?: true;
  /** Takes effect again on a reload of the configuration (SIGUSR2, or NOTIFY with `reload config`). */
  readonly reloadable?: true;
  /** May also be set in the database, as `dbr.<name>` of the authenticator role or by `db-pre-config`. */
  readonly inDatabase?: true;
  /** Older names that are still understood. */
  readonly aliases?: readonly string[];
  /** Environment variables read besides `DBR_<NAME>`, which wins. */
  readonly environment?: readonly string[];
  /** `@path` as the value reads it from that file. */
  readonly fromFile?: true;
  /** A file that is not text is a key of these bytes, and becomes a JWK. */
  readonly binaryKey?: true;
}

type Extra = Omit<Setting<unknown>, 'kind' | 'default' | 'doc' | 'reloadable' | 'inDatabase'> &
  // What the database holds is read while the service runs, so it must be reloadable.
  (
    | { readonly reloadable: true; readonly inDatabase?: true }
    | { readonly reloadable?: never; readonly inDatabase?: never }
  );

/** The type keeps whether the setting is reloadable: who reads it must know (see `ReloadableSettings`). */
function setting<T>(kind: Kind<T>, defaultValue: T, doc: string): Setting<T>;
function setting<T, const E extends Extra>(
  kind: Kind<T>,
  defaultValue: T,
  doc: string,
  extra: E,
): Setting<T> & E;
function setting<T>(kind: Kind<T>, defaultValue: T, doc: string, extra?: Extra): Setting<T> {
  return { kind, default: defaultValue, doc, ...extra };
}

const live = { reloadable: true, inDatabase: true } as const;
const seconds = (maximum = 86_400): Kind<number> => integer(1, maximum);
const PORTS = integer(0, 65_535);
const DAY = 86_400;

/** What lies there is reached by operations with rules of their own, never as tables. */
const rolePath = textThat(
  (value) => parseRolePath(value) !== null,
  'a path such as `.role`, `.app.roles[0]` or `."https://example.org/role"`',
);

const EXPOSABLE_SCHEMAS = listWithout(
  ['dbr_notifications', 'dbr_signing', 'dbr_meta'],
  'schemas of yours: dbr_notifications, dbr_signing and dbr_meta are the service’s own and cannot be exposed',
);

export const SETTINGS = {
  // The service
  areas: setting(
    someOf('notifications', 'signing', 'data-api'),
    ['notifications', 'signing', 'data-api'],
    'Which areas this process serves.',
  ),
  'server-host': setting(
    text,
    '!4',
    'Address of the public port: an address, a name, `!4` (any IPv4), `!6` (any IPv6) or `*` (any).',
  ),
  'server-port': setting(PORTS, 3000, 'The public port; 0 takes a free one.'),
  'server-unix-socket': setting(
    optionalText,
    null,
    'Path of a Unix socket to serve on instead of the public port.',
  ),
  'server-unix-socket-mode': setting(octal(0o600, 0o777), 0o660, 'File mode of that socket.'),
  'server-max-body-size': setting(
    integer(1024, 1_073_741_824),
    104_857_600,
    'Largest request body of the data API, in bytes; a larger one is answered with 413. Areas A and B take 1 MiB at most.',
  ),
  'server-max-header-size': setting(
    integer(8_192, 1_048_576),
    65_536,
    'Largest request line and headers together, in bytes.',
  ),
  'server-max-body-memory': setting(
    integer(1_048_576, 1_099_511_627_776),
    268_435_456,
    'Most bytes of request bodies that the process holds at once; beyond it requests with a body are answered with 503.',
  ),
  'server-min-upload-rate': setting(
    integer(0, 1_000_000_000),
    1024,
    'Slowest rate at which a request body may arrive after its first ten seconds, in bytes a second; 0 for any. A slower one is answered with 408.',
  ),
  'server-header-timeout': setting(
    seconds(3600),
    30,
    'Longest time to receive the headers of a request, in seconds.',
  ),
  'server-request-timeout': setting(
    seconds(3600),
    300,
    'Longest time to receive a whole request, in seconds.',
  ),
  'server-keep-alive-timeout': setting(
    seconds(3600),
    65,
    'How long a connection may be idle between two requests, in seconds. Longer than that of a proxy in front.',
  ),
  'server-max-connections': setting(
    integer(1, 1_000_000),
    10_000,
    'Most open connections of the public port; further ones are closed at once.',
  ),
  'server-max-connections-per-address': setting(
    integer(0, 1_000_000),
    1000,
    'Most open connections of the public port from one address; of IPv6 addresses the first 64 bits count. 0 for any number, as behind a proxy that limits clients itself.',
  ),
  'server-shutdown-timeout': setting(
    seconds(3600),
    30,
    'How long requests in flight may take to finish after SIGTERM, in seconds.',
  ),
  'server-cors-allowed-origins': setting(
    optionalList,
    null,
    'Origins that browsers may call from; unset allows all, without credentials.',
  ),
  'server-trace-header': setting(
    optionalText,
    null,
    'Name of a request header that is echoed in the response.',
    { reloadable: true, inDatabase: true },
  ),
  'server-timing-enabled': setting(
    boolean,
    false,
    'Send the `Server-Timing` header with responses of the data API: milliseconds of jwt, parse, plan, transaction and response. Refused requests have none.',
    { reloadable: true, inDatabase: true },
  ),
  'admin-server-host': setting(text, '127.0.0.1', 'Address of the admin port.'),
  'admin-server-port': setting(PORTS, 3001, 'The admin port: probes and metrics; 0 takes a free one.'),
  'admin-server-max-connections': setting(
    integer(1, 1_000_000),
    100,
    'Most open connections of the admin port; further ones are closed at once.',
  ),
  'router-host': setting(text, '127.0.0.1', 'Address of the router port.'),
  'router-port': setting(PORTS, 3002, 'The gRPC port of the router; 0 takes a free one.'),
  'router-tls-cert': setting(
    optionalText,
    null,
    'Path of the certificate that the router shows, in PEM. Without certificates and `router-dev-tokens` the port stays closed.',
  ),
  'router-tls-key': setting(optionalText, null, 'Path of the private key of that certificate, in PEM.'),
  'router-tls-ca': setting(
    optionalText,
    null,
    'Path of the authority that issues the certificates of parties, in PEM.',
  ),
  'router-dev-tokens': setting(
    boolean,
    false,
    'Parties without a certificate may show a token signed by their identity key; refused where NODE_ENV is production.',
  ),
  'router-call-limit': setting(
    integer(0, 1_000_000),
    1000,
    'Calls that one party may make in a second; 0 for any number.',
  ),
  'router-max-connections': setting(
    integer(1, 1_000_000),
    4096,
    'Connections to the router that may be open at once; more are refused.',
  ),
  'router-max-connections-per-address': setting(
    integer(1, 1_000_000),
    256,
    'Connections of one address to the router that may be open at once: of one IPv4 address, or of one IPv6 network of 64 bits. Raise it behind a load balancer, whose address all parties have.',
  ),
  'bus-uri': setting(
    optionalText,
    null,
    'NATS JetStream for the mailboxes of the router, as `nats://…`. Unset: they lie in the database.',
    { secret: true, fromFile: true },
  ),
  'log-level': setting(
    oneOf('crit', 'error', 'warn', 'info', 'debug'),
    'error',
    'What is logged: requests from status 500 (error), 400 (warn) or all (info, debug).',
  ),
  'log-format': setting(
    oneOf('auto', 'json', 'pretty'),
    'auto',
    'JSON lines, or text for people; auto is text on a terminal.',
  ),

  // Databases
  'db-uri': setting(
    optionalText,
    null,
    "The data API's database, as the authenticator role; `postgresql://` alone takes the PG… environment variables. Unset: an embedded PostgreSQL is started.",
    { secret: true, fromFile: true },
  ),
  'service-db-uri': setting(
    optionalText,
    null,
    'The database of notifications and signing, as the service role. Unset: the same as db-uri.',
    { secret: true, fromFile: true },
  ),
  'migrate-db-uri': setting(
    optionalText,
    null,
    "The database as the role that owns the service's own tables, for `dbr migrate`. Unset: the same as service-db-uri.",
    { secret: true, fromFile: true },
  ),
  'data-directory': setting(text, '.dbr', 'Folder of the embedded PostgreSQL.'),
  'sample-database': setting(
    boolean,
    false,
    'Load the sample database into the embedded PostgreSQL and expose it.',
  ),

  'service-db-pool': setting(
    integer(2, 10_000),
    10,
    'Most connections of notifications and signing, beside a few for background work.',
  ),

  // The data API
  'app.settings': setting(
    list,
    [],
    'Not set by itself: each `app.settings.<name>` is passed to every transaction under that name.',
    { reloadable: true },
  ),
  'db-schemas': setting(
    nonEmpty(EXPOSABLE_SCHEMAS),
    ['public'],
    'Exposed schemas; the first is the default.',
    {
      ...live,
      aliases: ['db-schema'],
    },
  ),
  'db-extra-search-path': setting(
    EXPOSABLE_SCHEMAS,
    ['public'],
    'Schemas added to the search path, not exposed.',
    live,
  ),
  'db-anon-role': setting(
    optionalTextExcept('none', 'a role: `none` is the one that logs in, which may become all others'),
    null,
    'Role of requests without a token; unset refuses them.',
    live,
  ),
  'db-pool': setting(integer(1, 10_000), 10, 'Most connections of the data API.'),
  'db-pool-acquisition-timeout': setting(
    seconds(),
    10,
    'Longest wait for a connection, in seconds; then DBR003.',
  ),
  'db-pool-max-lifetime': setting(
    seconds(DAY * 30),
    1800,
    'A connection is replaced at this age, in seconds.',
  ),
  'db-pool-max-idletime': setting(
    seconds(DAY * 30),
    30,
    'A connection beyond the first few is closed after so many idle seconds.',
    { aliases: ['db-pool-timeout'] },
  ),
  'db-pool-automatic-recovery': setting(
    boolean,
    true,
    'Reconnect when the database was away; false ends the process instead.',
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
    'Use named prepared statements; false behind a pooler that cannot keep them.',
    live,
  ),
  'db-root-spec': setting(optionalText, null, 'Function whose result answers the root path.', {
    ...live,
    aliases: ['root-spec'],
  }),
  'db-tx-end': setting(
    oneOf('commit', 'commit-allow-override', 'rollback', 'rollback-allow-override'),
    'commit',
    'How transactions end, and whether `Prefer: tx=` may say otherwise.',
    live,
  ),
  'db-max-rows': setting(
    optionalInteger(0, 1_000_000_000),
    null,
    'Most rows of a response and of each embed, and the threshold of `count=estimated`.',
    { ...live, aliases: ['max-rows'] },
  ),
  'db-max-result-bytes': setting(
    integer(65_536, 1_073_741_824),
    134_217_728,
    'Largest body of a read, in bytes; a larger one is answered with DBR131. PostgreSQL takes about four times the bytes while it makes and sends one.',
  ),
  'db-stream-timeout': setting(
    seconds(),
    300,
    'Longest time in which a client reads a long body, in seconds; then the connection to the client is closed.',
  ),
  'db-stream-minimum-rate': setting(
    integer(0, 1_000_000_000),
    131_072,
    'Slowest rate, in bytes a second over ten seconds, at which a client may read a body that does not fit in memory and so keeps a connection to the database; 0 for any.',
  ),
  'db-max-depth': setting(
    integer(1, 1000),
    64,
    'Deepest nesting of embeds and of logic in a query string.',
    live,
  ),
  'db-max-embeds': setting(
    integer(0, 10_000),
    50,
    'Most embedded resources in the `select` of one request, at all levels together; more are answered with DBR100.',
    live,
  ),
  'db-max-conditions': setting(
    integer(1, 100_000),
    1000,
    'Most conditions in the query string of one request: filters, and what `and` and `or` hold, together; more are answered with DBR100.',
    live,
  ),
  'db-max-fields': setting(
    integer(1, 100_000),
    1664,
    'Most names in `select`, `order`, `columns` and `on_conflict` of one request together; more are answered with DBR100. PostgreSQL returns at most 1664 columns.',
    live,
  ),
  'db-max-keys': setting(
    integer(1, 1_000_000),
    10_000,
    'Most different keys of a request body: of the objects of JSON, in the header of CSV, of a form.',
    live,
  ),
  'db-plan-enabled': setting(boolean, false, 'Answer the plan media type with execution plans.', live),
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
    'Channel listened on for `NOTIFY` with `reload schema` or `reload config`.',
  ),
  'db-channel-enabled': setting(boolean, true, 'Listen on that channel.', { reloadable: true }),
  'db-standby-reload-interval': setting(
    seconds(),
    60,
    'How often schema and settings are read again on a standby, which cannot listen, in seconds.',
  ),
  'db-config': setting(boolean, true, 'Read settings from the database, and apply the settings of roles.', {
    reloadable: true,
  }),
  'db-pre-config': setting(
    optionalText,
    null,
    'Function called before settings are read from the database.',
    { reloadable: true, inDatabase: true },
  ),
  'jwt-secret': setting(
    optionalText,
    null,
    'Key for tokens of the data API: a secret text of at least 32 bytes (48 for HS384, 64 for HS512), a JWK, an array of them, a JWKS, or `@file`. A text that begins with `{` or `[` is a key set, never a secret. Unset: JWT_SECRET where that is set.',
    { ...live, secret: true, fromFile: true, binaryKey: true },
  ),
  'jwt-secret-is-base64': setting(
    boolean,
    false,
    'The secret text is base64 (URL-safe characters allowed).',
    { ...live, aliases: ['secret-is-base64'] },
  ),
  'jwt-aud': setting(optionalText, null, 'A token that names an audience must name this one.', live),
  'jwt-role-claim-key': setting(rolePath, '.role', 'Path to the role in the claims, e.g. `.app.roles[0]`.', {
    ...live,
    aliases: ['role-claim-key'],
  }),
  'jwt-cache-max-lifetime': setting(
    integer(0, DAY * 365),
    0,
    'Longest time a verified token without `exp` is remembered, in seconds; 0 is the built-in hour. Keys that change are honoured at once.',
    live,
  ),
  'openapi-mode': setting(
    oneOf('follow-privileges', 'ignore-privileges', 'disabled'),
    'follow-privileges',
    'What the root path describes.',
    live,
  ),
  'openapi-version': setting(
    oneOf('2.0', '3.1'),
    '2.0',
    'Version of OpenAPI that the root path describes the schema in; `Accept: application/vnd.oai.openapi+json` asks for 3.1 whatever this says.',
    live,
  ),
  'openapi-security-active': setting(
    boolean,
    false,
    'Include the JWT security definition in the root document.',
    live,
  ),
  'openapi-server-proxy-uri': setting(
    optionalUrl,
    null,
    'Public address that the root document names.',
    live,
  ),

  // Notifications and signing
  'service-jwt-secret': setting(
    optionalText,
    null,
    'Shared secret for tokens of notifications and signing (HS256, HS384, HS512), at least 32 bytes. Unset: a development default, with a warning; refused where NODE_ENV is production and one of these areas is served.',
    { secret: true, environment: ['JWT_SECRET'] },
  ),
  'require-jwt-exp': setting(boolean, false, 'Refuse tokens of notifications and signing without `exp`.', {
    environment: ['REQUIRE_JWT_EXP'],
  }),
  'notifications-list-limit': setting(
    integer(0, 1_000_000),
    20,
    'Lists that one user may ask for in a second; 0 for any number.',
  ),
  'notifications-mark-all-limit': setting(
    integer(0, 1_000_000),
    5,
    'How often one user may mark everything in a minute; 0 for any number.',
  ),
  'notifications-change-limit': setting(
    integer(0, 1_000_000),
    600,
    'How often one user may mark single notifications, and change preferences, in a minute; 0 for any number.',
  ),
  'notifications-ticket-limit': setting(
    integer(0, 1_000_000),
    30,
    'Stream tickets that one user may get in a minute; 0 for any number. A user has at most ten at a time.',
  ),
  'signing-config-limit': setting(
    integer(0, 1_000_000),
    30,
    'How often the signing configuration of one account may be set, changed and cleared in a minute; 0 for any number.',
  ),
  'signing-session-limit': setting(
    integer(0, 1_000_000),
    10,
    'Signing sessions that may be created for one account in a minute, and keys of its delegate that may be claimed; 0 for any number.',
  ),
  'signing-ready-time': setting(
    integer(1, 3600),
    60,
    'Seconds in which all parties of a signing session must have joined, and the share for a delegate been supplied; else it expires.',
  ),
  'signing-recent-auth': setting(
    integer(0, 31_536_000),
    0,
    'Seconds within which a user who changes a signing configuration must have authenticated (claim `auth_time`); 0 for any time.',
  ),
  'signing-retention': setting(
    integer(0, 36_500),
    90,
    'Days until signing sessions that have ended are deleted, with their events; 0 keeps them. The audit log is always kept.',
  ),
  'notifications-retention': setting(integer(1, 36_500), 90, 'Days until notifications are deleted.'),
} as const;

export type SettingName = keyof typeof SETTINGS;

/** Names of the settings that the database may hold. */
export const DATABASE_SETTINGS: readonly string[] = Object.entries<Setting<unknown>>(SETTINGS).flatMap(
  ([name, { inDatabase }]) => (inDatabase === true ? [name] : []),
);
