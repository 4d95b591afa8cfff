import type { IncomingHttpHeaders } from 'node:http';
import { dbrError } from '../errors/dbr-error.js';
import type { Step } from '../postgres/batch.js';
import type { Ending, Lanes } from '../postgres/lanes.js';
import { BatchAborted } from '../postgres/postgres-error.js';
import { quoteIdentifier, quoteQualified } from '../postgres/quote.js';
import { prepare } from '../postgres/statement.js';
import type { Settings } from '../settings/settings.js';
import { createPlanCache, type PlanCache, type PlannedRequest } from './execute/plan-cache.js';
import type { PreparedPlan } from './execute/prepared-plan.js';
import { accessOf, runPlan } from './execute/run-plan.js';
import {
  cookiesJson,
  headersJson,
  searchPathText,
  type TransactionContext,
} from './execute/transaction-context.js';
import type { PlanContext } from './plan/plan-context.js';
import type { ApiRequest } from './request/api-request.js';
import type { RequestOptions } from './request/read-request.js';
import { errorReply } from './respond/error-reply.js';
import type { Reply } from './respond/reply.js';
import { inspectReply, respond } from './respond/respond.js';
import type { SchemaCache } from './schema-cache/types.js';

/** Who asks: the outcome of authentication (data API §1.15). */
export interface DataApiIdentity {
  readonly role: string;
  /** JSON text of the claims, with the resolved role. */
  readonly claims: string;
  /** False for the anonymous role: decides 401 or 403 for SQLSTATE 42501. */
  readonly authenticated: boolean;
}

export interface DataApiRequest {
  readonly method: string;
  /** As on the request line, undecoded, without the query. */
  readonly path: string;
  /** As on the request line, undecoded, without the question mark. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Names and values by turns, as received: what functions see of a header that came twice is its last line. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly identity: DataApiIdentity;
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
}

export type DataApiReply = Reply;

export interface DataApi {
  /** Answers every request, refusals included. @throws faults of our own alone */
  readonly handle: (request: DataApiRequest) => Promise<DataApiReply>;
}

/** The settings that the data API reads; they may change between requests. */
export type DataApiSettings = Pick<
  Settings,
  | 'app.settings'
  | 'db-aggregates-enabled'
  | 'db-extra-search-path'
  | 'db-max-depth'
  | 'db-max-rows'
  | 'db-plan-enabled'
  | 'db-pre-request'
  | 'db-schemas'
  | 'db-tx-end'
>;

export interface DataApiDependencies {
  readonly lanes: Lanes;
  /** Null until the first one is loaded. */
  readonly cache: () => SchemaCache | null;
  readonly settings: () => DataApiSettings;
  readonly retryAfterSeconds: () => number;
}

/** The data API: a request in, a reply out, PostgreSQL in between. */
export function openDataApi(dependencies: DataApiDependencies): DataApi {
  const plans = planCacheOfNow(dependencies);
  return {
    async handle(request) {
      try {
        return await answer(request, dependencies, plans());
      } catch (error) {
        if (error instanceof BatchAborted) return CLIENT_GONE;
        const reply = errorReply(error, {
          authenticated: request.identity.authenticated,
          retryAfterSeconds: dependencies.retryAfterSeconds(),
        });
        if (reply === null) throw error;
        return reply;
      }
    },
  };
}

/** Nobody is there to read it. */
const CLIENT_GONE: Reply = { status: 499, headers: [], body: null };

interface Now {
  readonly cache: SchemaCache;
  readonly settings: DataApiSettings;
  readonly plans: PlanCache;
}

/** Plans hold for one schema cache under one set of settings; a new one of either starts anew. */
function planCacheOfNow(dependencies: DataApiDependencies): () => Now {
  const plans = createPlanCache();
  let known: { readonly cache: SchemaCache; readonly settings: DataApiSettings } | null = null;
  return () => {
    const cache = dependencies.cache();
    if (cache === null) throw dbrError('SchemaCacheNotLoaded');
    const settings = dependencies.settings();
    if (known === null || known.cache !== cache || known.settings !== settings) {
      plans.clear();
      known = { cache, settings };
    }
    return { cache, settings, plans };
  };
}

async function answer(request: DataApiRequest, { lanes }: DataApiDependencies, now: Now): Promise<Reply> {
  const { cache, settings, plans } = now;
  const { role } = request.identity;
  const planned = plans.plan(request, requestOptions(cache, settings), planContext(cache, settings, role));
  if ('kind' in planned.plan) return inspectReply(planned.plan, isCrossOrigin(request.headers));
  const roleSettings = cache.roleSettings.get(role);
  const outcome = await runPlan(planned.plan, {
    lanes,
    bindings: planned.bindings,
    context: transactionContext(request, planned, planned.plan, now),
    preRequest: preRequestStep(planned.request, role, now),
    isolation: isolationOf(planned.plan) ?? roleSettings?.isolation ?? 'read committed',
    ending: endingOf(planned.request, settings),
    signal: request.signal,
  });
  return respond(planned.plan.plan, outcome, {
    request: planned.request,
    offset: offsetOf(planned),
    pairs: planned.pairs,
  });
}

function requestOptions(cache: SchemaCache, settings: DataApiSettings): RequestOptions {
  return {
    schemas: settings['db-schemas'],
    maxDepth: settings['db-max-depth'],
    allowTx: settings['db-tx-end'].endsWith('-allow-override'),
    isTimezone: (name) => cache.timezones.has(name),
  };
}

function planContext(cache: SchemaCache, settings: DataApiSettings, role: string): PlanContext {
  const maxRows = settings['db-max-rows'];
  return {
    cache,
    role,
    maxRows: maxRows === null ? null : BigInt(maxRows),
    aggregatesEnabled: settings['db-aggregates-enabled'],
    planEnabled: settings['db-plan-enabled'],
  };
}

const isCrossOrigin = (headers: IncomingHttpHeaders): boolean =>
  headers.origin !== undefined && headers['access-control-request-method'] === undefined;

const isolationOf = ({ plan }: PreparedPlan) => (plan.kind === 'call' ? plan.isolation : null);

/** How the transaction ends, unless it fails (data API §1.11, `tx`). */
function endingOf({ preferences }: ApiRequest, settings: DataApiSettings): Ending {
  if (preferences.tx !== null) return preferences.tx;
  return settings['db-tx-end'].startsWith('rollback') ? 'rollback' : 'commit';
}

function offsetOf({ request, bindings }: PlannedRequest): bigint {
  const { slot } = request.range.offset;
  const value = slot === null ? '0' : bindings.values[slot];
  return typeof value === 'string' ? BigInt(value) : 0n;
}

function transactionContext(
  request: DataApiRequest,
  planned: PlannedRequest,
  { plan }: PreparedPlan,
  { cache, settings }: Now,
): TransactionContext {
  const { identity, headers } = request;
  const { timezone } = planned.request.preferences;
  return {
    searchPath: searchPathText([planned.request.schema, ...settings['db-extra-search-path']]),
    roleSettings: cache.roleSettings.get(identity.role)?.settings ?? [],
    role: identity.role,
    claims: identity.claims,
    method: request.method,
    path: request.path,
    headers: headersJson(request.rawHeaders),
    cookies: cookiesJson(headers.cookie),
    moreSettings: [
      ...(timezone === null ? [] : [['timezone', timezone] as const]),
      ...(plan.kind === 'call' ? plan.settings : []),
      ...settings['app.settings'],
    ],
    readOnly: accessOf(plan) === 'read',
  };
}

/** Calls the function of `db-pre-request`; a statement of its own for each role, as for everything that calls functions. */
function preRequestStep({ schema }: ApiRequest, role: string, { settings, plans }: Now): Step | null {
  const name = settings['db-pre-request'];
  if (name === null) return null;
  const key = `${role}\0${schema}\0pre-request`;
  let statement = plans.statements.get(key);
  if (statement === undefined) {
    statement = prepare(`select ${functionName(name)}()`);
    plans.statements.set(key, statement);
  }
  return { statement, parameters: [], wanted: false };
}

function functionName(name: string): string {
  const dot = name.indexOf('.');
  return dot < 0 ? quoteIdentifier(name) : quoteQualified(name.slice(0, dot), name.slice(dot + 1));
}
