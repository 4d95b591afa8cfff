/** The `and` and `or` parameters (data API §1.3). */
import type { LogicGroup, LogicOperator, LogicTree } from './ast.js';
import { groupValue, negation, operation } from './filter.js';
import { comma, delimiter, field, lexeme, rest } from './names.js';
import {
  attempt,
  before,
  between,
  counted,
  either,
  map,
  named,
  nested,
  optional,
  type Parser,
  remembered,
  separated,
  sequence,
} from './parser.js';
import { literal } from './text-parsers.js';

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

const tree: Parser<LogicTree> = remembered(either<LogicTree>(filter, group));

/** `(term,term)` and, after a comma, text that is ignored: the rest of a group that a stray parenthesis has closed. */
export const cutGroupTerms: Parser<readonly LogicTree[]> = before(
  groupTerms,
  optional(sequence(literal(','), rest)),
);
