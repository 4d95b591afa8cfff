import type { QualifiedName, SchemaCache } from '../../schema-cache/types.js';
import { infoOf, visibleFunctions, visibleTables, type DocumentOptions } from '../visible-objects.js';
import { rowNames, type RowNames } from './component-names.js';
import { functionPath } from './function-path.js';
import { referenceTo, type OpenApiDocument, type Parameter, type PathItem } from './openapi.js';
import { filterParameters, relationPath } from './relation-path.js';
import { relationSchemas } from './relation-schemas.js';
import {
  SHARED_PARAMETERS,
  SHARED_RESPONSES,
  SHARED_SCHEMAS,
  type ProfileParameters,
} from './shared-components.js';

/**
 * Describes a schema as OpenAPI 3.1, so that typed clients can be generated from it: the relations and functions that the role
 * holds a privilege on, with their rows and arguments.
 */
export function describeAsOpenApi(cache: SchemaCache, options: DocumentOptions): OpenApiDocument {
  const { schema, publicUri, withSecurity } = options;
  const tables = visibleTables(cache, options);
  const names = rowNames(tables);
  const named = tables.flatMap((table) => {
    const known = names.get(table.name);
    return known === undefined ? [] : [{ table, known }];
  });
  const profile = profileParameters(cache, schema);
  const context = { profile, rowOf: (relation: QualifiedName) => rowOf(relation, schema, names) };
  const functions = visibleFunctions(cache, options);
  return {
    openapi: '3.1.0',
    info: infoOf(cache, schema),
    servers: [{ url: publicUri ?? '/' }],
    ...(withSecurity ? { security: [{ jwt: [] }, {}] } : {}),
    paths: Object.fromEntries([
      ...named.map(({ table, known }): [string, PathItem] => [
        pathOf(table.name),
        relationPath(table, { names: known, profile, rendered: renderedTypes(cache, table) }),
      ]),
      ...functions.flatMap((overloads): [string, PathItem][] =>
        overloads.slice(0, 1).map(({ name }) => [`/rpc${pathOf(name)}`, functionPath(overloads, context)]),
      ),
    ]),
    components: {
      schemas: {
        ...SHARED_SCHEMAS,
        ...Object.fromEntries(named.flatMap(({ table, known }) => relationSchemas(table, known, cache))),
      },
      parameters: {
        ...SHARED_PARAMETERS,
        ...Object.fromEntries(tables.flatMap((table) => [...filterParameters(table)])),
      },
      responses: SHARED_RESPONSES,
      ...(withSecurity
        ? { securitySchemes: { jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } }
        : {}),
    },
  };
}

function renderedTypes({ mediaHandlers }: SchemaCache, { schema, name }: QualifiedName): readonly string[] {
  const own = mediaHandlers.relation.get(schema)?.get(name)?.values() ?? [];
  return [...mediaHandlers.any.values(), ...own].map(({ contentType }) => contentType);
}

/** Braces would make a template of it. */
const pathOf = (name: string): string => `/${encodeURIComponent(name)}`;

const rowOf = (
  { schema, name }: QualifiedName,
  described: string,
  names: ReadonlyMap<string, RowNames>,
): { readonly $ref: string } | null => {
  const known = schema === described ? names.get(name) : undefined;
  return known === undefined ? null : referenceTo('schemas', known.row);
};

/** The first schema is meant where a request names none. */
function profileParameters({ schemas }: SchemaCache, schema: string): ProfileParameters {
  if (schemas.length < 2) return { reading: [], writing: [] };
  const parameter = (name: string): Parameter => ({
    name,
    in: 'header',
    required: schemas[0]?.name !== schema,
    description: 'The schema that is meant.',
    schema: { type: 'string', const: schema },
  });
  return { reading: [parameter('Accept-Profile')], writing: [parameter('Content-Profile')] };
}
