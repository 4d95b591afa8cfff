import { find } from '../../schema-cache/lookups.js';
import type { Routine, SchemaCache, Table } from '../../schema-cache/types.js';
import { jsonMembers, jsonObject, jsonText, jsonValue, type JsonPart } from '../json-text.js';
import { functionPath } from './function-document.js';
import type { Parameter, PathItem, Schema, SwaggerDocument } from './swagger.js';
import { tableDefinition, tableParameters, tablePath } from './table-document.js';
import { infoOf, visibleFunctions, visibleTables, type DocumentOptions } from '../visible-objects.js';

const MEDIA_TYPES = [
  'application/json',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.object+json',
  'text/csv',
];

/**
 * Describes a schema as OpenAPI 2.0 (data API §1.14): the relations and functions on which the role has a privilege.
 * The text is generated in pieces on demand.
 */
export function describeAsSwagger(cache: SchemaCache, options: DocumentOptions): Iterable<string> {
  const tables = visibleTables(cache, options);
  // A path has one description; of overloads, it is that of the last one.
  const functions = visibleFunctions(cache, options).flatMap((routines): readonly Routine[] =>
    routines.slice(-1),
  );
  const head: Omit<SwaggerDocument, 'paths' | 'definitions' | 'parameters'> = {
    swagger: '2.0',
    info: infoOf(cache, options.schema),
    ...addressOf(options),
    consumes: MEDIA_TYPES,
    produces: MEDIA_TYPES,
  };
  const security = options.withSecurity ? SECURITY : {};
  return jsonText(
    jsonObject([
      ...valuesOf(head),
      ['paths', jsonMembers(pathsOf(tables, functions, options))],
      ['definitions', jsonMembers(definitionsOf(cache, tables))],
      ['parameters', jsonMembers(parametersOf(tables))],
      ...valuesOf(security),
    ]),
  );
}

const valuesOf = (members: object): readonly (readonly [string, JsonPart])[] =>
  Object.entries(members).map(([name, value]: readonly [string, unknown]) => [name, jsonValue(value)]);

type Entries<Value> = Generator<readonly [name: string, value: Value]>;

function* pathsOf(
  tables: readonly Table[],
  functions: readonly Routine[],
  { searchPath, omitsVolatileGet }: DocumentOptions,
): Entries<PathItem> {
  yield ['/', { get: ROOT }];
  for (const table of tables) yield [`/${table.name}`, tablePath(table)];
  for (const routine of functions) {
    const hasGet = !omitsVolatileGet || routine.volatility !== 'volatile';
    yield [`/rpc/${routine.name}`, functionPath(routine, searchPath, hasGet)];
  }
}

function* definitionsOf(cache: SchemaCache, tables: readonly Table[]): Entries<Schema> {
  for (const table of tables)
    yield [table.name, tableDefinition(table, find(cache.relationships, table.schema, table.name) ?? [])];
}

function* parametersOf(tables: readonly Table[]): Entries<Parameter> {
  yield* Object.entries(SHARED_PARAMETERS);
  for (const table of tables) yield* tableParameters(table);
}

const ROOT = {
  summary: 'OpenAPI description (this document)',
  tags: ['Introspection'],
  produces: ['application/openapi+json', 'application/json'],
  responses: { '200': { description: 'OK' } },
};

const SECURITY = {
  securityDefinitions: {
    JWT: {
      description: 'Add the token prepending "Bearer " (without quotes) to it',
      in: 'header',
      name: 'Authorization',
      type: 'apiKey',
    },
  },
  security: [{ JWT: [] }],
};

const PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

function addressOf({
  publicUri,
  pathPrefix,
}: DocumentOptions): Pick<SwaggerDocument, 'host' | 'basePath' | 'schemes'> {
  if (publicUri === null) return pathPrefix === '' ? {} : { basePath: pathPrefix };
  const { protocol, hostname, port, pathname } = new URL(publicUri);
  return {
    host: `${hostname}:${port === '' ? (PORTS[protocol] ?? '') : port}`,
    basePath: pathname,
    schemes: [protocol.slice(0, -1)],
  };
}

const query = (name: string, description: string): Parameter => ({
  name,
  description,
  required: false,
  in: 'query',
  type: 'string',
});

const prefer = (...values: readonly string[]): Parameter => ({
  name: 'Prefer',
  description: 'Preference',
  required: false,
  in: 'header',
  type: 'string',
  enum: values,
});

const RETURN = ['return=representation', 'return=minimal', 'return=none'];
const PAGING = 'Limiting and Pagination';

/** The parameters that all relations and functions share. */
const SHARED_PARAMETERS: Readonly<Record<string, Parameter>> = {
  preferParams: prefer('params=single-object'),
  preferReturn: prefer(...RETURN),
  preferCount: prefer('count=none'),
  preferPost: prefer(...RETURN, 'resolution=ignore-duplicates', 'resolution=merge-duplicates'),
  select: query('select', 'Filtering Columns'),
  on_conflict: query('on_conflict', 'On Conflict'),
  order: query('order', 'Ordering'),
  range: { name: 'Range', description: PAGING, required: false, in: 'header', type: 'string' },
  rangeUnit: {
    name: 'Range-Unit',
    description: PAGING,
    required: false,
    in: 'header',
    type: 'string',
    default: 'items',
  },
  offset: query('offset', PAGING),
  limit: query('limit', PAGING),
};
