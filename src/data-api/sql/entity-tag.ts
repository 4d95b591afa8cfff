import { quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import type { MutationPlan, TagCondition } from '../plan/plan.js';
import { ANSWER, bodyLines } from './body.js';
import { conditionLines } from './condition.js';
import { nameSql } from './field.js';
import { enclosed, indented, type Lines, whereLines } from './lines.js';
import { showsText } from './main-statement.js';
import { nodeLines } from './node.js';
import type { ParameterList } from './sql-text.js';

/** Number of hexadecimal digits of SHA-256 in an entity tag: 128 bits. */
export const TAG_DIGITS = 32;

/** The rows that the filters select, and the digest of the body that GET would return for them. */
const HELD = sql`"held"`;
const CURRENT = sql`"current"`;

/** Returns the common table expressions of a condition, each as a list item of `with`. */
export function tagExpressions(
  plan: MutationPlan,
  { read, where }: TagCondition,
  parameters: ParameterList,
): readonly Lines[] {
  const target = quoteIdentifier(plan.alias);
  const held = [
    sql`select ${target}.tableoid, ${target}.ctid`,
    sql`  from ${nameSql(plan.target)} as ${target}`,
    ...whereLines(where.map((condition) => conditionLines(condition, parameters, noEmbed))),
  ];
  const ofRead = { ...parameters, jsonbEmbeds: showsText(read.output) };
  const current = [
    sql`select pg_catalog.left(pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to((`,
    ...indented(bodyLines(read.output.form, ofRead)),
    sql`)::pg_catalog.text, 'UTF8')), 'hex'), ${TAG_DIGITS}) as "digest"`,
    ...enclosed(sql`  from `, nodeLines(read.root, ofRead), sql` as ${ANSWER}`),
  ];
  return [enclosed(sql`${HELD} as materialized `, held), enclosed(sql`${CURRENT} as materialized `, current)];
}

/**
 * Returns the conditions on the row that is written. A row that another transaction has changed since the beginning of
 * the statement has another `ctid`, so that PostgreSQL, which evaluates the conditions again for its new version, does
 * not write it.
 */
export function tagTerms(plan: MutationPlan, parameters: ParameterList): readonly Lines[] {
  const target: Sql = quoteIdentifier(plan.alias);
  return [
    [
      sql`(select "digest" from ${CURRENT}) = any (${parameters.place({ kind: 'digests' })}::pg_catalog.text[])`,
    ],
    [sql`${target}.ctid = any (array(select ctid from ${HELD}))`],
    [sql`${target}.tableoid = any (array(select tableoid from ${HELD}))`],
  ];
}

const noEmbed = (): never => {
  throw new Error('the rows of a change do not depend on embedded resources');
};
