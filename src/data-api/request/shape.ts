/**
 * Splits a query string into its shape, which determines the SQL, and its values, which are bound as parameters.
 * Requests of one shape have the same trees except for the texts of their values at the same indexes; the plan cache
 * relies on this.
 *
 * Values: operands of conditions, lists, text searches, arguments, offsets other than zero. The shape consists of everything else:
 * names, JSON keys, languages, limits. The shape is a text that is only used as a cache key.
 */
import type { LogicTree, Operation } from '../grammar/ast.js';
import { type QueryCount, startCount } from '../grammar/limits.js';
import { parseHaving, parseLogicPath, parseLogicTree, parseOrder, parseSelect } from '../grammar/parse.js';
import type { QueryValue } from './api-request.js';
import { kindOfParameter, type ParameterKind } from './parameters.js';
import { runAtOnce, type Work } from '../../base/turns.js';
import { pairsWork, type QueryPair, readPairs } from './query-string.js';
import { embeddedRows, intersectRows, readInteger } from './ranges.js';
import { type KnownTree, type KnownTrees, readOperation, type ReadQueryOptions } from './read-query.js';
import {
  excessOfValues,
  collectFromOrder,
  collectFromSelect,
  orderWithoutValues,
  selectWithoutValues,
} from './values.js';

export interface Shape {
  readonly text: string;
  /** `ApiRequest.values` of the request. */
  readonly values: readonly QueryValue[];
  /** For Content-Location (`canonicalQuery`). */
  readonly pairs: readonly QueryPair[];
  /** What was parsed for the text. */
  readonly known: KnownTrees;
}

/**
 * Returns the shape of a query string with the Range header, which is undefined if it does not apply. Returns null
 * for a query string with a fault, which `readRequest` reports.
 */
export const readShape = (
  query: string,
  rangeHeader: string | undefined,
  options: ReadQueryOptions,
): Shape | null => runAtOnce(shapeWork(query, rangeHeader, options));

/** As `readShape`, which may pause behind each parameter. */
export function* shapeWork(
  query: string,
  rangeHeader: string | undefined,
  options: ReadQueryOptions,
): Work<Shape | null> {
  const { maxParameters } = options.limits;
  const pairs = yield* pairsWork(query, maxParameters);
  if (pairs === null || pairs.length > maxParameters) return null;
  const spelling: Spelling = { values: [], count: startCount(options.limits), trees: [] };
  const { values } = spelling;
  const seen = new Set<string>();
  let text = '';
  let limit: bigint | null = null;
  let offset: bigint | null = null;
  for (const pair of pairs) {
    const kind = kindOfParameter(pair.key, pair.value, seen);
    // The range of the root is spelled before the pairs. Its presence matters for writes.
    if (kind === 'limit' && pair.key === 'limit') limit = readInteger(pair.value ?? '');
    else if (kind === 'offset' && pair.key === 'offset') offset = readInteger(pair.value ?? '');
    else {
      const work = spellPair(pair, kind, spelling, options);
      const spelled = typeof work === 'string' || work === null ? work : yield* work;
      if (spelled === null) return null;
      text += spelled;
      yield;
      continue;
    }
    spelling.trees.push(null);
    // No pair has this spelling: a pair with an empty key has an operation as its value.
    text += '&=range';
  }
  const rows = intersectRows({ limit, offset }, rangeHeader);
  if (typeof rows === 'string' || excessOfValues(values) !== null) return null;
  if (rows.offset !== 0n) values.push(String(rows.offset));
  return {
    text: `${rows.limit ?? ''}&${rows.offset === 0n ? '' : '$'}${text}`,
    values,
    pairs,
    known: spelling,
  };
}

/**
 * Returns the parts of a query string as a list of allowed shapes has them: decoded, with `$` in place of values, sorted.
 * Different shapes have different parts. Null for a query string with a fault.
 */
export function spellQuery(
  query: string,
  rangeHeader: string | undefined,
  options: ReadQueryOptions,
): readonly string[] | null {
  const pairs = readPairs(query);
  if (pairs === null) return null;
  const spelling: Spelling = { values: [], count: startCount(options.limits), trees: [] };
  const seen = new Set<string>();
  const parts: string[] = [];
  const range: { limit: bigint | null; offset: bigint | null } = { limit: null, offset: null };
  for (const pair of pairs) {
    const kind = kindOfParameter(pair.key, pair.value, seen);
    if (pair.key === kind && (kind === 'limit' || kind === 'offset')) {
      range[kind] = readInteger(pair.value ?? '');
      continue;
    }
    const work = spellPair(pair, kind, spelling, options);
    const spelled = typeof work === 'string' || work === null ? work : runAtOnce(work);
    if (spelled === null) return null;
    parts.push(partOf(pair, kind, spelled));
  }
  const rows = intersectRows(range, rangeHeader);
  if (typeof rows === 'string') return null;
  if (rows.limit !== null) parts.push(`limit=${String(rows.limit)}`);
  if (rows.offset !== 0n) parts.push('offset=$');
  return parts.sort();
}

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
  text.replaceAll(SEPARATING, (character) => encodeURIComponent(character));

/** What the pairs so far contain. Conditions outside of logic trees are counted when the query is read. */
interface Spelling {
  readonly values: QueryValue[];
  readonly count: QueryCount;
  readonly trees: KnownTree[];
}

/**
 * Returns `&key=…`; null for a fault. Raw texts contain no `&`, and names in trees are quoted, so that different pairs have
 * different spellings. What has values is parsed, and the tree is kept; anything else is spelled as written.
 *
 * A generator costs more than the spelling of most pairs: only trees are read by one.
 */
function spellPair(
  pair: QueryPair,
  kind: ParameterKind,
  spelling: Spelling,
  options: ReadQueryOptions,
): string | null | Work<string | null> {
  const { rawKey, rawValue, value } = pair;
  const { values, trees } = spelling;
  switch (kind) {
    case 'filter': {
      const parsed = readOperation(value ?? '', values.length, options);
      if (!parsed.ok) return null;
      const tree = parsed.value;
      trees.push({ kind, tree });
      if (tree.kind === 'operation') return `&${rawKey}=${spellOperation(tree.operation, values)}`;
      values.push(tree.value.text);
      return `&${rawKey}=$`;
    }
    case 'logic':
    case 'having':
      return spellTrees(pair, kind, spelling, options);
    case 'select':
      // A select list has values only in conditions of aggregates.
      if (value?.includes('.filter') === true) return spellTrees(pair, kind, spelling, options);
      break;
    case 'order':
      // An order has values only in text searches.
      if (value?.includes('.rank') === true) return spellTrees(pair, kind, spelling, options);
      break;
    case 'offset': {
      const offset = readInteger(value ?? '');
      if (offset === null || offset <= 0n) break;
      trees.push(null);
      values.push(String(embeddedRows({ limit: null, offset }).offset));
      return `&${rawKey}=$`;
    }
    case 'ignored':
      trees.push(null);
      return `&${rawKey}`;
    case 'distinct':
    case 'columns':
    case 'on_conflict':
    case 'related on_conflict':
    case 'limit':
  }
  trees.push(null);
  return `&${rawKey}=${rawValue}`;
}

/** Lists and their conditions are spelled as JSON. */
function* spellTrees(
  { key, rawKey, value }: QueryPair,
  kind: 'logic' | 'select' | 'order' | 'having',
  { values, count, trees }: Spelling,
  { reading, takesNotNull = false }: ReadQueryOptions,
): Work<string | null> {
  const valueOptions = { firstIndex: values.length, takesNotNull };
  switch (kind) {
    case 'logic': {
      const at = parseLogicPath(key);
      if (!at.ok) return null;
      const logicOptions = { ...valueOptions, count, mayBeCut: reading };
      const parsed = yield* parseLogicTree(at.value, value ?? '', logicOptions);
      if (!parsed.ok) return null;
      trees.push({ kind, path: at.value.path, tree: parsed.value });
      return `&${rawKey}=${spellTree(parsed.value, values)}`;
    }
    case 'select': {
      const parsed = yield* parseSelect(value ?? '', count, valueOptions);
      if (!parsed.ok) return null;
      trees.push({ kind, tree: parsed.value });
      collectFromSelect(parsed.value, values);
      return `&${rawKey}=${JSON.stringify(selectWithoutValues(parsed.value))}`;
    }
    case 'order': {
      const parsed = yield* parseOrder(value ?? '', count, valueOptions);
      if (!parsed.ok) return null;
      trees.push({ kind, tree: parsed.value });
      collectFromOrder(parsed.value, values);
      return `&${rawKey}=${JSON.stringify(orderWithoutValues(parsed.value))}`;
    }
    case 'having': {
      const parsed = yield* parseHaving(value ?? '', count, valueOptions);
      if (!parsed.ok) return null;
      trees.push({ kind, tree: parsed.value });
      return `&${rawKey}=(${parsed.value.map((term) => spellTree(term, values)).join(',')})`;
    }
  }
}

function spellOperation(operation: Operation, values: QueryValue[]): string {
  const not = operation.negated ? 'not.' : '';
  switch (operation.kind) {
    case 'comparison':
      values.push(operation.value.text);
      return `${not}${operation.operator}${operation.quantifier === null ? '' : `(${operation.quantifier})`}.$`;
    case 'in':
      values.push(operation.value.elements);
      return `${not}in.$`;
    case 'is':
      return `${not}is.${operation.keyword}`;
    case 'search':
      values.push(operation.value.text);
      return `${not}${operation.operator}${operation.language === null ? '' : `(${operation.language})`}.$`;
  }
}

/** Names are spelled as JSON, because a quoted name may contain any character. */
function spellTree(tree: LogicTree, values: QueryValue[]): string {
  if (tree.kind === 'group') {
    const terms = tree.terms.map((term) => spellTree(term, values));
    return `${tree.negated ? 'not.' : ''}${tree.operator}(${terms.join(',')})`;
  }
  const { field, operation } = tree.filter;
  const path = field.path.map(
    (step) => `${step.arrow}${step.kind === 'key' ? JSON.stringify(step.key) : step.index}`,
  );
  return `${JSON.stringify(field.name)}${path.join('')}.${spellOperation(operation, values)}`;
}
