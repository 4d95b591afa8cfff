/**
 * The parameters of a query string, one function for each kind. Texts are decoded. Every function parses the whole
 * text and returns a value or a failure with the wording of data API §1.2; none throws. Those of lists may pause.
 */
import type {
  ColumnTree,
  Distinct,
  LogicGroup,
  LogicTree,
  OrderTerm,
  QueryValue,
  SelectItem,
} from './ast.js';
import type { Parsed, Work } from './complaint.js';
import { type OperationOrText, operationOrText, readFrequent, openOperation } from './filter.js';
import { type QueryCount, startCount } from './limits.js';
import { cutGroupTerms, groupTerms } from './logic.js';
import { columnNames, fields, type LogicPath, logicPath, type TreePath, treePath } from './names.js';
import { orderTerms } from './order.js';
import { type ParseOptions, parseText, parseWork } from './parse-text.js';
import { before, type Parser } from './parser.js';
import { columnTree, relationKey, selectParameter } from './select.js';
import { end } from './text-parsers.js';

export type { OperationOrText } from './filter.js';
export type { LogicPath, TreePath } from './names.js';
export type { Parsed, ParseFailure } from './complaint.js';

const whole = <T>(parser: Parser<T>): Parser<T> => before(parser, end);

const wholeSelect = whole(selectParameter);
const wholeOrder = whole(orderTerms);
const wholeColumns = whole(columnNames);
const wholeColumnTree = whole(columnTree);
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
export const parseSelect = (
  text: string,
  count: QueryCount,
  values: ValueOptions = {},
): Work<Parsed<readonly SelectItem[]>> =>
  parseWork(wholeSelect, text, { ...options('select parameter', text, count), ...values });

/** `order`, of the root or of an embed. */
export const parseOrder = (
  text: string,
  count: QueryCount,
  values: ValueOptions = {},
): Work<Parsed<readonly OrderTerm[]>> =>
  parseWork(wholeOrder, text, { ...options('order', text, count), ...values });

/** `(…)`, the value of `having`: conditions that all hold. */
export const parseHaving = (
  text: string,
  count: QueryCount,
  values: ValueOptions = {},
): Work<Parsed<readonly LogicTree[]>> =>
  parseWork(wholeGroup, text, { ...options('having', text, count), ...values });

/** `(*)` or `(field,field)`, the value of `distinct`. */
export function* parseDistinct(text: string, count: QueryCount): Work<Parsed<Distinct>> {
  if (text === '(*)') return { ok: true, value: { kind: 'all' } };
  // The fields end with the text: an index at the end of a JSON path is followed by nothing.
  const inner = text.endsWith(')') ? text.slice(1, -1) : text;
  const parsed = yield* parseWork(wholeFields, inner, { ...options('distinct', text, count), prefix: '(' });
  return parsed.ok ? { ok: true, value: { kind: 'fields', fields: parsed.value } } : parsed;
}

/** `columns` and `on_conflict`; duplicates are kept. */
export const parseColumns = (
  parameter: 'columns' | 'on_conflict',
  text: string,
  count: QueryCount,
): Work<Parsed<readonly string[]>> =>
  parseWork(wholeColumns, text, options(`${parameter} parameter`, text, count));

/** `columns` with related resources. */
export const parseColumnTree = (text: string, count: QueryCount): Work<Parsed<ColumnTree>> =>
  parseWork(wholeColumnTree, text, options('columns parameter', text, count));

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
export const parseOperation = (text: string, options: ValueOptions = {}): Work<Parsed<OperationOrText>> =>
  parseFilter(wholeOperation, text, options);

/** A value that is an operation if it can be parsed as one, and a function's argument otherwise. */
export const parseOperationOrText = (
  text: string,
  options: ValueOptions = {},
): Work<Parsed<OperationOrText>> => parseFilter(wholeOperationOrText, text, options);

function* parseFilter(
  whole: Parser<OperationOrText>,
  text: string,
  valueOptions: ValueOptions,
): Work<Parsed<OperationOrText>> {
  const frequent = parseFrequent(text, valueOptions.values ?? []);
  return frequent ?? (yield* parseWork(whole, text, { ...options('filter', text), ...valueOptions }));
}

/** One of the most frequent operations, without a pause; null for any other text. */
export function parseFrequent(text: string, values: QueryValue[]): Parsed<OperationOrText> | null {
  const operation = readFrequent(text, values);
  return operation === null ? null : { ok: true, value: { kind: 'operation', operation } };
}

export interface LogicOptions extends ValueOptions {
  readonly count: QueryCount;
  /** True if text after the group and a comma is ignored. For reads only, because a condition may be dropped. */
  readonly mayBeCut: boolean;
}

/** `(…)`, the value of the key `path`. Columns of a failure include the operator of the key. */
export function* parseLogicTree(
  path: LogicPath,
  text: string,
  { count, mayBeCut, ...valueOptions }: LogicOptions,
): Work<Parsed<LogicGroup>> {
  const { negated, operator } = path;
  const prefix = negated ? `not.${operator}` : operator;
  const parsed = yield* parseWork(mayBeCut ? wholeCutGroup : wholeGroup, text, {
    ...options('logic tree', text, count),
    ...valueOptions,
    prefix,
  });
  return parsed.ok ? { ok: true, value: { kind: 'group', negated, operator, terms: parsed.value } } : parsed;
}
