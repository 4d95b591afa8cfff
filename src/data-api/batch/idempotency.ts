/**
 * Answers of requests with an Idempotency-Key. The answer is written in the transaction of the request, by a role of its
 * own: if the process ends between the commit and the response, a repetition finds the answer and writes nothing.
 */
import type { KeptBytes } from '../snapshot.js';
import { dbrError } from '../../errors/dbr-error.js';
import {
  type BatchQuery,
  bodyText,
  type Row,
  command as query,
  prepare,
  type Statement,
} from '../../postgres/batch.js';
import type { Pool } from '../../postgres/pool.js';
import type { PostgresError } from '../../postgres/postgres-error.js';
import { quoteLiteral, type Sql, sql } from '../../postgres/sql.js';
import type { Header, Reply } from '../../contract/reply.js';
import { refusalOf, refusalSql } from '../sql/refusal.js';
import { lengthPrefixed } from '../../base/bytes.js';
import { sha256, sortedJsonText } from '../../base/hash.js';
import { headerOf, type Identity, type Request } from '../../contract/request.js';
import { type JsonMember, membersOfJson } from '../request/json-reader.js';
import { runAtOnce } from '../../base/turns.js';
import type { ReloadableSettings } from '../../settings/settings.js';
import { ITEM_HEADERS } from './batch-item.js';

/** Longest body that is kept, in bytes, and longest headers. */
const LONGEST_KEPT = 1_048_576;
const ROLE = quoteLiteral('dbr_idempotency');

/** Takes the role that owns what is kept, until the end of the transaction. */
export const AS_KEEPER = sql`select pg_catalog.set_config('role', ${ROLE}, true)`;
const asKeeper = prepare(AS_KEEPER);
const asRole = prepare(sql`select pg_catalog.set_config('role', $1, true)`);

/**
 * The queries of a claim run behind the function of `db-pre-request`, and KEEP behind functions of the request, which may
 * have set a search path with operators of their own.
 */
const ROLE_OF_ITEM = sql`pg_catalog.current_setting('dbr.idempotency_role')`;

/** Returns the role that the function of `db-pre-request` has left. No function of the request runs before it is read. */
const NOTE_ROLE = prepare(
  sql`select pg_catalog.set_config('dbr.idempotency_role', current_user::pg_catalog.text, true)`,
);
const AS_NOTED_ROLE = prepare(sql`select pg_catalog.set_config('role', ${ROLE_OF_ITEM}, true)`);

/** As `storedKey`. */
const STORED_KEY = sql`pg_catalog.sha256($1::pg_catalog.bytea operator(pg_catalog.||) pg_catalog.convert_to(${ROLE_OF_ITEM}, 'UTF8'))`;

/** What is refused before the statements of the request run: one whose key another request has, and one without room. */
const CLAIMED = 1;
const FULL = 2;

const refusedAs = (number: Sql): Sql => refusalSql('idempotency', number, sql`operator(pg_catalog.||)`);

/**
 * The lock ends with the transaction. Of its key, 64 bits of a digest, no other lock is likely to have the same. The number
 * comes from a subquery: PostgreSQL would evaluate a constant before the condition.
 */
const LOCK = prepare(
  sql`select ${refusedAs(sql`number`)}
  from (select case when not pg_catalog.pg_try_advisory_xact_lock($1::pg_catalog.int8) then ${CLAIMED} end as number) as lock`,
);

/** A statement of its own, because it has to see what was committed before the lock was taken. */
const CHECK = prepare(
  sql`select ${refusedAs(sql`case when key is not null then ${CLAIMED} end`)}
  from dbr_requests.idempotent
 where key operator(pg_catalog.=) ${STORED_KEY} and expires_at operator(pg_catalog.>) pg_catalog.now()`,
);
/** The parameter is not a constant, which PostgreSQL would evaluate while it plans. */
const REFUSE_FULL = prepare(sql`select ${refusedAs(sql`$1::pg_catalog.int4`)}`);

const READ = prepare(
  sql`select status, headers::pg_catalog.text, (body is null)::pg_catalog.text, pg_catalog.encode(request, 'hex'),
       coalesce(pg_catalog.encode(body, 'base64'), '')
  from dbr_requests.idempotent
 where key operator(pg_catalog.=) ${STORED_KEY} and expires_at operator(pg_catalog.>) pg_catalog.now()`,
);
/**
 * Writes to the log, so that the commit waits for synchronous standbys, and so for the commit of the first request. That one
 * need not have waited to its end: PostgreSQL ends the wait, and keeps the commit, where the request is cancelled.
 */
const REPLICATE = prepare(sql`select pg_catalog.pg_logical_emit_message(true, 'dbr', '')`);
const FORGET = prepare(
  sql`delete from dbr_requests.idempotent
 where key operator(pg_catalog.=) $1::pg_catalog.bytea and expires_at operator(pg_catalog.<=) pg_catalog.now()`,
);
const KEEP = prepare(
  sql`insert into dbr_requests.idempotent (key, request, status, headers, body, expires_at, subject)
values ($1::pg_catalog.bytea, $2::pg_catalog.bytea, $3::pg_catalog.int4, $4::pg_catalog.jsonb, $5::pg_catalog.bytea,
        pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(secs => $6::pg_catalog.float8),
        dbr_requests.subject($7, $8))`,
);
/** Rows that another process removes are left to it. */
const sweepOf = (table: Sql, key: Sql): Statement =>
  prepare(
    sql`with
  expired as (
    select ${key} from dbr_requests.${table}
     where expires_at operator(pg_catalog.<=) pg_catalog.now()
     limit 1000 for update skip locked
  ),
  removed as (
    delete from dbr_requests.${table} as kept using expired
     where kept.${key} operator(pg_catalog.=) expired.${key} returning kept.${key}
  )
select pg_catalog.count(*) operator(pg_catalog.>=) 1000 from removed`,
  );
const SWEEPS = [sweepOf(sql`idempotent`, sql`key`), sweepOf(sql`proposed`, sql`id`)];
const BYTES = prepare(sql`select coalesce(pg_catalog.sum(size), 0) from dbr_requests.idempotent`);

const hex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

/** The query whose row is the role behind the function of `db-pre-request`. */
export const NOTE: BatchQuery = { ...query(NOTE_ROLE), returnsRows: true, columns: 1 };

/**
 * The queries behind NOTE of the first item. They fail if the statements of the request must not run.
 * @param isFull whether there is no room for another answer
 */
export const claimQueries = ({ key }: IdempotencyKey, isFull: boolean): readonly BatchQuery[] => [
  query(asKeeper),
  query(LOCK, [String(key.readBigInt64BE(0))]),
  query(CHECK, [hex(key)]),
  ...(isFull ? [query(REFUSE_FULL, [String(FULL)])] : []),
  query(AS_NOTED_ROLE),
];

/** The queries behind NOTE of the first item of a repetition: one row with the answer that was kept, or none. */
export const readQueries = ({ key }: IdempotencyKey): readonly BatchQuery[] => [
  query(asKeeper),
  { ...query(READ, [hex(key)]), returnsRows: true, columns: 5 },
  query(AS_NOTED_ROLE),
];

/**
 * The queries that keep the answer, behind those of the request.
 * @param roles behind the function of `db-pre-request`, of each item; deferred triggers run under the last one
 * @throws DbrError AnswerNotKept
 */
export function keepQueries(
  key: IdempotencyKey,
  { status, headers, body }: Reply,
  roles: readonly string[],
  seconds: number,
): readonly BatchQuery[] {
  const bytes = Array.isArray(body) ? Buffer.concat(body) : null;
  const headersText = JSON.stringify(headers);
  const length = Math.max(bytes?.length ?? 0, headersText.length);
  if (length > LONGEST_KEPT) throw dbrError('AnswerNotKept', { length, limit: LONGEST_KEPT });
  const stored = hex(storedKey(key, roles[0] ?? ''));
  const values = [
    stored,
    hex(storedRequest(key, roles)),
    String(status),
    headersText,
    bytes === null ? null : hex(bytes),
    String(seconds),
    ...key.user,
  ];
  return [query(asKeeper), query(FORGET, [stored]), query(KEEP, values), query(asRole, [roles.at(-1) ?? ''])];
}

/** The queries behind those of a repetition. */
export const REPETITION: readonly BatchQuery[] = [query(asKeeper), query(REPLICATE)];

/** Bytes that a kept reply counts for, as the table counts them. */
export const sizeOf = ({ headers, body }: Reply): number =>
  512 +
  JSON.stringify(headers).length +
  (Array.isArray(body) ? body.reduce<number>((sum, { length }: Buffer) => sum + length, 0) : 0);

/** Why the queries of a claim or of the keeping have failed. */
type ClaimFailure = 'claimed' | 'full' | 'not ready';

/** Errors that show that the table, its columns or the right to use it is missing. */
const NOT_READY: ReadonlySet<string> = new Set(['22023', '42501', '42703', '42P01', '3F000', '42704']);

/** Returns null for an error with another cause. */
export function claimFailure({ fields }: PostgresError): ClaimFailure | null {
  const refusal = refusalOf(fields);
  if (refusal?.kind === 'idempotency') return refusal.number === FULL ? 'full' : 'claimed';
  const { schema, table, code } = fields;
  // The transaction had its snapshot before the other request was committed.
  if (schema === 'dbr_requests' && table === 'idempotent' && code === '23505') return 'claimed';
  return NOT_READY.has(code) ? 'not ready' : null;
}

/** An answer that was kept. */
export interface Kept {
  readonly reply: Reply;
  /** `storedRequest` of its request, in hexadecimal. */
  readonly request: string;
}

/** Returns the answer in the row of `readQueries`. */
export function keptIn(row: Row): Kept {
  const [status = '', headers, isNull, request] = row.columns;
  return {
    reply: {
      status: Number(status),
      headers: readHeaders(headers ?? '[]'),
      body: isNull === 'true' ? null : [Buffer.from(bodyText(row), 'base64')],
    },
    request: request ?? '',
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

/** Returns the only value of a query, which runs under the role that owns what is kept; empty without a row. */
export async function valueAsKeeper(
  pool: Pool,
  statement: Statement,
  parameters: BatchQuery['parameters'] = [],
): Promise<string> {
  const [result] = await pool.run({
    queries: [query(asKeeper), { ...query(statement, parameters), returnsRows: true, columns: 1 }],
    access: 'write',
    use: 'brief',
  });
  return bodyText(result?.rows[0]);
}

/** Removes answers and proposals that have expired. */
export async function sweepKept(pool: Pool): Promise<void> {
  for (const sweep of SWEEPS) while ((await valueAsKeeper(pool, sweep)) === 't');
}

/** Reads how many bytes are kept, with answers that have expired and are not yet removed. */
export const readKeptBytes = async (pool: Pool): Promise<number> => Number(await valueAsKeeper(pool, BYTES));

export interface IdempotencyKey {
  /** Digest of the caller's claims and the key. The role behind the function of `db-pre-request` completes it. */
  readonly key: Buffer;
  /** Digest of the request: the same key with another request is refused. */
  readonly request: Buffer;
  /** Claims `tenantId` and `sub` of the token, which name the user of areas A and B; null where they are not texts. */
  readonly user: readonly [tenantId: string | null, userId: string | null];
}

/** A string of structured fields (RFC 8941 §3.3.3), or its content alone, as many clients send it. */
const QUOTED = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/;
const BARE = /^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,255}$/;

/** @throws DbrError InvalidIdempotencyKey */
export function readIdempotencyKey(
  header: string,
  request: Request,
  settings: Pick<ReloadableSettings, 'db-idempotency-claims' | 'db-idempotency-headers'>,
): IdempotencyKey {
  const written = header.trim();
  const key =
    QUOTED.exec(written)?.[1]?.replaceAll(/\\(["\\])/g, '$1') ?? (BARE.test(written) ? written : null);
  if (key === null) throw dbrError('InvalidIdempotencyKey');
  const { method, path, query, body, identity } = request;
  const members = membersOf(identity);
  const claims = claimsOf(members, settings['db-idempotency-claims']);
  const names = [...ITEM_HEADERS, ...settings['db-idempotency-headers'].map((name) => name.toLowerCase())];
  const headers = [...new Set(names)].sort().flatMap((name) => {
    const value = headerOf(request.headers.received, name);
    return value === undefined ? [] : [name, value];
  });
  return {
    key: digestOf([...claims, key]),
    request: digestOf([method, path, query, String(headers.length), ...headers, body]),
    user: userOf(members),
  };
}

const membersOf = ({ claims }: Identity): readonly JsonMember[] =>
  runAtOnce(membersOfJson(Buffer.from(claims, 'utf8'), Infinity)) ?? [];

const userOf = (members: readonly JsonMember[]): IdempotencyKey['user'] => [
  textOf(members, 'tenantId'),
  textOf(members, 'sub'),
];

/** The role and the claims that stay when a token is renewed as one digest, in the form of `bytea`, and the user as in a key. */
export function callerOf(identity: Identity): {
  readonly digest: string;
  readonly user: IdempotencyKey['user'];
} {
  const members = membersOf(identity);
  return { digest: hex(digestOf([identity.role, ...claimsOf(members, [])])), user: userOf(members) };
}

const digestOf = (parts: readonly (string | Buffer)[]): Buffer => sha256(lengthPrefixed(parts));

/** The digest under which an answer is stored. @param role behind the function of `db-pre-request` */
const storedKey = ({ key }: IdempotencyKey, role: string): Buffer =>
  sha256(Buffer.concat([key, Buffer.from(role, 'utf8')]));

/** The digest of a request, with the roles that the function of `db-pre-request` has set for its items. */
export const storedRequest = ({ request }: IdempotencyKey, roles: readonly string[]): Buffer =>
  digestOf([request, ...roles]);

/** The text of a claim; null for a claim of another type, and for a text that PostgreSQL cannot store. */
function textOf(members: readonly JsonMember[], name: string): string | null {
  const claim = members.findLast((member) => member.name === name);
  const value: unknown = claim === undefined ? null : JSON.parse(claim.value.toString('utf8'));
  return typeof value === 'string' && !value.includes('\0') ? value : null;
}

/** Claims that change when a token is renewed. */
const RENEWED: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'jti']);

/**
 * The claims that a key belongs to, as texts: name and JSON of each. Numbers are compared as the issuer wrote them, because
 * long numbers of JavaScript would make two tenants one.
 * @param named `db-idempotency-claims`, empty for all
 */
function claimsOf(members: readonly JsonMember[], named: readonly string[]): readonly string[] {
  const belongs = (name: string): boolean => (named.length === 0 ? !RENEWED.has(name) : named.includes(name));
  return members
    .filter(({ name }) => belongs(name))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap(({ name, value }) => [name, sortedJsonText(value.toString('utf8'))]);
}

// How many bytes are kept for idempotency keys.

/** Shortest time between two readings of the table, in milliseconds. */
const INTERVAL_MS = 1000;
/** Largest part of the time that reading takes: one in so many. */
const PAUSE_FACTOR = 50;

/**
 * Counts of one process. The table is not read in the transactions that write it, whose isolation may be serializable: all
 * of them would conflict. So processes that write at the same time may exceed the limit by what each keeps between two
 * readings.
 * @param read the bytes in the table
 */
export function createKeptBytes(read: () => Promise<number>): KeptBytes {
  let bytes = 0;
  let dueAt = -Infinity;
  let reading: Promise<void> | null = null;

  async function readAgain(): Promise<void> {
    const startedAt = performance.now();
    try {
      bytes = await read();
      const endedAt = performance.now();
      dueAt = endedAt + Math.max(INTERVAL_MS, PAUSE_FACTOR * (endedAt - startedAt));
    } finally {
      reading = null;
    }
  }

  return {
    async current() {
      if (performance.now() >= dueAt) await (reading ??= readAgain());
      return bytes;
    },
    add: (more) => void (bytes += more),
  };
}
