import type { PlainOperator, QuantifiableOperator, SearchFunction } from '../grammar/ast.js';
import type { Condition } from '../plan/plan.js';
import { fieldSql, nameSql } from './field.js';
import type { Slots } from './sql-text.js';

/** Writes `exists (…)` for the embed with this alias. */
export type RelatedSql = (embed: string) => string;

/**
 * PostgreSQL's operators. They are not schema-qualified: types of extensions (citext, ltree, PostGIS) bring their own,
 * found along the search path, where pg_catalog comes first.
 */
const OPERATORS: Readonly<Record<QuantifiableOperator | PlainOperator, string>> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  isdistinct: 'is distinct from',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
};

const SEARCH_FUNCTIONS: Readonly<Record<SearchFunction, string>> = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
};

/** What must hold, as one boolean expression (data API §1.3). Values are parameters whose types PostgreSQL infers. */
export function conditionSql(condition: Condition, slots: Slots, related: RelatedSql): string {
  const positive = positiveSql(condition, slots, related);
  if (!condition.negated) return positive;
  return condition.kind === 'related' || condition.kind === 'logic' ? `not ${positive}` : `not (${positive})`;
}

function positiveSql(condition: Condition, slots: Slots, related: RelatedSql): string {
  switch (condition.kind) {
    case 'logic': {
      const terms = condition.terms.map((term) => conditionSql(term, slots, related));
      return `(${terms.join(` ${condition.operator} `)})`;
    }
    case 'comparison':
      return comparisonSql(condition, slots);
    case 'in': {
      const field = fieldSql(condition.field, slots);
      const list = slots.place(condition.operand);
      if (condition.representation === null) return `${field} = any (${list})`;
      return `${field} = any (${eachRepresented(nameSql(condition.representation), list)})`;
    }
    case 'is':
      return `${fieldSql(condition.field, slots)} is ${condition.keyword}`;
    case 'search': {
      const search = `pg_catalog.${SEARCH_FUNCTIONS[condition.function]}`;
      const field = fieldSql(condition.field, slots);
      const language = condition.language === null ? '' : `${slots.place(condition.language)}, `;
      return `${field} @@ ${search}(${language}${slots.place(condition.operand)})`;
    }
    case 'related':
      return related(condition.embed);
  }
}

function comparisonSql(condition: Extract<Condition, { kind: 'comparison' }>, slots: Slots): string {
  const field = fieldSql(condition.field, slots);
  const operator = OPERATORS[condition.operator];
  const value = slots.place(condition.operand);
  if (condition.quantifier === null) {
    const operand =
      condition.representation === null
        ? value
        : `${nameSql(condition.representation)}(${value}::pg_catalog.text)`;
    return `${field} ${operator} ${operand}`;
  }
  const operand =
    condition.representation === null ? value : eachRepresented(nameSql(condition.representation), value);
  return `${field} ${operator} ${condition.quantifier} (${operand})`;
}

const eachRepresented = (representation: string, list: string): string =>
  `select ${representation}(pg_catalog.unnest(${list}::pg_catalog.text[]))`;
