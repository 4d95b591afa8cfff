/**
 * A server as people write it with Express and pg: one query a request (two where there is a total), sent as text with its
 * values, rows parsed and written again. It has no roles of the database: `BENCH_DB_URI=… BENCH_PORT=… node express.mjs`.
 */
import express from 'express';
import jwt from 'jsonwebtoken';
import pg from 'pg';
import { SQL } from './statements.mjs';

const { BENCH_DB_URI, BENCH_PORT, BENCH_POOL, BENCH_SECRET } = process.env;
const pool = new pg.Pool({ connectionString: BENCH_DB_URI, max: Number(BENCH_POOL) });
const app = express();
app.use(express.json({ limit: '1mb' }));

app.use((request, response, next) => {
  const { authorization } = request.headers;
  if (authorization === undefined) return next();
  try {
    request.user = jwt.verify(authorization.replace('Bearer ', ''), BENCH_SECRET);
    next();
  } catch {
    response.status(401).json({ message: 'invalid token' });
  }
});

app.get('/films/:id', async (request, response) => {
  const { rows } = await pool.query(SQL.one, [request.params.id]);
  response.json(rows);
});
app.get('/films', async ({ query }, response) => {
  if (query.year !== undefined) {
    const [{ rows }, total] = await Promise.all([
      pool.query(SQL.ofYear, [query.year]),
      pool.query(SQL.total, [query.year]),
    ]);
    return response.set('X-Total-Count', total.rows[0].count).json(rows);
  }
  const text = query.with === 'roles' ? SQL.withRoles : query.all === 'true' ? SQL.long : SQL.page;
  const { rows } = await pool.query(text, [query.after, query.limit]);
  response.json(rows);
});
app.get('/titles/:id', async (request, response) => {
  const { rows } = await pool.query(SQL.title, [request.params.id]);
  response.json(rows[0].film_title);
});
app.post('/notes', async ({ body }, response) => {
  const { rows } = await pool.query(SQL.insert, [body.film_id, body.text]);
  response.status(201).json(rows);
});
app.patch('/scores/:id', async (request, response) => {
  await pool.query(SQL.update, [request.body.points, request.params.id]);
  response.status(204).end();
});
app.listen(Number(BENCH_PORT), '127.0.0.1');
