/**
 * Settings that a database, a login or a role may have, and that must not change what dbr's own statements do. They are set
 * by statements, because poolers refuse parameters of the start of a connection.
 */
import { joinSql, type Sql, sql } from './sql.js';

/**
 * Settings of transactions of requests, beside the texts of an operator, which reach clients. Texts of numbers name rows in
 * cursors, links and graphs, so that they are exact. Without row security PostgreSQL refuses to read a table with policies.
 */
export const OF_REQUESTS: readonly Sql[] = [
  sql`pg_catalog.set_config('extra_float_digits', '1', true)`,
  sql`pg_catalog.set_config('row_security', 'on', true)`,
];

/** For transactions of one of dbr's own roles, which policies limit. */
export const WITH_POLICIES = sql`pg_catalog.set_config('row_security', 'on', true)`;

/** Limits that are meant for requests: reading a large catalogue, a migration or a silent listener may take longer. */
const NO_LIMITS = [
  sql`('statement_timeout', '0')`,
  sql`('transaction_timeout', '0')`,
  sql`('lock_timeout', '0')`,
  sql`('idle_in_transaction_session_timeout', '0')`,
  sql`('idle_session_timeout', '0')`,
];

/** The texts that the catalogue has for types, defaults and constants, as pg_dump asks for them. */
const TEXTS = [
  sql`('DateStyle', 'ISO')`,
  sql`('IntervalStyle', 'postgres')`,
  sql`('bytea_output', 'hex')`,
  sql`('extra_float_digits', '1')`,
  sql`('quote_all_identifiers', 'off')`,
];

/** Sets what the server knows. A value in the `options` of a connection string is meant for these connections, and holds. */
const setAll = (values: readonly Sql[], scope: 'transaction' | 'session'): Sql => sql`
select pg_catalog.set_config(s.name, own.value, ${scope === 'transaction' ? sql`true` : sql`false`}) as entry
from (values ${joinSql(values, ', ')}) as own (name, value)
join pg_catalog.pg_settings s on s.name = own.name
where s.source <> 'client'`;

/** Frees the transaction from limits, and fixes the texts of the catalogue. For reads of it. */
export const READ_CATALOGUE = setAll([...NO_LIMITS, ...TEXTS], 'transaction');

/** Frees the session from limits. Not for a session behind a pooler, which would pass it on. */
export const WITHOUT_LIMITS = setAll(NO_LIMITS, 'session');

/** Lets a session be silent. */
export const MAY_BE_IDLE = setAll([sql`('idle_session_timeout', '0')`], 'session');
