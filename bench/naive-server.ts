/**
 * What a team would write by hand: Koa, its router, pg-promise, one transaction of four round trips a request, rows parsed
 * and written again. Answers the benchmark's three requests with the same bodies as the service.
 *   tsx bench/naive-server.ts PORT DATABASE_URI
 */
import { Router } from '@koa/router';
import Koa from 'koa';
import pgPromise from 'pg-promise';

const [port = '0', uri = ''] = process.argv.slice(2);
const CONNECTIONS = 12;

const pgp = pgPromise({ noWarnings: true });
const database = pgp({ connectionString: uri, max: CONNECTIONS });
const { TransactionMode, isolationLevel } = pgp.txMode;
const mode = new TransactionMode({ tiLevel: isolationLevel.readCommitted, readOnly: true });

const asArray = (select: string): string => `
  with rows as (${select})
  select count(r) as total, coalesce(json_agg(r), '[]') as body from (select * from rows) r`;

const CONTEXT = new pgp.PreparedStatement({
  name: 'context',
  text: `
    select set_config('search_path', $1, true), set_config('role', $2, true), set_config('request.jwt.claims', $3, true),
      set_config('request.method', $4, true), set_config('request.path', $5, true), set_config('request.headers', $6, true)`,
});
const ONE = new pgp.PreparedStatement({
  name: 'one',
  text: asArray('select id, title from public.films where id = $1'),
});
const PAGE = new pgp.PreparedStatement({
  name: 'page',
  text: asArray('select id, title, year from public.films order by id limit $1'),
});
const EMBED = new pgp.PreparedStatement({
  name: 'embed',
  text: asArray(`
    select f.id, f.title, row_to_json(d) as directors, coalesce(r.list, '[]') as roles
    from public.films f
    left join lateral (select name from public.directors where id = f.director_id) d on true
    left join lateral (select json_agg(x) as list from (select name from public.roles where film_id = f.id) x) r on true
    order by f.id limit $1`),
});

interface Answer {
  readonly total: string;
  readonly body: unknown;
}

const router = new Router();
router.get('/films', async (ctx) => {
  const { id, select = '' } = ctx.query;
  const answer = await database.tx({ mode }, async (transaction) => {
    await transaction.one(CONTEXT, [
      '"public"',
      'bench_anon',
      '{"role":"bench_anon"}',
      ctx.method,
      ctx.path,
      JSON.stringify(ctx.headers),
    ]);
    if (typeof id === 'string') return transaction.one<Answer>(ONE, [id.replace('eq.', '')]);
    return select.includes('directors')
      ? transaction.one<Answer>(EMBED, [5])
      : transaction.one<Answer>(PAGE, [20]);
  });
  ctx.set('Content-Range', `0-${Number(answer.total) - 1}/*`);
  ctx.type = 'application/json';
  ctx.body = JSON.stringify(answer.body);
});

const server = new Koa().use(router.routes()).listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  console.log(
    `serves on http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`,
  );
});
