/** Splits an expression of a policy, as PostgreSQL prints it, into terms that can be evaluated one by one. */

export interface Terms {
  readonly join: 'and' | 'or';
  /** Balanced texts. One term has the whole expression. */
  readonly terms: readonly string[];
}

/** A piece of an expression: a word or an operator outside of parentheses and quotes, or everything between two of them. */
interface Piece {
  readonly from: number;
  readonly to: number;
  /** A word in capitals or an operator; null for anything in parentheses or quotes. */
  readonly mark: string | null;
}

const QUOTED = /E?'(?:[^'\\]|''|\\.)*'|"(?:[^"]|"")*"/y;
const PLAIN_QUOTED = /'(?:[^']|'')*'/y;
const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const OPERATOR = /[-+*/<>=~!@#%^&|`?]+/y;

/** Reads the pieces at the outermost level. Null if a quote or a parenthesis does not end. */
function piecesOf(text: string): readonly Piece[] | null {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '(' || character === '[') {
      const end = closing(text, at);
      if (end === null) return null;
      pieces.push({ from: at, to: end, mark: null });
      at = end;
      continue;
    }
    if (character === ')' || character === ']') return null;
    const quoted = matchAt(character === "'" ? PLAIN_QUOTED : QUOTED, text, at);
    if (quoted !== null) {
      pieces.push({ from: at, to: at + quoted.length, mark: null });
      at += quoted.length;
      continue;
    }
    if (character === "'" || character === '"') return null;
    const mark = matchAt(WORD, text, at) ?? matchAt(OPERATOR, text, at);
    if (mark !== null) pieces.push({ from: at, to: at + mark.length, mark });
    at += mark?.length ?? 1;
  }
  return pieces;
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** The place behind the parenthesis that closes the one at `at`; null if none does. */
function closing(text: string, at: number): number | null {
  let depth = 0;
  let place = at;
  while (place < text.length) {
    const character = text.charAt(place);
    const quoted = matchAt(character === "'" ? PLAIN_QUOTED : QUOTED, text, place);
    if (quoted !== null) {
      place += quoted.length;
      continue;
    }
    if (character === '(' || character === '[') depth += 1;
    if (character === ')' || character === ']') depth -= 1;
    place += 1;
    if (depth === 0) return place;
  }
  return null;
}

/** Removes parentheses around the whole text. */
function withoutParentheses(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith('(') && closing(trimmed, 0) === trimmed.length
    ? withoutParentheses(trimmed.slice(1, -1))
    : trimmed;
}

/** Splits at AND, or else at OR, of the outermost level. `BETWEEN … AND …` and CASE are not split. */
export function termsOf(expression: string): Terms {
  const text = withoutParentheses(expression);
  const pieces = piecesOf(text) ?? [];
  const has = (word: string): boolean => pieces.some(({ mark }) => mark === word);
  if (has('BETWEEN') || has('CASE')) return { join: 'and', terms: [text] };
  // AND binds more tightly, so that a text with both is a disjunction.
  const join = has('OR') ? 'or' : 'and';
  const word = join.toUpperCase();
  const terms: string[] = [];
  let from = 0;
  for (const piece of pieces) {
    if (piece.mark !== word) continue;
    terms.push(withoutParentheses(text.slice(from, piece.from)));
    from = piece.to;
  }
  terms.push(withoutParentheses(text.slice(from)));
  return { join, terms };
}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '<>', '<', '>', '<=', '>=']);
/** With one of these words, the text on a side of the operator is not an expression by itself. */
const OTHER_GRAMMAR: ReadonlySet<string> = new Set([
  ...['NOT', 'IS', 'IN', 'LIKE', 'ILIKE', 'BETWEEN', 'CASE', 'AND', 'OR', 'ANY', 'ALL', 'SOME', 'DISTINCT'],
  ...['SIMILAR', 'EXISTS', 'SELECT', 'ARRAY', 'ROW', 'OPERATOR', 'OVERLAPS'],
]);

/** Both sides of a comparison; empty for any other term. */
export function sidesOf(term: string): readonly string[] {
  const pieces = piecesOf(term);
  if (pieces === null || pieces.some(({ mark }) => mark !== null && OTHER_GRAMMAR.has(mark))) return [];
  const operators = pieces.filter(({ mark }) => mark !== null && COMPARISONS.has(mark));
  const [operator] = operators;
  if (operators.length !== 1 || operator === undefined) return [];
  return [term.slice(0, operator.from), term.slice(operator.to)].map(withoutParentheses);
}

/** The columns that a term names. */
export function columnsIn(term: string, columns: readonly string[]): readonly string[] {
  const names = new Set<string>();
  const pattern = /'(?:[^']|'')*'|"((?:[^"]|"")*)"|([\p{L}_][\p{L}\p{N}_$]*)(\s*\()?/gu;
  for (const [, quoted, word, call] of term.matchAll(pattern)) {
    if (quoted !== undefined) names.add(quoted.replaceAll('""', '"'));
    else if (word !== undefined && call === undefined) names.add(word);
  }
  return columns.filter((column) => names.has(column));
}

/** Types of PostgreSQL, as it prints them. A cast to any other may call a function. */
const TYPE =
  'text|uuid|jsonb?|boolean|smallint|integer|bigint|numeric|double precision|character varying|date|timestamp with(?:out)? time zone';
const CAST = String.raw`::(?:${TYPE})\b(?:\(\d+(?:,\d+)?\))?(?:\[\])?`;
const IDENTIFIER = String.raw`(?:[\p{L}_][\p{L}\p{N}_$]*|"(?:[^"]|"")*")`;
const CONSTANT = String.raw`E'(?:[^'\\]|''|\\.)*'(?!')|'(?:[^']|'')*'(?!')|\b\d+(?:\.\d+)?\b|\b(?:true|false|NULL)\b`;
const CLAIM = String.raw`\bcurrent_setting\('request\.jwt\.claims?(?:\.[^']*)?'(?:::text)?(?:, (?:true|false))?\)`;
/** What stands around claims: `NULLIF(…)`, `->>`, `( SELECT … AS "?column?")`. */
const AROUND_CLAIM = String.raw`[\s(),]|->>?|#>>?|\b(?:NULLIF|COALESCE|SELECT)\b|\bAS ${IDENTIFIER}`;
const CLAIM_OR_CONSTANT = new RegExp(`^(?:${CLAIM}|${CONSTANT}|${CAST}|${AROUND_CLAIM})*$`, 'u');
const NAME = new RegExp(String.raw`^\(*(?:${IDENTIFIER}\.)?${IDENTIFIER}(?:\)|${CAST})*$`, 'u');

/**
 * Whether a side of a comparison is a column, a constant or a claim of the token: the caller has these. Any other may call a
 * function, which may read what the caller may not.
 */
export const isOfCaller = (side: string, columns: readonly string[]): boolean =>
  CLAIM_OR_CONSTANT.test(side) || (NAME.test(side) && columnsIn(side, columns).length > 0);
