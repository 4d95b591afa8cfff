/** Limits of a query string. A query string beyond a limit is refused before planning. */
import type { ParseFailure } from './complaint.js';

export interface QueryLimits {
  /** Levels of nesting, of embeds and of logic (`db-max-depth`). */
  readonly maxDepth: number;
  /** Embeds and spreads in `select` (`db-max-embeds`). */
  readonly maxEmbeds: number;
  /** Filters, and conditions in logic trees (`db-max-conditions`). */
  readonly maxConditions: number;
  /** Names in `select`, `order`, `columns` and `on_conflict` (`db-max-fields`). */
  readonly maxFields: number;
}

export const DEFAULT_LIMITS: QueryLimits = {
  maxDepth: 64,
  maxEmbeds: 50,
  maxConditions: 1000,
  maxFields: 1664,
};

/** Most parameters of a query string: each condition has one, and as many may be of another kind or be ignored. */
export const mostParameters = ({ maxConditions }: QueryLimits): number => 2 * maxConditions;

/** Most elements of the lists of a query. */
export const MOST_ELEMENTS = 131_072;

export const TOO_MANY_ELEMENTS: ParseFailure = {
  message: 'The query string has too many elements of lists',
  details: `It has at most ${String(MOST_ELEMENTS)}`,
};

/** Longest value of a query, in UTF-16 code units. Several steps of a request copy a value as a whole. */
export const LONGEST_VALUE = 1_048_576;

export const TOO_LONG_VALUE: ParseFailure = {
  message: 'The query string has a value that is too long',
  details: `It has at most ${String(LONGEST_VALUE)} characters`,
};

/**
 * Most characters of a query string beside the values of filters: names, `select`, `order`, logic and lists of columns. Their
 * parse is not interrupted, and takes less than a microsecond a character.
 */
export const LONGEST_GRAMMAR = 16_384;

export const TOO_LONG_GRAMMAR: ParseFailure = {
  message: 'The query string is too long',
  details: `It has at most ${String(LONGEST_GRAMMAR)} characters beside the values of filters`,
};

/** Longest alias of `select` in bytes. PostgreSQL truncates longer names, which could make two of them equal. */
const LONGEST_ALIAS = 63;

export const TOO_LONG_ALIAS: ParseFailure = {
  message: 'The select parameter has an alias that is too long',
  details: `It has at most ${String(LONGEST_ALIAS)} bytes`,
};

/** Whether an alias is longer than a name of PostgreSQL. */
export const isTooLongAlias = (alias: string): boolean =>
  alias.length > LONGEST_ALIAS || Buffer.byteLength(alias) > LONGEST_ALIAS;

export type Countable = 'embeds' | 'conditions' | 'fields';

/** The number of embeds, conditions and fields read so far. */
export interface QueryCount {
  readonly limits: QueryLimits;
  embeds: number;
  conditions: number;
  fields: number;
}

export const startCount = (limits: QueryLimits): QueryCount => ({
  limits,
  embeds: 0,
  conditions: 0,
  fields: 0,
});

const LIMITS = {
  embeds: 'maxEmbeds',
  conditions: 'maxConditions',
  fields: 'maxFields',
} as const satisfies Record<Countable, keyof QueryLimits>;

/** Increments a count. Returns false if the count exceeds its limit. */
export function countOne(count: QueryCount, what: Countable): boolean {
  count[what] += 1;
  return count[what] <= count.limits[LIMITS[what]];
}

/** Returns the reason why a query string is too large, or null. */
export function excessOf({ limits, embeds, conditions, fields }: QueryCount): ParseFailure | null {
  if (embeds > limits.maxEmbeds) return excess('embedded resources', 'db-max-embeds', limits.maxEmbeds);
  if (conditions > limits.maxConditions)
    return excess('conditions', 'db-max-conditions', limits.maxConditions);
  if (fields > limits.maxFields) return excess('fields', 'db-max-fields', limits.maxFields);
  return null;
}

/** Returns the reason why a query string has too many items of a kind. */
export const excess = (what: string, setting: string, most: number): ParseFailure => ({
  message: `The query string has too many ${what}`,
  details: `${setting} allows at most ${String(most)}`,
});
