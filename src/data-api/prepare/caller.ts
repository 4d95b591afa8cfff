import {
  command,
  type EncodedParameters,
  type BatchQuery,
  failedQuery,
  prepare,
  type Statement,
} from '../../postgres/batch.js';
import { encodeParameters } from '../../postgres/frontend.js';
import type { Identity } from '../../contract/request.js';
import type { LruCache } from '../../base/lru-cache.js';
import { PostgresError } from '../../postgres/postgres-error.js';
import { quoteDotted, sql } from '../../postgres/sql.js';

export type Setting = readonly [name: string, value: string];

/**
 * The part of a transaction context that all requests of one token and one schema share: search path, role with its
 * settings, claims.
 */
export interface CallerContext {
  readonly role: string;
  /** Number of settings of the role. */
  readonly roleSettings: number;
  readonly encoded: EncodedParameters;
}

export interface CallerContexts {
  /** Returns the context of an identity. It is encoded once for each schema while the token is cached. */
  of(identity: Identity, schema: string): CallerContext;
}

/**
 * @param searchPaths by schema
 * @param settingsOf settings of a role. They are set before the role, which may not be allowed to set them
 */
export function createCallerContexts(
  searchPaths: ReadonlyMap<string, string>,
  settingsOf: (role: string) => readonly Setting[],
): CallerContexts {
  const contexts = new WeakMap<Identity, Map<string, CallerContext>>();
  return {
    of(identity, schema) {
      let bySchema = contexts.get(identity);
      if (bySchema === undefined) contexts.set(identity, (bySchema = new Map<string, CallerContext>()));
      let context = bySchema.get(schema);
      if (context === undefined) {
        context = encodeContext(identity, searchPaths.get(schema) ?? '', settingsOf(identity.role));
        bySchema.set(schema, context);
      }
      return context;
    },
  };
}

function encodeContext(
  { role, claims }: Identity,
  searchPath: string,
  settings: readonly Setting[],
): CallerContext {
  return {
    role,
    roleSettings: settings.length,
    encoded: encodeParameters([searchPath, ...settings.flat(), role, claims]),
  };
}

/**
 * The function of `db-pre-request` for one request. It may set another role than the token names. A prepared
 * statement must not run then: its plan was made for the role of the token, and contains no check of the privilege to
 * call a function that PostgreSQL inlined.
 */
export interface PreRequest {
  /** The query that calls the function. */
  readonly call: BatchQuery;
  /** The role for which statements are prepared. */
  readonly role: string;
  readonly memory: RoleMemory;
}

/** The observed behaviour of the function, for all requests under one schema cache and one set of settings. */
export interface RoleMemory {
  /** True after the function has set another role than that of the request. No statement is kept prepared then. */
  changesRole: boolean;
}

/**
 * Returns the query that calls the function. Each role and schema has its own statement, as for every call of a
 * function.
 * @param name `db-pre-request`, with or without its schema
 */
export function preRequestQuery(
  name: string,
  role: string,
  schema: string,
  statements: LruCache<Statement>,
): BatchQuery {
  const key = `${role}\0${schema}\0pre-request`;
  let statement = statements.get(key);
  if (statement === undefined) {
    statement = prepare(sql`select ${quoteDotted(name)}()`);
    statements.set(key, statement);
  }
  return command(statement);
}

const CHECK = prepare(
  sql`select case when current_user <> $1 then ('the role is ' || current_user)::pg_catalog.int4 end`,
);

/**
 * Returns a query that fails (22P02) unless the current role is the expected one. It precedes the prepared statements
 * directly, so that they never run for another role.
 */
export const roleCheck = (role: string): BatchQuery => command(CHECK, [role]);

/** Whether the role check is the query of the batch that failed. */
export const isRoleRefusal = (error: unknown, queries: readonly BatchQuery[]): boolean =>
  error instanceof PostgresError &&
  error.fields.code === '22P02' &&
  failedQuery(error, queries)?.statement === CHECK;
