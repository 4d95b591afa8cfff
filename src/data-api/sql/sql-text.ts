import type { FieldExpression, Operand } from '../plan/expression.js';
import {
  joinSql,
  numberParameters,
  quoteIdentifier,
  quoteQualified,
  type Sql,
  sql,
  unnumbered,
} from '../../postgres/sql.js';
import type { JsonStep } from '../grammar/ast.js';
import type { QualifiedName } from '../schema-cache/types.js';

/** A statement and the origin of each parameter's value; `$1` is the first. */
export interface SqlText {
  readonly text: Sql;
  readonly parameters: readonly Operand[];
}

/**
 * The parameter of an operand. Equal operands share one parameter of a statement, so that equal expressions stay equal.
 * `statementOf` gives it its number.
 */
export const operandSql = (operand: Operand): Sql => unnumbered(JSON.stringify(operand));

/** The parameter of a name of the request, such as a JSON key. */
export const constantSql = (text: string): Sql => operandSql({ kind: 'constant', text });

/** Returns the statement of these lines. */
export function statementOf(lines: Lines): SqlText {
  const { text, keys } = numberParameters(joinSql(lines, '\n'));
  return { text, parameters: keys.map((key) => JSON.parse(key) as Operand) };
}

/** Name of the common table expression with the rows of a mutation or a call. */
export const ROWS = 'rows';

// SQL as lines, so that statements are legible. Only the beginning of a line is indented: names and literals may
// contain line ends, which must not change.

export type Lines = readonly Sql[];

/** Indents each line by two blanks. */
export const indented = (lines: Lines): Lines => lines.map((line) => sql`  ${line}`);

const blanks = (count: number): Sql => joinSql(Array<Sql>(count).fill(sql` `), '');

/** Puts lines after a word: the first on the word's line, the others aligned with the first. */
export function hang(word: Sql, lines: Lines): Lines {
  const margin = blanks(word.length);
  return lines.map((line, index) => sql`${index === 0 ? word : margin}${line}`);
}

/** Adds a prefix to the first line. */
export const prefixed = (head: Sql, lines: Lines): Lines => [
  sql`${head}${lines[0] ?? ''}`,
  ...lines.slice(1),
];

/** Adds a suffix to the last line. */
export function tailed(lines: Lines, tail: Sql): Lines {
  return [...lines.slice(0, -1), sql`${lines.at(-1) ?? ''}${tail}`];
}

/** Encloses lines, for example a sub-select, in `head(` and `)tail`, which have the same indentation. */
export function enclosed(head: Sql, lines: Lines, tail: Sql = sql``): Lines {
  const margin = blanks(head.length - head.trimStart().length);
  return [sql`${head}(`, ...lines.map((line) => sql`${margin}  ${line}`), sql`${margin})${tail}`];
}

/** One line, or several. */
export type Item = Sql | Lines;

const linesOf = (item: Item): Lines => (typeof item === 'string' ? [item] : item);

/** Lists items after a word, one on each line, with a comma after all but the last. */
export const listed = (word: Sql, items: readonly Item[]): Lines =>
  hang(
    word,
    items.flatMap((item, at) => (at < items.length - 1 ? tailed(linesOf(item), sql`,`) : linesOf(item))),
  );

/** Returns a `where` clause with one term on each line; no lines for no terms. */
export const whereLines = (terms: readonly Item[]): Lines =>
  terms.flatMap((term, index) => hang(index === 0 ? sql` where ` : sql`   and `, linesOf(term)));

/** Joins expressions with commas. */
export const commas = (items: readonly Sql[]): Sql => joinSql(items, ', ');

/** Quotes names, and joins them with commas. */
export const namesSql = (names: readonly string[]): Sql => commas(names.map(quoteIdentifier));

/** Returns `"relation"."column"`, which also calls a computed field: PostgreSQL resolves it as `column(relation)`. */
export function columnSql(relation: string, column: string): Sql {
  return sql`${quoteIdentifier(relation)}.${quoteIdentifier(column)}`;
}

/** Returns a column of a relation whose alias is ours. */
export const columnOf = (alias: Sql, name: string): Sql => sql`${alias}.${quoteIdentifier(name)}`;

/** Returns the equations of columns that two relations have under the same names. */
export const equalColumns = (one: Sql, other: Sql, names: readonly string[]): readonly Sql[] =>
  names.map((name) => sql`${columnOf(one, name)} = ${columnOf(other, name)}`);

/** A column and the JSON path into it. */
export function fieldSql(field: FieldExpression): Sql {
  const column = columnSql(field.relation, field.column);
  if (field.path.length === 0) return column;
  const start = field.viaJson ? sql`pg_catalog.to_jsonb(${column})` : column;
  return joinSql([start, ...field.path.map(stepSql)], '');
}

const stepSql = (step: JsonStep): Sql =>
  sql` ${step.arrow} ${step.kind === 'index' ? BigInt(step.index) : constantSql(step.key)}`;

/** Returns the quoted and qualified name of a function. */
export function nameSql(name: QualifiedName): Sql {
  return quoteQualified(name.schema, name.name);
}
