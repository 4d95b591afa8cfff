/**
 * The log of slow statements (`log-slow-statements`): their text and plan, never the values of their parameters. The plan
 * is a generic one, which PostgreSQL makes for unknown values. At most one request a second is planned and reported. The
 * statements of a batch are reported together: their results arrive in one trip.
 */
import { randomBytes } from 'node:crypto';
import type { BatchQuery } from '../../postgres/batch.js';
import type { Pool } from '../../postgres/pool.js';
import { PostgresError } from '../../postgres/postgres-error.js';
import { joinSql, quoteIdentifier, sql, type Sql } from '../../postgres/sql.js';
import { prepare } from '../../postgres/statement.js';
import type { Caller } from '../../contract/caller.js';
import type { RequestHead } from '../../contract/request.js';
import type { Snapshot } from '../snapshot.js';
import { contextQuery } from './transaction-context.js';
import type { Transaction } from './transaction.js';

/** Observes the execution of the statements of one request. */
export interface StatementClock {
  /** The caller of the request, whose batches the clock observes. */
  readonly caller: Caller;
  /** Reports the statements if they were slow. @param transactions those that were sent, one for each statement */
  stop(transactions: readonly Transaction[]): void;
}

/** Null while `log-slow-statements` is not set. */
export function startClock(request: RequestHead, snapshot: Snapshot): StatementClock | null {
  const thresholdMs = snapshot.settings['log-slow-statements'];
  if (thresholdMs === null) return null;
  const { client, signal, onSent } = request.caller;
  let sentAt: number | null = null;
  return {
    caller: {
      client,
      signal,
      onSent() {
        sentAt = performance.now();
        onSent?.();
      },
    },
    stop(transactions) {
      const milliseconds = sentAt === null ? 0 : performance.now() - sentAt;
      if (sentAt !== null && milliseconds >= thresholdMs) note(request, transactions, snapshot, milliseconds);
    },
  };
}

const INTERVAL_MS = 1000;

function note(
  request: RequestHead,
  transactions: readonly Transaction[],
  snapshot: Snapshot,
  milliseconds: number,
): void {
  const { slowLog } = snapshot;
  const now = performance.now();
  if (now - slowLog.reportedAt < INTERVAL_MS) {
    slowLog.leftOut += 1;
    return;
  }
  const { leftOut } = slowLog;
  slowLog.reportedAt = now;
  slowLog.leftOut = 0;
  void report(request, transactions, snapshot, milliseconds, leftOut);
}

const LONGEST_TEXT = 8192;
/** Most statements of a batch that are planned and reported. */
const MOST_STATEMENTS = 10;

const textOf = ({ prepared }: Transaction): string => prepared.main.statement.text;

async function report(
  { method, path, identity, trace }: RequestHead,
  transactions: readonly Transaction[],
  { pool, slowLog, settings }: Snapshot,
  milliseconds: number,
  leftOut: number,
): Promise<void> {
  const distinct = new Map(transactions.map((transaction) => [textOf(transaction), transaction]));
  const reported = [...distinct.values()].slice(0, MOST_STATEMENTS);
  const plans: string[] = [];
  for (const transaction of reported)
    plans.push(
      await genericPlan(pool, transaction, settings['db-prepared-statements']).catch((error: unknown) =>
        error instanceof PostgresError ? `no plan: ${error.fields.code}` : 'no plan',
      ),
    );
  slowLog.observe({
    kind: 'slow-statement',
    ...(trace === null ? {} : { traceId: trace.traceId }),
    method,
    path,
    role: identity.role,
    milliseconds: Math.round(milliseconds),
    statement: reported.map(textOf).join(';\n').slice(0, LONGEST_TEXT),
    plan: plans.join('\n\n').slice(0, LONGEST_TEXT),
    leftOut,
  });
}

/**
 * Plans the statement in the context of the request, without its values. PREPARE survives a rollback, so a plan that fails
 * would leave the statement to the connection: it is removed by a transaction of its own.
 * @param keepsConnection false if a pooler may run that transaction on another connection
 */
async function genericPlan(
  pool: Pool,
  { prepared, context }: Transaction,
  keepsConnection: boolean,
): Promise<string> {
  const { statement, parameters } = prepared.main;
  const name = quoteIdentifier(`dbr_slow_${randomBytes(8).toString('hex')}`);
  const values =
    parameters.length === 0
      ? sql``
      : sql`(${joinSql(
          parameters.map(() => sql`null`),
          ', ',
        )})`;
  const removal = query(sql`deallocate ${name}`);
  const [explained] = await pool.run({
    queries: [
      contextQuery({ ...context, readOnly: true }),
      query(sql`set local plan_cache_mode = force_generic_plan`),
      query(sql`prepare ${name} as ${statement.text}`),
      query(sql`explain execute ${name}${values}`, true),
      ...(keepsConnection ? [] : [removal]),
    ],
    ...(keepsConnection ? { followUp: removal } : {}),
    access: 'read',
    pace: 'quick',
  });
  return (explained?.rows ?? []).map(({ body }) => Buffer.concat(body ?? []).toString('utf8')).join('\n');
}

const query = (text: Sql, returnsRows = false): BatchQuery => ({
  statement: prepare(text),
  parameters: [],
  returnsRows,
  unnamed: true,
});
