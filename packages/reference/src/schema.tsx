/** A schema as the page shows it: members open one level at a time. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isObject, textOf, type Json, type JsonRow } from '../../console/page/src/json.js';
import { Text } from '../../console/page/src/parts.js';
import { entriesOf, listOf, referenceOf, resolve } from './description.js';
import { alternativesOf, limitsOf, membersOf, typeOf, type Member } from './json-schema.js';
import { Markdown } from './markdown.js';

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
