/**
 * The type of the rows that a `select` describes: a parser of its text and the relationships of the schema, in types alone.
 * The grammar is that of the data API (docs/data-api/overview.md); quoted names are not parsed, and give `unknown` rows.
 */
import type { AnyRelationship, AnySchema, RelationName, Relations, RowOf } from './schema.js';

/** An item of a `select`: its text before a parenthesis, and what stands between its parentheses. */
interface Item {
  readonly text: string;
  readonly items: readonly Item[] | null;
}

interface Parsed {
  readonly items: readonly Item[];
  readonly rest: string;
}

type UntilClose<S extends string> = S extends `${infer A})${string}` ? A : S;
type UntilOpen<S extends string> = S extends `${infer A}(${string}` ? UntilClose<A> : UntilClose<S>;
/** The text before the first comma or parenthesis. */
type Head<S extends string> = S extends `${infer A},${string}` ? UntilOpen<A> : UntilOpen<S>;
type Rest<S extends string> = S extends `${Head<S>}${infer R}` ? R : '';

type Space = ' ' | '\n' | '\t';
type Trim<S extends string> = S extends `${Space}${infer R}` | `${infer R}${Space}` ? Trim<R> : S;

type ParseList<S extends string, Acc extends readonly Item[] = []> =
  Rest<S> extends `(${infer Inner}`
    ? ParseList<Inner> extends infer P extends Parsed
      ? AfterClose<P['rest'], Acc, { text: Trim<Head<S>>; items: P['items'] }>
      : never
    : Ended<Rest<S>, [...Acc, { text: Trim<Head<S>>; items: null }]>;

/** After a parenthesis: the next item, the end of the list, or a cast of an aggregate. */
type AfterClose<S extends string, Acc extends readonly Item[], I extends Item> =
  Trim<S> extends `::${string}`
    ? Ended<Rest<S>, [...Acc, { text: `${I['text']}${Trim<Head<S>>}`; items: I['items'] }]>
    : Ended<Trim<S>, [...Acc, I]>;

type Ended<S extends string, Acc extends readonly Item[]> = S extends `,${infer R}`
  ? ParseList<R, Acc>
  : S extends `)${infer R}`
    ? { items: Acc; rest: R }
    : { items: Acc; rest: '' };

/** What does not fit the schema, as the text of an error of the compiler. */
export interface Refused<M extends string> {
  readonly refused: M;
}

type Casts = {
  text: string;
  varchar: string;
  int: number;
  int2: number;
  int4: number;
  int8: number;
  integer: number;
  bigint: number;
  smallint: number;
  numeric: number;
  float4: number;
  float8: number;
  bool: boolean;
  boolean: boolean;
};
type Cast<T extends string, V> = T extends keyof Casts ? Casts[T] | (null extends V ? null : never) : unknown;

/** Parts of `alias:target::cast`. */
type Alias<T extends string> = T extends `${infer A}:${infer B}` ? (B extends `:${string}` ? null : A) : null;
type Unaliased<T extends string> = T extends `${infer A}:${infer B}`
  ? B extends `:${string}`
    ? T
    : A extends string
      ? B
      : never
  : T;
type Uncast<T extends string> = T extends `${infer A}::${string}` ? A : T;
type Named<A, N extends string> = A extends string ? A : N;

type LastStep<T extends string> = T extends `${string}->${infer B}`
  ? LastStep<B extends `>${infer C}` ? C : B>
  : T;

type Value<S extends AnySchema, R extends string, C extends string> = C extends `${infer N}->${infer P}`
  ? N extends keyof RowOf<S, R>
    ? P extends `>${string}` | `${string}->>${string}`
      ? string | null
      : unknown
    : Refused<`${R} has no column ${N}`>
  : C extends keyof RowOf<S, R>
    ? RowOf<S, R>[C]
    : Refused<`${R} has no column ${C}`>;

type Column<S extends AnySchema, R extends string, T extends string> =
  Value<S, R, Uncast<Unaliased<T>>> extends infer V
    ? [V] extends [Refused<string>]
      ? V
      : {
          [K in Named<Alias<T>, LastStep<Uncast<Unaliased<T>>>>]: Unaliased<T> extends `${string}::${infer C}`
            ? Cast<C, V>
            : V;
        }
    : never;

type Aggregate = 'count' | 'sum' | 'avg' | 'min' | 'max';

/** `count()`, `column.sum()`; null for what is not an aggregate. */
type AggregateOf<S extends AnySchema, R extends string, T extends string> =
  Uncast<Unaliased<T>> extends 'count'
    ? { [K in Named<Alias<T>, 'count'>]: number }
    : Uncast<Unaliased<T>> extends `${infer C}.${infer F extends Aggregate}`
      ? Value<S, R, C> extends infer V
        ? [V] extends [Refused<string>]
          ? V
          : {
              [K in Named<Alias<T>, F>]: F extends 'count'
                ? number
                : F extends 'min' | 'max'
                  ? V
                  : number | null;
            }
        : never
      : null;

type IsEmpty<I extends readonly Item[]> = I extends readonly [{ text: ''; items: null }] ? true : false;

/** Parts of `target!hint!inner`. */
type Target<T extends string> = T extends `${infer N}!${string}` ? N : T;
type Hint<T extends string> = T extends `${string}!${infer H}`
  ? Exclude<SplitHints<H>, 'inner' | 'left'>
  : never;
type SplitHints<H extends string> = H extends `${infer A}!${infer B}` ? A | SplitHints<B> : H;
type IsInner<T extends string> = T extends `${string}!inner${string}` ? true : false;

/** What an embed gives: the rows of a relation, one or many. */
interface Embed {
  readonly to: string;
  readonly kind: 'one' | 'maybe' | 'many';
}

type RelationshipsOf<S extends AnySchema, R extends string> = R extends keyof Relations<S>
  ? Relations<S>[R]['Relationships'][number]
  : never;

/** Whether a hint names the key: by its name, or by one of its columns. */
type Hinted<K extends AnyRelationship, H> = [H] extends [never]
  ? K
  : K extends { foreignKeyName: H } | { referencedRelation: H }
    ? K
    : H extends K['columns'][number]
      ? K
      : never;

/** References of a relation that a target names: by relation, by key or by column. */
type References<S extends AnySchema, R extends string, N extends string, H> =
  RelationshipsOf<S, R> extends infer K
    ? K extends AnyRelationship
      ? K['referencedRelation'] extends N
        ? Hinted<K, H>
        : K['foreignKeyName'] extends N
          ? K
          : K['columns'] extends readonly [N]
            ? K
            : never
      : never
    : never;

type IsRequired<S extends AnySchema, R extends string, K extends AnyRelationship> = null extends RowOf<
  S,
  R
>[K['columns'][number]]
  ? 'maybe'
  : 'one';

type ToOne<S extends AnySchema, R extends string, K> = K extends AnyRelationship
  ? { to: K['referencedRelation']; kind: IsRequired<S, R, K> }
  : never;

/** Keys of a relation that refer to another one. */
type ReferencesTo<S extends AnySchema, From extends string, R extends string, H> = Extract<
  References<S, From, R, H>,
  AnyRelationship
>;

type ToMany<S extends AnySchema, R extends string, N extends string, H> =
  N extends RelationName<S>
    ? ReferencesTo<S, N, R, H> extends infer K
      ? [K] extends [never]
        ? Junction<S, R, N>
        : {
            to: N;
            kind: true extends (K extends AnyRelationship ? K['isOneToOne'] : never) ? 'maybe' : 'many';
          }
      : never
    : ByKey<S, R, N>;

/** Relations that refer to both ends. */
type Junction<S extends AnySchema, R extends string, N extends string> = {
  [J in RelationName<S>]: [ReferencesTo<S, J, R, never>] extends [never]
    ? never
    : [ReferencesTo<S, J, N, never>] extends [never]
      ? never
      : J;
}[RelationName<S>] extends infer J
  ? [J] extends [never]
    ? Refused<`${R} has no relationship with ${N}`>
    : { to: N; kind: 'many' }
  : never;

/** Rows that refer to this relation by the key of that name, or what a function of the row returns. */
type ByKey<S extends AnySchema, R extends string, N extends string> = {
  [J in RelationName<S>]: Extract<
    RelationshipsOf<S, J>,
    { foreignKeyName: N; referencedRelation: R }
  > extends infer K
    ? K extends AnyRelationship
      ? { to: J; kind: K['isOneToOne'] extends true ? 'maybe' : 'many' }
      : never
    : never;
}[RelationName<S>] extends infer E
  ? [E] extends [never]
    ? Computed<S, R, N>
    : E
  : never;

type Computed<S extends AnySchema, R extends string, N extends string> = N extends keyof S['Functions']
  ? S['Functions'][N] extends { SetofOptions: { to: infer T extends string; isSetofReturn: infer M } }
    ? { to: T; kind: M extends true ? 'many' : 'maybe' }
    : Refused<`${R} has no relationship with ${N}`>
  : Refused<`${R} has no relationship with ${N}`>;

type EmbedOf<S extends AnySchema, R extends string, N extends string, H> =
  References<S, R, N, H> extends infer K
    ? [K] extends [never]
      ? ToMany<S, R, N, H>
      : ToOne<S, R, K>
    : never;

type EmbeddedRow<S extends AnySchema, R extends string, T extends string, I extends readonly Item[]> =
  EmbedOf<S, R, Target<Unaliased<T>>, Hint<Unaliased<T>>> extends infer E
    ? E extends Embed
      ? Rows<S, E['to'], I> extends infer V
        ? [V] extends [Refused<string>]
          ? V
          : E['kind'] extends 'many'
            ? V[]
            : E['kind'] extends 'one'
              ? V
              : IsInner<T> extends true
                ? V
                : V | null
        : never
      : E
    : never;

type EmbedField<S extends AnySchema, R extends string, T extends string, I extends readonly Item[]> =
  EmbeddedRow<S, R, T, I> extends infer V
    ? [V] extends [Refused<string>]
      ? V
      : { [K in Named<Alias<T>, Target<Unaliased<T>>>]: EmbeddedRow<S, R, T, I> }
    : never;

/** Columns of a related row, which are null where there is none; lists where there are several rows. */
type Spread<V> = V extends readonly (infer O)[]
  ? { [K in keyof O]: O[K][] }
  : V extends null
    ? never
    : { [K in keyof V]: V[K] };
type SpreadField<V> = [V] extends [Refused<string>]
  ? V
  : null extends V
    ? { [K in keyof NonNullable<V>]: NonNullable<V>[K] | null }
    : Spread<V>;

type Field<S extends AnySchema, R extends string, I extends Item> = I['items'] extends readonly Item[]
  ? I['text'] extends `...${infer T}`
    ? SpreadField<EmbeddedRow<S, R, T, I['items']>>
    : IsEmpty<I['items']> extends true
      ? AggregateOf<S, R, I['text']> extends infer A
        ? A extends null
          ? EmbedField<S, R, I['text'], I['items']>
          : A
        : never
      : EmbedField<S, R, I['text'], I['items']>
  : I['text'] extends '*'
    ? RowOf<S, R>
    : I['text'] extends ''
      ? unknown
      : Column<S, R, I['text']>;

type Flat<T> = { [K in keyof T]: T[K] };

type Rows<
  S extends AnySchema,
  R extends string,
  I extends readonly Item[],
  Acc = unknown,
> = I extends readonly [infer F extends Item, ...infer N extends readonly Item[]]
  ? Field<S, R, F> extends infer V
    ? [V] extends [Refused<string>]
      ? V
      : Rows<S, R, N, Acc & V>
    : never
  : unknown extends Acc
    ? Record<never, never>
    : Flat<Acc>;

/** The type of a row of `R` that `Q` selects, or `Refused` with the reason. */
export type Selected<S extends AnySchema, R extends string, Q extends string> = string extends Q
  ? unknown
  : Q extends `${string}"${string}`
    ? unknown
    : ParseList<Q> extends infer P extends Parsed
      ? Rows<S, R, P['items']>
      : never;

/** `Q` itself, or the reason for which it does not fit the relation: the parameter of a `select`. */
export type Checked<S extends AnySchema, R extends string, Q extends string> =
  Selected<S, R, Q> extends Refused<infer M> ? M : Q;
