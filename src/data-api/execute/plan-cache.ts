import type { Statement } from '../../postgres/statement.js';
import { DEFAULT_MAX_DEPTH } from '../grammar/parse.js';
import type { PlanContext } from '../plan/plan-context.js';
import { planRequest } from '../plan/plan-request.js';
import type { PlainPlan } from '../plan/plan.js';
import type { ApiRequest, Payload } from '../request/api-request.js';
import { readPayload } from '../request/payload.js';
import type { QueryPair } from '../request/query-string.js';
import {
  queryModeOf,
  rangeHeaderOf,
  readRequest,
  type RequestInput,
  type RequestOptions,
} from '../request/read-request.js';
import type { ReadQueryOptions } from '../request/read-query.js';
import { readAction, readResource } from '../request/resource.js';
import { readShape, type Shape } from '../request/shape.js';
import type { Bindings } from './bind.js';
import { lruCache, type LruCache } from './lru-cache.js';
import { preparePlan, type PreparedPlan } from './prepared-plan.js';

/** A request with its plan, ready to be bound and run. */
export interface PlannedRequest {
  /** The first request of this shape: all that it says beside its values holds for this one too. */
  readonly request: ApiRequest;
  readonly plan: PreparedPlan | PlainPlan;
  readonly bindings: Bindings;
  readonly pairs: readonly QueryPair[];
}

export interface PlanCache {
  /**
   * @param context what plans for the role are made by, asked for where one has to be made
   * @throws DbrError for a request that is refused without asking the database
   */
  plan(
    input: RequestInput,
    options: RequestOptions,
    role: string,
    context: () => PlanContext,
  ): PlannedRequest;
  /** Forgets all plans: the schema, or a setting that plans depend on, is another. */
  clear(): void;
  readonly statements: LruCache<Statement>;
}

/** Plans of one query shape: they differ by what is in the body. */
interface Entry {
  readonly request: ApiRequest;
  readonly plans: LruCache<PreparedPlan | PlainPlan>;
}

const MOST_SHAPES = 2000;
const MOST_BODIES = 50;
const MOST_STATEMENTS = 4000;

/** Headers that decide, beside method, path and query, what is done and how it is answered. */
const DECISIVE = ['accept-profile', 'content-profile', 'prefer', 'accept', 'content-type'] as const;

/** Remembers plans by the shape of requests: for a shape seen before only its values are looked at. */
export function createPlanCache(): PlanCache {
  const modes = lruCache<ReadQueryOptions>(MOST_SHAPES);
  const entries = lruCache<Entry>(MOST_SHAPES);
  const statements = lruCache<Statement>(MOST_STATEMENTS);

  function modeOf(input: RequestInput, options: RequestOptions): ReadQueryOptions {
    const key = `${input.method} ${input.path}`;
    let mode = modes.get(key);
    if (mode === undefined) {
      const resource = readResource(input.path);
      mode = {
        ...queryModeOf(readAction(resource, input.method), resource),
        maxDepth: options.maxDepth ?? DEFAULT_MAX_DEPTH,
      };
      modes.set(key, mode);
    }
    return mode;
  }

  function shapeOf(input: RequestInput, options: RequestOptions): Shape | null {
    try {
      return readShape(input.query, rangeHeaderOf(input), modeOf(input, options));
    } catch {
      // Reading the request as a whole says what is wrong with it, in the order in which faults count.
      return null;
    }
  }

  function planned(
    request: ApiRequest,
    payload: Payload | null,
    plans: LruCache<PreparedPlan | PlainPlan>,
    context: () => PlanContext,
  ): PreparedPlan | PlainPlan {
    const signature = signatureOf(payload);
    let plan = plans.get(signature);
    if (plan === undefined) {
      const asked = context();
      const made = planRequest({ ...request, payload }, asked);
      const scope = `${asked.role}\0${request.schema}`;
      plan =
        made.kind === 'inspect' || made.kind === 'document' ? made : preparePlan(made, scope, statements);
      plans.set(signature, plan);
    }
    return plan;
  }

  return {
    statements,
    plan(input, options, role, context) {
      const shape = shapeOf(input, options);
      const key = shape === null ? null : keyOf(input, shape, role);
      const entry = key === null ? undefined : entries.get(key);
      if (entry === undefined || shape === null) {
        const request = readRequest(input, options);
        const plans = lruCache<PreparedPlan | PlainPlan>(MOST_BODIES);
        const plan = planned(request, request.payload, plans, context);
        // The body belongs to this request alone.
        if (key !== null) entries.set(key, { request: withoutBody(request), plans });
        const { values, payload } = request;
        return { request, plan, bindings: { values, payload }, pairs: shape?.pairs ?? [] };
      }
      const { request, plans } = entry;
      const payload = bodyOf(request, input);
      const plan = planned(request, payload, plans, context);
      return { request, plan, bindings: { values: shape.values, payload }, pairs: shape.pairs };
    },
    clear() {
      entries.clear();
      statements.clear();
      modes.clear();
    },
  };
}

function keyOf(input: RequestInput, shape: Shape, role: string): string {
  let key = `${input.method}\n${input.path}\n${role}\n${shape.text}`;
  for (const name of DECISIVE) key += `\n${String(input.headers[name] ?? '-')}`;
  return key;
}

const NO_BODY = Buffer.alloc(0);

function withoutBody(request: ApiRequest): ApiRequest {
  return request.payload === null ? request : { ...request, payload: { kind: 'whole', body: NO_BODY } };
}

function bodyOf(request: ApiRequest, input: RequestInput): Payload | null {
  if (request.payload === null) return null;
  return readPayload(request.action, request.contentType, request.query.columns, input.body);
}

/** What of a body decides the plan: its kind and its keys. */
function signatureOf(payload: Payload | null): string {
  switch (payload?.kind) {
    case undefined:
      return '';
    case 'whole':
      return 'whole';
    case 'form':
      return `form ${JSON.stringify(payload.keys)}`;
    case 'json':
      return `json ${payload.many} ${payload.uniform} ${payload.checked} ${JSON.stringify(payload.keys)}`;
  }
}
