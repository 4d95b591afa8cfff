/** The relations that generated requests read: their columns, keys and embeds. */

/** A type of columns, by the operators and values that it takes. */
export type ColumnType =
  | 'integer'
  | 'numeric'
  | 'text'
  | 'date'
  | 'timestamp'
  | 'boolean'
  | 'texts'
  | 'json'
  | 'range'
  | 'uuid'
  | 'enum'
  | 'search'
  | 'interval'
  | 'float'
  | 'composite'
  | 'composites'
  | 'enums'
  | 'ranges';

type Columns = Readonly<Record<string, ColumnType>>;

export const RELATIONS = {
  films: {
    id: 'integer',
    title: 'text',
    year: 'integer',
    rating: 'numeric',
    released: 'date',
    made: 'timestamp',
    available: 'boolean',
    tags: 'texts',
    details: 'json',
    span: 'range',
    director: 'integer',
  },
  directors: { id: 'integer', name: 'text', born: 'integer', country: 'text', mentor: 'integer' },
  actors: { id: 'integer', name: 'text' },
  roles: { film: 'integer', actor: 'integer', part: 'text' },
  recent: { id: 'integer', title: 'text', year: 'integer', director: 'integer' },
  things: {
    id: 'integer',
    code: 'uuid',
    kind: 'enum',
    words: 'search',
    lasts: 'interval',
    weight: 'float',
    '"Größe, cm"': 'integer',
    '"a.b"': 'text',
    film: 'integer',
  },
  kinds: {
    id: 'integer',
    film: 'integer',
    home: 'composite',
    homes: 'composites',
    code: 'text',
    codes: 'texts',
    mood: 'enum',
    moods: 'enums',
    span: 'range',
    days: 'ranges',
  },
} as const satisfies Readonly<Record<string, Columns>>;

export type RelationName = keyof typeof RELATIONS;

const isRelation = (name: string): name is RelationName => Object.hasOwn(RELATIONS, name);

export const RELATION_NAMES: readonly RelationName[] = Object.keys(RELATIONS).filter(isRelation);

export const columnsOf = (relation: RelationName): Columns => RELATIONS[relation];

/** What can be filtered and ordered like a column: computed fields and members of JSON and of arrays. */
const EXPRESSIONS: Partial<Readonly<Record<RelationName, Columns>>> = {
  films: {
    label: 'text',
    'details->>a': 'text',
    'details->b->>c': 'text',
    'details->l': 'json',
    'tags->>0': 'text',
  },
  kinds: { 'home->>street': 'text', 'homes->0->>street': 'text', 'codes->>0': 'text' },
};

export const fieldsOf = (relation: RelationName): Columns => ({
  ...columnsOf(relation),
  ...EXPRESSIONS[relation],
});

/** The columns of a row's key, which make any order total. */
export const keyOf = (relation: RelationName): readonly string[] =>
  relation === 'roles' ? ['film', 'actor'] : ['id'];

/** An embed of a relation. */
export interface EmbedName {
  /** As in `select`, with its hint. */
  readonly name: string;
  readonly relation: RelationName;
  /** Whether it gives one row. */
  readonly one: boolean;
  /** The column of the relation and the column of its parent that it is joined by; null for a junction. */
  readonly join: readonly [own: string, parent: string] | null;
}

/** The key of an embed in a row without an alias. */
export const keyOfEmbed = (name: string): string => name.replace(/!.*/, '');

const one = (name: string, relation: RelationName, own: string, parent: string): EmbedName => ({
  ...{ name, relation, one: true, join: [own, parent] },
});

const many = (name: string, relation: RelationName, own: string, parent: string): EmbedName => ({
  ...{ name, relation, one: false, join: [own, parent] },
});

const throughJunction = (name: string, relation: RelationName): EmbedName => ({
  ...{ name, relation, one: false, join: null },
});

export const EMBEDS: Readonly<Record<RelationName, readonly EmbedName[]>> = {
  films: [
    one('directors', 'directors', 'id', 'director'),
    one('directors!director', 'directors', 'id', 'director'),
    one('director', 'directors', 'id', 'director'),
    one('maker', 'directors', 'id', 'director'),
    many('roles', 'roles', 'film', 'id'),
    many('roles!roles_film_fkey', 'roles', 'film', 'id'),
    one('things', 'things', 'film', 'id'),
    many('kinds', 'kinds', 'film', 'id'),
    throughJunction('actors', 'actors'),
    throughJunction('actors!roles', 'actors'),
  ],
  directors: [
    many('films', 'films', 'director', 'id'),
    many('recent', 'recent', 'director', 'id'),
    one('mentor', 'directors', 'id', 'mentor'),
    many('directors', 'directors', 'mentor', 'id'),
  ],
  actors: [many('roles', 'roles', 'actor', 'id'), throughJunction('films', 'films')],
  roles: [one('films', 'films', 'id', 'film'), one('actors', 'actors', 'id', 'actor')],
  recent: [one('directors', 'directors', 'id', 'director'), one('things', 'things', 'film', 'id')],
  things: [one('films', 'films', 'id', 'film'), one('film', 'films', 'id', 'film')],
  kinds: [one('films', 'films', 'id', 'film')],
};
