/** What `make bench` asks for, and of which data. */

export const TOKEN_SECRET = 'a secret of the benchmark, which is long enough';
export const ROLE = { anonymous: 'bench_anon', token: 'bench_user', login: 'bench_authenticator' } as const;

export const FILMS_SCHEMA = `
  create role bench_authenticator login noinherit password 'bench';
  create role bench_anon nologin;
  create role bench_user nologin;
  grant bench_anon, bench_user to bench_authenticator;
  create table public.directors (id int primary key, name text not null);
  create table public.films (id int primary key, title text not null, year int, director_id int references public.directors);
  create table public.roles (id int primary key, film_id int references public.films, name text);
  create table public.notes (id bigint generated always as identity primary key, film_id int not null, text text not null);
  insert into public.directors select g, 'Director ' || g from generate_series(1, 5000) g;
  insert into public.films select g, 'Film ' || g, 1900 + g % 120, 1 + g % 5000 from generate_series(1, 100000) g;
  insert into public.roles select g, 1 + g % 100000, 'Role ' || g from generate_series(1, 100000) g;
  create index on public.roles (film_id);
  grant select on all tables in schema public to bench_anon, bench_user;
  grant insert on public.notes to bench_anon;
  analyze;
`;

export interface Load {
  readonly title: string;
  readonly path: string;
  readonly withToken: boolean;
  /** JSON to insert; null for a read. */
  readonly insert: string | null;
  /** The work of the statement that the service makes of it, for pgbench, with `:name` for its values. */
  readonly sql: string;
}

const asBody = (rows: string): string => `
  select pg_catalog.count(*) as page_total,
         pg_catalog.current_setting('response.headers', true) as response_headers,
         pg_catalog.current_setting('response.status', true) as response_status,
         coalesce(pg_catalog.json_agg("answer".*), '[]') as body
    from (${rows}) as "answer"`;

const ONE = {
  path: '/films?id=eq.7&select=id,title',
  insert: null,
  sql: asBody('select "films"."id", "films"."title" from public."films" where "films"."id" = :id'),
};

export const LOADS: readonly Load[] = [
  { title: 'one row by key', withToken: false, ...ONE },
  { title: 'the same with a token', withToken: true, ...ONE },
  {
    title: 'page of 20 rows',
    path: '/films?select=id,title,year&order=id&limit=20',
    withToken: false,
    insert: null,
    sql: asBody(
      'select "films"."id", "films"."title", "films"."year" from public."films" order by "films"."id" limit 20',
    ),
  },
  {
    title: 'embed, 5 rows',
    path: '/films?select=id,title,directors(name),roles(name)&order=id&limit=5',
    withToken: false,
    insert: null,
    sql: asBody(`
      select "films"."id", "films"."title",
             (select pg_catalog.row_to_json("d".*)
                from (select "directors"."name" from public."directors" where "directors"."id" = "films"."director_id") as "d"
             ) as "directors",
             (select coalesce(pg_catalog.json_agg("r".*), '[]')
                from (select "roles"."name" from public."roles" where "roles"."film_id" = "films"."id") as "r"
             ) as "roles"
        from public."films" order by "films"."id" limit 5`),
  },
  {
    title: 'insert, representation',
    path: '/notes?select=film_id,text',
    withToken: false,
    insert: '{"film_id":7,"text":"seen twice"}',
    sql: `with "written" as (
        insert into public."notes" ("film_id", "text")
        select "film_id", "text"
          from pg_catalog.json_to_record(:payload) as "body" ("film_id" integer, "text" text)
        returning "film_id", "text"
      ) ${asBody('select * from "written"')}`,
  },
];

/** One batch, pipelined, without BEGIN: what the service sends. `\set` knows numbers alone, so texts are literals. */
export function pgbenchScript({ sql, insert, withToken }: Load): string {
  const role = withToken ? ROLE.token : ROLE.anonymous;
  const context = [
    ['search_path', '"public"'],
    ['role', role],
    ['request.jwt.claims', `{"role":"${role}"}`],
    ['request.method', insert === null ? 'GET' : 'POST'],
    ['request.path', '/films'],
    ['request.headers', '{"host":"127.0.0.1"}'],
    ['request.cookies', '{}'],
    ...(insert === null ? [['transaction_read_only', 'on']] : []),
  ].map(([name, value]) => `set_config('${name}', '${value}', true)`);
  const oneLine = sql
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(':payload', `'${insert ?? ''}'`);
  return `\\set id 7
\\startpipeline
select num_nulls(${context.join(', ')});
${oneLine};
\\endpipeline
`;
}
