/** Operations of filters: the text after `column=`, or after `column.` in logic trees (data API §1.3). */
import type { IsKeyword, ListValue, Operation, Quantifier, Search, Value } from './ast.js';
import { delimiter, identifier, lexeme, noneOf, quoted, rest } from './names.js';
import { MOST_ELEMENTS } from './limits.js';
import { type Operator, PLAIN_OPERATORS, QUANTIFIABLE_OPERATORS, SEARCH_OPERATORS } from './operators.js';
import {
  attempt,
  before,
  between,
  either,
  failure,
  map,
  named,
  notAhead,
  optional,
  type Parser,
  separated,
  sequence,
  type Source,
  succeed,
} from './parser.js';
import { caseless, character, characters, literal } from './text-parsers.js';

const toValue = (text: string, source: Source): Value => ({ index: source.nextIndex++, text });

const toList = (elements: readonly string[], source: Source): ListValue => ({
  index: source.nextIndex++,
  elements: elements.length === 1 && elements[0] === '' ? [] : elements,
});

const inListOrGroup = noneOf(',)');
const quotedElement = attempt(before(quoted, notAhead(character(inListOrGroup))));
const plainElement = characters(inListOrGroup);

const arrayLiteral = attempt(
  map(sequence(literal('{'), characters(noneOf('{}')), literal('}')), (parts) => parts.join('')),
);

/** The value of a filter in a logic tree: quoted, an array literal without nested braces, or up to `,` or `)`. */
export const groupValue: Parser<string> = either(quotedElement, arrayLiteral, plainElement);

const lastElements = separated(either(quotedElement, plainElement), literal(','));

/**
 * Elements separated by commas. A loop reads all but the last one, because a list in a body may have many; no element
 * fails.
 */
const elements: Parser<readonly string[]> = (source, start) => {
  const { text } = source;
  const silent = { ...source, explainsFrom: null };
  const value: string[] = [];
  let at = start;
  for (;;) {
    const inQuotes = text.charCodeAt(at) === QUOTE ? quoted(silent, at) : null;
    const isQuoted = inQuotes?.ok === true && !isInElement(text.charCodeAt(inQuotes.at));
    let end = isQuoted ? inQuotes.at : at;
    while (isInElement(text.charCodeAt(end))) end += 1;
    if (text.charCodeAt(end) !== COMMA) break;
    source.elements += 1;
    if (source.elements === MOST_ELEMENTS) return failure(true, null);
    value.push(isQuoted ? inQuotes.value : text.slice(at, end));
    at = end + 1;
    source.itemAt = Math.max(source.itemAt, at);
  }
  const last = lastElements(source, at);
  if (!last.ok) return last;
  for (const one of last.value) value.push(one);
  return { ...last, consumed: last.consumed || at > start, value };
};

const QUOTE = 34;
const CLOSE = 41;
const COMMA = 44;

/** Whether a character belongs to an element without quotes; false at the end of the text. */
const isInElement = (code: number): boolean => code !== COMMA && code !== CLOSE && !Number.isNaN(code);

const list = between(lexeme(literal('(')), elements, lexeme(literal(')')));

/** Parses the operator `word` with its delimiter. */
const operatorWord = <T extends Operator>(word: T): Parser<T> => attempt(before(literal(word), delimiter));

const words = <T extends Operator>(all: readonly T[]): Parser<T> =>
  either<T>(...all.map((word) => attempt(literal(word))));

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

/** A text search whose value is one of a logic tree. */
export const search: Parser<Search> = map(
  sequence(searchOperator, language, delimiter, groupValue),
  ([operator, configuration, , text], source) => ({
    operator,
    language: configuration,
    value: toValue(text, source),
  }),
);

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
      attempt(
        map(
          sequence(searchOperator, language, delimiter, value),
          ([operator, configuration, , text], source) => ({
            kind: 'search',
            operator,
            language: configuration,
            value: toValue(text, source),
          }),
        ),
      ),
      attempt(
        map(sequence(plainOperator, delimiter, value), ([operator, , text], source) => ({
          kind: 'comparison',
          operator,
          quantifier: null,
          value: toValue(text, source),
        })),
      ),
      attempt(
        map(
          sequence(quantifiableOperator, quantifier, delimiter, value),
          ([operator, quantified, , text], source) => ({
            kind: 'comparison',
            operator,
            quantifier: quantified,
            value: toValue(text, source),
          }),
        ),
      ),
    ),
  );
}

const negation = either<boolean>(
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

/** Parses an operation, or else the whole text if it does not begin like an operation. */
export const operationOrText: Parser<OperationOrText> = either<OperationOrText>(
  map(operation(rest), (found) => ({ kind: 'operation', operation: found })),
  map(rest, (text, source) => ({ kind: 'text', value: toValue(text, source) })),
);
