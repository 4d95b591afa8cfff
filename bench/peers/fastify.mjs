/** The same with Fastify and its plugin for tokens: `BENCH_DB_URI=… BENCH_PORT=… node fastify.mjs`. */
import jwt from '@fastify/jwt';
import Fastify from 'fastify';
import pg from 'pg';
import { SQL } from './statements.mjs';

const { BENCH_DB_URI, BENCH_PORT, BENCH_POOL, BENCH_SECRET } = process.env;
const pool = new pg.Pool({ connectionString: BENCH_DB_URI, max: Number(BENCH_POOL) });
const app = Fastify();
await app.register(jwt, { secret: BENCH_SECRET });

app.addHook('onRequest', async (request) => {
  if (request.headers.authorization !== undefined) await request.jwtVerify();
});

app.get('/films/:id', async ({ params }) => {
  const { rows } = await pool.query(SQL.one, [params.id]);
  return rows;
});
app.get('/films', async ({ query }, reply) => {
  if (query.year !== undefined) {
    const [{ rows }, total] = await Promise.all([
      pool.query(SQL.ofYear, [query.year]),
      pool.query(SQL.total, [query.year]),
    ]);
    reply.header('X-Total-Count', total.rows[0].count);
    return rows;
  }
  const text = query.with === 'roles' ? SQL.withRoles : query.all === 'true' ? SQL.long : SQL.page;
  const { rows } = await pool.query(text, [query.after, query.limit]);
  return rows;
});
app.get('/titles/:id', async ({ params }, reply) => {
  const { rows } = await pool.query(SQL.title, [params.id]);
  reply.type('application/json');
  return JSON.stringify(rows[0].film_title);
});
app.post('/notes', async ({ body }, reply) => {
  const { rows } = await pool.query(SQL.insert, [body.film_id, body.text]);
  reply.code(201);
  return rows;
});
app.patch('/scores/:id', async ({ params, body }, reply) => {
  await pool.query(SQL.update, [body.points, params.id]);
  return reply.code(204).send();
});
await app.listen({ port: Number(BENCH_PORT), host: '127.0.0.1' });
