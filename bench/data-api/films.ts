/** The database of the data API's benchmark, and its roles. */

export const TOKEN_SECRET = 'a secret of the benchmark, which is long enough';
export const ROLE = { anonymous: 'bench_anon', token: 'bench_user', login: 'bench_authenticator' } as const;
export const PASSWORD = 'bench';

export const FILMS_SCHEMA = `
  create role bench_authenticator login noinherit password '${PASSWORD}';
  create role bench_anon nologin;
  create role bench_user nologin;
  grant bench_anon, bench_user to bench_authenticator;
  create table public.directors (id int primary key, name text not null);
  create table public.films (
    id int primary key, title text not null, year int, director_id int references public.directors, synopsis text not null
  );
  create table public.roles (id int primary key, film_id int references public.films, name text);
  create table public.notes (id bigint generated always as identity primary key, film_id int not null, text text not null);
  create table public.scores (id int primary key, points int not null) with (fillfactor = 50);
  create function public.film_title(film int) returns text stable language sql as
    $$ select title from public.films where id = film $$;
  insert into public.directors select g, 'Director ' || g from generate_series(1, 5000) g;
  insert into public.films
    select g, 'Film ' || g, 1900 + g % 120, 1 + g % 5000, repeat('A synopsis. ', 11) from generate_series(1, 100000) g;
  insert into public.roles select g, 1 + g % 100000, 'Role ' || g from generate_series(1, 100000) g;
  insert into public.scores select g, 0 from generate_series(1, 1000) g;
  create index on public.films (year);
  create index on public.films (director_id);
  create index on public.roles (film_id);
  grant select on all tables in schema public to bench_anon, bench_user;
  grant insert on public.notes to bench_anon;
  grant update on public.scores to bench_anon;
  analyze;
`;
