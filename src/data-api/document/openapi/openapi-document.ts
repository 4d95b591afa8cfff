import { privilegesOf } from '../../schema-cache/lookups.js';
import type { QualifiedName, Routine, SchemaCache, Table } from '../../schema-cache/types.js';
import { infoOf, visibleFunctions, visibleTables, type DocumentOptions } from '../visible-objects.js';
import { operationIds, rowNames, type RowNames } from './component-names.js';
import { functionPath, functionTag, type FunctionContext } from './function-path.js';
import {
  referenceTo,
  type Info,
  type Method,
  type OpenApiDocument,
  type Parameter,
  type PathItem,
} from './openapi.js';
import { filterParameters, relationPath, relationTag } from './relation-path.js';
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
  const { schema, publicUri } = options;
  const operationId = operationIds();
  const relations = describedRelations(cache, options, operationId);
  const functions = visibleFunctions(cache, options);
  const names = new Map(relations.map((relation) => [relation.table.name, relation.names]));
  const paths = {
    ...pathsOfRelations(relations),
    ...pathsOfFunctions(functions, {
      profile: profileParameters(cache, schema),
      rowOf: (relation) => rowOf(relation, schema, names),
      operationId: (method, name) => operationId(method, `rpc_${name}`),
    }),
  };
  return {
    openapi: '3.1.0',
    info: describedInfo(cache, schema),
    servers: [{ url: publicUri ?? '/' }],
    // Without a token the anonymous role answers, where there is one.
    security: [{ jwt: [] }, {}],
    tags: [...relations.map(({ table }) => relationTag(table)), ...functions.map(functionTag)],
    paths,
    components: {
      schemas: {
        ...SHARED_SCHEMAS,
        ...Object.fromEntries(
          relations.flatMap(({ table, names, item }) => relationSchemas(table, names, cache, item)),
        ),
      },
      parameters: usedParameters(paths, relations),
      responses: SHARED_RESPONSES,
      securitySchemes: { jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}

/** A relation with at least one operation that the role may do. */
interface DescribedRelation {
  readonly table: Table;
  readonly names: RowNames;
  readonly item: PathItem;
}

function describedRelations(
  cache: SchemaCache,
  options: DocumentOptions,
  operationId: (method: Method, name: string) => string,
): readonly DescribedRelation[] {
  const { schema, role } = options;
  const tables = visibleTables(cache, options);
  const names = rowNames(tables);
  const profile = profileParameters(cache, schema);
  const holds = role === null ? () => true : privilegesOf(cache.roles, role);
  return tables.flatMap((table) => {
    const known = names.get(table.name);
    if (known === undefined) return [];
    const item = relationPath(table, {
      names: known,
      profile,
      rendered: renderedTypes(cache, table),
      holds: (privilege) => holds(table.access, privilege),
      operationId: (method) => operationId(method, table.name),
    });
    return Object.keys(item).length === 0 ? [] : [{ table, names: known, item }];
  });
}

const pathsOfRelations = (relations: readonly DescribedRelation[]): Readonly<Record<string, PathItem>> =>
  Object.fromEntries(relations.map(({ table, item }) => [pathOf(table.name), item]));

const pathsOfFunctions = (
  functions: readonly (readonly Routine[])[],
  context: FunctionContext,
): Readonly<Record<string, PathItem>> =>
  Object.fromEntries(
    functions.flatMap((overloads): [string, PathItem][] =>
      overloads.slice(0, 1).map(({ name }) => [`/rpc${pathOf(name)}`, functionPath(overloads, context)]),
    ),
  );

/** The parameters that the operations refer to; linters report the others as unused. */
function usedParameters(
  paths: Readonly<Record<string, PathItem>>,
  relations: readonly DescribedRelation[],
): Readonly<Record<string, Parameter>> {
  const references = new Set<string>();
  for (const item of Object.values(paths))
    for (const operation of Object.values(item))
      for (const parameter of operation.parameters) if ('$ref' in parameter) references.add(parameter.$ref);
  const every = {
    ...SHARED_PARAMETERS,
    ...Object.fromEntries(relations.flatMap(({ table }) => [...filterParameters(table)])),
  };
  return Object.fromEntries(
    Object.entries(every).filter(([name]) => references.has(referenceTo('parameters', name).$ref)),
  );
}

/** The service knows neither the owner of the data nor its licence; linters and generators expect both members. */
const describedInfo = (cache: SchemaCache, schema: string): Info => ({
  ...infoOf(cache, schema),
  contact: { name: 'The owner of the database' },
  license: { name: 'No licence is stated', identifier: 'NOASSERTION' },
});

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

/** A request without a profile uses the first schema. */
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
