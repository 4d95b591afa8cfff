/** Filters of a view, and their conditions in the query string. */
import type { ColumnDetail, RelationDetail } from '../../server/answers.js';
import { plainText } from '../../../client/src/conditions.js';
import { parseJson } from './json.js';
import { filterKey, inQuotes, quoted } from './names.js';

export interface Filter {
  readonly column: string;
  readonly operator: string;
  /** What stands in the form; of an array the JSON of its elements. */
  readonly value: string;
}

/** Whether a row must fulfil all filters or one of them. */
export type Match = 'all' | 'any';

export interface Operator {
  readonly name: string;
  readonly label: string;
  readonly takesValue: boolean;
}

const operator = (name: string, label: string, takesValue = true): Operator => ({ name, label, takesValue });
const COMPARISONS = [
  operator('eq', '='),
  operator('neq', '≠'),
  operator('gt', '>'),
  operator('gte', '≥'),
  operator('lt', '<'),
  operator('lte', '≤'),
];
const NULLS = [operator('is.null', 'is null', false), operator('not.is.null', 'is not null', false)];
const LISTS = [operator('in', 'is one of')];
const ARRAYS = [operator('cs', 'contains'), operator('ov', 'has one of'), operator('eq', '=')];

export function operatorsOf({
  baseType,
  enumLabels,
}: Pick<ColumnDetail, 'baseType' | 'enumLabels'>): readonly Operator[] {
  if (baseType.endsWith('[]')) return [...ARRAYS, ...NULLS];
  if (baseType === 'jsonb') return [operator('cs', 'contains'), ...NULLS];
  if (baseType === 'json') return NULLS;
  if (baseType === 'boolean')
    return [operator('is.true', 'is true', false), operator('is.false', 'is false', false), ...NULLS];
  if (enumLabels.length > 0) return [...COMPARISONS.slice(0, 2), ...LISTS, ...NULLS];
  if (baseType === 'text' || baseType.startsWith('character') || baseType === 'citext')
    return [
      operator('ilike', 'contains'),
      operator('starts', 'begins with'),
      ...COMPARISONS,
      ...LISTS,
      ...NULLS,
    ];
  return [...COMPARISONS, ...LISTS, ...NULLS];
}

const escapePattern = (text: string): string => text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
const escapeExpression = (text: string): string =>
  text.replaceAll(/[\\^$.|?*+()[\]{}]/g, (character) => `\\${character}`);
const listItem = (text: string): string => inQuotes(text.trim());

/** An operator of the data API and what stands behind it. */
interface Condition {
  readonly operator: string;
  readonly value: string;
  /** Whether the value is a list in parentheses, or a word such as `null`, which a group takes as it is. */
  readonly isBare: boolean;
}

const condition = (name: string, value: string, isBare = false): Condition => ({
  operator: name,
  value,
  isBare,
});

function conditionOf({ operator: name, value }: Filter, isArray: boolean): Condition {
  // In a pattern `*` stands for any text, also behind a backslash.
  if (value.includes('*') && name === 'ilike') return condition('imatch', escapeExpression(value));
  if (value.includes('*') && name === 'starts') return condition('match', `^${escapeExpression(value)}`);
  switch (name) {
    case 'is.null':
    case 'not.is.null':
    case 'is.true':
    case 'is.false': {
      const end = name.lastIndexOf('.');
      return condition(name.slice(0, end), name.slice(end + 1), true);
    }
    case 'ilike':
      return condition('ilike', `%${escapePattern(value)}%`);
    case 'starts':
      return condition('like', `${escapePattern(value)}%`);
    case 'in':
      return condition('in', `(${value.split(',').map(listItem).join(',')})`, true);
    default:
      return condition(name, isArray ? arrayText(value) : value);
  }
}

/** The text of PostgreSQL of an array that is given as JSON; any other text as it is. */
function arrayText(value: string): string {
  try {
    const elements = parseJson(value);
    return Array.isArray(elements) ? plainText(elements) : value;
  } catch {
    return value;
  }
}

/** The pair of a filter in the query string. */
export function filterPair(filter: Filter, isArray = false): readonly [string, string] {
  const { operator: name, value } = conditionOf(filter, isArray);
  return [filterKey(filter.column), `${name}.${value}`];
}

/** The value within a group, in quotes where its characters would end it. */
const inGroup = ({ value, isBare }: Condition): string =>
  isBare || /^[^\s,.:()"'\\{}]+$/.test(value) ? value : inQuotes(value);

/** The pairs of the filters of a view: one for each, or one group where a row needs to fulfil one of them. */
export function filterPairs(
  { columns }: Pick<RelationDetail, 'columns'>,
  { filters, match }: { readonly filters: readonly Filter[]; readonly match: Match },
): readonly (readonly [string, string])[] {
  const arrays = new Set(columns.filter(({ baseType }) => baseType.endsWith('[]')).map(({ name }) => name));
  if (match === 'all' || filters.length < 2)
    return filters.map((filter) => filterPair(filter, arrays.has(filter.column)));
  const terms = filters.map((filter) => {
    const found = conditionOf(filter, arrays.has(filter.column));
    return `${quoted(filter.column)}.${found.operator}.${inGroup(found)}`;
  });
  return [['or', `(${terms.join(',')})`]];
}
