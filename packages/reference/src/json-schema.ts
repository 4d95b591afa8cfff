/** Schemas of JSON: types, constraints, members and examples. */
import { textOf, type Json, type JsonRow } from '../../console/page/src/json.js';
import { entriesOf, listOf, referenceOf, resolve } from './description.js';

/** The type in a few words. */
export function typeOf(document: JsonRow, schema: Json | undefined): string {
  const found = resolve(document, schema);
  const alternatives = alternativesOf(found);
  if (alternatives.length > 0)
    return [...new Set(alternatives.map((each) => referenceOf(each) ?? typeOf(document, each)))].join(' or ');
  const types = (Array.isArray(found['type']) ? listOf(found['type']) : [found['type']]).map(textOf);
  const items = found['items'];
  const named = types
    .filter((type) => type !== '')
    .map((type) =>
      type === 'array' && items !== undefined
        ? `array of ${referenceOf(items) ?? typeOf(document, items)}`
        : type,
    );
  const format = textOf(found['format']);
  const type = named.length === 0 ? (referenceOf(schema) ?? 'any value') : named.join(' or ');
  return format === '' ? type : `${type} (${format})`;
}

export const alternativesOf = (schema: JsonRow): readonly Json[] => [
  ...listOf(schema['anyOf']),
  ...listOf(schema['oneOf']),
];

const LIMITS: readonly (readonly [keyword: string, words: string])[] = [
  ['const', 'always'],
  ['minimum', 'at least'],
  ['exclusiveMinimum', 'more than'],
  ['maximum', 'at most'],
  ['exclusiveMaximum', 'less than'],
  ['minLength', 'shortest length'],
  ['maxLength', 'longest length'],
  ['minItems', 'fewest items'],
  ['maxItems', 'most items'],
  ['pattern', 'pattern'],
  ['default', 'default'],
];

/** What values must be, beside their type. */
export function limitsOf(document: JsonRow, schema: Json | undefined): readonly string[] {
  const found = resolve(document, schema);
  const labels = listOf(found['enum']);
  return [
    ...(labels.length === 0 ? [] : [`one of ${labels.map((label) => textOf(label) || 'null').join(', ')}`]),
    ...LIMITS.flatMap(([keyword, words]) =>
      found[keyword] === undefined ? [] : [`${words} ${textOf(found[keyword]) || 'null'}`],
    ),
    ...(found['uniqueItems'] === true ? ['no item twice'] : []),
    ...(found['readOnly'] === true ? ['read-only'] : []),
  ];
}

export interface Member {
  readonly name: string;
  readonly schema: Json;
  readonly isRequired: boolean;
}

/** Members of an object, with those of the schemas that it combines. */
export function membersOf(document: JsonRow, schema: Json | undefined, depth = 0): readonly Member[] {
  const found = resolve(document, schema);
  if (depth > 8) return [];
  const required = new Set(listOf(found['required']).map(textOf));
  const own = entriesOf(found['properties']).map(([name, member]) => ({
    ...{ name, schema: member },
    isRequired: required.has(name),
  }));
  const combined = listOf(found['allOf']).flatMap((each) => membersOf(document, each, depth + 1));
  const all = new Map(
    [
      ...combined.map((each) => ({ ...each, isRequired: each.isRequired || required.has(each.name) })),
      ...own,
    ].map((each) => [each.name, each]),
  );
  return [...all.values()];
}

/** Depth at which examples end, also those of schemas that contain themselves. */
const DEEPEST = 5;

/**
 * A value of the schema.
 * @param shown `required` for the members that are required, or the first if none is: the least that can be sent
 */
export function exampleOf(
  document: JsonRow,
  schema: Json | undefined,
  shown: 'required' | 'all' = 'required',
  depth = 0,
): Json {
  if (depth > DEEPEST) return null;
  const found = resolve(document, schema);
  for (const known of [
    found['const'],
    found['example'],
    listOf(found['examples'])[0],
    found['default'],
    listOf(found['enum'])[0],
  ])
    if (known !== undefined) return known;
  const [first] = alternativesOf(found);
  if (first !== undefined) return exampleOf(document, first, shown, depth + 1);
  const members = membersOf(document, schema);
  if (members.length > 0) {
    const required = members.filter(({ isRequired }) => isRequired);
    const chosen = shown === 'all' ? members : required.length > 0 ? required : members.slice(0, 1);
    return Object.fromEntries(
      chosen.map((each) => [each.name, exampleOf(document, each.schema, shown, depth + 1)]),
    );
  }
  const type = textOf(Array.isArray(found['type']) ? listOf(found['type'])[0] : found['type']);
  switch (type) {
    case 'array':
      return found['items'] === undefined || depth > 4
        ? []
        : [exampleOf(document, found['items'], shown, depth + 1)];
    case 'integer':
    case 'number':
      return found['minimum'] ?? 0;
    case 'boolean':
      return false;
    case 'string':
      return EXAMPLES[textOf(found['format'])] ?? '';
    default:
      return {};
  }
}

const EXAMPLES: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com/',
};
