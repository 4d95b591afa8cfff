/** Pairs of the query string → trees, with every value numbered (data API §1.2). */
import { dbrError } from '../../errors/dbr-error.js';
import type {
  At,
  ColumnTree,
  Distinct,
  EmbedPath,
  Filter,
  LogicGroup,
  LogicTree,
  OrderTerm,
  SelectItem,
} from '../grammar/ast.js';
import {
  countOne,
  excess,
  excessOf,
  type QueryCount,
  type QueryLimits,
  startCount,
} from '../grammar/limits.js';
import {
  type OperationOrText,
  type Parsed,
  parseColumns,
  parseColumnTree,
  parseDistinct,
  parseHaving,
  parseLogicPath,
  parseLogicTree,
  parseOperation,
  parseOperationOrText,
  parseOrder,
  parseSelect,
  parseTreePath,
} from '../grammar/parse.js';
import type { Query, QueryArgument, QueryValue, RowRange } from './api-request.js';
import { kindOfParameter, type ParameterKind } from './parameters.js';
import { runAtOnce, type Work } from '../../base/turns.js';
import type { QueryPair } from './query-string.js';
import { embeddedRows, readInteger, type RangeParameters } from './ranges.js';
import {
  excessOfValues,
  collectFromOperation,
  collectFromOrder,
  collectFromSelect,
  collectFromTree,
} from './values.js';

/** The query string, with the range of the root before it is combined with the Range header. */
export interface ReadQuery {
  readonly query: Query;
  readonly range: RangeParameters;
  /** True if there is any limit or offset, with any value. */
  readonly hasRange: boolean;
  /** True if there is a limit or offset of the root, with any value. */
  readonly hasRootRange: boolean;
  /** The values of conditions, text searches, arguments and offsets of embeds, by index. */
  readonly values: readonly QueryValue[];
}

/** The order in which failures are reported: the order in which the reference checks parameters. */
const RANKS = [
  'order',
  'logic',
  'columns',
  'select',
  'filter',
  'on_conflict',
  'range',
  'having',
  'distinct',
] as const;
type Rank = (typeof RANKS)[number];

/** Rank of the failures of a parameter. Those of a logic key are found first. */
const RANK_OF: Readonly<Record<Exclude<ParameterKind, 'ignored'>, Rank>> = {
  select: 'select',
  columns: 'columns',
  on_conflict: 'on_conflict',
  'related on_conflict': 'on_conflict',
  order: 'order',
  limit: 'range',
  offset: 'range',
  having: 'having',
  distinct: 'distinct',
  logic: 'logic',
  filter: 'filter',
};

interface Reading {
  readonly count: QueryCount;
  /** The failure that is reported unless a parameter with a lower rank fails. */
  first: { readonly rank: number; readonly parsed: Extract<Parsed<unknown>, { ok: false }> } | null;
  readonly values: QueryValue[];
  readonly filters: At<Filter>[];
  readonly logic: At<LogicGroup>[];
  readonly order: At<readonly OrderTerm[]>[];
  readonly having: At<readonly LogicTree[]>[];
  readonly distinct: At<Distinct>[];
  readonly arguments: QueryArgument[];
  readonly ranges: Map<string, EmbeddedRange>;
  readonly conflicts: At<readonly string[]>[];
  select: Query['select'];
  columns: readonly string[] | null;
  columnTree: ColumnTree | null;
  onConflict: readonly string[] | null;
}

interface EmbeddedRange {
  readonly path: EmbedPath;
  limit: bigint | null;
  offset: bigint | null;
  offsetIndex: number | null;
}

export interface ReadQueryOptions {
  /** True for a function called by GET or HEAD: values that are not operations are its arguments. */
  readonly withArguments: boolean;
  /** True if the request only reads; a logic tree may then be cut (`LogicOptions.mayBeCut`). */
  readonly reading: boolean;
  readonly limits: QueryLimits;
  /** Whether `is.not_null` is known (`compatibility-level`); false by default. */
  readonly takesNotNull?: boolean;
}

/** A parameter that was parsed for the key of the shape; null for one whose text the key contains. */
export type KnownTree =
  | { readonly kind: 'filter'; readonly tree: OperationOrText }
  | { readonly kind: 'logic'; readonly path: EmbedPath; readonly tree: LogicGroup }
  | { readonly kind: 'select'; readonly tree: readonly SelectItem[] }
  | { readonly kind: 'order'; readonly tree: readonly OrderTerm[] }
  | { readonly kind: 'having'; readonly tree: readonly LogicTree[] }
  | null;

/** The parameters that were parsed for the key of the shape, in their order, and what they contain. */
export interface KnownTrees {
  readonly trees: readonly KnownTree[];
  readonly count: QueryCount;
}

/**
 * Parses a query string into trees.
 * @throws DBR100 for text outside the grammar or beyond its limits; DBR103 for a negative limit of an embed
 */
export const readQuery = (pairs: readonly QueryPair[], options: ReadQueryOptions): ReadQuery =>
  runAtOnce(queryWork(pairs, options, null));

/** As `readQuery`, which may pause behind each parameter. @param known the parameters that need not be parsed */
export function* queryWork(
  pairs: readonly QueryPair[],
  options: ReadQueryOptions,
  known: KnownTrees | null,
): Work<ReadQuery> {
  const { maxParameters } = options.limits;
  if (pairs.length > maxParameters)
    throw dbrError('QueryParseError', { ...excess('parameters', 'db-max-keys', maxParameters) });
  const reading: Reading = {
    count: known === null ? startCount(options.limits) : { ...known.count },
    first: null,
    values: [],
    filters: [],
    logic: [],
    order: [],
    having: [],
    distinct: [],
    arguments: [],
    ranges: new Map(),
    conflicts: [],
    select: [{ kind: 'all' }],
    columns: null,
    columnTree: null,
    onConflict: null,
  };
  const seen = new Set<string>();
  for (const [index, pair] of pairs.entries()) {
    yield* readPair(reading, pair, known?.trees[index] ?? null, seen, options);
    const excess = excessOf(reading.count);
    // The first fault in the order of the parameters is reported; it may be in one that was parsed before.
    if (known !== null && (excess !== null || reading.first !== null))
      return yield* queryWork(pairs, options, null);
    if (excess !== null) throw dbrError('QueryParseError', { ...excess });
    yield;
  }
  const unfit = excessOfValues(reading.values);
  if (unfit !== null) throw dbrError('QueryParseError', { ...unfit });
  yield;
  if (reading.first !== null)
    throw dbrError('QueryParseError', { ...(yield* reading.first.parsed.explain()) });
  return finish(reading);
}

function finish(reading: Reading): ReadQuery {
  const { values, filters, logic, order, having, distinct } = reading;
  const { columns, columnTree, onConflict, conflicts } = reading;
  const root = reading.ranges.get('[]');
  const ranges: At<RowRange>[] = [];
  for (const { path, limit, offset, offsetIndex } of reading.ranges.values()) {
    if (path.length === 0) continue;
    const rows = embeddedRows({ limit, offset });
    ranges.push({
      path,
      item: { limit: rows.limit, offset: { rows: rows.offset, index: offsetIndex } },
    });
  }
  return {
    query: {
      select: reading.select,
      filters,
      logic,
      order,
      having,
      distinct,
      ranges,
      columns,
      columnTree,
      onConflict,
      conflicts,
      arguments: reading.arguments,
    },
    range: { limit: root?.limit ?? null, offset: root?.offset ?? null },
    hasRange: reading.ranges.size > 0,
    hasRootRange: root !== undefined,
    values,
  };
}

function* readPair(
  reading: Reading,
  { key, value }: QueryPair,
  known: KnownTree,
  seen: Set<string>,
  options: ReadQueryOptions,
): Work<void> {
  const kind = kindOfParameter(key, value, seen);
  if (kind === 'ignored') return;
  const text = value ?? '';
  const rank = RANKS.indexOf(options.reading && kind === 'related on_conflict' ? 'filter' : RANK_OF[kind]);
  // A parameter that fails behind another one is not reported, and need not be read.
  if (reading.first !== null && reading.first.rank <= rank) return;
  const accept = <T>(parsed: Parsed<T>): T | null => {
    if (parsed.ok) return parsed.value;
    if (reading.first === null || rank < reading.first.rank) reading.first = { rank, parsed };
    return null;
  };
  const valueOptions = () => ({
    firstIndex: reading.values.length,
    takesNotNull: options.takesNotNull ?? false,
  });
  switch (kind) {
    case 'select':
      reading.select =
        (known?.kind === kind
          ? known.tree
          : accept(yield* parseSelect(text, reading.count, valueOptions()))) ?? [];
      collectFromSelect(reading.select, reading.values);
      return;
    case 'columns': {
      if (!text.includes('(')) {
        reading.columns = accept(yield* parseColumns('columns', text, reading.count));
        return;
      }
      const tree = accept(yield* parseColumnTree(text, reading.count));
      reading.columns = tree?.columns ?? null;
      reading.columnTree = tree === null || tree.relations.length === 0 ? null : tree;
      return;
    }
    case 'on_conflict':
      reading.onConflict = accept(yield* parseColumns('on_conflict', text, reading.count));
      return;
    case 'related on_conflict': {
      if (options.reading) {
        accept(parseOperation(text, reading.values.length, options.takesNotNull));
        return;
      }
      const at = accept(parseTreePath(key));
      const names = accept(yield* parseColumns('on_conflict', text, reading.count));
      if (at !== null && names !== null) reading.conflicts.push({ path: at.path, item: names });
      return;
    }
    case 'order': {
      const at = accept(parseTreePath(key));
      if (at === null) return;
      const terms =
        known?.kind === kind ? known.tree : accept(yield* parseOrder(text, reading.count, valueOptions()));
      if (terms === null) return;
      reading.order.push({ path: at.path, item: terms });
      collectFromOrder(terms, reading.values);
      return;
    }
    case 'having': {
      const at = accept(parseTreePath(key));
      if (at === null) return;
      const terms =
        known?.kind === kind ? known.tree : accept(yield* parseHaving(text, reading.count, valueOptions()));
      if (terms === null) return;
      reading.having.push({ path: at.path, item: terms });
      for (const term of terms) collectFromTree(term, reading.values);
      return;
    }
    case 'distinct': {
      const at = accept(parseTreePath(key));
      const differing = at === null ? null : accept(yield* parseDistinct(text, reading.count));
      if (at !== null && differing !== null) reading.distinct.push({ path: at.path, item: differing });
      return;
    }
    case 'limit':
    case 'offset': {
      const at = accept(parseTreePath(key));
      if (at !== null) readRange(reading, at.path, kind, text);
      return;
    }
    case 'logic': {
      const read = known?.kind === kind ? known : yield* readLogic(reading, key, text, options, accept);
      if (read === null) return;
      reading.logic.push({ path: read.path, item: read.tree });
      collectFromTree(read.tree, reading.values);
      return;
    }
    case 'filter': {
      const at = accept(parseTreePath(key));
      if (at === null) return;
      const parsed =
        known?.kind === kind ? known.tree : accept(readOperation(text, reading.values.length, options));
      if (parsed === null) return;
      if (parsed.kind === 'text') {
        reading.arguments.push({ name: at.field.name, value: parsed.value });
        reading.values.push(parsed.value.text);
        return;
      }
      const { operation } = parsed;
      countOne(reading.count, 'conditions');
      reading.filters.push({ path: at.path, item: { field: at.field, operation } });
      collectFromOperation(operation, reading.values);
    }
  }
}

/** Parses the value of a filter, which may be an argument of a function. @param index of its value */
export function readOperation(
  text: string,
  index: number,
  { withArguments, takesNotNull }: ReadQueryOptions,
): Parsed<OperationOrText> {
  if (withArguments) return parseOperationOrText(text, index, takesNotNull);
  const parsed = parseOperation(text, index, takesNotNull);
  return parsed.ok ? { ok: true, value: { kind: 'operation', operation: parsed.value } } : parsed;
}

function* readLogic(
  { count, values }: Reading,
  key: string,
  text: string,
  { reading, takesNotNull = false }: ReadQueryOptions,
  accept: <T>(parsed: Parsed<T>) => T | null,
): Work<{ readonly path: EmbedPath; readonly tree: LogicGroup } | null> {
  const at = accept(parseLogicPath(key));
  if (at === null) return null;
  const options = { count, firstIndex: values.length, takesNotNull, mayBeCut: reading };
  const tree = accept(yield* parseLogicTree(at, text, options));
  return tree === null ? null : { path: at.path, tree };
}

/** The last limit and the last offset of a path are used. */
function readRange(reading: Reading, path: EmbedPath, kind: 'limit' | 'offset', text: string): void {
  const id = JSON.stringify(path);
  const range = reading.ranges.get(id) ?? { path, limit: null, offset: null, offsetIndex: null };
  reading.ranges.set(id, range);
  const number = readInteger(text);
  if (kind === 'limit') {
    range.limit = number;
    return;
  }
  range.offset = number;
  range.offsetIndex = null;
  if (path.length === 0 || number === null || number <= 0n) return;
  range.offsetIndex = reading.values.length;
  reading.values.push(String(embeddedRows({ limit: null, offset: number }).offset));
}
