/**
 * Reads connection strings of libpq (PostgreSQL manual, 34.1.1) into the options of the driver. No error repeats any
 * part of a string, because it may contain a password.
 */
import { editDistance } from '../base/nearest.js';
import {
  type Draft,
  type HostChoice,
  type TlsSettings,
  filled,
  hostChoiceOf,
  readHosts,
  wordOf,
} from './connection-hosts.js';
import { InvalidConnectionString } from './invalid-connection-string.js';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

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
  readonly connectionTimeoutMillis?: number;
  readonly enableChannelBinding: boolean;
  /** A server that does not prove by the login that it has the certificate of the connection is refused. */
  readonly requiresChannelBinding?: true;
  /** Delay of TCP keep-alive probes, in milliseconds. */
  readonly keepAliveInitialDelayMillis?: number;
  /** Present if there is more than one way to connect; `host`, `port` and `ssl` are then the first one. */
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
 * know, or that dbr does not support, is refused. Absent parameters come from the service file, then from the
 * environment.
 *
 * @throws InvalidConnectionString
 */
export function readConnectionString(
  text: string,
  environment: Environment = process.env,
): ConnectionSettings {
  const trimmed = text.trim();
  const isUri = /^postgres(?:ql)?:\/\//i.test(trimmed);
  const parameters = new Map(isUri ? uriParameters(trimmed) : keywordParameters(trimmed));
  const showsNames = isUri ? !AT_IN_QUERY.test(trimmed) : !parameters.has('password');
  addService(parameters, environment);
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
    ssl: first.encryptions[0],
  };
  if (binding === 'require') settings.requiresChannelBinding = true;
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

/** Adds the parameters of `service`; parameters of the string take precedence. */
function addService(parameters: Map<string, string>, environment: Environment): void {
  const service = parameters.get('service') ?? environment['PGSERVICE'];
  if (!filled(service)) return;
  const file = parameters.get('servicefile') ?? environment['PGSERVICEFILE'];
  const found = readService(service, filled(file) ? file : null, environment);
  if (found === null)
    throw new InvalidConnectionString('the service that the connection string names is in no service file');
  for (const [name, value] of found) if (!parameters.has(name)) parameters.set(name, value);
}

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

// The parameters of libpq (PostgreSQL manual, 34.1.2): those that dbr supports, and the values of the
// others that have no effect on it.

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
  'service',
  'servicefile',
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

/** Other parameters of libpq, with the values that agree with the behaviour of dbr. Any other value is refused. */
const ACCEPTED: ReadonlyMap<string, RegExp> = new Map([
  ['client_encoding', /^(auto|utf-?8|unicode)$/i],
  // Node.js cannot set these; probes follow each other as the system has them.
  ['keepalives', /^[01]$/],
  ['keepalives_interval', /^\d+$/],
  ['keepalives_count', /^\d+$/],
  ['tcp_user_timeout', /^\d+$/],
  ['gssencmode', /^(disable|prefer)$/],
  ['sslcompression', /^0$/],
  ['sslsni', /^1$/],
  ['sslnegotiation', /^postgres$/],
  ['sslcertmode', /^allow$/],
  ['min_protocol_version', /^3\.0$/],
  ['max_protocol_version', /^(3\.0|latest)$/],
  ['replication', /^(false|off|no|0)$/i],
  ...[
    'require_auth',
    'requirepeer',
    'requiressl',
    'sslcrl',
    'sslcrldir',
    'sslkeylogfile',
    'krbsrvname',
    'gsslib',
    'gssdelegation',
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
  if (HONOURED.has(name)) return null;
  const accepted = ACCEPTED.get(name);
  if (accepted === undefined) {
    const closest = closestName(name);
    const shown = showsNames && NAME.test(name) ? ` ${name}` : '';
    return `the connection string has an unknown parameter${shown}${closest === null ? '' : `; did you mean ${closest}?`}`;
  }
  return value === '' || accepted.test(value) ? null : `${name} in the connection string is not supported`;
}

const MOST_EDITS = 2;

function closestName(name: string): string | null {
  let best: string | null = null;
  let fewest = MOST_EDITS + 1;
  for (const known of [...HONOURED, ...ACCEPTED.keys()]) {
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

// The connection service file (PostgreSQL manual, 34.17): sections `[name]` with lines of `key=value`.

/**
 * @param file from `servicefile` or PGSERVICEFILE; null searches the home folder, then PGSYSCONFDIR
 * @returns the parameters of the service; null if no file defines it
 */
function readService(
  name: string,
  file: string | null,
  environment: Environment,
): ReadonlyMap<string, string> | null {
  const system = environment['PGSYSCONFDIR'];
  const files =
    file === null
      ? [
          join(environment['HOME'] ?? homedir(), '.pg_service.conf'),
          ...(system === undefined ? [] : [join(system, 'pg_service.conf')]),
        ]
      : [file];
  for (const path of files) {
    const found = section(contentOf(path), name);
    if (found !== null) return found;
  }
  return null;
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function section(content: string, name: string): ReadonlyMap<string, string> | null {
  let found: Map<string, string> | null = null;
  for (const line of content.split(/\r?\n/).map((text) => text.trim())) {
    if (line.startsWith('[')) {
      if (found !== null) break;
      if (line === `[${name}]`) found = new Map();
    } else if (found !== null && line !== '' && !line.startsWith('#')) {
      const [, key = '', value = ''] = /^([^=]*?)\s*=\s*(.*)$/.exec(line) ?? [];
      found.set(key, value);
    }
  }
  return found;
}
