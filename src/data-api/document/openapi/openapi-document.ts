import { privilegesOf } from '../../schema-cache/lookups.js';
import type { QualifiedName, Routine, SchemaCache, Table } from '../../schema-cache/types.js';
import { jsonArray, jsonMembers, jsonObject, jsonText, jsonValue } from '../json-text.js';
import { infoOf, visibleFunctions, visibleTables, type DocumentOptions } from '../visible-objects.js';
import { BATCH_SCHEMAS, BATCH_TAG, batchPath } from './batch-path.js';
import { operationIds, rowNames, type RowNames } from './component-names.js';
import { filterParameters, type FilterParameters } from './filter-parameters.js';
import { functionPath, functionTag } from './function-path.js';
import {
  referenceTo,
  type Info,
  type Method,
  type Parameter,
  type PathItem,
  type Response,
  type Tag,
} from './openapi.js';
import { graphSchemas, NO_GRAPHS, type GraphSchemas } from './graph-schemas.js';
import { allowedMethods, relationPath, relationTag } from './relation-path.js';
import { relationSchemas } from './relation-schemas.js';
import {
  rowsResponse,
  SHARED_BODIES,
  DATED_HEADERS,
  SHARED_HEADERS,
  SHARED_PARAMETERS,
  SHARED_RESPONSES,
  SHARED_SCHEMAS,
  type ProfileParameters,
} from './shared-components.js';

/** Largest number of relations whose operations have a summary, a description and a tag without a comment. */
const MOST_WITH_TEXTS = 1000;

/**
 * Describes a schema as OpenAPI 3.1, so that typed clients can be generated from it: the relations and functions on
 * which the role has a privilege, with their rows and arguments. The text is generated in pieces on demand.
 */
export function describeAsOpenApi(cache: SchemaCache, options: DocumentOptions): Iterable<string> {
  const { schema, publicUri, pathPrefix, maxBatch } = options;
  const relations = describedRelations(cache, options);
  const functions = visibleFunctions(cache, options);
  const filters = filterParameters();
  const profile = profileParameters(cache, schema);
  const terse = relations.length > MOST_WITH_TEXTS;
  // In a large schema, related rows would be a large part of the text.
  const graphs = terse ? NO_GRAPHS : graphSchemas(cache, relations);
  const paths = pathsOf({ schema, relations, functions, filters, profile, terse, graphs, maxBatch });
  const references = new Set<string>();
  const deletes = relations.some(({ methods }) => methods.includes('delete'));
  const document = jsonObject([
    ['openapi', jsonValue('3.1.0')],
    ['info', jsonValue(describedInfo(cache, schema))],
    ['servers', jsonValue([{ url: publicUri ?? (pathPrefix === '' ? '/' : pathPrefix) }])],
    // A request without a token runs as the anonymous role, if there is one.
    ['security', jsonValue([{ jwt: [] }, {}])],
    ...(terse ? [] : [['tags', jsonArray(tagsOf(relations, functions, maxBatch))] as const]),
    ['paths', jsonMembers(noted(paths, references))],
    [
      'components',
      jsonObject([
        ['schemas', jsonMembers(schemasOf(cache, relations, graphs, maxBatch))],
        ['parameters', jsonMembers(parametersOf(filters, profile, references))],
        ...(deletes && !terse ? [['requestBodies', jsonValue(SHARED_BODIES)] as const] : []),
        ['responses', jsonMembers(responsesOf(cache, relations))],
        [
          'headers',
          jsonValue(relations.some(isDated) ? { ...SHARED_HEADERS, ...DATED_HEADERS } : SHARED_HEADERS),
        ],
        ['securitySchemes', jsonValue({ jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } })],
      ]),
    ],
  ]);
  return jsonText(document);
}

/** A relation with at least one operation that the role may use. */
interface DescribedRelation {
  readonly table: Table;
  readonly names: RowNames;
  readonly methods: readonly Method[];
}

const isDated = ({ table }: Pick<DescribedRelation, 'table'>): boolean => table.lastModified !== undefined;

function describedRelations(cache: SchemaCache, options: DocumentOptions): readonly DescribedRelation[] {
  const { role } = options;
  const tables = visibleTables(cache, options);
  const names = rowNames(tables);
  const holds = role === null ? () => true : privilegesOf(cache.roles, role);
  return tables.flatMap((table) => {
    const known = names.get(table.name);
    const methods = allowedMethods(table, (privilege) => holds(table.access, privilege));
    return known === undefined || methods.length === 0 ? [] : [{ table, names: known, methods }];
  });
}

type Entries<Value> = Generator<readonly [name: string, value: Value]>;

interface Described {
  readonly schema: string;
  readonly relations: readonly DescribedRelation[];
  readonly functions: readonly (readonly Routine[])[];
  readonly filters: FilterParameters;
  readonly profile: ProfileParameters;
  readonly terse: boolean;
  readonly graphs: GraphSchemas;
  /** `db-max-batch` */
  readonly maxBatch: number;
}

function* pathsOf({
  schema,
  relations,
  functions,
  filters,
  profile,
  terse,
  graphs,
  maxBatch,
}: Described): Entries<PathItem> {
  const operationId = operationIds();
  if (maxBatch > 0) yield ['/', batchPath(maxBatch, operationId('send', 'batch'), profile, terse)];
  for (const { table, names, methods } of relations) {
    const insertsGraphs = graphs.propertiesOf(table) !== null;
    const context = { names, profile, filters: filters.of(table), operationId, terse, insertsGraphs };
    yield [pathOf(table.name), relationPath(table, methods, context)];
  }
  const names = new Map(relations.map((relation) => [relation.table.name, relation.names]));
  const context = {
    profile,
    rowOf: (relation: QualifiedName) => rowOf(relation, schema, names),
    operationId: (method: Method, name: string) => operationId(method, `rpc_${name}`),
    terse,
  };
  for (const overloads of functions)
    for (const { name } of overloads.slice(0, 1))
      yield [`/rpc${pathOf(name)}`, functionPath(overloads, context)];
}

const tagsOf = (
  relations: readonly DescribedRelation[],
  functions: readonly (readonly Routine[])[],
  maxBatch: number,
): readonly Tag[] => [
  ...(maxBatch > 0 ? [BATCH_TAG] : []),
  ...relations.map(({ table }) => relationTag(table)),
  ...functions.map(functionTag),
];

/** Passes paths on, and collects their references to shared parameters. */
function* noted(paths: Entries<PathItem>, references: Set<string>): Entries<PathItem> {
  for (const entry of paths) {
    const { parameters = [], ...operations } = entry[1];
    const lists = [parameters, ...Object.values(operations).map((operation) => operation.parameters ?? [])];
    for (const list of lists)
      for (const parameter of list) if ('$ref' in parameter) references.add(parameter.$ref);
    yield entry;
  }
}

function* schemasOf(
  cache: SchemaCache,
  relations: readonly DescribedRelation[],
  graphs: GraphSchemas,
  maxBatch: number,
): Entries<unknown> {
  yield* Object.entries(SHARED_SCHEMAS);
  if (maxBatch > 0) yield* Object.entries(BATCH_SCHEMAS);
  for (const { table, names, methods } of relations)
    yield* relationSchemas(table, names, cache, methods, graphs);
}

/**
 * Returns the parameters to which operations refer, because linters report unused ones. They are known when the paths
 * have been written.
 */
function* parametersOf(
  filters: FilterParameters,
  profile: ProfileParameters,
  references: ReadonlySet<string>,
): Entries<Parameter> {
  for (const entries of [Object.entries(SHARED_PARAMETERS), profile.components, filters.all()])
    for (const entry of entries) if (references.has(referenceTo('parameters', entry[0]).$ref)) yield entry;
}

function* responsesOf(cache: SchemaCache, relations: readonly DescribedRelation[]): Entries<Response> {
  yield* Object.entries(SHARED_RESPONSES);
  for (const { table, names } of relations) {
    const row = referenceTo('schemas', names.row);
    yield [names.row, rowsResponse('The rows.', row, renderedTypes(cache, table), isDated({ table }))];
  }
}

/**
 * Returns the info object with contact and licence, which linters and generators expect, although the service does
 * not know them.
 */
const describedInfo = (cache: SchemaCache, schema: string): Info => ({
  ...infoOf(cache, schema),
  contact: { name: 'The owner of the database' },
  license: { name: 'No licence is stated', identifier: 'NOASSERTION' },
});

function renderedTypes({ mediaHandlers }: SchemaCache, { schema, name }: QualifiedName): readonly string[] {
  const own = mediaHandlers.relation.get(schema)?.get(name)?.values() ?? [];
  return [...mediaHandlers.any.values(), ...own].map(({ contentType }) => contentType);
}

/** A path without braces, which would make it a template. */
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
  if (schemas.length < 2) return { reading: [], writing: [], components: new Map() };
  const parameter = (name: string): Parameter => ({
    name,
    in: 'header',
    required: schemas[0]?.name !== schema,
    description: 'The schema of the request.',
    schema: { type: 'string', const: schema },
  });
  const names = ['Accept-Profile', 'Content-Profile'] as const;
  const [reading, writing] = names;
  return {
    reading: [referenceTo('parameters', reading)],
    writing: [referenceTo('parameters', writing)],
    components: new Map(names.map((name) => [name, parameter(name)])),
  };
}
