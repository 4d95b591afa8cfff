/** PostGraphile on one schema, as its manual sets it up for production: `BENCH_DB_URI=… BENCH_PORT=… node postgraphile.mjs`. */
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';

const { BENCH_DB_URI, BENCH_PORT, BENCH_POOL, BENCH_ROLE } = process.env;
const handler = postgraphile({ connectionString: BENCH_DB_URI, max: Number(BENCH_POOL) }, 'public', {
  pgDefaultRole: BENCH_ROLE,
  disableQueryLog: true,
  graphiql: false,
  ignoreRBAC: true,
});
createServer(handler).listen(Number(BENCH_PORT), '127.0.0.1');
