-- The sample database: countries of the world and what belongs to them.
-- Run by the role that owns the database; anonymous callers read, web users also keep notes of their own.

do $roles$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'anon') then
    create role anon nologin;
  end if;
  if not exists (select from pg_catalog.pg_roles where rolname = 'web_user') then
    create role web_user nologin;
  end if;
end
$roles$;

grant anon, web_user to dbr_authenticator;

create schema geo;
comment on schema geo is $$The world in tables
Countries, regions, cities, languages, currencies, borders and airports: a sample to try queries on.$$;

set local search_path to geo;

-- Types ---------------------------------------------------------------------------------------------------------------

create domain country_code as text check (value ~ '^[A-Z]{2}$');
comment on domain country_code is 'A country, ISO 3166-1 alpha-2.';

create domain latitude as double precision check (value between -90 and 90);
comment on domain latitude is 'Degrees north of the equator.';

create domain longitude as double precision check (value between -180 and 180);
comment on domain longitude is 'Degrees east of Greenwich.';

create type area_kind as enum ('world', 'region', 'subregion', 'intermediate region');
comment on type area_kind is 'The levels of the United Nations'' division of the world, the widest first.';

create type city_rank as enum ('national capital', 'region seat', 'district seat', 'local seat', 'town');
comment on type city_rank is 'What a city is the seat of, the highest first.';

create type airport_size as enum ('large', 'medium');
comment on type airport_size is 'How large an airport is.';

-- Areas and countries -------------------------------------------------------------------------------------------------

create table areas (
  code        text      primary key check (code ~ '^[0-9]{3}$'),
  name        text      not null unique,
  kind        area_kind not null,
  parent_code text,
  constraint areas_parent foreign key (parent_code) references areas
);
create index areas_parent_code on areas (parent_code);
comment on table areas is 'Areas of the world as the United Nations divide it (M49), each within its parent.';
comment on column areas.code is 'UN M49 code, three digits.';
comment on column areas.name is 'English name.';
comment on column areas.kind is 'The level of the area.';
comment on column areas.parent_code is 'The area that this one is part of; null for the world.';

create table countries (
  code         country_code primary key,
  alpha3       text         not null unique check (alpha3 ~ '^[A-Z]{3}$'),
  numeric_code text         unique check (numeric_code ~ '^[0-9]{3}$'),
  name         text         not null unique,
  native_name  text         not null,
  area_code    text,
  calling_code integer,
  constraint countries_area foreign key (area_code) references areas
);
create index countries_area_code on countries (area_code);
comment on table countries is 'Countries and territories.';
comment on column countries.code is 'ISO 3166-1 alpha-2 code.';
comment on column countries.alpha3 is 'ISO 3166-1 alpha-3 code.';
comment on column countries.numeric_code is 'ISO 3166-1 numeric code, three digits.';
comment on column countries.name is 'English name.';
comment on column countries.native_name is 'Name in a language of the country.';
comment on column countries.area_code is 'The smallest area that the country lies in.';
comment on column countries.calling_code is 'International calling code.';

create table borders (
  country_code   country_code,
  neighbour_code country_code,
  length_km      integer not null check (length_km > 0),
  primary key (country_code, neighbour_code),
  constraint borders_country foreign key (country_code) references countries,
  constraint borders_neighbour foreign key (neighbour_code) references countries,
  check (country_code <> neighbour_code)
);
create index borders_neighbour_code on borders (neighbour_code);
comment on table borders is 'Land borders between countries, each once from either side.';
comment on column borders.country_code is 'The country on this side.';
comment on column borders.neighbour_code is 'The country on the other side.';
comment on column borders.length_km is 'Length in kilometres, measured on a map 1 : 10 million: shorter than in nature.';

-- Languages and currencies --------------------------------------------------------------------------------------------

create table languages (
  code          text    primary key check (code ~ '^[a-z]{2}$'),
  name          text    not null,
  native_name   text    not null,
  right_to_left boolean not null default false
);
comment on table languages is 'Languages.';
comment on column languages.code is 'ISO 639-1 code.';
comment on column languages.name is 'English name.';
comment on column languages.native_name is 'Name in the language itself.';
comment on column languages.right_to_left is 'Whether it is written from right to left.';

create table currencies (
  code         text     primary key check (code ~ '^[A-Z]{3}$'),
  name         text     not null,
  native_name  text     not null,
  symbol       text     not null,
  numeric_code text     check (numeric_code ~ '^[0-9]{3}$'),
  decimals     smallint not null check (decimals >= 0)
);
comment on table currencies is 'Currencies.';
comment on column currencies.code is 'ISO 4217 code.';
comment on column currencies.name is 'English name.';
comment on column currencies.native_name is 'Name where it is used.';
comment on column currencies.symbol is 'Symbol where it is used.';
comment on column currencies.numeric_code is 'ISO 4217 numeric code, three digits.';
comment on column currencies.decimals is 'Digits after the decimal point.';

create table country_languages (
  country_code  country_code,
  language_code text,
  position      smallint not null check (position > 0),
  primary key (country_code, language_code),
  constraint country_languages_country foreign key (country_code) references countries on delete cascade,
  constraint country_languages_language foreign key (language_code) references languages
);
create index country_languages_language_code on country_languages (language_code);
comment on table country_languages is 'Which languages a country speaks.';
comment on column country_languages.country_code is 'The country.';
comment on column country_languages.language_code is 'The language.';
comment on column country_languages.position is '1 for the language named first.';

create table country_currencies (
  country_code  country_code,
  currency_code text,
  position      smallint not null check (position > 0),
  primary key (country_code, currency_code),
  constraint country_currencies_country foreign key (country_code) references countries on delete cascade,
  constraint country_currencies_currency foreign key (currency_code) references currencies
);
create index country_currencies_currency_code on country_currencies (currency_code);
comment on table country_currencies is 'Which currencies a country pays with.';
comment on column country_currencies.country_code is 'The country.';
comment on column country_currencies.currency_code is 'The currency.';
comment on column country_currencies.position is '1 for the currency named first.';

-- Regions, cities, airports -------------------------------------------------------------------------------------------

create table regions (
  country_code country_code,
  code         text,
  name         text not null,
  primary key (country_code, code),
  constraint regions_country foreign key (country_code) references countries
);
comment on table regions is 'The first administrative division of countries: states, provinces, cantons.';
comment on column regions.country_code is 'The country.';
comment on column regions.code is 'GeoNames code, unique within the country.';
comment on column regions.name is 'Name in Latin letters.';

create table cities (
  id           integer      primary key,
  name         text         not null,
  country_code country_code not null,
  region_code  text,
  rank         city_rank    not null,
  population   integer      not null check (population >= 0),
  latitude     latitude     not null,
  longitude    longitude    not null,
  constraint cities_country foreign key (country_code) references countries,
  constraint cities_region foreign key (country_code, region_code) references regions
);
create index cities_region_code on cities (country_code, region_code);
create index cities_population on cities (population desc);
create index cities_name on cities (pg_catalog.lower(name) text_pattern_ops);
comment on table cities is 'Cities of 15,000 inhabitants or more, and national capitals of any size.';
comment on column cities.id is 'GeoNames number.';
comment on column cities.name is 'Name in Latin letters.';
comment on column cities.country_code is 'The country.';
comment on column cities.region_code is 'The region, within the country.';
comment on column cities.rank is 'What the city is the seat of.';
comment on column cities.population is 'Inhabitants.';
comment on column cities.latitude is 'Degrees north.';
comment on column cities.longitude is 'Degrees east.';

create table country_facts (
  country_code    country_code primary key,
  capital_city_id integer unique,
  population      bigint check (population >= 0),
  area_km2        numeric check (area_km2 >= 0),
  landlocked      boolean,
  constraint country_facts_country foreign key (country_code) references countries on delete cascade,
  constraint country_facts_capital foreign key (capital_city_id) references cities
);
comment on table country_facts is 'Figures of a country, at most one row each.';
comment on column country_facts.country_code is 'The country.';
comment on column country_facts.capital_city_id is 'The capital.';
comment on column country_facts.population is 'Inhabitants.';
comment on column country_facts.area_km2 is 'Square kilometres.';
comment on column country_facts.landlocked is 'Whether it has no coast.';

create table airports (
  iata_code         text         primary key check (iata_code ~ '^[A-Z0-9]{3}$'),
  icao_code         text         check (icao_code ~ '^[A-Z]{4}$'),
  name              text         not null,
  size              airport_size not null,
  country_code      country_code not null,
  city_id           integer,
  latitude          latitude     not null,
  longitude         longitude    not null,
  elevation_m       integer,
  scheduled_service boolean      not null,
  constraint airports_country foreign key (country_code) references countries,
  constraint airports_city foreign key (city_id) references cities
);
create index airports_country_code on airports (country_code);
create index airports_city_id on airports (city_id);
comment on table airports is 'Large and medium airports that have an IATA code.';
comment on column airports.iata_code is 'IATA code, as on a boarding pass.';
comment on column airports.icao_code is 'ICAO code.';
comment on column airports.name is 'Name.';
comment on column airports.size is 'Large or medium.';
comment on column airports.country_code is 'The country.';
comment on column airports.city_id is 'The city it serves, within 60 km.';
comment on column airports.latitude is 'Degrees north.';
comment on column airports.longitude is 'Degrees east.';
comment on column airports.elevation_m is 'Metres above the sea.';
comment on column airports.scheduled_service is 'Whether airlines fly there by a timetable.';

-- Notes of users ------------------------------------------------------------------------------------------------------

create function current_user_id() returns text
  language sql stable
  as $$ select nullif(pg_catalog.current_setting('request.jwt.claims', true), '')::json ->> 'sub' $$;
comment on function current_user_id() is 'Who is asking: the claim "sub" of the token, null without one.';

create table user_notes (
  id           bigint      generated always as identity primary key,
  user_id      text        not null default geo.current_user_id(),
  country_code country_code,
  city_id      integer,
  body         text        not null check (pg_catalog.length(body) between 1 and 2000),
  visited      boolean     not null default false,
  tags         text[]      not null default '{}',
  details      jsonb,
  created_at   timestamptz not null default pg_catalog.now(),
  constraint user_notes_country foreign key (country_code) references countries,
  constraint user_notes_city foreign key (city_id) references cities
);
create index user_notes_user_id on user_notes (user_id, created_at desc);
create index user_notes_country_code on user_notes (country_code);
create index user_notes_city_id on user_notes (city_id);
comment on table user_notes is 'Notes of users about places. Users see and change only their own.';
comment on column user_notes.id is 'Number of the note.';
comment on column user_notes.user_id is 'Who wrote it: the claim "sub" of the token.';
comment on column user_notes.country_code is 'The country it is about.';
comment on column user_notes.city_id is 'The city it is about.';
comment on column user_notes.body is 'The text, at most 2,000 characters.';
comment on column user_notes.visited is 'Whether the user was there.';
comment on column user_notes.tags is 'Key words.';
comment on column user_notes.details is 'Anything else, as JSON.';
comment on column user_notes.created_at is 'When it was written.';

alter table user_notes enable row level security;
create policy own_notes on user_notes to web_user
  using (user_id = geo.current_user_id())
  with check (user_id = geo.current_user_id());
comment on policy own_notes on user_notes is 'Notes belong to the user who wrote them.';

-- Ratings of users ----------------------------------------------------------------------------------------------------

create table ratings (
  user_id      text         default geo.current_user_id(),
  country_code country_code,
  stars        smallint     not null check (stars between 1 and 5),
  remark       text         check (pg_catalog.length(remark) <= 2000),
  rated_at     timestamptz  not null default pg_catalog.now(),
  primary key (user_id, country_code),
  constraint ratings_country foreign key (country_code) references countries
);
create index ratings_country_code on ratings (country_code);
comment on table ratings is 'How users like countries, at most one rating of a user for each country.';
comment on column ratings.user_id is 'The user: the claim "sub" of the token.';
comment on column ratings.country_code is 'The country.';
comment on column ratings.stars is 'One star to five stars.';
comment on column ratings.remark is 'A remark, at most 2,000 characters.';
comment on column ratings.rated_at is 'When the rating was first written.';

alter table ratings enable row level security;
create policy ratings_are_read on ratings for select to web_user using (true);
comment on policy ratings_are_read on ratings is 'Every user reads all ratings.';
create policy own_ratings on ratings to web_user
  using (user_id = geo.current_user_id())
  with check (user_id = geo.current_user_id());
comment on policy own_ratings on ratings is 'Users write ratings of their own.';

-- Views ---------------------------------------------------------------------------------------------------------------

create view country_overview with (security_invoker = true) as
  select
    country.code,
    country.name,
    country.area_code,
    facts.capital_city_id,
    capital.name as capital,
    facts.population,
    facts.area_km2,
    array(
      select language_code
      from geo.country_languages
      where country_languages.country_code = country.code
      order by position
    ) as languages
  from geo.countries as country
  left join geo.country_facts as facts on facts.country_code = country.code
  left join geo.cities as capital on capital.id = facts.capital_city_id;
comment on view country_overview is 'A line a country.';
comment on column country_overview.code is 'ISO 3166-1 alpha-2 code.';
comment on column country_overview.name is 'English name.';
comment on column country_overview.area_code is 'The smallest area that the country lies in.';
comment on column country_overview.capital_city_id is 'The capital.';
comment on column country_overview.capital is 'Name of the capital.';
comment on column country_overview.population is 'Inhabitants.';
comment on column country_overview.area_km2 is 'Square kilometres.';
comment on column country_overview.languages is 'Language codes, the first named first.';

create view large_cities with (security_invoker = true) as
  select id, name, country_code, region_code, rank, population
  from geo.cities
  where population >= 1000000;
comment on view large_cities is 'Cities of a million inhabitants or more.';
comment on column large_cities.id is 'GeoNames number.';
comment on column large_cities.name is 'Name in Latin letters.';
comment on column large_cities.country_code is 'The country.';
comment on column large_cities.region_code is 'The region, within the country.';
comment on column large_cities.rank is 'What the city is the seat of.';
comment on column large_cities.population is 'Inhabitants.';

create materialized view country_statistics as
  select
    country.code as country_code,
    (select count(*) from geo.cities where cities.country_code = country.code) as city_count,
    (select coalesce(sum(cities.population), 0) from geo.cities where cities.country_code = country.code) as city_population,
    (select count(*) from geo.airports where airports.country_code = country.code) as airport_count,
    (select count(*) from geo.borders where borders.country_code = country.code) as neighbour_count
  from geo.countries as country
  with no data;
create unique index country_statistics_country_code on country_statistics (country_code);
comment on materialized view country_statistics is 'Counts for each country, taken when the data was loaded.';
comment on column country_statistics.country_code is 'The country.';
comment on column country_statistics.city_count is 'Cities that the sample knows.';
comment on column country_statistics.city_population is 'Inhabitants of those cities.';
comment on column country_statistics.airport_count is 'Airports that the sample knows.';
comment on column country_statistics.neighbour_count is 'Countries with a common land border.';

-- Functions -----------------------------------------------------------------------------------------------------------

create function distance_km(
  latitude1 double precision,
  longitude1 double precision,
  latitude2 double precision,
  longitude2 double precision
) returns double precision
  language sql immutable strict parallel safe
  as $$
    select 2 * 6371 * pg_catalog.asin(
      least(
        1,
        pg_catalog.sqrt(
          pg_catalog.power(pg_catalog.sind((latitude2 - latitude1) / 2), 2)
          + pg_catalog.cosd(latitude1) * pg_catalog.cosd(latitude2)
            * pg_catalog.power(pg_catalog.sind((longitude2 - longitude1) / 2), 2)
        )
      )
    )
  $$;
comment on function distance_km is 'Kilometres between two places, along the great circle.';

create function search_cities(query text, country text default null, max_rows integer default 20)
  returns setof cities
  language sql stable
  as $$
    select *
    from geo.cities
    where pg_catalog.starts_with(pg_catalog.lower(name), pg_catalog.lower(query))
      and (country is null or country_code = country)
    order by population desc, id
    limit max_rows
  $$;
comment on function search_cities is 'Cities whose name begins so, the largest first.';

create function nearest_airports(latitude double precision, longitude double precision, max_rows integer default 5)
  returns table (iata_code text, name text, distance_km double precision)
  language sql stable
  as $$
    select airports.iata_code, airports.name, place.distance
    from geo.airports
    cross join lateral (
      select geo.distance_km($1, $2, airports.latitude, airports.longitude) as distance
    ) as place
    order by place.distance
    limit max_rows
  $$;
comment on function nearest_airports is 'The airports nearest to a place, and how far they are.';

create function countries_by_code(variadic codes text[]) returns setof countries
  language sql stable
  as $$ select * from geo.countries where code = any (codes) order by code $$;
comment on function countries_by_code is 'Several countries by their codes.';

create function countries_in(area text) returns setof countries
  language sql stable
  as $$
    with recursive within as (
      select code from geo.areas where name = area
      union all
      select areas.code from geo.areas join within on areas.parent_code = within.code
    )
    select countries.* from geo.countries join within on countries.area_code = within.code order by countries.name
  $$;
comment on function countries_in is 'The countries of an area and of the areas within it, such as Europe.';

create function add_note(
  body text,
  country_code text default null,
  city_id integer default null,
  tags text[] default '{}'
) returns user_notes
  language sql volatile
  as $$
    insert into geo.user_notes (body, country_code, city_id, tags) values ($1, $2, $3, $4) returning *
  $$;
comment on function add_note is 'Writes a note of your own.';

-- Computed columns and relationships ----------------------------------------------------------------------------------

create function density(country_facts) returns numeric
  language sql immutable
  as $$ select pg_catalog.round($1.population / nullif($1.area_km2, 0), 1) $$;
comment on function density is 'Inhabitants a square kilometre.';

create function capital(countries) returns setof cities rows 1
  language sql stable
  as $$
    select cities.*
    from geo.country_facts
    join geo.cities on cities.id = country_facts.capital_city_id
    where country_facts.country_code = $1.code
  $$;
comment on function capital is 'The capital of a country.';

create function nearby_cities(cities) returns setof cities rows 20
  language sql stable
  as $$
    select other.*
    from geo.cities as other
    where other.latitude between $1.latitude - 1 and $1.latitude + 1
      and other.id <> $1.id
      and geo.distance_km($1.latitude, $1.longitude, other.latitude, other.longitude) <= 50
    order by other.population desc, other.id
  $$;
comment on function nearby_cities is 'Other cities within 50 km.';

-- Rights --------------------------------------------------------------------------------------------------------------

grant usage on schema geo to anon, web_user;
grant select on all tables in schema geo to anon, web_user;
revoke all on user_notes from anon, web_user;
grant select, delete on user_notes to web_user;
grant insert (country_code, city_id, body, visited, tags, details) on user_notes to web_user;
grant update (country_code, city_id, body, visited, tags, details) on user_notes to web_user;
revoke all on ratings from anon;
grant insert, update, delete on ratings to web_user;
revoke execute on function add_note from public;
grant execute on function add_note to web_user;
