/** The headers of a request as functions of the database see them. */

/**
 * Returns the setting `request.headers` as JSON: names in lower case, without Cookie; of a repeated header, the last
 * line. Bytes beyond ASCII are read as UTF-8.
 * @param rawHeaders names and values in turns
 */
export function headersJson(rawHeaders: readonly string[]): string {
  const keys: string[] = [];
  let json = '';
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const key = keyOf(rawHeaders[at] ?? '');
    if (key === COOKIE) continue;
    if (keys.length === MOST_COMPARED || keys.includes(key)) return lastLinesJson(rawHeaders);
    keys.push(key);
    json += `${json === '' ? '' : ','}${key}${jsonValue(rawHeaders[at + 1] ?? '')}`;
  }
  return `{${json}}`;
}

/** Most names that are compared one by one. */
const MOST_COMPARED = 50;

/** As `headersJson`, for headers of which some are repeated, or that are many. */
function lastLinesJson(rawHeaders: readonly string[]): string {
  const members = new Map<string, string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const key = keyOf(rawHeaders[at] ?? '');
    if (key !== COOKIE) members.set(key, `${key}${jsonValue(rawHeaders[at + 1] ?? '')}`);
  }
  return `{${[...members.values()].join(',')}}`;
}

const COOKIE = '"cookie":';

/**
 * Names of headers as JSON keys, for example `"accept":`. Clients send few names; the number of remembered names is
 * bounded.
 */
const KEYS = new Map<string, string>();
const MOST_KEYS = 500;
const LONGEST_NAME = 64;

function keyOf(name: string): string {
  const known = KEYS.get(name);
  if (known !== undefined) return known;
  const key = `${JSON.stringify(name.toLowerCase())}:`;
  if (KEYS.size < MOST_KEYS && name.length <= LONGEST_NAME) KEYS.set(name, key);
  return key;
}

/** Printable ASCII without quotes and backslashes, which JSON needs not escape. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

const jsonValue = (value: string): string =>
  PLAIN.test(value) ? `"${value}"` : JSON.stringify(decodeHeader(value));

/** The setting `request.cookies` as JSON: values as sent, quotes included (RFC 6265 §5.4). */
export function cookiesJson(cookie: string | undefined): string {
  if (cookie === undefined) return '{}';
  const cookies = new Map<string, string>();
  for (const part of cookie.split(';')) {
    const pair = part.trim();
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    cookies.set(decodeHeader(name), equals < 0 ? '' : decodeHeader(pair.slice(equals + 1)));
  }
  return jsonObject(cookies);
}

function jsonObject(members: ReadonlyMap<string, string>): string {
  const parts = [...members].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${parts.join(',')}}`;
}

const ASCII = /^[\x20-\x7e\t]*$/;

/** Decodes UTF-8: Node.js returns each byte of a header as one character. */
function decodeHeader(value: string): string {
  return ASCII.test(value) ? value : Buffer.from(value, 'latin1').toString('utf8');
}
