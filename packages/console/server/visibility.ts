/**
 * Why a caller sees a row or does not, and whether it may write it: the policies that apply, each split into its terms, which
 * PostgreSQL evaluates as the role of the caller on given values. Nothing of the row is read that the caller did not give.
 */
import {
  catalogueSql,
  classifyDriverError,
  joinSql,
  PostgresError,
  quoteIdentifier,
  quoteQualified,
  type Session,
  shownTexts,
  sql,
  type Sql,
} from '../../../src/face.js';
import type {
  Command,
  EvaluatedPolicy,
  EvaluatedTerm,
  Policy,
  RelationDetail,
  Visibility,
  VisibilityQuestion,
} from './answers.js';
import type { ReadRelation } from './relation.js';
import { columnsIn, isOfCaller, sidesOf, termsOf, type Terms } from './terms.js';

/** A row of given values, under the name by which expressions of policies call the relation. */
interface GivenRow {
  readonly source: Sql;
  /** JSON text. */
  readonly values: string;
  /** Of the relation. */
  readonly columns: readonly string[];
  /** Columns without a given value. */
  readonly unknown: readonly string[];
  /** Why PostgreSQL does not read the values; null if it does. */
  readonly refused: string | null;
}

export async function evaluate(
  { detail, exempt }: ReadRelation,
  { command, row }: VisibilityQuestion,
  role: string,
  session: Session,
): Promise<Visibility> {
  const columns = detail.columns.map((column) => column.name);
  const source = sql`pg_catalog.jsonb_populate_record(null::${quoteQualified(detail.schema, detail.name)}, $1::pg_catalog.jsonb) as ${quoteIdentifier(detail.name)}`;
  const values = JSON.stringify(row);
  const given: GivenRow = {
    source,
    values,
    columns,
    unknown: columns.filter((name) => !Object.hasOwn(row, name)),
    refused: await refusalOf(session, sql`select from ${source}`, values),
  };
  const policies: EvaluatedPolicy[] = [];
  if (exempt === null)
    for (const policy of detail.policies.filter((each) => appliesTo(each, command)))
      policies.push(await evaluatePolicy(policy, clauseOf(command), given, session));
  const privilege = detail.privileges[command];
  return {
    role,
    command,
    privilege,
    exempt,
    found: command === 'select' && privilege ? await find(detail, given, session) : null,
    policies,
    allowed: privilege ? (exempt === null ? verdict(policies) : true) : false,
  };
}

const appliesTo = (policy: Policy, command: Command): boolean =>
  policy.applies && (policy.command === 'all' || policy.command === command);

const clauseOf = (command: Command): EvaluatedPolicy['clause'] =>
  command === 'insert' ? 'with check' : 'using';

async function evaluatePolicy(
  policy: Policy,
  clause: EvaluatedPolicy['clause'],
  given: GivenRow,
  session: Session,
): Promise<EvaluatedPolicy> {
  const { name, comment, permissive } = policy;
  const expression = (clause === 'with check' ? (policy.check ?? policy.using) : policy.using) ?? 'true';
  const { join, terms: texts }: Terms = termsOf(expression);
  const terms: EvaluatedTerm[] = [];
  for (const text of texts) terms.push(await evaluateTerm(text, given, session));
  return { name, comment, permissive, clause, expression, join, terms, holds: joined(join, terms) };
}

/** Of a function that the term calls, the caller learns nothing but whether the term holds. */
async function evaluateTerm(text: string, given: GivenRow, session: Session): Promise<EvaluatedTerm> {
  const unknown = columnsIn(text, given.unknown);
  const sides = sidesOf(text);
  const shown = sides.filter((side) => isOfCaller(side, given.columns));
  const term = { text, holds: null, sides: [], unknown };
  if (given.refused !== null) return { ...term, error: given.refused };
  const expressions = [
    sql`(${catalogueSql(text)})::pg_catalog.bool as holds`,
    ...shown.map((side, index) => sql`(${catalogueSql(side)})::pg_catalog.text as ${sideName(index)}`),
  ];
  try {
    await session.script('savepoint term');
    const [row] = await session.query(sql`select ${joinSql(expressions, ', ')} from ${given.source}`, [
      given.values,
    ]);
    return {
      ...term,
      holds: unknown.length === 0 && typeof row?.['holds'] === 'boolean' ? row['holds'] : null,
      sides: shown.map((side, index) => ({
        text: side,
        value: columnsIn(side, unknown).length > 0 ? null : textOf(row?.[sideName(index).slice(1, -1)]),
      })),
      error: null,
    };
  } catch (error) {
    await session.script('rollback to savepoint term');
    const isShown = sides.length > 0 && shown.length === sides.length;
    return { ...term, error: isShown ? messageOf(error) : 'PostgreSQL cannot evaluate it' };
  }
}

/** Returns why PostgreSQL refuses to run a statement with the given values; null if it runs. */
async function refusalOf(session: Session, statement: Sql, values: string): Promise<string | null> {
  await session.script('savepoint given');
  try {
    await session.query(statement, [values]);
    return null;
  } catch (error) {
    await session.script('rollback to savepoint given');
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  const classified = classifyDriverError(error, { host: '', port: 0 });
  return classified instanceof PostgresError ? shownTexts(classified.fields).message : '';
}

const sideName = (index: number): Sql => quoteIdentifier(`side${String(index)}`);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** As PostgreSQL joins them: null stands for unknown. */
function joined(join: Terms['join'], terms: readonly EvaluatedTerm[]): boolean | null {
  const decisive = join === 'or';
  if (terms.some(({ holds }) => holds === decisive)) return decisive;
  return terms.some(({ holds }) => holds === null) ? nullOf(terms) : !decisive;
}

/** A term that PostgreSQL evaluates to null does not hold; one whose columns are not given is unknown. */
const nullOf = (terms: readonly EvaluatedTerm[]): boolean | null =>
  terms.some(({ holds, unknown, error }) => holds === null && (unknown.length > 0 || error !== null))
    ? null
    : false;

/** A row passes if one permissive policy and all restrictive ones hold (PostgreSQL manual, CREATE POLICY). */
function verdict(policies: readonly EvaluatedPolicy[]): boolean | null {
  const restrictive = policies.filter(({ permissive }) => !permissive);
  if (restrictive.some(({ holds }) => holds === false)) return false;
  const permissive = policies.filter((policy) => policy.permissive);
  if (permissive.every(({ holds }) => holds === false)) return false;
  if (restrictive.some(({ holds }) => holds === null)) return null;
  return permissive.some(({ holds }) => holds === true) ? true : null;
}

/** Whether a read finds the row with the given primary key; null without a whole key, and where the read fails. */
async function find(
  { schema, name, primaryKey }: RelationDetail,
  given: GivenRow,
  session: Session,
): Promise<boolean | null> {
  if (primaryKey.length === 0 || primaryKey.some((column) => given.unknown.includes(column))) return null;
  const pairs = primaryKey.map((column) => {
    const quoted = quoteIdentifier(column);
    return sql`stored.${quoted} = ${quoteIdentifier(name)}.${quoted}`;
  });
  try {
    await session.script('savepoint found');
    const [row] = await session.query(
      sql`select exists (select from ${quoteQualified(schema, name)} as stored, ${given.source} where ${joinSql(pairs, ' and ')}) as found`,
      [given.values],
    );
    return row?.['found'] === true;
  } catch {
    await session.script('rollback to savepoint found');
    return null;
  }
}
