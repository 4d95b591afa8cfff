/** Schemas of JSON: types, constraints and members, which open one level at a time. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isObject, textOf, type Json, type JsonRow } from '../../console/src/json.js';
import { Text } from '../../console/src/parts.js';
import { entriesOf, listOf, referenceOf, resolve } from './description.js';
import { Markdown } from './markdown.js';

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

const alternativesOf = (schema: JsonRow): readonly Json[] => [
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

interface Member {
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

interface SchemaProps {
  readonly document: JsonRow;
  readonly schema: Json | undefined;
  /** Names of the components around it. */
  readonly within?: readonly string[];
}

/** A schema with its members; what they contain is rendered when it is opened. */
export function SchemaView({ document, schema, within = [] }: SchemaProps): JSX.Element {
  const found = resolve(document, schema);
  const name = referenceOf(schema);
  const around = name === null ? within : [...within, name];
  const members = membersOf(document, schema);
  const alternatives = alternativesOf(found).filter((each) => resolve(document, each)['type'] !== 'null');
  const inner =
    found['items'] ?? (isObject(found['additionalProperties']) ? found['additionalProperties'] : undefined);
  return (
    <div class="schema">
      <p class="type">
        <Text>{[typeOf(document, schema), ...limitsOf(document, schema)].join(', ')}</Text>
      </p>
      <Markdown text={textOf(found['description'])} />
      {members.length > 0 && (
        <ul class="members">
          {members.map((member) => (
            <li key={member.name}>
              <MemberView document={document} within={around} {...member} />
            </li>
          ))}
        </ul>
      )}
      {[...alternatives, ...(inner === undefined ? [] : [inner])]
        .filter((each) => isDeep(document, each))
        .map((each, index) => (
          <Nested
            key={index}
            document={document}
            schema={each}
            within={around}
            isOpenFirst={within.length === 0 && index === 0}
          />
        ))}
    </div>
  );
}

function MemberView({ document, within, name, schema, isRequired }: SchemaProps & Member): JSX.Element {
  const found = resolve(document, schema);
  return (
    <>
      <code>
        <Text>{name}</Text>
      </code>{' '}
      <span class="type">
        <Text>{[typeOf(document, schema), ...limitsOf(document, schema)].join(', ')}</Text>
      </span>
      {isRequired && <span class="tag">required</span>}
      <Markdown text={textOf(found['description'])} />
      {isDeep(document, schema) && (
        <Nested document={document} schema={schema} {...(within === undefined ? {} : { within })} />
      )}
    </>
  );
}

/** Whether a schema has members, at any place that its view shows. */
function isDeep(document: JsonRow, schema: Json, depth = 0): boolean {
  const found = resolve(document, schema);
  const inner = [
    found['items'],
    found['additionalProperties'],
    ...alternativesOf(found),
    ...listOf(found['allOf']),
  ];
  return (
    entriesOf(found['properties']).length > 0 ||
    (depth < 4 && inner.some((each) => isObject(each) && isDeep(document, each, depth + 1)))
  );
}

function Nested({
  document,
  schema,
  within = [],
  isOpenFirst = false,
}: SchemaProps & { readonly isOpenFirst?: boolean }): JSX.Element {
  const [isOpen, setOpen] = useState(isOpenFirst);
  const name = referenceOf(schema);
  if (name !== null && within.includes(name))
    return (
      <p class="quiet">
        <Text>{`${name}, as above`}</Text>
      </p>
    );
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Text>{name ?? typeOf(document, schema)}</Text>
      </summary>
      {isOpen && <SchemaView document={document} schema={schema} within={within} />}
    </details>
  );
}

/** Depth at which examples end, also those of schemas that contain themselves. */
const DEEPEST = 5;

/** A value of the schema: the members that are required, or the first if none is. */
export function exampleOf(document: JsonRow, schema: Json | undefined, depth = 0): Json {
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
  if (first !== undefined) return exampleOf(document, first, depth + 1);
  const members = membersOf(document, schema);
  if (members.length > 0) {
    const required = members.filter(({ isRequired }) => isRequired);
    const shown = required.length > 0 ? required : members.slice(0, 1);
    return Object.fromEntries(shown.map((each) => [each.name, exampleOf(document, each.schema, depth + 1)]));
  }
  const type = textOf(Array.isArray(found['type']) ? listOf(found['type'])[0] : found['type']);
  switch (type) {
    case 'array':
      return found['items'] === undefined || depth > 4
        ? []
        : [exampleOf(document, found['items'], depth + 1)];
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
