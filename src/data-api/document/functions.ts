/** The operations of a function and its overloads. */
import type {
  Parameter as RoutineParameter,
  QualifiedName,
  Returns,
  Routine,
} from '../schema-cache/types.js';
import { splitComment } from './model.js';
import { builtInTypes } from '../request/media-types.js';
import {
  type Content,
  type Method,
  type Operation,
  type Parameter,
  type PathItem,
  type Response,
  type Schema,
  type Tag,
  sqlName,
  valueSchema,
  NO_ROWS,
  refusals,
  RESERVED,
  rowsResponse,
  shared,
  type DocumentStyle,
  withEvents,
} from './openapi.js';

interface FunctionContext extends DocumentStyle {
  /** Returns the schema of a relation's rows; null if the relation is not described. */
  readonly rowOf: (relation: QualifiedName) => Schema | null;
  /** @param name of a function */
  readonly operationId: (method: Method, name: string) => string;
}

/** The tag of a function's operations. */
export const functionTag = (overloads: readonly Routine[]): Tag => ({
  name: tagName(overloads),
  description: commentOf(overloads) ?? `The function ${overloads[0]?.name ?? ''}`,
});

const tagName = ([first]: readonly Routine[]): string => `rpc ${first?.name ?? ''}`;

const commentOf = (overloads: readonly Routine[]): string | null =>
  overloads.find(({ description }) => description !== null)?.description ?? null;

/**
 * Operations with arguments in the query for functions that are not volatile; with arguments in the body for all.
 * @param overloads at least one, all of one name
 */
export function functionPath(overloads: readonly Routine[], context: FunctionContext): PathItem {
  const name = overloads[0]?.name ?? '';
  const responses = { ...responsesOf(overloads, context), ...refusals(context.terse) };
  const table = overloads.some(({ returns }) => returns.many || returns.kind === 'composite');
  const more = table ? shared('select', 'order', 'limit', 'offset', 'Prefer') : shared('Prefer');
  const readable = overloads.filter((routine) => routine.volatility !== 'volatile' && !takesBody(routine));
  const get: Operation = {
    operationId: context.operationId('get', name),
    ...textsOf(overloads, `Call \`${name}\` in a read-only transaction.`, context.terse),
    parameters: [...queryParameters(readable), ...more, ...context.profile.reading],
    responses: withEvents(responses, context.live),
  };
  const post: Operation = {
    operationId: context.operationId('post', name),
    ...textsOf(overloads, `Call \`${name}\`.`, context.terse),
    parameters: [...more, ...context.profile.writing],
    requestBody: {
      required: overloads.every(({ parameters }) => parameters.some(({ required }) => required)),
      content: contentOf(overloads),
    },
    responses,
  };
  return { ...(readable.length === 0 ? {} : { get }), post };
}

/** Summary and description from the comment of the function. */
function textsOf(
  overloads: readonly Routine[],
  sentence: string,
  terse: boolean,
): Pick<Operation, 'tags' | 'summary' | 'description'> {
  const texts = splitComment(commentOf(overloads));
  if (terse) return texts;
  const { summary, description } = texts;
  return {
    tags: [tagName(overloads)],
    summary: summary ?? `Call ${overloads[0]?.name ?? ''}`,
    description: [sentence, ...(description === undefined ? [] : [description])].join('\n\n'),
  };
}

/** Whether the single parameter has no name and takes the whole body. */
const takesBody = ({ parameters }: Routine): boolean => parameters.length === 1 && parameters[0]?.name === '';

/** The media type of a body that is a whole parameter, by the type of the parameter. */
const BODY_TYPES: ReadonlyMap<string, string> = new Map(
  [...builtInTypes()].flatMap(([mediaType, { parameter }]) =>
    parameter.map((type): [string, string] => [type, mediaType]),
  ),
);

function contentOf(overloads: readonly Routine[]): Content {
  const byType = new Map<string, Schema[]>();
  for (const routine of overloads) {
    const [only] = routine.parameters;
    const raw = takesBody(routine) && only !== undefined;
    const mediaType = raw ? (BODY_TYPES.get(only.type) ?? 'application/json') : 'application/json';
    const schema = raw ? valueSchema(only.type) : argumentsSchema(routine.parameters);
    byType.set(mediaType, [...(byType.get(mediaType) ?? []), schema]);
  }
  return Object.fromEntries(
    [...byType].map(([mediaType, schemas]) => [mediaType, { schema: anyOf(schemas) }]),
  );
}

function argumentsSchema(parameters: readonly RoutineParameter[]): Schema {
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(parameters.map(({ name, type }) => [name, nullable(valueSchema(type))])),
  };
}

/** An argument is required if every overload requires it. */
function queryParameters(overloads: readonly Routine[]): readonly Parameter[] {
  const names = new Set(overloads.flatMap(({ parameters }) => parameters.map(({ name }) => name)));
  return (
    [...names]
      // Functions have no pages by key.
      .filter((name) => name === 'after' || !RESERVED.has(name))
      .map((name) => {
        const known = overloads.flatMap(({ parameters }) => parameters.filter((each) => each.name === name));
        return {
          name,
          in: 'query',
          required: known.length === overloads.length && known.every(({ required }) => required),
          schema: anyOf(known.map(argumentText)),
        };
      })
  );
}

/** A variadic argument may be repeated; other arrays, and JSON, are one text. */
function argumentText({ type, variadic }: RoutineParameter): Schema {
  const schema = valueSchema(type);
  if (variadic) return schema;
  return schema.type === undefined || schema.type === 'array' ? { type: 'string', format: type } : schema;
}

function responsesOf(
  overloads: readonly Routine[],
  context: FunctionContext,
): Readonly<Record<string, Response>> {
  const giving = overloads.filter(({ returns }) => returns.kind !== 'void');
  const schemas = giving.map(({ returns }) => resultSchema(returns, context));
  const raw = giving.flatMap(({ returns }) => (returns.media === null ? [] : [returns.media]));
  const content: Content = {
    ...(raw.length < giving.length ? { 'application/json': { schema: anyOf(schemas) } } : {}),
    ...Object.fromEntries(raw.map(({ contentType }) => [contentType, { schema: {} }])),
  };
  const [one] = giving;
  const rows = giving.length === 1 && one !== undefined && one.returns.many && raw.length === 0;
  const ok = rows
    ? rowsResponse('The result.', elementSchema(one.returns, context), context)
    : { description: 'The result.', content };
  return {
    ...(giving.length > 0 ? { [rows && context.terse ? '2XX' : '200']: ok } : {}),
    ...(rows && !context.terse ? { '206': ok } : {}),
    ...(giving.length < overloads.length ? { '204': NO_ROWS } : {}),
  };
}

/** A function may return null in place of a value or row, also in a set of values. */
function resultSchema(returns: Returns, context: FunctionContext): Schema {
  const element = elementSchema(returns, context);
  if (!returns.many) return nullable(element);
  return { type: 'array', items: returns.kind === 'scalar' ? nullable(element) : element };
}

function nullable(schema: Schema): Schema {
  if (Object.keys(schema).length === 0 || schema.type === 'null') return schema;
  const { type } = schema;
  return typeof type === 'string' && schema.enum === undefined
    ? { ...schema, type: [type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
}

function elementSchema(returns: Returns, { rowOf }: FunctionContext): Schema {
  const { type, columns } = returns;
  switch (returns.kind) {
    case 'void':
      return { type: 'null' };
    case 'scalar':
      return valueSchema(type.schema === 'pg_catalog' ? sqlName(type.name) : `${type.schema}.${type.name}`);
    case 'record':
      return { type: 'object' };
    case 'composite': {
      const row = rowOf(type);
      if (row !== null) return row;
      if (columns.length === 0) return { type: 'object' };
      const properties = columns.map((column) => [column.name, nullable(valueSchema(column.type))] as const);
      return {
        type: 'object',
        required: columns.map(({ name }) => name),
        properties: Object.fromEntries(properties),
      };
    }
  }
}

/** Combines distinct schemas. An empty schema allows every value, so it replaces all others. */
function anyOf(schemas: readonly Schema[]): Schema {
  if (schemas.some((schema) => Object.keys(schema).length === 0)) return {};
  const different = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  const [first] = different.values();
  return different.size === 1 && first !== undefined ? first : { anyOf: [...different.values()] };
}
