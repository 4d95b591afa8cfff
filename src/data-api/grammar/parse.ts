/**
 * The parameters of a query string, one function for each kind. Texts are decoded. Every function parses the whole
 * text and returns a value or a failure with the wording of data API §1.2; none throws.
 */
import type { Distinct, LogicGroup, LogicTree, QueryValue, SelectItem } from './ast.js';
import {
  type Parsed,
  type Complaint,
  describeComplaint,
  type ParseFailure,
  positionOf,
} from './complaint.js';
import {
  cutGroupTerms,
  groupTerms,
  openOperation,
  type OperationOrText,
  operationOrText,
  readFrequent,
} from './filter.js';
import {
  type QueryCount,
  startCount,
  excessOf,
  isTooLongAlias,
  LONGEST_GRAMMAR,
  LONGEST_VALUE,
  TOO_LONG_ALIAS,
} from './limits.js';
import { columnNames, fields, type LogicPath, logicPath, type TreePath, treePath } from './names.js';
import { before, end, type Parser, type Source } from './parser.js';
import { columnTree, orderTerms, relationKey, selectParameter } from './select.js';

export type { OperationOrText } from './filter.js';
export type { LogicPath, TreePath } from './names.js';
export type { Parsed, ParseFailure } from './complaint.js';

const whole = <T>(parser: Parser<T>): Parser<T> => before(parser, end);

const wholeSelect = whole(selectParameter);
const wholeRelationKey = whole(relationKey);
const wholeTreePath = whole(treePath);
const wholeLogicPath = whole(logicPath);
const wholeOperation = whole(openOperation);
const wholeOperationOrText = whole(operationOrText);
const wholeGroup = whole(groupTerms);
const wholeCutGroup = whole(cutGroupTerms);
const wholeFields = whole(fields);

/** For parameters without fields, embeds or conditions. */
const NOTHING = startCount({ maxDepth: 0, maxEmbeds: 0, maxConditions: 0, maxFields: 0 });

const options = (what: string, text: string, count: QueryCount = NOTHING): ParseOptions => ({
  context: `failed to parse ${what} (${beginningOf(text)})`,
  count,
});

/** Longest text that an error repeats, in UTF-16 code units. */
const LONGEST_REPEATED = 1000;

function beginningOf(text: string): string {
  if (text.length <= LONGEST_REPEATED) return text;
  return `${text.slice(0, LONGEST_REPEATED).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Options of the parameters that may have values. */
export interface ValueOptions {
  /** The values of the preceding parameters, to which those of this one are added, unless it fails. */
  readonly values?: QueryValue[];
  /** Whether `is.not_null` is known (`compatibility-level`); false by default. */
  readonly takesNotNull?: boolean;
}

/** `select`. An empty text gives no items. */
export function parseSelect(
  text: string,
  count: QueryCount,
  values: ValueOptions = {},
): Parsed<readonly SelectItem[]> {
  const parsed = parseText(wholeSelect, text, { ...options('select parameter', text, count), ...values });
  return parsed.ok && parsed.value.some(hasLongAlias) ? failed(TOO_LONG_ALIAS) : parsed;
}

function hasLongAlias(item: SelectItem): boolean {
  switch (item.kind) {
    case 'all':
      return false;
    case 'field':
    case 'count':
      return item.alias !== null && isTooLongAlias(item.alias);
    case 'relation':
      return (item.alias !== null && isTooLongAlias(item.alias)) || item.select.some(hasLongAlias);
    case 'spread':
      return item.select.some(hasLongAlias);
  }
}

/** Returns the function that parses a list of fields. */
function listParser<T>(parser: Parser<T>, what: string) {
  const list = whole(parser);
  return (text: string, count: QueryCount, values: ValueOptions = {}): Parsed<T> =>
    parseText(list, text, { ...options(what, text, count), ...values });
}

/** `order`, of the root or of an embed. */
export const parseOrder = listParser(orderTerms, 'order');

/** `columns` and `on_conflict`; duplicates are kept. */
export const parseColumns = listParser(columnNames, 'columns parameter');
export const parseConflict = listParser(columnNames, 'on_conflict parameter');

/** `columns` with related resources. */
export const parseColumnTree = listParser(columnTree, 'columns parameter');

/** `(…)`, the value of `having`: conditions that all hold. */
export const parseHaving = (
  text: string,
  count: QueryCount,
  values: ValueOptions = {},
): Parsed<readonly LogicTree[]> =>
  parseText(wholeGroup, text, { ...options('having', text, count), ...values });

/** `(*)` or `(field,field)`, the value of `distinct`. */
export function parseDistinct(text: string, count: QueryCount): Parsed<Distinct> {
  if (text === '(*)') return { ok: true, value: { kind: 'all' } };
  // The fields end with the text: an index at the end of a JSON path is followed by nothing.
  const inner = text.endsWith(')') ? text.slice(1, -1) : text;
  const parsed = parseText(wholeFields, inner, {
    ...options('distinct', text, count),
    prefix: '(',
  });
  return parsed.ok ? { ok: true, value: { kind: 'fields', fields: parsed.value } } : parsed;
}

/** The related resource that a key of a body names, as in `select`; null for any other text. */
export function parseRelationKey(
  text: string,
): { readonly name: string; readonly hint: string | null } | null {
  const parsed = parseText(wholeRelationKey, text, options('key', text));
  if (!parsed.ok) return null;
  const [, name, { hint }] = parsed.value;
  return { name, hint };
}

/** The key of a filter, an order or a range. */
export const parseTreePath = (key: string): Parsed<TreePath> =>
  parseText(wholeTreePath, key, options('tree path', key));

/** The key of a logic tree. */
export const parseLogicPath = (key: string): Parsed<LogicPath> =>
  parseText(wholeLogicPath, key, options('logic path', key));

/** The value of a filter on a relation. */
export const parseOperation = (text: string, options: ValueOptions = {}): Parsed<OperationOrText> =>
  parseFilter(wholeOperation, text, options);

/** A value that is an operation if it can be parsed as one, and a function's argument otherwise. */
export const parseOperationOrText = (text: string, options: ValueOptions = {}): Parsed<OperationOrText> =>
  parseFilter(wholeOperationOrText, text, options);

function parseFilter(
  whole: Parser<OperationOrText>,
  text: string,
  valueOptions: ValueOptions,
): Parsed<OperationOrText> {
  const frequent = readFrequent(text, valueOptions.values ?? []);
  if (frequent !== null) return { ok: true, value: { kind: 'operation', operation: frequent } };
  const parseOptions = { ...options('filter', text), ...valueOptions };
  // Every list without a fault is frequent.
  if (text.length > LONGEST_GRAMMAR && LIST.test(text)) return unlocated(parseOptions);
  return parseText(whole, text, parseOptions);
}

const LIST = /^(?:not\.)?in\./;

export interface LogicOptions extends ValueOptions {
  readonly count: QueryCount;
  /** True if text after the group and a comma is ignored. For reads only, because a condition may be dropped. */
  readonly mayBeCut: boolean;
}

/** `(…)`, the value of the key `path`. Columns of a failure include the operator of the key. */
export function parseLogicTree(
  path: LogicPath,
  text: string,
  { count, mayBeCut, ...valueOptions }: LogicOptions,
): Parsed<LogicGroup> {
  const { negated, operator } = path;
  const prefix = negated ? `not.${operator}` : operator;
  const parsed = parseText(mayBeCut ? wholeCutGroup : wholeGroup, text, {
    ...options('logic tree', text, count),
    ...valueOptions,
    prefix,
  });
  return parsed.ok ? { ok: true, value: { kind: 'group', negated, operator, terms: parsed.value } } : parsed;
}

/** Options of a parse. */
interface ParseOptions extends ValueOptions {
  /** Name in the message of a failure: `failed to parse order (id.up)`. */
  readonly context: string;
  /** Counts of the preceding parameters, to which the parse adds. */
  readonly count: QueryCount;
  /** Preceding text, which is counted in columns only. */
  readonly prefix?: string;
}

/**
 * Parses the whole text. If this fails, a second parse finds the complaint. The complaint about the furthest place is reported,
 * so the second parse ignores places before the last item that was tried; if the complaint refers to one of those places, a
 * third parse finds it. Both run when the failure is explained: most failures are not reported.
 */
function parseText<T>(whole: Parser<T>, text: string, options: ParseOptions): Parsed<T> {
  const { count, values = [], takesNotNull = false } = options;
  const firstIndex = values.length;
  const before = { ...count };
  const source: Source = {
    ...{ text, count, takesNotNull, values, depth: 0, nextIndex: firstIndex, itemAt: 0, explainsFrom: null },
  };
  const reply = whole(source, 0);
  const excess = excessOf(count);
  if (excess === null && reply.ok) return { ok: true, value: reply.value };
  values.length = firstIndex;
  if (excess !== null) return failed(excess);
  if (text.length > LONGEST_VALUE) return unlocated(options);
  const { itemAt } = source;
  const complaintFrom = (explainsFrom: number): Complaint | null =>
    whole({ ...source, values: [], nextIndex: 0, count: { ...before }, depth: 0, explainsFrom }, 0).complaint;
  return {
    ok: false,
    explain: () => describeFailure(complaintFrom(itemAt) ?? complaintFrom(0), text, options),
  };
}

/** A second parse of so long a text takes long, and the place is of little use. */
const unlocated = ({ context }: ParseOptions): Extract<Parsed<never>, { ok: false }> =>
  failed({ message: `"${context}"`, details: UNLOCATED });

const UNLOCATED = 'The text is too long to locate its fault';

/** Returns the failure of a text that need not be parsed again to name its fault. */
export const failed = (failure: ParseFailure): Extract<Parsed<never>, { ok: false }> => ({
  ok: false,
  explain: () => failure,
});

const SILENT: Complaint = { at: 0, found: null, refused: [], expected: [] };

function describeFailure(complaint: Complaint | null, text: string, options: ParseOptions): ParseFailure {
  const { at } = complaint ?? SILENT;
  const { context, prefix = '' } = options;
  const { line, column } = positionOf(prefix + text, prefix.length + at);
  return {
    message: `"${context}" (line ${line}, column ${column})`,
    details: describeComplaint(complaint ?? SILENT, text)
      .replaceAll('\n', ' ')
      .trim(),
  };
}
