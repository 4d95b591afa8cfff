/**
 * Reads connection strings of libpq (PostgreSQL manual, 34.1.1) into the options of the driver. No error repeats any
 * part of a string, because it may contain a password.
 */
import { editDistance } from '../base/nearest.js';
import {
  type Draft,
  type HostChoice,
  type TlsSettings,
  allowsPlain,
  filled,
  hostChoiceOf,
  readHosts,
  wordOf,
} from './connection-hosts.js';
import { InvalidConnectionString } from './invalid-connection-string.js';

/**
 * Options of a connection. The driver takes absent ones from PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE,
 * PGOPTIONS, or its defaults.
 */
export interface ConnectionSettings {
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly application_name?: string;
  /** Command-line options for the session, such as `-c statement_timeout=5s`. */
  readonly options?: string;
  readonly ssl: false | TlsSettings;
  /** The connection is not encrypted if the server has no TLS. */
  readonly isTlsOptional?: true;
  readonly connectionTimeoutMillis?: number;
  readonly enableChannelBinding: boolean;
  /** A server that does not prove by the login that it has the certificate of the connection is refused. */
  readonly requiresChannelBinding?: true;
  /** Delay of TCP keep-alive probes, in milliseconds. */
  readonly keepAliveInitialDelayMillis?: number;
  /** Present if a server has to be chosen; `host`, `port` and `ssl` are then those of the first one. */
  readonly hostChoice?: HostChoice;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Parameters = ReadonlyMap<string, string>;

/** Parameters that the driver does not read from the environment (PostgreSQL manual, 34.15). */
const FROM_ENVIRONMENT = [
  ['sslmode', 'PGSSLMODE'],
  ['sslrootcert', 'PGSSLROOTCERT'],
  ['sslcert', 'PGSSLCERT'],
  ['sslkey', 'PGSSLKEY'],
  ['connect_timeout', 'PGCONNECT_TIMEOUT'],
  ['channel_binding', 'PGCHANNELBINDING'],
  ['application_name', 'PGAPPNAME'],
  ['hostaddr', 'PGHOSTADDR'],
  ['ssl_min_protocol_version', 'PGSSLMINPROTOCOLVERSION'],
  ['ssl_max_protocol_version', 'PGSSLMAXPROTOCOLVERSION'],
  ['target_session_attrs', 'PGTARGETSESSIONATTRS'],
  ['load_balance_hosts', 'PGLOADBALANCEHOSTS'],
  ['passfile', 'PGPASSFILE'],
  ['require_auth', 'PGREQUIREAUTH'],
  ['gssencmode', 'PGGSSENCMODE'],
] as const;

/**
 * Reads `postgresql://…`, `key=value …`, or an empty string, which leaves all options to the environment.
 *
 * `sslmode` has the meaning of libpq with one exception: a string without `sslmode` does not request TLS. `verify-full`
 * trusts the public authorities unless `sslrootcert` names others. A parameter that libpq does not
 * know, or that asks for what dbr does not do, is refused. Absent parameters come from the environment.
 *
 * @throws InvalidConnectionString
 */
export function readConnectionString(
  text: string,
  environment: Environment = process.env,
): ConnectionSettings {
  const trimmed = text.trim();
  const parameters = parametersOf(trimmed);
  const showsNames = isUri(trimmed) ? !AT_IN_QUERY.test(trimmed) : !parameters.has('password');
  if (parameters.has('service') || parameters.has('servicefile') || filled(environment['PGSERVICE']))
    throw new InvalidConnectionString(SERVICE_ENDED);
  for (const [name, variable] of FROM_ENVIRONMENT) {
    const value = environment[variable];
    if (filled(value) && !parameters.has(name)) parameters.set(name, value);
  }
  for (const [name, value] of parameters) {
    const problem = parameterProblem(name, value, showsNames);
    if (problem !== null) throw new InvalidConnectionString(problem);
  }
  const hosts = readHosts(parameters, environment);
  const [first] = hosts;
  const binding = wordOf(parameters, 'channel_binding', ['prefer', 'disable', 'require']);
  const settings: Draft<ConnectionSettings> = {
    enableChannelBinding: binding !== 'disable',
    ssl: first.encryption,
  };
  if (binding === 'require') settings.requiresChannelBinding = true;
  if (allowsPlain(parameters)) settings.isTlsOptional = true;
  const idleSeconds = integer(parameters, 'keepalives_idle', 1_000_000);
  if (idleSeconds !== undefined && idleSeconds > 0) settings.keepAliveInitialDelayMillis = idleSeconds * 1000;
  if (first.host !== null) settings.host = first.host;
  if (first.port !== null) settings.port = first.port;
  const timeout = integer(parameters, 'connect_timeout', 1_000_000);
  if (timeout !== undefined && timeout > 0) settings.connectionTimeoutMillis = timeout * 1000;
  for (const [parameter, key] of TEXTS) {
    const value = parameters.get(parameter);
    if (filled(value)) settings[key] = value;
  }
  if (first.password !== null) settings.password = first.password;
  const choice = hostChoiceOf(hosts, parameters, settings.connectionTimeoutMillis ?? null);
  if (choice !== null) settings.hostChoice = choice;
  return settings;
}

const SERVICE_ENDED =
  'service files (service, servicefile, PGSERVICE) have ended: write the parameters into the connection string; "Ended" in CHANGELOG.md says more';

/** Names of the parameters that change nothing here; none of a string that `readConnectionString` refuses. */
export function ignoredParameters(text: string): readonly string[] {
  try {
    return [...parametersOf(text.trim()).keys()].filter((name) => IGNORED.has(name));
  } catch {
    return [];
  }
}

const isUri = (text: string): boolean => /^postgres(?:ql)?:\/\//i.test(text);

/** @throws InvalidConnectionString */
const parametersOf = (text: string): Map<string, string> =>
  new Map(isUri(text) ? uriParameters(text) : keywordParameters(text));

/** An `@` behind `?`: the password has a `?` that is not percent-encoded, and what follows it is read as parameters. */
const AT_IN_QUERY = /\?.*@/s;

const TEXTS = [
  ['user', 'user'],
  ['dbname', 'database'],
  // The later entry wins: the fallback is used if there is no name.
  ['fallback_application_name', 'application_name'],
  ['application_name', 'application_name'],
  ['options', 'options'],
] as const;

function integer(parameters: Parameters, name: string, most: number): number | undefined {
  const text = parameters.get(name);
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text) || value > most)
    throw new InvalidConnectionString(
      `${name} in the connection string is not a number up to ${String(most)}`,
    );
  return value;
}

// The parameters of libpq (PostgreSQL manual, 34.1.2).

/** Supported in `connection-string.ts`. */
const HONOURED: ReadonlySet<string> = new Set([
  'host',
  'hostaddr',
  'port',
  'dbname',
  'user',
  'password',
  'connect_timeout',
  'options',
  'application_name',
  'fallback_application_name',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslpassword',
  'ssl_min_protocol_version',
  'ssl_max_protocol_version',
  'channel_binding',
  'keepalives_idle',
  'target_session_attrs',
  'load_balance_hosts',
  'passfile',
]);

/** Change nothing here, whatever their values are: the log names them at the start. */
const IGNORED: ReadonlySet<string> = new Set([
  'client_encoding',
  // Node.js cannot set these; probes are always sent, and follow each other as the system has them.
  'keepalives',
  'keepalives_interval',
  'keepalives_count',
  'tcp_user_timeout',
  'sslcompression',
  'sslsni',
  'sslnegotiation',
  'sslkeylogfile',
  'min_protocol_version',
  'max_protocol_version',
  'replication',
  'krbsrvname',
  'gsslib',
  'gssdelegation',
]);

/** Ask for a login or a check that dbr does not do: refused with any value but these. */
const REFUSED: ReadonlyMap<string, RegExp> = new Map([
  ['gssencmode', /^(disable|prefer|)$/],
  ['sslcertmode', /^(allow|)$/],
  ...[
    'require_auth',
    'requirepeer',
    'requiressl',
    'sslcrl',
    'sslcrldir',
    'scram_client_key',
    'scram_server_key',
    'oauth_issuer',
    'oauth_client_id',
    'oauth_client_secret',
    'oauth_scope',
  ].map((name) => [name, /^$/] as const),
]);

const NAME = /^[a-z][a-z0-9_.-]{0,62}$/i;

/**
 * Returns the reason for refusing a parameter, or null. The message suggests the known name that is most similar.
 * @param showsNames false where an unknown name may be a part of the password, and is not repeated
 */
function parameterProblem(name: string, value: string, showsNames: boolean): string | null {
  if (HONOURED.has(name) || IGNORED.has(name)) return null;
  const permitted = REFUSED.get(name);
  if (permitted === undefined) {
    const closest = closestName(name);
    const shown = showsNames && NAME.test(name) ? ` ${name}` : '';
    return `the connection string has an unknown parameter${shown}${closest === null ? '' : `; did you mean ${closest}?`}`;
  }
  return permitted.test(value) ? null : `${name} in the connection string is not supported`;
}

const MOST_EDITS = 2;

function closestName(name: string): string | null {
  let best: string | null = null;
  let fewest = MOST_EDITS + 1;
  for (const known of [...HONOURED, ...IGNORED, ...REFUSED.keys()]) {
    const edits = editDistance(name, known);
    if (edits < fewest) [best, fewest] = [known, edits];
  }
  return best;
}

// The two forms of a connection string: URI and keyword=value (PostgreSQL manual, 34.1.1).

/**
 * `scheme://[user[:password]@][host[:port],…][/dbname][?name=value&…]`; hosts may be percent-encoded paths, or
 * addresses of IPv6 in brackets.
 */
const URI =
  /^[a-z]+:\/\/(?:([^/?#@:]*)(?::([^/?#@]*))?@)?((?:\[[^\]]*\]|[^/?#@[\]])*)(?:\/([^?#]*))?(?:\?([^#]*))?$/i;
const HOST = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d*))?$/;

/** Yields the parameters of `postgresql://…`. @throws InvalidConnectionString */
function* uriParameters(text: string): Generator<readonly [string, string]> {
  const match = URI.exec(text);
  if (match === null) throw invalidUri();
  const [, user, password, servers = '', dbname, query = ''] = match.map((part) => part ?? '');
  const hosts = servers.split(',').map(hostAndPort);
  const parts = [
    ['user', user],
    ['password', password],
    ['host', listOf(hosts.map(([host]) => host))],
    ['port', listOf(hosts.map(([, port]) => port))],
    ['dbname', dbname],
  ] as const;
  for (const [name, value] of parts) if (value !== undefined && value !== '') yield [name, decode(value)];
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    // The form of the JDBC driver, which libpq accepts too.
    if (name === 'ssl' && value === 'true') yield ['sslmode', 'require'];
    else yield [decode(name), decode(value)];
  }
}

/** @throws InvalidConnectionString */
function hostAndPort(text: string): readonly [host: string, port: string] {
  const match = HOST.exec(text);
  if (match === null) throw invalidUri();
  const [, address = '', name = '', port = ''] = match;
  return [address === '' ? name : address, port];
}

/** An empty entry stands for the default. A list of empty entries is an absent parameter. */
const listOf = (entries: readonly string[]): string =>
  entries.every((entry) => entry === '') ? '' : entries.join(',');

const invalidUri = (): InvalidConnectionString =>
  new InvalidConnectionString(
    'the connection string is not a valid URI; special characters in it must be percent-encoded',
  );

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new InvalidConnectionString('the connection string is not percent-encoded as a URI must be');
  }
}

const PAIR = /\s*([a-z_]+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^\s'\\]|\\.)*))(?=\s|$)/suy;

/** Yields the parameters of `keyword=value …`. @throws InvalidConnectionString */
function* keywordParameters(text: string): Generator<readonly [string, string]> {
  let position = 0;
  while (position < text.length) {
    PAIR.lastIndex = position;
    const [, key, quoted, bare = ''] = PAIR.exec(text) ?? [];
    if (key === undefined)
      throw new InvalidConnectionString(
        'the connection string is neither postgresql://… nor a list of keyword=value',
      );
    position = PAIR.lastIndex;
    yield [key, (quoted ?? bare).replaceAll(/\\(.)/gs, '$1')];
  }
}
