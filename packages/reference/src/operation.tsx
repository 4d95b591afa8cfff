/** An operation: what it takes and gives. */
import type { JSX } from 'preact';
import { textOf, type Json, type JsonRow } from '../../console/page/src/json.js';
import { Code, Text } from '../../console/page/src/parts.js';
import {
  entriesOf,
  jsonOf,
  listOf,
  mediaTypesOf,
  objectOf,
  parametersOf,
  resolve,
  type MediaType,
  type Operation,
  type Parameter,
} from './description.js';
import { Markdown } from './markdown.js';
import type { Caller } from './request.js';
import { exampleOf, limitsOf, typeOf } from './json-schema.js';
import { SchemaView } from './schema.js';
import { SectionHead } from './section-head.js';
import { Try } from './try.js';

export const Method = ({ method }: { readonly method: string }): JSX.Element => (
  <b class={`method ${method.toLowerCase()}`}>{method}</b>
);

export function OperationView({
  caller,
  operation,
}: {
  readonly caller: Caller;
  readonly operation: Operation;
}): JSX.Element {
  const { document, method, path, description, value } = operation;
  const body = resolve(document, value['requestBody']);
  const types = mediaTypesOf(document, body);
  return (
    <>
      <h2 class="line">
        <Method method={method} />{' '}
        <code>
          <Text>{path}</Text>
        </code>
      </h2>
      <Markdown text={description} />
      <p class="quiet">{accessOf(operation)}</p>
      <Parameters operation={operation} />
      {types.length > 0 && (
        <section>
          <SectionHead name="body" title="Body">
            {body['required'] === true ? '' : ', optional'}
          </SectionHead>
          <Markdown text={textOf(body['description'])} />
          <Types document={document} types={types} />
        </section>
      )}
      <section>
        <SectionHead name="responses" title="Responses" />
        {entriesOf(value['responses']).map(([status, response]) => (
          <ResponseView key={status} document={document} status={status} response={response} />
        ))}
      </section>
      <Try key={operation.id} caller={caller} operation={operation} />
    </>
  );
}

/** Who may send the request. */
function accessOf({ document, value }: Operation): string {
  const requirements = listOf(value['security'] ?? document['security']).map((each) =>
    Object.keys(objectOf(each)),
  );
  const isOpen = requirements.length === 0 || requirements.some((names) => names.length === 0);
  const scope = textOf(value['x-dbr-scope']);
  const token = requirements.flat().length === 0 ? 'No token is needed.' : 'A token is optional.';
  return `${isOpen ? token : 'A token is required.'}${scope === '' ? '' : ` Scope: ${scope}.`}`;
}

function Parameters({ operation }: { readonly operation: Operation }): JSX.Element | null {
  const all = parametersOf(operation);
  const shown = all.filter(({ isFilter }) => !isFilter);
  if (all.length === 0) return null;
  return (
    <section>
      <SectionHead name="parameters" title="Parameters" />
      {shown.length < all.length && <Filters example={all.find(({ isFilter }) => isFilter)?.name ?? ''} />}
      {shown.length > 0 && (
        <div class="wide" tabIndex={0} role="region" aria-label="Parameters">
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">In</th>
                <th scope="col">Type</th>
                <th scope="col">Description</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((each) => (
                <ParameterRow
                  key={`${each.in} ${each.name}`}
                  document={operation.document}
                  parameter={each}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

const ParameterRow = ({
  document,
  parameter: { name, in: place, required, schema, description },
}: {
  readonly document: JsonRow;
  readonly parameter: Parameter;
}): JSX.Element => (
  <tr>
    <td>
      <code>
        <Text>{name}</Text>
      </code>{' '}
      {required && <span class="tag">required</span>}
    </td>
    <td data-label="In">{place}</td>
    <td data-label="Type">
      <Text>{[typeOf(document, schema), ...limitsOf(document, schema)].join(', ')}</Text>
    </td>
    <td>
      <Markdown text={description} />
    </td>
  </tr>
);

const Filters = ({ example }: { readonly example: string }): JSX.Element => (
  <p>
    Each column is a filter:{' '}
    <code>
      <Text>{`${example}=eq.1`}</Text>
    </code>
    . Operators: <code>eq neq gt gte lt lte</code> compare, <code>in.(1,2)</code>, <code>is.null</code>,{' '}
    <code>like.A*</code> and <code>ilike</code> with <code>*</code> for any text, <code>match</code> and{' '}
    <code>imatch</code> with regular expressions, <code>cs cd ov</code> for arrays, ranges and JSON,{' '}
    <code>fts</code> for full texts; <code>not.</code> before an operator negates it. The page “Queries” of
    the manual describes all of them.
  </p>
);

function Types({
  document,
  types,
}: {
  readonly document: JsonRow;
  readonly types: readonly MediaType[];
}): JSX.Element {
  const groups = new Map<string, MediaType[]>();
  // Types of one schema are shown together.
  for (const type of types) {
    const key = JSON.stringify(type.schema ?? null);
    groups.set(key, [...(groups.get(key) ?? []), type]);
  }
  return (
    <>
      {[...groups.values()].map((group) => (
        <div key={group[0]?.name}>
          <p>
            {group.map(({ name }) => (
              <code class="media" key={name}>
                <Text>{name}</Text>
              </code>
            ))}
          </p>
          <SchemaView document={document} schema={group[0]?.schema} />
        </div>
      ))}
    </>
  );
}

function ResponseView({
  document,
  status,
  response,
}: {
  readonly document: JsonRow;
  readonly status: string;
  readonly response: Json;
}): JSX.Element {
  const found = resolve(document, response);
  const types = mediaTypesOf(document, found);
  const codes = codesOf(types);
  const headers = entriesOf(found['headers']);
  return (
    <details>
      <summary>
        <b>{status}</b> <Text>{textOf(found['description'])}</Text>
      </summary>
      {codes.length > 0 && (
        <ul>
          {codes.map(([code, message]) => (
            <li key={code}>
              <code>{code}</code> <Text>{message}</Text>
            </li>
          ))}
        </ul>
      )}
      {headers.length > 0 && (
        <ul class="members">
          {headers.map(([name, header]) => (
            <li key={name}>
              <code>
                <Text>{name}</Text>
              </code>
              <Markdown text={textOf(resolve(document, header)['description'])} />
            </li>
          ))}
        </ul>
      )}
      <Example document={document} status={status} types={types} />
      <Types document={document} types={types} />
    </details>
  );
}

/** A body as the response may have it: of the description, or made of its schema. */
function Example({
  document,
  status,
  types,
}: {
  readonly document: JsonRow;
  readonly status: string;
  readonly types: readonly MediaType[];
}): JSX.Element | null {
  const json = jsonOf(types);
  if (json === undefined) return null;
  const example = json.examples[0] ?? exampleOf(document, json.schema, 'all');
  return (
    <>
      <p class="quiet">For example:</p>
      <Code label={`Example of ${status}`} text={JSON.stringify(example, null, 2)} />
    </>
  );
}

/** Codes of errors in the examples, with the message of the first. */
function codesOf(types: readonly MediaType[]): readonly (readonly [code: string, message: string])[] {
  const codes = new Map<string, string>();
  for (const example of types.flatMap(({ examples }) => examples)) {
    const { code, message } = objectOf(example);
    if (typeof code === 'string' && typeof message === 'string' && !codes.has(code)) codes.set(code, message);
  }
  return [...codes];
}
