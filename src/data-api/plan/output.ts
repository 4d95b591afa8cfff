import type { CsvDialect, PlanOption } from '../request/media-types.js';
import type { QualifiedName } from '../schema-cache/types.js';

export type { CsvDialect };

/** The form of the body that the main statement produces. */
export type BodyForm =
  | { readonly kind: 'none' }
  | { readonly kind: 'array'; readonly stripNulls: boolean }
  | { readonly kind: 'object'; readonly stripNulls: boolean }
  /** The value or values of a function that returns no rows. */
  | { readonly kind: 'value'; readonly many: boolean; readonly stripNulls: boolean }
  /** `header`: the names of the first line where there are no rows; null for none. */
  | { readonly kind: 'csv'; readonly dialect: CsvDialect; readonly header: readonly string[] | null }
  | { readonly kind: 'geojson' }
  /** One JSON text on each line: objects, or the values of a function. */
  | { readonly kind: 'lines'; readonly values: boolean }
  /** Rows are sent as PostgreSQL makes them. */
  | { readonly kind: 'stream'; readonly line: StreamLine }
  | { readonly kind: 'aggregate'; readonly function: QualifiedName; readonly binary: boolean }
  /** The function's result, unchanged. */
  | { readonly kind: 'raw'; readonly binary: boolean };

/** The form of a row in a stream: a JSON object, the JSON of a value, or a record of CSV below a first line with the names. */
export type StreamLine = 'object' | 'value' | CsvDialect;

export const isCsv = (line: StreamLine): line is CsvDialect => line === 'csv' || line === 'rfc4180';

/** EXPLAIN of the statement instead of its result. */
export interface Explain {
  readonly format: 'text' | 'json';
  readonly options: readonly PlanOption[];
}

/** The form of the response body. */
export interface Output {
  readonly form: BodyForm;
  /** The value of Content-Type with its parameters; null if the response never has a body. */
  readonly contentType: string | null;
  /** True if the client requests one object. Any other number of rows is DBR116. */
  readonly singular: boolean;
  readonly explain: Explain | null;
}
