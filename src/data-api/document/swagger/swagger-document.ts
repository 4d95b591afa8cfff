import { find } from '../../schema-cache/lookups.js';
import type { Routine, SchemaCache } from '../../schema-cache/types.js';
import { functionPath } from './function-document.js';
import { SHARED_PARAMETERS } from './shared-parameters.js';
import type { PathItem, SwaggerDocument } from './swagger.js';
import { tableDefinition, tableParameters, tablePath } from './table-document.js';
import { infoOf, visibleFunctions, visibleTables, type DocumentOptions } from '../visible-objects.js';

const MEDIA_TYPES = [
  'application/json',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.object+json',
  'text/csv',
];

/** Describes a schema as OpenAPI 2.0 (data API §1.14): the relations and functions that the role holds a privilege on. */
export function describeAsSwagger(cache: SchemaCache, options: DocumentOptions): SwaggerDocument {
  const tables = visibleTables(cache, options);
  // A path has one description: of overloads it is the last one's.
  const functions = visibleFunctions(cache, options).flatMap((routines): readonly Routine[] =>
    routines.slice(-1),
  );
  const paths: [string, PathItem][] = [
    ['/', { get: ROOT }],
    ...tables.map((table): [string, PathItem] => [`/${table.name}`, tablePath(table)]),
    ...functions.map((routine): [string, PathItem] => [
      `/rpc/${routine.name}`,
      functionPath(routine, options.searchPath),
    ]),
  ];
  return {
    swagger: '2.0',
    info: infoOf(cache, options.schema),
    ...(options.publicUri === null ? {} : addressOf(options.publicUri)),
    consumes: MEDIA_TYPES,
    produces: MEDIA_TYPES,
    paths: Object.fromEntries(paths),
    definitions: Object.fromEntries(
      tables.map((table) => [
        table.name,
        tableDefinition(table, find(cache.relationships, table.schema, table.name) ?? []),
      ]),
    ),
    parameters: { ...SHARED_PARAMETERS, ...Object.fromEntries(tables.flatMap(tableParameters)) },
    ...(options.withSecurity ? SECURITY : {}),
  };
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

function addressOf(uri: string): Pick<SwaggerDocument, 'host' | 'basePath' | 'schemes'> {
  const { protocol, hostname, port, pathname } = new URL(uri);
  return {
    host: `${hostname}:${port === '' ? (PORTS[protocol] ?? '') : port}`,
    basePath: pathname,
    schemes: [protocol.slice(0, -1)],
  };
}
