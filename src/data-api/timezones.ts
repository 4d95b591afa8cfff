/** Names of time zones that the server knows, for `Prefer: timezone`. */
import type { IncomingHttpHeaders } from 'node:http';
import { prepare } from '../postgres/statement.js';
import type { Pool } from '../postgres/pool.js';
import { sql } from '../postgres/sql.js';
import { headerOf } from './request/headers.js';
import { TIMEZONE } from './request/preferences.js';

/** PostgreSQL reads a thousand files to list the names, so they are queried when a request first names a time zone. */
export interface Timezones {
  /** False for every name before the names are read. */
  has(name: string): boolean;
  /**
   * Queries the names if the request names a time zone and they are not known.
   * @returns null if there is nothing to wait for
   * @throws the errors of `Pool.run`; the next request tries again
   */
  prepareFor(headers: IncomingHttpHeaders): Promise<void> | null;
}

/** Accepts every text, so that PostgreSQL reads it: names, offsets such as `-4`, and 22023 for any other text. */
export const UNCHECKED_TIMEZONES: Timezones = { has: () => true, prepareFor: () => null };

const NAMES = prepare(sql`
select coalesce(pg_catalog.json_agg(name), '[]')::pg_catalog.text as body
from pg_catalog.pg_timezone_names`);

/** The caller of the query. Concurrent requests wait for one query of the service itself. */
const NO_CLIENT = { client: '', signal: null };

export function createTimezones(pool: Pool): Timezones {
  let names: ReadonlySet<string> | null = null;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    try {
      const query = { statement: NAMES, parameters: [], returnsRows: true, unnamed: true } as const;
      const [result] = await pool.run({ queries: [query], access: 'read', use: 'brief' }, NO_CLIENT);
      const text = Buffer.concat(result?.rows[0]?.body ?? []).toString('utf8');
      names = new Set(JSON.parse(text) as readonly string[]);
    } finally {
      reading = null;
    }
  }

  return {
    has: (name) => names?.has(name) === true,
    prepareFor(headers) {
      if (names !== null || headerOf(headers, 'prefer')?.includes(TIMEZONE) !== true) return null;
      reading ??= read();
      return reading;
    },
  };
}
