/** The schema that generated requests read and write: every kind of column, nulls, names and texts that need quotes. */

export const FUZZ_ROLE = 'fuzz_anon';

export const FUZZ_SCHEMA = `
  create role ${FUZZ_ROLE} nologin;
  create schema fuzz;
  create table fuzz.directors (
    id int primary key, name text not null, born int, country text, mentor int references fuzz.directors);
  create table fuzz.films (
    id int primary key, title text, year int, rating numeric(4,2), released date, made timestamptz,
    available boolean, tags text[], details jsonb, span int4range, director int references fuzz.directors);
  create table fuzz.actors (id int primary key, name text not null);
  create table fuzz.roles (
    film int references fuzz.films, actor int references fuzz.actors, part text, primary key (film, actor));
  create index on fuzz.films (director);
  create view fuzz.recent as select id, title, year, director from fuzz.films where year >= 1980;
  create function fuzz.label(fuzz.films) returns text language sql stable as $$ select $1.title || ' (' || $1.year || ')' $$;
  create function fuzz.films_of(who int) returns setof fuzz.films language sql stable as $$
    select * from fuzz.films where director = who $$;
  create function fuzz.add(a int, b int default 1) returns int language sql immutable as $$ select a + b $$;
  insert into fuzz.directors
    select i, (array['Ada', 'Bo "B" O''Neil', 'Chloé, dit C', 'D\\D', '(E)', 'ḟ', 'null', ''])[1 + i % 8] || i,
      nullif(1900 + i * 7 % 90, 1935), (array['IS', 'MT', null, 'C H'])[1 + i % 4], nullif(i / 3, 0)
    from generate_series(1, 12) as i;
  insert into fuzz.films
    select i, (array['Ä, b', 'x"y', 'a.b', 'null', '', 'true', 'Long title with words', '100%', 'back\\slash', null])[1 + i % 10],
      nullif(1950 + i * 13 % 60, 1963), nullif(i * 37 % 100 / 10.0, 3.3), date '2000-01-01' + nullif(i * 29 % 400, 7),
      timestamptz '2001-02-03 04:05:06+00' + make_interval(hours => nullif(i * 17 % 900, 5)),
      (array[true, false, null])[1 + i % 3],
      (array['{a,b}', '{"b,c","d\\"e"}', '{}', null, '{null,a}'])[1 + i % 5]::text[],
      (array['{"a": 1, "b": {"c": "x"}}', '{"a": null, "l": [1, 2, {"z": true}]}', '[]', '"s"', null])[1 + i % 5]::jsonb,
      case when i % 4 > 0 then int4range(i % 10, i % 10 + i % 7) end, nullif(1 + i % 13, 13)
    from generate_series(1, 60) as i;
  insert into fuzz.actors select i, 'actor ' || i from generate_series(1, 20) as i;
  insert into fuzz.roles
    select film, actor, nullif('part ' || (film * actor % 9), 'part 4')
    from generate_series(1, 60) as film, generate_series(1, 20) as actor where (film * 7 + actor * 5) % 11 = 0;
  grant usage on schema fuzz to ${FUZZ_ROLE};
  grant select, insert, update, delete on all tables in schema fuzz to ${FUZZ_ROLE};
  analyze;
`;

export type ColumnType =
  'integer' | 'numeric' | 'text' | 'date' | 'timestamp' | 'boolean' | 'texts' | 'json' | 'range';

type Columns = Readonly<Record<string, ColumnType>>;

const FILMS: Columns = {
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
};

export const RELATIONS = {
  films: FILMS,
  directors: { id: 'integer', name: 'text', born: 'integer', country: 'text', mentor: 'integer' },
  actors: { id: 'integer', name: 'text' },
  roles: { film: 'integer', actor: 'integer', part: 'text' },
  recent: { id: 'integer', title: 'text', year: 'integer', director: 'integer' },
} as const satisfies Readonly<Record<string, Columns>>;

export type RelationName = keyof typeof RELATIONS;

export const columnsOf = (relation: RelationName): Columns => RELATIONS[relation];

/** The columns of a row's key, which make any order total. */
export const keyOf = (relation: RelationName): readonly string[] =>
  relation === 'roles' ? ['film', 'actor'] : ['id'];

/** Embeds by relation: the name in `select`, the relation that it reads, and whether it gives one row. */
export interface EmbedName {
  readonly name: string;
  readonly relation: RelationName;
  readonly one: boolean;
  /** The column of the relation and the column of its parent that it is joined by; null for a junction. */
  readonly join: readonly [own: string, parent: string] | null;
}

const films: EmbedName = { name: 'films', relation: 'films', one: false, join: ['director', 'id'] };

export const EMBEDS: Readonly<Record<RelationName, readonly EmbedName[]>> = {
  films: [
    { name: 'directors', relation: 'directors', one: true, join: ['id', 'director'] },
    { name: 'roles', relation: 'roles', one: false, join: ['film', 'id'] },
    { name: 'actors', relation: 'actors', one: false, join: null },
  ],
  directors: [films],
  actors: [
    { name: 'roles', relation: 'roles', one: false, join: ['actor', 'id'] },
    { name: 'films', relation: 'films', one: false, join: null },
  ],
  roles: [
    { name: 'films', relation: 'films', one: true, join: ['id', 'film'] },
    { name: 'actors', relation: 'actors', one: true, join: ['id', 'actor'] },
  ],
  recent: [{ name: 'directors', relation: 'directors', one: true, join: ['id', 'director'] }],
};
