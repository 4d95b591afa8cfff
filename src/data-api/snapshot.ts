import type { Settings } from '../settings/settings.js';
import type { Ending } from './execute/run-transaction.js';
import { searchPathText } from './execute/transaction-context.js';
import type { PlanContext, RootContext } from './plan/plan-context.js';
import type { Preferences } from './request/preferences.js';
import type { RequestOptions } from './request/read-request.js';
import type { SchemaCache } from './schema-cache/types.js';

/** The settings that the data API reads; they may change between requests. */
export type DataApiSettings = Pick<
  Settings,
  | 'app.settings'
  | 'db-aggregates-enabled'
  | 'db-extra-search-path'
  | 'db-max-conditions'
  | 'db-max-depth'
  | 'db-max-embeds'
  | 'db-max-fields'
  | 'db-max-keys'
  | 'db-max-rows'
  | 'db-plan-enabled'
  | 'db-pre-request'
  | 'db-root-spec'
  | 'db-schemas'
  | 'db-tx-end'
  | 'openapi-mode'
  | 'openapi-version'
  | 'openapi-security-active'
  | 'openapi-server-proxy-uri'
>;

/** What requests are read by. */
export function requestOptions(cache: SchemaCache, settings: DataApiSettings): RequestOptions {
  return {
    schemas: settings['db-schemas'],
    limits: {
      maxDepth: settings['db-max-depth'],
      maxEmbeds: settings['db-max-embeds'],
      maxConditions: settings['db-max-conditions'],
      maxFields: settings['db-max-fields'],
    },
    maxKeys: settings['db-max-keys'],
    allowTx: settings['db-tx-end'].endsWith('-allow-override'),
    isTimezone: (name) => cache.timezones.has(name),
  };
}

/** `search_path` by the schema of a request: that schema, then the extra search path. */
export function searchPathsOf(settings: DataApiSettings): ReadonlyMap<string, string> {
  const extra = settings['db-extra-search-path'];
  return new Map(settings['db-schemas'].map((schema) => [schema, searchPathText([schema, ...extra])]));
}

/** What requests of a role are planned by. */
export function planContext(cache: SchemaCache, settings: DataApiSettings, role: string): PlanContext {
  const maxRows = settings['db-max-rows'];
  return {
    cache,
    role,
    maxRows: maxRows === null ? null : BigInt(maxRows),
    aggregatesEnabled: settings['db-aggregates-enabled'],
    planEnabled: settings['db-plan-enabled'],
    extraSearchPath: settings['db-extra-search-path'],
    root: rootContext(settings),
  };
}

function rootContext(settings: DataApiSettings): RootContext {
  const name = settings['db-root-spec'];
  if (name !== null) return { kind: 'function', name };
  if (settings['openapi-mode'] === 'disabled') return { kind: 'disabled' };
  return { kind: 'document', version: settings['openapi-version'] };
}

/** How a transaction ends, unless it fails (data API §1.11, `tx`). */
export function endingOf({ tx }: Preferences, settings: DataApiSettings): Ending {
  if (tx !== null) return tx;
  return settings['db-tx-end'].startsWith('rollback') ? 'rollback' : 'commit';
}
