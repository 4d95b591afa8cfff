/**
 * Splits a query string into its shape, which determines the SQL, and its values, which are bound as parameters.
 * Requests of one shape have the same trees except for the texts of their values at the same indexes; the plan cache
 * relies on this.
 *
 * Values: operands of conditions, lists, text searches, arguments, offsets other than zero. The shape consists of everything else:
 * names, JSON keys, languages, limits. The shape is a text that is only used as a cache key.
 */
import type { LogicTree, Operation } from '../grammar/ast.js';
import { MOST_ELEMENTS, type QueryCount, startCount } from '../grammar/limits.js';
import {
  parseHaving,
  parseLogicPath,
  parseLogicTree,
  parseOperation,
  parseOperationOrText,
  parseOrder,
  parseSelect,
} from '../grammar/parse.js';
import { PLAIN_OPERATORS, QUANTIFIABLE_OPERATORS } from '../grammar/operators.js';
import type { QueryValue } from './api-request.js';
import { kindOfParameter } from './parameters.js';
import { runAtOnce, type Work } from '../../base/turns.js';
import { pairsWork, type QueryPair, readPairs } from './query-string.js';
import { embeddedRows, intersectRows, readInteger } from './ranges.js';
import type { ReadQueryOptions } from './read-query.js';
import {
  hasTooManyElements,
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
  const count = startCount(options.limits);
  const values: QueryValue[] = [];
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
      const spelled = spellPair(pair, kind, { values, count }, options);
      if (spelled === null) return null;
      text += spelled;
      yield;
      continue;
    }
    // No pair has this spelling: a pair with an empty key has an operation as its value.
    text += '&=range';
  }
  const rows = intersectRows({ limit, offset }, rangeHeader);
  if (typeof rows === 'string' || hasTooManyElements(values)) return null;
  if (rows.offset !== 0n) values.push(String(rows.offset));
  return { text: `${rows.limit ?? ''}&${rows.offset === 0n ? '' : '$'}${text}`, values, pairs };
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
  const spelling: Spelling = { values: [], count: startCount(options.limits) };
  const seen = new Set<string>();
  const parts: string[] = [];
  const range: { limit: bigint | null; offset: bigint | null } = { limit: null, offset: null };
  for (const pair of pairs) {
    const kind = kindOfParameter(pair.key, pair.value, seen);
    if (pair.key === kind && (kind === 'limit' || kind === 'offset')) {
      range[kind] = readInteger(pair.value ?? '');
      continue;
    }
    const spelled = spellPair(pair, kind, spelling, options);
    if (spelled === null) return null;
    parts.push(partOf(pair, kind, spelled));
  }
  const rows = intersectRows(range, rangeHeader);
  if (typeof rows === 'string') return null;
  if (rows.limit !== null) parts.push(`limit=${String(rows.limit)}`);
  if (rows.offset !== 0n) parts.push('offset=$');
  return parts.sort();
}

function partOf(pair: QueryPair, kind: ReturnType<typeof kindOfParameter>, spelled: string): string {
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

/** The values of the pairs so far. Conditions outside of logic trees are counted when the trees are read. */
interface Spelling {
  readonly values: QueryValue[];
  readonly count: QueryCount;
}

/** `&key=…`. Raw texts contain no `&`, and names in trees are quoted, so that different pairs have different spellings. */
function spellPair(
  pair: QueryPair,
  kind: ReturnType<typeof kindOfParameter>,
  spelling: Spelling,
  options: ReadQueryOptions,
): string | null {
  switch (kind) {
    case 'ignored':
      return `&${pair.rawKey}`;
    case 'offset':
      return spellOffset(pair, spelling.values);
    case 'filter':
      return spellFilter(pair, spelling.values, options);
    case 'logic':
      return spellLogic(pair, spelling, options);
    case 'select':
      return spellSelect(pair, spelling, options);
    case 'order':
      return spellOrder(pair, spelling, options);
    case 'having':
      return spellHaving(pair, spelling, options);
    case 'distinct':
    case 'columns':
    case 'on_conflict':
    case 'related on_conflict':
    case 'limit':
      return `&${pair.rawKey}=${pair.rawValue}`;
  }
}

/** A select list has values only in conditions of aggregates. It is spelled as JSON then, otherwise as written. */
function spellSelect(
  { rawKey, rawValue, value }: QueryPair,
  { values, count }: Spelling,
  { takesNotNull = false }: ReadQueryOptions,
): string | null {
  if (value?.includes('.filter') !== true) return `&${rawKey}=${rawValue}`;
  const parsed = parseSelect(value, count, { takesNotNull });
  if (!parsed.ok) return null;
  collectFromSelect(parsed.value, values);
  return `&${rawKey}=${JSON.stringify(selectWithoutValues(parsed.value))}`;
}

/** As `spellSelect`: an order has values only in text searches. */
function spellOrder(
  { rawKey, rawValue, value }: QueryPair,
  { values, count }: Spelling,
  { takesNotNull = false }: ReadQueryOptions,
): string | null {
  if (value?.includes('.rank') !== true) return `&${rawKey}=${rawValue}`;
  const parsed = parseOrder(value, count, { takesNotNull });
  if (!parsed.ok) return null;
  collectFromOrder(parsed.value, values);
  return `&${rawKey}=${JSON.stringify(orderWithoutValues(parsed.value))}`;
}

function spellHaving(
  { rawKey, value }: QueryPair,
  { values, count }: Spelling,
  { takesNotNull = false }: ReadQueryOptions,
): string | null {
  const parsed = parseHaving(value ?? '', count, { takesNotNull });
  if (!parsed.ok) return null;
  return `&${rawKey}=(${parsed.value.map((term) => spellTree(term, values)).join(',')})`;
}

function spellOffset(pair: QueryPair, values: QueryValue[]): string {
  const offset = readInteger(pair.value ?? '');
  if (offset === null || offset <= 0n) return `&${pair.rawKey}=${pair.rawValue}`;
  values.push(String(embeddedRows({ limit: null, offset }).offset));
  return `&${pair.rawKey}=$`;
}

/** The prefix of the most frequent operations; their value is the rest of the text. */
const COMPARISON = new RegExp(
  `^(?:not\\.)?(?:(?:${QUANTIFIABLE_OPERATORS.join('|')})(?:\\((?:any|all)\\))?|${PLAIN_OPERATORS.join('|')})\\.`,
);

/** Lists without quotes: commas separate their elements. */
const PLAIN_LIST = /^(not\.)?in\.\((?![ \t])([^")]*)\)$/;

function spellFilter(
  pair: QueryPair,
  values: QueryValue[],
  { withArguments, takesNotNull }: ReadQueryOptions,
): string | null {
  const value = pair.value ?? '';
  const beginning = COMPARISON.exec(value)?.[0];
  if (beginning !== undefined) {
    values.push(value.slice(beginning.length));
    return `&${pair.rawKey}=${beginning}$`;
  }
  const list = PLAIN_LIST.exec(value);
  if (list !== null) {
    const [, not = '', text = ''] = list;
    const elements = text === '' ? [] : text.split(',', MOST_ELEMENTS + 1);
    if (elements.length > MOST_ELEMENTS) return null;
    values.push(elements);
    return `&${pair.rawKey}=${not}in.$`;
  }
  if (!withArguments) {
    const parsed = parseOperation(value, 0, takesNotNull);
    return parsed.ok ? `&${pair.rawKey}=${spellOperation(parsed.value, values)}` : null;
  }
  const parsed = parseOperationOrText(value, 0, takesNotNull);
  if (!parsed.ok) return null;
  if (parsed.value.kind === 'operation') {
    return `&${pair.rawKey}=${spellOperation(parsed.value.operation, values)}`;
  }
  values.push(value);
  return `&${pair.rawKey}=$`;
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

function spellLogic(pair: QueryPair, { values, count }: Spelling, options: ReadQueryOptions): string | null {
  const path = parseLogicPath(pair.key);
  if (!path.ok) return null;
  const tree = parseLogicTree(path.value, pair.value ?? '', {
    count,
    firstIndex: 0,
    takesNotNull: options.takesNotNull ?? false,
    mayBeCut: options.reading,
  });
  return tree.ok ? `&${pair.rawKey}=${spellTree(tree.value, values)}` : null;
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
