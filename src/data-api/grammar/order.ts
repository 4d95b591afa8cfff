/** The `order` parameter (data API §1.5). */
import type { OrderTerm } from './ast.js';
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

const relatedTerm: Parser<OrderTerm> = map(
  sequence(fieldName, between(literal('('), field, literal(')')), direction, before(nulls, termEnd)),
  ([relation, of, towards, placed]) => ({ relation, field: of, direction: towards, nulls: placed }),
);

const ownTerm: Parser<OrderTerm> = map(
  sequence(field, direction, before(nulls, termEnd)),
  ([of, towards, placed]) => ({ relation: null, field: of, direction: towards, nulls: placed }),
);

/** One or more terms separated by commas. */
export const orderTerms: Parser<readonly OrderTerm[]> = separated(
  counted('fields', lexeme(either(attempt(relatedTerm), ownTerm))),
  literal(','),
);
