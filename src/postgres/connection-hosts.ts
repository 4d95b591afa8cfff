/** The servers of a connection string, and how one of them is chosen (PostgreSQL manual, 34.1.1.3 and 34.1.2). */
import { InvalidConnectionString } from './invalid-connection-string.js';
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type PeerCertificate, type SecureVersion, checkServerIdentity } from 'node:tls';

/** A server as a connection string names it. */
export interface Host {
  /** Name, address or folder of a Unix-domain socket; null for the default of the driver. */
  readonly host: string | null;
  /** Null for the default of the driver. */
  readonly port: number | null;
  readonly encryption: false | TlsSettings;
  /** Null if the string, the environment and the password file contain none. */
  readonly password: string | null;
}

/** What a session must be to be used: the values of `target_session_attrs`. */
export type SessionTarget = (typeof SESSION_TARGETS)[number];

const SESSION_TARGETS = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;

/** How a server is chosen. `host-client.ts` follows it. */
export interface HostChoice {
  readonly hosts: readonly Host[];
  readonly target: SessionTarget;
  /** Whether the hosts are tried in random order. */
  readonly random: boolean;
  /** Longest time for one attempt, in milliseconds (`connect_timeout`); null for the time of the caller. */
  readonly timeoutMs: number | null;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Parameters = ReadonlyMap<string, string>;
type Hosts = readonly [first: Host, ...others: Host[]];

const MAX_PORT = 65_535;

/**
 * Returns the servers of a connection string. A connection goes to `hostaddr`; the certificate is checked for `host`.
 * @throws InvalidConnectionString
 */
export function readHosts(parameters: Parameters, environment: Environment): Hosts {
  const names = listOf(parameters.get('host') ?? severalOf(environment['PGHOST']));
  const addresses = listOf(parameters.get('hostaddr'));
  const ports = listOf(parameters.get('port') ?? severalOf(environment['PGPORT']));
  const count = Math.max(names.length, addresses.length, 1);
  if (addresses.length > 0 && names.length > 0 && addresses.length !== names.length)
    throw new InvalidConnectionString(
      'the connection string has as many values of hostaddr as hosts, or none',
    );
  if (ports.length > 1 && ports.length !== count)
    throw new InvalidConnectionString('the connection string has as many values of port as hosts, or one');
  const hostAt = (index: number): Host => {
    const name = names[index] ?? addresses[index] ?? '';
    const address = addresses[index] ?? '';
    const host = address === '' ? name : address;
    const port = portOf((ports.length > 1 ? ports[index] : ports[0]) ?? '');
    const checkedName = name === '' ? (environment['PGHOST'] ?? 'localhost') : name;
    return {
      host: host === '' ? null : host,
      port,
      encryption: encryptionOf(parameters, checkedName),
      password: passwordOf(parameters, environment, checkedName, port),
    };
  };
  const others = Array.from({ length: count - 1 }, (_value, index) => hostAt(index + 1));
  return [hostAt(0), ...others];
}

/** The driver takes a single host or port from the environment itself. */
const severalOf = (value: string | undefined): string | undefined =>
  value?.includes(',') === true ? value : undefined;

const listOf = (text: string | undefined): readonly string[] =>
  text === undefined || text === '' ? [] : text.split(',').map((entry) => entry.trim());

function portOf(text: string): number | null {
  if (text === '') return null;
  const port = Number(text);
  if (!/^\d{1,9}$/.test(text) || port > MAX_PORT)
    throw new InvalidConnectionString(
      `port in the connection string is not a number up to ${String(MAX_PORT)}`,
    );
  return port;
}

const DEFAULT_PORT = 5432;

/** A password of the string or of PGPASSWORD takes precedence over the password file. */
function passwordOf(
  parameters: Parameters,
  environment: Environment,
  host: string,
  port: number | null,
): string | null {
  const given = parameters.get('password') ?? '';
  if (given !== '') return given;
  if ((environment['PGPASSWORD'] ?? '') !== '') return null;
  const user = parameters.get('user') ?? environment['PGUSER'] ?? environment['USER'] ?? '';
  return findPassword(parameters.get('passfile') ?? '', environment, {
    host,
    port: String(port ?? environment['PGPORT'] ?? DEFAULT_PORT),
    database: parameters.get('dbname') ?? environment['PGDATABASE'] ?? user,
    user,
  });
}

/**
 * Returns how a server is chosen; null if there is one that may be of any kind.
 * @throws InvalidConnectionString
 */
export function hostChoiceOf(
  hosts: Hosts,
  parameters: Parameters,
  timeoutMs: number | null,
): HostChoice | null {
  const target = wordOf(parameters, 'target_session_attrs', SESSION_TARGETS);
  const balance = wordOf(parameters, 'load_balance_hosts', ['disable', 'random'] as const);
  if (hosts.length === 1 && target === 'any') return null;
  return { hosts, target, random: balance === 'random', timeoutMs };
}

/** Returns the value of a parameter; the first word if it is absent. @throws InvalidConnectionString */
export function wordOf<Word extends string>(
  parameters: Parameters,
  name: string,
  words: readonly [Word, ...Word[]],
): Word {
  const value = parameters.get(name) ?? '';
  const found = value === '' ? words[0] : words.find((word) => word === value);
  if (found === undefined) throw new InvalidConnectionString(`${name} must be one of ${words.join(', ')}`);
  return found;
}

/** Number of attempts that opening a connection takes at most. */
export const attemptsOf = ({ hosts, target }: HostChoice): number =>
  hosts.length * (target === 'prefer-standby' ? 2 : 1);

// The password file (PostgreSQL manual, 34.16): lines of `host:port:database:user:password`.

/** The connection for which a password is searched. */
interface PasswordKey {
  /** As the connection string names it; the folder of a Unix-domain socket. */
  readonly host: string;
  readonly port: string;
  readonly database: string;
  readonly user: string;
}

/** Permissions of the group and of others: libpq ignores a file that has any. */
const OTHERS = 0o077;
/** The folder that `localhost` stands for in the file. */
const SOCKET_FOLDERS: ReadonlySet<string> = new Set(['/tmp', '/var/run/postgresql']);

/**
 * @param file from `passfile` or PGPASSFILE; empty for `.pgpass` in the home folder
 * @returns the password of the first matching line; null if there is none, or if the file is absent or readable for
 * other accounts
 */
function findPassword(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
  key: PasswordKey,
): string | null {
  const path = file === '' ? join(environment['HOME'] ?? homedir(), '.pgpass') : file;
  const host = SOCKET_FOLDERS.has(key.host) ? 'localhost' : key.host;
  const wanted = [host, key.port, key.database, key.user];
  for (const line of linesOf(path)) {
    const fields = fieldsOf(line);
    const password = fields[wanted.length];
    if (password === undefined || password === '') continue;
    if (wanted.every((value, index) => fields[index] === '*' || unescape(fields[index]) === value))
      return unescape(password);
  }
  return null;
}

function linesOf(path: string): readonly string[] {
  try {
    const { mode } = statSync(path);
    if ((mode & OTHERS) !== 0) return [];
    return readFileSync(path, 'utf8')
      .split(/\r?\n/)
      .filter((line) => line !== '' && !line.startsWith('#'));
  } catch {
    return [];
  }
}

/** Splits a line at colons that no backslash precedes. */
const fieldsOf = (line: string): readonly string[] =>
  [...line.matchAll(/((?:[^:\\]|\\.?)*)(?::|$)/gsu)].map(([, field = '']) => field);

const unescape = (field: string | undefined): string => (field ?? '').replaceAll(/\\(.)/gsu, '$1');

// TLS of a connection string: sslmode and the parameters beside it (PostgreSQL manual, 34.19).

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

export type Draft<Type> = { -readonly [Key in keyof Type]: Type[Key] };

export const filled = (value: string | undefined): value is string => value !== undefined && value !== '';

/**
 * Returns how a connection to one server is encrypted; false for none. A Unix-domain socket is not encrypted.
 * @param host name for which the certificate must be
 * @throws InvalidConnectionString
 */
function encryptionOf(parameters: Parameters, host: string): false | TlsSettings {
  const mode = modeOf(parameters);
  const tls = mode === 'disable' ? false : tlsSettings(parameters, mode, host);
  const encryption = host.startsWith('/') ? false : tls;
  if (encryption === false && parameters.get('channel_binding') === 'require')
    throw new InvalidConnectionString(
      'channel_binding=require needs TLS: set sslmode to require, verify-ca or verify-full',
    );
  return encryption;
}

const modeOf = (parameters: Parameters): string => parameters.get('sslmode') ?? 'disable';

/** Whether connections are not encrypted where the server has no TLS: its answer decides, not a refused login. */
export const allowsPlain = (parameters: Parameters): boolean =>
  /^(?:allow|prefer)$/.test(modeOf(parameters)) && parameters.get('channel_binding') !== 'require';

function tlsSettings(parameters: Parameters, mode: string, host: string): TlsSettings {
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
    case 'allow':
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
