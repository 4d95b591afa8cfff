/**
 * Answers of requests with an Idempotency-Key. The answer is written in the transaction of the request, by a role of its
 * own: if the process ends between the commit and the response, a repetition finds the answer and writes nothing.
 */
import { dbrError } from '../../errors/dbr-error.js';
import type { BatchQuery, Caller } from '../../postgres/batch.js';
import type { Pool } from '../../postgres/pool.js';
import { PostgresError } from '../../postgres/postgres-error.js';
import { quoteLiteral, sql } from '../../postgres/sql.js';
import { prepare } from '../../postgres/statement.js';
import type { Header } from '../respond/header-text.js';
import type { Reply } from '../respond/reply.js';
import { refusalOf, refusalSql } from '../sql/refusal.js';
import type { IdempotencyKey } from './idempotency-key.js';

/** Longest body that is kept, in bytes, and longest headers. */
const LONGEST_KEPT = 1_048_576;
const ROLE = quoteLiteral('dbr_idempotency');

const asKeeper = prepare(sql`select pg_catalog.set_config('role', ${ROLE}, true)`);
const asRole = prepare(sql`select pg_catalog.set_config('role', $1, true)`);

/** What is refused before the statements of the request run: a concurrent request, a repetition, another request. */
const BUSY = 1;
const REPEATED = 2;
const OTHER = 3;

/**
 * The lock ends with the transaction. Of its key, 64 bits of a digest, no other lock is likely to have the same. The number
 * comes from a subquery: PostgreSQL would evaluate a constant before the condition.
 */
const LOCK = prepare(
  sql`select ${refusalSql('idempotency', sql`number`)}
  from (select case when not pg_catalog.pg_try_advisory_xact_lock($1::pg_catalog.int8) then ${BUSY} end as number) as lock`,
);

/** A statement of its own, because it has to see what was committed before the lock was taken. */
const CHECK = prepare(
  sql`select ${refusalSql('idempotency', sql`case when request = $2::pg_catalog.bytea then ${REPEATED} else ${OTHER} end`)}
  from dbr_requests.idempotent
 where key = $1::pg_catalog.bytea and expires_at > pg_catalog.now()`,
);

/** These run behind functions of the request, which may have set a search path with operators of their own. */
const FORGET = prepare(
  sql`delete from dbr_requests.idempotent
 where key operator(pg_catalog.=) $1::pg_catalog.bytea and expires_at operator(pg_catalog.<=) pg_catalog.now()`,
);
const KEEP = prepare(
  sql`insert into dbr_requests.idempotent (key, request, status, headers, body, expires_at)
values ($1::pg_catalog.bytea, $2::pg_catalog.bytea, $3::pg_catalog.int4, $4::pg_catalog.jsonb, $5::pg_catalog.bytea,
        pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(secs => $6::pg_catalog.float8))`,
);
const READ = prepare(
  sql`select status, headers::pg_catalog.text, (body is null)::pg_catalog.text, coalesce(pg_catalog.encode(body, 'base64'), '')
  from dbr_requests.idempotent
 where key = $1::pg_catalog.bytea and expires_at > pg_catalog.now()`,
);
/** Rows that another process removes are left to it. */
const SWEEP = prepare(
  sql`delete from dbr_requests.idempotent
 where key in (
   select key from dbr_requests.idempotent
    where expires_at <= pg_catalog.now()
    limit 1000 for update skip locked)`,
);

const query = (of: BatchQuery['statement'], parameters: BatchQuery['parameters'] = []): BatchQuery => ({
  statement: of,
  parameters,
  returnsRows: false,
});

const hex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

/** The queries that precede those of the request. They fail if the request must not run. */
export const claimQueries = ({ key, request }: IdempotencyKey): readonly BatchQuery[] => [
  query(asKeeper),
  query(LOCK, [String(key.readBigInt64BE(0))]),
  query(CHECK, [hex(key), hex(request)]),
  query(asRole, ['none']),
];

/**
 * The queries that keep the answer, behind those of the request.
 * @param role of the request, under which deferred triggers run
 * @throws DbrError AnswerNotKept
 */
export function keepQueries(
  { key, request }: IdempotencyKey,
  { status, headers, body }: Reply,
  role: string,
  seconds: number,
): readonly BatchQuery[] {
  const bytes = Array.isArray(body) ? Buffer.concat(body) : null;
  const headersText = JSON.stringify(headers);
  const length = Math.max(bytes?.length ?? 0, headersText.length);
  if (length > LONGEST_KEPT) throw dbrError('AnswerNotKept', { length, limit: LONGEST_KEPT });
  const values = [
    hex(key),
    hex(request),
    String(status),
    headersText,
    bytes === null ? null : hex(bytes),
    String(seconds),
  ];
  return [query(asKeeper), query(FORGET, [hex(key)]), query(KEEP, values), query(asRole, [role])];
}

/** What an error means for the key. `null`: it has another cause. */
export function claimFailure(error: unknown): 'repeated' | Error | null {
  if (!(error instanceof PostgresError)) return null;
  const refusal = refusalOf(error.fields);
  if (refusal?.kind === 'idempotency') {
    if (refusal.number === REPEATED) return 'repeated';
    return dbrError(refusal.number === BUSY ? 'IdempotentRequestInProgress' : 'IdempotencyKeyReused');
  }
  const { schema, table, code } = error.fields;
  // The transaction had its snapshot before the other request was committed.
  if (schema === 'dbr_requests' && table === 'idempotent' && code === '23505')
    return dbrError('IdempotentRequestInProgress');
  return null;
}

/** Errors of the first queries that show that the table or the right to use it is missing. */
const NOT_READY: ReadonlySet<string> = new Set(['22023', '42501', '42P01', '3F000', '42704']);

/** The error of a database without the table, or of an authenticator without the role. Null for another error. */
export function notReady(error: unknown): Error | null {
  if (!(error instanceof PostgresError) || error.query === null) return null;
  // BEGIN and the queries of the claim.
  if (error.query > CLAIM_LENGTH || !NOT_READY.has(error.fields.code)) return null;
  return dbrError('IdempotencyUnavailable', { reason: error.fields.message });
}

const CLAIM_LENGTH = 4;

/** Reads the answer that was kept; null if it has expired meanwhile. */
export async function readKept(pool: Pool, { key }: IdempotencyKey, caller: Caller): Promise<Reply | null> {
  const [result] = await pool.run(
    {
      queries: [query(asKeeper), { ...query(READ, [hex(key)]), returnsRows: true, columns: 4 }],
      // As a write, it is not bounded by `db-max-result-bytes`, which did not bound the answer either.
      access: 'write',
      pace: 'moderate',
    },
    caller,
  );
  const row = result?.rows[0];
  if (row === undefined) return null;
  const [status = '', headers = '[]', isNull] = row.columns;
  const text = Buffer.concat(row.body ?? []).toString('latin1');
  return {
    status: Number(status),
    headers: readHeaders(headers ?? '[]'),
    body: isNull === 'true' ? null : [Buffer.from(text, 'base64')],
  };
}

function readHeaders(text: string): readonly Header[] {
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) return [];
  return list.flatMap((pair: unknown): Header[] =>
    Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string'
      ? [[pair[0], pair[1]]]
      : [],
  );
}

/** Removes answers that have expired. */
export async function sweepKept(pool: Pool): Promise<void> {
  await pool.run({ queries: [query(asKeeper), query(SWEEP)], access: 'write', pace: 'slow' });
}
