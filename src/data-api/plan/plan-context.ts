import type { QualifiedName, SchemaCache, Table, Column } from '../schema-cache/types.js';
import type { ColumnTree, Field } from '../grammar/ast.js';
import type { ApiRequest } from '../request/api-request.js';
import type { AssumedColumns, Conflict, Cut, Source, FieldExpression } from './expression.js';
import type { InsertChange, MutationPlan, OpenApiVersion } from './plan.js';
import { dbrError } from '../../errors/dbr-error.js';
import { tableHint } from '../schema-cache/lookups.js';

/** The inputs of planning beside the request. */
export interface PlanContext {
  readonly cache: SchemaCache;
  /** The role of the request. Hints name only objects on which it has privileges. */
  readonly role: string;
  /** `server-path-prefix`; empty for none. */
  readonly pathPrefix: string;
  /** `db-max-rows`; null for no limit. */
  readonly maxRows: bigint | null;
  readonly aggregatesEnabled: boolean;
  readonly rules: ReleaseRules;
  readonly planEnabled: boolean;
  /** `db-extra-search-path`: schemas that are searched for computed fields after the schema of the request. */
  readonly extraSearchPath: readonly string[];
  readonly root: RootContext;
  /** Plans an insert with related rows: `src/data-api/graph` builds on this folder. */
  readonly planGraph: (write: GraphWrite) => InsertChange;
}

/** The response of the root path: none, the description of the schema, or the result of a function (`db-root-spec`). */
export type RootContext =
  | { readonly kind: 'disabled' }
  | { readonly kind: 'document'; readonly version: OpenApiVersion }
  | { readonly kind: 'function'; readonly name: string };

/** An insert with related rows. */
export interface GraphWrite {
  readonly request: ApiRequest;
  readonly target: QualifiedName;
  /** The keys of the body on all levels. */
  readonly keys: ColumnTree;
  /** The treatment of a row of the root that exists. */
  readonly conflict: Conflict | null;
  /** Which rows the response shows, so that it must find them again. */
  readonly represent: MutationPlan['represent'];
  readonly tree: TreeContext;
}

/** State that all nodes of a read tree share. */
export interface TreeContext extends PlanContext {
  readonly aliases: Aliases;
  readonly assumptions: Assumptions;
  /** Returns what happens to a list that `db-max-rows` limits; null if no one is to know. */
  readonly cutOf: (path: readonly string[], limit: bigint) => Cut | null;
  /** The lists of all calls of `cutOf`. */
  readonly cuts: readonly Cut[];
  /** The schema of the request, then the extra search path. */
  readonly searchPath: readonly string[];
}

/**
 * Returns the context of one request's tree.
 * @param schema the schema of the request
 * @param handling what happens to lists that `db-max-rows` cuts: they are refused, named or not looked at
 */
export function createTreeContext(
  context: PlanContext,
  schema: string,
  handling: 'strict' | 'lenient' | 'none',
): TreeContext {
  const cuts: Cut[] = [];
  return {
    ...context,
    aliases: createAliases(),
    assumptions: createAssumptions(),
    cuts,
    cutOf: (keys, limit) => {
      if (handling === 'none') return null;
      const path = keys.map(encodeURIComponent).join('.');
      const cut = { number: cuts.length, limit, path, refused: handling === 'strict' };
      cuts.push(cut);
      return cut;
    },
    searchPath: [schema, ...context.extraSearchPath],
  };
}

/** Whether PostgreSQL can resolve a field name only as a column or computed field of the source. */
type KnownNames = (name: string) => boolean;

/** Collects the names of one statement that the schema cache does not know. */
interface Assumptions {
  /** Returns a function to call with the name of each field of a source's rows. */
  readonly about: (source: Source, isKnown: KnownNames) => (name: string) => void;
  readonly all: () => readonly AssumedColumns[];
}

export function createAssumptions(): Assumptions {
  const collected: { readonly source: Source; readonly names: Set<string> }[] = [];
  return {
    about: (source, isKnown) => {
      const names = new Set<string>();
      collected.push({ source, names });
      return (name) => {
        if (!isKnown(name)) names.add(name);
      };
    },
    all: () =>
      collected.flatMap(({ source, names }) => (names.size === 0 ? [] : [{ source, columns: [...names] }])),
  };
}

/** A lone `select=count` counts rows: clients of earlier releases of the reference send it (data API §1.4). */
const COUNT = 'count';

/**
 * Returns the known names of a relation: its columns, its computed fields on the search path, and `count`. No column
 * is known of a relation outside the cache.
 */
export function namesOfRelation(
  cache: SchemaCache,
  table: Table | null,
  searchPath: readonly string[],
): KnownNames {
  if (table === null) return (name) => name === COUNT;
  const computed = cache.computedFields.get(table.schema)?.get(table.name);
  return (name) =>
    table.columns.has(name) ||
    name === COUNT ||
    (computed?.get(name)?.some((field) => searchPath.includes(field.function.schema)) ?? false);
}

/** Field names of rows in a common table expression: they have the columns of the relation, not its row type. */
export const columnsOfRelation =
  (table: Table | null): KnownNames =>
  (name) =>
    name === COUNT || (table?.columns.has(name) ?? false);

/** Field names of rows whose columns a function declares. */
export const namesOfColumns = (columns: readonly string[]): KnownNames => {
  const names = new Set([...columns, COUNT]);
  return (name) => names.has(name);
};

/** The source of a relation's rows. */
export const relationSource = (name: QualifiedName): Source => ({ kind: 'relation', name });

/** Rules of planning in which dbr and releases of PostgREST differ. */
export interface ReleaseRules {
  /** Whether a spread of a to-many relationship gives arrays. */
  readonly spreadsMany: boolean;
  /** Whether a text search converts columns that are no `tsvector` by `to_tsvector` with its configuration. */
  readonly searchesDocuments: boolean;
  /** Whether the rows that a write returns are sorted by `order`. */
  readonly ordersWrites: boolean;
  /** Whether a read of a relation that the schema cache does not contain is DBR205 instead of PostgreSQL's 42P01. */
  readonly looksUpRelations: boolean;
  /** Whether an update or delete with an inner embed is refused, which would not choose the rows that change. */
  readonly refusesInnerWrites: boolean;
  readonly embedNames: EmbedNames;
}

/**
 * How filters, orders and ranges name an embedded resource. `first`: the first one with this name or alias. `key first`:
 * its key in the response, or else its name although it has an alias. `key`: its key alone.
 */
export type EmbedNames = 'first' | 'key first' | 'key';

/**
 * @param usesTargetNames whether a resource with an alias may also be named by its own name
 * @param compatible whether the service stands in the place of PostgREST (`compatibility`)
 */
export function releaseRules(
  level: '12' | '16',
  usesTargetNames: boolean,
  compatible: boolean,
): ReleaseRules {
  const isLater = level === '16';
  return {
    spreadsMany: isLater,
    searchesDocuments: isLater,
    ordersWrites: isLater,
    looksUpRelations: isLater,
    refusesInnerWrites: !compatible,
    embedNames: usesTargetNames ? (isLater ? 'key first' : 'first') : 'key',
  };
}

/** Unique names for the relations of one statement. */
interface Aliases {
  /** Returns the wanted name if it is free, otherwise the name with a number. */
  readonly claim: (wanted: string) => string;
}

/** The rows of a payload, in statements that write. */
export const PAYLOAD_ALIAS = 'payload';

/** The column of a value that a function returns. CSV shows this name, and clients rely on it. */
export const VALUE_COLUMN = 'pgrst_scalar';

/** Names that statements use themselves. No relation of a request gets one of them. */
const RESERVED = ['answer', 'arguments', 'chosen', 'counted', PAYLOAD_ALIAS, 'rows', 'written'];

/** Longest name in bytes. PostgreSQL truncates longer ones, which could make two names equal. */
const LONGEST = 63;

export function createAliases(): Aliases {
  const taken = new Set(RESERVED);
  return {
    claim: (wanted) => {
      for (let number = 0; ; number += 1) {
        const suffix = number === 0 ? '' : `_${number}`;
        const candidate = cut(wanted, LONGEST - suffix.length) + suffix;
        if (taken.has(candidate)) continue;
        taken.add(candidate);
        return candidate;
      }
    },
  };
}

/** Returns the name as PostgreSQL truncates it. */
export const truncateName = (name: string): string => cut(name, LONGEST);

/** Returns the longest prefix of whole characters with at most `bytes` bytes in UTF-8. */
function cut(name: string, bytes: number): string {
  if (Buffer.byteLength(name) <= bytes) return name;
  let kept = '';
  let size = 0;
  for (const character of name) {
    size += Buffer.byteLength(character);
    if (size > bytes) break;
    kept += character;
  }
  return kept;
}

/** A relation of the statement under its alias, with its entry of the schema cache. */
export interface Scope {
  readonly cache: SchemaCache;
  readonly alias: string;
  /** Null for relations outside the cache, and for results of functions without a relation's type. */
  readonly table: Table | null;
  /** The schema of the request, then the extra search path. */
  readonly searchPath: readonly string[];
  /** Whether a text search converts columns that are no `tsvector` by `to_tsvector`. */
  readonly searchesDocuments: boolean;
  /** Called with the name of every field in the request (`Assumptions`). */
  readonly assume: (name: string) => void;
}

/** Returns the column of this name; null for computed fields and unknown names. */
export function findColumn(scope: Scope, name: string): Column | null {
  return scope.table?.columns.get(name) ?? null;
}

/** Returns the expression of a field that a request names. */
export function fieldExpression(field: Field, scope: Scope): FieldExpression {
  scope.assume(field.name);
  const base = findColumn(scope, field.name)?.type.baseName;
  return {
    relation: scope.alias,
    column: field.name,
    path: field.path,
    viaJson: field.path.length > 0 && base !== 'json' && base !== 'jsonb',
  };
}

/**
 * Whether a field is searched as the text search vector of its value. Null for a field whose type the schema cache does
 * not know, such as a column of rows that a function declares.
 */
export function isSearchVector(field: Field, scope: Scope): boolean | null {
  if (field.path.length > 0) return false;
  const type = findColumn(scope, field.name)?.type.baseName ?? computedType(field.name, scope);
  return type === null ? null : type === 'tsvector';
}

function computedType(name: string, { cache, table, searchPath }: Scope): string | null {
  const fields =
    table === null ? [] : (cache.computedFields.get(table.schema)?.get(table.name)?.get(name) ?? []);
  return fields.find((field) => searchPath.includes(field.function.schema))?.type ?? null;
}

/** Returns a name that no column of the table has; null for a table whose columns are not known. */
export const freeColumn = (wanted: string, table: Table | null): string | null =>
  table === null ? null : freeName(wanted, table.columns);

/** Returns a name that is not among these. */
export function freeName(wanted: string, taken: { readonly has: (name: string) => boolean }): string {
  let name = wanted;
  while (taken.has(name)) name += '_';
  return name;
}

/** Returns DBR205 for a relation that the schema cache does not contain. */
export function unknownTable(
  context: { readonly cache: SchemaCache; readonly role: string },
  schema: string,
  table: string,
) {
  const hint = tableHint(context.cache, context.role, { schema, name: table });
  return dbrError('TableNotFound', { schema, table, hint });
}

/** Returns the table or view of this name; null if it is not in an exposed schema. */
export function findTable(cache: SchemaCache, name: QualifiedName): Table | null {
  return cache.tables.get(name.schema)?.get(name.name) ?? null;
}

/** Returns the names of the columns in their order; empty for an unknown relation. */
export const columnNames = (table: Table | null): readonly string[] => [...(table?.columns.keys() ?? [])];
