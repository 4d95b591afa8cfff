/** A request, parsed and checked as far as possible without the schema cache. */
import type {
  At,
  ColumnTree,
  Distinct,
  Filter,
  LogicGroup,
  LogicTree,
  OrderTerm,
  QueryValue,
  SelectItem,
  Value,
} from '../grammar/ast.js';
import type { ContentType, MediaRange } from './media-types.js';
import type { Preferences } from './preferences.js';

export type { QueryValue } from '../grammar/ast.js';

/** Version of OpenAPI that a client may ask for at the description's own URL. */
export type DescribedVersion = '3.1' | '3.2';

export type Resource =
  | { readonly kind: 'root' }
  /** The description at a URL of its own. */
  | { readonly kind: 'description'; readonly version: DescribedVersion }
  | { readonly kind: 'relation'; readonly name: string }
  | { readonly kind: 'function'; readonly name: string };

/**
 * The action of a method on a resource.
 * `document`: the root's description. `read`, `insert`, `update`, `upsert` (PUT), `delete`: a relation.
 * `call`: a function; `reading` when the method is GET or HEAD. `inspect`: OPTIONS of anything.
 * `headersOnly`: HEAD, the same response without its body.
 */
export type Action =
  | { readonly kind: 'document'; readonly headersOnly: boolean }
  | { readonly kind: 'read'; readonly headersOnly: boolean }
  | { readonly kind: 'insert' }
  | { readonly kind: 'update' }
  | { readonly kind: 'upsert' }
  | { readonly kind: 'delete' }
  | { readonly kind: 'call'; readonly reading: boolean; readonly headersOnly: boolean }
  | { readonly kind: 'inspect' };

/** The range of rows that a request selects. */
export interface RowRange {
  /** Null for no limit. Never negative, at most 2^63 - 1. Part of the shape. */
  readonly limit: bigint | null;
  /** Never negative, at most 2^63 - 1. An offset of zero is part of the shape and has no index. */
  readonly offset: { readonly rows: bigint; readonly index: number | null };
}

/** The beginning of a page of keyset pagination (`PageStart`); of a row, the indexes of its values, null for null. */
export type PageRange =
  | { readonly kind: 'first' }
  | { readonly kind: 'row'; readonly indexes: readonly (number | null)[] }
  | { readonly kind: 'rest' };

/** An argument of a function in the query string of GET and HEAD, in their order. Names may repeat. */
export interface QueryArgument {
  readonly name: string;
  readonly value: Value;
}

/** The query string as trees. */
export interface Query {
  /**
   * Empty for `select=`: all columns are returned, but as a selection of columns, which media handlers do not accept.
   */
  readonly select: readonly SelectItem[];
  readonly filters: readonly At<Filter>[];
  readonly logic: readonly At<LogicGroup>[];
  readonly order: readonly At<readonly OrderTerm[]>[];
  /** Conditions on groups. */
  readonly having: readonly At<readonly LogicTree[]>[];
  readonly distinct: readonly At<Distinct>[];
  /** Ranges of embedded resources; the root's is `ApiRequest.range`. */
  readonly ranges: readonly At<RowRange>[];
  readonly columns: readonly string[] | null;
  /** `columns` if it names related resources; else null. */
  readonly columnTree: ColumnTree | null;
  readonly onConflict: readonly string[] | null;
  /** `on_conflict` of the related resources of a graph. */
  readonly conflicts: readonly At<readonly string[]>[];
  readonly arguments: readonly QueryArgument[];
}

/**
 * The body with the bytes that PostgreSQL receives. `keys` has no duplicates and is sorted by code point.
 * `json`: `many` is true for an array. `uniform` is false for an array of anything but objects with the same keys:
 * only a function with a single unnamed json parameter accepts it, any other target refuses it with DBR102. `checked`
 * is false for a body that was not parsed because the query string names the columns: `keys` are these columns, and
 * PostgreSQL checks the JSON.
 * `form`: pairs of a function's form body, in order, names may repeat.
 * `whole`: text, XML or bytes for the single unnamed parameter of a function.
 */
export type Payload =
  | {
      readonly kind: 'json';
      readonly body: Buffer;
      readonly many: boolean;
      readonly uniform: boolean;
      readonly checked: boolean;
      readonly keys: readonly string[];
      /** True if a value of an object is an object, an array or null; false for a body that was not parsed. */
      readonly nested: boolean;
      /** The keys of all levels of a graph; null for rows of one relation. */
      readonly graph: ColumnTree | null;
    }
  | {
      readonly kind: 'form';
      readonly pairs: readonly (readonly [name: string, value: string])[];
      readonly keys: readonly string[];
    }
  | { readonly kind: 'whole'; readonly body: Buffer };

/**
 * The condition under which a write is done. `tags`: `If-Match` with entity tags; one row is changed, whose
 * representation has one of them. `exists`: `If-Match: *`; one row is changed. `absent`: `If-None-Match: *` of PUT; the
 * row is inserted. `unmodified`: `If-Unmodified-Since`; one row is changed, which has not changed since, if the relation
 * has the time of changes.
 */
export type WriteCondition = 'tags' | 'exists' | 'absent' | 'unmodified';

export interface ApiRequest {
  readonly method: string;
  readonly resource: Resource;
  readonly action: Action;
  readonly schema: string;
  /**
   * True if Content-Profile names the schema in the response: the request has a profile, or there are several
   * schemas.
   */
  readonly profiled: boolean;
  readonly query: Query;
  /** Rows of the root, by limit, offset and Range header together. */
  readonly range: RowRange;
  readonly preferences: Preferences;
  /** The page of keyset pagination; null without it. */
  readonly page: PageRange | null;
  /** Mark of the order in the cursors of keyset pagination. */
  readonly orderMark: number;
  /** Null for none. */
  readonly condition: WriteCondition | null;
  /** Acceptable media types, best first; never empty. */
  readonly accept: readonly MediaRange[];
  /** Media type of the body; JSON if the request names none. */
  readonly contentType: ContentType;
  /** Null if the action has no body. */
  readonly payload: Payload | null;
  /** The values of the query string by index: the parameters of a statement of this shape. */
  readonly values: readonly QueryValue[];
}
