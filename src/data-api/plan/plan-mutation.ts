import { dbrError } from '../../errors/dbr-error.js';
import type { ApiRequest } from '../request/api-request.js';
import type { QualifiedName, Table, TableKind } from '../schema-cache/types.js';
import { createAssumptions, namesOfRelation, relationSource } from './assumed-columns.js';
import { type Draft, draftTree } from './draft.js';
import { findTable } from './find-table.js';
import { freeColumn } from './free-name.js';
import { negotiate, withTableNames } from './media.js';
import { isKeyedUpdate, keysOf, planKeyedUpdate } from './keyed-update.js';
import { unmodifiedCondition } from './last-modified.js';
import { type Change, graphOfChange, type KeyedUpdateChange, type LimitedRows } from './mutation.js';
import type { Output } from './output.js';
import { planPayload } from './payload.js';
import { createTreeContext, type PlanContext, type TreeContext } from './plan-context.js';
import { isGraphUpdate, planGraphUpdate } from './plan-graph-update.js';
import { planInsert } from './plan-insert.js';
import { planPut } from './plan-put.js';
import { planRead, relationPath, selectsWholeRows, withoutBody } from './plan-read.js';
import type { MutationPlan, OutcomeCheck, TagCondition } from './plan.js';
import { maxAffectedCheck, requireKnownPreferences } from './preferences.js';
import { planConditions, planOrder, planRange, planTree } from './read-tree.js';
import type { ReleaseRules } from './release-rules.js';
import { returnedTree } from './returning.js';
import type { Scope } from './scope.js';

export type MutationAction = 'insert' | 'update' | 'upsert' | 'delete';

/** Plans POST, PATCH, PUT and DELETE of a relation (data API §1.8–1.10). */
export function planMutation(
  received: ApiRequest,
  name: string,
  action: MutationAction,
  context: PlanContext,
): MutationPlan {
  const target: QualifiedName = { schema: received.schema, name };
  const table = findTable(context.cache, target);
  const tree = createTreeContext(context, received.schema, received.preferences.handling ?? 'lenient');
  const alias = tree.aliases.claim(name);
  const unmodified = unmodifiedCondition(received, alias, table, context);
  // A relation without the time of changes has no such condition (RFC 9110 §13.1.4).
  const request: ApiRequest =
    received.condition === 'unmodified' && unmodified === null ? { ...received, condition: null } : received;
  const scope = targetScope(target, alias, table, tree);
  const draft = draftTree(request, context.rules.embedNames);
  requireRows(draft);
  const selected = createAssumptions();
  // `select` is checked even if no row is returned, so that its validity does not depend on the preference.
  const planned = planTree(
    returnedDraft(draft, tree.rules),
    { source: { kind: 'rows' }, relation: target, alias, limited: false, names: 'changed' },
    { ...tree, assumptions: selected },
  );
  const represent = representOf(request, action);
  const change = planChange(action, request, draft, scope, target, represent, context, tree);
  const condition = planCondition(request, name, change, draft, scope, context);
  requireKnownPreferences(request.preferences);
  const keyColumns = represent === 'headers' ? (table?.primaryKey ?? []) : [];
  const shown = represent === 'full' ? planned : { ...planned, select: [], order: [], embeds: [] };
  const position = shown.grouped ? null : positionOf(change, represent, table);
  const { root, returning } = returnedTree(shown, scope, keyColumns, position);
  const output = withTableNames(planOutput(request, target, represent, change, context), root, table);
  return {
    kind: 'mutation',
    path: relationPath(context.pathPrefix, name),
    target,
    alias,
    change,
    condition,
    unmodified,
    returning,
    root,
    // Columns that are not returned are not read, so they need not exist.
    assumed: [
      ...tree.assumptions.all(),
      ...(represent === 'full' ? selected.all() : []),
      ...(condition?.read.assumed ?? []),
    ],
    cuts: represent === 'full' ? tree.cuts : [],
    counted: request.preferences.count === 'exact' || request.preferences.count === 'estimated',
    represent,
    keyColumns,
    checks: planChecks(request, action, change, output),
    output,
  };
}

function targetScope(
  target: QualifiedName,
  alias: string,
  table: Table | null,
  { cache, searchPath, rules, assumptions }: TreeContext,
): Scope {
  return {
    cache,
    alias,
    table,
    searchPath,
    searchesDocuments: rules.searchesDocuments,
    assume: assumptions.about(relationSource(target), namesOfRelation(cache, table, searchPath)),
  };
}

/**
 * Filters (also `and` and `or`), order and range of the root choose the rows to change, and are not applied to the
 * changed rows again, except for the order from release 13 on.
 */
const returnedDraft = (draft: Draft, { ordersWrites }: ReleaseRules): Draft => ({
  ...draft,
  filters: [],
  logic: [],
  order: ordersWrites ? draft.order : [],
  range: null,
});

/**
 * Returns the column by which the returned rows are sorted; null if no rows are returned or the change has no order.
 */
function positionOf(
  change: MutationPlan['change'],
  represent: MutationPlan['represent'],
  table: Table | null,
): string | null {
  if (represent !== 'full') return null;
  if (change.kind === 'insert' || change.kind === 'graph-update')
    return graphOfChange(change) === null ? null : freeColumn('position', table);
  if (change.kind === 'keyed-update') return change.position;
  if (change.kind === 'update' && change.payload.columns.length === 0) return null;
  return change.limited?.position ?? null;
}

/**
 * Refuses `having` and `distinct` of a write, which would not choose the rows to change. @throws DBR185 and DBR187
 */
function requireRows({ having, distinct }: Draft): void {
  const reason = 'A write changes rows, not groups.';
  if (having.length > 0) throw dbrError('HavingNotPossible', { reason });
  if (distinct !== null) throw dbrError('DistinctNotPossible', { reason });
}

function planChange(
  action: MutationAction,
  request: ApiRequest,
  draft: Draft,
  scope: Scope,
  target: QualifiedName,
  represent: MutationPlan['represent'],
  context: PlanContext,
  tree: TreeContext,
): Change {
  const payload = () => planPayload(request, target.name, scope.table, context);
  if (action === 'delete' && request.query.columnTree !== null)
    throw dbrError('GraphNotPossible', { relation: target.name, details: 'method' });
  switch (action) {
    case 'insert':
      return planInsert(request, scope.table, target, represent, context, tree);
    case 'upsert':
      return planPut(request, draft, scope, target, represent === 'full', context, tree);
    case 'update':
      if (isGraphUpdate(request)) {
        const where = planConditions(draft, scope, noEmbed);
        return planGraphUpdate(request, target, where, represent === 'full', context, tree);
      }
      if (isKeyedUpdate(request)) return planKeyed(request, draft, scope, target, context);
      return {
        kind: 'update',
        payload: payload(),
        where: planConditions(draft, scope, noEmbed),
        limited: planLimited(draft, scope, target),
      };
    case 'delete':
      return {
        kind: 'delete',
        where: planConditions(draft, scope, noEmbed),
        limited: planLimited(draft, scope, target),
      };
  }
}

function planKeyed(
  request: ApiRequest,
  draft: Draft,
  scope: Scope,
  target: QualifiedName,
  context: PlanContext,
): KeyedUpdateChange {
  const keys = keysOf(request, scope.table);
  const payload = planPayload(request, target.name, scope.table, context, keys);
  return planKeyedUpdate(request, draft, scope.table, keys, payload, planConditions(draft, scope, noEmbed));
}

/** The rows to change do not depend on the embedded resources of the representation. */
const noEmbed = (): undefined => undefined;

/** Relations whose rows have a `ctid` that changes with each version. */
const VERSIONED: ReadonlySet<TableKind> = new Set(['table', 'partitioned table']);

/** @throws DBR143 for a relation whose rows have no versions */
function planCondition(
  request: ApiRequest,
  name: string,
  change: MutationPlan['change'],
  draft: Draft,
  scope: Scope,
  context: PlanContext,
): TagCondition | null {
  const { condition } = request;
  // Tag and time are those of one row.
  if (change.kind === 'keyed-update' && (condition === 'tags' || condition === 'unmodified'))
    throw dbrError('VersionMismatch');
  if (condition !== 'tags' || change.kind === 'insert') return null;
  if (scope.table !== null && !VERSIONED.has(scope.table.kind))
    throw dbrError('ConditionNotPossible', { relation: name });
  return { read: planRead(request, name, 'compared', context), where: planConditions(draft, scope, noEmbed) };
}

function planLimited(draft: Draft, scope: Scope, target: QualifiedName): LimitedRows | null {
  const range = planRange(draft.range, null);
  if (range.limit === null && range.offset === null) return null;
  const order = draft.order.map((term) => planOrder(term, scope, target, []));
  const columns = new Set(order.map(({ field }) => field.column));
  const { table } = scope;
  return {
    order,
    range,
    notNull: new Set([...columns].filter((name) => table?.columns.get(name)?.nullable === false)),
    isTotal: table?.kind === 'table' && isCovered(table.primaryKey, columns),
    position: freeColumn('position', table),
  };
}

const isCovered = (key: readonly string[], columns: ReadonlySet<string>): boolean =>
  key.length > 0 && key.every((name) => columns.has(name));

function representOf(request: ApiRequest, action: MutationAction): MutationPlan['represent'] {
  switch (request.preferences.return) {
    case 'representation':
      return 'full';
    case 'headers-only':
      return action === 'insert' ? 'headers' : 'none';
    case 'minimal':
    case null:
      return 'none';
  }
}

function planOutput(
  request: ApiRequest,
  relation: QualifiedName,
  represent: MutationPlan['represent'],
  change: Change,
  context: PlanContext,
): Output {
  // The plan of a graph would be those of several statements.
  const isGraph = graphOfChange(change) !== null;
  const offer = {
    relation,
    wholeRows: selectsWholeRows(request.query.select),
    own: null,
    json: { kind: 'array', stripNulls: false },
    object: (stripNulls: boolean) => ({ kind: 'object', stripNulls }) as const,
    planEnabled: context.planEnabled && !isGraph,
    // A write is committed before its response begins.
    lines: { streamed: false, streamsCsv: false, values: false },
  } as const;
  const output = negotiate(request.accept, offer, context.cache);
  if (represent === 'full') return output;
  return output.explain === null ? { ...withoutBody(output), contentType: null } : withoutBody(output);
}

function planChecks(
  request: ApiRequest,
  action: MutationAction,
  change: MutationPlan['change'],
  output: Output,
): readonly OutcomeCheck[] {
  const checks: OutcomeCheck[] = [];
  const { condition } = request;
  if (condition !== null) checks.push({ kind: condition === 'absent' ? 'absent' : 'match' });
  if (action === 'upsert' && change.kind !== 'graph-update') checks.push({ kind: 'put' });
  const limited = change.kind === 'update' || change.kind === 'delete' ? change.limited : null;
  const limit = limited?.range.limit ?? null;
  if (limit !== null) checks.push({ kind: 'limit', maximum: limit });
  if (output.singular) checks.push({ kind: 'singular' });
  if (change.kind !== 'insert') checks.push(...maxAffectedCheck(request));
  if (change.kind === 'graph-update') checks.push({ kind: 'graph root' });
  return checks;
}
