// Generated from openapi/components/errors.yaml by `make generate`. Not edited by hand.

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [member: string]: JsonValue };

/** Code of an error of this service. Errors of the database keep their five-character SQLSTATE. */
export type DbrErrorCode =
  | 'DBR000'
  | 'DBR001'
  | 'DBR002'
  | 'DBR003'
  | 'DBR100'
  | 'DBR101'
  | 'DBR102'
  | 'DBR103'
  | 'DBR105'
  | 'DBR106'
  | 'DBR107'
  | 'DBR108'
  | 'DBR109'
  | 'DBR110'
  | 'DBR111'
  | 'DBR112'
  | 'DBR114'
  | 'DBR115'
  | 'DBR116'
  | 'DBR117'
  | 'DBR118'
  | 'DBR119'
  | 'DBR120'
  | 'DBR121'
  | 'DBR122'
  | 'DBR123'
  | 'DBR124'
  | 'DBR125'
  | 'DBR130'
  | 'DBR131'
  | 'DBR132'
  | 'DBR133'
  | 'DBR140'
  | 'DBR142'
  | 'DBR143'
  | 'DBR144'
  | 'DBR145'
  | 'DBR146'
  | 'DBR147'
  | 'DBR150'
  | 'DBR151'
  | 'DBR160'
  | 'DBR161'
  | 'DBR162'
  | 'DBR163'
  | 'DBR164'
  | 'DBR165'
  | 'DBR166'
  | 'DBR167'
  | 'DBR168'
  | 'DBR170'
  | 'DBR171'
  | 'DBR172'
  | 'DBR173'
  | 'DBR174'
  | 'DBR179'
  | 'DBR180'
  | 'DBR181'
  | 'DBR182'
  | 'DBR183'
  | 'DBR184'
  | 'DBR185'
  | 'DBR186'
  | 'DBR187'
  | 'DBR190'
  | 'DBR191'
  | 'DBR192'
  | 'DBR193'
  | 'DBR194'
  | 'DBR200'
  | 'DBR201'
  | 'DBR202'
  | 'DBR203'
  | 'DBR204'
  | 'DBR205'
  | 'DBR300'
  | 'DBR301'
  | 'DBR302'
  | 'DBR303'
  | 'DBR304'
  | 'DBR310'
  | 'DBR400'
  | 'DBR401'
  | 'DBR402'
  | 'DBR403'
  | 'DBR404'
  | 'DBR406'
  | 'DBR407'
  | 'DBR408'
  | 'DBR409'
  | 'DBR410'
  | 'DBR411'
  | 'DBR412'
  | 'DBR413'
  | 'DBR420'
  | 'DBR421'
  | 'DBR422'
  | 'DBR423'
  | 'DBR424'
  | 'DBR425'
  | 'DBR426'
  | 'DBR427'
  | 'DBR428'
  | 'DBR429'
  | 'DBR430'
  | 'DBR431'
  | 'DBR432'
  | 'DBR433'
  | 'DBR434'
  | 'DBR435'
  | 'DBR436'
  | 'DBR500'
  | 'DBR501'
  | 'DBR502'
  | 'DBR503'
  | 'DBR504'
  | 'DBR505'
  | 'DBR506'
  | 'DBR507'
  | 'DBR508'
  | 'DBR509'
  | 'DBR510'
  | 'DBR511'
  | 'DBR512'
  | 'DBR513'
  | 'DBR514'
  | 'DBR515'
  | 'DBR516'
  | 'DBR517'
  | 'DBR518'
  | 'DBR519'
  | 'DBRX00'
  | 'DBR520'
  | 'DBR521'
  | 'DBR522'
  | 'DBR523'
  | 'DBR524'
  | 'DBR525'
  | 'DBR526'
  | 'DBR527'
  | 'DBR530'
  | 'DBR531'
  | 'DBR532'
  | 'DBR533'
  | 'DBR540'
  | 'DBR541';

/** Text with `{holes}`. A template that is one hole alone passes the given value through unchanged. */
export type Template = string | null;
export interface DbrErrorEntry {
  readonly code: DbrErrorCode;
  /** One status, or one for each variant of the message. */
  readonly status: number | Readonly<Record<string, number>>;
  /** One template, or several variants of which the code that raises the error names one. */
  readonly message: string | Readonly<Record<string, string>>;
  readonly details: Template | Readonly<Record<string, Template>>;
  readonly hint: Template | Readonly<Record<string, Template>>;
}

/** Every error of the service by name. */
export const DBR_ERRORS = {
  /** The service cannot connect to the database; the connection URI is wrong or the database is not running. */
  DatabaseConnectionError: {
    code: 'DBR000',
    status: 503,
    message: 'Database connection error. Retrying the connection.',
    details: '{details}',
    hint: null,
  },
  /** The connection to the database failed inside the client, for example because it was closed in the middle of a response. */
  DatabaseClientError: {
    code: 'DBR001',
    status: 503,
    message: 'Database client error. Retrying the connection.',
    details: '{details}',
    hint: null,
  },
  /** The service has not loaded the schema cache since its start. */
  SchemaCacheNotLoaded: {
    code: 'DBR002',
    status: 503,
    message: 'Could not query the database for the schema cache. Retrying.',
    details: null,
    hint: null,
  },
  /** No connection became available within `db-pool-acquisition-timeout`. */
  PoolAcquisitionTimeout: {
    code: 'DBR003',
    status: 504,
    message: 'Timed out acquiring connection from connection pool.',
    details: null,
    hint: null,
  },
  /** A query string parameter cannot be parsed; `message` states the position, `details` the expected input. */
  QueryParseError: {
    code: 'DBR100',
    status: 400,
    message: '{message}',
    details: '{details}',
    hint: null,
  },
  /** A function was called with a method other than GET, HEAD, POST or OPTIONS. */
  UnsupportedFunctionMethod: {
    code: 'DBR101',
    status: 405,
    message: 'Cannot use the {method} method on RPC',
    details: null,
    hint: null,
  },
  /** The request body is empty, malformed, or its rows have different keys. */
  InvalidPayload: {
    code: 'DBR102',
    status: 400,
    message: {
      emptyOrInvalidJson: 'Empty or invalid json',
      differentKeys: 'All object keys must match',
      differentFieldCounts: 'All lines must have same number of fields',
      csv: '{reason}',
    },
    details: null,
    hint: null,
  },
  /** The requested range is invalid, or begins after the last row. */
  RangeNotSatisfiable: {
    code: 'DBR103',
    status: 416,
    message: 'Requested range not satisfiable',
    details: {
      negativeLimit: 'Limit should be greater than or equal to zero.',
      lowerAboveUpper: 'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
      offsetBeyondTotal: 'An offset of {offset} was requested, but there are only {total} rows.',
    },
    hint: null,
  },
  /** The filters of a PUT are not exactly the columns of the primary key. */
  InvalidPut: {
    code: 'DBR105',
    status: 405,
    message: 'Filters must include all and only primary key columns with \'eq\' operators',
    details: null,
    hint: null,
  },
  /** The profile header names a schema that is not in `db-schemas`. With `compatibility-level = 16` the message names it, and the hint lists the schemas. */
  UnacceptableSchema: {
    code: 'DBR106',
    status: 406,
    message: {
      listed: 'The schema must be one of the following: {schemas}',
      named: 'Invalid schema: {schema}',
    },
    details: null,
    hint: '{hint}',
  },
  /** The resource cannot be rendered in any media type of the Accept header, or the media type, the charset or the coding of the body is not supported. */
  UnacceptableMediaType: {
    code: 'DBR107',
    status: { accept: 406, contentType: 415, contentEncoding: 415 },
    message: {
      accept: 'None of these media types are available: {mediaTypes}',
      contentType: 'Content-Type not acceptable: {mediaType}',
      contentEncoding: 'Content-Encoding not acceptable: {coding}',
    },
    details: null,
    hint: null,
  },
  /** A filter, order or range refers to a resource that `select` does not embed. */
  NotEmbedded: {
    code: 'DBR108',
    status: 400,
    message: '\'{relation}\' is not an embedded resource in this request',
    details: null,
    hint: 'Verify that \'{relation}\' is included in the \'select\' query parameter.',
  },
  /** An update or delete has a `limit` or an `offset`, but no `order` by all columns of a unique key of the relation, so its rows are undefined. */
  LimitWithoutOrder: {
    code: 'DBR109',
    status: 400,
    message: {
      missing: 'A \'limit\' was applied without an explicit \'order\'',
      notUnique: 'A \'limit\' was applied with an \'order\' without the columns of a unique key',
    },
    details: null,
    hint: 'Apply an \'order\' using unique column(s)',
  },
  /** An update or delete with a `limit` or an `offset` selects rows that the order does not distinguish from others, because these have the same values in its columns. No row was changed. */
  TooManyRowsChanged: {
    code: 'DBR110',
    status: 400,
    message: 'The maximum number of rows allowed to change was surpassed',
    details: {
      limit: 'Results contain {rows} rows changed but the maximum number allowed is {limit}',
      chosen: '{rows} rows have the values of the order, more than the limit and offset select',
    },
    hint: null,
  },
  /** A database function set `response.headers` to a value that is not a list of headers. */
  InvalidResponseHeaders: {
    code: 'DBR111',
    status: 500,
    message: 'response.headers guc must be a JSON array composed of objects with a single key and a string value',
    details: null,
    hint: null,
  },
  /** A database function set `response.status` to a value that is not an HTTP status. */
  InvalidResponseStatus: {
    code: 'DBR112',
    status: 500,
    message: 'response.status guc must be a valid status code',
    details: null,
    hint: null,
  },
  /** A PUT writes one row and accepts no range. */
  PutWithRange: {
    code: 'DBR114',
    status: 400,
    message: 'limit/offset querystring parameters are not allowed for PUT',
    details: null,
    hint: null,
  },
  /** The primary key in the body of a PUT differs from the one in its query string. No row was changed. */
  PutKeyMismatch: {
    code: 'DBR115',
    status: 400,
    message: 'Payload values do not match URL in primary key column(s)',
    details: null,
    hint: null,
  },
  /** The request accepts exactly one row, but the result has none or several. A write was rolled back. */
  NotSingular: {
    code: 'DBR116',
    status: 406,
    message: 'JSON object requested, multiple (or no) rows returned',
    details: 'The result contains {rows} rows',
    hint: null,
  },
  /** The data API does not support this method on this path. */
  UnsupportedMethod: {
    code: 'DBR117',
    status: 405,
    message: 'Unsupported HTTP method: {method}',
    details: null,
    hint: null,
  },
  /** Rows can be ordered by a related table only if each row has at most one related row. */
  RelatedOrderNotPossible: {
    code: 'DBR118',
    status: 400,
    message: 'A related order on \'{target}\' is not possible',
    details: '\'{origin}\' and \'{target}\' do not form a many-to-one or one-to-one relationship',
    hint: null,
  },
  /** A related table can be spread only if each row has at most one related row. */
  SpreadNotPossible: {
    code: 'DBR119',
    status: 400,
    message: 'A spread operation on \'{target}\' is not possible',
    details: '\'{origin}\' and \'{target}\' do not form a many-to-one or one-to-one relationship',
    hint: null,
  },
  /** A filter on an embedded resource uses an operator other than `is.null` or `not.is.null`. */
  UnacceptableEmbedFilter: {
    code: 'DBR120',
    status: 400,
    message: 'Bad operator on the \'{target}\' embedded resource',
    details: 'Only is null or not is null filters are allowed on embedded resources',
    hint: null,
  },
  /** A database function raised `DBR00` to define the response, but the message or the detail is not the expected JSON. */
  InvalidRaisedError: {
    code: 'DBR121',
    status: 500,
    message: 'Could not parse JSON in the "RAISE SQLSTATE \'{state}\'" error',
    details: {
      invalidMessage: 'Invalid JSON value for MESSAGE: \'{value}\'',
      invalidDetail: 'Invalid JSON value for DETAIL: \'{value}\'',
      missingDetail: 'DETAIL is missing in the RAISE statement',
    },
    hint: {
      message: 'MESSAGE must be a JSON object with obligatory keys: \'code\', \'message\' and optional keys: \'details\', \'hint\'.',
      detail: 'DETAIL must be a JSON object with obligatory keys: \'status\', \'headers\' and optional key: \'status_text\'.',
    },
  },
  /** The Prefer header has `handling=strict` and contains unknown preferences. */
  InvalidPreferences: {
    code: 'DBR122',
    status: 400,
    message: 'Invalid preferences given with handling=strict',
    details: 'Invalid preferences: {preferences}',
    hint: null,
  },
  /** Aggregates are disabled. */
  AggregatesNotAllowed: {
    code: 'DBR123',
    status: 400,
    message: 'Use of aggregate functions is not allowed',
    details: null,
    hint: null,
  },
  /** A write would have changed more rows than the preference `max-affected` allows. No row was changed. */
  MaxAffectedExceeded: {
    code: 'DBR124',
    status: 400,
    message: 'Query result exceeds max-affected preference constraint',
    details: 'The query affects {rows} rows',
    hint: null,
  },
  /** No resource has a path of this form. */
  InvalidPath: {
    code: 'DBR125',
    status: 404,
    message: 'Invalid path specified in request URL',
    details: null,
    hint: null,
  },
  /** The objects of a JSON body, the header of a CSV body or a form have more different keys than `db-max-keys` allows. */
  TooManyKeys: {
    code: 'DBR130',
    status: 400,
    message: 'The request body has too many keys',
    details: 'The limit is {limit} different keys.',
    hint: null,
  },
  /** The result of a read is larger than `db-max-result-bytes`. */
  ResultTooLarge: {
    code: 'DBR131',
    status: 400,
    message: 'The result is too large',
    details: 'The result has {length} bytes, the limit is {limit}.',
    hint: 'Ask for fewer rows or columns.',
  },
  /** The header `Dbr-Position` of a request is no position of the log, or it is repeated. It is read only where `db-replica-uri` is set. */
  InvalidPosition: {
    code: 'DBR132',
    status: 400,
    message: 'The header Dbr-Position cannot be read',
    details: null,
    hint: 'Send the value of the header Dbr-Position of a response, unchanged.',
  },
  /** With `Prefer` `handling=strict`, a list of related rows is not cut by `db-max-rows` but refused; otherwise the header `Dbr-Truncated` names it. A write is undone then. */
  ListTruncated: {
    code: 'DBR133',
    status: 400,
    message: 'The list {path} has more rows than db-max-rows allows',
    details: null,
    hint: null,
  },
  /** The body of a QUERY has no media type or is not a query. */
  InvalidQueryBody: {
    code: 'DBR140',
    status: 400,
    message: 'The body of QUERY cannot be read',
    details: '{details}',
    hint: 'A form, or a JSON object of strings and arrays of strings, contains the parameters of the query string.',
  },
  /** A PUT with `If-None-Match` `*` named a row that exists. Nothing was written. */
  RowExists: {
    code: 'DBR142',
    status: 412,
    message: 'The row exists',
    details: 'If-None-Match: * of PUT inserts a row and replaces none.',
    hint: null,
  },
  /** A write with `If-Match` names a view or a foreign table, whose rows cannot be compared and written in one statement. */
  ConditionNotPossible: {
    code: 'DBR143',
    status: 400,
    message: 'The rows of \'{relation}\' have no versions to compare with If-Match',
    details: 'Views and foreign tables cannot be written under this condition.',
    hint: 'Write the table below, or send If-Match with an asterisk.',
  },
  /** The parameter `after` of a read with `pagination=keyset` is malformed, or comes from a read with another order. */
  InvalidCursor: {
    code: 'DBR144',
    status: 400,
    message: 'The cursor is not one of this order',
    details: null,
    hint: 'Take the cursor from the Link header of a page of the same query, and keep its order.',
  },
  /** A read with `pagination=keyset` has no total order that a cursor could name, or a value of the order is too long for a cursor. */
  KeysetNotPossible: {
    code: 'DBR145',
    status: 400,
    message: 'The read has no pages by key',
    details: '{reason}',
    hint: null,
  },
  /** A `PATCH` or `DELETE` has an embed with `!inner`, whose filter would not limit the rows that change. */
  InnerWriteNotPossible: {
    code: 'DBR146',
    status: 400,
    message: '\'{embed}\' does not choose the rows of a write',
    details: 'With !inner, an embed chooses the rows of the response, while the write changes all rows that the filters match.',
    hint: 'Write a filter of \'{relation}\', such as {filter}, with the values that GET finds by this query',
  },
  /** The response would have objects with one name twice. */
  EmbedNameTwice: {
    code: 'DBR147',
    status: 400,
    message: 'Two embedded resources of \'{relation}\' have the name \'{name}\'',
    details: null,
    hint: 'Give one of them an alias: \'alias:{name}(…)\'',
  },
  /** The rows of a PATCH with `match=keys` cannot be identified. An object must have a value for each key column, and no other object may have the same values. */
  InvalidRowKeys: {
    code: 'DBR150',
    status: 400,
    message: {
      none: 'The rows have no key',
      object: 'The object with index {index} has no key of its own',
      limited: 'A limit cannot be combined with match=keys',
    },
    details: null,
    hint: null,
  },
  /** The Prefer header has `match=keys` and `handling=strict`, and some objects have a key that no row has, or that the filters or row security exclude. No row was changed. */
  RowsNotFound: {
    code: 'DBR151',
    status: 400,
    message: 'Some objects have no row',
    details: '{missing} of the objects match no row',
    hint: null,
  },
  /** The body of `application/vnd.dbr.batch+json` is not an array of items, has more of them than `db-max-batch` allows, or its paths and headers are too long together. */
  InvalidBatch: {
    code: 'DBR160',
    status: 400,
    message: 'The batch cannot be read',
    details: {
      json: 'The body is not a JSON array.',
      empty: 'The array has no items.',
      many: 'The limit is {limit} items.',
      references: 'The limit is {limit} references.',
      heads: 'The limit is {limit} bytes of paths and headers in all items together.',
    },
    hint: null,
  },
  /** An item of a batch is not a request that a batch may contain. `index` counts from 0. */
  InvalidBatchItem: {
    code: 'DBR161',
    status: 400,
    message: 'The item of the batch cannot be read',
    details: '{details}',
    hint: null,
  },
  /** An item of a batch refers to a value of an earlier answer that does not exist, or cannot stand where the reference does. */
  InvalidBatchReference: {
    code: 'DBR162',
    status: 400,
    message: 'The reference {reference} has no value',
    details: {
      form: 'A reference in a body is an object with the members "$from" and "path", which are strings.',
      pointer: 'The path is not a JSON pointer of at most 32 tokens.',
      unknown: 'No item has this id. Braces that are no reference are percent-encoded.',
      later: 'The item does not come before the one with the reference.',
      place: 'A reference in a path stands in the value of a filter or argument.',
      nothing: 'The answer is not JSON, or has no such value.',
      scalar: 'In a path, the value is a string, a number or a boolean.',
      long: 'The answer or the value is too long to be referred to.',
    },
    hint: null,
  },
  /** A request with this `Idempotency-Key` was answered before, and had another method, path, query, body or headers. Nothing was written. */
  IdempotencyKeyReused: {
    code: 'DBR163',
    status: 422,
    message: 'The idempotency key belongs to another request',
    details: null,
    hint: 'Send a new key with each new request.',
  },
  /** Another request with this `Idempotency-Key` has not ended. This one wrote nothing. */
  IdempotentRequestInProgress: {
    code: 'DBR164',
    status: 409,
    message: 'A request with this idempotency key is in progress',
    details: null,
    hint: 'Repeat the request later.',
  },
  /** The header `Idempotency-Key` is not a string of structured fields, or is too long. */
  InvalidIdempotencyKey: {
    code: 'DBR165',
    status: 400,
    message: 'The idempotency key cannot be read',
    details: null,
    hint: 'A key is a string of 1 to 255 characters of ASCII in quotes, such as a UUID.',
  },
  /** The setting `db-idempotency` is on, but the database lacks the table of the service, or the authenticator the role that writes it. Nothing was written. */
  IdempotencyUnavailable: {
    code: 'DBR166',
    status: 500,
    message: 'Answers of requests with an idempotency key cannot be kept',
    details: '{reason}',
    hint: 'Run dbr migrate on the database of the data API, and grant dbr_idempotency to the role of db-uri.',
  },
  /** The answer of a request with an `Idempotency-Key` is longer than what is kept for a repetition. Nothing was written. */
  AnswerNotKept: {
    code: 'DBR167',
    status: 400,
    message: 'The answer is too long to be kept for the idempotency key',
    details: 'The answer has {length} bytes, the limit is {limit}.',
    hint: 'Ask for less with return=minimal or select.',
  },
  /** The answers that are kept for `Idempotency-Key` have reached `db-idempotency-bytes`. Nothing was written. Repetitions of requests that were answered before are still answered. */
  IdempotencyQuotaFull: {
    code: 'DBR168',
    status: 429,
    message: 'No further answer can be kept for an idempotency key',
    details: 'The answers that are kept have reached the limit.',
    hint: 'Repeat the request later.',
  },
  /** An object within a graph has a key that is neither a column of its relation nor the name of a related resource. */
  GraphKeyNotFound: {
    code: 'DBR170',
    status: 400,
    message: 'Could not find a column or relationship \'{key}\' of \'{relation}\' in the schema cache',
    details: 'It is the key {path} of the body.',
    hint: null,
  },
  /** The body of a graph has another form than its relationships. A to-many resource is an array of objects; a to-one resource is an object or null. Without `columns`, all objects of one level have the same keys. */
  InvalidGraphBody: {
    code: 'DBR171',
    status: 400,
    message: {
      array: 'The value of {path} is not an array of objects',
      object: 'The value of {path} is not an object',
      keys: 'The object {path} has other keys than the objects before it',
      depth: 'The value of {path} is nested deeper than {limit} levels',
      embeds: 'The body has more than {limit} related resources',
      mediaType: 'The objects of a graph are read from JSON only',
      long: 'The key {path} is longer than 63 bytes',
      twice: 'The key {path} is named twice',
      again: 'The key {path} names the relationship of a key before it',
    },
    details: null,
    hint: null,
  },
  /** A relationship, a column or the relation itself does not allow that related rows are written together. */
  GraphNotPossible: {
    code: 'DBR172',
    status: 400,
    message: 'Could not write \'{relation}\' as part of a graph',
    details: {
      computed: 'The relationship {path} is computed by a function, so no key links its rows.',
      noKey: 'The relation has no primary key by which the response finds its rows.',
      method: 'Only POST writes related resources.',
    },
    hint: null,
  },
  /** The rows of a graph are linked by their keys, and a trigger or rule of the database stored another key than the given one, or no row. With `resolution=ignore-duplicates`, a row is also skipped if an existing row has the key that a default made, as when a sequence lags behind. Nothing was written. */
  GraphKeyChanged: {
    code: 'DBR173',
    status: 409,
    message: 'A trigger of \'{relation}\' changed the key of a row or skipped the row',
    details: 'It is the row of {path} of the body.',
    hint: null,
  },
  /** With `resolution=ignore-duplicates`, the related rows of an object belong to the row that exists already. The role cannot read that row, a column of `on_conflict` is null, or a trigger changed it. Nothing was written. */
  GraphRowNotFound: {
    code: 'DBR174',
    status: 409,
    message: 'Could not find the existing row of \'{relation}\'',
    details: 'It is the row of {path} of the body.',
    hint: null,
  },
  /** A column belongs to several foreign keys, such as that of a tenant, or refers to the parent as well as to a related object, and the objects have different keys for it. Or an object has a value for such a column that is not the key of the related row. Or it has a value for a generated column, or an identity that is always generated, that the row neither had nor gets. Or related rows refer to a column of the row that is null. Nothing was written. */
  GraphLinkNotPossible: {
    code: 'DBR179',
    status: 409,
    message: {
      unequal: 'The rows to which {path} refers have different keys in the same column',
      differs: 'A column of {path} has another value than the key of the row to which it refers',
      generated: 'A column of {path} that the database generates has another value than its row',
      keyless: 'The row of {path} has no key to which related rows could refer',
    },
    details: null,
    hint: null,
  },
  /** A read or write whose rows are streamed has a preference or media type that needs all rows at once. */
  NotStreamable: {
    code: 'DBR180',
    status: 400,
    message: 'The request cannot be streamed',
    details: {
      count: 'count=exact is known after the last row only; ask for count=planned, or count with HEAD.',
      pages: 'The links of keyset pagination are known after the last row only.',
      maxAffected: 'The rows are sent before max-affected could be checked.',
      representation: 'A streamed body is written in pieces, of which none is returned; ask for return=minimal or return=headers-only.',
      singular: 'A streamed body is no single object.',
      graph: 'A streamed body has rows of one relation.',
      batch: 'The answers of a batch are sent as a whole; ask for JSON or CSV.',
      once: 'A streamed body has no idempotency key; send the rows as JSON or CSV.',
    },
    hint: null,
  },
  /** A line of a streamed body is no JSON object, or no record of CSV, with the members of the first one. Nothing of the body was written. */
  InvalidLine: {
    code: 'DBR181',
    status: 400,
    message: 'Line {line} of the body cannot be read',
    details: '{reason}',
    hint: null,
  },
  /** A line of a streamed body exceeds `server-max-body-size`. Nothing of the body was written. */
  LineTooLong: {
    code: 'DBR182',
    status: 413,
    message: 'Line {line} of the body is longer than {limit} bytes',
    details: null,
    hint: null,
  },
  /** The request accepts `text/event-stream`, and the service has no log of changes. */
  LiveReadsOff: {
    code: 'DBR183',
    status: 501,
    message: 'Live reads are not possible here',
    details: {
      off: 'The setting db-live is off.',
      database: '{reason}',
    },
    hint: null,
  },
  /** The answer to the request cannot be kept true by asking again. */
  LiveNotPossible: {
    code: 'DBR184',
    status: 400,
    message: 'This request has no live answer',
    details: 'The function may have side effects.',
    hint: null,
  },
  /** `having` tests values of the select list of a read with aggregates, by their keys in the response. */
  HavingNotPossible: {
    code: 'DBR185',
    status: 400,
    message: 'The condition on groups cannot be applied',
    details: '{reason}',
    hint: null,
  },
  /** An aggregate with a filter is in the spread of a to-one relationship. */
  AggregateFilterNotPossible: {
    code: 'DBR186',
    status: 400,
    message: 'The aggregate \'{name}\' cannot have a filter',
    details: 'A spread of a to-one relationship passes its values to the rows of its parent.',
    hint: 'Embed the relation, or read it with a spread of its parent.',
  },
  /** `distinct` compares values of a type that PostgreSQL cannot compare, or is that of a write or of a spread. */
  DistinctNotPossible: {
    code: 'DBR187',
    status: 400,
    message: 'Distinct rows cannot be found',
    details: '{reason}',
    hint: null,
  },
  /** The estimate of the planner exceeds `db-max-cost`, `dbr.db_max_cost` of the role or the preference `max-cost`. The statement was not executed. */
  CostTooHigh: {
    code: 'DBR190',
    status: 400,
    message: 'The statement of the request is too costly',
    details: {
      named: 'PostgreSQL estimates a cost of {cost}; the ceiling is {ceiling}.',
      hidden: 'The ceiling is {ceiling}.',
    },
    hint: 'Filter by indexed columns, or ask for fewer rows and embeds.',
  },
  /** With `db-shapes = enforce`, only the shapes of the file `db-shapes-file` are served. The details are the line of the request. */
  ShapeNotAllowed: {
    code: 'DBR191',
    status: 403,
    message: 'The request is not on the list of allowed shapes',
    details: '{shape}',
    hint: null,
  },
  /** The setting `dbr.operators` of the role lists the operators of its filters, and this one is not among them. */
  OperatorNotAllowed: {
    code: 'DBR192',
    status: 403,
    message: 'The role may not filter with the operator \'{operator}\'',
    details: null,
    hint: null,
  },
  /** The setting `dbr.orders` of the role lists the columns by which it may order, and this one is not among them. */
  OrderNotAllowed: {
    code: 'DBR193',
    status: 403,
    message: 'The role may not order by \'{column}\'',
    details: null,
    hint: null,
  },
  /** With `db-estimates-under-policies = false`, roles that row security binds may not ask for `count=planned`, `count=estimated`, `max-cost` or an execution plan, because the estimates count rows that policies hide. */
  EstimateNotAllowed: {
    code: 'DBR194',
    status: 403,
    message: 'The role may not see estimates of the planner',
    details: null,
    hint: 'Ask for count=exact, or for no count.',
  },
  /** The tables are not related, or the schema cache does not contain the relationship yet. */
  RelationshipNotFound: {
    code: 'DBR200',
    status: 400,
    message: 'Could not find a relationship between \'{parent}\' and \'{child}\' in the schema cache',
    details: {
      plain: 'Searched for a foreign key relationship between \'{parent}\' and \'{child}\' in the schema \'{schema}\', but no matches were found.',
      withHint: 'Searched for a foreign key relationship between \'{parent}\' and \'{child}\' using the hint \'{disambiguation}\' in the schema \'{schema}\', but no matches were found.',
    },
    hint: '{hint}',
  },
  /** Several relationships connect the tables. */
  AmbiguousRelationship: {
    code: 'DBR201',
    status: 300,
    message: 'Could not embed because more than one relationship was found for \'{parent}\' and \'{child}\'',
    details: '{details}',
    hint: 'Try changing \'{child}\' to one of the following: {choices}. Find the desired relationship in the \'details\' key.',
  },
  /** No function has this name and these parameters, or the schema cache does not contain it yet. */
  FunctionNotFound: {
    code: 'DBR202',
    status: 404,
    message: 'Could not find the function {function} in the schema cache',
    details: 'Searched for the function {searched}, but no matches were found in the schema cache.',
    hint: '{hint}',
  },
  /** Several functions of this name accept these parameters. */
  AmbiguousFunction: {
    code: 'DBR203',
    status: 300,
    message: 'Could not choose the best candidate function between: {candidates}',
    details: null,
    hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
  },
  /** The body or the `columns` parameter names a column that the relation does not have. */
  ColumnNotFound: {
    code: 'DBR204',
    status: 400,
    message: 'Could not find the \'{column}\' column of \'{relation}\' in the schema cache',
    details: null,
    hint: null,
  },
  /** No table or view has this name, or the schema cache does not contain it yet. */
  TableNotFound: {
    code: 'DBR205',
    status: 404,
    message: 'Could not find the table \'{schema}.{table}\' in the schema cache',
    details: null,
    hint: '{hint}',
  },
  /** The request has a token, but the service has no key to verify it. */
  JwtSecretMissing: {
    code: 'DBR300',
    status: 500,
    message: 'Server lacks JWT secret',
    details: null,
    hint: null,
  },
  /** The token of the request is invalid. `message` states the reason. */
  JwtVerificationFailed: {
    code: 'DBR301',
    status: 401,
    message: '{reason}',
    details: '{details}',
    hint: null,
  },
  /** The request has no token, and `db-anon-role` is not set. */
  AnonymousAccessDisabled: {
    code: 'DBR302',
    status: 401,
    message: 'Anonymous access is disabled',
    details: null,
    hint: null,
  },
  /** A claim of the token is invalid, for example because the token has expired. `message` states the reason. With `compatibility-level = 12` this is DBR301. */
  JwtClaimsInvalid: {
    code: 'DBR303',
    status: 401,
    message: '{reason}',
    details: null,
    hint: null,
  },
  /** The API key is unknown, revoked or expired, or names a role that no key may name. The response does not state which. */
  ApiKeyInvalid: {
    code: 'DBR304',
    status: 401,
    message: 'Invalid API key',
    details: null,
    hint: null,
  },
  /** The service could not load the key set of the issuer since its start, or its last copy is older than `jwks-max-stale`. */
  IssuerKeysNotLoaded: {
    code: 'DBR310',
    status: 503,
    message: 'Could not load the keys of the token\'s issuer. Retrying.',
    details: null,
    hint: null,
  },
  /** The Authorization header is missing or does not begin with `Bearer `. */
  AuthMissing: {
    code: 'DBR400',
    status: 401,
    message: 'Missing authorization header',
    details: null,
    hint: null,
  },
  /** The token is invalid, or has no tenant or user. The response does not state the reason. */
  AuthInvalid: {
    code: 'DBR401',
    status: 401,
    message: 'Invalid JWT',
    details: null,
    hint: null,
  },
  /** The caller is authenticated but not authorized. `details` names the required scope. */
  Forbidden: {
    code: 'DBR402',
    status: 403,
    message: 'Not allowed',
    details: '{details}',
    hint: null,
  },
  /** A path, query or header parameter has an invalid value. `details` names the parameter. */
  InvalidParameter: {
    code: 'DBR403',
    status: 400,
    message: 'Invalid parameter',
    details: '\'{parameter}\' {problem}',
    hint: null,
  },
  /** The body is not JSON or does not match the schema of the operation. Unknown and read-only members are errors. */
  InvalidBody: {
    code: 'DBR404',
    status: 400,
    message: 'Invalid request body',
    details: '{details}',
    hint: null,
  },
  /** The path exists, but does not support this method. */
  MethodNotAllowed: {
    code: 'DBR406',
    status: 405,
    message: 'Method {method} is not allowed here',
    details: null,
    hint: null,
  },
  /** The Accept header excludes every media type that the operation returns. */
  NotAcceptable: {
    code: 'DBR407',
    status: 406,
    message: 'None of the accepted media types is available',
    details: '{details}',
    hint: null,
  },
  /** The body is larger than the limit. The service did not read it to the end. */
  PayloadTooLarge: {
    code: 'DBR408',
    status: 413,
    message: 'Request body too large',
    details: 'The limit is {limit} bytes.',
    hint: null,
  },
  /** The operation does not accept the media type of the body. */
  UnsupportedMediaType: {
    code: 'DBR409',
    status: 415,
    message: 'Content-Type not acceptable: {mediaType}',
    details: null,
    hint: null,
  },
  /** The If-Match header does not name the current version. */
  VersionMismatch: {
    code: 'DBR410',
    status: 412,
    message: 'The resource has changed',
    details: null,
    hint: 'Read it again and repeat the change with its new ETag.',
  },
  /** The caller exceeds the rate limit of this operation, or of its API key. */
  RateLimited: {
    code: 'DBR411',
    status: 429,
    message: 'Too many requests',
    details: null,
    hint: null,
  },
  /** The database is unavailable, the API keys could not be read, the service is stopping, or the primary of several workers, which counts the limits, does not respond. */
  ServiceUnavailable: {
    code: 'DBR412',
    status: 503,
    message: 'The service is not available at the moment',
    details: null,
    hint: null,
  },
  /** An internal fault of the service. The log contains it with the request id. */
  InternalError: {
    code: 'DBR413',
    status: 500,
    message: 'Internal error',
    details: null,
    hint: null,
  },
  /** The notification does not exist, or is not visible to the caller. */
  NotificationNotFound: {
    code: 'DBR420',
    status: 404,
    message: 'Notification not found',
    details: null,
    hint: null,
  },
  /** Notifications of this category reach every user. */
  CategoryCritical: {
    code: 'DBR421',
    status: 422,
    message: 'A critical category cannot be switched off',
    details: 'The category \'{category}\' is critical.',
    hint: null,
  },
  /** The user has reached the maximum number of open live streams. */
  TooManyStreams: {
    code: 'DBR422',
    status: 429,
    message: 'Too many streams',
    details: 'At most {limit} streams are open for a user at a time.',
    hint: null,
  },
  /** The tenant has no message with this identifier, or it was recalled, or the retention has deleted its notifications. */
  MessageNotFound: {
    code: 'DBR423',
    status: 404,
    message: 'Message not found',
    details: null,
    hint: null,
  },
  /** The user follows as many topics as a user may. */
  TooManyTopics: {
    code: 'DBR424',
    status: 422,
    message: 'Too many topics',
    details: 'A user follows at most {limit} topics.',
    hint: null,
  },
  /** The tenant has no webhook with this identifier. */
  WebhookNotFound: {
    code: 'DBR425',
    status: 404,
    message: 'Webhook not found',
    details: null,
    hint: null,
  },
  /** The tenant has as many webhooks as a tenant may, or the service as many as it may for all tenants. */
  TooManyWebhooks: {
    code: 'DBR426',
    status: 422,
    message: 'Too many webhooks',
    details: 'A tenant has at most {limit} webhooks.',
    hint: null,
  },
  /** The service has no key under which it can store secrets of webhooks. */
  WebhooksOff: {
    code: 'DBR427',
    status: 503,
    message: 'Webhooks are not configured',
    details: null,
    hint: 'Set `webhooks-key`.',
  },
  /** The notification would open more digests than may be open. It was collected for no user. */
  TooManyDigests: {
    code: 'DBR428',
    status: 422,
    message: 'Too many digests',
    details: 'At most {userLimit} digests of a user and {tenantLimit} of a tenant are open at a time.',
    hint: null,
  },
  /** The webhook has no message with this identifier, or the message was deleted. */
  WebhookMessageNotFound: {
    code: 'DBR429',
    status: 404,
    message: 'Message of the webhook not found',
    details: null,
    hint: null,
  },
  /** The received bytes are not an HTTP/1.1 request (RFC 9112). The service closes the connection. */
  MalformedRequest: {
    code: 'DBR430',
    status: 400,
    message: 'The request is not well-formed HTTP',
    details: null,
    hint: '{hint}',
  },
  /** The request line and the headers are longer than `server-max-header-size`, or have too many lines. The service closes the connection. */
  HeadersTooLarge: {
    code: 'DBR431',
    status: 431,
    message: 'Request headers too large',
    details: 'The limit is {bytes} bytes and {lines} lines.',
    hint: null,
  },
  /** The headers took longer than `server-header-timeout`, the request longer than `server-request-timeout`, or the body arrived more slowly than `server-min-upload-rate`. The service closes the connection. */
  RequestTimeout: {
    code: 'DBR432',
    status: 408,
    message: 'The request arrived too slowly',
    details: null,
    hint: null,
  },
  /** The request bodies in memory have reached `server-max-body-memory`. */
  BodyMemoryExhausted: {
    code: 'DBR433',
    status: 503,
    message: 'Too many request bodies at once',
    details: null,
    hint: null,
  },
  /** The open connections have reached `server-max-connections`, or those of the client's address `server-max-connections-per-address`; behind a proxy, its requests in progress count. The service closes the connection. */
  TooManyConnections: {
    code: 'DBR434',
    status: 503,
    message: 'Too many connections',
    details: null,
    hint: null,
  },
  /** The tenant has as many notifications with `sendAt` as it may. This one was not scheduled. */
  TooManyScheduled: {
    code: 'DBR435',
    status: 422,
    message: 'Too many scheduled notifications',
    details: 'At most {limit} notifications of a tenant, and {bytes} bytes of them, are scheduled at a time.',
    hint: null,
  },
  /** The tenant has no scheduled notification with this `cancelKey`, or all of them were sent or cancelled. */
  ScheduledNotFound: {
    code: 'DBR436',
    status: 404,
    message: 'Scheduled notification not found',
    details: null,
    hint: null,
  },
  /** The account does not exist, or is not visible to the caller. */
  AccountNotFound: {
    code: 'DBR500',
    status: 404,
    message: 'Account not found',
    details: null,
    hint: null,
  },
  /** The caller's tenant has no such party. */
  PartyNotFound: {
    code: 'DBR501',
    status: 404,
    message: 'Party not found',
    details: null,
    hint: null,
  },
  /** The session does not exist, or is not visible to the caller. */
  SessionNotFound: {
    code: 'DBR502',
    status: 404,
    message: 'Signing session not found',
    details: null,
    hint: null,
  },
  /** POST creates the configuration. The account already has one. */
  SigningConfigExists: {
    code: 'DBR503',
    status: 409,
    message: 'The account already has a signing configuration',
    details: null,
    hint: 'Use PUT to change it.',
  },
  /** PUT changes an existing configuration. The account has none. */
  SigningConfigNotSet: {
    code: 'DBR504',
    status: 404,
    message: 'The account has no signing configuration',
    details: null,
    hint: 'Use POST to set it.',
  },
  /** The listed parties cannot sign for the account. `errors` lists every problem. */
  SigningConfigInvalid: {
    code: 'DBR505',
    status: 422,
    message: 'Invalid signing configuration',
    details: null,
    hint: null,
  },
  /** A party of the configuration is suspended, revoked or without a share. No other party replaces it. */
  SigningPartyUnavailable: {
    code: 'DBR506',
    status: 409,
    message: 'A configured signing party is not available',
    details: '{details}',
    hint: null,
  },
  /** Fewer parties are active than the account's threshold. */
  NotEnoughActiveParties: {
    code: 'DBR507',
    status: 409,
    message: 'Not enough active parties',
    details: '{active} of {threshold} are active.',
    hint: null,
  },
  /** The account is pending, frozen or archived, or its tenant is frozen. */
  AccountNotActive: {
    code: 'DBR508',
    status: 409,
    message: 'The account is not active',
    details: null,
    hint: null,
  },
  /** The configuration names a delegate, so the session needs the user's share for it. */
  DelegateShareRequired: {
    code: 'DBR509',
    status: 422,
    message: 'A delegate user share is required',
    details: null,
    hint: null,
  },
  /** No delegate takes part in the session, or the share was already supplied. */
  DelegateShareUnexpected: {
    code: 'DBR510',
    status: 422,
    message: 'A delegate user share is not expected',
    details: null,
    hint: null,
  },
  /** The same encrypted share was already sent. An envelope is valid for one session only. */
  DelegateShareReused: {
    code: 'DBR511',
    status: 422,
    message: 'The delegate user share was used before',
    details: null,
    hint: null,
  },
  /** The share is encrypted to a key that the delegate does not have, or to a one-time key that was already used. */
  DelegateKeyUnknown: {
    code: 'DBR512',
    status: 422,
    message: 'The delegate\'s key is unknown or used up',
    details: null,
    hint: null,
  },
  /** The session id was already used for a different request. */
  SessionConflict: {
    code: 'DBR513',
    status: 409,
    message: 'The session exists with another request',
    details: null,
    hint: null,
  },
  /** The session is completed, failed, expired or cancelled. */
  SessionTerminal: {
    code: 'DBR514',
    status: 409,
    message: 'The session has ended',
    details: 'The session is {state}.',
    hint: null,
  },
  /** The identifier and the identity key of a party are unique in its tenant; a certificate is unique across all tenants. */
  PartyExists: {
    code: 'DBR515',
    status: 409,
    message: 'The party exists already',
    details: {
      party: 'The tenant has a party with this identifier.',
      certificate: 'Another party has this certificate.',
      identityKey: 'Another party of the tenant has this identity key.',
    },
    hint: 'Use PATCH to change it.',
  },
  /** The party is revoked. Revoked parties cannot be changed. */
  PartyRevoked: {
    code: 'DBR516',
    status: 409,
    message: 'The party is revoked',
    details: null,
    hint: null,
  },
  /** The shares are inconsistent with the parties or the threshold, or the state of the account does not allow the change; for a session, others can sign under the account's key, which is older than the check of such keys. `errors` lists every problem. */
  AccountInvalid: {
    code: 'DBR517',
    status: 422,
    message: 'Invalid account',
    details: null,
    hint: null,
  },
  /** The share is for another delegate or session, or has expired. `errors` lists every problem. */
  DelegateShareInvalid: {
    code: 'DBR518',
    status: 422,
    message: 'Invalid delegate user share',
    details: null,
    hint: null,
  },
  /** No active delegate holds a share of the account, or the delegate has registered no key. */
  DelegateKeyUnavailable: {
    code: 'DBR519',
    status: 409,
    message: 'The account has no delegate with a key',
    details: null,
    hint: null,
  },
  /** A response of the database violates the protocol. */
  DatabaseLibraryError: {
    code: 'DBRX00',
    status: 500,
    message: '{message}',
    details: null,
    hint: null,
  },
  /** A party is registered, or gets another certificate or identity key, with a key that is not accepted or without a signature by this key over tenant, party and identity key. */
  KeyProofInvalid: {
    code: 'DBR520',
    status: 422,
    message: 'A key of the party is not proven',
    details: null,
    hint: 'Sign the statements of the party with its identity key and with the key of its certificate.',
  },
  /** The signing protocol of the session requires another type of key. */
  ProtocolUnsuitable: {
    code: 'DBR521',
    status: 422,
    message: 'The protocol does not fit the key of the account',
    details: 'No {protocol} signature is made with a key of type {keyType}.',
    hint: 'Leave out `protocol`, or name one that fits the key.',
  },
  /** Approvals are added before the session starts. All its parties have joined. */
  SessionStarted: {
    code: 'DBR522',
    status: 409,
    message: 'The session has started',
    details: null,
    hint: null,
  },
  /** A signature is not by a key that is registered for the account, or not over exactly the content of the request; or the session has no request. `errors` lists every problem. */
  SigningRequestInvalid: {
    code: 'DBR523',
    status: 422,
    message: 'Invalid signed request',
    details: null,
    hint: null,
  },
  /** The account refuses sessions without a signed request. */
  SigningRequestRequired: {
    code: 'DBR524',
    status: 422,
    message: 'A signed request is required',
    details: null,
    hint: null,
  },
  /** The account does not allow sessions to name their parties, or the named parties are not among those that may sign, or fewer than the threshold. `errors` lists every problem. */
  SessionPartiesInvalid: {
    code: 'DBR525',
    status: 422,
    message: 'Invalid parties of a session',
    details: null,
    hint: null,
  },
  /** Another session has taken the place of the one that `replaces` names. */
  SessionReplaced: {
    code: 'DBR526',
    status: 409,
    message: 'The session was replaced',
    details: 'It was replaced by {sessionId}.',
    hint: null,
  },
  /** The derivation path has a hardened index (from 2147483648 on), which needs the private key; the account has a chain code, so that signatures by child keys are verified. */
  DerivationNotPossible: {
    code: 'DBR527',
    status: 422,
    message: 'The child key cannot be derived',
    details: null,
    hint: null,
  },
  /** A party had the key. It was replaced or revoked, and such a key is never registered again. */
  PartyKeyEnded: {
    code: 'DBR530',
    status: 409,
    message: 'The key is not accepted again',
    details: {
      certificate: 'The key of the certificate was replaced or revoked.',
      identityKey: 'The identity key was replaced or revoked.',
    },
    hint: 'Make a new key.',
  },
  /** The party has no such key, or the proposal was withdrawn, replaced or confirmed. */
  PartyKeyNotFound: {
    code: 'DBR531',
    status: 404,
    message: 'Key or proposal not found',
    details: null,
    hint: null,
  },
  /** Between the proposal of keys and its confirmation lies the time of `party-key-delay`. */
  KeyProposalTooYoung: {
    code: 'DBR532',
    status: 409,
    message: 'The proposed keys may not be confirmed yet',
    details: 'They may be confirmed from {from}.',
    hint: null,
  },
  /** A party always has an identity key. Former and proposed keys can be revoked. */
  PartyKeyCurrent: {
    code: 'DBR533',
    status: 409,
    message: 'The key is the current one',
    details: null,
    hint: 'Replace the key, or suspend the party.',
  },
  /** The account or the parties cannot make or reshare the key. `errors` lists every problem. */
  CeremonyInvalid: {
    code: 'DBR540',
    status: 422,
    message: 'Invalid ceremony',
    details: null,
    hint: null,
  },
  /** An account has one ceremony at a time, or the session id belongs to a session that the caller cannot see. */
  CeremonyOpen: {
    code: 'DBR541',
    status: 409,
    message: 'The account has an open ceremony',
    details: null,
    hint: null,
  },
} as const satisfies Readonly<Record<string, DbrErrorEntry>>;

export type DbrErrorName = keyof typeof DBR_ERRORS;

/** The code of each error by name. */
export const DbrErrorCodes = {
  DatabaseConnectionError: 'DBR000',
  DatabaseClientError: 'DBR001',
  SchemaCacheNotLoaded: 'DBR002',
  PoolAcquisitionTimeout: 'DBR003',
  QueryParseError: 'DBR100',
  UnsupportedFunctionMethod: 'DBR101',
  InvalidPayload: 'DBR102',
  RangeNotSatisfiable: 'DBR103',
  InvalidPut: 'DBR105',
  UnacceptableSchema: 'DBR106',
  UnacceptableMediaType: 'DBR107',
  NotEmbedded: 'DBR108',
  LimitWithoutOrder: 'DBR109',
  TooManyRowsChanged: 'DBR110',
  InvalidResponseHeaders: 'DBR111',
  InvalidResponseStatus: 'DBR112',
  PutWithRange: 'DBR114',
  PutKeyMismatch: 'DBR115',
  NotSingular: 'DBR116',
  UnsupportedMethod: 'DBR117',
  RelatedOrderNotPossible: 'DBR118',
  SpreadNotPossible: 'DBR119',
  UnacceptableEmbedFilter: 'DBR120',
  InvalidRaisedError: 'DBR121',
  InvalidPreferences: 'DBR122',
  AggregatesNotAllowed: 'DBR123',
  MaxAffectedExceeded: 'DBR124',
  InvalidPath: 'DBR125',
  TooManyKeys: 'DBR130',
  ResultTooLarge: 'DBR131',
  InvalidPosition: 'DBR132',
  ListTruncated: 'DBR133',
  InvalidQueryBody: 'DBR140',
  RowExists: 'DBR142',
  ConditionNotPossible: 'DBR143',
  InvalidCursor: 'DBR144',
  KeysetNotPossible: 'DBR145',
  InnerWriteNotPossible: 'DBR146',
  EmbedNameTwice: 'DBR147',
  InvalidRowKeys: 'DBR150',
  RowsNotFound: 'DBR151',
  InvalidBatch: 'DBR160',
  InvalidBatchItem: 'DBR161',
  InvalidBatchReference: 'DBR162',
  IdempotencyKeyReused: 'DBR163',
  IdempotentRequestInProgress: 'DBR164',
  InvalidIdempotencyKey: 'DBR165',
  IdempotencyUnavailable: 'DBR166',
  AnswerNotKept: 'DBR167',
  IdempotencyQuotaFull: 'DBR168',
  GraphKeyNotFound: 'DBR170',
  InvalidGraphBody: 'DBR171',
  GraphNotPossible: 'DBR172',
  GraphKeyChanged: 'DBR173',
  GraphRowNotFound: 'DBR174',
  GraphLinkNotPossible: 'DBR179',
  NotStreamable: 'DBR180',
  InvalidLine: 'DBR181',
  LineTooLong: 'DBR182',
  LiveReadsOff: 'DBR183',
  LiveNotPossible: 'DBR184',
  HavingNotPossible: 'DBR185',
  AggregateFilterNotPossible: 'DBR186',
  DistinctNotPossible: 'DBR187',
  CostTooHigh: 'DBR190',
  ShapeNotAllowed: 'DBR191',
  OperatorNotAllowed: 'DBR192',
  OrderNotAllowed: 'DBR193',
  EstimateNotAllowed: 'DBR194',
  RelationshipNotFound: 'DBR200',
  AmbiguousRelationship: 'DBR201',
  FunctionNotFound: 'DBR202',
  AmbiguousFunction: 'DBR203',
  ColumnNotFound: 'DBR204',
  TableNotFound: 'DBR205',
  JwtSecretMissing: 'DBR300',
  JwtVerificationFailed: 'DBR301',
  AnonymousAccessDisabled: 'DBR302',
  JwtClaimsInvalid: 'DBR303',
  ApiKeyInvalid: 'DBR304',
  IssuerKeysNotLoaded: 'DBR310',
  AuthMissing: 'DBR400',
  AuthInvalid: 'DBR401',
  Forbidden: 'DBR402',
  InvalidParameter: 'DBR403',
  InvalidBody: 'DBR404',
  MethodNotAllowed: 'DBR406',
  NotAcceptable: 'DBR407',
  PayloadTooLarge: 'DBR408',
  UnsupportedMediaType: 'DBR409',
  VersionMismatch: 'DBR410',
  RateLimited: 'DBR411',
  ServiceUnavailable: 'DBR412',
  InternalError: 'DBR413',
  NotificationNotFound: 'DBR420',
  CategoryCritical: 'DBR421',
  TooManyStreams: 'DBR422',
  MessageNotFound: 'DBR423',
  TooManyTopics: 'DBR424',
  WebhookNotFound: 'DBR425',
  TooManyWebhooks: 'DBR426',
  WebhooksOff: 'DBR427',
  TooManyDigests: 'DBR428',
  WebhookMessageNotFound: 'DBR429',
  MalformedRequest: 'DBR430',
  HeadersTooLarge: 'DBR431',
  RequestTimeout: 'DBR432',
  BodyMemoryExhausted: 'DBR433',
  TooManyConnections: 'DBR434',
  TooManyScheduled: 'DBR435',
  ScheduledNotFound: 'DBR436',
  AccountNotFound: 'DBR500',
  PartyNotFound: 'DBR501',
  SessionNotFound: 'DBR502',
  SigningConfigExists: 'DBR503',
  SigningConfigNotSet: 'DBR504',
  SigningConfigInvalid: 'DBR505',
  SigningPartyUnavailable: 'DBR506',
  NotEnoughActiveParties: 'DBR507',
  AccountNotActive: 'DBR508',
  DelegateShareRequired: 'DBR509',
  DelegateShareUnexpected: 'DBR510',
  DelegateShareReused: 'DBR511',
  DelegateKeyUnknown: 'DBR512',
  SessionConflict: 'DBR513',
  SessionTerminal: 'DBR514',
  PartyExists: 'DBR515',
  PartyRevoked: 'DBR516',
  AccountInvalid: 'DBR517',
  DelegateShareInvalid: 'DBR518',
  DelegateKeyUnavailable: 'DBR519',
  DatabaseLibraryError: 'DBRX00',
  KeyProofInvalid: 'DBR520',
  ProtocolUnsuitable: 'DBR521',
  SessionStarted: 'DBR522',
  SigningRequestInvalid: 'DBR523',
  SigningRequestRequired: 'DBR524',
  SessionPartiesInvalid: 'DBR525',
  SessionReplaced: 'DBR526',
  DerivationNotPossible: 'DBR527',
  PartyKeyEnded: 'DBR530',
  PartyKeyNotFound: 'DBR531',
  KeyProposalTooYoung: 'DBR532',
  PartyKeyCurrent: 'DBR533',
  CeremonyInvalid: 'DBR540',
  CeremonyOpen: 'DBR541',
} as const satisfies Readonly<Record<DbrErrorName, DbrErrorCode>>;

/** Arguments of each error: the values of its holes and, for each field with variants, the name of the variant. */
export interface DbrErrorHoles {
  DatabaseConnectionError: { details: JsonValue };
  DatabaseClientError: { details: JsonValue };
  SchemaCacheNotLoaded: Record<string, never>;
  PoolAcquisitionTimeout: Record<string, never>;
  QueryParseError: { message: string; details: JsonValue };
  UnsupportedFunctionMethod: { method: string | number };
  InvalidPayload: { message: 'emptyOrInvalidJson' } | { message: 'differentKeys' } | { message: 'differentFieldCounts' } | { message: 'csv'; reason: string };
  RangeNotSatisfiable: { details: 'negativeLimit' } | { details: 'lowerAboveUpper' } | { details: 'offsetBeyondTotal'; offset: string | number; total: string | number };
  InvalidPut: Record<string, never>;
  UnacceptableSchema: { message: 'listed'; schemas: string | number; hint: string | null } | { message: 'named'; schema: string | number; hint: string | null };
  UnacceptableMediaType: { message: 'accept'; mediaTypes: string | number } | { message: 'contentType'; mediaType: string | number } | { message: 'contentEncoding'; coding: string | number };
  NotEmbedded: { relation: string | number };
  LimitWithoutOrder: { message: 'missing' } | { message: 'notUnique' };
  TooManyRowsChanged: { details: 'limit'; rows: string | number; limit: string | number } | { details: 'chosen'; rows: string | number };
  InvalidResponseHeaders: Record<string, never>;
  InvalidResponseStatus: Record<string, never>;
  PutWithRange: Record<string, never>;
  PutKeyMismatch: Record<string, never>;
  NotSingular: { rows: string | number };
  UnsupportedMethod: { method: string | number };
  RelatedOrderNotPossible: { target: string | number; origin: string | number };
  SpreadNotPossible: { target: string | number; origin: string | number };
  UnacceptableEmbedFilter: { target: string | number };
  InvalidRaisedError: { details: 'invalidMessage'; hint: 'message'; state: string | number; value: string | number } | { details: 'invalidMessage'; hint: 'detail'; state: string | number; value: string | number } | { details: 'invalidDetail'; hint: 'message'; state: string | number; value: string | number } | { details: 'invalidDetail'; hint: 'detail'; state: string | number; value: string | number } | { details: 'missingDetail'; hint: 'message'; state: string | number } | { details: 'missingDetail'; hint: 'detail'; state: string | number };
  InvalidPreferences: { preferences: string | number };
  AggregatesNotAllowed: Record<string, never>;
  MaxAffectedExceeded: { rows: string | number };
  InvalidPath: Record<string, never>;
  TooManyKeys: { limit: string | number };
  ResultTooLarge: { length: string | number; limit: string | number };
  InvalidPosition: Record<string, never>;
  ListTruncated: { path: string | number };
  InvalidQueryBody: { details: JsonValue };
  RowExists: Record<string, never>;
  ConditionNotPossible: { relation: string | number };
  InvalidCursor: Record<string, never>;
  KeysetNotPossible: { reason: JsonValue };
  InnerWriteNotPossible: { embed: string | number; relation: string | number; filter: string | number };
  EmbedNameTwice: { relation: string | number; name: string | number };
  InvalidRowKeys: { message: 'none' } | { message: 'object'; index: string | number } | { message: 'limited' };
  RowsNotFound: { missing: string | number };
  InvalidBatch: { details: 'json' } | { details: 'empty' } | { details: 'many'; limit: string | number } | { details: 'references'; limit: string | number } | { details: 'heads'; limit: string | number };
  InvalidBatchItem: { details: JsonValue };
  InvalidBatchReference: { details: 'form'; reference: string | number } | { details: 'pointer'; reference: string | number } | { details: 'unknown'; reference: string | number } | { details: 'later'; reference: string | number } | { details: 'place'; reference: string | number } | { details: 'nothing'; reference: string | number } | { details: 'scalar'; reference: string | number } | { details: 'long'; reference: string | number };
  IdempotencyKeyReused: Record<string, never>;
  IdempotentRequestInProgress: Record<string, never>;
  InvalidIdempotencyKey: Record<string, never>;
  IdempotencyUnavailable: { reason: JsonValue };
  AnswerNotKept: { length: string | number; limit: string | number };
  IdempotencyQuotaFull: Record<string, never>;
  GraphKeyNotFound: { key: string | number; relation: string | number; path: string | number };
  InvalidGraphBody: { message: 'array'; path: string | number } | { message: 'object'; path: string | number } | { message: 'keys'; path: string | number } | { message: 'depth'; path: string | number; limit: string | number } | { message: 'embeds'; limit: string | number } | { message: 'mediaType' } | { message: 'long'; path: string | number } | { message: 'twice'; path: string | number } | { message: 'again'; path: string | number };
  GraphNotPossible: { details: 'computed'; relation: string | number; path: string | number } | { details: 'noKey'; relation: string | number } | { details: 'method'; relation: string | number };
  GraphKeyChanged: { relation: string | number; path: string | number };
  GraphRowNotFound: { relation: string | number; path: string | number };
  GraphLinkNotPossible: { message: 'unequal'; path: string | number } | { message: 'differs'; path: string | number } | { message: 'generated'; path: string | number } | { message: 'keyless'; path: string | number };
  NotStreamable: { details: 'count' } | { details: 'pages' } | { details: 'maxAffected' } | { details: 'representation' } | { details: 'singular' } | { details: 'graph' } | { details: 'batch' } | { details: 'once' };
  InvalidLine: { line: string | number; reason: JsonValue };
  LineTooLong: { line: string | number; limit: string | number };
  LiveReadsOff: { details: 'off' } | { details: 'database'; reason: JsonValue };
  LiveNotPossible: Record<string, never>;
  HavingNotPossible: { reason: JsonValue };
  AggregateFilterNotPossible: { name: string | number };
  DistinctNotPossible: { reason: JsonValue };
  CostTooHigh: { details: 'named'; cost: string | number; ceiling: string | number } | { details: 'hidden'; ceiling: string | number };
  ShapeNotAllowed: { shape: JsonValue };
  OperatorNotAllowed: { operator: string | number };
  OrderNotAllowed: { column: string | number };
  EstimateNotAllowed: Record<string, never>;
  RelationshipNotFound: { details: 'plain'; parent: string | number; child: string | number; schema: string | number; hint: string | null } | { details: 'withHint'; parent: string | number; child: string | number; disambiguation: string | number; schema: string | number; hint: string | null };
  AmbiguousRelationship: { parent: string | number; child: string | number; details: JsonValue; choices: string | number };
  FunctionNotFound: { function: string | number; searched: string | number; hint: string | null };
  AmbiguousFunction: { candidates: string | number };
  ColumnNotFound: { column: string | number; relation: string | number };
  TableNotFound: { schema: string | number; table: string | number; hint: string | null };
  JwtSecretMissing: Record<string, never>;
  JwtVerificationFailed: { reason: string; details: JsonValue };
  AnonymousAccessDisabled: Record<string, never>;
  JwtClaimsInvalid: { reason: string };
  ApiKeyInvalid: Record<string, never>;
  IssuerKeysNotLoaded: Record<string, never>;
  AuthMissing: Record<string, never>;
  AuthInvalid: Record<string, never>;
  Forbidden: { details: JsonValue };
  InvalidParameter: { parameter: string | number; problem: string | number };
  InvalidBody: { details: JsonValue };
  MethodNotAllowed: { method: string | number };
  NotAcceptable: { details: JsonValue };
  PayloadTooLarge: { limit: string | number };
  UnsupportedMediaType: { mediaType: string | number };
  VersionMismatch: Record<string, never>;
  RateLimited: Record<string, never>;
  ServiceUnavailable: Record<string, never>;
  InternalError: Record<string, never>;
  NotificationNotFound: Record<string, never>;
  CategoryCritical: { category: string | number };
  TooManyStreams: { limit: string | number };
  MessageNotFound: Record<string, never>;
  TooManyTopics: { limit: string | number };
  WebhookNotFound: Record<string, never>;
  TooManyWebhooks: { limit: string | number };
  WebhooksOff: Record<string, never>;
  TooManyDigests: { userLimit: string | number; tenantLimit: string | number };
  WebhookMessageNotFound: Record<string, never>;
  MalformedRequest: { hint: string | null };
  HeadersTooLarge: { bytes: string | number; lines: string | number };
  RequestTimeout: Record<string, never>;
  BodyMemoryExhausted: Record<string, never>;
  TooManyConnections: Record<string, never>;
  TooManyScheduled: { limit: string | number; bytes: string | number };
  ScheduledNotFound: Record<string, never>;
  AccountNotFound: Record<string, never>;
  PartyNotFound: Record<string, never>;
  SessionNotFound: Record<string, never>;
  SigningConfigExists: Record<string, never>;
  SigningConfigNotSet: Record<string, never>;
  SigningConfigInvalid: Record<string, never>;
  SigningPartyUnavailable: { details: JsonValue };
  NotEnoughActiveParties: { active: string | number; threshold: string | number };
  AccountNotActive: Record<string, never>;
  DelegateShareRequired: Record<string, never>;
  DelegateShareUnexpected: Record<string, never>;
  DelegateShareReused: Record<string, never>;
  DelegateKeyUnknown: Record<string, never>;
  SessionConflict: Record<string, never>;
  SessionTerminal: { state: string | number };
  PartyExists: { details: 'party' } | { details: 'certificate' } | { details: 'identityKey' };
  PartyRevoked: Record<string, never>;
  AccountInvalid: Record<string, never>;
  DelegateShareInvalid: Record<string, never>;
  DelegateKeyUnavailable: Record<string, never>;
  DatabaseLibraryError: { message: string };
  KeyProofInvalid: Record<string, never>;
  ProtocolUnsuitable: { protocol: string | number; keyType: string | number };
  SessionStarted: Record<string, never>;
  SigningRequestInvalid: Record<string, never>;
  SigningRequestRequired: Record<string, never>;
  SessionPartiesInvalid: Record<string, never>;
  SessionReplaced: { sessionId: string | number };
  DerivationNotPossible: Record<string, never>;
  PartyKeyEnded: { details: 'certificate' } | { details: 'identityKey' };
  PartyKeyNotFound: Record<string, never>;
  KeyProposalTooYoung: { from: string | number };
  PartyKeyCurrent: Record<string, never>;
  CeremonyInvalid: Record<string, never>;
  CeremonyOpen: Record<string, never>;
}
