/**
 * The log of slow statements (`log-slow-statements`): their text and plan, never the values of their parameters. The plan
 * is a generic one, which PostgreSQL makes for unknown values. At most one statement a second is planned and reported.
 */
import { randomBytes } from 'node:crypto';
import type { BatchQuery, Caller } from '../../postgres/batch.js';
import type { Pool } from '../../postgres/pool.js';
import { PostgresError } from '../../postgres/postgres-error.js';
import { joinSql, quoteIdentifier, sql, type Sql } from '../../postgres/sql.js';
import { prepare } from '../../postgres/statement.js';
import type { DataApiRequestHead } from '../data-api-request.js';
import type { Snapshot } from '../snapshot.js';
import { contextQuery } from './transaction-context.js';
import type { Transaction } from './transaction.js';

/** Observes the execution of one statement. */
export interface StatementClock {
  /** The caller of the request, whose batches the clock observes. */
  readonly caller: Caller;
  /** Reports the statement if it was slow. */
  stop(): void;
}

/** Null while `log-slow-statements` is not set. */
export function startClock(
  request: DataApiRequestHead,
  transaction: Transaction,
  snapshot: Snapshot,
): StatementClock | null {
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
    stop() {
      const milliseconds = sentAt === null ? 0 : performance.now() - sentAt;
      if (sentAt !== null && milliseconds >= thresholdMs) note(request, transaction, snapshot, milliseconds);
    },
  };
}

const INTERVAL_MS = 1000;

function note(
  request: DataApiRequestHead,
  transaction: Transaction,
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
  void report(request, transaction, snapshot, milliseconds, leftOut);
}

const LONGEST_TEXT = 8192;

async function report(
  { method, path, identity, trace }: DataApiRequestHead,
  transaction: Transaction,
  { pool, slowLog }: Snapshot,
  milliseconds: number,
  leftOut: number,
): Promise<void> {
  const plan = await genericPlan(pool, transaction).catch((error: unknown) =>
    error instanceof PostgresError ? `no plan: ${error.fields.code}` : 'no plan',
  );
  slowLog.observe({
    kind: 'slow-statement',
    ...(trace === null ? {} : { traceId: trace.traceId }),
    method,
    path,
    role: identity.role,
    milliseconds: Math.round(milliseconds),
    statement: transaction.prepared.main.statement.text.slice(0, LONGEST_TEXT),
    plan: plan.slice(0, LONGEST_TEXT),
    leftOut,
  });
}

/** Plans the statement in the context of the request, without its values. */
async function genericPlan(pool: Pool, { prepared, context }: Transaction): Promise<string> {
  const { statement, parameters } = prepared.main;
  const name = quoteIdentifier(`dbr_slow_${randomBytes(8).toString('hex')}`);
  const values =
    parameters.length === 0
      ? sql``
      : sql`(${joinSql(
          parameters.map(() => sql`null`),
          ', ',
        )})`;
  const [explained] = await pool.run({
    queries: [
      contextQuery({ ...context, readOnly: true }),
      query(sql`set local plan_cache_mode = force_generic_plan`),
      query(sql`prepare ${name} as ${statement.text}`),
      query(sql`explain execute ${name}${values}`, true),
      query(sql`deallocate ${name}`),
    ],
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
