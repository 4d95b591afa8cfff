import { catalogueSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import type { CastType, SelectField } from '../grammar/ast.js';
import type { Cast } from './expression.js';
import type { Scope } from './scope.js';

/** Names of types that have several words in SQL, or that name another type in SQL than in PostgreSQL's catalogue. */
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
 * Returns the type that a request names in a cast. PostgreSQL searches pg_catalog first, then the search path, and
 * folds unquoted names to lower case (PostgreSQL manual, 4.1.1, 5.10.3).
 */
export function resolveCast(type: CastType, { cache, searchPath }: Scope): Cast {
  const name = lowerCase(type).replaceAll(/ +/g, ' ');
  const spelling = SPELLINGS.get(name);
  if (spelling !== undefined) return { kind: 'known', sql: spelling };
  const builtIn = cache.castTypes.get('pg_catalog')?.get(name);
  if (builtIn !== undefined)
    return builtIn ? { kind: 'known', sql: sql`pg_catalog.${quoteIdentifier(name)}` } : unknown(type);
  const others = searchPath.map((schema) => cache.castTypes.get(schema)?.get(name));
  // PostgreSQL decides which schemas of the path the role may use, so no schema of the path may have a refused type
  // of this name.
  return others.includes(true) && !others.includes(false)
    ? { kind: 'known', sql: quoteIdentifier(name) }
    : unknown(type);
}

const unknown = (name: string): Cast => ({ kind: 'unknown', name });

/** Converts ASCII letters to lower case, as PostgreSQL does in UTF-8 databases. */
const lowerCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The cast of a selected field, or null. */
export function castOf({ cast, field }: SelectField, scope: Scope): Cast | null {
  if (cast === null) return null;
  const isTableOid = field.name === 'tableoid' && field.path.length === 0;
  // Allowed, because it names only the relation that is read: clients show the table of a row by it.
  if (isTableOid && cast === 'regclass' && isPlainTable(scope, field.name))
    return { kind: 'known', sql: sql`pg_catalog.regclass` };
  return resolveCast(cast, scope);
}

/** Whether a name is a system column of a plain table. The schema cache does not list these. */
const isPlainTable = ({ table }: Scope, name: string): boolean =>
  table?.kind === 'table' && !table.columns.has(name);
