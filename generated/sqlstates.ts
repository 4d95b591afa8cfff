// Generated from openapi/components/sqlstates.yaml by `make generate`. Not edited by hand.

interface Rule {
  /** Status for a caller with a verified token. */
  readonly authenticated: number;
  readonly anonymous: number;
  readonly meaning: string;
}

/** A rule by code, or by class as its first two characters. */
export const SQL_STATES: Readonly<Record<string, Rule>> = {
  '23503': { authenticated: 409, anonymous: 409, meaning: 'foreign key violation' },
  '23505': { authenticated: 409, anonymous: 409, meaning: 'uniqueness violation' },
  '25006': { authenticated: 405, anonymous: 405, meaning: 'read-only transaction' },
  '42501': { authenticated: 403, anonymous: 401, meaning: 'insufficient privileges' },
  '42883': { authenticated: 404, anonymous: 404, meaning: 'undefined function' },
  '53400': { authenticated: 500, anonymous: 500, meaning: 'configuration limit exceeded' },
  '08': { authenticated: 503, anonymous: 503, meaning: 'connection error' },
  '09': { authenticated: 500, anonymous: 500, meaning: 'triggered action exception' },
  '0L': { authenticated: 403, anonymous: 403, meaning: 'invalid grantor' },
  '0P': { authenticated: 403, anonymous: 403, meaning: 'invalid role specification' },
  '25': { authenticated: 500, anonymous: 500, meaning: 'invalid transaction state' },
  '28': { authenticated: 403, anonymous: 403, meaning: 'invalid authorization specification' },
  '2D': { authenticated: 500, anonymous: 500, meaning: 'invalid transaction termination' },
  '38': { authenticated: 500, anonymous: 500, meaning: 'external routine exception' },
  '39': { authenticated: 500, anonymous: 500, meaning: 'external routine invocation' },
  '3B': { authenticated: 500, anonymous: 500, meaning: 'savepoint exception' },
  '40': { authenticated: 500, anonymous: 500, meaning: 'transaction rollback' },
  '53': { authenticated: 503, anonymous: 503, meaning: 'insufficient resources' },
  '54': { authenticated: 500, anonymous: 500, meaning: 'too complex' },
  '55': { authenticated: 500, anonymous: 500, meaning: 'object not in prerequisite state' },
  '57': { authenticated: 500, anonymous: 500, meaning: 'operator intervention' },
  '58': { authenticated: 500, anonymous: 500, meaning: 'system error' },
  'F0': { authenticated: 500, anonymous: 500, meaning: 'configuration file error' },
  'HV': { authenticated: 500, anonymous: 500, meaning: 'foreign data wrapper error' },
  'P0001': { authenticated: 400, anonymous: 400, meaning: 'default for a raised exception' },
  'P0': { authenticated: 500, anonymous: 500, meaning: 'procedural language error' },
  'XX': { authenticated: 500, anonymous: 500, meaning: 'internal error' },
  '42P01': { authenticated: 404, anonymous: 404, meaning: 'undefined table' },
  '42P17': { authenticated: 500, anonymous: 500, meaning: 'infinite recursion' },
};

/**
 * The HTTP status of a database error by its five-character code: an exact code beats its class; any other is 400.
 * `PT<nnn>`, which names its own status, is not here.
 */
export function statusOfSqlState(code: string, authenticated: boolean): number {
  const rule = ownRule(code) ?? ownRule(code.slice(0, 2));
  if (rule === undefined) return 400;
  return authenticated ? rule.authenticated : rule.anonymous;
}

function ownRule(code: string): Rule | undefined {
  return Object.hasOwn(SQL_STATES, code) ? SQL_STATES[code] : undefined;
}
