/** Media types of the data API (data API §1.13). */

/** A media type of a Content-Type header or a handler: lower-case `type/subtype`, without parameters. */
export type MediaType = string;

/** An option of the plan media type. */
export type PlanOption = 'analyze' | 'verbose' | 'settings' | 'buffers' | 'wal';

/** One acceptable media type of an Accept header. */
export type MediaRange =
  /** Answered by a handler of that name or built in; `*` + `/` + `*` is `any`. */
  | { readonly kind: 'type'; readonly name: MediaType }
  | { readonly kind: 'any' }
  | { readonly kind: 'object'; readonly stripNulls: boolean }
  | { readonly kind: 'array'; readonly stripNulls: boolean }
  | {
      readonly kind: 'plan';
      readonly format: 'text' | 'json';
      /** The media type whose plan is wanted. */
      readonly of: MediaRange;
      readonly options: readonly PlanOption[];
    };
