import type { At, Filter, Operation, SelectItem } from '../grammar/ast.js';
import type { ApiRequest, PageRange } from '../request/api-request.js';
import { pathOfRelation } from '../request/read-request.js';
import { draftTree } from './select.js';
import { findTable, freeName, unknownTable, createTreeContext, type PlanContext } from './plan-context.js';
import {
  type LineForms,
  negotiate,
  type Offer,
  planCount,
  requireKnownPreferences,
  requireStreamable,
  treeFor,
  withTableNames,
} from './media.js';
import type { Dated, Output, ReadPlan } from './plan.js';
import { planTree } from './read-tree.js';
import { dbrError } from '../../errors/dbr-error.js';
import type { QualifiedName, Table, TableKind } from '../schema-cache/types.js';
import {
  ascending,
  columnField,
  type Condition,
  type Operand,
  type OrderTerm,
  type ReadNode,
  type Seek,
  type SeekTerm,
} from './expression.js';
import { mayHoldNull, privilegesOf } from '../schema-cache/lookups.js';

/** What becomes of the body of a read: GET sends it, HEAD does without it, a write compares its entity tag. */
type BodyUse = 'sent' | 'none' | 'compared';

/** Plans a read of a relation. Until release 13, PostgreSQL reports a relation that does not exist (42P01). */
export function planRead(request: ApiRequest, name: string, body: BodyUse, context: PlanContext): ReadPlan {
  const relation = { schema: request.schema, name };
  const table = findTable(context.cache, relation);
  if (context.rules.looksUpRelations && table === null) throw unknownTable(context, request.schema, name);
  const handling = body === 'compared' ? 'none' : (request.preferences.handling ?? 'lenient');
  const tree = createTreeContext(context, request.schema, handling);
  const rows = planTree(
    draftTree(request, context.rules.embedNames),
    {
      source: { kind: 'relation', name: relation, isKnown: table !== null },
      relation,
      alias: tree.aliases.claim(name),
      limited: true,
      names: 'relation',
    },
    tree,
  );
  const root = planSeek(rows, request, table);
  const offer = relationOffer(request, relation, context.planEnabled, {
    streamed: body === 'sent',
    streamsCsv: request.preferences.stream,
    values: false,
  });
  const output = negotiate(request.accept, offer, context.cache);
  requireStreamable(request, output);
  requireKnownPreferences(request.preferences);
  return {
    kind: 'read',
    path: context.pathPrefix + pathOfRelation(name),
    root: treeFor(root, output),
    assumed: tree.assumptions.all(),
    cuts: tree.cuts,
    count: planCount(request.preferences, context.maxRows),
    isOneRow: namesRow(request.query.filters, table?.primaryKey ?? []),
    dated: output.explain === null ? planDated(root, request, table, context) : null,
    output: body === 'none' ? withoutBody(output) : withTableNames(output, root, table),
  };
}

/** Returns the media types in which rows of a relation may be sent. */
export const relationOffer = (
  { query }: ApiRequest,
  relation: QualifiedName,
  planEnabled: boolean,
  lines: LineForms,
): Offer => ({
  relation,
  wholeRows: selectsWholeRows(query.select),
  own: null,
  json: { kind: 'array', stripNulls: false },
  object: (stripNulls) => ({ kind: 'object', stripNulls }),
  planEnabled,
  lines,
});

/** Returns the output of HEAD: the same headers without a body. */
export function withoutBody(output: Output): Output {
  return { ...output, form: { kind: 'none' } };
}

/** Whether `select` is `*` or absent: media handlers of a relation accept whole rows only. */
export function selectsWholeRows(select: readonly SelectItem[]): boolean {
  return select.length === 1 && select[0]?.kind === 'all';
}

/** Most terms of an order: PostgreSQL passes at most 100 arguments to the function that makes a cursor. */
const MOST_TERMS = 100;

/**
 * Adds a page of keyset pagination to the root of a read: the order becomes total by the primary key, and the page
 * begins after the row of the cursor.
 * @throws DBR144 for a cursor with another number of values; DBR145 for a read without a total order
 */
function planSeek(root: ReadNode, request: ApiRequest, table: Table | null): ReadNode {
  const { page } = request;
  if (page === null) return root;
  const key = table?.primaryKey ?? [];
  if (key.length === 0) throw dbrError('KeysetNotPossible', { reason: 'The relation has no primary key.' });
  if (root.grouped) throw dbrError('KeysetNotPossible', { reason: 'The rows are grouped by an aggregate.' });
  if (root.distinct !== null)
    throw dbrError('KeysetNotPossible', { reason: 'Rows that are not distinct are left out.' });
  if (root.range.offset !== null)
    throw dbrError('KeysetNotPossible', {
      reason: 'The page begins after the row of the cursor, not at an offset.',
    });
  const order = [...root.order, ...missingKey(root, key)];
  if (order.length > MOST_TERMS)
    throw dbrError('KeysetNotPossible', {
      reason: `The order has more than ${String(MOST_TERMS)} terms with the columns of the primary key.`,
    });
  if (order.some((term) => namesObjects(term, table)))
    throw dbrError('KeysetNotPossible', {
      reason: 'The order has a type whose values name objects of the database, which are renamed.',
    });
  const operands = operandsOf(page);
  if (operands !== null && operands.length !== order.length) throw dbrError('InvalidCursor');
  const terms = order.map((term, index): SeekTerm => ({
    term,
    nullable: mayBeNull(term, table),
    maybeComposite: mayBeComposite(term, table),
    operand: operands?.[index] ?? null,
  }));
  const seek: Seek = { terms, start: page.kind };
  return { ...root, order, seek };
}

/** The columns of the key that the order lacks, in the direction of its last term, so that one index has the order. */
function missingKey(root: ReadNode, key: readonly string[]): readonly OrderTerm[] {
  const isOrdered = (column: string): boolean =>
    root.order.some(
      ({ embed, field, value }) =>
        embed === null && value === undefined && field.path.length === 0 && field.column === column,
    );
  const direction = root.order.at(-1)?.direction ?? null;
  return key
    .filter((column) => !isOrdered(column))
    .map((column) => ({ ...ascending(columnField(root.alias, column)), direction }));
}

function mayBeNull({ embed, field }: OrderTerm, table: Table | null): boolean {
  if (embed !== null || field.path.length > 0) return true;
  const column = table?.columns.get(field.column);
  return column === undefined || mayHoldNull(column);
}

/** Types of PostgreSQL itself have no schema in their names, and none of them is composite. */
function mayBeComposite({ embed, field, value }: OrderTerm, table: Table | null): boolean {
  if (value !== undefined || field.path.length > 0) return false;
  const type = embed === null ? table?.columns.get(field.column)?.type : undefined;
  return type === undefined || type.baseName.includes('.');
}

/** Names like `regclass` and `regrole[]`: PostgreSQL compares numbers where it shows names. */
const OBJECT_NAMES = /^reg[a-z]+(?:\[\])?$/;

const namesObjects = ({ embed, field, value }: OrderTerm, table: Table | null): boolean =>
  embed === null &&
  value === undefined &&
  field.path.length === 0 &&
  OBJECT_NAMES.test(table?.columns.get(field.column)?.type.baseName ?? '');

/** Null for a page that does not begin after a row; a null operand stands for null. */
function operandsOf(page: PageRange): readonly (Operand | null)[] | null {
  if (page.kind !== 'row') return null;
  return page.indexes.map((index) =>
    index === null ? null : { kind: 'value', index, encoding: 'verbatim' },
  );
}

/** Returns the column with the time of a row's last change, if the role may read it; null for none. */
function lastModifiedColumn(
  table: Table | null,
  { cache, role }: Pick<PlanContext, 'cache' | 'role'>,
): string | null {
  const column = table?.lastModified;
  if (table === null || column === undefined) return null;
  return privilegesOf(cache.roles, role)(table.tableAccess, 'SELECT') ? column : null;
}

/**
 * Plans Last-Modified of a read. Null for a read whose rows contain anything but columns of the relation: an embed or a
 * computed field changes without the row, and a group has several rows.
 */
function planDated(
  root: ReadNode,
  request: ApiRequest,
  table: Table | null,
  context: PlanContext,
): Dated | null {
  const column = lastModifiedColumn(table, context);
  if (column === null || table === null) return null;
  if (root.grouped || root.distinct !== null || root.embeds.length > 0) return null;
  const names = root.select.flatMap((item): readonly (string | null)[] => {
    if (item.kind === 'all') return [...table.columns.keys()];
    return item.kind === 'field' && table.columns.has(item.expression.column) ? [item.name] : [null];
  });
  const known = names.filter((name) => name !== null);
  if (known.length === 0 || known.length < names.length || new Set(known).size < known.length) return null;
  return {
    column,
    names: known,
    alias: freeName('last_modified', new Set(known)),
    // The key of a view, and that of a table with those that inherit from it, may be that of several rows.
    isOfOneRow:
      HAS_KEY.has(table.kind) &&
      table.isInherited !== true &&
      namesRow(request.query.filters, table.primaryKey),
  };
}

const HAS_KEY: ReadonlySet<TableKind> = new Set(['table', 'partitioned table']);

/** Whether an operation is `eq` with one value. */
export const isPlainEq = (operation: Operation): boolean =>
  operation.kind === 'comparison' &&
  operation.operator === 'eq' &&
  operation.quantifier === null &&
  !operation.negated;

/** Whether the filters name one row by its primary key. */
function namesRow(filters: readonly At<Filter>[], key: readonly string[]): boolean {
  const isNamed = (column: string): boolean =>
    filters.some(
      ({ path, item: { field, operation } }) =>
        path.length === 0 && field.name === column && field.path.length === 0 && isPlainEq(operation),
    );
  return key.length > 0 && key.every(isNamed);
}

/**
 * Returns the condition of a write that its row has not changed since the time of If-Unmodified-Since; null without
 * that header, and for a relation without the time of changes (RFC 9110 §13.1.4).
 */
export function unmodifiedCondition(
  { condition }: Pick<ApiRequest, 'condition'>,
  alias: string,
  table: Table | null,
  context: PlanContext,
): Condition | null {
  const column = condition === 'unmodified' ? lastModifiedColumn(table, context) : null;
  if (column === null) return null;
  return {
    kind: 'comparison',
    field: columnField(alias, column),
    negated: false,
    operator: 'lt',
    quantifier: null,
    operand: { kind: 'unmodified before' },
    representation: null,
  };
}
