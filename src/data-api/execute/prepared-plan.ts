import type { LruCache } from '../../lru-cache.js';
import type { Pace } from '../../postgres/pace.js';
import { prepare, type Statement } from '../../postgres/statement.js';
import type { Operand } from '../plan/expression.js';
import type { CallPlan, MutationPlan, ReadPlan } from '../plan/plan.js';
import type { ReadNode } from '../plan/read-node.js';
import type { MainColumn, MainStatement } from '../sql/main-statement.js';
import { mutationSql } from '../sql/mutation.js';
import { callSql, estimateSql, readSql } from '../sql/read.js';
import type { SqlText } from '../sql/sql-text.js';
import type { Paces } from './paces.js';

/** A plan that runs statements. */
export type RunnablePlan = ReadPlan | MutationPlan | CallPlan;

export interface PreparedStatement {
  readonly statement: Statement;
  readonly parameters: readonly Operand[];
}

/** A plan with its statements, good for all requests of its shape, of one role and one schema. */
export interface PreparedPlan {
  readonly plan: RunnablePlan;
  /** Role and schema, within which equal texts share a statement. */
  readonly scope: string;
  readonly main: PreparedStatement;
  /** What the columns of the main statement's row are. */
  readonly columns: readonly MainColumn[];
  /** Asks the planner how many rows there are; null when nobody wants to know. */
  readonly estimate: PreparedStatement | null;
  /** How long it takes, learnt from the runs of its main statement, under whatever plan. */
  readonly pace: Pace;
}

/**
 * Prepares the statements of a plan, or takes known ones. Equal texts share a statement within one role and search path, never across roles:
 * a plan in which PostgreSQL inlined a function holds no check of the privilege to call it.
 */
export function preparePlan(
  plan: RunnablePlan,
  scope: string,
  statements: Pick<LruCache<Statement>, 'get'>,
  paces: Paces,
): PreparedPlan {
  const prepared = ({ text, parameters }: SqlText): PreparedStatement => ({
    statement: statements.get(statementKey(scope, text)) ?? prepare(text),
    parameters,
  });
  const main = mainSql(plan);
  return {
    plan,
    scope,
    main: prepared(main),
    columns: main.columns,
    estimate: wantsEstimate(plan) ? prepared(estimateSql(estimatedRoot(plan))) : null,
    pace: paces.of(scope, main.text),
  };
}

const statementKey = (scope: string, text: string): string => `${scope}\0${text}`;

/** The statements of a plan, by the keys under which others find them. */
export function statementsOf({
  scope,
  main,
  estimate,
}: PreparedPlan): readonly { readonly key: string; readonly statement: Statement }[] {
  return [main, estimate].flatMap((prepared) =>
    prepared === null
      ? []
      : [{ key: statementKey(scope, prepared.statement.text), statement: prepared.statement }],
  );
}

function mainSql(plan: RunnablePlan): MainStatement {
  switch (plan.kind) {
    case 'read':
      return readSql(plan);
    case 'mutation':
      return mutationSql(plan);
    case 'call':
      return callSql(plan);
  }
}

/** To be explained is not to run: a call needs no keeping of its rows. */
function estimatedRoot(plan: RunnablePlan): ReadNode {
  return plan.kind === 'call' ? { ...plan.root, source: { kind: 'call', call: plan.call } } : plan.root;
}

function wantsEstimate(plan: RunnablePlan): boolean {
  if (plan.kind === 'mutation' || plan.output.explain !== null) return false;
  return plan.count !== null && plan.count.mode !== 'exact';
}
