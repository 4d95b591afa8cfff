/**
 * Group commit: the work of many calls in one batch and one transaction, the entries that they write in one statement. While
 * a batch is in flight, calls are collected for the next one.
 */
import { createFairQueue, type FairQueue } from '../base/fair-queue.js';
import { type Parameter, type Row, prepare, type Statement } from '../postgres/batch.js';
import { READ_COMMITTED, repeatTransaction } from '../postgres/own-transactions.js';
import type { Pool } from '../postgres/pool.js';
import { PostgresError } from '../postgres/postgres-error.js';
import { WITH_POLICIES } from '../postgres/own-settings.js';
import { sql } from '../postgres/sql.js';
import type { PartyIdentity } from '../signing/router-port.js';
import { entryToJson, type LogPosition, type NewEntry } from './mailbox-log.js';
import { APPEND, APPEND_WAITING } from './postgres-mailbox-sql.js';

/** The part of the pool that is used here. */
export type Runner = Pick<Pool, 'run'>;

export interface GroupedStatement {
  readonly tenantId: string;
  readonly sessionId: string;
  /** The reader whose row it locks. Absent: it locks rows of all readers in the order of their names, or none. */
  readonly partyId?: string;
  readonly statement: Statement;
  readonly parameters: readonly Parameter[];
}

/** An entry, and the position that it has if it is written. */
export interface Append extends NewEntry, LogPosition {}

/**
 * The receivers that are no longer the parties that were identified. Null: the entry was not written, because its position is
 * taken, the session has ended, or its row is locked.
 */
type Appended = ReadonlySet<PartyIdentity> | null;

interface MailboxGroup {
  /** Writes an entry with those of other calls. @throws as `Pool.run` */
  append(append: Append): Promise<Appended>;
  /** As `append`, in a transaction of its own, which waits for a row that is locked. */
  appendWaiting(append: Append): Promise<Appended>;
  /** Runs statements with those of other calls, and returns the rows of each. @throws as `Pool.run` */
  run(statements: readonly GroupedStatement[]): Promise<readonly (readonly Row[])[]>;
  /** Runs a statement in a transaction of its own, which may wait for locks. @throws as `Pool.run` */
  runAlone(statement: GroupedStatement): Promise<readonly Row[]>;
  /** Runs statements that change nothing in one transaction. @throws as `Pool.run` */
  read(statements: readonly GroupedStatement[]): Promise<readonly (readonly Row[])[]>;
}

/** Every statement finds its rows by keys, so that one plan serves all: by an index, also while the tables are small. */
const AS_TENANT = prepare(sql`
select pg_catalog.num_nulls(
  ${WITH_POLICIES},
  pg_catalog.set_config('role', 'dbr_signing_service', true),
  pg_catalog.set_config('app.tenant_id', $1, true),
  pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true),
  pg_catalog.set_config('enable_seqscan', 'off', true)
)`);

/**
 * So many calls of a batch end in one turn of the event loop, which then writes their responses: their clients go on while
 * the other calls end. Without it, clients and process wait for each other in turn.
 */
const CALLS_A_TURN = 4;

/** Most calls of one batch, unless given. */
const MAX_CALLS = 256;
/** Most bytes of one batch. */
const MAX_BYTES = 8_388_608;

interface Settle<Result> {
  readonly bytes: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** A call that waits for its batch. */
type Waiting =
  | (Settle<readonly (readonly Row[])[]> & {
      readonly kind: 'statements';
      readonly statements: readonly GroupedStatement[];
    })
  | (Settle<Appended> & { readonly kind: 'append'; readonly append: Append });

/** Statements of a batch, in their order, with the calls that they serve. */
interface Shared {
  readonly statements: readonly GroupedStatement[];
  readonly settle: (results: readonly (readonly Row[])[]) => void;
}

/** @param maxCalls most calls of one batch */
export function createMailboxGroup(pool: Runner, maxCalls = MAX_CALLS): MailboxGroup {
  const waiting = createFairQueue<Waiting>();
  let scheduled = false;

  function schedule(): void {
    if (scheduled || waiting.length === 0) return;
    scheduled = true;
    // After this turn of the event loop, so that all its calls are in one batch.
    setImmediate(() => {
      void commit().finally(() => {
        scheduled = false;
        schedule();
      });
    });
  }

  async function commit(): Promise<void> {
    const taken = takeGroup(waiting, maxCalls);
    try {
      await runShared(pool, taken);
    } catch (error) {
      if (error instanceof PostgresError && taken.length > 1) await runEach(pool, taken);
      else for (const { reject } of taken) reject(error);
    }
  }

  function add(call: Waiting): void {
    waiting.add(tenantOf(call), call);
    schedule();
  }

  return {
    append: (append) =>
      new Promise((resolve, reject) =>
        add({ kind: 'append', append, bytes: appendBytes(append), resolve, reject }),
      ),
    async appendWaiting(append) {
      const [rows = []] = await runGroup(pool, [appendStatement(APPEND_WAITING, [append])], 'write');
      const [appended] = appendedOf([append], rows);
      return appended ?? null;
    },
    run: (statements) =>
      new Promise((resolve, reject) =>
        add({ kind: 'statements', statements, bytes: bytesOf(statements), resolve, reject }),
      ),
    async runAlone(statement) {
      const [rows] = await runGroup(pool, [statement], 'write');
      return rows ?? [];
    },
    read: (statements) => runGroup(pool, statements, 'read'),
  };
}

/** Runs each call of a failed group separately, so that only the faulty one fails. */
async function runEach(pool: Runner, group: readonly Waiting[]): Promise<void> {
  for (const one of group) await runShared(pool, [one]).catch(one.reject);
}

async function runShared(pool: Runner, group: readonly Waiting[]): Promise<void> {
  const shared = share(group).sort(inOrder);
  const results = await runGroup(
    pool,
    shared.flatMap(({ statements }) => statements),
    'write',
  );
  let taken = 0;
  for (const { statements, settle } of shared) {
    settle(results.slice(taken, taken + statements.length));
    taken += statements.length;
  }
}

/** The statements of a group: the entries of each tenant in one, which is the first of the tenant. */
function share(group: readonly Waiting[]): Shared[] {
  const appends = new Map<string, Extract<Waiting, { kind: 'append' }>[]>();
  const shared: Shared[] = [];
  for (const one of group) {
    if (one.kind === 'statements') {
      shared.push({ statements: one.statements, settle: one.resolve });
      continue;
    }
    const { tenantId } = one.append;
    const own = appends.get(tenantId);
    if (own === undefined) appends.set(tenantId, [one]);
    else own.push(one);
  }
  for (const calls of appends.values()) {
    const own = calls.map(({ append }) => append);
    shared.push({
      statements: [appendStatement(APPEND, own)],
      settle([rows = []]) {
        const appended = appendedOf(own, rows);
        endInTurns(
          calls.map(
            ({ resolve }, index) =>
              () =>
                resolve(appended[index] ?? null),
          ),
        );
      },
    });
  }
  return shared;
}

function endInTurns(ends: readonly (() => void)[]): void {
  for (const end of ends.slice(0, CALLS_A_TURN)) end();
  const others = ends.slice(CALLS_A_TURN);
  if (others.length > 0) setImmediate(() => endInTurns(others));
}

/** The empty session sorts before all others, so that the entries of a tenant are written first. */
const appendStatement = (statement: Statement, appends: readonly Append[]): GroupedStatement => ({
  tenantId: appends[0]?.tenantId ?? '',
  sessionId: '',
  statement,
  parameters: appendParameters(appends),
});

const tenantOf = (call: Waiting): string =>
  call.kind === 'append' ? call.append.tenantId : (call.statements[0]?.tenantId ?? '');

/**
 * Takes calls of the tenants in turn, those of a tenant in their order. A statement writes one entry of a session: a further
 * one waits for the next batch, as all do that exceed the bounds.
 */
function takeGroup(waiting: FairQueue<Waiting>, maxCalls: number): readonly Waiting[] {
  const [taken, left]: [Waiting[], Waiting[]] = [[], []];
  const sessions = new Set<string>();
  let bytes = 0;
  for (let one = waiting.first(); one !== null; one = waiting.first()) {
    bytes += one.bytes;
    if (taken.length > 0 && (bytes > MAX_BYTES || taken.length >= maxCalls)) break;
    waiting.takeFirst();
    const sessionId = one.kind === 'append' ? one.append.sessionId : null;
    (sessionId !== null && sessions.has(sessionId) ? left : taken).push(one);
    if (sessionId !== null) sessions.add(sessionId);
  }
  for (const one of left.reverse()) waiting.addFirst(tenantOf(one), one);
  return taken;
}

/** Processes lock sessions and readers in one order, so that their transactions do not deadlock. */
const inOrder = ({ statements: [one] }: Shared, { statements: [other] }: Shared): number =>
  compare(one?.tenantId, other?.tenantId) ||
  compare(one?.sessionId, other?.sessionId) ||
  compare(one?.partyId, other?.partyId);

const compare = (one = '', other = ''): number => (one < other ? -1 : one > other ? 1 : 0);

/** Returns the rows of each statement. Statements of one tenant are adjacent. */
async function runGroup(
  pool: Runner,
  group: readonly GroupedStatement[],
  access: 'read' | 'write',
): Promise<readonly (readonly Row[])[]> {
  const queries = group.flatMap(({ tenantId, statement, parameters }, index) => {
    const query = { statement, parameters, returnsRows: true };
    const isSame = index > 0 && group[index - 1]?.tenantId === tenantId;
    return isSame ? [query] : [{ statement: AS_TENANT, parameters: [tenantId], returnsRows: false }, query];
  });
  const batch = { queries: [READ_COMMITTED, ...queries], access, use: 'shared' } as const;
  const results = await repeatTransaction(() => pool.run(batch));
  return results.map(({ rows }) => rows);
}

const bytesOf = (statements: readonly GroupedStatement[]): number =>
  statements
    .flatMap(({ parameters }) => parameters)
    .reduce((total, parameter) => total + (parameter?.length ?? 0), 0);

// Values of the statements, as PostgreSQL reads and writes them.

/** An array of texts without commas, quotes, braces, backslashes and blanks. */
export const plainArray = (values: readonly string[]): string => `{${values.join(',')}}`;

const bytesArray = (values: readonly (Buffer | null)[]): string =>
  plainArray(values.map((value) => (value === null ? 'NULL' : `"\\${hexOf(value)}"`)));

/** Bytes in PostgreSQL's hexadecimal format. */
export const hexOf = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

/** The last column as text; null for SQL null. */
export const lastText = ({ body }: Row): string | null =>
  body === null ? null : Buffer.concat(body).toString('utf8');

/** Bytes that an entry takes in a statement, without what is small. */
const appendBytes = ({ payloads }: NewEntry): number =>
  payloads.reduce((total, { length }) => total + base64Length(length), ENTRY_BYTES);

const ENTRY_BYTES = 1024;
const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/** Parameters of `APPEND`. @param appends of one tenant, each of another session */
function appendParameters(appends: readonly Append[]): readonly Parameter[] {
  const receivers = receiversOf(appends);
  return [
    plainArray(appends.map(({ sessionId }) => sessionId)),
    plainArray(appends.map(({ position }) => String(position))),
    // JSON text contains no line feed, base64 neither that nor a comma or a hyphen, and it is more than `=`.
    appends.map(({ entry }) => entryToJson(entry)).join('\n'),
    appends.map(({ payloads }) => payloadsText(payloads)).join('\n'),
    plainArray(receivers.map(({ partyId }) => partyId)),
    bytesArray(receivers.map(({ identityPublicKey }) => identityPublicKey)),
    bytesArray(receivers.map(({ certificateSha256 }) => certificateSha256)),
  ];
}

/** The outcome of each append, from the rows of their statement. */
function appendedOf(appends: readonly Append[], rows: readonly Row[]): readonly Appended[] {
  const written = new Set(rows.map(({ columns: [sessionId] }) => sessionId));
  // Every row has the places of all receivers that have changed: numbers from 1, separated by commas; null for none.
  const [first] = rows;
  const places = first === undefined ? null : lastText(first);
  const receivers = places === null ? [] : receiversOf(appends);
  const changed = new Set(places?.split(',').flatMap((place) => receivers[Number(place) - 1] ?? []));
  return appends.map(({ sessionId }) => (written.has(sessionId) ? changed : null));
}

/** Each once: the sessions of a tenant have the same parties. */
const receiversOf = (appends: readonly Append[]): readonly PartyIdentity[] => [
  ...new Set(appends.flatMap(({ receivers }) => receivers)),
];

/** Never empty: PostgreSQL splits an empty text into no elements, not into an empty one. */
const payloadsText = (payloads: readonly Buffer[]): string =>
  payloads.length === 0 ? '-' : payloads.map((payload) => payload.toString('base64')).join(',') || '=';
