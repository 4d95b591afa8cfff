/** What a server that speaks PostgreSQL's protocol lacks, for example a distributed engine. */
import type { Observe } from '../observability/observation.js';
import { asPostgresError, type Database } from '../postgres/database.js';
import { PostgresError } from '../postgres/postgres-error.js';

/** The functions that statements of the data API call for many requests, and those of further areas. */
const FUNCTIONS = [
  'json_agg',
  'json_array_elements',
  'json_build_object',
  'json_strip_nulls',
  'json_to_record',
  'json_to_recordset',
  'num_nulls',
  'pg_advisory_xact_lock',
  'pg_notify',
  'row_to_json',
  'string_agg',
  'to_jsonb',
] as const;

const MISSING = `
select name
  from pg_catalog.unnest($1::text[]) as name
 where not exists (
   select from pg_catalog.pg_proc where proname = name
 )`;

const PROBE = `select pg_catalog.set_config('dbr.probe', 'on', true)`;
const PROBED = `select coalesce(pg_catalog.current_setting('dbr.probe', true), '') as probe`;

/**
 * Checks a server before it serves the data API, and reports the functions that it lacks: requests that need them fail.
 * @throws Error if settings of a transaction outlive it: they hold the role and the claims of a caller, which others
 * must not get
 */
export async function checkEngine(database: Database, observe: Observe): Promise<void> {
  const [endsSettings, missing] = await database.task((session) => {
    // The first statement is a transaction of its own, which ends before the second one.
    const probed = Promise.all([session.any(PROBE), session.one<{ readonly probe: string }>(PROBED)]);
    return Promise.all([
      probed.then(
        ([, { probe }]) => probe === '',
        (error: unknown) => unlessRefused(error, database, false),
      ),
      session
        .any<{ readonly name: string }>(MISSING, [FUNCTIONS])
        .catch((error: unknown) => unlessRefused(error, database, [])),
    ]);
  });
  if (!endsSettings)
    throw new Error(
      'the server does not end settings with their transaction (set_config with is_local): the data API cannot keep the claims of callers apart on it',
    );
  if (missing.length > 0) observe({ kind: 'engine-lacks', functions: missing.map(({ name }) => name) });
}

/** @throws `error` unless the server refused the statement, for example because it lacks the catalogue */
function unlessRefused<Value>(error: unknown, database: Database, value: Value): Value {
  if (asPostgresError(error, database) instanceof PostgresError) return value;
  throw error;
}
