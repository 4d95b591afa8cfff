/**
 * Reads connection strings of libpq (PostgreSQL manual, 34.1.1) into the options of the driver. No error repeats any
 * part of a string, because it may contain a password.
 */
import { hostChoiceOf, type HostChoice, readHosts } from './connection-hosts.js';
import { parameterProblem } from './connection-parameters.js';
import { keywordParameters, uriParameters } from './connection-syntax.js';
import type { TlsSettings } from './connection-tls.js';
import { InvalidConnectionString } from './invalid-connection-string.js';
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
  const hosts = readHosts(parameters, environment);
  const [first] = hosts;
  const settings: Draft<ConnectionSettings> = {
    enableChannelBinding: channelBinding(parameters),
    ssl: first.encryptions[0],
  };
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
