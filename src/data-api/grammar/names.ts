/** Names, fields, JSON paths and the keys of query parameters (data API §1.2, §1.3). */
import type { EmbedPath, Field, JsonArrow, JsonStep, LogicOperator } from './ast.js';
import type { Complaint } from './complaint.js';
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
  failure,
  isSilent,
  unfit,
  characters,
  type CharacterTest,
  end,
  literal,
  someCharacters,
} from './parser.js';

const ASCII = 128;

/** Returns a test that is true for every character except these of ASCII. */
export const noneOf = (excluded: string): CharacterTest => {
  // A table, because a value in a body may have millions of characters.
  const codes = new Uint8Array(ASCII);
  for (const one of excluded) codes[one.charCodeAt(0)] = 1;
  return (code) => code >= ASCII || codes[code] === 0;
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

/** A blank or a tab. */
export const isBlank: CharacterTest = (code) => code === 32 || code === 9;
const blanks = characters(isBlank);

function endOfBlanks(text: string, start: number): number {
  let at = start;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** `parser` with blanks and tabs around it. */
export function lexeme<T>(parser: Parser<T>): Parser<T> {
  const explained = between(blanks, parser, blanks);
  return (source, start) => {
    if (!isSilent(source)) return explained(source, start);
    const begin = endOfBlanks(source.text, start);
    const reply = parser(source, begin);
    if (!reply.ok) return failure(reply.consumed || begin > start, null);
    const at = endOfBlanks(source.text, reply.at);
    return { ok: true, consumed: reply.consumed || at > start, at, value: reply.value, complaint: null };
  };
}

export const delimiter = named('delimiter (.)', literal('.'));
export const comma = lexeme(literal(','));

/** Letters, digits, `_`, `$` and blanks: for parts of unquoted names, cast types, languages. */
export const identifier: Parser<string> = map(
  someCharacters(isIdentifierCharacter, 'letter', 'digit'),
  withoutEdges,
);

/** Removes white space from both ends. */
function withoutEdges(text: string): string {
  return isPlainEdge(text.charCodeAt(0)) && isPlainEdge(text.charCodeAt(text.length - 1))
    ? text
    : text.replace(EDGES, '');
}

/** Whether a code unit is surely no white space. */
const isPlainEdge = (code: number): boolean => code > 32 && code < ASCII;

const openingQuote = literal('"');
const QUOTE = 34;
const BACKSLASH = 92;
type QuotedText =
  | { readonly ok: true; readonly value: string; readonly end: number }
  /** `at`: the offset of the fault. */
  | { readonly ok: false; readonly at: number; readonly expected: readonly string[] };

/**
 * Reads `"…"`, in which `\x` stands for any character x. Neither a name nor a text of PostgreSQL can contain a NUL. A loop,
 * because a list in a body may have millions of characters.
 * @param start the offset of the opening quote
 */
export function readQuoted(text: string, start: number): QuotedText {
  let escapes = 0;
  let at = start + 1;
  for (; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    if (code === BACKSLASH && at + 1 < text.length && text.charCodeAt(at + 1) !== 0) {
      escapes += 1;
      at += 1;
    } else if (code === BACKSLASH) return { ok: false, at: at + 1, expected: [] };
    else if (code === 0 || at >= text.length) return { ok: false, at, expected: ['"\\\\"', '"\\""'] };
  }
  const value = text.slice(start + 1, at);
  return {
    ok: true,
    value:
      escapes === 0 ? value : escapes > MOST_SLICES ? unescaped(value, escapes) : unescapedBySlices(value),
    end: at + 1,
  };
}

/** A text in quotes (`readQuoted`). */
export const quoted: Parser<string> = (source, start) => {
  const { text } = source;
  if (text.charCodeAt(start) !== QUOTE) return openingQuote(source, start);
  const read = readQuoted(text, start);
  return read.ok
    ? { ok: true, consumed: true, at: read.end, value: read.value, complaint: null }
    : failure(true, unfit(source, read.at, read.at, read.expected));
};

/** Slices are faster for the short texts of a long list. */
const MOST_SLICES = 16;

function unescapedBySlices(text: string): string {
  let value = '';
  let start = 0;
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', start + 1)) {
    value += text.slice(start, at);
    start = at + 1;
  }
  return value + text.slice(start);
}

/** Removes the backslashes that escape the next character. */
function unescaped(text: string, escapes: number): string {
  const units = new Uint16Array(text.length - escapes);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) === BACKSLASH) at += 1;
    units[length++] = text.charCodeAt(at);
  }
  return Buffer.from(units.buffer).toString('utf16le');
}

const dash = attempt(sequence(literal('-'), notAhead(literal('>'))));

/** Most dashes of a name: a name of PostgreSQL has at most 63 bytes. */
const MOST_DASHES = 63;

function joinedByDash(part: Parser<string>): Parser<string> {
  const joined = map(separated(part, dash, MOST_DASHES), (parts) => parts.join('-'));
  return (source, start) => {
    if (!isSilent(source)) return joined(source, start);
    const reply = part(source, start);
    return reply.ok && source.text.charCodeAt(reply.at) === DASH ? joined(source, start) : reply;
  };
}

const DASH = 45;

/** The name of a column, a relation, an alias or a hint. */
export const fieldName: Parser<string> = named(
  'field name (* or [a..z0..9_$])',
  either(quoted, joinedByDash(identifier)),
);

const keyPart = map(someCharacters(noneOf('(-:.,>)\0')), withoutEdges);
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
  | { readonly kind: 'index'; readonly index: string }
  | { readonly kind: 'key'; readonly key: string };

const stepTarget: Parser<StepTarget> = either<StepTarget>(
  attempt(map(index, (digits) => ({ kind: 'index', index: digits }))),
  attempt(map(jsonKey, (key) => ({ kind: 'key', key }))),
);

const jsonStep: Parser<JsonStep> = map(sequence(arrow, stepTarget), ([how, target]) => ({
  arrow: how,
  ...target,
}));

/** Most steps of a JSON path. */
const MOST_STEPS = 250;

/** `->a->>0`, possibly empty. */
const jsonPath: Parser<readonly JsonStep[]> = (source, at) =>
  isSilent(source) && source.text.charCodeAt(at) !== DASH ? NO_STEPS(source, at) : steps(source, at);

const steps = many(jsonStep, MOST_STEPS);
const NO_STEPS = succeed<readonly JsonStep[]>([]);

/** A name and a JSON path into it. */
export const field: Parser<Field> = lexeme(
  map(sequence(fieldName, jsonPath), ([name, path]) => ({ name, path })),
);

/** `alias:`, unless the colon begins a cast. */
export const alias: Parser<string | null> = (source, at) =>
  isSilent(source) && !mayHaveAlias(source.text, at) ? NO_ALIAS(source, at) : anyAlias(source, at);

const anyAlias = optional(attempt(before(fieldName, sequence(literal(':'), notAhead(literal(':'))))));
const NO_ALIAS = succeed(null);

/** Whether an alias may begin here: it ends with a colon, and only a quoted one has these characters. */
function mayHaveAlias(text: string, start: number): boolean {
  for (let at = start; at < text.length; at += 1)
    switch (text.charAt(at)) {
      case ':':
      case '"':
        return true;
      case ',':
      case '.':
      case '>':
      case '(':
      case ')':
        return false;
    }
  return false;
}

/** `::type` */
export const cast: Parser<string | null> = optional(after(literal('::'), identifier));

/** One or more fields separated by commas. */
export const fields: Parser<readonly Field[]> = separated(counted('fields', field), comma);

/** One or more names separated by commas: `columns` and `on_conflict`. */
export const columnNames: Parser<readonly string[]> = separated(counted('fields', fieldName), comma);

// Keys of query parameters: the path to an embedded resource, then a field, a logic operator or a reserved word.

/** `embed.embed.field->path` */
export interface TreePath {
  readonly path: EmbedPath;
  readonly field: Field;
}

/** A key of a filter, an order or a range. */
export const treePath: Parser<TreePath> = map(
  sequence(separated(fieldName, delimiter), jsonPath),
  ([names, path]) => ({ path: names.slice(0, -1), field: { name: names.at(-1) ?? '', path } }),
);

/** `embed.not.or` */
export interface LogicPath {
  readonly path: EmbedPath;
  readonly negated: boolean;
  readonly operator: LogicOperator;
}

const names = separated(fieldName, delimiter);

/** Parses the key of a logic tree. `not` may occur once, directly before the operator. */
export const logicPath: Parser<LogicPath> = (source, at) => {
  const reply = names(source, at);
  if (!reply.ok) return reply;
  const operator = reply.value.at(-1);
  const early = reply.value.slice(0, -2).indexOf('not');
  if (early >= 0 || (operator !== 'and' && operator !== 'or')) {
    const complaint: Complaint = {
      at: reply.at,
      found: null,
      refused: [],
      expected: ['logic operator (and, or)'],
    };
    return { ok: false, consumed: true, complaint };
  }
  const negated = reply.value.at(-2) === 'not';
  const path = reply.value.slice(0, negated ? -2 : -1);
  return { ...reply, value: { path, negated, operator } };
};
