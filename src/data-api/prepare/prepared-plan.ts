import type { LruCache } from '../../base/lru-cache.js';
import { prepare, type Statement } from '../../postgres/batch.js';
import { type CostCheck, type Costs, lowerCeiling } from '../ceilings/cost.js';
import type { RoleCeilings } from '../ceilings/role-ceilings.js';
import type { Operand, ReadNode } from '../plan/expression.js';
import type { Graph } from '../plan/graph.js';
import {
  type CallPlan,
  graphOfChange,
  isCsv,
  type OutcomeCheck,
  type ReadPlan,
  type RunnablePlan,
  type StreamLine,
} from '../plan/plan.js';
import { graphSql } from '../graph/graph-sql.js';
import type { MainColumn, MainStatement } from '../sql/main-statement.js';
import { callSql, estimateSql, readSql, STREAM_COLUMNS, streamHeaderSql, streamSql } from '../sql/read.js';
import type { SqlText } from '../sql/sql-text.js';
import { mutationSql } from '../sql/mutation.js';

export interface PreparedStatement {
  readonly statement: Statement;
  readonly parameters: readonly Operand[];
}

/** A plan with its statements, for all requests of its shape, of one role and one schema. */
export interface PreparedPlan {
  readonly kind: 'statements';
  readonly plan: RunnablePlan;
  /** Role and schema. Equal texts share a statement within one scope. */
  readonly scope: string;
  /** Statements before the main one, which return no rows: those that write a graph. */
  readonly steps: readonly PreparedStatement[];
  readonly main: PreparedStatement;
  /** The columns of the main statement's row, in order. */
  readonly columns: readonly MainColumn[];
  /** Asks the planner for its estimate of the total; null if it is not requested. */
  readonly estimate: PreparedStatement | null;
  /** `read` runs in a read-only transaction. */
  readonly access: 'read' | 'write';
  /** The bound on the work of a read. */
  readonly bound: Bound;
  readonly checks: readonly OutcomeCheck[];
  /** Whether a run may change settings of the session, which outlive the transaction. */
  readonly mayChangeSettings: boolean;
  /** Whether the body may be sent while it arrives. No check after the body can fail then. */
  readonly mayStream: boolean;
  /** How the rows are sent one by one; null for a body of one value. */
  readonly stream: PreparedStream | null;
  /** Longest body of a read for the role, in bytes; null if the role has no limit of its own. */
  readonly maxResultBytes: number | null;
  /** Null without a ceiling on the cost. */
  readonly cost: CostCheck | null;
}

/**
 * `key`: it reads one row by its primary key. `limit`: at most SHORT_PAGE rows, and counts no others. `none`: it may
 * read any number of rows, calls a function, or writes.
 */
type Bound = 'key' | 'limit' | 'none';

interface PreparedStream {
  readonly line: StreamLine;
  /** Returns the names of the first line; null for a form without names. */
  readonly header: PreparedStatement | null;
}

/**
 * Prepares the statements of a plan, or reuses cached ones. Equal texts share a statement within one role and search
 * path, never across roles: PostgreSQL's plan contains no check of the privilege to call a function that it inlined.
 */
export function preparePlan(
  plan: RunnablePlan,
  scope: string,
  statements: Pick<LruCache<Statement>, 'get'>,
  bounds: Bounds | null = null,
): PreparedPlan {
  const prepared = ({ text, parameters }: SqlText): PreparedStatement => ({
    statement: statements.get(statementKey(scope, text)) ?? prepare(text),
    parameters,
  });
  const line = streamLineOf(plan);
  const text = line === null ? planSql(plan) : streamStatement(plan, line);
  const main = prepared(text);
  const access = accessOf(plan);
  const estimate = wantsEstimate(plan, line) ? prepared(estimateSql(estimatedRoot(plan))) : null;
  return {
    kind: 'statements',
    plan,
    scope,
    steps: stepsOf(plan).map(prepared),
    main,
    columns: text.columns,
    estimate,
    access,
    bound: boundOf(plan),
    checks: checksOf(plan),
    mayChangeSettings: plan.kind === 'mutation' || (plan.kind === 'call' && plan.volatile),
    mayStream: access === 'read' && estimate === null && isStreamable(plan),
    stream:
      line === null
        ? null
        : { line, header: isCsv(line) ? prepared(streamHeaderSql(readPlanOf(plan), line)) : null },
    maxResultBytes: bounds === null ? null : bounds.ceilings.maxResultBytes,
    cost: bounds === null ? null : costCheck(plan, scope, main, bounds),
  };
}

/** Limits on the requests of a plan. */
export interface Bounds {
  /** Those of the role. */
  readonly ceilings: RoleCeilings;
  /** Ceiling on the cost that the requests name; null for none. */
  readonly maxCost: number | null;
  readonly costs: Costs;
  /** Whether errors do not name the cost. */
  readonly hidesCost: boolean;
}

/** EXPLAIN without ANALYZE is free: it shows the cost of a statement that is refused. */
function costCheck(
  plan: RunnablePlan,
  scope: string,
  main: PreparedStatement,
  { ceilings, maxCost, costs, hidesCost }: Bounds,
): CostCheck | null {
  const ceiling = lowerCeiling(ceilings.maxCost, maxCost);
  const { explain } = plan.output;
  if (ceiling === null || (explain !== null && !explain.options.includes('analyze'))) return null;
  const { text, parameters } = executedText(plan, main);
  return { ceiling, known: costs.of(scope, text), hidesCost, text, parameters: parameters.length };
}

/** The main statement of a plan; of one that is explained, the statement that EXPLAIN takes. */
export const executedText = (plan: RunnablePlan, { statement, parameters }: PreparedStatement): SqlText =>
  plan.output.explain === null ? { text: statement.text, parameters } : planSql(withoutExplain(plan));

const withoutExplain = (plan: RunnablePlan): RunnablePlan => ({
  ...plan,
  output: { ...plan.output, explain: null },
});

const NO_STEPS: readonly SqlText[] = [];

function stepsOf(plan: RunnablePlan): readonly SqlText[] {
  const graph = graphOf(plan);
  return graph === null ? NO_STEPS : graphSql(graph);
}

/** Returns the graph that a plan writes, or null. */
export const graphOf = (plan: RunnablePlan): Graph | null =>
  plan.kind === 'mutation' ? graphOfChange(plan.change) : null;

/** Returns the form of the rows of a stream; null for a body of one value, or an execution plan. */
const streamLineOf = ({ output: { form, explain } }: RunnablePlan): StreamLine | null =>
  form.kind === 'stream' && explain === null ? form.line : null;

const streamStatement = (plan: RunnablePlan, line: StreamLine): MainStatement => ({
  ...streamSql(readPlanOf(plan), line),
  columns: STREAM_COLUMNS,
});

function readPlanOf(plan: RunnablePlan): ReadPlan | CallPlan {
  if (plan.kind === 'mutation') throw new Error('the rows of a write are not streamed');
  return plan;
}

const statementKey = (scope: string, text: string): string => `${scope}\0${text}`;

/** Returns the statements of a plan with their cache keys. */
export function statementsOf({
  scope,
  steps,
  main,
  estimate,
  stream,
}: PreparedPlan): readonly { readonly key: string; readonly statement: Statement }[] {
  // The statements of a stream are parsed for its own connection.
  if (stream !== null) return [];
  return [...steps, main, estimate].flatMap((prepared) =>
    prepared === null
      ? []
      : [{ key: statementKey(scope, prepared.statement.text), statement: prepared.statement }],
  );
}

/** EXPLAIN does not run the function, so its rows need no name. */
function estimatedRoot(plan: RunnablePlan): ReadNode {
  return plan.kind === 'call' ? { ...plan.root, source: { kind: 'call', call: plan.call } } : plan.root;
}

/** The rows of a stream are not counted before they are sent, so that an estimated total is that of the planner. */
function wantsEstimate(plan: RunnablePlan, line: StreamLine | null): boolean {
  if (plan.kind === 'mutation' || plan.output.explain !== null) return false;
  if (line !== null) return plan.count !== null;
  return plan.count !== null && plan.count.mode !== 'exact';
}

function accessOf(plan: RunnablePlan): 'read' | 'write' {
  if (plan.kind === 'mutation') return 'write';
  return plan.kind === 'call' ? plan.access : 'read';
}

function checksOf(plan: RunnablePlan): readonly OutcomeCheck[] {
  if (plan.kind === 'read') return plan.output.singular ? [{ kind: 'singular' }] : [];
  return plan.checks;
}

const SHORT_PAGE = 100n;

function boundOf(plan: RunnablePlan): Bound {
  if (plan.kind !== 'read' || plan.output.explain !== null) return 'none';
  if (plan.isOneRow) return 'key';
  const { count, root } = plan;
  const isPage = count === null && !root.grouped && root.distinct === null;
  return isPage && root.range.limit !== null && root.range.limit <= SHORT_PAGE ? 'limit' : 'none';
}

/** A response can be streamed only if the body is sent in the form in which it arrives. */
function isStreamable({ output: { form, explain } }: RunnablePlan): boolean {
  return explain === null && form.kind !== 'aggregate' && form.kind !== 'raw' && form.kind !== 'stream';
}

/** Returns the main statement of a plan. */
export function planSql(plan: RunnablePlan): MainStatement {
  switch (plan.kind) {
    case 'read':
      return readSql(plan);
    case 'mutation':
      return mutationSql(plan);
    case 'call':
      return callSql(plan);
  }
}
