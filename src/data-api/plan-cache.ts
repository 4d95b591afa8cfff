import { lruCache, type LruCache } from '../lru-cache.js';
import { statementBytes, type Statement } from '../postgres/statement.js';
import { DEFAULT_LIMITS } from './grammar/limits.js';
import type { PlanContext } from './plan/plan-context.js';
import { planRequest } from './plan/plan-request.js';
import type { PlainPlan } from './plan/plan.js';
import type { ApiRequest, Payload } from './request/api-request.js';
import type { QueryPair } from './request/query-string.js';
import {
  payloadOf,
  queryModeOf,
  rangeHeaderOf,
  readRequest,
  type RequestInput,
  type RequestOptions,
} from './request/read-request.js';
import type { ReadQueryOptions } from './request/read-query.js';
import { readAction, readResource } from './request/resource.js';
import { readShape, type Shape } from './request/shape.js';
import type { Bindings } from './execute/bind.js';
import { createPaces } from './execute/paces.js';
import { preparePlan, statementsOf, type PreparedPlan } from './execute/prepared-plan.js';
import { sharedPart, treeBytes } from './request/shared-request.js';

/** A request with its plan, ready to be bound and run. */
export interface PlannedRequest {
  /** The first request of this shape: all that it says beside its values and its body holds for this one too. */
  readonly request: ApiRequest;
  readonly plan: PreparedPlan | PlainPlan;
  readonly bindings: Bindings;
  readonly pairs: readonly QueryPair[];
  /** Whether the plan is kept: it has succeeded before, so its statements are worth a name on a connection. */
  readonly kept: boolean;
  /** To be called with the outcome of a plan that is not kept yet; null where nothing depends on it. */
  readonly settle: ((succeeded: boolean) => void) | null;
}

/** A request that has been read. */
export interface RequestToPlan {
  /** The first request of this shape, without values and body: everything else that it says holds for this one too. */
  readonly request: ApiRequest;
  readonly bindings: Bindings;
  readonly pairs: readonly QueryPair[];
  /** Stands for the shape, with the role; null where there is no shape, so that nothing can be kept. */
  readonly key: string | null;
  /** What is known of the shape; null before the first success. */
  readonly entry: Entry | null;
}

export interface PlanCache {
  /** @throws DbrError for a request that is refused without knowing the database */
  read(input: RequestInput, options: RequestOptions, role: string): RequestToPlan;
  /**
   * @param context what plans for the role are made by, asked for where one has to be made
   * @throws DbrError for a request that is refused without asking the database
   */
  plan(read: RequestToPlan, context: () => PlanContext): PlannedRequest;
  /** Forgets all plans: the schema, or a setting that plans depend on, is another. */
  clear(): void;
  readonly statements: LruCache<Statement>;
}

type AnyPlan = PreparedPlan | PlainPlan;

/** What requests of one query shape have in common. */
interface Entry {
  /** Stands for the shape in the keys of its plans by body. */
  readonly id: number;
  readonly request: ApiRequest;
  /** For requests without a body; null where a body has a say. */
  readonly plan: AnyPlan | null;
}

/** A plan that runs for the first time, so that requests of its shape which come meanwhile use the same one. */
interface Trial {
  readonly request: ApiRequest;
  readonly plan: AnyPlan;
}

const MEGABYTE = 1_048_576;

/** Longer statements, in characters, are planned each time: few clients send them, and each takes the place of many. */
const LONGEST_STATEMENT = 8192;

/** Headers that decide, beside method, path and query, what is done and how it is answered. */
const DECISIVE = ['accept-profile', 'content-profile', 'prefer', 'accept', 'content-type'] as const;

/**
 * Remembers plans by the shape of requests: for a shape seen before only its values are looked at. A plan is kept when
 * it has succeeded once, so that requests which fail push nothing out.
 */
export function createPlanCache(): PlanCache {
  const modes = lruCache<ReadQueryOptions>({ maxEntries: 2000, maxBytes: MEGABYTE, bytesOf: () => 100 });
  const entries = lruCache<Entry>({ maxEntries: 4000, maxBytes: 32 * MEGABYTE, bytesOf: entryBytes });
  const plansByBody = lruCache<AnyPlan>({ maxEntries: 4000, maxBytes: 16 * MEGABYTE, bytesOf: planBytes });
  const trials = lruCache<Trial>({ maxEntries: 1000, maxBytes: 8 * MEGABYTE, bytesOf: trialBytes });
  const statements = lruCache<Statement>({
    maxEntries: 8000,
    maxBytes: 32 * MEGABYTE,
    bytesOf: statementBytes,
  });
  const paces = createPaces();
  let generation = 0;
  let lastId = 0;

  function modeOf(input: RequestInput, options: RequestOptions): ReadQueryOptions {
    const key = `${input.method} ${input.path}`;
    let mode = modes.get(key);
    if (mode === undefined) {
      const resource = readResource(input.path);
      mode = {
        ...queryModeOf(readAction(resource, input.method), resource),
        limits: options.limits ?? DEFAULT_LIMITS,
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

  function makePlan(request: ApiRequest, payload: Payload | null, context: PlanContext): AnyPlan {
    const plan = planRequest({ ...request, payload }, context);
    if (plan.kind === 'inspect' || plan.kind === 'document') return plan;
    return preparePlan(plan, `${context.role}\0${request.schema}`, statements, paces);
  }

  function keep(key: string, signature: string, { request, plan }: Trial): void {
    let entry = entries.get(key);
    if (entry === undefined) {
      entry = { id: ++lastId, request, plan: request.payload === null ? plan : null };
      entries.set(key, entry);
    }
    if (entry.plan === null) plansByBody.set(bodyKey(entry, signature), plan);
    if ('kind' in plan) return;
    for (const { key: name, statement } of statementsOf(plan)) statements.set(name, statement);
  }

  function attempt(key: string, read: RequestToPlan, context: () => PlanContext): PlannedRequest {
    const { request, bindings, pairs } = read;
    const { payload } = bindings;
    const signature = signatureOf(payload);
    const trialKey = `${key}\n${signature}`;
    const known = trials.get(trialKey);
    const trial = known ?? { request, plan: makePlan(request, payload, context()) };
    const planned = { ...trial, bindings, pairs, kept: false };
    if (isLong(trial.plan)) return { ...planned, settle: null };
    if (known === undefined) trials.set(trialKey, trial);
    const begun = generation;
    const settle = (succeeded: boolean): void => {
      if (generation !== begun) return;
      trials.delete(trialKey);
      if (succeeded) keep(key, signature, trial);
    };
    return { ...planned, settle };
  }

  return {
    statements,
    read(input, options, role) {
      const shape = shapeOf(input, options);
      if (shape === null) {
        const request = readRequest(input, options);
        const { values, payload } = request;
        return { request, bindings: { values, payload }, pairs: [], key: null, entry: null };
      }
      const { values, pairs } = shape;
      const key = keyOf(input, shape, role);
      const entry = entries.get(key);
      if (entry === undefined) {
        const request = readRequest(input, options);
        const bindings = { values, payload: request.payload };
        return { request: sharedPart(request), bindings, pairs, key, entry: null };
      }
      const { request } = entry;
      return { request, bindings: { values, payload: bodyOf(request, input, options) }, pairs, key, entry };
    },
    plan(read, context) {
      const { request, bindings, pairs, key, entry } = read;
      const { payload } = bindings;
      if (key === null) {
        const plan = makePlan(request, payload, context());
        return { request, plan, bindings, pairs, kept: false, settle: null };
      }
      const plan =
        entry === null ? undefined : (entry.plan ?? plansByBody.get(bodyKey(entry, signatureOf(payload))));
      if (plan === undefined) return attempt(key, read, context);
      return { request, plan, bindings, pairs, kept: true, settle: null };
    },
    clear() {
      generation++;
      for (const cache of [entries, plansByBody, trials, statements, modes]) cache.clear();
    },
  };
}

function keyOf(input: RequestInput, shape: Shape, role: string): string {
  let key = `${input.method}\n${input.path}\n${role}\n${shape.text}`;
  for (const name of DECISIVE) key += `\n${String(input.headers[name] ?? '-')}`;
  return key;
}

const bodyKey = ({ id }: Entry, signature: string): string => `${String(id)} ${signature}`;

const bodyOf = (request: ApiRequest, input: RequestInput, options: RequestOptions): Payload | null =>
  request.payload === null ? null : payloadOf(request, input, options);

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

const isLong = (plan: AnyPlan): boolean =>
  !('kind' in plan) && statementsOf(plan).some(({ statement }) => statement.text.length > LONGEST_STATEMENT);

/** Of a plan's tree for each byte of its statements' text. */
const TREE_PER_TEXT = 4;
const PLAIN_PLAN_BYTES = 1000;

/** Bytes that a plan keeps in memory: its statements, and a tree that grows with them. */
function planBytes(plan: AnyPlan): number {
  if ('kind' in plan) return PLAIN_PLAN_BYTES;
  let bytes = PLAIN_PLAN_BYTES;
  for (const { statement } of statementsOf(plan))
    bytes += statementBytes(statement) + TREE_PER_TEXT * statement.text.length;
  return bytes;
}

const trialBytes = ({ request, plan }: Trial): number => treeBytes(request) + planBytes(plan);

const entryBytes = ({ request, plan }: Entry): number =>
  treeBytes(request) + (plan === null ? 0 : planBytes(plan));
