/** The statements for the row of the root of a graph that exists (docs/graphs.md#updates). */
import { quoteIdentifier, sql } from '../../postgres/sql.js';
import type { FindStep, Graph, RootStep } from '../plan/graph.js';
import type { Condition } from '../plan/expression.js';
import type { MutationPlan } from '../plan/plan.js';
import { conditionLines } from './condition.js';
import { tagExpressions, tagTerms } from './entity-tag.js';
import { nameSql } from './field.js';
import { listingLines } from './graph-source.js';
import { keyColumns, sourceExpression, writtenRows } from './graph-updated-rows.js';
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
  const written = writtenRows(step, {
    target: plan.alias,
    columns: keyColumns(graph, step.list),
    terms: conditionTerms(step.where, parameters),
    parameters,
  });
  const from = [
    sql`  from ${SOURCE}`,
    sql`  left join ${WRITTEN} on ${WRITTEN}.${quoteIdentifier(step.number)} = ${SOURCE}.${quoteIdentifier(step.number)}`,
  ];
  const refusal = enclosed(sql``, [
    ...hang(sql`select `, refusalLines([{ kind: 'graph root' }])),
    sql`  from ${WRITTEN}`,
  ]);
  return [
    ...sourceExpression(step, graph, parameters),
    ...enclosed(sql`     ${WRITTEN} as `, written),
    ...listingLines(step, step.list, graph, WRITTEN, from, [refusal]),
  ];
}
