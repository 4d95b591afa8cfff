import { dbrError } from '../../errors/dbr-error.js';
import type { ApiRequest, Payload } from '../request/api-request.js';
import type {
  Column,
  ColumnType,
  QualifiedName,
  SchemaCache,
  Table,
  TableKind,
} from '../schema-cache/types.js';
import {
  createAssumptions,
  createTreeContext,
  namesOfRelation,
  PAYLOAD_ALIAS,
  type PlanContext,
  relationSource,
  type ReleaseRules,
  type TreeContext,
  findTable,
  freeColumn,
  type Scope,
  unknownTable,
} from './plan-context.js';
import { type Draft, draftTree, planAll } from './select.js';
import { maxAffectedCheck, negotiate, requireKnownPreferences, treeFor, withTableNames } from './media.js';
import { isPlainEq, planRead, relationOffer, unmodifiedCondition, withoutBody } from './plan-read.js';
import {
  type Change,
  graphOfChange,
  type KeyedUpdateChange,
  type LimitedRows,
  type MutationPlan,
  type OutcomeCheck,
  type Output,
  type PayloadRows,
  type TagCondition,
} from './plan.js';
import { isToOne, planConditions, planOrder, planRange, planTree } from './read-tree.js';
import { bodyFormOf } from '../request/media-types.js';
import { isJson } from './plan-call.js';
import { pathText } from '../request/graph-body.js';
import { pathOfRelation } from '../request/read-request.js';
import type { At, ColumnTree, Filter } from '../grammar/ast.js';
import { parseRelationKey } from '../grammar/parse.js';
import type { Preferences } from '../request/preferences.js';
import { findRelationships, fromText, mayHoldNull } from '../schema-cache/lookups.js';
import {
  ascending,
  columnField,
  type Condition,
  type Conflict,
  type Embed,
  type ReadNode,
  type SelectItem,
  type Tested,
  type WrittenColumn,
} from './expression.js';

type MutationAction = 'insert' | 'update' | 'upsert' | 'delete';

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
  if (tree.rules.refusesInnerWrites && (action === 'update' || action === 'delete'))
    requireNoInner(draft, planned, name, table);
  const represent = representOf(request, action);
  const change = planChange(action, request, draft, scope, target, represent, tree);
  const condition = planCondition(request, name, change, draft, scope, context);
  requireKnownPreferences(request.preferences);
  const keyColumns = represent === 'headers' ? (table?.primaryKey ?? []) : [];
  const shown = represent === 'full' ? planned : { ...planned, select: [], order: [], embeds: [] };
  const position = shown.grouped ? null : positionOf(change, represent, table);
  const { root, returning } = returnedTree(shown, scope, keyColumns, position);
  const output = withTableNames(planOutput(request, target, represent, change, context), root, table);
  return {
    kind: 'mutation',
    path: context.pathPrefix + pathOfRelation(name),
    target,
    alias,
    change,
    condition,
    unmodified,
    returning,
    root: treeFor(root, output),
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
  if (change.kind === 'insert') return change.graph === null ? null : freeColumn('position', table);
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

/**
 * Refuses an inner embed of an update or a delete. It would choose the rows of the response, and not those that change.
 * @throws DBR146, whose hint is a filter of the columns by which the embed is related
 */
function requireNoInner(draft: Draft, planned: ReadNode, relation: string, table: Table | null): void {
  const at = draft.embeds.findIndex(({ item }) => item.join === 'inner');
  const embed = planned.embeds[at];
  if (embed === undefined) return;
  const columns = embed.link.kind === 'computed' ? (table?.primaryKey ?? []) : linkColumns(embed);
  throw dbrError('InnerWriteNotPossible', {
    embed: draft.embeds[at]?.item.name ?? '',
    relation,
    filter:
      columns.length > 1
        ? `or=(and(${columns.map((column) => `${column}.eq.…`).join(',')}),…)`
        : `${columns[0] ?? 'column'}=in.(…)`,
  });
}

function planChange(
  action: MutationAction,
  request: ApiRequest,
  draft: Draft,
  scope: Scope,
  target: QualifiedName,
  represent: MutationPlan['represent'],
  tree: TreeContext,
): Change {
  const { table } = scope;
  const payload = () => planPayload(request, target.name, table, tree);
  const where = () => planConditions(draft, scope, noEmbed);
  if (action !== 'insert') requireNoGraph(request, target.name);
  switch (action) {
    case 'insert': {
      const { query, preferences } = request;
      const conflict = conflictOn(query.onConflict ?? table?.primaryKey ?? [], preferences);
      const keys = graphTreeOf(request);
      if (keys !== null) return tree.planGraph({ request, target, keys, conflict, represent, tree });
      requireKnownPaths(query.conflicts, null);
      return { kind: 'insert', payload: payload(), conflict, where: [], graph: null };
    }
    case 'upsert': {
      const key = putKey(draft, table);
      const conflict = putConflict(request, key);
      const given = planConditions(draft, { ...scope, alias: PAYLOAD_ALIAS }, noEmbed);
      const found = where();
      const rows = payload();
      requireKey(rows.columns, key);
      return conflict === null
        ? { kind: 'update', payload: rows, where: [...found, ...given], limited: null }
        : { kind: 'insert', payload: rows, conflict, where: given, graph: null };
    }
    case 'update':
      if (isKeyedUpdate(request)) return planKeyed(request, draft, scope, target, tree);
      return {
        kind: 'update',
        payload: payload(),
        where: where(),
        limited: planLimited(draft, scope, target),
      };
    case 'delete':
      return { kind: 'delete', where: where(), limited: planLimited(draft, scope, target) };
  }
}

/** Refuses `columns` with related resources, which only POST of a relation uses. @throws DBR172 */
export function requireNoGraph({ query }: ApiRequest, relation: string): void {
  if (query.columnTree !== null) throw dbrError('GraphNotPossible', { relation, details: 'method' });
}

/** The keys of the body on all levels if an insert writes a graph; null for rows of one relation. @throws DBR171 */
function graphTreeOf({ payload, query, contentType }: ApiRequest): ColumnTree | null {
  if (query.columnTree === null) return payload?.kind === 'json' ? payload.graph : null;
  if (contentType.name !== 'application/json') throw dbrError('InvalidGraphBody', { message: 'mediaType' });
  return query.columnTree;
}

/** Returns how the preference `resolution` treats rows that exist; null for an error of PostgreSQL. */
export const conflictOn = (
  columns: readonly string[],
  { resolution }: Pick<Preferences, 'resolution'>,
): Conflict | null =>
  resolution === null || columns.length === 0
    ? null
    : { columns, resolution: resolution === 'merge-duplicates' ? 'merge' : 'ignore' };

/** @throws DBR108 for an `on_conflict` of a resource that the body does not have */
export function requireKnownPaths(conflicts: readonly At<unknown>[], tree: ColumnTree | null): void {
  for (const { path } of conflicts) {
    let level = tree;
    for (const step of path) {
      const found = level?.relations.find(({ key, name }) => key === step || name === step);
      if (found === undefined) throw dbrError('NotEmbedded', { relation: step });
      level = found.tree;
    }
  }
}

/**
 * Returns the columns of the primary key, exactly which a PUT names by `eq`: it writes one row (data API §1.9).
 * @throws DBR105
 */
function putKey({ logic, filters }: Draft, table: Table | null): readonly string[] {
  const key = table?.primaryKey ?? [];
  if (key.length === 0 || logic.length > 0 || !namesKey(filters, key)) throw dbrError('InvalidPut');
  return key;
}

function namesKey(filters: readonly Filter[], key: readonly string[]): boolean {
  const names = filters.map(({ field }) => field.name);
  return (
    filters.every(({ field, operation }) => field.path.length === 0 && isPlainEq(operation)) &&
    names.length === key.length &&
    key.every((column) => names.includes(column))
  );
}

/** @throws DBR115 for a PUT whose body lacks a column of the key */
function requireKey(columns: readonly WrittenColumn[], key: readonly string[]): void {
  if (!key.every((column) => columns.some(({ name }) => name === column))) throw dbrError('PutKeyMismatch');
}

/** Returns what a PUT does if the row exists; null if a condition of the request requires it, so that none is inserted. */
function putConflict({ condition }: ApiRequest, key: readonly string[]): Conflict | null {
  switch (condition) {
    case 'tags':
    case 'exists':
    case 'unmodified':
      return null;
    case 'absent':
      return { columns: key, resolution: 'ignore' };
    case null:
      return { columns: key, resolution: 'merge' };
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

/** @throws DBR109 */
function planLimited(draft: Draft, scope: Scope, target: QualifiedName): LimitedRows | null {
  const range = planRange(draft.range, null);
  if (range.limit === null && range.offset === null) return null;
  const order = draft.order.map((term) => planOrder(term, scope, target, []));
  requireUniqueOrder(draft, scope);
  const columns = new Set(order.map(({ field }) => field.column));
  const { table } = scope;
  return {
    order,
    range,
    notNull: new Set([...columns].filter((name) => isNeverNull(table?.columns.get(name)))),
    isTotal: table?.kind === 'table' && table.isInherited !== true && isCovered(table.primaryKey, columns),
    position: freeColumn('position', table),
  };
}

/**
 * Requires all columns of a unique key in the order, where one is known. PostgreSQL reports a name that does not exist.
 * @throws DBR109
 */
function requireUniqueOrder({ order }: Draft, { cache, table, searchPath }: Scope): void {
  if (table === null || table.uniqueKeys.length === 0) return;
  const isKnown = namesOfRelation(cache, table, searchPath);
  if (!order.every(({ field }) => isKnown(field.name))) return;
  const columns = new Set(
    order.flatMap(({ field, rank }) => (field.path.length === 0 && rank === undefined ? [field.name] : [])),
  );
  if (!table.uniqueKeys.some((key) => isCovered(key, columns)))
    throw dbrError('LimitWithoutOrder', { message: 'notUnique' });
}

const isNeverNull = (column: Column | undefined): boolean => column !== undefined && !mayHoldNull(column);

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
  // A write is committed before its response begins.
  const lines = { streamed: false, streamsCsv: false, values: false };
  const offer = relationOffer(request, relation, context.planEnabled && !isGraph, lines);
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
  if (action === 'upsert') checks.push({ kind: 'put' });
  const limited = change.kind === 'update' || change.kind === 'delete' ? change.limited : null;
  const limit = limited?.range.limit ?? null;
  if (limit !== null) checks.push({ kind: 'limit', maximum: limit });
  if (output.singular) checks.push({ kind: 'singular' });
  if (change.kind !== 'insert') checks.push(...maxAffectedCheck(request));
  return checks;
}

/**
 * Returns the columns that a payload writes: those of `columns`, otherwise the keys of its objects, and `rowKeys`.
 * @throws DBR205 for a relation, and DBR204 for a column, that the schema cache does not contain; DBR171 for a related
 * resource whose value is not an object
 */
function planPayload(
  request: ApiRequest,
  relation: string,
  table: Table | null,
  context: PlanContext,
  rowKeys: readonly string[] = [],
): PayloadRows {
  const { payload } = request;
  if (payload === null || payload.kind === 'whole') return { many: false, columns: [] };
  const useDefaults = request.preferences.missing === 'default';
  const columns = [...new Set([...payload.keys, ...rowKeys])].map((key) => {
    if (table === null) throw unknownTable(context, request.schema, relation);
    const column = table.columns.get(key);
    if (column === undefined) throw unknownColumn(request, payload, relation, key, context.cache);
    const written = writtenColumn(column, useDefaults && !rowKeys.includes(key), context.cache);
    return bodyFormOf(request.contentType.name) === 'rfc4180' ? readFromText(written, column.type) : written;
  });
  return { many: payload.kind === 'json' && payload.many, columns };
}

/** @param useDefaults whether an object that lacks the column gets its default */
export function writtenColumn(column: Column, useDefaults: boolean, cache: SchemaCache): WrittenColumn {
  const representation = fromText(cache, 'json', column);
  return {
    name: column.name,
    type: representation === null ? wideType(column.type) : JSON_TYPE,
    cast: null,
    representation,
    default: useDefaults ? column.default : null,
  };
}

const JSON_TYPE = 'pg_catalog.json';
const TEXT_TYPE = 'pg_catalog.text';

/** All types but JSON read a JSON string as their text. */
function readFromText(column: WrittenColumn, { plainName, baseName }: ColumnType): WrittenColumn {
  if (column.representation !== null) return { ...column, type: TEXT_TYPE, cast: JSON_TYPE };
  return isJson(baseName) ? { ...column, type: TEXT_TYPE, cast: plainName } : column;
}

/** The type without a length: PostgreSQL then refuses a value that is too long for the column instead of truncating it. */
export function wideType(type: ColumnType): string {
  switch (type.plainName) {
    case 'character':
      return 'character varying';
    case 'bit':
      return 'bit varying';
    default:
      return type.plainName;
  }
}

/**
 * Returns the error for a key of a body without nested values that is not a column: DBR171 if the key names a related
 * resource, whose values are objects; DBR204 otherwise.
 */
function unknownColumn(
  request: ApiRequest,
  payload: Payload,
  relation: string,
  key: string,
  cache: SchemaCache,
): Error {
  const { schema, contentType } = request;
  if (payload.kind !== 'json' || !payload.checked || contentType.name !== 'application/json')
    return dbrError('ColumnNotFound', { column: key, relation });
  const named = request.action.kind === 'insert' ? parseRelationKey(key) : null;
  const [related] =
    named === null ? [] : findRelationships(cache, { schema, name: relation }, named.name, named.hint);
  if (related === undefined) return dbrError('ColumnNotFound', { column: key, relation });
  return dbrError('InvalidGraphBody', {
    message: isToOne(related) ? 'object' : 'array',
    // The keys are those of the first object.
    path: pathText(payload.many ? [0, key] : [key]),
  });
}

/** Whether a PATCH updates the rows whose keys its objects have, rather than all rows that its filters match. */
const isKeyedUpdate = ({ action, preferences }: ApiRequest): boolean =>
  action.kind === 'update' && preferences.match === 'keys';

const writesColumns = ({ columns }: PayloadRows, keys: readonly string[]): boolean =>
  columns.some(({ name }) => !keys.includes(name));

/** The columns that identify the rows: those of `on_conflict`, otherwise the primary key. @throws DBR150 for none */
function keysOf({ query }: ApiRequest, table: Table | null): readonly string[] {
  const keys = query.onConflict ?? table?.primaryKey ?? [];
  if (keys.length === 0) throw dbrError('InvalidRowKeys', { message: 'none' });
  return keys;
}

/**
 * Plans the update of each row by the object that has its key (`Prefer: match=keys`). An object may lack a column only
 * if the query string has `columns`; the row keeps the value then, unless the preference `missing` is present.
 * @param payload the columns of the body and those of the keys
 * @throws DBR150
 */
function planKeyedUpdate(
  request: ApiRequest,
  draft: Draft,
  table: Table | null,
  keys: readonly string[],
  payload: PayloadRows,
  where: readonly Condition[],
): KeyedUpdateChange {
  const range = planRange(draft.range, null);
  if (range.limit !== null || range.offset !== null) throw dbrError('InvalidRowKeys', { message: 'limited' });
  const position = freeColumn('position', table);
  const object = freeColumn('object', table);
  if (position === null || object === null) throw dbrError('InvalidRowKeys', { message: 'none' });
  const keeps = request.query.columns !== null && request.preferences.missing === null;
  return {
    kind: 'keyed-update',
    payload,
    keys,
    where,
    position,
    object: keeps ? object : null,
    // Objects of keys alone change nothing, so no row is looked for.
    requiresAll: request.preferences.handling === 'strict' && writesColumns(payload, keys),
  };
}

/**
 * Plans the read tree over the rows of a mutation, and the RETURNING list that it needs. Only columns that are read are returned, because returning a column needs the privilege
 * to select it. Computed fields are evaluated in this list, where rows have their row type. With computed fields or a
 * position, `*` is expanded to columns, because it would include them.
 * @param position the column by which the rows are sorted; null for any order
 */
function returnedTree(
  read: ReadNode,
  scope: Scope,
  alsoNames: readonly string[],
  position: string | null,
): Pick<MutationPlan, 'root' | 'returning'> {
  const root = position === null ? read : { ...read, order: [ascending(columnField(read.alias, position))] };
  const names = new Set([
    ...root.select.flatMap((item) => columnsOfItem(item, root.alias)),
    ...root.order.flatMap((term) =>
      term.embed === null && term.value?.kind !== 'selected' && position === null ? [term.field.column] : [],
    ),
    ...root.embeds.flatMap(linkColumns),
    ...alsoNames,
  ]);
  const all = root.select.some((item) => isAll(item, root));
  const computed = [...names].filter((name) => scope.table?.columns.has(name) !== true);
  if (!all) return { root, returning: { all, names: [...names], position } };
  if (computed.length === 0 && position === null) return { root, returning: { all, names: [], position } };
  const select = root.select.flatMap((item) => (isAll(item, root) ? planAll(scope, true) : [item]));
  return { root: { ...root, select }, returning: { all, names: computed, position } };
}

/** Returns the columns of the relation that an item of the select list reads. */
function columnsOfItem(item: SelectItem, relation: string): readonly string[] {
  switch (item.kind) {
    case 'all':
    case 'embed':
      return [];
    case 'count':
      return item.filter === null ? [] : columnsOfCondition(item.filter, relation);
    case 'field': {
      const filter = item.aggregate?.filter ?? null;
      return [
        ...columnsOfTested(item.expression, relation),
        ...(filter === null ? [] : columnsOfCondition(filter, relation)),
      ];
    }
  }
}

function columnsOfCondition(condition: Condition, relation: string): readonly string[] {
  switch (condition.kind) {
    case 'logic':
      return condition.terms.flatMap((term) => columnsOfCondition(term, relation));
    case 'related':
      return [];
    case 'comparison':
    case 'in':
    case 'is':
    case 'search':
      return columnsOfTested(condition.field, relation);
  }
}

function columnsOfTested(tested: Tested, relation: string): readonly string[] {
  if ('selected' in tested) return columnsOfItem(tested.selected, relation);
  return tested.relation === relation ? [tested.column] : [];
}

const isAll = (item: SelectItem, root: ReadNode): boolean =>
  item.kind === 'all' && item.relation === root.alias;

/** Returns the columns of the parent that the link of an embed uses. */
function linkColumns({ link }: Embed): readonly string[] {
  switch (link.kind) {
    case 'columns':
      return link.pairs.map((pair) => pair.left);
    case 'junction':
      return link.parentPairs.map((pair) => pair.left);
    case 'computed':
      return link.columns;
  }
}
