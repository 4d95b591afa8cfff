import type { EncodedParameters } from '../../postgres/batch.js';
import { encodeParameters } from '../../postgres/encode-batch.js';
import type { Identity } from '../../contract/request.js';

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
