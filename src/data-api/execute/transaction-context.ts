import { lruCache } from '../../base/lru-cache.js';
import type { BatchQuery, Parameter } from '../../postgres/batch.js';
import type { RequestHead } from '../../contract/request.js';
import type { RequestTrace } from '../../contract/timings.js';
import { traceparentOf } from '../../observability/trace-context.js';
import { prepare, type Statement, statementBytes } from '../../postgres/statement.js';
import { cookiesJson, headersJson } from '../request/headers.js';
import type { ApiRequestHead } from '../request/read-request.js';
import type { DataApiSettings, Snapshot } from '../snapshot.js';
import { contextSql } from '../sql/context.js';
import type { CallerContext, Setting } from '../prepare/caller-context.js';
import type { RunnablePlan } from '../plan/plan.js';

/** The settings at the beginning of a transaction (data API §1.15). */
export interface TransactionContext {
  readonly caller: CallerContext;
  readonly method: string;
  /** As on the request line. */
  readonly path: string;
  /** Names and values in turn, as received. They become JSON only if the context is sent. */
  readonly headers: readonly string[];
  /** The header Cookie. */
  readonly cookie: string | undefined;
  /** Time zone, settings of the function, `app.settings.*`. Null resets a setting. */
  readonly moreSettings: readonly (readonly [name: string, value: string | null])[];
  readonly readOnly: boolean;
}

const NO_SETTINGS: readonly Setting[] = [];

/** @param plan null for a transaction that only reads and calls no function but that of `db-pre-request` */
export function transactionContext(
  request: RequestHead,
  { schema, preferences }: Pick<ApiRequestHead, 'schema' | 'preferences'>,
  plan: RunnablePlan | null,
  access: 'read' | 'write',
  snapshot: Snapshot,
): TransactionContext {
  return {
    caller: snapshot.callers.of(request.identity, schema),
    method: request.method,
    path: request.path,
    headers: request.rawHeaders,
    cookie: request.headers.cookie,
    moreSettings: withTrace(
      moreSettings(preferences.timezone, plan, snapshot.settings['app.settings']),
      request.trace,
      snapshot.settings,
    ),
    readOnly: access === 'read',
  };
}

/** `application_name` names the trace, for the log of PostgreSQL (log_line_prefix `%a`). It has room for 63 bytes. */
function withTrace(
  more: readonly Setting[],
  trace: RequestTrace | null,
  settings: DataApiSettings,
): readonly Setting[] {
  if (trace?.isSampled !== true || settings['traces-database'] !== 'application_name') return more;
  return [...more, ['application_name', `dbr ${traceparentOf(trace, trace.spanId)}`]];
}

function moreSettings(
  timezone: string | null,
  plan: RunnablePlan | null,
  appSettings: ReadonlyMap<string, string>,
): readonly Setting[] {
  const ofFunction = plan?.kind === 'call' ? plan.settings : NO_SETTINGS;
  if (timezone === null && ofFunction.length === 0 && appSettings.size === 0) return NO_SETTINGS;
  const zone = timezone === null ? NO_SETTINGS : [['timezone', timezone] as const];
  return [...zone, ...ofFunction, ...appSettings];
}

/**
 * Returns the role after the context is set. Settings of a function (`db-hoisted-tx-settings`) may name another role.
 */
export const roleOf = ({ caller, moreSettings }: TransactionContext): string =>
  moreSettings.findLast(([name]) => name.toLowerCase() === 'role')?.[1] ?? caller.role;

/** Statements by the number of settings, which schema, roles and functions determine. */
const statements = lruCache<Statement>({ maxEntries: 256, maxBytes: 2_097_152, bytesOf: statementBytes });

/** Returns the query that sets the context. All roles share its statement, which calls built-in functions only. */
export function contextQuery(context: TransactionContext): BatchQuery {
  const { method, path, headers, cookie, caller, moreSettings } = context;
  const parameters: Parameter[] = [method, path, headersJson(headers), cookiesJson(cookie)];
  for (const [name, value] of moreSettings) parameters.push(name, value);
  return { statement: statementOf(context), encoded: caller.encoded, parameters, returnsRows: false };
}

function statementOf({ caller: { roleSettings }, moreSettings, readOnly }: TransactionContext): Statement {
  const key = `${roleSettings} ${moreSettings.length} ${readOnly}`;
  let statement = statements.get(key);
  if (statement === undefined) {
    statement = prepare(contextSql({ roleSettings, moreSettings: moreSettings.length, readOnly }));
    statements.set(key, statement);
  }
  return statement;
}
