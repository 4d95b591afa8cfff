/** The loads of the data API's benchmark: each as a request of the data API and, where a peer can serve it, as the peer's. */

export interface HttpLoad {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Requests take these in turn. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Bodies, taken in turn beside the paths; null for requests without one. */
  readonly bodies: readonly string[] | null;
}

export interface Load extends HttpLoad {
  readonly title: string;
  readonly withToken: boolean;
  /** Most connections: bounds the memory for long responses. */
  readonly maxConnections: number;
  /** Emptied before each measurement; null for a read or an update. */
  readonly fills: string | null;
  /** Its paths at the servers written by hand (bench/peers), taken in turn; null if they do not serve it. */
  readonly byHand: readonly string[] | null;
  /** The same for PostGraphile, taken in turn; null if it has no counterpart. */
  readonly graphql: readonly string[] | null;
  /** The main statement for pgbench, with `:id` for a random film; null if it is not measured there. */
  readonly sql: string | null;
}

export const JSON_BODY = { 'Content-Type': 'application/json' } as const;
const MANY = Number.MAX_SAFE_INTEGER;

const READ = {
  method: 'GET',
  headers: {},
  bodies: null,
  withToken: false,
  maxConnections: MANY,
  fills: null,
  byHand: null,
  graphql: null,
  sql: null,
} as const;

const asBody = (rows: string): string => `
  select pg_catalog.count(*) as page_total,
         pg_catalog.current_setting('response.headers', true) as response_headers,
         pg_catalog.current_setting('response.status', true) as response_status,
         coalesce(pg_catalog.json_agg("answer".*), '[]') as body
    from (${rows}) as "answer"`;

/**
 * Numbers of films, far from each other. Every load has different requests, so that no server answers from what it did for
 * the request before.
 */
const FILMS = Array.from({ length: 500 }, (_, index) => String(7 + 197 * index));
const DIRECTORS = Array.from({ length: 500 }, (_, index) => String(7 + 9 * index));
const YEARS = Array.from({ length: 120 }, (_, index) => String(1900 + index));

const ONE_ROW = {
  ...READ,
  paths: FILMS.map((id) => `/films?id=eq.${id}&select=id,title`),
  byHand: FILMS.map((id) => `/films/${id}`),
  graphql: FILMS.map((id) => `{filmById(id:${id}){id title}}`),
  sql: asBody('select "films"."id", "films"."title" from public."films" where "films"."id" = :id'),
};

const notes = (
  length: number,
  first: number,
): readonly { readonly film_id: number; readonly text: string }[] =>
  Array.from({ length }, (_, index) => ({ film_id: first + index, text: `seen ${String(first)} times` }));

export const LOADS: readonly Load[] = [
  { title: 'one row by key', ...ONE_ROW },
  { title: 'one row with a token', ...ONE_ROW, withToken: true, graphql: null },
  {
    ...READ,
    title: 'page of 20 rows',
    paths: FILMS.map((id) => `/films?select=id,title,year&id=gt.${id}&order=id&limit=20`),
    byHand: FILMS.map((id) => `/films?after=${id}&limit=20`),
    sql: asBody(
      'select "films"."id", "films"."title", "films"."year" from public."films" where "films"."id" > :id order by "films"."id" limit 20',
    ),
  },
  {
    ...READ,
    title: 'embed, 5 rows',
    paths: FILMS.map(
      (id) => `/films?select=id,title,directors(name),roles(name)&id=gt.${id}&order=id&limit=5`,
    ),
    byHand: FILMS.map((id) => `/films?with=roles&after=${id}&limit=5`),
    sql: asBody(`
      select "films"."id", "films"."title",
             (select pg_catalog.row_to_json("d".*)
                from (select "directors"."name" from public."directors" where "directors"."id" = "films"."director_id") as "d"
             ) as "directors",
             (select coalesce(pg_catalog.json_agg("r".*), '[]')
                from (select "roles"."name" from public."roles" where "roles"."film_id" = "films"."id") as "r"
             ) as "roles"
        from public."films" where "films"."id" > :id order by "films"."id" limit 5`),
  },
  {
    ...READ,
    title: 'three levels, 5 rows',
    paths: DIRECTORS.map(
      (id) => `/directors?select=name,films(title,roles(name))&id=gt.${id}&order=id&limit=5`,
    ),
  },
  {
    ...READ,
    title: '!inner with a filter, 10 rows',
    paths: FILMS.map(
      (id) => `/films?select=id,roles!inner(name)&roles.name=like.Role%201*&id=gt.${id}&order=id&limit=10`,
    ),
  },
  {
    ...READ,
    title: 'count=exact, 20 rows',
    paths: YEARS.map((year) => `/films?select=id,title&year=eq.${year}&order=id&limit=20`),
    headers: { Prefer: 'count=exact' },
    byHand: YEARS.map((year) => `/films?year=${year}`),
    graphql: YEARS.map(
      (year) => `{allFilms(condition:{year:${year}},first:20,orderBy:ID_ASC){totalCount nodes{id title}}}`,
    ),
  },
  {
    ...READ,
    title: 'call of a function',
    paths: FILMS.map((id) => `/rpc/film_title?film=${id}`),
    byHand: FILMS.map((id) => `/titles/${id}`),
    graphql: FILMS.map((id) => `{filmTitle(film:${id})}`),
  },
  {
    ...READ,
    title: '1,000 rows, 0.2 MB',
    paths: FILMS.map(
      (id) => `/films?select=id,title,year,director_id,synopsis&id=gt.${id}&order=id&limit=1000`,
    ),
    byHand: FILMS.map((id) => `/films?all=true&after=${id}&limit=1000`),
  },
  {
    ...READ,
    title: '43,000 rows, 9 MB',
    paths: FILMS.slice(0, 250).map(
      (id) => `/films?select=id,title,year,director_id,synopsis&id=gt.${id}&order=id&limit=43000`,
    ),
    maxConnections: 4,
  },
  {
    ...READ,
    title: 'insert, representation',
    method: 'POST',
    paths: ['/notes?select=film_id,text'],
    headers: { ...JSON_BODY, Prefer: 'return=representation' },
    bodies: FILMS.map((id) => `{"film_id":${id},"text":"seen twice"}`),
    fills: 'notes',
    byHand: ['/notes'],
    graphql: FILMS.map(
      (id) => `mutation{createNote(input:{note:{filmId:${id},text:"seen twice"}}){note{filmId text}}}`,
    ),
    sql: `with "written" as (
        insert into public."notes" ("film_id", "text") values (:id, 'seen twice') returning "film_id", "text"
      ) ${asBody('select * from "written"')}`,
  },
  {
    ...READ,
    title: 'insert of 1,000 rows',
    method: 'POST',
    paths: ['/notes'],
    headers: { ...JSON_BODY, Prefer: 'return=minimal' },
    bodies: Array.from({ length: 20 }, (_, index) => JSON.stringify(notes(1000, index))),
    maxConnections: 32,
    fills: 'notes',
  },
  {
    ...READ,
    title: 'update of one row',
    method: 'PATCH',
    // Each row in turn, so that few requests wait for the lock of another.
    paths: Array.from({ length: 997 }, (_, index) => `/scores?id=eq.${String(index + 1)}`),
    headers: { ...JSON_BODY, Prefer: 'return=minimal' },
    bodies: ['{"points":1}'],
    byHand: Array.from({ length: 997 }, (_, index) => `/scores/${String(index + 1)}`),
  },
];
