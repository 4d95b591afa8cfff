/**
 * The table of settings. Sources, defaults, `--example`, `--dump` and the page of the manual are derived from it, in its order.
 */
import { DATA_API_SETTINGS } from './data-api-settings.js';
import { SERVER_SETTINGS } from './server-settings.js';
import { type Setting, setting, live, DAY, seconds } from './setting.js';
import {
  boolean,
  integer,
  optionalText,
  text,
  headerPairs,
  oneOf,
  optionalInteger,
  optionalUrl,
  ratio,
  listOf,
  optionalTextThat,
  type Kind,
  textThat,
} from './kinds.js';
import { isNetwork } from '../base/networks.js';
import { parseIssuers, printIssuers, type IssuerSettings } from '../auth/issuer-settings.js';
import { isKeyAddress, KEY_ADDRESS_FORM } from '../auth/key-address.js';
import {
  CLAIM_PATH_FORM,
  isTrustedClaimPath,
  parseClaimPath,
  TRUSTED_CLAIM_PATH_FORM,
} from '../auth/claim-path.js';

const issuers: Kind<readonly IssuerSettings[]> = {
  name: 'list',
  parse: parseIssuers,
  print: printIssuers,
};

const rolePath = textThat((value) => parseClaimPath(value) !== null, CLAIM_PATH_FORM);
const trustedPath = textThat(isTrustedClaimPath, TRUSTED_CLAIM_PATH_FORM);

const TOKEN_SETTINGS = {
  'jwt-secret': setting(
    optionalText,
    null,
    'Key for tokens of the data API: a secret text of at least 32 bytes (48 for HS384, 64 for HS512), a JWK, an array of JWKs, a JWKS, or `@file`. A text that begins with `{` or `[` is a key set, and one that begins with `https://` is the address of a key set as in `jwks-uri`; neither is ever a secret. Public keys open all areas, a secret opens the data API. Unset: JWT_SECRET, beside `jwks-uri` and `jwt-issuers` only where it is set and notifications or signing are served; `""` for no key.',
    { ...live, secret: true, fromFile: true, binaryKey: true },
  ),
  'jwt-secret-is-base64': setting(boolean, false, 'The secret text is base64 or base64url.', {
    ...live,
    aliases: ['secret-is-base64'],
  }),
  'jwks-uri': setting(
    optionalTextThat(isKeyAddress, KEY_ADDRESS_FORM),
    null,
    'Address (https) of a key set (JWKS) for tokens of all areas, in addition to `jwt-secret` and `service-jwt-secret`. The service loads it at the start, refreshes it, and loads it again when a token names a key that it does not contain.',
    live,
  ),
  'jwt-issuers': setting(
    issuers,
    [],
    'Issuers of tokens of all areas: addresses separated by commas, a JSON array of addresses and objects, or `@file`. Members of an object: `issuer` (equal to the claim `iss`), `preset` (members for the tokens of `auth0`, `keycloak`, `supabase`, `cognito`, `entra` or `clerk`), `jwks-uri` (absent: the metadata of the issuer name it, OpenID Connect Discovery), `audience` (the token must name it, or one of several), `audience-claim`, `role-claim-key`, `tenant-claim`, `user-claim`, `scopes-claim`, `tenant` (of all its tokens), `tenants` (its tokens may name no other; `*` for any), `algorithms`, `roles` (its tokens may name no other), `scopes` (its tokens carry no other). `tenant` and `tenants` bind all areas, also scopes for other tenants. Of several issuers, one without `tenant` and `tenants` opens the data API alone. `jwt-secret` and `jwks-uri` verify tokens of other issuers only.',
    { ...live, fromFile: true },
  ),
  'jwks-refresh-interval': setting(
    integer(60, DAY),
    600,
    'Maximum time between two loads of a key set, in seconds. `Cache-Control` of the response can shorten it to one minute at least.',
    live,
  ),
  'jwks-refetch-interval': setting(
    integer(1, 3600),
    5,
    'Minimum time between two loads of a key set, in seconds, for any number of tokens that name unknown keys.',
    live,
  ),
  'jwks-max-stale': setting(
    integer(0, DAY * 365),
    DAY,
    'Maximum age of the last good copy of a key set that cannot be loaded, in seconds; 0 for any age.',
    live,
  ),
  'jwks-fetch-timeout': setting(
    seconds(60),
    5,
    'Maximum duration of a request for a key set or for the metadata of an issuer, in seconds.',
    live,
  ),
  'jwks-tls-ca': setting(
    optionalText,
    null,
    'Path of certificates in PEM: authorities, in addition to those of Node.js, that certify the servers of key sets.',
    { reloadable: true },
  ),
  'jwt-aud': setting(
    optionalText,
    null,
    'Audience of the service: a token with the claim `aud` must name it.',
    live,
  ),
  'jwt-role-claim-key': setting(
    rolePath,
    '.role',
    'Path of the role in the claims, such as `.app.roles[0]`, or a query of JSONPath (RFC 9535), such as `$.app.roles[?search(@, "^app_")]`, whose first value is the role.',
    {
      ...live,
      aliases: ['role-claim-key'],
    },
  ),
  'notifications-claim-tenant': setting(
    trustedPath,
    '.tenantId',
    'Path of the tenant in the claims of tokens of notifications and signing, as in `jwt-role-claim-key`. A list may have one member only. In `request.jwt.claims`, tokens of an issuer with `tenant` or `tenants` have its tenant there.',
    live,
  ),
  'notifications-claim-user': setting(
    trustedPath,
    '.sub',
    'Path of the user in the claims of tokens of notifications and signing.',
    live,
  ),
  'notifications-claim-scopes': setting(
    trustedPath,
    '.scope',
    'Path of the scopes in the claims of tokens of notifications and signing: a text with blanks between them, or a list.',
    live,
  ),
  'api-keys': setting(
    boolean,
    false,
    'Accept the API keys of `dbr key create` in the data API, in the header `apikey` and as Bearer tokens. Needs `dbr migrate` on the database of `db-uri`.',
  ),
  'api-keys-refresh': setting(
    seconds(60),
    5,
    'Time between two looks for changes of the API keys, in seconds: a new key opens, and a revoked one is refused, that much later at most while the database responds. With `db-channel-enabled`, the commands notify the service.',
  ),
  'jwt-cache-max-lifetime': setting(
    integer(0, DAY * 365),
    0,
    'Maximum time in which a verified token without `exp` stays in the cache, in seconds; 0 is one hour. A change of keys empties the cache.',
    live,
  ),
} as const;

const networks = listOf(isNetwork, 'addresses, and networks such as 10.0.0.0/8');

const OPERATIONS_SETTINGS = {
  'service-jwt-secret': setting(
    optionalText,
    null,
    'Shared secret for tokens of notifications and signing (HS256, HS384, HS512), at least 32 bytes; tokens of `jwt-issuers` and `jwks-uri` open them, too. Unset: a development default with a warning; if NODE_ENV is production and one of these areas is served without an issuer, the start fails. Or `@file`.',
    { secret: true, fromFile: true, environment: ['JWT_SECRET'] },
  ),
  'require-jwt-exp': setting(boolean, false, 'Refuse tokens of notifications and signing without `exp`.', {
    environment: ['REQUIRE_JWT_EXP'],
  }),
  'notifications-list-limit': setting(
    integer(0, 1_000_000),
    20,
    'Maximum number of lists of one user per second; 0: no limit.',
  ),
  'notifications-count-limit': setting(
    integer(0, 1_000_000),
    20,
    'Maximum number of unread counts of one user per second; 0: no limit. Streams send the count without it.',
  ),
  'notifications-mark-all-limit': setting(
    integer(0, 1_000_000),
    5,
    'Maximum number of marks of all notifications by one user per minute; 0: no limit.',
  ),
  'notifications-change-limit': setting(
    integer(0, 1_000_000),
    600,
    'Maximum number of marks of single notifications and changes of preferences by one user per minute; 0: no limit.',
  ),
  'notifications-ticket-limit': setting(
    integer(0, 1_000_000),
    30,
    'Maximum number of new stream tickets of one user per minute; 0: no limit. A user has at most ten tickets at a time.',
  ),
  'signing-config-limit': setting(
    integer(0, 1_000_000),
    30,
    'Maximum number of changes of the signing configuration of one account per minute; 0: no limit.',
  ),
  'signing-session-limit': setting(
    integer(0, 1_000_000),
    10,
    'Maximum number of new signing sessions of one account per minute, and of claimed keys of its delegate; 0: no limit.',
  ),
  'signing-ready-time': setting(
    integer(1, 3600),
    60,
    'Time in which all parties must join a signing session and the share for a delegate must be supplied, in seconds; then the session expires.',
  ),
  'signing-recent-auth': setting(
    integer(0, 31_536_000),
    0,
    'Maximum age of the authentication (claim `auth_time`) of a user who changes a signing configuration, in seconds; 0: no limit.',
  ),
  'party-key-delay': setting(
    integer(0, 31_536_000),
    86_400,
    'Time between the proposal of other keys of a party and its confirmation by a second user, in seconds. Keys that the current identity key of the party signs take effect at once.',
  ),
  'signing-retention': setting(
    integer(0, 36_500),
    90,
    'Days after which ended signing sessions and their events are deleted; 0 keeps them. The audit log is always kept.',
  ),
  'audit-head-url': setting(
    optionalUrl,
    null,
    'Address outside the reach of those who operate the database, to which the signed head of each audit chain is put once a minute after a change; `{tenant}` in it stands for the tenant. Treated as a secret, because it may contain a token. Unset: none. Or `@file`.',
    { secret: true, fromFile: true },
  ),
  'audit-head-key': setting(
    optionalText,
    null,
    'Ed25519 private key in PEM (PKCS #8) that signs the heads for `audit-head-url`. Or `@file`.',
    { secret: true, fromFile: true },
  ),
  'notifications-new-user-days': setting(
    integer(0, 36_500),
    7,
    'Notifications for a whole tenant that are older than these days when a user appears for the first time are read for the user.',
  ),
  'notifications-retention': setting(integer(1, 36_500), 90, 'Days after which notifications are deleted.'),
  'webhooks-key': setting(
    optionalTextThat((value) => value.length >= 32, 'at least 32 characters'),
    null,
    'Text of at least 32 characters under which secrets of webhooks are encrypted in the database. Unset: `service-jwt-secret`. With another key, webhooks need new secrets.',
    { secret: true, fromFile: true },
  ),
  'webhooks-allowed-networks': setting(
    networks,
    [],
    'Networks to which webhooks may send although they are not public, with `http` too, as `127.0.0.0/8`. For development, and for receivers in a private network.',
  ),
  'webhooks-attempts': setting(
    integer(1, 20),
    10,
    'Attempts to send a message of a webhook before it is dead.',
  ),
  'webhooks-timeout': setting(
    integer(1, 60),
    10,
    'Time of one attempt to send a message of a webhook, in seconds.',
  ),
  'webhooks-retention': setting(
    integer(1, 90),
    7,
    'Days after which messages of webhooks are deleted, sent or not.',
  ),
} as const;

const OBSERVABILITY_SETTINGS = {
  'log-level': setting(
    oneOf('crit', 'error', 'warn', 'info', 'debug'),
    'error',
    'Least level that is logged. Requests are logged from status 500 at `error`, from 400 at `warn`, all at `info` and `debug`.',
    { reloadable: true },
  ),
  'log-format': setting(
    oneOf('auto', 'json', 'pretty'),
    'auto',
    'JSON lines or readable text; `auto` is text on a terminal, else JSON.',
    { reloadable: true },
  ),
  'log-slow-statements': setting(
    optionalInteger(0, 86_400_000),
    null,
    'Log statements of the data API that PostgreSQL executes for at least this time, in milliseconds, at `warn`, with a generic plan and without the values of parameters; at most one a second. Unset: none.',
    { reloadable: true },
  ),
  'traces-endpoint': setting(
    optionalUrl,
    null,
    'Address of an OpenTelemetry collector that takes spans by OTLP over HTTP, such as `http://collector:4318/v1/traces`; an address without a path gets `/v1/traces`. Unset: no traces.',
    { environment: ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] },
  ),
  'traces-headers': setting(
    headerPairs,
    [],
    'Headers of each export, as `name=value` separated by commas, with values percent-encoded: the authentication at the collector.',
    { secret: true, fromFile: true, environment: ['OTEL_EXPORTER_OTLP_TRACES_HEADERS'] },
  ),
  'traces-service-name': setting(text, 'dbr', 'Attribute `service.name` of the spans.', {
    environment: ['OTEL_SERVICE_NAME'],
  }),
  'traces-sample-ratio': setting(
    ratio,
    1,
    'Share of the requests without `traceparent` whose spans are exported, from 0 to 1.',
    { reloadable: true },
  ),
  'traces-follow-parent': setting(
    boolean,
    true,
    'Whether a client that sends `traceparent` decides about its spans. `false`: `traces-sample-ratio` decides, by the trace id; set it where clients are not trusted.',
    { reloadable: true },
  ),
  'traces-database': setting(
    oneOf('off', 'comment', 'application_name'),
    'off',
    'How the trace of a sampled request of the data API reaches the log of PostgreSQL: `application_name` sets it for the transaction, `comment` puts it before the statement, which is then not prepared.',
    live,
  ),
} as const;

const DATABASES_SETTINGS = {
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
  'db-live': setting(
    boolean,
    false,
    'Whether the data API answers reads that accept `text/event-stream` with a stream that stays true. PostgreSQL needs `wal_level = logical`.',
  ),
  'db-live-uri': setting(
    optionalText,
    null,
    'Connection string of live reads, for a role with `replication` that may extend the publication `dbr_live`. Not by way of a pooler. Unset: `db-uri`.',
    { secret: true, fromFile: true },
  ),
  'db-live-pause': setting(
    integer(0, 60_000),
    50,
    'Shortest time between two reads of the same live answer, in milliseconds; changes within it are merged.',
  ),
  'db-live-interval': setting(
    integer(1, 3600),
    5,
    'Time between two reads of a live answer that depends on more than the log of changes shows, in seconds.',
  ),
  'db-live-max-bytes': setting(
    integer(1024, 67_108_864),
    1_048_576,
    'Longest live answer, in bytes; a longer one ends its streams.',
  ),
  'db-live-max-streams': setting(
    integer(1, 100_000),
    50,
    'Most live streams of a user, by role and the claim `sub`, or by the address without one, in each process.',
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

export const SETTINGS = {
  ...SERVER_SETTINGS,
  ...DATABASES_SETTINGS,
  ...DATA_API_SETTINGS,
  ...TOKEN_SETTINGS,
  ...OPERATIONS_SETTINGS,
  ...OBSERVABILITY_SETTINGS,
} as const;

export type SettingName = keyof typeof SETTINGS;

/** Names of the settings that the database may hold. */
export const DATABASE_SETTINGS: readonly string[] = Object.entries<Setting<unknown>>(SETTINGS).flatMap(
  ([name, { inDatabase }]) => (inDatabase === true ? [name] : []),
);
