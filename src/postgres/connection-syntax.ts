/** The two forms of a connection string: URI and keyword=value (PostgreSQL manual, 34.1.1). */
import { InvalidConnectionString } from './invalid-connection-string.js';

/**
 * `scheme://[user[:password]@][host[:port],…][/dbname][?name=value&…]`; hosts may be percent-encoded paths, or
 * addresses of IPv6 in brackets.
 */
const URI =
  /^[a-z]+:\/\/(?:([^/?#@:]*)(?::([^/?#@]*))?@)?((?:\[[^\]]*\]|[^/?#@[\]])*)(?:\/([^?#]*))?(?:\?([^#]*))?$/i;
const HOST = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d*))?$/;

/** Yields the parameters of `postgresql://…`. @throws InvalidConnectionString */
export function* uriParameters(text: string): Generator<readonly [string, string]> {
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
export function* keywordParameters(text: string): Generator<readonly [string, string]> {
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
