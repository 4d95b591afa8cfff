/** Settings that an operator may give to a database, each of another value than the default. */
const SETTINGS: Readonly<Record<string, string>> = {
  array_nulls: 'off',
  bytea_output: 'escape',
  check_function_bodies: 'off',
  client_encoding: 'LATIN1',
  client_min_messages: 'error',
  DateStyle: 'SQL, DMY',
  extra_float_digits: '0',
  idle_in_transaction_session_timeout: '60s',
  idle_session_timeout: '2s',
  IntervalStyle: 'sql_standard',
  lock_timeout: '60s',
  plan_cache_mode: 'force_custom_plan',
  quote_all_identifiers: 'on',
  row_security: 'off',
  search_path: 'public, pg_catalog',
  statement_timeout: '60s',
  TimeZone: 'Asia/Kolkata',
  transform_null_equals: 'on',
  xmloption: 'document',
};

/** Returns a script that gives them to a database. The next sessions have them. */
export const operatorSettings = (database: string): string =>
  Object.entries(SETTINGS)
    .map(
      ([name, value]) =>
        `alter database ${database} set ${name} = ${value
          .split(', ')
          .map((part) => `'${part}'`)
          .join(', ')};`,
    )
    .join('\n');
