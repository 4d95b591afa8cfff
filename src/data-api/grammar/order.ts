/** The `order` parameter (data API §1.5). */
import type { OrderTerm, Search } from './ast.js';
import { search } from './filter.js';
import { delimiter, field, fieldName, lexeme } from './names.js';
import {
  after,
  ahead,
  attempt,
  before,
  between,
  counted,
  either,
  map,
  optional,
  type Parser,
  quiet,
  remembered,
  separated,
  sequence,
} from './parser.js';
import { end, literal } from './text-parsers.js';

const direction = optional(
  either<'asc' | 'desc'>(
    attempt(after(delimiter, literal('asc'))),
    attempt(after(delimiter, literal('desc'))),
  ),
);

const nulls = optional(
  either<'first' | 'last'>(
    map(attempt(after(delimiter, literal('nullsfirst'))), () => 'first'),
    map(attempt(after(delimiter, literal('nullslast'))), () => 'last'),
  ),
);

const termEnd = either<unknown>(attempt(ahead(literal(','))), end);

/** `.rank(fts(english).query)` after a field. */
const rank: Parser<{ readonly rank?: Search }> = map(
  optional(between(quiet(literal('.rank(')), search, literal(')'))),
  (found) => (found === null ? {} : { rank: found }),
);

const relatedTerm: Parser<OrderTerm> = map(
  sequence(
    fieldName,
    between(literal('('), sequence(field, rank), literal(')')),
    direction,
    before(nulls, termEnd),
  ),
  ([relation, [of, ranked], towards, placed]) => ({
    relation,
    field: of,
    ...ranked,
    direction: towards,
    nulls: placed,
  }),
);

const ownTerm: Parser<OrderTerm> = map(
  sequence(field, rank, direction, before(nulls, termEnd)),
  ([of, ranked, towards, placed]) => ({
    relation: null,
    field: of,
    ...ranked,
    direction: towards,
    nulls: placed,
  }),
);

/** One or more terms separated by commas. */
export const orderTerms: Parser<readonly OrderTerm[]> = separated(
  remembered(counted('fields', lexeme(either(attempt(relatedTerm), ownTerm)))),
  literal(','),
);
