/** The plan cache: plans by the shape of requests. For a known shape, only the values of a request are read. */
import { lruCache, type LruCache } from '../base/lru-cache.js';
import type { CacheCounts } from '../observability/scraped-metrics.js';
import { type LastRun, type Statement, statementBytes } from '../postgres/batch.js';
import { type PreparedPlan, statementsOf } from './prepare/prepared-plan.js';
import type { PlainPlan } from './plan/plan.js';
import type { ApiRequest, Payload } from './request/api-request.js';
import { type ShapedRequest, treeBytes } from './request/shaped-request.js';

/** A plan that is ready to run, and what its last run has shown. */
export interface ReadyPlan {
  readonly plan: PreparedPlan | PlainPlan;
  readonly lastRun: LastRun;
  /** The line of the shape, while shapes are recorded; null otherwise. */
  readonly recorded: string | null;
}

/** A request with its plan. */
export interface PlannedRequest {
  readonly shaped: ShapedRequest;
  readonly ready: ReadyPlan;
  /** Whether the plan is in the cache. Connections keep the statements of cached plans prepared. */
  readonly cached: boolean;
  /** Set if the outcome of the run decides whether the plan is cached; else null. */
  readonly firstRun: FirstRun | null;
}

/** A plan during its first run. Other requests of its shape use the same plan meanwhile. */
interface FirstRun {
  readonly key: string;
  readonly signature: string;
  readonly request: ApiRequest;
  readonly ready: ReadyPlan;
}

export interface PlanCache {
  /** Returns the shared part of requests with this key; undefined before one of them has succeeded. */
  find(key: string): ApiRequest | undefined;
  /** Returns the request with its known plan; undefined if a plan has to be made. */
  plan(shaped: ShapedRequest): PlannedRequest | undefined;
  /** Returns the request with a new plan. The plan is cached when `endFirstRun` reports its success. */
  add(shaped: ShapedRequest, ready: ReadyPlan): PlannedRequest;
  /** Ends the first run of a plan. A plan that succeeded is cached; one that failed is dropped. */
  endFirstRun(firstRun: FirstRun, succeeded: boolean): void;
  readonly statements: LruCache<Statement>;
  /** Since the cache was made. */
  readonly counts: CacheCounts;
}

/** The shared part of requests of one query shape. */
interface Entry {
  /** Identifies the shape in the keys of its plans by body. */
  readonly id: number;
  readonly request: ApiRequest;
  /** Plan of requests without a body; null if the plan depends on a body. */
  readonly ready: ReadyPlan | null;
}

const MEGABYTE = 1_048_576;

/** Longer statements, in characters, are planned each time: they are rare, and each would evict many others. */
const LONGEST_STATEMENT = 8192;

/**
 * Creates the cache of one snapshot: a request that began before a reload plans with the former schema, and must not
 * leave such a plan to later requests. A plan is cached after its first success, so that failing requests evict nothing.
 */
export function createPlanCache(): PlanCache {
  let hits = 0;
  let misses = 0;
  const entries = lruCache({ maxEntries: 4000, maxBytes: 12 * MEGABYTE, bytesOf: entryBytes });
  const plansByBody = lruCache({ maxEntries: 4000, maxBytes: 4 * MEGABYTE, bytesOf: planBytes });
  const firstRuns = lruCache({ maxEntries: 1000, maxBytes: 2 * MEGABYTE, bytesOf: firstRunBytes });
  const statements = lruCache({ maxEntries: 4000, maxBytes: 4 * MEGABYTE, bytesOf: statementBytes });
  let lastId = 0;

  function cached({ key, payload }: ShapedRequest): ReadyPlan | undefined {
    const entry = key === null ? undefined : entries.get(key);
    if (entry === undefined) return undefined;
    return entry.ready ?? plansByBody.get(bodyKey(entry, signatureOf(payload)));
  }

  function keep({ key, signature, request, ready }: FirstRun): void {
    let entry = entries.get(key);
    if (entry === undefined) {
      entry = { id: ++lastId, request, ready: request.payload === null ? ready : null };
      entries.set(key, entry);
    }
    if (entry.ready === null) plansByBody.set(bodyKey(entry, signature), ready);
    if (ready.plan.kind !== 'statements') return;
    for (const { key: name, statement } of statementsOf(ready.plan)) statements.set(name, statement);
  }

  return {
    statements,
    get counts() {
      const bytes = entries.bytes + plansByBody.bytes + firstRuns.bytes + statements.bytes;
      return { hits, misses, bytes };
    },
    find: (key) => entries.get(key)?.request,
    plan(shaped) {
      const ready = cached(shaped);
      if (ready !== undefined) {
        hits += 1;
        return { shaped, ready, cached: true, firstRun: null };
      }
      misses += 1;
      if (shaped.key === null) return undefined;
      const firstRun = firstRuns.get(firstRunKey(shaped.key, signatureOf(shaped.payload)));
      return firstRun === undefined ? undefined : { shaped, ready: firstRun.ready, cached: false, firstRun };
    },
    add(shaped, ready) {
      const { key, request } = shaped;
      if (key === null || isLong(ready)) return { shaped, ready, cached: false, firstRun: null };
      const signature = signatureOf(shaped.payload);
      const firstRun = { key, signature, request, ready };
      firstRuns.set(firstRunKey(key, signature), firstRun);
      return { shaped, ready, cached: false, firstRun };
    },
    endFirstRun(firstRun, succeeded) {
      firstRuns.delete(firstRunKey(firstRun.key, firstRun.signature));
      if (succeeded) keep(firstRun);
    },
  };
}

const bodyKey = ({ id }: Entry, signature: string): string => `${String(id)} ${signature}`;

const firstRunKey = (key: string, signature: string): string => `${key}\n${signature}`;

/** Returns the properties of a body on which the plan depends: its kind and its keys. */
function signatureOf(payload: Payload | null): string {
  switch (payload?.kind) {
    case undefined:
      return '';
    case 'whole':
      return 'whole';
    case 'form':
      return `form ${JSON.stringify(payload.keys)}`;
    case 'json':
      return `json ${payload.many} ${payload.uniform} ${payload.checked} ${keysText(payload)}`;
  }
}

const keysText = ({ keys, graph }: Extract<Payload, { kind: 'json' }>): string =>
  JSON.stringify(graph ?? keys);

const isLong = ({ plan }: ReadyPlan): boolean =>
  plan.kind === 'statements' &&
  statementsOf(plan).some(({ statement }) => statement.text.length > LONGEST_STATEMENT);

/** Estimated bytes of a plan's tree for each byte of its statements' text. */
const TREE_PER_TEXT = 4;
const PLAIN_PLAN_BYTES = 1000;

/** Bytes that a plan keeps in memory: its statements, and a tree that grows with them. */
function planBytes({ plan, recorded }: ReadyPlan): number {
  let bytes = PLAIN_PLAN_BYTES + 2 * (recorded?.length ?? 0);
  if (plan.kind !== 'statements') return bytes;
  for (const { statement } of statementsOf(plan))
    bytes += statementBytes(statement) + TREE_PER_TEXT * statement.text.length;
  return bytes;
}

const firstRunBytes = ({ request, ready }: FirstRun): number => treeBytes(request) + planBytes(ready);

const entryBytes = ({ request, ready }: Entry): number =>
  treeBytes(request) + (ready === null ? 0 : planBytes(ready));
