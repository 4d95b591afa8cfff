/**
 * Reads connection strings of libpq (PostgreSQL manual, 34.1.1) into the options of the driver. No error repeats any
 * part of a string, because it may contain a password.
 */
import { readFileSync } from 'node:fs';
import { checkServerIdentity, type PeerCertificate, type SecureVersion } from 'node:tls';
import { parameterProblem } from './connection-parameters.js';
import { readService } from './service-file.js';

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
}

export interface TlsSettings {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Passphrase of the key. */
  readonly passphrase?: string;
  readonly minVersion?: SecureVersion;
  readonly maxVersion?: SecureVersion;
  /** Checks that the certificate is for the requested server; absent if nothing is verified. */
  readonly checkServerIdentity?: (name: string, certificate: PeerCertificate) => Error | undefined;
}

/** A connection string that cannot be used. The message states the reason. */
export class InvalidConnectionString extends Error {
  override readonly name = 'InvalidConnectionString';
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
  ['require_auth', 'PGREQUIREAUTH'],
  ['gssencmode', 'PGGSSENCMODE'],
] as const;

/**
 * Reads `postgresql://…`, `key=value …`, or an empty string, which leaves all options to the environment.
 *
 * `sslmode` has the meaning of libpq with two exceptions, because the driver cannot change the mode after connecting:
 * `prefer` does not fall back to an unencrypted connection, and a string without `sslmode` does not request TLS.
 * `verify-full` trusts the public authorities unless `sslrootcert` names others. A parameter that libpq does not
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
  const parameters = new Map(
    /^postgres(?:ql)?:\/\//i.test(trimmed) ? uriParameters(trimmed) : keywordParameters(trimmed),
  );
  addService(parameters, environment);
  for (const [name, variable] of FROM_ENVIRONMENT) {
    const value = environment[variable];
    if (filled(value) && !parameters.has(name)) parameters.set(name, value);
  }
  for (const [name, value] of parameters) {
    const problem = parameterProblem(name, value);
    if (problem !== null) throw new InvalidConnectionString(problem);
  }
  const name = parameters.get('host') ?? parameters.get('hostaddr');
  if (name?.includes(',') === true)
    throw new InvalidConnectionString('the connection string names several hosts; one is supported');
  // The connection goes to the address; the certificate is checked for the name (PostgreSQL manual, 34.1.2).
  const host = filled(parameters.get('hostaddr')) ? parameters.get('hostaddr') : name;
  const settings: Draft<ConnectionSettings> = {
    enableChannelBinding: channelBinding(parameters),
    ssl: tlsSettings(parameters, filled(name) ? name : (environment['PGHOST'] ?? 'localhost')),
  };
  const timeout = integer(parameters, 'connect_timeout', 1_000_000);
  if (timeout !== undefined && timeout > 0) settings.connectionTimeoutMillis = timeout * 1000;
  const port = integer(parameters, 'port', 65_535);
  if (port !== undefined) settings.port = port;
  if (filled(host)) settings.host = host;
  for (const [parameter, key] of TEXTS) {
    const value = parameters.get(parameter);
    if (filled(value)) settings[key] = value;
  }
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

function channelBinding(parameters: Parameters): boolean {
  const mode = parameters.get('channel_binding') ?? 'prefer';
  if (mode === 'require')
    throw new InvalidConnectionString('channel_binding=require in the connection string is not supported');
  if (mode !== 'prefer' && mode !== 'disable')
    throw new InvalidConnectionString('channel_binding must be one of disable, prefer, require');
  return mode === 'prefer';
}

type Draft<Type> = { -readonly [Key in keyof Type]: Type[Key] };

const TEXTS = [
  ['user', 'user'],
  ['password', 'password'],
  ['dbname', 'database'],
  // The later entry wins: the fallback is used if there is no name.
  ['fallback_application_name', 'application_name'],
  ['application_name', 'application_name'],
  ['options', 'options'],
] as const;

const filled = (value: string | undefined): value is string => value !== undefined && value !== '';

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

/** `scheme://[user[:password]@][host][:port][/dbname][?name=value&…]`; hosts may be percent-encoded paths. */
const URI =
  /^[a-z]+:\/\/(?:([^/?#@:]*)(?::([^/?#@]*))?@)?(\[[^\]]*\]|[^/?#@:]*)(?::(\d*))?(?:\/([^?#]*))?(?:\?([^#]*))?$/i;

function* uriParameters(text: string): Generator<readonly [string, string]> {
  const match = URI.exec(text);
  if (match === null)
    throw new InvalidConnectionString(
      /,[^@]*$/.test(text.split(/[/?#]/)[2] ?? '')
        ? 'the connection string names several hosts; one is supported'
        : 'the connection string is not a valid URI; special characters in it must be percent-encoded',
    );
  const [, user, password, host, port, dbname, query = ''] = match.map((part) => part ?? '');
  const parts = [
    ['user', user],
    ['password', password],
    ['host', host?.replace(/^\[(.*)\]$/, '$1')],
    ['port', port],
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

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new InvalidConnectionString('the connection string is not percent-encoded as a URI must be');
  }
}

const PAIR = /\s*([a-z_]+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^\s'\\]|\\.)*))(?=\s|$)/suy;

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

function tlsSettings(parameters: Parameters, host: string): false | TlsSettings {
  const mode = parameters.get('sslmode') ?? 'disable';
  if (mode === 'disable' || mode === 'allow') return false;
  const settings: Draft<TlsSettings> = { rejectUnauthorized: true };
  for (const [name, key] of PEM_FILES) {
    const file = parameters.get(name);
    if (filled(file) && file !== 'system') settings[key] = readPem(name, file);
  }
  const passphrase = parameters.get('sslpassword');
  if (filled(passphrase)) settings.passphrase = passphrase;
  for (const [name, key] of TLS_VERSIONS) {
    const version = parameters.get(name);
    if (filled(version)) settings[key] = tlsVersion(name, version);
  }
  const unverified = { ...settings, rejectUnauthorized: false };
  const chainOnly = { ...settings, checkServerIdentity: () => undefined };
  switch (mode) {
    case 'prefer':
      return unverified;
    case 'require':
      // With an authority, libpq verifies the certificate in this mode too (PostgreSQL manual, 34.19.1).
      return settings.ca === undefined ? unverified : chainOnly;
    case 'verify-ca':
      // A public authority issues certificates to anyone, so a certificate without a check of its name proves
      // nothing.
      if (settings.ca === undefined) throw new InvalidConnectionString('sslmode=verify-ca needs sslrootcert');
      return chainOnly;
    case 'verify-full':
      // The driver drops a name that is an address, and would check the certificate for `localhost`.
      return {
        ...settings,
        checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
      };
    default:
      throw new InvalidConnectionString(
        'sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full',
      );
  }
}

const TLS_VERSIONS = [
  ['ssl_min_protocol_version', 'minVersion'],
  ['ssl_max_protocol_version', 'maxVersion'],
] as const;
const SECURE_VERSIONS = [
  'TLSv1',
  'TLSv1.1',
  'TLSv1.2',
  'TLSv1.3',
] as const satisfies readonly SecureVersion[];

function tlsVersion(name: string, value: string): SecureVersion {
  const found = SECURE_VERSIONS.find((version) => version === value);
  if (found === undefined)
    throw new InvalidConnectionString(`${name} must be one of ${SECURE_VERSIONS.join(', ')}`);
  return found;
}

const PEM_FILES = [
  ['sslrootcert', 'ca'],
  ['sslcert', 'cert'],
  ['sslkey', 'key'],
] as const;

function readPem(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new InvalidConnectionString(`the file that ${name} names cannot be read (${code})`);
  }
}
