/** The parameters `select` (data API §1.4) and `order` (§1.5), and `columns` where it names the keys of a graph. */
import type {
  Aggregate,
  AggregateFunction,
  ColumnRelation,
  ColumnTree,
  JoinKind,
  LogicTree,
  OrderTerm,
  Search,
  SelectItem,
} from './ast.js';
import { groupTerms, search } from './filter.js';
import { alias, cast, comma, delimiter, field, fieldName, lexeme, rest } from './names.js';
import {
  after,
  ahead,
  attempt,
  before,
  between,
  counted,
  either,
  isSilent,
  map,
  nested,
  optional,
  type Parser,
  quiet,
  type ParseStep,
  separated,
  sequence,
  succeed,
  end,
  literal,
} from './parser.js';

/** A parameter of an embed, after `!`. */
type EmbedParameter =
  | { readonly kind: 'join'; readonly join: JoinKind }
  | { readonly kind: 'hint'; readonly hint: string };

const embedParameter: Parser<EmbedParameter> = after(
  literal('!'),
  either<EmbedParameter>(
    attempt(map(literal('left'), (join) => ({ kind: 'join', join }))),
    attempt(map(literal('inner'), (join) => ({ kind: 'join', join }))),
    attempt(map(fieldName, (hint) => ({ kind: 'hint', hint }))),
  ),
);

interface EmbedParameters {
  readonly hint: string | null;
  readonly join: JoinKind | null;
}

/** Up to two parameters in any order; the first of each kind is used. */
const embedParameters: Parser<EmbedParameters> = map(
  sequence(optional(embedParameter), optional(embedParameter)),
  (given) => {
    const join = given.find((one) => one?.kind === 'join');
    const hint = given.find((one) => one?.kind === 'hint');
    return {
      join: join?.kind === 'join' ? join.join : null,
      hint: hint?.kind === 'hint' ? hint.hint : null,
    };
  },
);

const opensParenthesis = attempt(ahead(literal('(')));

/** `count` is the aggregate's name, never a relation's. */
const relationName: Parser<string> = (source, at): ParseStep<string> => {
  const reply = fieldName(source, at);
  if (!reply.ok || reply.value !== 'count') return reply;
  return { ok: false, consumed: true, complaint: reply.complaint };
};

const spreadHead = counted(
  'embeds',
  attempt(lexeme(before(sequence(after(literal('...'), fieldName), embedParameters), opensParenthesis))),
);
const relationWords = sequence(alias, relationName, embedParameters);

/** `alias:name!hint`, before a parenthesis. */
const relationHead = counted('embeds', attempt(lexeme(before(relationWords, opensParenthesis))));

/** `alias:name!hint` without a parenthesis, as a key of a body. */
export const relationKey = relationWords;

// The body of an embed contains select items, so the parser refers to itself by a function.
const body: Parser<readonly SelectItem[]> = (source, at) =>
  between(literal('('), selectItems, literal(')'))(source, at);

const spread: Parser<SelectItem> = map(
  sequence(spreadHead, nested(body)),
  ([[name, parameters], select]) => ({ kind: 'spread', name, ...parameters, select }),
);
const relation: Parser<SelectItem> = map(
  sequence(relationHead, nested(body)),
  ([[as, name, parameters], select]) => ({ kind: 'relation', alias: as, name, ...parameters, select }),
);

const itemEnd = either<unknown>(attempt(ahead(literal(')'))), attempt(ahead(literal(','))), end);

const all: Parser<SelectItem> = attempt(map(before(literal('*'), itemEnd), () => ({ kind: 'all' })));

/** `.filter(condition,condition)` after an aggregate: all conditions hold for the rows that it aggregates. */
const aggregateFilter: Parser<readonly LogicTree[] | null> = optional(
  after(quiet(literal('.filter')), groupTerms),
);

const count: Parser<SelectItem> = attempt(
  map(sequence(alias, literal('count()'), aggregateFilter, cast, itemEnd), ([as, , filter, type]) => ({
    kind: 'count',
    alias: as,
    ...(filter === null ? {} : { filter }),
    cast: type,
  })),
);

const aggregateFunction: Parser<AggregateFunction> = either<AggregateFunction>(
  literal('sum'),
  literal('avg'),
  literal('count'),
  attempt(literal('max')),
  attempt(literal('min')),
);
/** Whether equal values count once. */
const aggregateArguments = either<boolean>(
  map(quiet(literal('(distinct)')), () => true),
  map(literal('()'), () => false),
);
const aggregateCall = attempt(sequence(after(literal('.'), aggregateFunction), aggregateArguments));

/** Consumes no text. Only an aggregate may have a cast here, but errors name `::` as expected. */
const noCast: Parser<null> = (source, at) => {
  const reply = literal('::')(source, at);
  return { ok: true, consumed: false, at, value: null, complaint: reply.ok ? null : reply.complaint };
};

const aggregate: Parser<Aggregate | null> = either<Aggregate | null>(
  map(sequence(aggregateCall, aggregateFilter, cast), ([[called, distinct], filter, type]) => ({
    function: called,
    ...(distinct ? { distinct } : {}),
    ...(filter === null ? {} : { filter }),
    cast: type,
  })),
  noCast,
);

const column: Parser<SelectItem> = map(
  sequence(alias, field, cast, aggregate, itemEnd),
  ([as, of, type, aggregated]) => ({
    kind: 'field',
    alias: as,
    field: of,
    cast: type,
    aggregate: aggregated,
  }),
);

const plainItem = counted('fields', lexeme(either(all, count, column)));
const anyItem = either(spread, relation, plainItem);

const item: Parser<SelectItem> = (source, at) =>
  isSilent(source) && !mayEmbed(source.text, at) ? plainItem(source, at) : anyItem(source, at);

/** Whether an embed or a spread may begin here: it has a parenthesis before the end of the item. */
function mayEmbed(text: string, start: number): boolean {
  for (let at = start; at < text.length; at += 1)
    switch (text.charAt(at)) {
      case '(':
      case '"':
        return true;
      case '.':
        return text.startsWith('...', at);
      case ',':
      case ')':
        return false;
    }
  return false;
}

/** Items separated by commas, or none. */
const selectItems: Parser<readonly SelectItem[]> = either<readonly SelectItem[]>(
  separated(item, comma),
  succeed([]),
);

/**
 * The whole parameter. If it begins with a comma, it selects all columns and the rest is ignored, because existing
 * clients send this form.
 */
export const selectParameter: Parser<readonly SelectItem[]> = (source, at) =>
  source.text[at] === ',' ? map(rest, () => [])(source, at) : selectItems(source, at);

// The `order` parameter.

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
  counted('fields', lexeme(either(attempt(relatedTerm), ownTerm))),
  literal(','),
);

// The `columns` parameter with related resources.

type ColumnItem =
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'relation'; readonly relation: ColumnRelation };

// A related resource contains items, so the parser refers to itself by a function.
const columnBody: Parser<ColumnTree> = (source, at) =>
  between(literal('('), columnTree, literal(')'))(source, at);

const columnRelation: Parser<ColumnItem> = map(
  sequence(relationHead, nested(columnBody)),
  ([[alias, name, { hint }], tree]) => ({
    kind: 'relation',
    relation: { key: alias ?? name, name, hint, tree },
  }),
);

const plainColumn: Parser<ColumnItem> = map(counted('fields', fieldName), (name) => ({
  kind: 'column',
  name,
}));

/** Columns and related resources, separated by commas. */
export const columnTree: Parser<ColumnTree> = map(
  separated(either(columnRelation, plainColumn), comma),
  (items) => ({
    columns: items.flatMap((item) => (item.kind === 'column' ? [item.name] : [])),
    relations: items.flatMap((item) => (item.kind === 'relation' ? [item.relation] : [])),
  }),
);
