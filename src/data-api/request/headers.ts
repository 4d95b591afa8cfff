/** Headers of a request: the ones that decide how it is read, and what functions see of all of them. */

/** Names in lower case; lines of one name may be apart or joined by commas. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The value of a header, its lines joined by commas (RFC 9110 §5.3). @param name in lower case */
export function headerOf(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

/** The Range header, which has a meaning for GET alone (RFC 9110 §14.2). */
export const rangeHeaderOf = (method: string, headers: RequestHeaders): string | undefined =>
  method === 'GET' ? headerOf(headers, 'range') : undefined;

/**
 * The setting `request.headers` as JSON: names in lower case, without Cookie; of a header that came several times the last
 * line. Bytes beyond ASCII are taken as UTF-8.
 * @param rawHeaders names and values by turns
 */
export function headersJson(rawHeaders: readonly string[]): string {
  const keys: string[] = [];
  let json = '';
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const key = keyOf(rawHeaders[at] ?? '');
    if (key === COOKIE) continue;
    if (keys.includes(key)) return lastLinesJson(rawHeaders);
    keys.push(key);
    json += `${json === '' ? '' : ','}${key}${jsonValue(rawHeaders[at + 1] ?? '')}`;
  }
  return `{${json}}`;
}

/** As `headersJson`, for headers of which some came several times. */
function lastLinesJson(rawHeaders: readonly string[]): string {
  const members = new Map<string, string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const key = keyOf(rawHeaders[at] ?? '');
    if (key !== COOKIE) members.set(key, `${key}${jsonValue(rawHeaders[at + 1] ?? '')}`);
  }
  return `{${[...members.values()].join(',')}}`;
}

const COOKIE = '"cookie":';

/** Names of headers as keys of JSON, `"accept":`. Names are few: of others no more than these are kept. */
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

/** Printable ASCII without quotes and backslashes: JSON writes it as it is. */
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

/** Node gives each byte of a header as one character; bytes that are UTF-8 become text. */
function decodeHeader(value: string): string {
  return ASCII.test(value) ? value : Buffer.from(value, 'latin1').toString('utf8');
}
