/**
 * The operators of filters (data API §1.3): one entry gives an operator its type, its parser, its shape, its SQL and its line
 * in the manual.
 */

/**
 * The operand after the operator's dot.
 * `value`: a value; a domain with a cast from text converts it by that cast. `verbatim`: a value that only PostgreSQL
 * converts.
 * `pattern`: a value in which each `*` stands for any text (`%` in PostgreSQL). `list`: `(a,b,"c,d")`. `keyword`: a
 * word of SQL.
 * `search`: a text search query; the operator may name a configuration, `fts(french)`.
 */
export type OperandKind = 'value' | 'verbatim' | 'pattern' | 'list' | 'keyword' | 'search';

interface OperatorEntry {
  readonly operand: OperandKind;
  /** Takes `(any)` and `(all)`: `eq(any).{1,2}`. */
  readonly quantifiable: boolean;
  /** The operator of PostgreSQL; for a search, the function that creates the query. */
  readonly sql: string;
  /** Description in the manual. */
  readonly meaning: string;
}

/**
 * SQL operators are not schema-qualified: types of extensions (citext, ltree, PostGIS) have their own operators,
 * which PostgreSQL finds on the search path after pg_catalog.
 */
export const OPERATORS = {
  eq: { operand: 'value', quantifiable: true, sql: '=', meaning: 'is equal' },
  neq: { operand: 'value', quantifiable: false, sql: '<>', meaning: 'is not equal' },
  gt: { operand: 'value', quantifiable: true, sql: '>', meaning: 'is greater' },
  gte: { operand: 'value', quantifiable: true, sql: '>=', meaning: 'is greater or equal' },
  lt: { operand: 'value', quantifiable: true, sql: '<', meaning: 'is less' },
  lte: { operand: 'value', quantifiable: true, sql: '<=', meaning: 'is less or equal' },
  like: {
    operand: 'pattern',
    quantifiable: true,
    sql: 'like',
    meaning: 'matches a pattern in which `*` stands for any text',
  },
  ilike: {
    operand: 'pattern',
    quantifiable: true,
    sql: 'ilike',
    meaning: 'as `like`, in upper or lower case',
  },
  match: { operand: 'value', quantifiable: true, sql: '~', meaning: 'matches a POSIX regular expression' },
  imatch: { operand: 'value', quantifiable: true, sql: '~*', meaning: 'as `match`, in upper or lower case' },
  in: { operand: 'list', quantifiable: false, sql: '= any', meaning: 'is one of a list: `in.(1,2,"a,b")`' },
  is: {
    operand: 'keyword',
    quantifiable: false,
    sql: 'is',
    meaning: 'is `null`, `true`, `false` or `unknown`; with `compatibility-level = 16` also `not_null`',
  },
  isdistinct: {
    operand: 'verbatim',
    quantifiable: false,
    sql: 'is distinct from',
    meaning: 'is different, with null as a value',
  },
  fts: { operand: 'search', quantifiable: false, sql: 'to_tsquery', meaning: 'matches a text search query' },
  plfts: {
    operand: 'search',
    quantifiable: false,
    sql: 'plainto_tsquery',
    meaning: 'matches a text search for all words',
  },
  phfts: {
    operand: 'search',
    quantifiable: false,
    sql: 'phraseto_tsquery',
    meaning: 'matches a text search for a phrase',
  },
  wfts: {
    operand: 'search',
    quantifiable: false,
    sql: 'websearch_to_tsquery',
    meaning: 'matches a text search in the syntax of web searches',
  },
  cs: { operand: 'value', quantifiable: false, sql: '@>', meaning: 'contains (arrays, ranges, `jsonb`)' },
  cd: { operand: 'value', quantifiable: false, sql: '<@', meaning: 'is contained in' },
  ov: { operand: 'value', quantifiable: false, sql: '&&', meaning: 'overlaps' },
  sl: { operand: 'value', quantifiable: false, sql: '<<', meaning: 'is strictly left of a range' },
  sr: { operand: 'value', quantifiable: false, sql: '>>', meaning: 'is strictly right of a range' },
  nxr: {
    operand: 'value',
    quantifiable: false,
    sql: '&<',
    meaning: 'does not extend to the right of a range',
  },
  nxl: {
    operand: 'value',
    quantifiable: false,
    sql: '&>',
    meaning: 'does not extend to the left of a range',
  },
  adj: { operand: 'value', quantifiable: false, sql: '-|-', meaning: 'is adjacent to a range' },
} as const satisfies Readonly<Record<string, OperatorEntry>>;

export type Operator = keyof typeof OPERATORS;

/** Kinds of operands that are one text. */
type SingleValue = 'value' | 'verbatim' | 'pattern';

/** The operators whose entry has these members. */
type OperatorWith<E> = { [O in Operator]: (typeof OPERATORS)[O] extends E ? O : never }[Operator];

/** Operators with one value that take `(any)` and `(all)`. */
export type QuantifiableOperator = OperatorWith<{ readonly quantifiable: true }>;
/** Operators with one value that take no quantifier. */
export type PlainOperator = OperatorWith<{ readonly operand: SingleValue; readonly quantifiable: false }>;
/** Operators with one value. */
export type ComparisonOperator = QuantifiableOperator | PlainOperator;
/** Operators of text search. */
export type SearchOperator = OperatorWith<{ readonly operand: 'search' }>;

const isQuantifiable = (operator: Operator): operator is QuantifiableOperator =>
  OPERATORS[operator].quantifiable;
const isSearch = (operator: Operator): operator is SearchOperator => OPERATORS[operator].operand === 'search';
const SINGLE_VALUES: ReadonlySet<OperandKind> = new Set<SingleValue>(['value', 'verbatim', 'pattern']);
const isPlain = (operator: Operator): operator is PlainOperator =>
  !isQuantifiable(operator) && SINGLE_VALUES.has(OPERATORS[operator].operand);

const isOperator = (word: string): word is Operator => Object.hasOwn(OPERATORS, word);

/** Sorted so that longer words come before those that they begin with. */
const WORDS: readonly Operator[] = Object.keys(OPERATORS)
  .filter(isOperator)
  .sort((left, right) => right.length - left.length);

export const QUANTIFIABLE_OPERATORS: readonly QuantifiableOperator[] = WORDS.filter(isQuantifiable);
export const PLAIN_OPERATORS: readonly PlainOperator[] = WORDS.filter(isPlain);
export const SEARCH_OPERATORS: readonly SearchOperator[] = WORDS.filter(isSearch);
