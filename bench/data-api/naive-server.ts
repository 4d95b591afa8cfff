/**
 * A server as it is often written by hand: Koa, its router, pg-promise, one transaction of four round trips a request, rows
 * parsed and serialized again, tokens verified each time. Its responses have the same rows as those of the service.
 *   BENCH_DB_URI=… BENCH_PORT=… tsx bench/data-api/naive-server.ts
 */
import { Router } from '@koa/router';
import { jwtVerify } from 'jose';
import Koa from 'koa';
import { text } from 'node:stream/consumers';
import pgPromise from 'pg-promise';
import { ROLE, TOKEN_SECRET } from './films.js';

const CONNECTIONS = Number(process.env['BENCH_POOL'] ?? 10);
const SECRET = new TextEncoder().encode(TOKEN_SECRET);

const pgp = pgPromise({ noWarnings: true });
const database = pgp({ connectionString: process.env['BENCH_DB_URI'] ?? '', max: CONNECTIONS });
const { TransactionMode, isolationLevel } = pgp.txMode;
const reading = new TransactionMode({ tiLevel: isolationLevel.readCommitted, readOnly: true });
const writing = new TransactionMode({ tiLevel: isolationLevel.readCommitted });

const asArray = (select: string): string => `
  with rows as (${select})
  select count(r) as total, coalesce(json_agg(r), '[]') as body from (select * from rows) r`;

const CONTEXT = new pgp.PreparedStatement({
  name: 'context',
  text: `
    select set_config('search_path', $1, true), set_config('role', $2, true), set_config('request.jwt.claims', $3, true),
      set_config('request.method', $4, true), set_config('request.path', $5, true), set_config('request.headers', $6, true),
      set_config('request.cookies', $7, true)`,
});
const ONE = new pgp.PreparedStatement({
  name: 'one',
  text: asArray('select id, title from public.films where id = $1'),
});
const PAGE = new pgp.PreparedStatement({
  name: 'page',
  text: asArray('select id, title, year from public.films where id > $1 order by id limit $2'),
});
const EMBED = new pgp.PreparedStatement({
  name: 'embed',
  text: asArray(`
    select f.id, f.title, row_to_json(d) as directors, coalesce(r.list, '[]') as roles
    from public.films f
    left join lateral (select name from public.directors where id = f.director_id) d on true
    left join lateral (select json_agg(x) as list from (select name from public.roles where film_id = f.id) x) r on true
    where f.id > $1 order by f.id limit $2`),
});

const INSERT = new pgp.PreparedStatement({
  name: 'insert',
  text: 'insert into public.notes (film_id, text) values ($1, $2) returning film_id, text',
});

interface RenderedRows {
  readonly total: string;
  readonly body: unknown;
}

interface Note {
  readonly film_id: number;
  readonly text: string;
}

async function roleOf(authorization: string | undefined): Promise<string> {
  if (authorization === undefined) return ROLE.anonymous;
  const { payload } = await jwtVerify(authorization.replace('Bearer ', ''), SECRET);
  return typeof payload['role'] === 'string' ? payload['role'] : ROLE.anonymous;
}

const contextOf = (ctx: Koa.Context, role: string): readonly string[] => [
  '"public"',
  role,
  JSON.stringify({ role }),
  ctx.method,
  ctx.path,
  JSON.stringify(ctx.headers),
  '{}',
];

function isNote(value: unknown): value is Note {
  return typeof value === 'object' && value !== null && 'film_id' in value && 'text' in value;
}

const router = new Router();
router.get('/films', async (ctx) => {
  const { id, select = '' } = ctx.query;
  const role = await roleOf(ctx.headers.authorization);
  const answer = await database.tx({ mode: reading }, async (transaction) => {
    await transaction.one(CONTEXT, contextOf(ctx, role));
    const [operator, key] = String(id).split('.');
    if (operator === 'eq') return transaction.one<RenderedRows>(ONE, [key]);
    return select.includes('directors')
      ? transaction.one<RenderedRows>(EMBED, [key, 5])
      : transaction.one<RenderedRows>(PAGE, [key, 20]);
  });
  ctx.set('Content-Range', `0-${Number(answer.total) - 1}/*`);
  ctx.type = 'application/json';
  ctx.body = JSON.stringify(answer.body);
});
router.post('/notes', async (ctx) => {
  const role = await roleOf(ctx.headers.authorization);
  const note: unknown = JSON.parse(await text(ctx.req));
  if (!isNote(note)) return ctx.throw(400);
  const rows = await database.tx({ mode: writing }, async (transaction) => {
    await transaction.one(CONTEXT, contextOf(ctx, role));
    return transaction.any<Note>(INSERT, [note.film_id, note.text]);
  });
  ctx.status = 201;
  ctx.type = 'application/json';
  ctx.body = JSON.stringify(rows);
});

new Koa().use(router.routes()).listen(Number(process.env['BENCH_PORT']), '127.0.0.1');
