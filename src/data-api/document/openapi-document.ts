import { privilegesOf } from '../schema-cache/lookups.js';
import { pathOfRelation } from '../request/read-request.js';
import type { QualifiedName, Routine, SchemaCache, Table, Column } from '../schema-cache/types.js';
import {
  jsonArray,
  jsonMembers,
  jsonObject,
  jsonValue,
  infoOf,
  visibleFunctions,
  visibleTables,
  type DocumentOptions,
} from './model.js';
import {
  BATCH_SCHEMAS,
  BATCH_TAG,
  LIVE_SCHEMAS,
  batchPath,
  descriptionOperation,
  DESCRIPTION_TAG,
  QUERY_SCHEMAS,
  rowsResponse,
  DATED_HEADERS,
  SHARED_HEADERS,
  SHARED_PARAMETERS,
  SHARED_RESPONSES,
  SHARED_SCHEMAS,
  type DocumentStyle,
  type ProfileParameters,
  operationIds,
  rowNames,
  type RowNames,
  componentName,
  filterKey,
  FILTER,
  QUERY,
  referenceTo,
  type Info,
  type Method,
  type OperationIds,
  type Parameter,
  type PathItem,
  type RequestBody,
  type Response,
  type Tag,
  type Reference,
} from './openapi.js';
import { functionPath, functionTag } from './functions.js';
import {
  graphSchemas,
  NO_GRAPHS,
  requiredColumns,
  type DescribedRelation,
  type GraphSchemas,
} from './graph-schemas.js';
import {
  allowedMethods,
  relationPath,
  relationTag,
  sharedBody,
  composedSchemas,
  relationSchemas,
} from './relations.js';

/** Largest number of relations whose description repeats for each what is the same for all. */
const MOST_WITH_TEXTS = 1000;

/**
 * Describes a schema as OpenAPI 3.1 or 3.2, so that typed clients can be generated from it: the relations and functions on
 * which the role has a privilege, with their rows and arguments. The text is generated in pieces on demand.
 */
export function describeAsOpenApi(cache: SchemaCache, options: DocumentOptions): Iterable<string> {
  const { schema, publicUri, pathPrefix, maxBatch, hasLive } = options;
  const operationId = operationIds();
  const rootIds = { description: operationId('get', 'description'), batch: operationId('send', 'batch') };
  const all = describedRelations(cache, options, operationId);
  const terse = all.length > MOST_WITH_TEXTS;
  // Generators of clients read 3.1, and many of them make one method of each media type, or confuse two.
  const isLatest = options.version === '3.2';
  const allForms = isLatest && !terse;
  const relations = terse ? all.map(withOneBody) : all;
  const functions = visibleFunctions(cache, options);
  const profile = profileParameters(cache, schema);
  const filters = filterParameters();
  // In a large schema, related rows would be a large part of the text.
  const graphs = terse ? NO_GRAPHS : graphSchemas(cache, relations);
  const described: Described = {
    ...{ cache, schema, relations, functions, filters, graphs, maxBatch, rootIds, operationId },
    ...{ profile, terse, allForms, hasLive, live: hasLive && allForms },
  };
  const references = new Set<string>();
  const sharesBodies = terse && relations.some(({ names }) => names.insert === names.update);
  const headers = { ...(terse ? {} : SHARED_HEADERS), ...(relations.some(isDated) ? DATED_HEADERS : {}) };
  return jsonObject([
    ['openapi', jsonValue(isLatest ? '3.2.0' : '3.1.0')],
    ['info', jsonValue(describedInfo(described))],
    ['servers', jsonValue([{ url: publicUri ?? (pathPrefix === '' ? '/' : pathPrefix) }])],
    // A request without a token runs as the anonymous role, if there is one.
    ['security', jsonValue([{ jwt: [] }, {}])],
    ...(terse ? [] : [['tags', jsonArray(tagsOf(relations, functions, maxBatch))] as const]),
    ['paths', jsonMembers(noted(pathsOf(described), references))],
    [
      'components',
      jsonObject([
        ['schemas', jsonMembers(schemasOf(described))],
        ['parameters', jsonMembers(parametersOf(filters, profile, references))],
        ...(sharesBodies ? [['requestBodies', jsonMembers(bodiesOf(relations))] as const] : []),
        ['responses', jsonMembers(responsesOf(described))],
        ...(Object.keys(headers).length === 0 ? [] : [['headers', jsonValue(headers)] as const]),
        ['securitySchemes', jsonValue({ jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } })],
      ]),
    ],
  ]);
}

const isDated = ({ table }: Pick<DescribedRelation, 'table'>): boolean => table.lastModified !== undefined;

function describedRelations(
  cache: SchemaCache,
  options: DocumentOptions,
  operationId: (method: Method, name: string) => string,
): readonly DescribedRelation[] {
  const { role } = options;
  const tables = visibleTables(cache, options);
  const names = rowNames(tables);
  const holds = role === null ? () => true : privilegesOf(cache.roles, role);
  return tables.flatMap((table) => {
    const known = names.get(table.name);
    const methods = allowedMethods(table, (privilege) => holds(table.access, privilege));
    if (known === undefined || methods.length === 0) return [];
    return [{ table, names: known, methods, ids: idsOf(table.name, operationId) }];
  });
}

const idsOf = (name: string, operationId: (method: Method, name: string) => string): OperationIds => ({
  get: operationId('get', name),
  post: operationId('post', name),
  put: operationId('put', name),
  patch: operationId('patch', name),
  delete: operationId('delete', name),
});

/** The relation with one schema of bodies, if inserts and updates accept the same. */
const withOneBody = (relation: DescribedRelation): DescribedRelation => {
  const { table, names, methods } = relation;
  const isOne = methods.includes('post') && methods.includes('patch') && requiredColumns(table).length === 0;
  return isOne ? { ...relation, names: { ...names, update: names.insert } } : relation;
};

type Entries<Value> = Generator<readonly [name: string, value: Value]>;

interface Described extends DocumentStyle {
  readonly cache: SchemaCache;
  readonly schema: string;
  readonly relations: readonly DescribedRelation[];
  readonly functions: readonly (readonly Routine[])[];
  readonly filters: FilterParameters;
  readonly graphs: GraphSchemas;
  /** `db-max-batch` */
  readonly maxBatch: number;
  /** `db-live` */
  readonly hasLive: boolean;
  /** Identifiers of the operations at the root. */
  readonly rootIds: { readonly description: string; readonly batch: string };
  readonly operationId: (method: Method, name: string) => string;
}

function* pathsOf(described: Described): Entries<PathItem> {
  const { relations, graphs, maxBatch, rootIds, profile, terse, allForms, live } = described;
  const style = { profile, terse, allForms, live };
  const readable = relations.find(({ methods }) => methods.includes('get'));
  const example = readable === undefined ? null : pathOfRelation(readable.table.name);
  const batch = maxBatch > 0 ? batchPath(maxBatch, rootIds.batch, example, style) : {};
  yield ['/', { get: descriptionOperation(rootIds.description, style), ...batch }];
  for (const relation of relations) {
    const { table, names, methods, ids } = relation;
    const context = {
      ...style,
      names,
      // Some generators of clients find no media type behind a reference, and then do not parse the body.
      rows: terse ? referenceTo('responses', names.rows) : rowsOf(relation, described),
      filters: described.filters.of(table),
      ids,
      insertsGraphs: graphs.propertiesOf(table) !== null,
    };
    const item = relationPath(table, methods, context);
    yield [pathOfRelation(table.name), allForms ? withQuery(item) : item];
  }
  const names = new Map(relations.map((relation) => [relation.table.name, relation.names]));
  const context = {
    ...style,
    rowOf: (relation: QualifiedName) => rowOf(relation, described.schema, names),
    operationId: (method: Method, name: string) => described.operationId(method, `rpc_${name}`),
  };
  for (const overloads of described.functions)
    for (const { name } of overloads.slice(0, 1)) {
      const item = functionPath(overloads, context);
      yield [`/rpc/${encodeURIComponent(name)}`, allForms ? withQuery(item) : item];
    }
}

/** Adds the operation QUERY, which reads what GET reads, with the parameters in the body. */
function withQuery(item: PathItem): PathItem {
  if (item.get === undefined) return item;
  const { operationId, ...get } = item.get;
  const content = {
    'application/json': { schema: referenceTo('schemas', QUERY) },
    [FORM]: { schema: referenceTo('schemas', QUERY) },
  };
  const query = {
    ...get,
    operationId: operationId.replace(/^get/, 'query'),
    requestBody: { required: true, content },
  };
  return { ...item, query };
}

const FORM = 'application/x-www-form-urlencoded';

const tagsOf = (
  relations: readonly DescribedRelation[],
  functions: readonly (readonly Routine[])[],
  maxBatch: number,
): readonly Tag[] => [
  DESCRIPTION_TAG,
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

function* schemasOf(described: Described): Entries<unknown> {
  const { cache, relations, graphs, maxBatch, terse, allForms, live } = described;
  yield* Object.entries({ ...SHARED_SCHEMAS, ...(allForms ? QUERY_SCHEMAS : {}) });
  if (live) yield* Object.entries(LIVE_SCHEMAS);
  if (maxBatch > 0) yield* Object.entries(BATCH_SCHEMAS);
  for (const { table, names, methods } of relations)
    yield* terse
      ? composedSchemas(table, names, cache, methods)
      : relationSchemas(table, names, cache, methods, graphs);
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

function* bodiesOf(relations: readonly DescribedRelation[]): Entries<RequestBody> {
  for (const { names } of relations) yield* sharedBody(names);
}

function* responsesOf(described: Described): Entries<Response> {
  yield* Object.entries(SHARED_RESPONSES);
  if (described.terse)
    for (const relation of described.relations) yield [relation.names.rows, rowsOf(relation, described)];
}

function rowsOf({ table, names }: DescribedRelation, described: Described): Response {
  const row = referenceTo('schemas', names.row);
  const rendered = renderedTypes(described.cache, table);
  return rowsResponse('The rows.', row, described, rendered, isDated({ table }));
}

/**
 * Returns the info object with contact and licence, which linters and generators expect, although the service does
 * not know them.
 */
function describedInfo({ cache, schema, terse, allForms, hasLive }: Described): Info {
  const info = infoOf(cache, schema);
  const others = allForms ? [] : [OTHER_FORMS, ...(hasLive ? [EVENTS] : [])];
  const texts = [info.description, ...others, ...(terse ? [OF_ALL] : [])];
  return {
    ...info,
    description: texts.filter((text) => text !== '').join('\n\n'),
    contact: { name: 'The owner of the database' },
    license: { name: 'No licence is stated', identifier: 'NOASSERTION' },
  };
}

/** The parts of each operation that only OpenAPI 3.2 can describe. */
const OTHER_FORMS =
  'All relations also return rows as `text/csv`, `text/csv; dialect=rfc4180` and `application/x-ndjson`, and one row as ' +
  '`application/vnd.pgrst.object+json`. POST, PUT and PATCH also accept rows as CSV of both dialects, POST as ' +
  '`application/x-ndjson`. QUERY reads what GET reads.';

const EVENTS =
  'GET and QUERY with `Accept: text/event-stream` answer with events that keep the answer true: `snapshot`, the answer as JSON, ' +
  '`change` with rows to `upsert`, keys to `delete` and the `order` of keys, and `end` with a `reason`.';

/** Text about all relations, which a large description has once. */
const OF_ALL =
  'POST accepts related rows, GET the parameters `having` and `distinct`. ' +
  'Responses of rows have the headers `Content-Range` and `ETag`.';

function renderedTypes({ mediaHandlers }: SchemaCache, { schema, name }: QualifiedName): readonly string[] {
  const own = mediaHandlers.relation.get(schema)?.get(name)?.values() ?? [];
  return [...mediaHandlers.any.values(), ...own].map(({ contentType }) => contentType);
}

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

// Filters by column as parameters. Columns of one name and one description share a parameter in all relations.

interface FilterParameters {
  /** References to the filters of a relation, in the order of its columns. */
  of(table: Table): readonly Reference[];
  /** The parameters that were referred to, by the name of their component. */
  all(): Iterable<readonly [name: string, parameter: Parameter]>;
}

function filterParameters(): FilterParameters {
  const parameters = new Map<string, Parameter>();
  const references = new Map<string, Reference>();

  function add(column: Column): Reference {
    const plain = `filter.${componentName(column.name)}`;
    let name = plain;
    for (let count = 2; parameters.has(name); count += 1) name = `${plain}_${String(count)}`;
    parameters.set(name, parameterOf(column));
    return referenceTo('parameters', name);
  }

  function referenceOf(column: Column): Reference {
    const key = `${column.name}\0${column.description ?? ''}`;
    const known = references.get(key);
    if (known !== undefined) return known;
    const reference = add(column);
    references.set(key, reference);
    return reference;
  }

  return {
    of: ({ columns }) => [...columns.values()].map(referenceOf),
    all: () => parameters,
  };
}

const parameterOf = ({ name, description }: Column): Parameter => ({
  name: filterKey(name),
  in: 'query',
  required: false,
  ...(description === null ? {} : { description }),
  schema: referenceTo('schemas', FILTER),
});
