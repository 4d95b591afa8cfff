/** The statements for the row of the root of a PATCH or PUT (docs/graphs.md#updates). */
import { joinSql, quoteIdentifier, sql } from '../../postgres/sql.js';
import { PAYLOAD_ALIAS } from '../plan/aliases.js';
import type { FindStep, Graph, PutStep, RootStep } from '../plan/graph.js';
import type { Condition } from '../plan/expression.js';
import type { MutationPlan } from '../plan/plan.js';
import { conditionLines } from './condition.js';
import { conflictLines, countBy } from './conflict.js';
import { tagExpressions, tagTerms } from './entity-tag.js';
import { nameSql } from './field.js';
import { listingLines } from './graph-source.js';
import { assignedNames, generatedRefusals, nullRefusals, storedRows } from './graph-refusals.js';
import { foundRows, returnedNames, sourceExpression, writtenRows } from './graph-updated-rows.js';
import { enclosed, hang, type Lines, tailed, whereLines } from './lines.js';
import { refusalLines } from './refusal.js';
import type { ParameterList } from './sql-text.js';

const SOURCE = sql`"source"`;
const WRITTEN = sql`"written"`;

const noEmbed = (): never => {
  throw new Error('the rows of a change do not depend on embedded resources');
};

const conditionTerms = (where: readonly Condition[], parameters: ParameterList): readonly Lines[] =>
  where.map((condition) => conditionLines(condition, parameters, noEmbed));

/** Checks that there is one row under the conditions of the request, and locks it. */
export function findLines(step: FindStep, plan: MutationPlan, parameters: ParameterList): Lines {
  const { condition, unmodified } = plan;
  const target = quoteIdentifier(plan.alias);
  const tags = condition === null ? [] : tagExpressions(plan, condition, parameters);
  const found = [
    sql`select`,
    sql`  from ${nameSql(step.target)} as ${target}`,
    ...whereLines([
      ...conditionTerms(step.where, parameters),
      ...(condition === null ? [] : tagTerms(plan, parameters)),
      ...(unmodified === null ? [] : conditionTerms([unmodified], parameters)),
    ]),
    ...(step.locks ? [sql`   for no key update of ${target}`] : []),
  ];
  return [
    ...hang(sql`with `, [
      ...tags.flatMap((lines) => tailed(lines, sql`,`)),
      ...enclosed(sql`"found" as `, found),
    ]),
    ...hang(sql`select `, refusalLines(plan.checks)),
    sql`  from "found"`,
  ];
}

/** Updates the row of the root and lists its key. */
export function rootLines(
  step: RootStep,
  graph: Graph,
  plan: MutationPlan,
  parameters: ParameterList,
): Lines {
  const updated = {
    target: plan.alias,
    columns: returnedNames(step, step.list, graph),
    terms: conditionTerms(step.where, parameters),
    parameters,
  };
  const written = writtenRows(step, updated);
  const from = [
    sql`  from ${SOURCE}`,
    sql`  left join ${WRITTEN} on ${WRITTEN}.${quoteIdentifier(step.number)} = ${SOURCE}.${quoteIdentifier(step.number)}`,
  ];
  const refusal = enclosed(sql``, [
    ...hang(sql`select `, refusalLines([{ kind: 'graph root' }])),
    sql`  from ${WRITTEN}`,
  ]);
  const stored =
    step.generated.length === 0
      ? []
      : enclosed(sql`  cross join `, foundRows(step, updated), sql` as "stored"`);
  const refusals = [
    refusal,
    ...generatedRefusals(step, stored, WRITTEN, from, parameters),
    ...nullRefusals(step, parameters),
  ];
  return [
    ...sourceExpression(step, graph, parameters),
    ...enclosed(sql`     ${WRITTEN} as `, written),
    ...listingLines(step, step.list, graph, WRITTEN, from, refusals),
  ];
}

/** Inserts or replaces the row of the root and lists its key. */
export function putLines(step: PutStep, graph: Graph, plan: MutationPlan, parameters: ParameterList): Lines {
  const keys = returnedNames(step, step.list, graph);
  const number = quoteIdentifier(step.number);
  const written = assignedNames(step);
  const columns = joinSql(written.map(quoteIdentifier), ', ');
  const counts = step.conflict.resolution === 'merge';
  const inserted = [
    sql`insert into ${nameSql(step.target)} (${columns})`,
    sql`select ${columns}`,
    sql`  from ${SOURCE} as "${PAYLOAD_ALIAS}"`,
    ...whereLines([...conditionTerms(step.where, parameters), ...(counts ? [countBy('+ 1')] : [])]),
    ...conflictLines(
      step.conflict,
      written.map((name) => ({ name })),
      counts,
    ),
    sql`returning ${keys.length === 0 ? '1' : joinSql(keys.map(quoteIdentifier), ', ')}`,
  ];
  const from = [
    sql`  from ${SOURCE}`,
    sql`  left join ${WRITTEN} on ${WRITTEN}.${number} = ${SOURCE}.${number}`,
  ];
  const refusal = enclosed(sql``, [...hang(sql`select `, refusalLines(plan.checks)), sql`  from ${WRITTEN}`]);
  return [
    ...sourceExpression(step, graph, parameters),
    ...tailed(enclosed(sql`     "inserted" as `, inserted), sql`,`),
    ...enclosed(sql`     ${WRITTEN} as `, [
      sql`select ${SOURCE}.${number}, "inserted".*`,
      sql`  from ${SOURCE}, "inserted"`,
    ]),
    ...listingLines(step, step.list, graph, WRITTEN, from, [
      refusal,
      ...generatedRefusals(step, storedRows(step.target, step.conflict.columns), WRITTEN, from, parameters),
      ...nullRefusals(step, parameters),
    ]),
  ];
}
