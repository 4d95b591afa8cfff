import { catalogueSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import type { CastType, SelectField } from '../grammar/ast.js';
import type { Cast } from './expression.js';
import type { Scope } from './scope.js';

/** Names of types that are more than one word, or that SQL takes for another type than PostgreSQL's catalogue has. */
const SPELLINGS: ReadonlyMap<string, Sql> = new Map(
  [
    ...['smallint', 'int', 'integer', 'bigint', 'real', 'float', 'double precision'],
    ...['numeric', 'decimal', 'dec', 'boolean'],
    ...['char', 'character', 'nchar', 'national char', 'national character'],
    ...['varchar', 'char varying', 'character varying'],
    ...['nchar varying', 'national char varying', 'national character varying'],
    ...['bit', 'bit varying'],
    ...['time', 'time with time zone', 'time without time zone'],
    ...['timestamp', 'timestamp with time zone', 'timestamp without time zone'],
    ...['interval', 'interval year', 'interval month', 'interval day', 'interval hour', 'interval minute'],
    ...['interval second', 'interval year to month', 'interval day to hour', 'interval day to minute'],
    ...['interval day to second', 'interval hour to minute', 'interval hour to second'],
    'interval minute to second',
  ].map((name) => [name, catalogueSql(name)]),
);

/**
 * The type that a request names in a cast. PostgreSQL looks in pg_catalog first, then along the search path, and takes
 * names without quotes in lower case (PostgreSQL manual, 4.1.1, 5.10.3).
 */
export function resolveCast(type: CastType, { cache, searchPath }: Scope): Cast {
  const name = lowerCase(type).replaceAll(/ +/g, ' ');
  const spelling = SPELLINGS.get(name);
  if (spelling !== undefined) return { kind: 'known', sql: spelling };
  const builtIn = cache.castTypes.get('pg_catalog')?.get(name);
  if (builtIn !== undefined)
    return builtIn ? { kind: 'known', sql: sql`pg_catalog.${quoteIdentifier(name)}` } : unknown(type);
  const others = searchPath.map((schema) => cache.castTypes.get(schema)?.get(name));
  // Which schemas of the path the role may use is for PostgreSQL to find: none of them may have a type that is refused.
  return others.includes(true) && !others.includes(false)
    ? { kind: 'known', sql: quoteIdentifier(name) }
    : unknown(type);
}

const unknown = (name: string): Cast => ({ kind: 'unknown', name });

/** Folds ASCII letters only, as PostgreSQL does for UTF-8 databases. */
const lowerCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The cast of a selected field, or null. */
export function castOf({ cast, field }: SelectField, scope: Scope): Cast | null {
  if (cast === null) return null;
  const isTableOid = field.name === 'tableoid' && field.path.length === 0;
  // Names no other relation than the one that is read: clients show by it which table a row is from.
  if (isTableOid && cast === 'regclass' && isPlainTable(scope, field.name))
    return { kind: 'known', sql: sql`pg_catalog.regclass` };
  return resolveCast(cast, scope);
}

/** True for a system column of a plain table; the schema cache does not list them. */
const isPlainTable = ({ table }: Scope, name: string): boolean =>
  table?.kind === 'table' && !table.columns.has(name);
