/** OpenAPI documents as lists of operations. References are followed when something is shown. */
import { isObject, textOf, type Json, type JsonRow } from '../../console/page/src/json.js';

export interface Operation {
  readonly document: JsonRow;
  /** Whether it belongs to the description of the database, with its own tables and functions. */
  readonly isOfDatabase: boolean;
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly value: JsonRow;
  /** The path item, which has parameters of all its operations. */
  readonly item: JsonRow;
}

const METHODS = ['get', 'head', 'query', 'post', 'put', 'patch', 'delete', 'options'];

export const objectOf = (value: Json | undefined): JsonRow => (isObject(value) ? value : {});
export const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [];
export const entriesOf = (value: Json | undefined): readonly (readonly [name: string, value: Json])[] =>
  Object.entries(objectOf(value));

export const operationsOf = (document: JsonRow, isOfDatabase: boolean): readonly Operation[] =>
  entriesOf(document['paths']).flatMap(([path, item]) =>
    METHODS.flatMap((method): readonly Operation[] => {
      const value = objectOf(item)[method];
      if (!isObject(value)) return [];
      return [
        {
          ...{ document, isOfDatabase, path, value, item: objectOf(item) },
          id: textOf(value['operationId']),
          method: method.toUpperCase(),
          tag: textOf(listOf(value['tags'])[0]),
          summary: textOf(value['summary']),
          description: textOf(value['description']),
        },
      ];
    }),
  );

/** The name of a described table or function; null for other paths. */
export function resourceOf(
  path: string,
): { readonly kind: 'table' | 'function'; readonly name: string } | null {
  const [, first = '', second] = path.split('/');
  if (first === '') return null;
  return first === 'rpc' && second !== undefined
    ? { kind: 'function', name: decodeURIComponent(second) }
    : { kind: 'table', name: decodeURIComponent(first) };
}

/** Longest chain of references that is followed. */
const LONGEST_CHAIN = 20;

const unescapePointer = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~');

/** Follows references within the document, to the object that has none. */
export function resolve(document: JsonRow, value: Json | undefined): JsonRow {
  let found = objectOf(value);
  for (let step = 0; step < LONGEST_CHAIN; step += 1) {
    const reference = found['$ref'];
    if (typeof reference !== 'string') return found;
    if (!reference.startsWith('#/')) return {};
    found = objectOf(
      reference
        .slice(2)
        .split('/')
        .map(unescapePointer)
        .reduce<Json | undefined>((within, name) => objectOf(within)[name], document),
    );
  }
  return {};
}

/** The name of the component to which a value refers; null for a value of its own. */
export function referenceOf(value: Json | undefined): string | null {
  const reference = objectOf(value)['$ref'];
  return typeof reference === 'string' ? (reference.split('/').at(-1) ?? null) : null;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: Json | undefined;
  /** Whether it filters rows by a column. */
  readonly isFilter: boolean;
  readonly example: string;
}

/** The component that is the schema of a filter in a description of the database. */
const FILTER = 'Filter';
const OPERATORS_OF_ALL = ['and', 'or'];

export function parametersOf({ document, item, value, isOfDatabase }: Operation): readonly Parameter[] {
  const known = new Map<string, Parameter>();
  for (const each of [...listOf(item['parameters']), ...listOf(value['parameters'])]) {
    const found = resolve(document, each);
    const name = textOf(found['name']);
    const examples = entriesOf(found['examples']).map(([, example]) => resolve(document, example)['value']);
    known.set(`${textOf(found['in'])} ${name}`, {
      name,
      in: textOf(found['in']),
      required: found['required'] === true,
      description: textOf(found['description']),
      schema: found['schema'],
      isFilter: isOfDatabase && referenceOf(found['schema']) === FILTER && !OPERATORS_OF_ALL.includes(name),
      example: textOf(found['example'] ?? examples[0]),
    });
  }
  return [...known.values()];
}

export interface MediaType {
  readonly name: string;
  readonly schema: Json | undefined;
  readonly examples: readonly Json[];
}

/** @param holder a body, or a response */
export const mediaTypesOf = (document: JsonRow, holder: JsonRow): readonly MediaType[] =>
  entriesOf(holder['content']).map(([name, content]) => {
    const { schema, itemSchema, example, examples } = objectOf(content);
    const named = entriesOf(examples).map(([, each]) => resolve(document, each)['value']);
    return {
      name,
      schema: schema ?? itemSchema,
      examples: [example, ...named].filter((each): each is Json => each !== undefined),
    };
  });

/** The media type whose bodies are JSON, if there is one. */
export const jsonOf = (types: readonly MediaType[]): MediaType | undefined =>
  types.find(({ name }) => name === 'application/json') ?? types.find(({ name }) => name.includes('json'));
