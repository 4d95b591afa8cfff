import type { BatchQuery } from '../../postgres/batch.js';
import { lruCache } from '../../lru-cache.js';
import { quoteIdentifier } from '../../postgres/quote.js';
import { prepare, statementBytes, type Statement } from '../../postgres/statement.js';
import { contextSql } from '../sql/context.js';

type Setting = readonly [name: string, value: string];

/** What the transaction of one request is told about it (data API §1.15). */
export interface TransactionContext {
  /** The schema of the request, then the extra search path. */
  readonly searchPath: string;
  readonly roleSettings: readonly Setting[];
  readonly role: string;
  /** JSON text. */
  readonly claims: string;
  readonly method: string;
  /** As on the request line. */
  readonly path: string;
  /** JSON text. */
  readonly headers: string;
  /** JSON text. */
  readonly cookies: string;
  /** Time zone, settings of the function, `app.settings.*`. */
  readonly moreSettings: readonly Setting[];
  readonly readOnly: boolean;
}

/** By the number of settings, which schema, roles and functions decide. */
const statements = lruCache<Statement>({ maxEntries: 256, maxBytes: 2_097_152, bytesOf: statementBytes });

/** The query that sets the context. Its statement is shared by all roles: it calls built-in functions alone. */
export function contextQuery(context: TransactionContext): BatchQuery {
  const { roleSettings, moreSettings, readOnly } = context;
  const key = `${roleSettings.length} ${moreSettings.length} ${readOnly}`;
  let statement = statements.get(key);
  if (statement === undefined) {
    statement = prepare(
      contextSql({ roleSettings: roleSettings.length, moreSettings: moreSettings.length, readOnly }),
    );
    statements.set(key, statement);
  }
  const parameters = [
    context.searchPath,
    ...roleSettings.flat(),
    context.role,
    context.claims,
    context.method,
    context.path,
    context.headers,
    context.cookies,
    ...moreSettings.flat(),
  ];
  return { statement, parameters, returnsRows: false };
}

/** The value of `search_path`: names quoted, in order. */
export function searchPathText(schemas: readonly string[]): string {
  return schemas.map(quoteIdentifier).join(', ');
}

/**
 * `request.headers`: names in lower case, without Cookie; of a header that came several times the last line. Bytes beyond
 * ASCII are taken as UTF-8.
 */
export function headersJson(rawHeaders: readonly string[]): string {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (name !== 'cookie') headers.set(name, fromWire(rawHeaders[at + 1] ?? ''));
  }
  return jsonObject(headers);
}

/** `request.cookies`: values as sent, quotes included (RFC 6265 §5.4 leaves them alone). */
export function cookiesJson(cookie: string | undefined): string {
  if (cookie === undefined) return '{}';
  const cookies = new Map<string, string>();
  for (const part of cookie.split(';')) {
    const pair = part.trim();
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    cookies.set(fromWire(name), equals < 0 ? '' : fromWire(pair.slice(equals + 1)));
  }
  return jsonObject(cookies);
}

function jsonObject(members: ReadonlyMap<string, string>): string {
  const parts = [...members].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${parts.join(',')}}`;
}

const ASCII = /^[\x20-\x7e\t]*$/;

/** Node hands headers on byte for byte; what is UTF-8 becomes text. */
function fromWire(value: string): string {
  return ASCII.test(value) ? value : Buffer.from(value, 'latin1').toString('utf8');
}
