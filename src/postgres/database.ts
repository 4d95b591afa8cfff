/** The pg-promise database: catalogue queries, administration, background work. The hot path takes lanes from it. */
import pgPromise from 'pg-promise';
import { version } from '../version.js';
import { ConnectFailed, ConnectionLost, PostgresError, type ErrorFields } from './postgres-error.js';

const pgp = pgPromise({ noWarnings: true });

export type Database = pgPromise.IDatabase<object>;
export type DatabaseTask = pgPromise.ITask<object>;

export interface DatabaseOptions {
  /** Most connections that the driver's own pool holds. */
  readonly poolSize: number;
  /** In milliseconds. */
  readonly connectTimeoutMs?: number;
}

/** OIDs of types that are handed on as PostgreSQL writes them: a JavaScript value would lose digits, order or bytes. */
const AS_TEXT: ReadonlySet<number> = new Set([20, 114, 3802, 1700, 1082, 1114, 1184]);

/**
 * @param uri `postgresql://…`, or `key=value …` as libpq takes it; what it leaves out comes from the PG… environment
 */
export function openDatabase(
  uri: string,
  { poolSize, connectTimeoutMs = 10_000 }: DatabaseOptions,
): Database {
  return pgp({
    connectionString: connectionUri(uri),
    max: poolSize,
    application_name: `dbr ${version()}`,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: {
      setTypeParser: () => undefined,
      getTypeParser: (id, format) =>
        AS_TEXT.has(id)
          ? (value: string) => value
          : (pgp.pg.types.getTypeParser(id, format) as (value: string) => unknown),
    },
  });
}

/** libpq's `key=value` form as a URI; the URI form is left as it is. */
export function connectionUri(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return 'postgresql://';
  if (/^postgres(ql)?:\/\//i.test(trimmed) || !trimmed.includes('=')) return trimmed;
  const pairs = [...trimmed.matchAll(/(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|(\S+))/g)].map(
    ([, key = '', quoted, bare]) => [key, (quoted ?? bare ?? '').replaceAll(/\\(.)/g, '$1')] as const,
  );
  const { host = '', port = '', user = '', password = '', dbname = '', ...rest } = Object.fromEntries(pairs);
  const query = new URLSearchParams(host.startsWith('/') ? { ...rest, host } : rest).toString();
  const credentials =
    user === ''
      ? ''
      : `${encodeURIComponent(user)}${password === '' ? '' : `:${encodeURIComponent(password)}`}@`;
  const address = host.startsWith('/') ? '' : `${host}${port === '' ? '' : `:${port}`}`;
  return `postgresql://${credentials}${address}/${encodeURIComponent(dbname)}${query === '' ? '' : `?${query}`}`;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/**
 * An error of the driver in our terms: PostgreSQL refused, the connection was lost, or none could be opened.
 * Anything else is returned as it is.
 */
export function asPostgresError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const fields = new Map(Object.entries(error));
  const code = text(fields.get('code'));
  if (code !== null && /^[0-9A-Z]{5}$/.test(code) && fields.has('severity'))
    return new PostgresError(errorFields(error.message, code, fields));
  if (code !== null && /^E[A-Z]+$/.test(code)) return new ConnectFailed(error.message, null);
  if (
    /Connection terminated|connection is closed|timeout exceeded when trying to connect|timeout expired/i.test(
      error.message,
    )
  ) {
    return new ConnectionLost(error.message, true);
  }
  return error;
}

function errorFields(message: string, code: string, fields: ReadonlyMap<string, unknown>): ErrorFields {
  return {
    code,
    message,
    detail: text(fields.get('detail')),
    hint: text(fields.get('hint')),
    schema: text(fields.get('schema')),
    table: text(fields.get('table')),
    column: text(fields.get('column')),
    constraint: text(fields.get('constraint')),
  };
}

/** Closes every connection of the driver's pool. */
export const closeDatabase = (database: Database): Promise<void> =>
  Promise.resolve(database.$pool.end()).then(() => undefined);
