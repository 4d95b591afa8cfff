/**
 * The type `Database` of the exposed schemas in TypeScript, in the form that supabase-js and postgrest-js read
 * (https://supabase.com/docs/guides/api/rest/generating-types).
 */
import {
  type Column,
  type ColumnType,
  find,
  type ForeignKeyRelationship,
  fromText,
  mayHoldNull,
  type Relationship,
  type Returns,
  type Routine,
  type Schema,
  type SchemaCache,
  sqlName,
  type Table,
  toJson,
  valueSchema,
  visibleFunctions,
  visibleTables,
} from '../../../../src/face.js';

interface TypesOptions {
  /** Exposed schemas that are described. */
  readonly schemas: readonly string[];
  /** The role whose privileges apply; null describes all objects. */
  readonly role: string | null;
  /** Version of PostgREST whose features the client may use. */
  readonly version: string;
}

/** Lines of a block, each indented by its depth. */
type Lines = readonly string[];

const JSON_TYPE = `export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];`;

/** Returns the text of a module. The order of its parts is that of their names, so that equal databases have equal texts. */
export function databaseTypes(cache: SchemaCache, options: TypesOptions): string {
  const { schemas, version } = options;
  const context = { cache, options, enums: enumsOf(cache) };
  const lines = [
    '// Made by `dbr types`.',
    JSON_TYPE,
    '',
    'export type Database = {',
    ...indented([
      `__InternalSupabase: { PostgrestVersion: ${text(version)} };`,
      ...schemas.flatMap((schema) => block(schema, schemaLines(schema, context))),
    ]),
    '};',
  ];
  return `${lines.join('\n')}\n`;
}

interface Context {
  readonly cache: SchemaCache;
  readonly options: TypesOptions;
  /** Labels by the name of the type as `format_type` prints it. */
  readonly enums: ReadonlyMap<string, readonly string[]>;
}

const text = (value: string): string => JSON.stringify(value);
const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : text(name));
const indented = (lines: Lines): Lines => lines.map((line) => `  ${line}`);
const block = (name: string, lines: Lines): Lines =>
  lines.length === 0
    ? [`${key(name)}: { [_ in never]: never };`]
    : [`${key(name)}: {`, ...indented(lines), '};'];
const byName = <T extends { readonly name: string }>(items: readonly T[]): readonly T[] =>
  items.toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));

function schemaLines(schema: string, context: Context): Lines {
  const { cache, options } = context;
  const visible = { schema, role: options.role };
  const relations = byName(visibleTables(cache, visible));
  const isView = ({ kind }: Table): boolean => kind === 'view' || kind === 'materialized view';
  const overloads = visibleFunctions(cache, visible).flatMap((routines) =>
    routines.slice(0, 1).map(({ name }) => ({ name, routines })),
  );
  const relationLines = (tables: readonly Table[]): Lines =>
    tables.flatMap((table) => block(table.name, tableLines(table, context)));
  return [
    ...block('Tables', relationLines(relations.filter((table) => !isView(table)))),
    ...block('Views', relationLines(relations.filter(isView))),
    ...block(
      'Functions',
      byName(overloads).flatMap(({ name, routines }) => functionLines(name, routines, context)),
    ),
    ...block('Enums', enumLines(schema, context)),
    ...block('CompositeTypes', []),
  ];
}

/** Labels of the enums that columns of exposed relations have. */
function enumsOf({ tables }: SchemaCache): ReadonlyMap<string, readonly string[]> {
  const enums = new Map<string, readonly string[]>();
  for (const relations of tables.values())
    for (const { columns } of relations.values())
      for (const { type } of columns.values())
        if (type.enumLabels.length > 0 && !type.isDomain) enums.set(type.plainName, type.enumLabels);
  return enums;
}

const union = (labels: readonly string[]): string => labels.map(text).join(' | ');

function enumLines(schema: string, { enums }: Context): Lines {
  const names = [...enums].flatMap(([name, labels]) => {
    const at = splitName(name);
    return at.schema === schema ? [{ name: at.name, labels }] : [];
  });
  return byName(names).map(({ name, labels }) => `${key(name)}: ${union(labels)};`);
}

/** Splits a name as `format_type` prints it, whose parts are quoted where they must be. */
function splitName(name: string): { readonly schema: string; readonly name: string } {
  const [, schema = '', rest = name] = /^("(?:[^"]|"")*"|[^".]*)\.(.*)$/.exec(name) ?? [];
  return { schema: unquoted(schema), name: unquoted(rest) };
}

const unquoted = (name: string): string =>
  name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;

function tableLines(table: Table, context: Context): Lines {
  const columns = [...table.columns.values()];
  return [
    ...block('Row', [
      ...columns.map((column) => `${key(column.name)}: ${readType(column, context)};`),
      ...computedLines(table, context),
    ]),
    ...(table.insertable
      ? block(
          'Insert',
          columns.map((column) => writtenLine(column, isOptional(column), context)),
        )
      : []),
    ...(table.updatable
      ? block(
          'Update',
          columns.map((column) => writtenLine(column, true, context)),
        )
      : []),
    ...relationshipLines(table, context),
  ];
}

/** A column that the database always makes cannot be written. */
const isMade = ({ generated, identity }: Column): boolean => generated || identity === 'always';

const isOptional = ({ nullable, default: value, identity }: Column): boolean =>
  nullable || value !== null || identity !== null;

const orNull = (type: string, nullable: boolean): string => (nullable ? `${type} | null` : type);

const readType = (column: Column, context: Context): string =>
  orNull(
    toJson(context.cache, column) !== null ? 'Json' : columnType(column.type, context),
    mayHoldNull(column),
  );

function writtenLine(column: Column, optional: boolean, context: Context): string {
  const { name, type, nullable } = column;
  if (isMade(column)) return `${key(name)}?: never;`;
  const written = fromText(context.cache, 'json', column) !== null ? 'Json' : columnType(type, context);
  return `${key(name)}${optional ? '?' : ''}: ${orNull(written, nullable)};`;
}

function columnType({ enumLabels, isDomain, plainName, baseName }: ColumnType, context: Context): string {
  if (enumLabels.length > 0 && isDomain) return union(enumLabels);
  return typeOf(enumLabels.length > 0 ? plainName : baseName, context);
}

/** @param name as `format_type` prints it */
function typeOf(name: string, context: Context): string {
  if (name.endsWith('[]')) return arrayOf(typeOf(name.slice(0, -'[]'.length), context));
  const labels = context.enums.get(name);
  if (labels === undefined) return schemaType(valueSchema(name));
  const at = splitName(name);
  return context.options.schemas.includes(at.schema)
    ? `Database[${text(at.schema)}]["Enums"][${text(at.name)}]`
    : union(labels);
}

const arrayOf = (type: string): string => (type.includes('|') ? `(${type})[]` : `${type}[]`);

function schemaType({ type, items }: Schema): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'string':
      return type;
    case 'array':
      return items === undefined ? 'Json[]' : arrayOf(schemaType(items));
    case 'null':
    case 'object':
    case undefined:
    default:
      return 'Json';
  }
}

/** Functions of a row that requests select as columns. */
const computedLines = ({ schema, name }: Table, context: Context): Lines =>
  [...(context.cache.computedFields.get(schema)?.get(name) ?? [])].flatMap(([field, candidates]) =>
    candidates
      .slice(0, 1)
      .filter(({ many }) => !many)
      .map(({ type }) => `${key(field)}: ${typeOf(type, context)} | null;`),
  );

const isReference = (one: Relationship): one is ForeignKeyRelationship =>
  one.kind === 'foreign key' && one.sourceRefers;

function relationshipLines({ schema, name }: Table, { cache }: Context): Lines {
  const references = (find(cache.relationships, schema, name) ?? []).filter(isReference);
  const lines = references
    .map(({ constraint, columns, cardinality, target }) => {
      const list = (names: readonly string[]): string => `[${names.map(text).join(', ')}]`;
      const members = [
        `foreignKeyName: ${text(constraint)}`,
        `columns: ${list(columns.map(({ left }) => left))}`,
        `isOneToOne: ${String(cardinality === 'one-to-one')}`,
        `referencedRelation: ${text(target.name)}`,
        `referencedColumns: ${list(columns.map(({ right }) => right))}`,
      ];
      return `{ ${members.join('; ')} },`;
    })
    .toSorted();
  return lines.length === 0 ? ['Relationships: [];'] : ['Relationships: [', ...indented(lines), '];'];
}

function functionLines(name: string, overloads: readonly Routine[], context: Context): Lines {
  const types = overloads.map((routine) => {
    const returns = [
      `Args: ${argumentsType(routine, context)}`,
      `Returns: ${returnsType(routine.returns, context)}`,
    ];
    return `{ ${[...returns, ...setOf(routine.returns, context)].join('; ')} }`;
  });
  const [first = '', ...others] = types.toSorted();
  return others.length === 0
    ? [`${key(name)}: ${first};`]
    : [
        `${key(name)}:`,
        ...indented([first, ...others].map((type) => `| ${type}`)).slice(0, -1),
        `  | ${others.at(-1) ?? ''};`,
      ];
}

function argumentsType({ parameters }: Routine, context: Context): string {
  if (parameters.length === 0) return 'never';
  const members = parameters.map(
    ({ name, type, required }) =>
      // The body is the value of an unnamed parameter.
      `${key(name)}${required ? '' : '?'}: ${typeOf(type, context)}${name === '' ? '' : ' | null'}`,
  );
  return `{ ${members.join('; ')} }`;
}

function returnsType(returns: Returns, context: Context): string {
  const type = elementType(returns, context);
  if (returns.many) return arrayOf(type);
  // A function of one row may give none.
  return returns.kind === 'composite' ? `${type} | null` : type;
}

function elementType({ kind, type, columns }: Returns, context: Context): string {
  switch (kind) {
    case 'void':
      return 'undefined';
    case 'scalar':
      return typeOf(
        type.schema === 'pg_catalog' ? sqlName(type.name) : `${type.schema}.${type.name}`,
        context,
      );
    case 'record':
      return 'Record<string, unknown>';
    case 'composite': {
      const section = sectionOf(type, context);
      if (section !== null)
        return `Database[${text(type.schema)}][${text(section)}][${text(type.name)}]["Row"]`;
      if (columns.length === 0) return 'Record<string, unknown>';
      return `{ ${columns.map((column) => `${key(column.name)}: ${typeOf(column.type, context)} | null`).join('; ')} }`;
    }
  }
}

/** Returns the section of a described relation; null for any other type. */
function sectionOf(
  { schema, name }: Returns['type'],
  { cache, options }: Context,
): 'Tables' | 'Views' | null {
  const table = options.schemas.includes(schema)
    ? visibleTables(cache, { schema, role: options.role }).find((one) => one.name === name)
    : undefined;
  if (table === undefined) return null;
  return table.kind === 'view' || table.kind === 'materialized view' ? 'Views' : 'Tables';
}

/** Renders the types that a client needs to filter and embed the rows of a function. */
function setOf({ kind, many, type }: Returns, context: Context): Lines {
  if (kind !== 'composite' || sectionOf(type, context) === null) return [];
  const members = [
    'from: "*"',
    `to: ${text(type.name)}`,
    `isOneToOne: ${String(!many)}`,
    `isSetofReturn: ${String(many)}`,
  ];
  return [`SetofOptions: { ${members.join('; ')} }`];
}
