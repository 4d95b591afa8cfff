import { quoteIdentifier } from '../../../postgres/sql.js';
import type { Parameter as RoutineParameter, Routine } from '../../schema-cache/types.js';
import { splitComment } from '../comment.js';
import {
  referenceTo,
  swaggerType,
  typedSchema,
  type Operation,
  type Parameter,
  type PathItem,
  type Schema,
} from './swagger.js';

const PRODUCES = [
  'application/json',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.object+json',
];

/**
 * The operations of a function: arguments in the query, or as an object in the body. Types of the schemas on the search path
 * are named without their schema.
 */
export function functionPath(routine: Routine, searchPath: readonly string[], hasGet = true): PathItem {
  const about = { tags: [`(rpc) ${routine.name}`], ...splitComment(routine.description) };
  const parameters = routine.parameters.map((parameter) => queryParameter(parameter, searchPath));
  const get: Operation = {
    ...about,
    ...(parameters.length === 0 ? {} : { parameters }),
    produces: PRODUCES,
    responses: OK,
  };
  const post: Operation = {
    ...about,
    parameters: [
      { name: 'args', in: 'body', required: true, schema: argumentsSchema(routine, searchPath) },
      referenceTo('parameters', 'preferParams'),
    ],
    produces: PRODUCES,
    responses: OK,
  };
  return hasGet ? { get, post } : { post };
}

const OK = { '200': { description: 'OK' } };

function queryParameter(
  { name, type, required, variadic }: RoutineParameter,
  searchPath: readonly string[],
): Parameter {
  const format = plainName(type, searchPath);
  if (variadic) {
    const element = format.slice(0, -'[]'.length);
    const items = { format: element, ...typeOf(element) };
    return { name, in: 'query', required, type: 'array', items, collectionFormat: 'multi' };
  }
  const kind = swaggerType(type);
  // In a query string, an array or a JSON value is one text.
  const shown = kind === null || kind === 'array' ? 'string' : kind;
  return { name, in: 'query', required, type: shown, format };
}

function typeOf(type: string): Schema {
  const kind = swaggerType(type);
  return kind === null ? {} : { type: kind };
}

function argumentsSchema({ parameters, description }: Routine, searchPath: readonly string[]): Schema {
  const required = parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  const properties = Object.fromEntries(
    parameters.map(({ name, type }) => [name, typedSchema(type, plainName(type, searchPath))]),
  );
  return {
    type: 'object',
    ...(description === null ? {} : { description }),
    ...(required.length === 0 ? {} : { required }),
    ...(parameters.length === 0 ? {} : { properties }),
  };
}

/** Returns a type's name, without its schema if that is on the search path. */
function plainName(type: string, searchPath: readonly string[]): string {
  const schema = searchPath.map(quotedWhereNeeded).find((name) => type.startsWith(`${name}.`));
  return schema === undefined ? type : type.slice(schema.length + 1);
}

/** Quotes a name in the form of `format_type`. */
const quotedWhereNeeded = (name: string): string =>
  /^[a-z_][a-z0-9_$]*$/.test(name) ? name : quoteIdentifier(name);
