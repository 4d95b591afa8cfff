/** Refusals of objects whose values differ from their rows, or from each other. */
import { catalogueSql, joinSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import type { GraphLink, GraphRows } from '../plan/graph.js';
import type { QualifiedName } from '../schema-cache/types.js';
import { nameSql } from './field.js';
import { lacks } from './graph-objects.js';
import { enclosed, type Lines, whereLines } from './lines.js';
import { refusalSql } from './refusal.js';
import type { ParameterList } from './sql-text.js';

const SOURCE = sql`"source"`;
const STORED = sql`"stored"`;

/** Returns the names of the columns to which objects and links assign values. */
export function assignedNames({ columns, links, generated }: GraphRows): readonly string[] {
  const names = new Set([
    ...columns.map(({ name }) => name),
    ...links.flatMap(({ pairs }) => pairs.map(({ column }) => column)),
  ]);
  for (const { name } of generated) names.delete(name);
  return [...names];
}

/** Returns the join with the rows as they were before the statement, found by these columns. */
export function storedRows(target: QualifiedName, key: readonly string[]): Lines {
  const terms = key.map(
    (name) => sql`${STORED}.${quoteIdentifier(name)} = ${SOURCE}.${quoteIdentifier(name)}`,
  );
  return [sql`  left join ${nameSql(target)} as ${STORED} on ${joinSql(terms, ' and ')}`];
}

/**
 * Makes the statement fail for the first object with a value of a generated column that its row neither had nor has.
 * The values are compared as JSON, which every type has.
 * @param stored the join with the rows before the statement; empty for none
 * @param written the alias of the rows after the statement
 * @param from the from clause of the objects and these rows
 */
export function generatedRefusals(
  step: GraphRows,
  stored: Lines,
  written: Sql,
  from: Lines,
  parameters: ParameterList,
): readonly Lines[] {
  if (step.generated.length === 0) return [];
  const aliases = stored.length === 0 ? [written] : [STORED, written];
  const terms = step.generated.map(({ name, storedType }) => {
    const column = quoteIdentifier(name);
    const value = sql`${SOURCE}.${column}`;
    const given = step.nulls
      ? sql`not (${lacks(step, SOURCE, name, parameters)})`
      : sql`${value} is not null`;
    const differences = aliases.map(
      (alias) =>
        sql`pg_catalog.to_jsonb(${value}::${catalogueSql(storedType)}) is distinct from pg_catalog.to_jsonb(${alias}.${column})`,
    );
    return sql`(${joinSql([given, ...differences], ' and ')})`;
  });
  return [firstObject('generated', step, [...from, ...stored], [[joinSql(terms, ' or ')]])];
}

/**
 * Makes the statement fail for the first object that has null in place of a related object, but in its columns the key
 * of a row that the role can read. A row that the role cannot read is null in what it reads.
 */
export function nullRefusals(step: GraphRows, parameters: ParameterList): readonly Lines[] {
  if (!step.nulls) return [];
  const names = new Set([
    ...step.columns.map(({ name }) => name),
    ...step.links.flatMap(({ to, pairs }) => (to === 'parent' ? pairs.map(({ column }) => column) : [])),
  ]);
  return step.links.flatMap(({ child, pairs, shared }: GraphLink): readonly Lines[] => {
    const columns = [...pairs, ...shared];
    if (child === null || !columns.every(({ column }) => names.has(column))) return [];
    const found = enclosed(sql`exists `, [
      sql`select from ${nameSql(child.target)} as "related"`,
      ...whereLines(
        columns.map(({ column, key }) => [
          sql`"related".${quoteIdentifier(key)} = ${SOURCE}.${quoteIdentifier(column)}`,
        ]),
      ),
    ]);
    const key = parameters.place({ kind: 'constant', text: child.key });
    const object = sql`${SOURCE}.${quoteIdentifier(step.object ?? '')}`;
    const terms = [[sql`pg_catalog.json_typeof(${object} -> ${key}) = 'null'`], found];
    return [firstObject('differs', step, [sql`  from ${SOURCE}`], terms)];
  });
}

const firstObject = (
  kind: 'generated' | 'differs',
  { number }: GraphRows,
  from: Lines,
  terms: readonly Lines[],
): Lines =>
  enclosed(sql``, [
    sql`select ${refusalSql(kind, sql`pg_catalog.min(${SOURCE}.${quoteIdentifier(number)})`)}`,
    ...from,
    ...whereLines(terms),
  ]);
