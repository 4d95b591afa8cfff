import { dbrError } from '../errors/dbr-error.js';
import { lruCache } from '../lru-cache.js';
import type { Pool } from '../postgres/pool.js';
import { BatchAborted, PostgresError } from '../postgres/postgres-error.js';
import { admit } from './execute/check-privileges.js';
import { answer, type Snapshot } from './pipeline.js';
import type { DataApiRequest, DataApiRequestHead } from './data-api-request.js';
import { requestOptions, searchPathsOf, type DataApiSettings } from './snapshot.js';
import { createPlanCache } from './plan-cache.js';
import { errorReply } from './respond/error-reply.js';
import type { Reply } from './respond/reply.js';
import type { SchemaCache } from './schema-cache/types.js';

export type { DataApiIdentity, DataApiRequest, DataApiRequestHead } from './data-api-request.js';
export type DataApiReply = Reply;

export interface DataApi {
  /** Answers every request, refusals included. @throws faults of our own alone */
  readonly handle: (request: DataApiRequest) => Promise<DataApiReply>;
  /**
   * Settles what does not depend on the body, before a long one is received.
   * @throws faults of our own alone
   */
  readonly admit: (request: DataApiRequestHead) => Promise<Admission>;
}

/** Whether the body of a request is received, or what is answered without it. */
export type Admission =
  | { readonly kind: 'receive' }
  | { readonly kind: 'ignore' }
  | { readonly kind: 'refuse'; readonly reply: DataApiReply };

export interface DataApiDependencies {
  readonly pool: Pool;
  /** Null until the first one is loaded. */
  readonly cache: () => SchemaCache | null;
  readonly settings: () => DataApiSettings;
  /** What Retry-After says when the database is away. */
  readonly retryAfterSeconds: () => number;
  /** Loads the schema cache again; false where that failed or was done a moment ago. */
  readonly refreshSchema: () => Promise<boolean>;
}

/** The data API: a request in, a reply out, PostgreSQL in between. */
export function openDataApi(dependencies: DataApiDependencies): DataApi {
  const now = currentState(dependencies);

  function replyToError(error: unknown, { identity }: DataApiRequestHead): DataApiReply {
    if (error instanceof BatchAborted) return CLIENT_GONE;
    const reply = errorReply(error, {
      authenticated: identity.authenticated,
      retryAfterSeconds: dependencies.retryAfterSeconds(),
    });
    if (reply === null) throw error;
    return reply;
  }

  return {
    async handle(request) {
      try {
        return await answerTwice(request, now, dependencies.refreshSchema);
      } catch (error) {
        return replyToError(error, request);
      }
    },
    async admit(request) {
      try {
        return { kind: (await admit(request, now())) ? 'receive' : 'ignore' };
      } catch (error) {
        return { kind: 'refuse', reply: replyToError(error, request) };
      }
    },
  };
}

/**
 * A read whose statement names an operator or a function that is not there (42883) was planned with types that have
 * changed since the schema was loaded: it is planned again with those of now.
 */
async function answerTwice(
  request: DataApiRequest,
  now: () => Snapshot,
  refreshSchema: () => Promise<boolean>,
): Promise<Reply> {
  try {
    return await answer(request, now());
  } catch (error) {
    const isMisfit = error instanceof PostgresError && error.fields.code === UNDEFINED_FUNCTION;
    if (!isMisfit || !READS.has(request.method) || !(await refreshSchema())) throw error;
    return answer(request, now());
  }
}

const UNDEFINED_FUNCTION = '42883';
const READS = new Set(['GET', 'HEAD']);

/** Status for a client that closed its connection (nginx's 499). */
const CLIENT_GONE: Reply = { status: 499, headers: [], body: null };

/** Bounds of the descriptions of schemas; that of a large one takes megabytes. */
const MAX_DOCUMENTS = 64;
const MAX_DOCUMENT_BYTES = 67_108_864;

/** Plans and descriptions hold for one schema cache under one set of settings; a new one of either starts anew. */
function currentState({ pool, ...dependencies }: DataApiDependencies): () => Snapshot {
  const plans = createPlanCache();
  let known: Snapshot | null = null;
  return () => {
    const cache = dependencies.cache();
    if (cache === null) throw dbrError('SchemaCacheNotLoaded');
    const settings = dependencies.settings();
    if (known === null || known.cache !== cache || known.settings !== settings) {
      plans.clear();
      known = {
        cache,
        settings,
        plans,
        pool,
        options: requestOptions(cache, settings),
        searchPaths: searchPathsOf(settings),
        documents: lruCache({
          maxEntries: MAX_DOCUMENTS,
          maxBytes: MAX_DOCUMENT_BYTES,
          bytesOf: ({ length }) => length,
        }),
        roles: { changesRole: false },
      };
    }
    return known;
  };
}
