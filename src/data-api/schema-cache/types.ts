/**
 * The schema cache: the catalogue of the exposed schemas as plain values.
 * A `SchemaCache` never changes; a reload makes a new one with a higher generation.
 */

/** A relation, function or type by schema and name, as the catalogue spells both. */
export interface QualifiedName {
  readonly schema: string;
  readonly name: string;
}

/** Objects by schema, then by name. */
export type ByName<T> = ReadonlyMap<string, ReadonlyMap<string, T>>;

export interface SchemaCache {
  /** Counts the loads of this process; statements prepared under another generation are stale. */
  readonly generation: number;
  /** `server_version_num`, for example 150018. */
  readonly serverVersion: number;
  /** The exposed schemas, the default one first. */
  readonly schemas: readonly ExposedSchema[];
  /** Relations of the exposed schemas. Partitions are not among them, partitioned tables are. */
  readonly tables: ByName<Table>;
  /**
   * By source relation: all relationships to relations of the same schema, in a stable order: foreign keys,
   * junctions, then computed ones. Source, target and junction are exposed; the list is empty if only the junction is
   * not exposed.
   */
  readonly relationships: ByName<readonly Relationship[]>;
  /** Callable functions of the exposed schemas; overloads with fewer parameters first. */
  readonly functions: ByName<readonly Routine[]>;
  /**
   * By relation, then by name: functions of one row that are usable like columns (data API §1.4), from the exposed
   * schemas and the extra search path.
   */
  readonly computedFields: ByName<ReadonlyMap<string, readonly ComputedField[]>>;
  readonly representations: Representations;
  /** By schema (`pg_catalog`, exposed, extra search path), by name: whether requests may cast to the type. */
  readonly castTypes: ReadonlyMap<string, ReadonlyMap<string, boolean>>;
  readonly mediaHandlers: MediaHandlers;
  /** Settings to apply when a role is set (data API §1.15); empty if `db-config` is off. */
  readonly roleSettings: ReadonlyMap<string, RoleSettings>;
  readonly roles: Roles;
}

export interface ExposedSchema {
  readonly name: string;
  readonly description: string | null;
}

export type TableKind = 'table' | 'view' | 'materialized view' | 'foreign table' | 'partitioned table';

export interface Table extends QualifiedName {
  readonly kind: TableKind;
  readonly description: string | null;
  /** In the order of the table. */
  readonly columns: ReadonlyMap<string, Column>;
  /** Columns of the primary key in its order; of a view, the columns that show the key of its table. */
  readonly primaryKey: readonly string[];
  /**
   * The columns of each primary key, unique constraint and unique index without condition and expression; of a view, those
   * of the tables that it shows completely.
   */
  readonly uniqueKeys: readonly (readonly string[])[];
  /**
   * Whether the relation allows inserts, independent of the role; for views, according to `pg_relation_is_updatable`.
   */
  readonly insertable: boolean;
  readonly updatable: boolean;
  readonly deletable: boolean;
  /** Whether inserted rows have the given values: no trigger or rule may change or skip them. False for views. */
  readonly keepsInserts: boolean;
  /** Whether tables inherit from it, or once did: their rows are among its rows, and may have the same key. */
  readonly isInherited?: boolean;
  readonly access: AccessList;
  /** The privileges on the whole relation, without those on single columns. */
  readonly tableAccess: AccessList;
  /** The timestamp column with the time of a row's last change, if the comment names one. */
  readonly lastModified?: string;
}

export interface Column {
  readonly name: string;
  readonly description: string | null;
  /** Whether a write may give null. */
  readonly nullable: boolean;
  /** Whether rows may be null although no write may give null: PostgreSQL does not enforce it for each row. */
  readonly isUnproven?: boolean;
  /** SQL of the default: of the column, else of its domain; `nextval(…)` of an identity; null when generated. */
  readonly default: string | null;
  readonly identity: 'always' | 'by default' | null;
  /** True for `generated always as (…)`. */
  readonly generated: boolean;
  readonly type: ColumnType;
}

/** Whether a row may have null in the column. */
export const mayHoldNull = ({ nullable, isUnproven }: Column): boolean => nullable || isUnproven === true;

/** A type with its modifier. Columns of the same type share the value. */
export interface ColumnType {
  /** As `format_type` prints it, schema-qualified outside pg_catalog: `numeric(10,2)`, `festival.short_code`. */
  readonly name: string;
  /** The same without modifier: `numeric`, `character`. Key of the representations. */
  readonly plainName: string;
  /** The base type of a domain, without modifier; equal to `plainName` for other types. */
  readonly baseName: string;
  /** Most characters or bits; null for no limit. */
  readonly maxLength: number | null;
  /** Labels of an enum, or of the enum below a domain, in order. */
  readonly enumLabels: readonly string[];
  readonly isDomain: boolean;
}

/** Two columns that are equal; the left one belongs to the source. */
export interface ColumnPair {
  readonly left: string;
  readonly right: string;
}

/** A relationship from one relation to another. */
export type Relationship = ForeignKeyRelationship | JunctionRelationship | ComputedRelationship;

export interface ForeignKeyRelationship {
  readonly kind: 'foreign key';
  readonly cardinality: 'many-to-one' | 'one-to-many' | 'one-to-one';
  readonly source: QualifiedName;
  readonly target: QualifiedName;
  readonly constraint: string;
  /** source column = target column, in the order of the constraint. */
  readonly columns: readonly ColumnPair[];
  /** True if the source has the foreign key, false if the target has it. */
  readonly sourceRefers: boolean;
  readonly targetIsView: boolean;
}

/** Many-to-many through a relation whose primary key covers both of its foreign keys. */
export interface JunctionRelationship {
  readonly kind: 'junction';
  readonly cardinality: 'many-to-many';
  readonly source: QualifiedName;
  readonly target: QualifiedName;
  readonly junction: QualifiedName;
  readonly sourceConstraint: string;
  readonly targetConstraint: string;
  /** source column = junction column */
  readonly sourceColumns: readonly ColumnPair[];
  /** junction column = target column */
  readonly targetColumns: readonly ColumnPair[];
  readonly targetIsView: boolean;
}

/** A function of one row of the source that returns rows of the target. */
export interface ComputedRelationship {
  readonly kind: 'computed';
  readonly cardinality: 'to-one' | 'to-many';
  readonly source: QualifiedName;
  readonly target: QualifiedName;
  readonly function: QualifiedName;
}

export interface Routine extends QualifiedName {
  readonly description: string | null;
  readonly parameters: readonly Parameter[];
  readonly returns: Returns;
  readonly volatility: 'immutable' | 'stable' | 'volatile';
  /** Its own settings that `db-hoisted-tx-settings` names, as name and value, without the isolation level. */
  readonly settings: readonly (readonly [string, string])[];
  readonly isolation: Isolation | null;
  readonly access: AccessList;
}

export type Isolation = 'read committed' | 'repeatable read' | 'serializable';

export interface Parameter {
  /** Empty for an unnamed one. */
  readonly name: string;
  /** As `format_type` prints it: `integer`, `text[]`. */
  readonly type: string;
  /** `type`, with bit and character widened to their varying forms, which take values of any length. */
  readonly wideType: string;
  readonly required: boolean;
  readonly variadic: boolean;
  /** SQL of the default, where the function is variadic: a call that names arguments must then have all of them. */
  readonly default?: string | null;
}

export interface Returns {
  /** `composite`: a row type, or OUT, INOUT or TABLE columns. `record`: rows whose columns only the call determines. */
  readonly kind: 'void' | 'scalar' | 'composite' | 'record';
  /** True for SETOF and TABLE. */
  readonly many: boolean;
  /** The base type of domains; for a row type, the relation or composite type of that name. */
  readonly type: QualifiedName;
  /** True for a domain over a composite type. */
  readonly isDomain: boolean;
  /** OUT, INOUT and TABLE columns. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Set if the function returns a raw body (data API §1.13). */
  readonly media: Media | null;
}

export interface ComputedField {
  readonly function: QualifiedName;
  /** As `format_type` prints it. */
  readonly type: string;
  /** True if it returns several values, and therefore repeats the row. */
  readonly many: boolean;
}

/** Functions of implicit casts between domains and json or text (data API §1.3): by source type, then by target type. */
export type Representations = ReadonlyMap<string, ReadonlyMap<string, QualifiedName>>;

/** A media type that the database renders, from a domain of that name. */
export interface Media {
  // Lower case; `*/*` handles every media type.
  readonly mediaType: string;
  // Content-Type of the response: the same, or `application/octet-stream` for `*/*`.
  readonly contentType: string;
  /** True for a domain over bytea. */
  readonly binary: boolean;
}

/** An aggregate over rows that returns a body. */
export interface MediaHandler extends Media {
  readonly aggregate: QualifiedName;
}

export interface MediaHandlers {
  /** By media type, for the rows of any relation. */
  readonly any: ReadonlyMap<string, MediaHandler>;
  /** By relation, then by media type. */
  readonly relation: ByName<ReadonlyMap<string, MediaHandler>>;
}

export interface RoleSettings {
  /** Name and value, without the isolation level. */
  readonly settings: readonly (readonly [string, string])[];
  readonly isolation: Isolation | null;
  /** Settings that limit what the role may ask for (`dbr.…`), by name in lower case. PostgreSQL does not get them. */
  readonly ceilings: ReadonlyMap<string, string>;
}

export type Privilege =
  | 'SELECT'
  | 'INSERT'
  | 'UPDATE'
  | 'DELETE'
  | 'TRUNCATE'
  | 'REFERENCES'
  | 'TRIGGER'
  | 'MAINTAIN'
  | 'EXECUTE';

/** Privileges by role. A privilege on a column counts as one on the table. */
export type AccessList = ReadonlyMap<Grantee, ReadonlySet<Privilege>>;

/** A role's name, or null for PUBLIC. */
export type Grantee = string | null;

/** The roles of the cluster on which privileges depend, by name. */
export type Roles = ReadonlyMap<string, Role>;

export interface Role {
  readonly superuser: boolean;
  /** Whether no row security binds it: a superuser, or a role with BYPASSRLS. */
  readonly bypassesPolicies: boolean;
  /** Roles whose privileges it inherits directly. */
  readonly inherits: readonly string[];
}

export type MutableByName<T> = Map<string, Map<string, T>>;

/** Finds an object by its exact name. */
export const find = <T>(map: ByName<T>, schema: string, name: string): T | undefined =>
  map.get(schema)?.get(name);

export function put<T>(map: MutableByName<T>, { schema, name }: QualifiedName, value: T): void {
  const names = map.get(schema) ?? new Map<string, T>();
  map.set(schema, names);
  names.set(name, value);
}

/** Returns the value of a name. Creates and stores it if there is none. */
export function findOrPut<T>(map: MutableByName<T>, at: QualifiedName, make: () => T): T {
  const found = find(map, at.schema, at.name);
  if (found !== undefined) return found;
  const made = make();
  put(map, at, made);
  return made;
}

export const sameName = (a: QualifiedName, b: QualifiedName): boolean =>
  a.schema === b.schema && a.name === b.name;
