/**
 * The parameters of libpq (PostgreSQL manual, 34.1.2): those that dbr supports, and the values of the others that
 * have no effect on it.
 */

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
  'target_session_attrs',
  'load_balance_hosts',
  'passfile',
]);

/** Other parameters of libpq, with the values that agree with the behaviour of dbr. Any other value is refused. */
const ACCEPTED: ReadonlyMap<string, RegExp> = new Map([
  ['client_encoding', /^(auto|utf-?8|unicode)$/i],
  ['keepalives', /^1$/],
  ['gssencmode', /^(disable|prefer)$/],
  ['sslcompression', /^0$/],
  ['sslsni', /^1$/],
  ['sslnegotiation', /^postgres$/],
  ['sslcertmode', /^allow$/],
  ['min_protocol_version', /^3\.0$/],
  ['max_protocol_version', /^(3\.0|latest)$/],
  ['replication', /^(false|off|no|0)$/i],
  ...[
    'keepalives_idle',
    'keepalives_interval',
    'keepalives_count',
    'tcp_user_timeout',
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

/**
 * Returns the reason for refusing a parameter, or null. A name that libpq does not know is not repeated, because it
 * may be part of a password; the message suggests the most similar known name.
 */
export function parameterProblem(name: string, value: string): string | null {
  if (HONOURED.has(name)) return null;
  const accepted = ACCEPTED.get(name);
  if (accepted === undefined) {
    const closest = closestName(name);
    return `the connection string has an unknown parameter${closest === null ? '' : `; did you mean ${closest}?`}`;
  }
  return value === '' || accepted.test(value) ? null : `${name} in the connection string is not supported`;
}

const MOST_EDITS = 2;

function closestName(name: string): string | null {
  let best: string | null = null;
  let fewest = MOST_EDITS + 1;
  for (const known of [...HONOURED, ...ACCEPTED.keys()]) {
    const edits = distance(name, known);
    if (edits < fewest) [best, fewest] = [known, edits];
  }
  return best;
}

/** Levenshtein distance. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_value, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, otherLetter] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === otherLetter ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
