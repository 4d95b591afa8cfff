import { lruCache } from '../../lru-cache.js';
import type { BatchQuery } from '../../postgres/batch.js';
import { prepare, type Statement, statementBytes } from '../../postgres/statement.js';
import type { DataApiRequestHead } from '../data-api-request.js';
import { cookiesJson, headersJson } from '../request/headers.js';
import type { RequestHead } from '../request/read-request.js';
import type { Snapshot } from '../snapshot.js';
import { contextSql } from '../sql/context.js';
import type { RunnablePlan } from './prepared-plan.js';

type Setting = readonly [name: string, value: string];

/** The settings that a transaction begins with (data API §1.15). */
export interface TransactionContext {
  /** The schema of the request, then the extra search path. */
  readonly searchPath: string;
  readonly roleSettings: readonly Setting[];
  readonly role: string;
  /** JSON text. */
  readonly claims: string;
  readonly method: string;
  /** As on the request line. */
  readonly path: string;
  /** JSON text. */
  readonly headers: string;
  /** JSON text. */
  readonly cookies: string;
  /** Time zone, settings of the function, `app.settings.*`. */
  readonly moreSettings: readonly Setting[];
  readonly readOnly: boolean;
}

const NO_SETTINGS: readonly Setting[] = [];

/** @param plan null for a transaction that only reads and calls no function but that of `db-pre-request` */
export function transactionContext(
  request: DataApiRequestHead,
  { schema, preferences }: Pick<RequestHead, 'schema' | 'preferences'>,
  plan: RunnablePlan | null,
  access: 'read' | 'write',
  { cache, settings, searchPaths }: Snapshot,
): TransactionContext {
  const { identity } = request;
  return {
    searchPath: searchPaths.get(schema) ?? '',
    roleSettings: cache.roleSettings.get(identity.role)?.settings ?? NO_SETTINGS,
    role: identity.role,
    claims: identity.claims,
    method: request.method,
    path: request.path,
    headers: headersJson(request.rawHeaders),
    cookies: cookiesJson(request.headers.cookie),
    moreSettings: moreSettings(preferences.timezone, plan, settings['app.settings']),
    readOnly: access === 'read',
  };
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

/** The role that the context leaves: settings of a function (`db-hoisted-tx-settings`) may name another. */
export const roleOf = ({ role, moreSettings }: TransactionContext): string =>
  moreSettings.findLast(([name]) => name.toLowerCase() === 'role')?.[1] ?? role;

/** By the number of settings, which schema, roles and functions decide. */
const statements = lruCache<Statement>({ maxEntries: 256, maxBytes: 2_097_152, bytesOf: statementBytes });

/** The query that sets the context. Its statement is shared by all roles: it calls built-in functions alone. */
export function contextQuery(context: TransactionContext): BatchQuery {
  const { roleSettings, moreSettings, readOnly } = context;
  const key = `${roleSettings.length} ${moreSettings.length} ${readOnly}`;
  let statement = statements.get(key);
  if (statement === undefined) {
    statement = prepare(
      contextSql({ roleSettings: roleSettings.length, moreSettings: moreSettings.length, readOnly }),
    );
    statements.set(key, statement);
  }
  const parameters = [context.searchPath];
  for (const [name, value] of roleSettings) parameters.push(name, value);
  parameters.push(context.role, context.claims, context.method, context.path);
  parameters.push(context.headers, context.cookies);
  for (const [name, value] of moreSettings) parameters.push(name, value);
  return { statement, parameters, returnsRows: false };
}
