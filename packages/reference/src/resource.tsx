/** A table, view or function: its columns, and one of its operations. */
import type { JSX } from 'preact';
import { textOf, type Json, type JsonRow } from '../../console/page/src/json.js';
import { Comment, Text } from '../../console/page/src/parts.js';
import {
  jsonOf,
  listOf,
  mediaTypesOf,
  objectOf,
  resolve,
  resourceOf,
  type Operation,
} from './description.js';
import { Method, OperationView } from './operation.js';
import type { Caller } from './request.js';
import { addressOf, type Route } from './route.js';
import { limitsOf, membersOf, typeOf } from './json-schema.js';

interface ResourceProps {
  readonly caller: Caller;
  readonly route: Route;
  /** All operations of the description. */
  readonly operations: readonly Operation[];
  /** The description as OpenAPI 2.0; null until it is there, and where there is none. */
  readonly swagger: JsonRow | null;
}

export function Resource({ caller, route, operations, swagger }: ResourceProps): JSX.Element {
  const own = operations.filter(({ path }) => {
    const resource = resourceOf(path);
    return resource?.kind === route.kind && resource.name === route.name;
  });
  const shown = own.find(({ method }) => method.toLowerCase() === route.method) ?? own[0];
  return (
    <>
      <header class="screen-head">
        <h1>
          <Text>{route.name}</Text>
        </h1>
        {shown === undefined && <p class="empty">The role may use nothing of this name.</p>}
        {route.kind === 'table' ? (
          <Table {...{ caller, route, operations, swagger }} own={own} />
        ) : (
          <Comment>{shown?.summary ?? null}</Comment>
        )}
      </header>
      {shown !== undefined && <Operations {...{ caller, route, own, shown }} />}
    </>
  );
}

function Operations({
  caller,
  route,
  own,
  shown,
}: Pick<ResourceProps, 'caller' | 'route'> & {
  readonly own: readonly Operation[];
  readonly shown: Operation;
}): JSX.Element {
  return (
    <>
      <nav class="methods" aria-label="Operations">
        {own.map(({ id, method }) => (
          <a
            key={id}
            href={addressOf({ ...route, method: method.toLowerCase() })}
            {...(method === shown.method ? { 'aria-current': 'page' } : {})}
          >
            <Method method={method} />
          </a>
        ))}
      </nav>
      <section aria-label={`${shown.method} ${shown.path}`}>
        <OperationView key={shown.id} caller={caller} operation={shown} />
      </section>
    </>
  );
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  /** What an insert without the column gives; empty if it needs the column. */
  readonly absent: string;
  readonly comment: string;
  readonly isKey: boolean;
  readonly references: readonly ForeignKey[];
}

interface ForeignKey {
  readonly table: string;
  readonly column: string;
}

function Table({
  own,
  ...props
}: ResourceProps & { readonly own: readonly Operation[] }): JSX.Element | null {
  const columns = columnsOf(props, own);
  const [first] = own;
  if (first === undefined) return null;
  const rows = rowSchemaOf(first.document, own);
  return (
    <>
      <Comment>{textOf(resolve(first.document, rows)['description'])}</Comment>
      <div class="wide" tabIndex={0} role="region" aria-label="Columns">
        <table>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Type</th>
              <th scope="col">Null</th>
              <th scope="col">Default</th>
              <th scope="col">Comment</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column) => (
              <tr key={column.name}>
                <td>
                  <code>
                    <Text>{column.name}</Text>
                  </code>{' '}
                  {column.isKey && <span class="tag">primary key</span>}
                </td>
                <td data-label="Type">
                  <Text>{column.type}</Text>
                  {column.references.map(({ table, column: target }) => (
                    <span key={`${table} ${target}`}>
                      {' → '}
                      <a href={addressOf({ kind: 'table', name: table, schema: props.route.schema })}>
                        <Text>{`${table}.${target}`}</Text>
                      </a>
                    </span>
                  ))}
                </td>
                <td data-label="Null">{column.isNullable ? 'yes' : 'no'}</td>
                <td data-label="Default">
                  <Text>{column.absent}</Text>
                </td>
                <td>
                  <Comment>{column.comment}</Comment>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

const KEY_NOTE = /(?:^|\n\n)Part of the primary key\.$/;

/** The schema of rows as they are read, or as they are written by a role that may not read. */
function rowSchemaOf(document: JsonRow, own: readonly Operation[]): Json | undefined {
  for (const { value } of own) {
    const responses = objectOf(value['responses']);
    const rows = jsonOf(mediaTypesOf(document, resolve(document, responses['200'] ?? responses['2XX'])));
    const { items } = resolve(document, rows?.schema);
    if (items !== undefined) return items;
  }
  return undefined;
}

/** The schema of one inserted row. */
function insertSchemaOf(document: JsonRow, own: readonly Operation[]): Json | undefined {
  const post = own.find(({ method }) => method === 'POST');
  const schema = jsonOf(mediaTypesOf(document, resolve(document, post?.value['requestBody'])))?.schema;
  return listOf(resolve(document, schema)['anyOf'])[0];
}

function columnsOf(
  { route, operations, swagger }: ResourceProps,
  own: readonly Operation[],
): readonly Column[] {
  const [first] = own;
  if (first === undefined) return [];
  const { document } = first;
  const inserted = new Map(
    membersOf(document, insertSchemaOf(document, own)).map((each) => [each.name, each]),
  );
  const plain = objectOf(
    objectOf(objectOf(objectOf(swagger ?? undefined)['definitions'])[route.name])['properties'],
  );
  return membersOf(document, rowSchemaOf(document, own)).map(({ name, schema }) => {
    const found = resolve(document, schema);
    const known = objectOf(plain[name]);
    const description = textOf(found['description']);
    const isNullable = isNull(found);
    const written = inserted.get(name);
    return {
      ...{ name, isNullable, isKey: KEY_NOTE.test(description) },
      comment: description.replace(KEY_NOTE, ''),
      type: [textOf(known['format']) || typeOf(document, schema), ...limitsOf(document, schema)].join(', '),
      absent: absentOf(known['default'], isNullable, inserted.size > 0, written),
      references: referencesOf(operations, textOf(known['description'])),
    };
  });
}

const isNull = (schema: JsonRow): boolean =>
  listOf(schema['type']).includes('null') ||
  listOf(schema['anyOf']).some((each) => objectOf(each)['type'] === 'null') ||
  (schema['type'] === undefined && schema['anyOf'] === undefined);

function absentOf(
  value: Json | undefined,
  isNullable: boolean,
  isInsertable: boolean,
  written: { readonly isRequired: boolean } | undefined,
): string {
  if (value !== undefined) return textOf(value) || "''";
  if (isInsertable && written === undefined) return 'generated';
  if (isNullable) return 'null';
  return written?.isRequired === false ? 'by the database' : '';
}

/** The foreign key of a column, as the description of Swagger 2.0 notes it, if its table is described. */
function referencesOf(operations: readonly Operation[], note: string): readonly ForeignKey[] {
  const [, table, column] = /<fk table='(.*)' column='(.*)'\/>$/.exec(note) ?? [];
  const isDescribed = operations.some(({ path }) => resourceOf(path)?.name === table);
  return table === undefined || column === undefined || !isDescribed ? [] : [{ table, column }];
}
