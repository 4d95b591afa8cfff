/** The transaction of one request as a value, and its queries. */
import {
  command,
  type BatchQuery,
  type LastRun,
  type Parameter,
  type QueryResult,
  prepare,
  type Statement,
  statementBytes,
} from '../../postgres/batch.js';
import type { Request, RequestHead } from '../../contract/request.js';
import type { RequestTrace } from '../../contract/timings.js';
import { traceparentOf } from '../../observability/trace-context.js';
import type { Preferences } from '../request/preferences.js';
import type { ShapedRequest } from '../request/shaped-request.js';
import type { Isolation } from '../schema-cache/types.js';
import type { ReloadableSettings } from '../../settings/settings.js';
import type { Snapshot } from '../snapshot.js';
import { type CostCheck, needsGuard, requireCost } from '../ceilings/cost.js';
import {
  type PreRequest,
  preRequestQuery,
  roleCheck,
  type CallerContext,
  type Setting,
} from '../prepare/caller.js';
import { type PreparedPlan, type PreparedStatement } from '../prepare/prepared-plan.js';
import { costGuardSql, contextSql } from '../sql/context.js';
import { type Sql, sql, withTraceparent } from '../../postgres/sql.js';
import { RESPONSE_SETTINGS } from '../sql/read.js';
import { lruCache } from '../../base/lru-cache.js';
import { cookiesJson, headersJson } from '../request/headers.js';
import type { ApiRequestHead } from '../request/read-request.js';
import type { RunnablePlan } from '../plan/plan.js';
import type { Operand } from '../plan/expression.js';
import type { Payload, QueryValue } from '../request/api-request.js';

/** How a transaction ends, unless it fails. */
export type TransactionEnd = 'commit' | 'rollback';

export interface Transaction {
  readonly prepared: PreparedPlan;
  readonly lastRun: LastRun;
  readonly bindings: Bindings;
  /** Whether connections keep the plan's statements prepared. */
  readonly named: boolean;
  readonly context: TransactionContext;
  /** The function of `db-pre-request`; null when there is none. */
  readonly preRequest: PreRequest | null;
  readonly isolation: Isolation;
  readonly end: TransactionEnd;
  /** Put before the statements as a comment; null for none. */
  readonly traceparent: string | null;
}

/**
 * Returns the transaction of a plan for a request.
 * @param named whether connections keep its statements prepared
 * @throws DbrError CostTooHigh if the cost of the statement is known to exceed its ceiling
 */
export function prepareTransaction(
  request: Request,
  shaped: ShapedRequest,
  prepared: PreparedPlan,
  lastRun: LastRun,
  named: boolean,
  snapshot: Snapshot,
): Transaction {
  const { role } = request.identity;
  const { plan, access, cost } = prepared;
  if (cost !== null) requireCost(cost);
  const { schema, preferences } = shaped.request;
  const context = transactionContext(request, shaped.request, plan, access, snapshot);
  const preRequest = snapshot.settings['db-pre-request'];
  const ownIsolation = plan.kind === 'call' ? plan.isolation : null;
  return {
    prepared,
    lastRun,
    bindings: shaped,
    named,
    context,
    preRequest:
      preRequest === null
        ? null
        : {
            call: preRequestQuery(preRequest, role, schema, snapshot.plans.statements),
            role: roleOf(context),
            memory: snapshot.roles,
          },
    isolation: ownIsolation ?? snapshot.cache.roleSettings.get(role)?.isolation ?? 'read committed',
    end: endOf(preferences, snapshot.settings),
    traceparent: commentOf(request.trace, snapshot.settings),
  };
}

function commentOf(trace: RequestTrace | null, settings: ReloadableSettings): string | null {
  if (trace?.isSampled !== true || settings['traces-database'] !== 'comment') return null;
  return traceparentOf(trace, trace.spanId);
}

/** How a transaction ends (data API §1.11, `tx`). */
export function endOf(
  { tx }: Pick<Preferences, 'tx'>,
  settings: Pick<ReloadableSettings, 'db-tx-end'>,
): TransactionEnd {
  if (tx !== null) return tx;
  return settings['db-tx-end'].startsWith('rollback') ? 'rollback' : 'commit';
}

/** A query without parameters and rows. */
export const plainQuery = (text: Sql): BatchQuery => command(prepare(text));

/** Checks deferred constraints now. */
export const CHECK_CONSTRAINTS = plainQuery(sql`set constraints all immediate`);

export const BEGIN: Readonly<Record<Isolation, BatchQuery>> = {
  'read committed': plainQuery(sql`begin isolation level read committed`),
  'repeatable read': plainQuery(sql`begin isolation level repeatable read`),
  serializable: plainQuery(sql`begin isolation level serializable`),
};

export const END: Readonly<Record<TransactionEnd, BatchQuery>> = {
  commit: plainQuery(sql`commit`),
  rollback: plainQuery(sql`rollback`),
};

/**
 * All queries of a request, by what they do; null for what the request does not need. Without BEGIN, the statements up to the
 * Sync are one transaction, which commits.
 */
export interface RequestQueries {
  readonly begin: BatchQuery | null;
  readonly context: BatchQuery;
  /** Calls the function of `db-pre-request`. */
  readonly preRequest: BatchQuery | null;
  /** With an idempotency key: returns the role that this function has left, and claims the key or reads its answer. */
  readonly note: BatchQuery | null;
  readonly claim: readonly BatchQuery[];
  readonly roleCheck: BatchQuery | null;
  /** The statements that write a graph. */
  readonly steps: readonly BatchQuery[];
  /** Refuses the main statement while its cost is unknown. */
  readonly costGuard: BatchQuery | null;
  /** Returns the names of the first line of a stream. */
  readonly header: BatchQuery | null;
  readonly main: BatchQuery;
  /** Asks the planner for its estimate of the total. */
  readonly estimate: BatchQuery | null;
  /** Checks deferred constraints, for a transaction that does not reach COMMIT. */
  readonly constraints: BatchQuery | null;
  readonly end: BatchQuery | null;
}

const NO_QUERIES: readonly BatchQuery[] = [];

/** Returns the queries of a transaction of one trip. */
export function queriesOf(transaction: Transaction): RequestQueries {
  const { prepared, preRequest, isolation, end, named } = transaction;
  const { access, cost, steps, main, estimate, plan } = prepared;
  const explains = plan.output.explain !== null;
  const undoes = access === 'write' && end === 'rollback';
  const begins = isolation !== 'read committed' || undoes;
  return {
    begin: begins ? BEGIN[isolation] : null,
    context: contextQuery(transaction.context),
    preRequest: preRequest === null ? null : preRequest.call,
    note: null,
    claim: NO_QUERIES,
    roleCheck: preRequest !== null && named ? roleCheck(preRequest.role) : null,
    steps: explains ? NO_QUERIES : steps.map((step) => boundQuery(step, null, transaction)),
    costGuard: cost !== null && needsGuard(cost) ? costGuard(cost) : null,
    header: null,
    main: boundQuery(main, explains ? PLAN_ROWS : bodyRows(prepared), transaction),
    estimate: estimate === null ? null : boundQuery(estimate, PLAN_ROWS, transaction),
    constraints: undoes ? CHECK_CONSTRAINTS : null,
    end: begins ? END[end] : null,
  };
}

/** Returns the queries in the order in which they are sent. */
export const inOrder = (queries: RequestQueries): readonly BatchQuery[] => [
  ...opening(queries),
  ...returning(queries),
  ...closing(queries),
];

/** The queries before the statements that return something. */
export const opening = ({
  begin,
  context,
  preRequest,
  note,
  claim,
  roleCheck,
  steps,
  costGuard,
}: RequestQueries): readonly BatchQuery[] =>
  present(begin, context, preRequest, note, ...claim, roleCheck, ...steps, costGuard);

/** The portal of a main statement whose rows are fetched in portions lives until the next statement. */
const returning = ({ header, main, estimate }: RequestQueries): readonly BatchQuery[] =>
  main.portion === undefined ? present(main, estimate) : present(estimate, header, main);

export const closing = ({ constraints, end }: RequestQueries): readonly BatchQuery[] =>
  present(constraints, end);

const present = (...queries: readonly (BatchQuery | null)[]): readonly BatchQuery[] =>
  queries.filter((query) => query !== null);

/** The results of the queries of a request; null for a query that was not sent. */
export interface RequestResults {
  readonly note: QueryResult | null;
  /** The answer that is kept under the idempotency key. */
  readonly kept: QueryResult | null;
  readonly main: QueryResult | null;
  readonly estimate: QueryResult | null;
}

/** @param results the results of a batch, from the first one of the request on */
export function resultsOf(
  { note, claim, main, estimate }: RequestQueries,
  results: Iterator<QueryResult, undefined>,
): RequestResults {
  const take = (query: BatchQuery | null | undefined): QueryResult | null =>
    query?.returnsRows === true ? (results.next().value ?? null) : null;
  return {
    note: take(note),
    kept: take(claim.find(({ returnsRows }) => returnsRows)),
    main: take(main),
    estimate: take(estimate),
  };
}

/**
 * Returns the transaction with a bound on the time that PostgreSQL waits for its next message, beside the slowest rates of
 * clients, which the service watches.
 * @param milliseconds 0 for none
 */
export function boundedInIdleTime(transaction: Transaction, milliseconds: number): Transaction {
  const { context } = transaction;
  const setting = ['idle_in_transaction_session_timeout', String(milliseconds)] as const;
  return { ...transaction, context: { ...context, moreSettings: [...context.moreSettings, setting] } };
}

/** Returns the queries that begin a stream of rows, on a connection of its own. @param maxRows of the first portion */
export function streamQueriesOf(transaction: Transaction, maxRows: number): RequestQueries {
  const { prepared, isolation } = transaction;
  const queries = queriesOf({ ...transaction, named: false });
  const header = prepared.stream?.header ?? null;
  return {
    ...queries,
    begin: BEGIN[isolation],
    header:
      header === null ? null : inPortions(boundQuery(header, PLAN_ROWS, { ...transaction, named: false }), 1),
    main: inPortions(queries.main, maxRows),
    estimate: queries.estimate === null ? null : inPortions(queries.estimate, 1),
    constraints: null,
    end: null,
  };
}

const inPortions = (query: BatchQuery, maxRows: number): BatchQuery => ({
  ...query,
  portion: { maxRows, isFirst: true },
});

/** The state to which a refused piece of a streamed body returns. */
export const SAVEPOINT = plainQuery(sql`savepoint piece`);
export const RELEASE_SAVEPOINT = plainQuery(sql`release savepoint piece`);
export const ROLLBACK_TO_SAVEPOINT = plainQuery(sql`rollback to savepoint piece`);

/** Returns the queries of a streamed body, whose main statement inserts its first piece, on a connection of its own. */
export const uploadQueriesOf = (transaction: Transaction): RequestQueries => ({
  ...queriesOf(transaction),
  begin: BEGIN[transaction.isolation],
  roleCheck: null,
  end: END[transaction.end],
});

/** Returns the query that inserts some of the rows of a streamed body. @param rows a JSON array */
export function insertQueryOf(transaction: Transaction, rows: Buffer): BatchQuery {
  const { prepared, bindings } = transaction;
  const { payload } = bindings;
  if (payload?.kind !== 'json') throw new Error('a streamed body is rows');
  const bound = { ...transaction, bindings: { ...bindings, payload: { ...payload, body: rows } } };
  return boundQuery(prepared.main, { columns: prepared.columns.length, inBlocks: false }, bound);
}

/** The settings that functions have made for a response without rows. */
export const SETTINGS_OF_RESPONSE: BatchQuery = {
  statement: prepare(RESPONSE_SETTINGS),
  parameters: [],
  returnsRows: true,
  columns: 3,
};

const costGuard = ({ text, parameters, ceiling }: CostCheck): BatchQuery => ({
  ...plainQuery(costGuardSql(text, parameters, ceiling)),
  unnamed: true,
});

/** The form of the rows of a query. */
type RowForm = Required<Pick<BatchQuery, 'columns' | 'inBlocks'>>;

/** The body of a response is sent and its memory given back. */
const bodyRows = ({ columns }: PreparedPlan): RowForm => ({ columns: columns.length, inBlocks: true });

/** The lines of an execution plan are kept until the last one has arrived. */
const PLAN_ROWS: RowForm = { columns: 1, inBlocks: false };

/** Longer statements, in characters, are parsed each time: a backend keeps about 50 times the text of a named statement. */
const LONGEST_NAMED = 8192;

/** @param rows null for a statement that returns none */
function boundQuery(
  { statement: plain, parameters: operands }: PreparedStatement,
  rows: RowForm | null,
  { bindings, named, traceparent }: Transaction,
): BatchQuery {
  const statement = traceparent === null ? plain : prepare(withTraceparent(traceparent, plain.text));
  const parameters = bindParameters(operands, bindings);
  const unnamed = !named || traceparent !== null || statement.text.length > LONGEST_NAMED;
  return rows === null
    ? { statement, parameters, returnsRows: false, unnamed }
    : { statement, parameters, returnsRows: true, columns: rows.columns, inBlocks: rows.inBlocks, unnamed };
}

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
  settings: ReloadableSettings,
): readonly Setting[] {
  if (trace?.isSampled !== true || settings['traces-database'] !== 'application_name') return more;
  return [...more, ['application_name', `dbr ${traceparentOf(trace, trace.spanId)}`]];
}

/** Times in cursors have an offset: the abbreviations of other styles are those of several zones. */
const CURSOR_SETTINGS: readonly Setting[] = [['DateStyle', 'ISO']];

function moreSettings(
  timezone: string | null,
  plan: RunnablePlan | null,
  appSettings: ReadonlyMap<string, string>,
): readonly Setting[] {
  const ofFunction = plan?.kind === 'call' ? plan.settings : NO_SETTINGS;
  const cursor = plan?.kind === 'read' && plan.root.seek !== undefined ? CURSOR_SETTINGS : NO_SETTINGS;
  if (timezone === null && cursor.length + ofFunction.length + appSettings.size === 0) return NO_SETTINGS;
  const zone = timezone === null ? NO_SETTINGS : [['timezone', timezone] as const];
  return [...zone, ...cursor, ...ofFunction, ...appSettings];
}

/**
 * Returns the role after the context is set. Settings of a function (`db-hoisted-tx-settings`) may name another role.
 */
const roleOf = ({ caller, moreSettings }: TransactionContext): string =>
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

/** The values of one request to which the parameters of a statement are bound. */
type Bindings = Pick<ShapedRequest, 'values' | 'payload' | 'digests' | 'unmodifiedBefore'>;

/** Returns the values of a statement's parameters, in order. */
export function bindParameters(parameters: readonly Operand[], bindings: Bindings): readonly Parameter[] {
  return parameters.map((operand) => bindOperand(operand, bindings));
}

function bindOperand(operand: Operand, bindings: Bindings): Parameter {
  const { values, payload, digests } = bindings;
  switch (operand.kind) {
    case 'value': {
      const value = values[operand.index] ?? '';
      if (typeof value !== 'string') return arrayLiteral(value);
      return beforeNul(operand.encoding === 'pattern' ? patternOf(value) : value);
    }
    case 'values':
      return arrayLiteral(operand.indexes.map((index) => textOf(values[index])));
    case 'field':
      return bindField(operand, payload);
    case 'payload':
      return bindBody(operand.encoding, payload);
    case 'object':
      return objectText(operand.members.map(({ name, index }) => [name, textOf(values[index])]));
    case 'form object':
      return objectText(payload?.kind === 'form' ? payload.pairs : []);
    case 'digests':
      return arrayLiteral(digests);
    case 'unmodified before':
      return bindings.unmodifiedBefore;
    case 'constant':
      return operand.text;
  }
}

/** Returns a JSON object of texts. The last value of a repeated name is used. */
function objectText(pairs: readonly (readonly [name: string, value: string])[]): string {
  const members = [...new Map(pairs)].map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(beforeNul(value))}`,
  );
  return `{${members.join(',')}}`;
}

const textOf = (value: QueryValue | undefined): string => (typeof value === 'string' ? value : '');

function bindField({ name, many }: Extract<Operand, { kind: 'field' }>, payload: Payload | null): Parameter {
  const pairs = payload?.kind === 'form' ? payload.pairs : [];
  const given = pairs.filter(([key]) => key === name).map(([, value]) => value);
  return many ? arrayLiteral(given) : (given.at(-1) ?? null);
}

function bindBody(encoding: 'verbatim' | 'bytes', payload: Payload | null): Parameter {
  if (payload === null || payload.kind === 'form') return null;
  return encoding === 'bytes' ? `\\x${payload.body.toString('hex')}` : payload.body;
}

/**
 * Returns the text of a one-dimensional array (PostgreSQL manual, 8.15.2). Every element is quoted, so that none is
 * NULL.
 */
function arrayLiteral(elements: readonly string[]): string {
  // One test of the joined text is much faster than one of each element, of which there may be 100,000.
  if (elements.length > 0 && !ESCAPED.test(elements.join(','))) return `{"${elements.join('","')}"}`;
  // So is work on the joined text. No element contains the NUL that joins them.
  const joined = withBackslashes(elements.map(beforeNul).join('\0'));
  return elements.length === 0 ? '{}' : `{"${joined.replaceAll('\0', '","')}"}`;
}

/** Loops replace what a long text may contain millions of times: `replaceAll` takes 100 nanoseconds for each. */
function patternOf(text: string): string {
  if (text.length <= SHORT) return text.replaceAll('*', '%');
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    units[at] = code === ASTERISK ? PERCENT : code;
  }
  return Buffer.from(units.buffer).toString('utf16le');
}

function withBackslashes(text: string): string {
  if (text.length <= SHORT) return text.replaceAll(/["\\]/g, '\\$&');
  const units = new Uint16Array(2 * text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE || code === BACKSLASH) units[length++] = BACKSLASH;
    units[length++] = code;
  }
  return Buffer.from(units.buffer, 0, 2 * length).toString('utf16le');
}

const SHORT = 65_536;
const QUOTE = 34;
const PERCENT = 37;
const ASTERISK = 42;
const BACKSLASH = 92;

/** Characters that an element cannot contain unchanged. */
const ESCAPED = /["\\\0]/;

/** Cuts a text at a NUL, which text of PostgreSQL cannot contain. */
function beforeNul(text: string): string {
  const nul = text.indexOf('\0');
  return nul < 0 ? text : text.slice(0, nul);
}
