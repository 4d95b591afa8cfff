/** Builds the tables of the cache from catalogue rows, with the numbers by which constraints refer to them. */
import type { ConstraintRow } from './queries/constraints.js';
import type { ColumnRow, ColumnTypeRow, TableRow } from './queries/tables.js';
import type { AccessList, Column, ColumnType, QualifiedName, Table, TableKind } from './types.js';
import { type DirectOrigins, shownColumns, type ShownColumns } from './view-origins.js';

/** An exposed relation and the table columns that it shows; a table shows its own. */
export interface Relation {
  readonly oid: number;
  readonly name: QualifiedName;
  readonly isView: boolean;
  readonly table: Table;
  readonly columnNames: ReadonlyMap<number, string>;
  readonly shown: ShownColumns;
}

/** Lookups in the catalogue for building one relation. */
export interface RelationContext {
  readonly types: ColumnTypes;
  readonly constraints: ReadonlyMap<number, readonly ConstraintRow[]>;
  readonly views: DirectOrigins;
  readonly access: (row: TableRow) => AccessList;
  /** The privileges on the whole relation. */
  readonly tableAccess: (row: TableRow) => AccessList;
}

const KINDS: Readonly<Record<TableRow['kind'], TableKind>> = {
  r: 'table',
  v: 'view',
  m: 'materialized view',
  f: 'foreign table',
  p: 'partitioned table',
};

/** Bits of `TableRow.events`. */
const CHANGES_INSERTS = 1 << 0;
const UPDATE = 1 << 2;
const INSERT = 1 << 3;
const DELETE = 1 << 4;

export function buildRelation(row: TableRow, context: RelationContext): Relation {
  const isView = row.kind === 'v' || row.kind === 'm';
  const columnNames = new Map(row.columns.map((column) => [column[0], column[1]]));
  const shown = isView ? shownColumns(row.oid, context.views) : showItself(row.oid, columnNames.keys());
  const columns = buildColumns(row.columns, context.types);
  const lastModified = lastModifiedOf(row.description, columns);
  const table: Table = {
    schema: row.schema,
    name: row.name,
    kind: KINDS[row.kind],
    description: row.description,
    columns,
    primaryKey: primaryKey(shown, columnNames, context.constraints),
    insertable: (row.events & INSERT) !== 0,
    updatable: (row.events & UPDATE) !== 0,
    deletable: (row.events & DELETE) !== 0,
    keepsInserts: row.kind === 'r' && (row.events & CHANGES_INSERTS) === 0,
    access: context.access(row),
    tableAccess: context.tableAccess(row),
    ...(lastModified === null ? {} : { lastModified }),
  };
  return { oid: row.oid, name: { schema: row.schema, name: row.name }, isView, table, columnNames, shown };
}

const showItself = (oid: number, columns: Iterable<number>): ShownColumns =>
  new Map([[oid, new Map(Array.from(columns, (column) => [column, [column]]))]]);

/**
 * Returns the primary key. That of a view consists of the keys of all tables that it shows completely; of a column
 * that it shows twice, the first one is used.
 */
function primaryKey(
  shown: ShownColumns,
  columnNames: ReadonlyMap<number, string>,
  constraints: ReadonlyMap<number, readonly ConstraintRow[]>,
): string[] {
  const key: string[] = [];
  for (const [table, columns] of shown) {
    const primary = constraints.get(table)?.find((constraint) => constraint[0] === 'p');
    if (primary === undefined) continue;
    const names = primary[1].flatMap((column) => columnNames.get(columns.get(column)?.[0] ?? 0) ?? []);
    if (names.length === primary[1].length) key.push(...names);
  }
  return key;
}

export type ColumnTypes = ReadonlyMap<string, DeclaredType>;

/** The type of a column, with the constraints of its domain. */
interface DeclaredType {
  readonly type: ColumnType;
  readonly domainDefault: string | null;
  readonly domainNotNull: boolean;
}

const typeKey = (oid: number, modifier: number): string => `${oid}:${modifier}`;

export function buildColumnTypes(rows: Iterable<ColumnTypeRow>): ColumnTypes {
  const types = new Map<string, DeclaredType>();
  for (const { oid, modifier, domainDefault, domainNotNull, ...type } of rows) {
    types.set(typeKey(oid, modifier), { type, domainDefault, domainNotNull });
  }
  return types;
}

function buildColumns(rows: readonly ColumnRow[], types: ColumnTypes): Map<string, Column> {
  const columns = new Map<string, Column>();
  for (const [, name, oid, modifier, notNull, defaultSql, description, identity, generated] of rows) {
    const declared = types.get(typeKey(oid, modifier));
    // The column was added between two queries of this load; the next reload includes it.
    if (declared === undefined) continue;
    columns.set(name, {
      name,
      description,
      nullable: !notNull && !declared.domainNotNull,
      default: generated === '' ? (defaultSql ?? declared.domainDefault) : null,
      identity: identity === 'a' ? 'always' : identity === 'd' ? 'by default' : null,
      generated: generated !== '',
      type: declared.type,
    });
  }
  return columns;
}

// The column with the time of the last change of a row, which a comment names.

/** A line of the comment of a relation: `last-modified: updated_at`. */
const LINE = /^[ \t]*last-modified:[ \t]*(\S.*?)[ \t]*\r?$/m;

const TYPES: ReadonlySet<string> = new Set(['timestamp with time zone', 'timestamp without time zone']);

/**
 * Returns the column that the comment names; null without such a line, or if the column does not exist or is no
 * timestamp.
 */
function lastModifiedOf(comment: string | null, columns: ReadonlyMap<string, Column>): string | null {
  const name = comment === null ? undefined : LINE.exec(comment)?.[1];
  const column = name === undefined ? undefined : columns.get(name);
  return column === undefined || !TYPES.has(column.type.baseName) ? null : column.name;
}
