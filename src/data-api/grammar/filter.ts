/**
 * Operations of filters: the text after `column=`, or after `column.` in logic trees; and the parameters `and` and `or`
 * (data API §1.3).
 */
import type {
  IsKeyword,
  LogicGroup,
  LogicOperator,
  LogicTree,
  Operation,
  Quantifier,
  QueryValue,
  Search,
  Value,
} from './ast.js';
import {
  comma,
  delimiter,
  field,
  identifier,
  isBlank,
  lexeme,
  noneOf,
  quoted,
  readQuoted,
  rest,
} from './names.js';
import { LONGEST_VALUE, MOST_ELEMENTS } from './limits.js';
import {
  type ComparisonOperator,
  type Operator,
  OPERATORS,
  PLAIN_OPERATORS,
  QUANTIFIABLE_OPERATORS,
  SEARCH_OPERATORS,
} from './operators.js';
import {
  attempt,
  before,
  between,
  counted,
  either,
  failure,
  isSilent,
  map,
  named,
  nested,
  notAhead,
  optional,
  type Parser,
  separated,
  sequence,
  type Source,
  succeed,
  caseless,
  character,
  characters,
  literal,
} from './parser.js';

function toValue(value: QueryValue, source: Source): Value {
  const index = source.nextIndex++;
  // Not appended: the parse that explains a failure numbers its values again.
  source.values[index] = value;
  return { index };
}

const toList = (elements: readonly string[], source: Source): Value =>
  toValue(withoutEmpty(elements), source);

/** One empty element is none. */
const withoutEmpty = (elements: readonly string[]): readonly string[] =>
  elements.length === 1 && elements[0] === '' ? NO_ELEMENTS : elements;

const NO_ELEMENTS: readonly string[] = [];

const inListOrGroup = noneOf(',)');
const quotedElement = attempt(before(quoted, notAhead(character(inListOrGroup))));
const explainedElement = characters(inListOrGroup);
const plainElement: Parser<string> = (source, start) => {
  if (!isSilent(source)) return explainedElement(source, start);
  const at = endOfElement(source.text, start);
  return { ok: true, consumed: at > start, at, value: source.text.slice(start, at), complaint: null };
};

const arrayLiteral = attempt(
  map(sequence(literal('{'), characters(noneOf('{}')), literal('}')), (parts) => parts.join('')),
);

/** The value of a filter in a logic tree: quoted, an array literal without nested braces, or up to `,` or `)`. */
const groupValue: Parser<string> = either(quotedElement, arrayLiteral, plainElement);

/** Elements separated by commas; no element fails. */
const elements = separated(either(quotedElement, plainElement), literal(','));

const QUOTE = 34;
const CLOSE = 41;
const COMMA = 44;

/**
 * Returns the offset of the comma or the parenthesis behind an element without quotes, or the end of the text; an offset within
 * an element that is too long.
 */
function endOfElement(text: string, start: number): number {
  let at = start;
  while (at - start <= LONGEST_VALUE && isInElement(text.charCodeAt(at))) at += 1;
  return at;
}

/** Whether a character belongs to an element without quotes; false at the end of the text. */
const isInElement = (code: number): boolean => code !== COMMA && code !== CLOSE && !Number.isNaN(code);

const list = between(lexeme(literal('(')), elements, lexeme(literal(')')));

/** Parses the operator `word` with its delimiter. */
const operatorWord = <T extends Operator>(word: T): Parser<T> => attempt(before(literal(word), delimiter));

/** One of the operators. None is followed by a letter. */
function words<T extends Operator>(all: readonly T[]): Parser<T> {
  const explained = either<T>(...all.map((word) => attempt(literal(word))));
  const known: ReadonlyMap<string, T> = new Map(all.map((word) => [word, word]));
  return (source, start) => {
    if (!isSilent(source)) return explained(source, start);
    let at = start;
    while (at - start <= LONGEST_OPERATOR && isLetter(source.text.charCodeAt(at))) at += 1;
    const word = known.get(source.text.slice(start, at));
    return word === undefined
      ? failure(false, null)
      : { ok: true, consumed: true, at, value: word, complaint: null };
  };
}

const LONGEST_OPERATOR = Math.max(...Object.keys(OPERATORS).map((word) => word.length));
const isLetter = (code: number): boolean => code >= 97 && code <= 122;

const plainOperator = words(PLAIN_OPERATORS);
const quantifiableOperator = words(QUANTIFIABLE_OPERATORS);
const searchOperator = words(SEARCH_OPERATORS);

const quantifier = optional(
  attempt(between(literal('('), either<Quantifier>(attempt(literal('any')), literal('all')), literal(')'))),
);
const language = optional(attempt(between(literal('('), identifier, literal(')'))));

const KEYWORDS = [
  attempt(caseless('null')),
  attempt(caseless('unknown')),
  attempt(caseless('true')),
  attempt(caseless('false')),
];
const keywordOf12 = named('null or trilean value (unknown, true, false)', either<IsKeyword>(...KEYWORDS));
const keywordOf16 = named(
  'isVal: (null, not_null, true, false, unknown)',
  either<IsKeyword>(attempt(caseless('not_null')), ...KEYWORDS),
);

const isKeyword: Parser<IsKeyword> = (source, at) =>
  (source.takesNotNull ? keywordOf16 : keywordOf12)(source, at);

/** A text search. @param value parses its value */
const searchOf = (value: Parser<string>): Parser<Search> =>
  map(sequence(searchOperator, language, delimiter, value), ([operator, configuration, , text], source) => ({
    operator,
    language: configuration,
    value: toValue(text, source),
  }));

/** A text search whose value is one of a logic tree. */
export const search = searchOf(groupValue);

/** An operation before its negation is known. */
type Affirmed = Operation extends infer O ? (O extends Operation ? Omit<O, 'negated'> : never) : never;

function affirmed(value: Parser<string>): Parser<Affirmed> {
  return named(
    'operator (eq, gt, ...)',
    either<Affirmed>(
      map(sequence(operatorWord('in'), list), ([, elements], source) => ({
        kind: 'in',
        value: toList(elements, source),
      })),
      map(sequence(operatorWord('is'), isKeyword), ([, keyword]) => ({ kind: 'is', keyword })),
      attempt(map(searchOf(value), (found) => ({ kind: 'search', ...found }))),
      comparison(plainOperator, succeed(null), value),
      comparison(quantifiableOperator, quantifier, value),
    ),
  );
}

const comparison = (
  operator: Parser<ComparisonOperator>,
  quantified: Parser<Quantifier | null>,
  value: Parser<string>,
): Parser<Affirmed> =>
  attempt(
    map(sequence(operator, quantified, delimiter, value), ([word, quantifier, , text], source) => ({
      kind: 'comparison',
      operator: word,
      quantifier,
      value: toValue(text, source),
    })),
  );

/** Whether `not.` is here. */
export const negation = either<boolean>(
  map(attempt(sequence(literal('not'), delimiter)), () => true),
  succeed(false),
);

/** Parses an operation such as `not.eq.x`; `value` parses the value. */
export function operation(value: Parser<string>): Parser<Operation> {
  return map(sequence(negation, affirmed(value)), ([negated, does]) => ({ ...does, negated }));
}

/** An operation, or the argument of a function: any text that is not an operation. */
export type OperationOrText =
  | { readonly kind: 'operation'; readonly operation: Operation }
  | { readonly kind: 'text'; readonly value: Value };

/** An operation whose value is the rest of the text. */
export const openOperation: Parser<OperationOrText> = map(operation(rest), (found) => ({
  kind: 'operation',
  operation: found,
}));

/** Parses an operation, or else the whole text if it does not begin like an operation. */
export const operationOrText: Parser<OperationOrText> = either<OperationOrText>(
  openOperation,
  map(rest, (text, source) => ({ kind: 'text', value: toValue(text, source) })),
);

/**
 * Reads the most frequent operations without the parsers: a comparison, whose value is the rest of the text, and a list. Null
 * for any other text, which may be an operation too. @param values to which its value is added
 */
export function readFrequent(text: string, values: QueryValue[]): Operation | null {
  const negated = text.startsWith('not.');
  const start = negated ? 4 : 0;
  let at = start;
  while (at - start <= LONGEST_OPERATOR && isLetter(text.charCodeAt(at))) at += 1;
  const operator = FREQUENT.get(text.slice(start, at));
  if (operator === undefined) return null;
  if (operator === 'in') return readList(text, at, values, negated);
  let quantifier: Quantifier | null = null;
  if (text.charCodeAt(at) === OPEN && OPERATORS[operator].quantifiable) {
    quantifier = text.startsWith('(any)', at) ? 'any' : text.startsWith('(all)', at) ? 'all' : null;
    if (quantifier !== null) at += '(any)'.length;
  }
  if (text.charCodeAt(at) !== DOT) return null;
  const value = { index: values.push(text.slice(at + 1)) - 1 };
  return { kind: 'comparison', negated, operator, quantifier, value };
}

const FREQUENT: ReadonlyMap<string, ComparisonOperator | 'in'> = new Map(
  [...QUANTIFIABLE_OPERATORS, ...PLAIN_OPERATORS, 'in' as const].map((word) => [word, word]),
);

/** `.(1,"2")`. */
function readList(text: string, at: number, values: QueryValue[], negated: boolean): Operation | null {
  let [start, end] = [at + 2, text.length];
  while (isBlank(text.charCodeAt(start))) start += 1;
  while (isBlank(text.charCodeAt(end - 1))) end -= 1;
  if (!text.startsWith('.(', at) || end <= start || text.charCodeAt(end - 1) !== CLOSE) return null;
  const found = elementsOf(text.slice(start, end - 1));
  return found === null ? null : { kind: 'in', negated, value: { index: values.push(found) - 1 } };
}

/**
 * Returns the elements of a list, of which a body may have many. Too many are refused with the values of all parameters, so
 * one more than allowed is enough.
 * @param text between the parentheses
 * @returns null for a parenthesis that closes the list before
 */
function elementsOf(text: string): readonly string[] | null {
  const found: string[] = [];
  for (let at = 0; found.length <= MOST_ELEMENTS; at += 1) {
    const inQuotes = text.charCodeAt(at) === QUOTE ? readQuoted(text, at) : null;
    if (inQuotes?.ok === true && (inQuotes.end === text.length || text.charCodeAt(inQuotes.end) === COMMA)) {
      found.push(inQuotes.value);
      at = inQuotes.end;
    } else {
      const comma = text.indexOf(',', at);
      const end = comma < 0 ? text.length : comma;
      const element = text.slice(at, end);
      if (element.includes(')')) return null;
      found.push(element);
      at = end;
    }
    if (at === text.length) break;
  }
  return withoutEmpty(found);
}

const OPEN = 40;
const DOT = 46;

// ---------------------------------------------------------------- and, or

const filter: Parser<LogicTree> = counted(
  'conditions',
  attempt(
    map(sequence(field, delimiter, operation(groupValue)), ([of, , does]) => ({
      kind: 'filter',
      filter: { field: of, operation: does },
    })),
  ),
);

const namedNegation = named('negation operator (not)', negation);

const operator = named(
  'logic operator (and, or)',
  either<LogicOperator>(attempt(literal('and')), literal('or')),
);

/** `(term,term)`. A group contains trees, so the parser refers to itself by a function. */
export const groupTerms: Parser<readonly LogicTree[]> = nested((source, at) =>
  between(lexeme(literal('(')), separated(tree, comma), lexeme(literal(')')))(source, at),
);

const group: Parser<LogicGroup> = map(
  sequence(namedNegation, operator, groupTerms),
  ([negated, joined, terms]) => ({ kind: 'group', negated, operator: joined, terms }),
);

const tree: Parser<LogicTree> = either<LogicTree>(filter, group);

/** `(term,term)` and, after a comma, text that is ignored: the rest of a group that a stray parenthesis has closed. */
export const cutGroupTerms: Parser<readonly LogicTree[]> = before(
  groupTerms,
  optional(sequence(literal(','), rest)),
);
