/** Cases whose recorded answer is not given, each with the reason. A case that is answered as recorded after all fails. */
export const KNOWN_DIFFERENCES: ReadonlyMap<string, string> = new Map([
  ['types/write-bad', 'PostgreSQL 18 spells the setting DateStyle in its hint'],
  ['transaction-context/claims', 'claims are passed on in the order in which the token has them'],
  ['head/root', 'the description of the root is not there yet'],
  ['preferences/strict-root', 'the description of the root is not there yet'],
  ['schemas/openapi', 'the description of the root is not there yet'],
  ['transaction-context/pre-request-root', 'the description of the root is not there yet'],
]);

/** Areas that are not built yet. */
export const PENDING_AREAS: ReadonlySet<string> = new Set(['openapi']);
