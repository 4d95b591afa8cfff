/** Names, fields and JSON paths (data API §1.2, §1.3). */
import type { Field, JsonArrow, JsonStep } from './ast.js';
import {
  after,
  ahead,
  attempt,
  before,
  between,
  counted,
  either,
  many,
  map,
  named,
  notAhead,
  optional,
  type Parser,
  separated,
  sequence,
  succeed,
} from './parser.js';
import { character, characters, type CharacterTest, end, literal, someCharacters } from './text-parsers.js';

/** Returns a test that is true for every character except these. */
export const noneOf = (excluded: string): CharacterTest => {
  const codes = new Set(Array.from(excluded, (one) => one.codePointAt(0)));
  return (code) => !codes.has(code);
};

/** The rest of the text, unchanged. */
export const rest: Parser<string> = characters(() => true);

const LETTER = /\p{L}/u;
const isDigit: CharacterTest = (code) => code >= 48 && code <= 57;

const isIdentifierCharacter: CharacterTest = (code) =>
  code < 128
    ? (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      isDigit(code) ||
      code === 95 ||
      code === 32 ||
      code === 36
    : LETTER.test(String.fromCodePoint(code));

/** White space (Unicode). */
const EDGES = /^[\t-\r\p{Zs}]+|[\t-\r\p{Zs}]+$/gu;

const blanks = characters((code) => code === 32 || code === 9);

/** `parser` with blanks and tabs around it. */
export function lexeme<T>(parser: Parser<T>): Parser<T> {
  return between(blanks, parser, blanks);
}

export const delimiter = named('delimiter (.)', literal('.'));
export const comma = lexeme(literal(','));

/** Letters, digits, `_`, `$` and blanks: for parts of unquoted names, cast types, languages. */
export const identifier: Parser<string> = map(
  someCharacters(isIdentifierCharacter, 'letter', 'digit'),
  (text) => text.replace(EDGES, ''),
);

// Neither a name of PostgreSQL nor the text of a statement can contain a NUL.
const plainCharacters = someCharacters(noneOf('\\"\0'));
const escapedCharacter = after(literal('\\'), character(noneOf('\0')));

/** `"…"`, in which `\x` stands for any character x. */
export const quoted: Parser<string> = map(
  between(literal('"'), many(either(plainCharacters, escapedCharacter)), literal('"')),
  (parts) => parts.join(''),
);

const dash = attempt(sequence(literal('-'), notAhead(literal('>'))));

function joinedByDash(part: Parser<string>): Parser<string> {
  return map(separated(part, dash), (parts) => parts.join('-'));
}

/** The name of a column, a relation, an alias or a hint. */
export const fieldName: Parser<string> = named(
  'field name (* or [a..z0..9_$])',
  either(quoted, joinedByDash(identifier)),
);

const keyPart = map(someCharacters(noneOf('(-:.,>)\0')), (text) => text.replace(EDGES, ''));
const jsonKey = named(
  'any non reserved character different from: .,>()',
  either(quoted, joinedByDash(keyPart)),
);

const arrow: Parser<JsonArrow> = either<JsonArrow>(attempt(literal('->>')), attempt(literal('->')));

// A number is an index only if the step or the field ends after it; `->0abc` is a key.
const indexEnd = either<unknown>(
  attempt(ahead(literal('->'))),
  attempt(ahead(literal('::'))),
  attempt(ahead(literal('.'))),
  attempt(ahead(literal(','))),
  end,
);
const index = before(
  map(
    sequence(either<'' | '-'>(literal('-'), succeed('')), someCharacters(isDigit, 'digit')),
    ([sign, digits]) => sign + digits,
  ),
  indexEnd,
);

type StepTarget =
  { readonly kind: 'index'; readonly index: string } | { readonly kind: 'key'; readonly key: string };

const stepTarget: Parser<StepTarget> = either<StepTarget>(
  attempt(map(index, (digits) => ({ kind: 'index', index: digits }))),
  attempt(map(jsonKey, (key) => ({ kind: 'key', key }))),
);

const jsonStep: Parser<JsonStep> = map(sequence(arrow, stepTarget), ([how, target]) => ({
  arrow: how,
  ...target,
}));

/** `->a->>0`, possibly empty. */
export const jsonPath: Parser<readonly JsonStep[]> = many(jsonStep);

/** A name and a JSON path into it. */
export const field: Parser<Field> = lexeme(
  map(sequence(fieldName, jsonPath), ([name, path]) => ({ name, path })),
);

/** `alias:`, unless the colon begins a cast. */
export const alias: Parser<string | null> = optional(
  attempt(before(fieldName, sequence(literal(':'), notAhead(literal(':'))))),
);

/** `::type` */
export const cast: Parser<string | null> = optional(after(literal('::'), identifier));

/** One or more fields separated by commas. */
export const fields: Parser<readonly Field[]> = separated(counted('fields', field), comma);

/** One or more names separated by commas: `columns` and `on_conflict`. */
export const columnNames: Parser<readonly string[]> = separated(counted('fields', fieldName), comma);
