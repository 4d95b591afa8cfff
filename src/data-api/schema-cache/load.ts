/** Reads the catalogue in one read-only transaction, in one trip, and builds a cache from it. */
import { withoutAcceptances } from '../../base/lint-acceptance.js';
import {
  buildMediaHandlers,
  CAST_TYPES,
  MEDIA_HANDLERS,
  REPRESENTATIONS,
  type CastTypesRow,
  type MediaHandlerRow,
  type RepresentationRow,
  buildRepresentations,
} from './representations.js';
import { type ColumnOrigin, VIEW_BATCH, VIEWS, type ViewRow, readViews } from './views.js';
import {
  accessList,
  addColumnGrants,
  buildAccessLists,
  buildRoles,
  ACCESS_LISTS,
  COLUMN_GRANTS,
  ROLES,
  type AccessListRow,
  type ColumnGrantsRow,
  type RoleRow,
} from './privileges.js';
import {
  inOrder,
  parseEntry,
  queryEntries,
  type CatalogueDatabase,
  type CatalogueTransaction,
} from './catalogue.js';
import {
  CONSTRAINTS,
  type ConstraintRow,
  type TableConstraintsRow,
  COLUMN_TYPES,
  TABLES,
  type ColumnTypeRow,
  type TableRow,
  buildColumnTypes,
  buildRelation,
  type Relation,
  type RelationContext,
} from './relations.js';
import {
  FUNCTIONS,
  ROW_FUNCTIONS,
  type FunctionRow,
  type RowFunctionRow,
  buildRoutines,
} from './functions.js';
import { deriveRelationships } from './relationships.js';
import { queryRoleSettings } from './settings.js';
import { runInSlices, type Sliced } from '../../base/turns.js';
import { READ_CATALOGUE } from '../../postgres/own-settings.js';
import {
  put,
  type MutableByName,
  findOrPut,
  type ExposedSchema,
  type RoleSettings,
  type SchemaCache,
  type Table,
  type ByName,
  type ComputedField,
} from './types.js';

export interface LoadOptions {
  /** Generation of the new cache. */
  readonly generation: number;
  /** `db-schemas`: the exposed schemas, the default first. */
  readonly schemas: readonly string[];
  /** `db-extra-search-path`: further schemas whose computed fields and views are used. */
  readonly extraSearchPath: readonly string[];
  /** `db-hoisted-tx-settings` */
  readonly hoistedSettings: readonly string[];
  /** `db-config`: whether the settings of roles are read. */
  readonly roleSettings: boolean;
}

/**
 * Decodes rows and derives relationships in slices, so that the event loop is never blocked for long.
 * @throws the errors of the database
 */
export async function loadSchemaCache(
  database: CatalogueDatabase,
  options: LoadOptions,
): Promise<SchemaCache> {
  const catalogue = await database.tx((transaction) => readCatalogue(transaction, options));
  return runInSlices(buildCache(catalogue, options));
}

/** The rows of the catalogue, in the order of the queries. Large sets of rows are JSON text that is not yet parsed. */
type Catalogue = Awaited<ReturnType<typeof readCatalogue>>;

/**
 * One snapshot for all queries; an empty search path, so that PostgreSQL returns qualified names; no just-in-time
 * compilation, which would take longer than the queries; none of the limits and texts of the login.
 */
const PREPARATIONS = [
  'set transaction isolation level repeatable read, read only',
  "set local search_path to ''",
  'set local jit to off',
  READ_CATALOGUE,
];

/** Sends every query at once: on a pipelined connection PostgreSQL never waits for the next one. */
async function readCatalogue(transaction: CatalogueTransaction, options: LoadOptions) {
  const { schemas } = options;
  const searched = [...new Set([...schemas, ...options.extraSearchPath])];
  const entries = (text: string, ...values: unknown[]): Promise<readonly string[]> =>
    queryEntries(transaction, text, ...values);
  const rows = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
    (await entries(text, ...values)).map((entry) => parseEntry<Row>(entry));
  const prepared = inOrder(PREPARATIONS.map((text) => entries(text)));
  const serverRow = rows<ServerRow>(SERVER, schemas).then(([row]) => {
    if (row === undefined) throw new Error('the server did not say its version');
    return row;
  });
  return inOrder([
    prepared,
    serverRow,
    entries(TABLES, schemas),
    rows<ColumnTypeRow>(COLUMN_TYPES, schemas),
    entries(CONSTRAINTS),
    readAllViews(transaction, searched),
    entries(FUNCTIONS, schemas),
    rows<RowFunctionRow>(ROW_FUNCTIONS, searched),
    rows<RepresentationRow>(REPRESENTATIONS),
    rows<CastTypesRow>(CAST_TYPES, searched),
    rows<MediaHandlerRow>(MEDIA_HANDLERS, schemas),
    rows<AccessListRow>(ACCESS_LISTS, schemas),
    rows<ColumnGrantsRow>(COLUMN_GRANTS, schemas),
    rows<RoleRow>(ROLES),
    options.roleSettings
      ? serverRow.then(({ version }) => queryRoleSettings(transaction, version))
      : new Map<string, RoleSettings>(),
  ]);
}

async function readAllViews(
  transaction: CatalogueTransaction,
  schemas: readonly string[],
): Promise<ReadonlyMap<number, readonly ColumnOrigin[]>> {
  const origins = new Map<number, readonly ColumnOrigin[]>();
  let last = 0;
  for (;;) {
    const entries = await queryEntries(transaction, VIEWS, schemas, last, VIEW_BATCH);
    const views = entries.map((entry) => parseEntry<ViewRow>(entry));
    await runInSlices(readViews(views, origins));
    if (views.length < VIEW_BATCH) return origins;
    last = views.at(-1)?.oid ?? last;
  }
}

function* buildCache(catalogue: Catalogue, options: LoadOptions): Sliced<SchemaCache> {
  const [
    ,
    server,
    tableRows,
    columnTypes,
    constraintRows,
    views,
    functionRows,
    rowFunctions,
    representations,
    castTypes,
    mediaHandlers,
    accessLists,
    grants,
    roles,
    roleSettings,
  ] = catalogue;
  const lists = buildAccessLists(accessLists);
  const constraints = yield* parseConstraints(constraintRows);
  const columnGrants = new Map(grants.map((row) => [row.relation, row]));
  const { relations, tables } = yield* buildRelations(tableRows, {
    types: buildColumnTypes(columnTypes),
    constraints,
    views,
    access: (oid, acl) => addColumnGrants(accessList(lists, acl), columnGrants.get(oid)),
    tableAccess: (acl) => accessList(lists, acl),
  });
  const byOid = new Map(relations.map((relation) => [relation.oid, relation]));
  const exposed = new Set(options.schemas);
  const functions = yield* buildRoutines(parseEach<FunctionRow>(functionRows), {
    hoistedSettings: options.hoistedSettings,
    access: (acl) => accessList(lists, acl),
  });
  return {
    generation: options.generation,
    serverVersion: server.version,
    schemas: exposedSchemas(server, options.schemas),
    tables,
    relationships: yield* deriveRelationships({
      relations,
      constraints,
      rowFunctions: rowFunctions.filter((row) => row.alone && exposed.has(row.schema)),
    }),
    functions,
    computedFields: buildComputedFields(rowFunctions, byOid),
    representations: buildRepresentations(representations),
    castTypes: new Map(castTypes.map(({ schema, types }) => [schema, new Map(Object.entries(types))])),
    mediaHandlers: buildMediaHandlers(mediaHandlers, byOid),
    roleSettings,
    roles: buildRoles(roles),
  };
}

function* parseEach<Row>(entries: readonly string[]): Iterable<Row> {
  for (const entry of entries) yield parseEntry<Row>(entry);
}

function* parseConstraints(
  entries: readonly string[],
): Sliced<ReadonlyMap<number, readonly ConstraintRow[]>> {
  const constraints = new Map<number, readonly ConstraintRow[]>();
  for (const row of parseEach<TableConstraintsRow>(entries)) {
    constraints.set(row.table, row.constraints);
    yield;
  }
  return constraints;
}

interface NamedRelations {
  readonly relations: readonly Relation[];
  readonly tables: SchemaCache['tables'];
}

function* buildRelations(entries: readonly string[], context: RelationContext): Sliced<NamedRelations> {
  const relations: Relation[] = [];
  const tables: MutableByName<Table> = new Map();
  for (const row of parseEach<TableRow>(entries)) {
    const relation = buildRelation(row, context);
    relations.push(relation);
    put(tables, relation.table, relation.table);
    yield;
  }
  return { relations, tables };
}

/** Returns the exposed schemas in the order of the setting. A schema that does not exist is exposed as an empty one. */
function exposedSchemas(server: ServerRow, names: readonly string[]): ExposedSchema[] {
  const descriptions = new Map(server.schemas);
  return names.map((name) => ({ name, description: withoutAcceptances(descriptions.get(name) ?? null) }));
}

/** Functions of one row that act as columns of its relation (data API §1.4). */
function buildComputedFields(
  rows: readonly RowFunctionRow[],
  relations: ReadonlyMap<number, Relation>,
): ByName<ReadonlyMap<string, readonly ComputedField[]>> {
  const fields: MutableByName<Map<string, ComputedField[]>> = new Map();
  for (const row of rows) {
    const { schema, name, type, many } = row;
    const field: ComputedField = { function: { schema, name }, type, many };
    for (const oid of [row.relation, ...row.heirs]) {
      const relation = relations.get(oid);
      if (relation === undefined) continue;
      const ofRelation = findOrPut(fields, relation.name, () => new Map<string, ComputedField[]>());
      ofRelation.set(name, [...(ofRelation.get(name) ?? []), field]);
    }
  }
  return fields;
}

/** The server and the exposed schemas. */
interface ServerRow {
  readonly version: number;
  readonly schemas: readonly (readonly [name: string, description: string | null])[];
}

/** $1: exposed schemas. Schemas that do not exist are omitted. */
const SERVER = `
select
  pg_catalog.json_build_object(
    'version', pg_catalog.current_setting('server_version_num')::int4,
    'schemas',
      (
        select coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(n.nspname, d.description)), '[]')
        from pg_catalog.pg_namespace n
        left join pg_catalog.pg_description d
          on d.classoid = 'pg_catalog.pg_namespace'::pg_catalog.regclass
          and d.objoid = n.oid
        where n.nspname = any ($1)
      )
  )::text as entry
`;
