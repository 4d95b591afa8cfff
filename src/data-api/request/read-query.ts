/**
 * The query string, read once: a scan gives the key of its shape, its values, and the trees that have values; `readQuery`
 * parses the rest. Requests of one shape have equal trees with other values at the same indexes; the plan cache relies on
 * this.
 *
 * Values: operands of conditions, lists, text searches, arguments, offsets other than zero. The shape consists of everything else:
 * names, JSON keys, languages, limits. The shape is a text that is only used as a cache key.
 */
import { dbrError } from '../../errors/dbr-error.js';
import type {
  At,
  Distinct,
  EmbedPath,
  Filter,
  LogicGroup,
  LogicTree,
  Operation,
  OrderTerm,
  QueryValue,
  SelectItem,
} from '../grammar/ast.js';
import {
  countOne,
  excess,
  excessOf,
  LONGEST_GRAMMAR,
  LONGEST_VALUE,
  MOST_ELEMENTS,
  mostParameters,
  type QueryCount,
  type QueryLimits,
  startCount,
  TOO_LONG_GRAMMAR,
  TOO_LONG_VALUE,
  TOO_MANY_ELEMENTS,
} from '../grammar/limits.js';
import {
  failed,
  type OperationOrText,
  type Parsed,
  parseColumns,
  parseColumnTree,
  parseConflict,
  parseDistinct,
  type ParseFailure,
  parseHaving,
  parseLogicPath,
  parseLogicTree,
  parseOperation,
  parseOperationOrText,
  parseOrder,
  parseSelect,
  parseTreePath,
  type TreePath,
} from '../grammar/parse.js';
import type { Query, QueryArgument, RowRange } from './api-request.js';
import { kindOfParameter, type ParameterKind, type QueryPair, readPairsUpTo } from './query-string.js';
import {
  embeddedRows,
  intersectRows,
  type RangeParameters,
  readInteger,
  type Rows,
  unsatisfiable,
} from './ranges.js';

export interface ReadQueryOptions {
  /** True for a function called by GET or HEAD: values that are not operations are its arguments. */
  readonly withArguments: boolean;
  /** True if the request only reads; a logic tree may then be cut (`LogicOptions.mayBeCut`). */
  readonly reading: boolean;
  readonly limits: QueryLimits;
  /** Whether `is.not_null` is known (`compatibility-level`); false by default. */
  readonly takesNotNull?: boolean;
  /**
   * Whether a limit or an offset that is not an integer, and a parameter without `=`, are refused; ignored by default, as by
   * the reference. They may be the guard of a write.
   */
  readonly refusesUnread?: boolean;
}

/** A parameter that was parsed for the key of the shape; null for one whose text the key contains. */
type KnownTree =
  | OperationOrText
  | { readonly kind: 'logic'; readonly path: EmbedPath; readonly tree: LogicGroup }
  | { readonly kind: 'select'; readonly tree: readonly SelectItem[] }
  | { readonly kind: 'order'; readonly tree: readonly OrderTerm[] }
  | { readonly kind: 'having'; readonly tree: readonly LogicTree[] }
  /** An offset of an embed beyond zero, which is a value. */
  | { readonly kind: 'offset'; readonly rows: bigint; readonly index: number }
  | null;

/** A query string without a fault in what has values. */
export interface ScannedQuery {
  readonly query: string;
  /** The shape with the range of the root. */
  readonly text: string;
  /** `ApiRequest.values` of the request. */
  readonly values: readonly QueryValue[];
  /** The parameters in their order. */
  readonly pairs: readonly QueryPair[];
  readonly kinds: readonly ParameterKind[];
  readonly trees: readonly KnownTree[];
  /** What the trees contain. */
  readonly count: QueryCount;
  /** The rows of the root, by its parameters and the Range header. */
  readonly rows: Rows;
}

/** The state of a scan. */
interface QueryScan extends Reading {
  readonly query: string;
  readonly pairs: readonly QueryPair[];
  readonly kinds: readonly ParameterKind[];
  readonly trees: KnownTree[];
  spelled: string;
  limit: bigint | null;
  offset: bigint | null;
}

/** Returns null for bytes that are not UTF-8, too many parameters, and too long names and lists. */
function beginScan(
  query: string,
  pairs: readonly QueryPair[] | null,
  options: ReadQueryOptions,
): QueryScan | null {
  if (pairs === null || pairs.length > mostParameters(options.limits)) return null;
  const seen: string[] = [];
  const kinds = pairs.map(({ key, value }) => kindOfParameter(key, value, seen));
  if (isTooLongGrammar(pairs, kinds)) return null;
  return {
    query,
    pairs,
    options,
    values: [],
    count: startCount(options.limits),
    kinds,
    trees: [],
    spelled: '',
    limit: null,
    offset: null,
  };
}

/** Whether names and lists have too many characters together; values of filters do not count. */
function isTooLongGrammar(pairs: readonly QueryPair[], kinds: readonly ParameterKind[]): boolean {
  let length = 0;
  for (const [index, { key, value }] of pairs.entries()) {
    length += key.length;
    if (kinds[index] !== 'filter' && kinds[index] !== 'ignored') length += value?.length ?? 0;
  }
  return length > LONGEST_GRAMMAR;
}

/** Reads a parameter as far as the shape needs it. */
function scanParameter(scan: QueryScan, pair: QueryPair, kind: ParameterKind): Parsed<KnownTree> {
  const unread = unreadFailure(pair, kind, scan.options);
  if (unread !== null) return unread;
  if (isOfRoot(pair, kind)) {
    if (kind === 'limit') scan.limit = readInteger(pair.value ?? '');
    else scan.offset = readInteger(pair.value ?? '');
    return NO_TREE;
  }
  if (!hasValues(kind, pair.value)) return NO_TREE;
  return treeOf(pair, kind, scan);
}

/** Adds a parameter to the shape. Returns false for a fault. */
function addScanned(scan: QueryScan, pair: QueryPair, parsed: Parsed<KnownTree>): boolean {
  if (!parsed.ok) return false;
  const { value: tree } = parsed;
  const { kinds, trees, values, count } = scan;
  if (tree?.kind === 'operation') countOne(count, 'conditions');
  scan.spelled += spellParameter(pair, kinds[trees.length] ?? 'ignored', tree, values);
  trees.push(tree);
  return true;
}

function endScan(
  { query, pairs, kinds, trees, values, count, spelled, limit, offset }: QueryScan,
  rangeHeader: string | undefined,
): ScannedQuery | null {
  if (excessOf(count) !== null || excessOfValues(values) !== null) return null;
  const rows = intersectRows({ limit, offset }, rangeHeader);
  if (typeof rows === 'string') return null;
  const text = `${rows.limit ?? ''}&${rows.offset === 0n ? '' : '$'}${spelled}`;
  if (rows.offset !== 0n) values.push(String(rows.offset));
  return { query, text, values, pairs, kinds, trees, count, rows };
}

/**
 * Reads a query string as far as its shape needs.
 * @param rangeHeader undefined if it does not apply
 * @param pairs those of the query, if they were read before
 * @returns null for a query string with a fault, which `faultOf` finds
 */
export function scanQuery(
  query: string,
  rangeHeader: string | undefined,
  options: ReadQueryOptions,
  pairs = readPairsUpTo(query, mostParameters(options.limits)),
): ScannedQuery | null {
  const scan = beginScan(query, pairs, options);
  if (scan === null) return null;
  for (const [index, pair] of scan.pairs.entries()) {
    const parsed = scanParameter(scan, pair, scan.kinds[index] ?? 'ignored');
    if (!addScanned(scan, pair, parsed) || hasTooManyElements(scan)) return null;
  }
  return endScan(scan, rangeHeader);
}

/** Returns a parameter as the shape has it. No other one has the spelling of a range of the root, with which the shape begins. */
function spellParameter(
  pair: QueryPair,
  kind: ParameterKind,
  tree: KnownTree,
  values: readonly QueryValue[],
): string {
  // Its presence matters for writes.
  if (isOfRoot(pair, kind)) return '&=range';
  const { rawKey, rawValue } = pair;
  if (tree !== null) return `&${rawKey}=${spellTree(tree, values)}`;
  return kind === 'ignored' ? `&${rawKey}` : `&${rawKey}=${rawValue}`;
}

/** Returns the failure of a parameter without a meaning, where it is not ignored; null for any other. */
function unreadFailure(
  { key, value }: QueryPair,
  kind: ParameterKind,
  { refusesUnread = false }: ReadQueryOptions,
): Failure | null {
  if (!refusesUnread) return null;
  if (value === null)
    // Between two separators there is nothing to read.
    return key === ''
      ? null
      : failed({ message: `The parameter ${shownName(key)} has no value`, details: NO_EQUALS });
  const isRange = kind === 'limit' || kind === 'offset';
  return isRange && readInteger(value) === null
    ? failed({ message: `The parameter "${kind}" is not an integer`, details: NOT_INTEGER })
    : null;
}

const NO_EQUALS = 'A name and its value are joined by "="';
const NOT_INTEGER = 'It has digits alone, with a minus sign before a negative number';

/** Returns a name in quotes; of a long one, the beginning. */
const shownName = (name: string): string =>
  name.length <= LONGEST_SHOWN
    ? `"${name}"`
    : `"${name.slice(0, LONGEST_SHOWN).replace(/[\ud800-\udbff]$/, '')}…"`;

const LONGEST_SHOWN = 100;

type TreeKind = 'filter' | 'logic' | 'select' | 'order' | 'having' | 'offset';

/** Whether a parameter may have values: a list of columns only in conditions of aggregates, an order in text searches. */
function hasValues(kind: ParameterKind, value: string | null): kind is TreeKind {
  switch (kind) {
    case 'filter':
    case 'logic':
    case 'having':
    case 'offset':
      return true;
    case 'select':
      return value?.includes('.filter') === true;
    case 'order':
      return value?.includes('.rank') === true;
    case 'ignored':
    case 'distinct':
    case 'columns':
    case 'on_conflict':
    case 'related on_conflict':
    case 'limit':
      return false;
  }
}

/** The state of reading the parameters: values and counts of those that have been read. */
interface Reading {
  readonly options: ReadQueryOptions;
  readonly values: QueryValue[];
  readonly count: QueryCount;
}

/** Parses a parameter that may have values; null for one that has none, and no tree. */
function treeOf(
  { key, value }: QueryPair,
  kind: TreeKind,
  { options, values, count }: Reading,
): Parsed<KnownTree> {
  const text = value ?? '';
  const valueOptions = { values, takesNotNull: options.takesNotNull ?? false };
  switch (kind) {
    case 'filter':
      // An argument of a function may be any text.
      return (options.withArguments ? parseOperationOrText : parseOperation)(text, valueOptions);
    case 'logic': {
      const at = parseLogicPath(key);
      if (!at.ok) return at;
      const parsed = parseLogicTree(at.value, text, {
        ...valueOptions,
        count,
        mayBeCut: options.reading,
      });
      return parsed.ok ? { ok: true, value: { kind, path: at.value.path, tree: parsed.value } } : parsed;
    }
    case 'select': {
      const parsed = parseSelect(text, count, valueOptions);
      return parsed.ok ? { ok: true, value: { kind, tree: parsed.value } } : parsed;
    }
    case 'order': {
      const parsed = parseOrder(text, count, valueOptions);
      return parsed.ok ? { ok: true, value: { kind, tree: parsed.value } } : parsed;
    }
    case 'having': {
      const parsed = parseHaving(text, count, valueOptions);
      return parsed.ok ? { ok: true, value: { kind, tree: parsed.value } } : parsed;
    }
    case 'offset': {
      const offset = readInteger(text);
      if (offset === null || offset <= 0n) return NO_TREE;
      const rows = embeddedRows({ limit: null, offset }).offset;
      return { ok: true, value: { kind, rows, index: values.push(String(rows)) - 1 } };
    }
  }
}

const NO_TREE = { ok: true, value: null } as const;

type Failure = Extract<Parsed<unknown>, { ok: false }>;

/** Returns a value as the shape has it: with `$` in place of values. Names are quoted, so that they may contain any character. */
function spellTree(tree: Exclude<KnownTree, null>, values: readonly QueryValue[]): string {
  switch (tree.kind) {
    case 'operation':
      return spellOperation(tree.operation);
    case 'text':
    case 'offset':
      return '$';
    case 'logic':
      return spellLogic(tree.tree);
    case 'having':
      return `(${tree.tree.map(spellLogic).join(',')})`;
    case 'select':
    case 'order':
      return JSON.stringify(tree.tree, (_, member: unknown) => withEmptyValue(member, values));
  }
}

/** Lines of the list of allowed shapes have trees as JSON, in which a value is an empty one. */
function withEmptyValue(member: unknown, values: readonly QueryValue[]): unknown {
  if (typeof member !== 'object' || member === null || !('index' in member) || 'arrow' in member)
    return member;
  const { index } = member;
  const isList = typeof index === 'number' && typeof values[index] === 'object';
  return isList ? { index, elements: [] } : { index, text: '' };
}

function spellOperation(operation: Operation): string {
  const not = operation.negated ? 'not.' : '';
  switch (operation.kind) {
    case 'comparison':
      return `${not}${operation.operator}${operation.quantifier === null ? '' : `(${operation.quantifier})`}.$`;
    case 'in':
      return `${not}in.$`;
    case 'is':
      return `${not}is.${operation.keyword}`;
    case 'search':
      return `${not}${operation.operator}${operation.language === null ? '' : `(${operation.language})`}.$`;
  }
}

function spellLogic(tree: LogicTree): string {
  if (tree.kind === 'group')
    return `${tree.negated ? 'not.' : ''}${tree.operator}(${tree.terms.map(spellLogic).join(',')})`;
  const { field, operation } = tree.filter;
  const path = field.path.map(
    (step) => `${step.arrow}${step.kind === 'key' ? JSON.stringify(step.key) : step.index}`,
  );
  return `${JSON.stringify(field.name)}${path.join('')}.${spellOperation(operation)}`;
}

/** Returns the reason why values are too many or too long, or null. */
function excessOfValues(values: readonly QueryValue[]): ParseFailure | null {
  for (const value of values)
    if (typeof value === 'string' ? isTooLong(value) : value.some(isTooLong)) return TOO_LONG_VALUE;
  return elementsIn(values) > MOST_ELEMENTS ? TOO_MANY_ELEMENTS : null;
}

const isTooLong = ({ length }: string): boolean => length > LONGEST_VALUE;

const elementsIn = (values: readonly QueryValue[]): number =>
  values.reduce((sum, value) => (typeof value === 'string' ? sum : sum + value.length), 0);

/** Whether the lists so far have too many elements: those behind them are not read. */
const hasTooManyElements = ({ values }: Reading): boolean =>
  typeof values.at(-1) === 'object' && elementsIn(values) > MOST_ELEMENTS;

/** The query string as trees. */
export interface ReadQuery {
  readonly query: Query;
  /** True if there is any limit or offset, with any value. */
  readonly hasRange: boolean;
  /** True if there is a limit or offset of the root, with any value. */
  readonly hasRootRange: boolean;
}

/** The lists of a query, to which its parameters are added. */
interface Building {
  readonly filters: At<Filter>[];
  readonly logic: At<LogicGroup>[];
  readonly order: At<readonly OrderTerm[]>[];
  readonly having: At<readonly LogicTree[]>[];
  readonly distinct: At<Distinct>[];
  readonly arguments: QueryArgument[];
  readonly conflicts: At<readonly string[]>[];
  readonly rangesByPath: Map<string, EmbeddedRange>;
  select: Query['select'];
  columns: Query['columns'];
  columnTree: Query['columnTree'];
  onConflict: Query['onConflict'];
}

interface EmbeddedRange {
  readonly path: EmbedPath;
  limit: bigint | null;
  offset: bigint | null;
  offsetIndex: number | null;
}

const emptyQuery = (): Building => ({
  select: [{ kind: 'all' }],
  filters: [],
  logic: [],
  order: [],
  having: [],
  distinct: [],
  columns: null,
  columnTree: null,
  onConflict: null,
  conflicts: [],
  arguments: [],
  rangesByPath: new Map(),
});

/**
 * Parses what a scan has left.
 * @throws DBR100 for text outside the grammar or beyond its limits; DBR103 for a negative limit of an embed
 */
export function readQuery(
  { query, pairs, kinds, trees, count }: ScannedQuery,
  options: ReadQueryOptions,
): ReadQuery {
  // What is parsed here has no values.
  const reading: Reading = { options, values: [], count: { ...count } };
  const building = emptyQuery();
  for (const [index, pair] of pairs.entries()) {
    const failure = addParameter(building, pair, kinds[index] ?? 'ignored', trees[index] ?? null, reading);
    // The first fault in the order of the parameters is reported; the limits may be exceeded before.
    if (failure !== null || excessOf(reading.count) !== null) throw faultOf(query, undefined, options);
  }
  const { ranges, root } = rangesOf(building);
  const { rangesByPath, ...read } = building;
  return { query: { ...read, ranges }, hasRange: rangesByPath.size > 0, hasRootRange: root !== undefined };
}

const ROOT = '[]';
const NO_RANGE: RangeParameters = { limit: null, offset: null };

/** Returns the ranges of embeds, and that of the root. @throws DBR103 for a negative limit of an embed */
function rangesOf({ rangesByPath }: Building): {
  readonly ranges: readonly At<RowRange>[];
  readonly root: RangeParameters | undefined;
} {
  const ranges: At<RowRange>[] = [];
  for (const { path, limit, offset, offsetIndex } of rangesByPath.values()) {
    if (path.length === 0) continue;
    const rows = embeddedRows({ limit, offset });
    ranges.push({
      path,
      item: { limit: rows.limit, offset: { rows: rows.offset, index: offsetIndex } },
    });
  }
  return { ranges, root: rangesByPath.get(ROOT) };
}

/** The order in which failures are reported: the order in which the reference checks parameters. */
const RANKS: readonly ParameterKind[] = [
  'order',
  'logic',
  'columns',
  'select',
  'filter',
  'on_conflict',
  'limit',
  'having',
  'distinct',
];

function rankOf(kind: ParameterKind, reading: boolean): number {
  // What has no `=` might have been a filter.
  if (kind === 'ignored') return RANKS.indexOf('filter');
  if (kind === 'related on_conflict') return RANKS.indexOf(reading ? 'filter' : 'on_conflict');
  return RANKS.indexOf(kind === 'offset' ? 'limit' : kind);
}

/** Returns the fault of a query string that `scanQuery` or `readQuery` refuses. */
export function faultOf(
  query: string,
  rangeHeader: string | undefined,
  options: ReadQueryOptions,
  pairs = readPairsUpTo(query, mostParameters(options.limits)),
): Error {
  const maxParameters = mostParameters(options.limits);
  if (pairs === null) return queryError(NOT_UTF8);
  if (pairs.length > maxParameters)
    return queryError(excess('parameters', 'db-max-conditions', maxParameters));
  const seen: string[] = [];
  const kinds = pairs.map(({ key, value }) => kindOfParameter(key, value, seen));
  if (isTooLongGrammar(pairs, kinds)) return queryError(TOO_LONG_GRAMMAR);
  const reading: Reading = { options, values: [], count: startCount(options.limits) };
  const building = emptyQuery();
  let first: { readonly rank: number; readonly failure: Failure } | null = null;
  for (const [index, pair] of pairs.entries()) {
    const kind = kinds[index] ?? 'ignored';
    const rank = rankOf(kind, options.reading);
    // A parameter that fails behind another one is not reported, and need not be read.
    if (first === null || rank < first.rank) {
      const failure = addParameter(building, pair, kind, null, reading);
      if (failure !== null) first = { rank, failure };
    }
    const excess = excessOf(reading.count);
    if (excess !== null) return queryError(excess);
    if (hasTooManyElements(reading)) break;
  }
  const unfit = excessOfValues(reading.values);
  if (unfit !== null) return queryError(unfit);
  if (first !== null) return queryError(first.failure.explain());
  const { root } = rangesOf(building);
  const rows = intersectRows(root ?? NO_RANGE, rangeHeader);
  if (typeof rows === 'string') return unsatisfiable(rows);
  throw new Error('the query string has no fault');
}

const NOT_UTF8: ParseFailure = {
  message: '"failed to parse query string" (line 1, column 1)',
  details: 'unexpected bytes that are not UTF-8',
};

const queryError = ({ message, details }: ParseFailure): Error =>
  dbrError('QueryParseError', { message, details });

/** Parameters whose key is a path. */
const WITH_PATH: ReadonlySet<ParameterKind> = new Set<ParameterKind>([
  'filter',
  'order',
  'having',
  'distinct',
  'limit',
  'offset',
]);

/** Adds a parameter to a query. @param known what was parsed before @returns the failure of its key or its value */
function addParameter(
  to: Building,
  pair: QueryPair,
  kind: ParameterKind,
  known: KnownTree,
  reading: Reading,
): Failure | null {
  const { key, value } = pair;
  const text = value ?? '';
  const { options, count } = reading;
  const unread = unreadFailure(pair, kind, options);
  if (unread !== null) return unread;
  const hasPath = WITH_PATH.has(kind) || (kind === 'related on_conflict' && !options.reading);
  const at = hasPath ? parseTreePath(key) : NO_PATH;
  if (!at.ok) return at;
  const { path } = at.value;
  switch (kind) {
    case 'ignored':
      return null;
    case 'columns': {
      if (!text.includes('(')) {
        const names = parseColumns(text, count);
        if (!names.ok) return names;
        to.columns = names.value;
        return null;
      }
      const tree = parseColumnTree(text, count);
      if (!tree.ok) return tree;
      to.columns = tree.value.columns;
      to.columnTree = tree.value.relations.length === 0 ? null : tree.value;
      return null;
    }
    case 'on_conflict': {
      const names = parseConflict(text, count);
      if (!names.ok) return names;
      to.onConflict = names.value;
      return null;
    }
    case 'related on_conflict': {
      if (options.reading) {
        const filter = parseOperation(text, { takesNotNull: options.takesNotNull ?? false });
        return filter.ok ? null : filter;
      }
      const names = parseConflict(text, count);
      if (!names.ok) return names;
      to.conflicts.push({ path, item: names.value });
      return null;
    }
    case 'distinct': {
      const fields = parseDistinct(text, count);
      if (!fields.ok) return fields;
      to.distinct.push({ path, item: fields.value });
      return null;
    }
    case 'limit':
      rangeAt(to, path).limit = readInteger(text);
      return null;
    case 'filter':
    case 'logic':
    case 'select':
    case 'order':
    case 'having':
    case 'offset': {
      const parsed: Parsed<KnownTree> =
        known === null ? treeOf(pair, kind, reading) : { ok: true, value: known };
      if (!parsed.ok) return parsed;
      if (parsed.value?.kind === 'operation' && known === null) countOne(count, 'conditions');
      if (parsed.value !== null) addTree(to, at.value, parsed.value);
      else if (kind === 'offset') setOffset(rangeAt(to, path), readInteger(text), null);
      return null;
    }
  }
}

const NO_PATH: Parsed<TreePath> = { ok: true, value: { path: [], field: { name: '', path: [] } } };

function addTree(to: Building, { path, field }: TreePath, tree: Exclude<KnownTree, null>): void {
  switch (tree.kind) {
    case 'operation':
      to.filters.push({ path, item: { field, operation: tree.operation } });
      break;
    case 'text':
      to.arguments.push({ name: field.name, value: tree.value });
      break;
    case 'logic':
      to.logic.push({ path: tree.path, item: tree.tree });
      break;
    case 'select':
      to.select = tree.tree;
      break;
    case 'order':
      to.order.push({ path, item: tree.tree });
      break;
    case 'having':
      to.having.push({ path, item: tree.tree });
      break;
    case 'offset':
      setOffset(rangeAt(to, path), tree.rows, tree.index);
  }
}

function setOffset(range: EmbeddedRange, rows: bigint | null, index: number | null): void {
  range.offset = rows;
  range.offsetIndex = index;
}

/** Returns the range of a path. The last limit and the last offset of a path are used. */
function rangeAt({ rangesByPath }: Building, path: EmbedPath): EmbeddedRange {
  const id = JSON.stringify(path);
  const range = rangesByPath.get(id) ?? { path, limit: null, offset: null, offsetIndex: null };
  rangesByPath.set(id, range);
  return range;
}

/**
 * Returns the parts of a query string as a list of allowed shapes has them: decoded, with `$` in place of values, sorted.
 * Different shapes have different parts.
 */
export function partsOf({ pairs, kinds, trees, values, rows }: ScannedQuery): readonly string[] {
  const parts = pairs.flatMap((pair, index) => {
    const kind = kinds[index] ?? 'ignored';
    if (isOfRoot(pair, kind)) return [];
    return [partOf(pair, kind, spellParameter(pair, kind, trees[index] ?? null, values))];
  });
  if (rows.limit !== null) parts.push(`limit=${String(rows.limit)}`);
  if (rows.offset !== 0n) parts.push('offset=$');
  return parts.sort();
}

/** Whether a parameter is the limit or the offset of the root. */
const isOfRoot = ({ key }: QueryPair, kind: ParameterKind): boolean =>
  key === kind && (kind === 'limit' || kind === 'offset');

function partOf(pair: QueryPair, kind: ParameterKind, spelled: string): string {
  const key = lineText(pair.key);
  switch (kind) {
    case 'ignored':
      return key;
    case 'offset':
    case 'filter':
    case 'having':
      return `${key}=${lineText(afterKey(pair, spelled))}`;
    case 'select':
    case 'order': {
      const text = afterKey(pair, spelled);
      return `${key}=${lineText(text === pair.rawValue ? (pair.value ?? '') : text)}`;
    }
    case 'logic':
      // The key has the operator of the tree.
      return `${key}=${lineText(spelled.slice(spelled.indexOf('(', pair.rawKey.length)))}`;
    case 'columns':
    case 'on_conflict':
    case 'related on_conflict':
    case 'distinct':
    case 'limit':
      return `${key}=${lineText(pair.value ?? '')}`;
  }
}

/** Removes `&`, the key as it was sent, and `=`. */
const afterKey = ({ rawKey }: QueryPair, spelled: string): string => spelled.slice(rawKey.length + 2);

/** Characters that separate the parts of a line, or cannot be read. */
const SEPARATING = /[%&#?\s\p{C}]/gu;

/** Returns a text for a line of the list of allowed shapes. Different texts stay different. */
export const lineText = (text: string): string =>
  text.replaceAll(SEPARATING, (character) =>
    LONE_SURROGATE.test(character)
      ? `%u${character.charCodeAt(0).toString(16)}`
      : encodeURIComponent(character),
  );

/** A code unit that has no encoding. The role of a token may have one. */
const LONE_SURROGATE = /^\p{Surrogate}$/u;
