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

/** Operands that several operators have. */
const VALUE = { operand: 'value', quantifiable: false } as const;
const QUANTIFIED = { operand: 'value', quantifiable: true } as const;
const PATTERN = { operand: 'pattern', quantifiable: true } as const;
const SEARCH = { operand: 'search', quantifiable: false } as const;

/**
 * SQL operators are not schema-qualified: types of extensions (citext, ltree, PostGIS) have their own operators,
 * which PostgreSQL finds on the search path after pg_catalog.
 */
export const OPERATORS = {
  eq: { ...QUANTIFIED, sql: '=', meaning: 'is equal' },
  neq: { ...VALUE, sql: '<>', meaning: 'is not equal' },
  gt: { ...QUANTIFIED, sql: '>', meaning: 'is greater' },
  gte: { ...QUANTIFIED, sql: '>=', meaning: 'is greater or equal' },
  lt: { ...QUANTIFIED, sql: '<', meaning: 'is less' },
  lte: { ...QUANTIFIED, sql: '<=', meaning: 'is less or equal' },
  like: { ...PATTERN, sql: 'like', meaning: 'matches a pattern in which `*` stands for any text' },
  ilike: { ...PATTERN, sql: 'ilike', meaning: 'as `like`, in upper or lower case' },
  match: { ...QUANTIFIED, sql: '~', meaning: 'matches a POSIX regular expression' },
  imatch: { ...QUANTIFIED, sql: '~*', meaning: 'as `match`, in upper or lower case' },
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
  fts: { ...SEARCH, sql: 'to_tsquery', meaning: 'matches a text search query' },
  plfts: { ...SEARCH, sql: 'plainto_tsquery', meaning: 'matches a text search for all words' },
  phfts: { ...SEARCH, sql: 'phraseto_tsquery', meaning: 'matches a text search for a phrase' },
  wfts: {
    ...SEARCH,
    sql: 'websearch_to_tsquery',
    meaning: 'matches a text search in the syntax of web searches',
  },
  cs: { ...VALUE, sql: '@>', meaning: 'contains (arrays, ranges, `jsonb`)' },
  cd: { ...VALUE, sql: '<@', meaning: 'is contained in' },
  ov: { ...VALUE, sql: '&&', meaning: 'overlaps' },
  sl: { ...VALUE, sql: '<<', meaning: 'is strictly left of a range' },
  sr: { ...VALUE, sql: '>>', meaning: 'is strictly right of a range' },
  nxr: { ...VALUE, sql: '&<', meaning: 'does not extend to the right of a range' },
  nxl: { ...VALUE, sql: '&>', meaning: 'does not extend to the left of a range' },
  adj: { ...VALUE, sql: '-|-', meaning: 'is adjacent to a range' },
} as const satisfies Readonly<Record<string, OperatorEntry>>;

export type Operator = keyof typeof OPERATORS;

/** Kinds of operands that are one text. */
type SingleValue = 'value' | 'verbatim' | 'pattern';

/** The operators whose entry has these members. */
type OperatorWith<E> = { [O in Operator]: (typeof OPERATORS)[O] extends E ? O : never }[Operator];

/** Operators with one value that take `(any)` and `(all)`. */
type QuantifiableOperator = OperatorWith<{ readonly quantifiable: true }>;
/** Operators with one value that take no quantifier. */
type PlainOperator = OperatorWith<{ readonly operand: SingleValue; readonly quantifiable: false }>;
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
