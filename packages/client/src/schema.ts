/** The form of the type `Database` that `dbr types` writes, and what the client reads from it. */

export interface AnyRelationship {
  readonly foreignKeyName: string;
  readonly columns: readonly string[];
  readonly isOneToOne: boolean;
  readonly referencedRelation: string;
  readonly referencedColumns: readonly string[];
}

export interface AnyRelation {
  readonly Row: Readonly<Record<string, unknown>>;
  readonly Insert?: Readonly<Record<string, unknown>>;
  readonly Update?: Readonly<Record<string, unknown>>;
  readonly Relationships: readonly AnyRelationship[];
}

export interface AnyFunction {
  readonly Args: unknown;
  readonly Returns: unknown;
  readonly SetofOptions?: { readonly to: string; readonly isSetofReturn: boolean };
}

export interface AnySchema {
  readonly Tables: Readonly<Record<string, AnyRelation>>;
  readonly Views: Readonly<Record<string, AnyRelation>>;
  readonly Functions: Readonly<Record<string, AnyFunction>>;
}

/** Names of the schemas of a `Database`; `__InternalSupabase` is none. */
export type SchemaName<D> = Exclude<keyof D & string, '__InternalSupabase'>;

/** The schema of a client that names none: `public`, or the only one. */
export type DefaultSchema<D> = 'public' extends SchemaName<D> ? 'public' : SchemaName<D>;

export type SchemaOf<D, S> = S extends keyof D ? (D[S] extends AnySchema ? D[S] : never) : never;

export type Relations<S extends AnySchema> = S['Tables'] & S['Views'];

export type RelationName<S extends AnySchema> = keyof Relations<S> & string;

export type RowOf<S extends AnySchema, R extends string> = Relations<S>[R]['Row'];
