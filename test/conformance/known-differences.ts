/** Cases whose recorded answer is not given, each with the reason. A case that is answered as recorded after all fails. */
export interface KnownDifference {
  readonly id: string;
  readonly reason: string;
  /** `server_version_num` from which on the answer differs. */
  readonly since: number;
  /** Whether a service in the place of PostgREST answers as recorded. */
  readonly isOfOwnNames?: true;
  /** The parts of the answer that may differ; all of it where none is named. */
  readonly parts?: readonly string[];
}

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    id: 'types/write-bad',
    reason: 'PostgreSQL 18 spells the setting DateStyle in its hint, where 15 says datestyle',
    since: 180_000,
  },
  {
    id: 'errors-raised/pt-odd',
    reason: 'the contract reserves PT and three digits; PTABC is any other code, hence 400',
    since: 0,
  },
  ...[
    'options-cors/simple',
    'options-cors/origin-null',
    'options-cors/allowed',
    'second-look/cors/errors',
  ].map((id) => ({
    id,
    reason:
      'the reference does not let scripts read ETag, Accept-Query, Link, Preference-Applied, Retry-After, WWW-Authenticate',
    since: 0,
    parts: ['header access-control-expose-headers'],
  })),
  {
    id: 'options-cors/allowed-preflight',
    reason:
      'the reference answers the preflight of an origin that is not allowed with Access-Control-Allow-Origin: *',
    since: 0,
    parts: ['header access-control-allow-origin'],
  },
  {
    id: 'errors-raised/full-content-type',
    reason:
      'the contract has full control replace the Content-Type of the service, which the reference sends as well',
    since: 0,
    parts: ['header content-type'],
  },
  {
    id: 'second-look/no-row/head',
    reason:
      'HEAD of one composite that is filtered away has the Content-Range of GET, 0-0/* (RFC 9110 §9.3.2); the reference has */0, as if a count had been asked for',
    since: 0,
  },
  ...[
    'errors-service/110',
    'limited-mutation/update-not-unique',
    'limited-mutation/update-not-unique-fits',
    'second-look/faults/affected',
  ].map((id) => ({
    id,
    reason:
      'the contract has DBR109 for an order that is not unique (decision 17): with a known unique key, the order has all columns of one; the reference takes any order, and the result decides',
    since: 0,
  })),
  ...['embedding/inner-mutation', 'interactions/patch-embed-inner-count'].map((id) => ({
    id,
    reason:
      'an inner embed of a PATCH or DELETE is refused (decision 20); the reference ignores its filter, changes all rows and shows some',
    since: 0,
    isOfOwnNames: true as const,
  })),
  {
    id: 'hostile-input/long-names',
    reason:
      'an alias of more than 63 bytes is refused: PostgreSQL cuts it, so that two aliases could become one member',
    since: 0,
  },
];

/** Cases whose reads have another answer as QUERY, because the answer depends on how the request was sent. */
export const QUERY_DIFFERENCES: readonly Pick<KnownDifference, 'id' | 'reason'>[] = [
  { id: 'filters/long-value', reason: 'Content-Location does not repeat a long query of a body' },
  { id: 'transaction-context/headers', reason: 'the function lists the headers of the request' },
];

/**
 * Cases whose bodies have texts that PostgreSQL writes by the settings of `operator-settings.ts`: times, intervals, bytes, quoted
 * names and messages with them, and XML. Their statuses and headers are those that are recorded.
 */
export const OPERATOR_DIFFERENCES: ReadonlySet<string> = new Set([
  'aggregates/bad-type',
  'aggregates/json',
  'bulk-insert-csv-form/missing-default-not-null',
  'bulk-insert-csv-form/one-fails',
  'custom-media/any-type',
  'custom-media/function-unacceptable',
  'delete/no-key',
  'delete/select',
  'domain-representations/embed',
  'domain-representations/star',
  'embedding/json-in-embed',
  'errors-db/undefined',
  'errors-db/unique',
  'filters/cs-on-int',
  'filters/eq-enum-bad',
  'filters/like-on-int',
  'filters/xid-cast-error',
  'insert/bad-type',
  'insert/check',
  'insert/domain-check',
  'insert/duplicate',
  'insert/not-null',
  'insert/types',
  'interactions/spread-nested-embed',
  'interactions/timezone-csv-embed',
  'json-paths/filter-json-type',
  'media-types/csv-quoting',
  'preferences/timezone-unknown',
  'put/violation',
  'rpc-overloads/unnamed-xml',
  'rpc-results/scalar-others',
  'second-look/domain/select-cast-number',
  'second-look/select-empty/handler',
  'select/cast',
  'select/leading-comma',
  'select/system-column',
  'transaction-context/role-settings',
  'types/all',
  'types/casts',
  'types/csv',
  'types/filters-bad',
  'types/fts-types',
  'types/write-round-trip',
  'update/constraint',
  'update/view',
  'upsert/missing-key',
  'upsert/on-conflict-alone',
  'upsert/on-conflict-other',
]);
