/** Tables whose columns have composite types, domains, enums, ranges, and arrays of all of these. */

/** No composite value has nulls alone: `is null` is true for it, although it is a value. */
const columns = (mood: string, span: string): string => `
  home fuzz.home, homes fuzz.place[], code fuzz.code, codes fuzz.code[], mood ${mood}, moods fuzz.kind[],
  span ${span}, days daterange[]`;

export const TYPED_TABLES = `
  create type fuzz.place as (street text, number int);
  create domain fuzz.home as fuzz.place check ((value).number is null or (value).number > -100);
  create domain fuzz.code as text check (value <> 'forbidden');
  create domain fuzz.mood as fuzz.kind;
  create domain fuzz.span as int4range;
  create table fuzz.kinds (id int primary key, film int references fuzz.films, ${columns('fuzz.kind', 'int4range')});
  create table fuzz.samples (space int, id int, ${columns('fuzz.mood', 'fuzz.span')}, primary key (space, id));`;

export const TYPED_ROWS = `
  insert into fuzz.kinds
    select i, nullif(1 + i % 9, 4),
      (array['(a,1)', '("b, c",)', null, '(,2)', '("",0)'])[1 + i % 5]::fuzz.place,
      (array['{"(a,1)"}', '{}', '{"(,2)",null}', null])[1 + i % 4]::fuzz.place[],
      (array['a', 'b,c', '', null, 'D"', 'null'])[1 + i % 6],
      (array['{a,b}', '{"b,c","d\\"e"}', '{}', null, '{null,a}'])[1 + i % 5]::fuzz.code[],
      (array['plain', 'odd, one', 'third', null])[1 + i % 4]::fuzz.kind,
      (array['{plain}', '{"odd, one",third}', '{}', null])[1 + i % 4]::fuzz.kind[],
      case when i % 4 > 0 then int4range(i % 10, i % 10 + i % 7) end,
      (array['{"[2000-01-01,2000-02-01)"}', '{empty,"(,2001-01-01)"}', '{}', null])[1 + i % 4]::daterange[]
    from generate_series(1, 24) as i;`;
