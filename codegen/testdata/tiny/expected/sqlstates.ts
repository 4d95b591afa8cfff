// Generated from openapi/components/sqlstates.yaml by `make generate`. Not edited by hand.

interface Rule {
  /** Status for a caller with a verified token. */
  readonly authenticated: number;
  readonly anonymous: number;
  readonly meaning: string;
}

/** A rule by code, or by class as its first two characters. */
export const SQL_STATES: Readonly<Record<string, Rule>> = {
  '23505': { authenticated: 409, anonymous: 409, meaning: 'uniqueness violation' },
  '42501': { authenticated: 403, anonymous: 401, meaning: 'insufficient privileges' },
  '53': { authenticated: 503, anonymous: 503, meaning: 'insufficient resources' },
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
